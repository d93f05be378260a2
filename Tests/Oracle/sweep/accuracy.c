// Errors of the elementary functions.
//
// The oracle is the C library in double precision, whose errors are below 1e-8 units of a float's last place;
// elementary_functions.py checks that against mpmath at the worst points. An error is measured in units in the last place
// of the exact result (denormal results: of the smallest denormal).

#include "sweep.h"

static const double ULP_LIMIT = 2.0;

static double inverse_sqrt(double x) { return 1.0 / sqrt(x); }
static double fraction(double x) { return (float)x - floorf((float)x); }

typedef struct {
  const char *name;
  double (*exact)(double);
  double limit;  // in units of the last place
} unary_case;

static const unary_case unary_cases[] = {
    {"sin", sin, 2},       {"cos", cos, 2},     {"tan", tan, 2},       {"asin", asin, 2},   {"acos", acos, 2},
    {"atan", atan, 2},     {"sinh", sinh, 2},   {"cosh", cosh, 2},     {"tanh", tanh, 2},   {"asinh", asinh, 2},
    {"acosh", acosh, 2},   {"atanh", atanh, 2}, {"exp", exp, 2},       {"exp2", exp2, 2},   {"log", log, 2},
    {"log2", log2, 2},     {"sqrt", sqrt, 0.5}, {"inversesqrt", inverse_sqrt, 2},
    {"floor", floor, 0},   {"ceil", ceil, 0},   {"trunc", trunc, 0},   {"roundeven", rint, 0}, {"fract", fraction, 0},
};
enum { UNARY_CASES = sizeof unary_cases / sizeof *unary_cases };

typedef struct {
  double error;
  uint32_t x, y, result;
  double exact;
} worst_point;

/// Error of a float against the exact value; infinite where one is NaN and the other is not, or signs of zeros differ.
static double ulp_error(float result, double exact) {
  if (isnan(exact)) return bits_of(result) == 0x7fc00000 ? 0 : INFINITY;
  if (isnan(result)) return INFINITY;
  if (fabs(exact) >= 0x1p128) return result == copysign(INFINITY, exact) ? 0 : INFINITY;
  if (exact == 0 || (float)exact == 0) {
    if (signbit(result) != signbit(exact)) return INFINITY;
  }
  int exponent = exact == 0 ? -149 : ilogb(exact) - 23;
  if (exponent < -149) exponent = -149;
  if (exponent > 104) exponent = 104;
  double value = isinf(result) ? copysign(0x1p128, result) : result;
  return fabs(value - exact) * ldexp(1, -exponent);
}

static void note(worst_point *worst, double error, uint32_t x, uint32_t y, float result, double exact) {
  if (error > worst->error) *worst = (worst_point){error, x, y, bits_of(result), exact};
}

static void report(const char *name, worst_point worst, double limit) {
  int failed = !(worst.error <= limit);
  failures += failed;
  printf("%-14s %8.4f ulp  at %08x", name, worst.error, worst.x);
  if (worst.y) printf(", %08x", worst.y);
  printf(" (%a): %a, exactly %.17g%s\n", float_of(worst.x), float_of(worst.result), worst.exact, failed ? "  FAILED" : "");
}

static void sweep_block(const unary_case *c, int function, const float *x, int count, int identity, worst_point *worst) {
  static float results[BLOCK];
  etalon_probe_unary(ETALON_PROBE_BASELINE, function, x, results, count);
  for (int i = 0; i < count; i++) {
    double exact = c->exact(x[i]);
    note(worst, ulp_error(results[i], exact), bits_of(x[i]), 0, results[i], exact);
  }
  if (identity) check_identity(0, function, x, x, results, count);
}

static void sweep_unary(const unary_case *c, uint32_t stride) {
  static float x[BLOCK];
  static uint32_t words[2048];
  int function = etalon_probe_find_unary(c->name), used = 0, marks = landmarks(words);
  worst_point worst = {-1, 0, 0, 0, 0};
  for (int m = 0; m < marks; m++) {
    for (int offset = -16; offset < 16; offset++) {
      x[used++] = float_of(words[m] + (uint32_t)offset);
      x[used++] = float_of((words[m] + (uint32_t)offset) ^ 0x80000000);
      if (used == BLOCK) sweep_block(c, function, x, used, 1, &worst), used = 0;
    }
  }
  uint32_t block = 0;
  for (uint64_t bits = 0; bits < 0x100000000; bits += stride) {
    x[used++] = float_of((uint32_t)bits);
    if (used == BLOCK) sweep_block(c, function, x, used, block++ % 8 == 0, &worst), used = 0;
  }
  sweep_block(c, function, x, used, 1, &worst);
  report(c->name, worst, c->limit);
}

