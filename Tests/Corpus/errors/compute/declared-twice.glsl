layout(local_size_x = 8, local_size_y = 8) in;
uniform writeonly image2D picture;
uniform sampler2D photo;
uniform sampler2D photo;
uniform Values {
  float gain; // = 1.0
  vec2 offset; // = vec2(0.0)
  float gain; // = 2.0
} values;

void main() {
  ivec2 position = ivec2(gl_GlobalInvocationID.xy);
  imageStore(picture, position, texelFetch(photo, position, 0) * values.gain);
}
