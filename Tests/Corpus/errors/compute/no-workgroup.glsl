uniform writeonly image2D outputImage;
void mian() { imageStore(outputImage, ivec2(0), vec4(1.0)); }
