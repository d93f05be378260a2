// Directives of an editor extension that mean nothing.
#iChannel0 "file://horizon.jpg"
#iChannel0::MinFilter "Bilinear"
#iChannel0::WrapMode "repeet"
#iChannel0::WrapMod "Repeat"
#iChannel1 "https://example.org/horizon.jpg"
#iChannel2 "horizon.tiff"
#iChannel5 "self"
#iUnifrom float size = 1.0
void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
  fragColor = texture(iChannel0, fragCoord) + texture(iChannel1, fragCoord) + texture(iChannel2, fragCoord);
}
