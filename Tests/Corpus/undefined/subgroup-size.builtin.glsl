/*{ "ETALON": 1, "DESCRIPTION": "How large subgroups are, asked for by its name." }*/
// pixel: 9, 3
#extension GL_KHR_shader_subgroup_basic : enable
vec4 imageKernel(vec2 position) { return vec4(float(gl_SubgroupSize) / 64.0, 0.5, 0.25, 1.0); }
