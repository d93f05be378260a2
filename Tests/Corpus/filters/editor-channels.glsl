// Channels that a file connects itself, for an editor extension.
#iChannel0 "file://horizon.jpg"
#iChannel0::WrapMode "Clamp"
#iChannel0::MinFilter "Nearest"
#iChannel1 "https://example.org/photo.png"
#iChannel1::MinFilter "LinearMipMapLinear"
#iChannel2 "textures/stone.png"
#iChannel2::WrapMode "Mirror"
#iChannel2::MinFilter "Linear"
void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
  vec2 uv = fragCoord / iResolution.xy;
  fragColor = texture(iChannel0, uv) + texture(iChannel1, uv) + texture(iChannel2, uv) + texture(iChannel3, uv);
}
