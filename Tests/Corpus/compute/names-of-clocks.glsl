layout(local_size_x = 8, local_size_y = 8) in;
uniform float TIME;
uniform int FRAMERATE; // = 24
uniform int PROGRESS;
uniform float iTime;
uniform vec2 resolution;
uniform float gain;
layout(binding = 0) uniform image2D target;
void main() {
  imageStore(target, ivec2(gl_GlobalInvocationID.xy), vec4(TIME, iTime * gain, resolution.x * float(PROGRESS + FRAMERATE), 1.0));
}
