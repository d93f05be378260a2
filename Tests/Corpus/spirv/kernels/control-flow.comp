#version 450
// Every statement that steers: nested, early and falling through.
layout(local_size_x = 8, local_size_y = 8) in;
layout(std140, binding = 0) uniform Values { int n; float f; } values;
layout(rgba8, binding = 1) uniform writeonly image2D target;

float early(int n) {
  for (int i = 0; i < n; ++i) {
    if (i == 7) return float(i);
    for (int j = i; j > 0; j--) {
      if (j == 3) continue;
      if (j == 2) break;
      while (true) { if (j * i > n) return 2.0; n++; if (n > 100) break; }
    }
  }
  return -1.0;
}

int choose(int n) {
  int r = 0;
  switch (n & 7) {
    case 0: r = 1; break;
    case 1: r = 2;
    case 2: r += 3; if (r > 4) break; r *= 2;
    default: r += 5; break;
    case 3: case 4: return 9;
    case 5: for (int i = 0; i < n; i++) { if (i == 5) break; switch (i) { case 2: continue; default: r++; } }
  }
  return r;
}

float nested(float x) {
  do {
    x *= 0.5;
    if (x > 8.0) { if (x > 64.0) continue; else x -= 1.0; } else if (x < 0.1) { break; } else x += 0.01;
  } while (x > 1.0 && x < 100.0 || x == 0.5);
  return x > 0.0 ? sqrt(x) : x;
}

void both(inout int a, out float b) {
  if (a > 3) { b = 1.0; return; }
  b = a == 0 ? 2.0 : 3.0;
  a = choose(a);
}

void main() {
  int a = values.n;
  float b;
  both(a, b);
  ivec2 p = ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThanEqual(p, imageSize(target)))) return;
  imageStore(target, p, vec4(early(a), float(choose(a)), nested(values.f), b));
}
