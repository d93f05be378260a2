/*{
  "ETALON": 1, "DESCRIPTION": "The value of an invocation that no subgroup has.",
  "PASSES": [{ "KERNEL": "work", "LOCAL_SIZE": [16, 12] }]
}*/
// pixel: 9, 3
#extension GL_KHR_shader_subgroup_shuffle : enable
void work(ivec2 position) {
  float a = float(subgroupShuffle(uint(position.x), 200u)) / 16.0;
  IMG_STORE(outputImage, position, vec4(a, 0.5, 0.25, 1.0));
}
