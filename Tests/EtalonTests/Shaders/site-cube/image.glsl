// The six sides of a cube, from left to right.
void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
  vec3 sides[6] = vec3[6](vec3(1, 0, 0), vec3(-1, 0, 0), vec3(0, 1, 0), vec3(0, -1, 0), vec3(0, 0, 1), vec3(0, 0, -1));
  fragColor = textureLod(iChannel0, sides[int(fragCoord.x)], 0.0);
}
