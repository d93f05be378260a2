layout(local_size_x = 2, local_size_z = 65) in;
uniform writeonly image2D outputImage;
void main() { imageStore(outputImage, ivec2(gl_GlobalInvocationID.xy), vec4(1.0)); }
