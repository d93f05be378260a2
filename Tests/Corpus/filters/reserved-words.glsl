// --set half=0.25
uniform float half;
struct input { vec3 sample; float filter; };

float buffer(float smooth, vec2 output) { return smooth + output.x; }

void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  input shared = input(vec3(half), 1.0);
  vec4 texture = vec4(shared.sample, shared.filter);
  float precise = buffer(texture.x, fragCoord);
  fragColor = texture * precise;
}
