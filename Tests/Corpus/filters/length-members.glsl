struct Ray { vec3 direction; float length; };
struct Span { float start, length[2]; };
float weights[3];

Ray cast(vec2 p) { return Ray(vec3(p, 1.0), 0.5); }

void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  Ray ray = cast(fragCoord / iResolution.xy);
  Span span;
  span.length[1] = ray.length * length(ray.direction);
  fragColor = vec4(span.length[1], float(weights.length()) / 3.0, ray.length, 1.0);
}
