// The London picture on the left, gray noise on the right.
void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
  fragColor = fragCoord.x < 2.0 ? texelFetch(iChannel0, ivec2(fragCoord), 0) : texelFetch(iChannel1, ivec2(fragCoord), 0);
}
