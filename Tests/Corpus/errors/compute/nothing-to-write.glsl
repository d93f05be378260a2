layout(local_size_x = 8) in;
uniform sampler2D inputImage;
void main() {}