static const float specials[] = {0.0f, -0.0f, 1.0f, -1.0f, 0.5f, -0.5f, 2.0f, -2.0f, 3.0f, -3.0f, INFINITY, -INFINITY, NAN,
                                 0x1p-149f, -0x1p-149f, 0x1p-126f, -0x1p-126f, 0x1.fffffep127f, -0x1.fffffep127f, 0.1f, 1e10f,
                                 0x1.000002p0f, 0x1.fffffep-1f, 1e-30f, -1e-30f, 1e30f, 33.0f, -149.0f, 150.0f, 128.0f};
enum { SPECIALS = sizeof specials / sizeof *specials };

typedef void operand_source(int index, float *x, float *y);

static void pow_operands(int index, float *x, float *y) {
  if (index < SPECIALS * SPECIALS) {
    *x = specials[index / SPECIALS], *y = specials[index % SPECIALS];
    return;
  }
  switch (index % 5) {
  case 0:  // any base, any result in range
    *x = float_of(random_word() & 0x7fffffff);
    *y = (random_unit() * 300 - 151) / (float)log2(*x);
    break;
  case 1:  // near one, large exponents
    *x = 1 + (random_unit() - 0.5f) * ldexpf(1, -(int)(random_word() % 23));
    *y = (random_unit() * 300 - 151) / (float)log2(*x);
    break;
  case 2:  // everyday
    *x = random_unit() * 4, *y = random_unit() * 16 - 4;
    break;
  case 3:  // negative bases, whole exponents
    *x = -ldexpf(1 + random_unit(), (int)(random_word() % 24) - 12), *y = (float)(random_word() % 41) - 20;
    break;
  default:
    *x = float_of(random_word()), *y = float_of(random_word());
  }
}
static void atan2_operands(int index, float *x, float *y) {
  if (index < SPECIALS * SPECIALS) {
    *x = specials[index / SPECIALS], *y = specials[index % SPECIALS];
  } else if (index % 2) {
    *x = float_of(random_word());
    *y = *x * (random_unit() * 4 - 2);
  } else {
    *x = float_of(random_word()), *y = float_of(random_word());
  }
}

static void sweep_binary(const char *name, double (*exact)(double, double), operand_source *operands, int count) {
  static float x[BLOCK], y[BLOCK], results[BLOCK];
  int function = etalon_probe_find_binary(name);
  worst_point worst = {-1, 0, 0, 0, 0};
  for (int start = 0; start < count; start += BLOCK) {
    for (int i = 0; i < BLOCK; i++) operands(start + i, &x[i], &y[i]);
    etalon_probe_binary(ETALON_PROBE_BASELINE, function, x, y, results, BLOCK);
    for (int i = 0; i < BLOCK; i++) {
      double value = exact(x[i], y[i]);
      note(&worst, ulp_error(results[i], value), bits_of(x[i]), bits_of(y[i]), results[i], value);
    }
    if (start / BLOCK % 8 == 0) check_identity(1, function, x, y, results, BLOCK);
  }
  report(name, worst, ULP_LIMIT);
}

int is_measured(const char *name) {
  for (int i = 0; i < UNARY_CASES; i++)
    if (!strcmp(unary_cases[i].name, name)) return 1;
  return !strcmp(name, "pow") || !strcmp(name, "atan2");
}

void sweep_accuracy(void) {
  for (int i = 0; i < UNARY_CASES; i++) sweep_unary(&unary_cases[i], 2039);
  sweep_binary("pow", pow, pow_operands, 1 << 21);
  sweep_binary("atan2", atan2, atan2_operands, 1 << 21);
}

void sweep_range(const char *name, uint64_t low, uint64_t high) {
  static float x[BLOCK];
  for (int i = 0; i < UNARY_CASES; i++) {
    if (strcmp(unary_cases[i].name, name)) continue;
    int function = etalon_probe_find_unary(name), used = 0;
    worst_point worst = {-1, 0, 0, 0, 0};
    for (uint64_t bits = low; bits <= high; bits++) {
      x[used++] = float_of((uint32_t)bits);
      if (used == BLOCK) sweep_block(&unary_cases[i], function, x, used, 0, &worst), used = 0;
    }
    sweep_block(&unary_cases[i], function, x, used, 0, &worst);
    report(name, worst, unary_cases[i].limit);
  }
}
