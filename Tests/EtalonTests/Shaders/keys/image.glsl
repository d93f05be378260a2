// The three rows of the keyboard for the space bar, from left to right.
void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
  fragColor = texelFetch(iChannel0, ivec2(32, int(fragCoord.x)), 0);
}
