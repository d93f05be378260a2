layout(local_size_x = 2048) in;
uniform A { float a; };
uniform B { float b; };
uniform writeonly image2D outputImage;
uniform sampler2D outputImage;
void main() { imageStore(outputImage, ivec2(0), vec4(a + b)); }
