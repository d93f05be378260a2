layout(local_size_x = 8, local_size_y = SIZE) in;
uniform usampler2D numbers;
uniform samplerCube sky;
uniform image3D volume;
uniform sampler2D images[4];
uniform image2D both;
uniform Values { float weights[4]; mat2x3 turn; } values;
buffer Bins { uint bins[]; };
buffer Pairs { uint count; vec3 pairs[4]; };
uniform writeonly image2D outputImage;
void main() { imageStore(both, ivec2(0), imageLoad(both, ivec2(1))); }
