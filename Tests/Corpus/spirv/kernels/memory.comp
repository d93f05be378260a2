#version 450
// Variables of every kind of memory, with constant and dynamic indices.
layout(local_size_x = 4, local_size_y = 4, local_size_z = 2) in;
struct Light { vec3 color; float reach; int tags[3]; };
layout(std140, binding = 0) uniform Values { Light lights[2]; vec4 table[8]; mat4 m; int i; } values;
layout(std430, binding = 1) buffer Results { Light first; vec4 rest[]; } results;
shared float tile[4][8];
shared Light pair[2];
shared uint total;
const vec2 corners[4] = vec2[4](vec2(0, 0), vec2(1, 0), vec2(0, 1), vec2(1, 1));
const int ramp[16] = int[16](0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
float state = 3.0;
mat3 turn;
vec4 hidden[4];

float step_() { state = fract(state * 16807.0); return state; }

Light brightest(Light a, in Light b, inout float best) {
  if (a.reach > best) { best = a.reach; return a; }
  return b;
}

void fill(out float values_[5], int i) { for (int k = 0; k < 5; k++) values_[k] = step_() + float(ramp[i + k]); }

void main() {
  int i = values.i;
  uint l = gl_LocalInvocationIndex;
  float local[5];
  fill(local, i);
  float best = local[i];
  vec4 v = values.table[i];
  v[i] = local[2]; turn[i] = v.xyz; hidden[i] = v; hidden[i].y = turn[1][i];
  vec2 c = corners[i] + corners[l & 3u];
  tile[l & 3u][i] = c.x;
  if (l == 0u) { total = 0u; pair[0] = Light(vec3(1), 2.0, int[3](1, 2, 3)); }
  barrier();
  atomicAdd(total, 1u); atomicMax(total, l); uint old = atomicCompSwap(total, 3u, 4u);
  memoryBarrierShared();
  groupMemoryBarrier();
  barrier();
  pair[1] = brightest(values.lights[i], pair[0], best);
  results.first = pair[1];
  results.first.tags[i] = ramp[old & 15u];
  results.rest[l] = hidden[i] + values.m[i] + vec4(tile[i][l & 7u], v[i], total, results.rest.length());
  Light both[2] = pair;
  results.rest[0].xy = both[i].color.xy;
}
