layout(local_size_x = 64) in;
uniform float level, width; // = 0.5
uniform vec3 color; // = vec3(1.0, 0.5, 0.0)
uniform bool inverted; // = true
layout(binding = 0) uniform image2D target;
void main() {
  ivec2 position = ivec2(gl_GlobalInvocationID.xy);
  imageStore(target, position, vec4(inverted ? 1.0 - color : color, level * width));
}
