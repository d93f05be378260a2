/*{
  "ETALON": 1, "DESCRIPTION": "How many invocations a subgroup has.",
  "PASSES": [{ "KERNEL": "work", "LOCAL_SIZE": [16, 12] }]
}*/
// pixel: 9, 3
#extension GL_KHR_shader_subgroup_arithmetic : enable
void work(ivec2 position) {
  float a = float(subgroupAdd(1u)) / 64.0;
  IMG_STORE(outputImage, position, vec4(a, 0.5, 0.25, 1.0));
}
