// Operands for the sweep, and the comparison of the instruction sets.

#include "sweep.h"

#define SEED 0x9e3779b97f4a7c15
static uint64_t state = SEED;
void restart_random(void) { state = SEED; }

uint32_t random_word(void) {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return (uint32_t)(state >> 16);
}
float random_unit(void) { return (float)(random_word() >> 8) * 0x1p-24f; }

int landmarks(uint32_t *words) {
  int count = 0;
  static const float values[] = {0.0f,   1e-3f, 0x1p-10f, 0.5f,   0.625f, 1.0f,   2.0f,  9.0f,  10.0f, 16.0f,    86.0f,    87.34f,
                                 88.72f, 89.0f, 89.4f,    90.0f,  103.9f, 104.0f, 125.0f, 126.0f, 127.0f, 128.0f, 149.0f, 150.0f,
                                 151.0f, 65504.0f, 65520.0f, 65536.0f, 0x1p23f, 0x1p24f, 0x1p31f, 0x1p32f, INFINITY, NAN, 0x1p-126f};
  for (unsigned i = 0; i < sizeof values / sizeof *values; i++) words[count++] = bits_of(values[i]);
  for (int i = 1; i <= 400; i++) words[count++] = bits_of((float)(i * M_PI / 2));
  for (int i = 1; i < 255; i++) words[count++] = (uint32_t)i << 23;
  for (int i = 1; i < 255; i++) words[count++] = ((uint32_t)i << 23) + 0x3504f3;
  words[count++] = 0x7f800001;  // signalling
  // The largest errors of sin, cos, exp, exp2, asin, acos, atan, tanh, inversesqrt, log, log2 among all floats.
  static const uint32_t hardest[] = {0x71ba6df5, 0x3e176414, 0x426d3336, 0x3f07d369, 0x3f07cee9, 0xbf156b34,
                                     0x3f8748d5, 0x3f218c1d, 0x3f80cab3, 0x3f34bd9d, 0x3fb4b489};
  for (unsigned i = 0; i < sizeof hardest / sizeof *hardest; i++) words[count++] = hardest[i];
  return count;
}

uint32_t varied_word(int index) {
  static uint32_t words[2048];
  static int marks = 0;
  if (!marks) marks = landmarks(words);
  uint32_t word = random_word();
  switch (index % 5) {
  case 0: return words[word % (uint32_t)marks] ^ (word & 0x80000000);
  case 1: return word >> (word % 32);
  case 2: return 0u - (word >> (word % 32));
  case 3: return bits_of((random_unit() - 0.5f) * 4);
  default: return word;
  }
}

int failures = 0;

void check_identity(int binary, int function, const float *x, const float *y, const float *expected, int count) {
  static float shuffled_x[BLOCK], shuffled_y[BLOCK], results[BLOCK];
  for (int isa = 0; isa < ETALON_PROBE_ISA_COUNT; isa++) {
    if (!etalon_probe_has_isa(isa)) continue;
    for (int step = 1; step <= 1237; step += 1236) {
      for (int i = 0; i < count; i++) {
        int from = (int)((int64_t)i * step % count);
        shuffled_x[i] = x[from];
        shuffled_y[i] = y[from];
      }
      if (binary)
        etalon_probe_binary(isa, function, shuffled_x, shuffled_y, results, count);
      else
        etalon_probe_unary(isa, function, shuffled_x, results, count);
      for (int i = 0; i < count; i++) {
        int from = (int)((int64_t)i * step % count);
        if (bits_of(results[i]) == bits_of(expected[from])) continue;
        const char *name = binary ? etalon_probe_binary_name(function) : etalon_probe_unary_name(function);
        if (failures++ < 20)
          printf("DIFFERS %s(%08x, %08x): %08x on instruction set %d, %08x on the baseline\n", name, bits_of(x[from]),
                 bits_of(y[from]), bits_of(results[i]), isa, bits_of(expected[from]));
      }
    }
  }
}
