// What every pixel kernel starts with: the region that a dispatch covers, and the place of this invocation in it.

layout(local_size_x = 256) in;

layout(push_constant) uniform EtalonRegion { ivec2 etalonOrigin; ivec2 etalonEnd; };

ivec2 pixelOf(uint index) {
  uint quad = index >> 2;
  return etalonOrigin + 16 * ivec2(gl_WorkGroupID.xy) + ivec2(2u * (quad & 7u) + (index & 1u), 2u * (quad >> 3) + ((index >> 1) & 1u));
}

bool isInside(ivec2 pixel) { return all(lessThan(pixel, etalonEnd)); }
int indexOf(ivec2 pixel) { return (etalonEnd.y - 1 - pixel.y) * (etalonEnd.x - etalonOrigin.x) + pixel.x - etalonOrigin.x; }
