/*{ "ETALON": 1, "INPUTS": [{ "NAME": "amount", "TYPE": "float", "DEFAULT": 1 }] }*/
layout(local_size_x = 8) in;
uniform float amount;
uniform vec2 center;
uniform Block { float size; } block;
layout(binding = 3) buffer Bins { uint bins[]; };
uniform writeonly image2D picture;
void main() {}
vec4 imageKernel(vec2 position) { return vec4(1.0); }
