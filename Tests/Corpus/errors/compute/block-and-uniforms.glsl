layout(local_size_x = 8) in;
uniform A { float a; // = sin(1.0)
};
uniform float b;
uniform writeonly image2D outputImage;
void main() { imageStore(outputImage, ivec2(0), vec4(a + b)); }
