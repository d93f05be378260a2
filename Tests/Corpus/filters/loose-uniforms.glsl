// --set size=3
uniform vec2 iResolution;
uniform float iTime;
uniform sampler2D iChannel0;
uniform sampler2D photo;
uniform float size = 1.; // Size, min=0., max=10.
uniform vec3 low = vec3(0.1, 0.2, 0.3), high;
uniform bool inverted;
uniform mat2 turn = mat2(0.0, 1.0, -1.0, 0.0);

void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  vec2 uv = turn * (fragCoord / iResolution * size);
  vec3 color = mix(low, high, texture(iChannel0, uv).x + texture(photo, uv).y + iTime);
  fragColor = vec4(inverted ? 1.0 - color : color, 1.0);
}
