void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
  fragColor = texture(iChannel0, place(fragCoord)) * texture(iChannel1, place(fragCoord)) * texture(iChannel2, vec2(0.5)) * texture(iChannel3, vec2(0.5));
}
