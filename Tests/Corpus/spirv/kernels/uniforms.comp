#version 450
// The layout of uniforms: padding, arrays, matrices, structures; and blocks that nothing reads.
layout(local_size_x_id = 7, local_size_y = 2) in;
struct Inner { vec2 a; float b[2]; mat2 c; };
layout(std140, binding = 3) uniform Parameters {
  float scalar; vec3 position; bool flag; vec2 pair; float list[3]; mat3 turn; Inner one; Inner many[2]; ivec2 grid[2][2]; uint last;
  layout(row_major) mat3x2 rows; layout(row_major) mat2x3 more[2];
};
layout(std140, binding = 4) uniform Nobody { vec4 nothing; };
layout(binding = 5) uniform sampler2D forgotten;
layout(std430, binding = 6) buffer Output { vec4 color; } result;

vec4 neverCalled() { return texture(forgotten, vec2(nothing)); }

void main() {
  result.color = vec4(position * scalar, list[1]) + vec4(turn[0], many[1].c[0].y) + vec4(one.a, pair) + vec4(grid[1][0], last, rows[2].y * more[1][0].x);
}
