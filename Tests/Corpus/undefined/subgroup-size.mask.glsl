/*{ "ETALON": 1, "DESCRIPTION": "The bit of an invocation in its subgroup." }*/
// pixel: 9, 3
#extension GL_KHR_shader_subgroup_ballot : enable
vec4 imageKernel(vec2 position) { return vec4(float(gl_SubgroupEqMask.x & 255u) / 255.0, 0.5, 0.25, 1.0); }
