// --set width=4
#iChannel0 "file://photo.png"
#iChannel0::MinFilter "Linear"
#iUniform float width = 8.0 in { 0.1, 15.0 } step 0.1
#iUniform color3 tint = color3(1.0, 0.5, 0.0)
void mainImage(out vec4 fragColor, in vec2 fragCoord) {
  fragColor = vec4(texture(iChannel0, fragCoord * width).rgb * tint, 1.0);
}
