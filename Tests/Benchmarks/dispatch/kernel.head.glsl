#version 450
layout(local_size_x = 16, local_size_y = 16) in;
layout(std430, set = 0, binding = 0) writeonly buffer Pixels { uint pixels[]; };
layout(push_constant) uniform Clock { vec3 iResolution; float iTime; };
#line 1
