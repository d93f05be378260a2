/*{ "ETALON": 1, "DESCRIPTION": "Who votes in a subgroup, in a kernel that takes derivatives." }*/
// pixel: 9, 3
vec4 imageKernel(vec2 position) {
  uvec4 votes = subgroupBallot(position.x > 3.0);
  return vec4(float(votes.x & 255u) / 255.0, abs(dFdx(position.x)) * 0.5, 0.25, 1.0);
}
