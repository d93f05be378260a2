void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
  fragColor = mix(vec4(iTime, place(fragCoord), 1.0), texture(iChannel0, place(fragCoord)), FADE);
}
