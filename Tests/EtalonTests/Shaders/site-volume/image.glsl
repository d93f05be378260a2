// The slices of a volume of 2x2x3 from left to right, and its size.
void mainImage(out vec4 fragColor, in vec2 fragCoord)
{
  ivec3 place = ivec3(int(fragCoord.x) % 2, int(fragCoord.y), int(fragCoord.x) / 2);
  if (place.z == 3) fragColor = vec4(iChannelResolution[0] / 255.0, 1);
  else if (place.z == 4) fragColor = vec4(texelFetch(iChannel0, ivec3(1, 0, 2), 0).rg, vec2(textureSize(iChannel0, 0).z) / 255.0);
  else fragColor = texture(iChannel0, (vec3(place) + 0.5) / iChannelResolution[0]);
}
