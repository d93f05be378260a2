#version 450
// Edges of a picture, from a tile that each workgroup reads once.
layout(local_size_x = 16, local_size_y = 16) in;

uniform sampler2D inputImage;
uniform writeonly image2D outputImage;
uniform float gain; // = 2.0
uniform vec3 ink; // = vec3(0.05, 0.06, 0.10)
uniform vec3 paper; // = vec3(0.96, 0.94, 0.88)

const int side = 18;
shared float luma[side * side];

float at(ivec2 place) { return luma[(place.y + 1) * side + place.x + 1]; }

void main() {
  ivec2 corner = ivec2(gl_WorkGroupID.xy) * 16 - 1;
  ivec2 last = textureSize(inputImage, 0) - 1;
  for (int i = int(gl_LocalInvocationIndex); i < side * side; i += 256) {
    vec4 color = texelFetch(inputImage, clamp(corner + ivec2(i % side, i / side), ivec2(0), last), 0);
    luma[i] = dot(color.rgb, vec3(0.2126, 0.7152, 0.0722));
  }
  barrier();
  ivec2 p = ivec2(gl_LocalInvocationID.xy);
  ivec2 x = ivec2(1, 0), y = ivec2(0, 1);
  float across = at(p + x + y) + 2.0 * at(p + x) + at(p + x - y) - at(p - x + y) - 2.0 * at(p - x) - at(p - x - y);
  float along = at(p + x + y) + 2.0 * at(p + y) + at(p - x + y) - at(p + x - y) - 2.0 * at(p - y) - at(p - x - y);
  float line = clamp(gain * length(vec2(across, along)), 0.0, 1.0);
  imageStore(outputImage, ivec2(gl_GlobalInvocationID.xy), vec4(mix(paper, ink, line), 1.0));
}
