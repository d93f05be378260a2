// Functions with exact results: an independent scalar definition of each, and the comparison with it.

#include "sweep.h"

static uint32_t clamp_to_int(float x) {
  return (uint32_t)(isnan(x) ? 0 : x >= 0x1p31f ? INT32_MAX : x < -0x1p31f ? INT32_MIN : (int32_t)x);
}
static uint32_t clamp_to_uint(float x) { return isnan(x) || x < 0 ? 0 : x >= 0x1p32f ? UINT32_MAX : (uint32_t)x; }

static double half_value(uint32_t half) {
  int exponent = half >> 10 & 31, mantissa = half & 1023;
  double magnitude = exponent == 31 ? (mantissa ? NAN : INFINITY)
                     : exponent     ? ldexp(1024 + mantissa, exponent - 25)
                                    : ldexp(mantissa, -24);
  return half & 0x8000 ? -magnitude : magnitude;
}
static uint32_t half_to_float(uint32_t half) {
  double value = half_value(half);
  return isnan(value) ? 0x7fc00000 : bits_of((float)value);
}
/// Nearest half by comparing with the midpoints of neighbours.
static uint32_t float_to_half(float x) {
  if (isnan(x)) return 0x7e00;
  uint32_t sign = signbit(x) ? 0x8000 : 0, low = 0, high = 0x7c00;
  double magnitude = fabsf(x);
  while (high - low > 1) {
    uint32_t middle = (low + high) / 2;
    if (half_value(middle) <= magnitude) low = middle;
    else high = middle;
  }
  double above = high == 0x7c00 ? 65536.0 : half_value(high), midpoint = (half_value(low) + above) / 2;
  return sign | (magnitude > midpoint || (magnitude == midpoint && low % 2) ? high : low);
}
static uint32_t unorm_of(float x, double scale) { return (uint32_t)rint((float)((isnan(x) || x < 0 ? 0 : x > 1 ? 1 : x) * (float)scale)); }
static uint32_t snorm_of(float x, double scale) {
  return (uint32_t)(int32_t)rint((float)((isnan(x) ? 0 : x < -1 ? -1 : x > 1 ? 1 : x) * (float)scale));
}
static uint32_t snorm_value(int value, float scale) { return bits_of(value / scale < -1 ? -1.0f : value / scale); }

static uint32_t frexp_exponent(float x) {
  int exponent = 0;
  if (x != 0 && isfinite(x)) frexpf(x, &exponent);
  return (uint32_t)exponent;
}
static uint32_t frexp_significand(float x) {
  int exponent;
  return isnan(x) ? 0x7fc00000 : bits_of(isinf(x) ? x : frexpf(x, &exponent));
}
static uint32_t modf_fraction(float x) {
  float whole;
  return isnan(x) ? 0x7fc00000 : bits_of(modff(x, &whole));
}

static uint32_t expected_unary(const char *name, uint32_t w) {
  float x = float_of(w);
  if (!strcmp(name, "f2i")) return clamp_to_int(x);
  if (!strcmp(name, "f2u")) return clamp_to_uint(x);
  if (!strcmp(name, "i2f")) return bits_of((float)(int32_t)w);
  if (!strcmp(name, "u2f")) return bits_of((float)w);
  if (!strcmp(name, "frexp_exponent")) return frexp_exponent(x);
  if (!strcmp(name, "frexp_significand")) return frexp_significand(x);
  if (!strcmp(name, "modf_fraction")) return modf_fraction(x);
  if (!strcmp(name, "float_to_half")) return float_to_half(x);
  if (!strcmp(name, "half_to_float")) return half_to_float(w & 0xffff);
  if (!strcmp(name, "sign")) return isnan(x) ? 0 : x == 0 ? w : bits_of(x < 0 ? -1.0f : 1.0f);
  if (!strcmp(name, "iabs")) return (int32_t)w < 0 ? 0 - w : w;
  if (!strcmp(name, "isign")) return (uint32_t)(((int32_t)w > 0) - ((int32_t)w < 0));
  if (!strcmp(name, "bit_count")) return (uint32_t)__builtin_popcount(w);
  if (!strcmp(name, "bit_reverse")) return __builtin_bitreverse32(w);
  if (!strcmp(name, "find_lsb")) return w ? (uint32_t)__builtin_ctz(w) : UINT32_MAX;
  if (!strcmp(name, "find_umsb")) return w ? 31u - (uint32_t)__builtin_clz(w) : UINT32_MAX;
  if (!strcmp(name, "find_imsb")) {
    uint32_t changed = (int32_t)w < 0 ? ~w : w;
    return changed ? 31u - (uint32_t)__builtin_clz(changed) : UINT32_MAX;
  }
  if (!strcmp(name, "pack_unorm4x8")) return unorm_of(x, 255) * 0x01010101u;
  if (!strcmp(name, "pack_snorm4x8")) return (snorm_of(x, 127) & 255) * 0x01010101u;
  if (!strcmp(name, "unpack_unorm8")) return bits_of((float)(w >> 8 & 255) / 255.0f);
  if (!strcmp(name, "unpack_unorm16")) return bits_of((float)(w >> 16) / 65535.0f);
  if (!strcmp(name, "unpack_snorm8")) return snorm_value((int8_t)(w >> 24), 127.0f);
  if (!strcmp(name, "unpack_snorm16")) return snorm_value((int16_t)w, 32767.0f);
  printf("no definition of %s\n", name);
  exit(2);
}

static uint32_t bitfield(const char *name, uint32_t x, uint32_t y) {
  uint32_t offset = y & 63, count = y >> 6 & 63, result = 0;
  if (offset > 32) offset = 32;
  if (count > 32 - offset) count = 32 - offset;
  if (!strcmp(name, "bitfield_insert")) {
    for (uint32_t i = 0; i < 32; i++) {
      uint32_t source = i >= offset && i < offset + count ? ~x >> (i - offset) : x >> i;
      result |= (source & 1) << i;
    }
    return result;
  }
  for (uint32_t i = 0; i < count; i++) result |= (x >> (offset + i) & 1) << i;
  if (!strcmp(name, "bitfield_iextract") && count && result >> (count - 1) & 1)
    for (uint32_t i = count; i < 32; i++) result |= 1u << i;
  return result;
}

static uint32_t expected_binary(const char *name, uint32_t a, uint32_t b) {
  float x = float_of(a), y = float_of(b);
  int32_t i = (int32_t)a, j = (int32_t)b;
  if (!strcmp(name, "add")) return canonical(x + y);
  if (!strcmp(name, "mod")) return canonical(x - y * floorf(x / y));
  if (!strcmp(name, "frem")) return canonical(x - y * truncf(x / y));
  if (!strcmp(name, "min")) return canonical(isnan(x) || y < x ? y : x);
  if (!strcmp(name, "max")) return canonical(isnan(x) || x < y ? y : x);
  if (!strcmp(name, "step")) return bits_of(y < x ? 0.0f : 1.0f);
  if (!strcmp(name, "clamp_unit")) {
    float low = isnan(x) || x < 0 ? 0.0f : x;
    return canonical(y < low ? y : low);
  }
  if (!strcmp(name, "mix_half")) return canonical(x * 0.5f + y * 0.5f);
  if (!strcmp(name, "smoothstep_unit")) {
    float t = y / x;
    t = t > 0 ? t : 0;
    t = t < 1 ? t : 1;
    return bits_of(t * t * (3 - 2 * t));
  }
  if (!strcmp(name, "ldexp")) return canonical(ldexpf(x, j < -1000 ? -1000 : j > 1000 ? 1000 : j));
  if (!strcmp(name, "udiv")) return b ? a / b : 0;
  if (!strcmp(name, "umod")) return b ? a % b : 0;
  if (!strcmp(name, "idiv")) return b == 0 ? 0 : (uint32_t)((int64_t)i / j);
  if (!strcmp(name, "irem")) return b == 0 ? 0 : (uint32_t)((int64_t)i % j);
  if (!strcmp(name, "imod")) return b == 0 ? 0 : (uint32_t)(((int64_t)i % j + j) % j);
  if (!strcmp(name, "umul_high")) return (uint32_t)((uint64_t)a * b >> 32);
  if (!strcmp(name, "imul_high")) return (uint32_t)((uint64_t)((int64_t)i * j) >> 32);
  if (!strcmp(name, "carry")) return a > UINT32_MAX - b;
  if (!strcmp(name, "borrow")) return a < b;
  if (!strcmp(name, "shl")) return a << (b & 31);
  if (!strcmp(name, "shr_logical")) return a >> (b & 31);
  if (!strcmp(name, "shr_arithmetic")) return (uint32_t)(i >> (b & 31));
  if (!strncmp(name, "bitfield", 8)) return bitfield(name, a, b);
  if (!strcmp(name, "pack_unorm2x16")) return unorm_of(x, 65535) | unorm_of(y, 65535) << 16;
  if (!strcmp(name, "pack_snorm2x16")) return (snorm_of(x, 32767) & 0xffff) | snorm_of(y, 32767) << 16;
  if (!strcmp(name, "pack_half2x16")) return float_to_half(x) | float_to_half(y) << 16;
  printf("no definition of %s\n", name);
  exit(2);
}

/// Their factors are rounded constants; the digests pin them.
static int has_exact_definition(const char *name) {
  return !is_measured(name) && strcmp(name, "radians") && strcmp(name, "degrees") && strncmp(name, "sincos", 6);
}

static void check_exact(int binary, int function, const char *name, int count) {
  static float x[BLOCK], y[BLOCK], results[BLOCK];
  int before = failures;
  for (int start = 0; start < count; start += BLOCK) {
    for (int i = 0; i < BLOCK; i++) {
      x[i] = float_of(varied_word(i)), y[i] = float_of(varied_word((int)random_word() & 0xffff));
      if (!strcmp(name, "half_to_float")) x[i] = float_of((uint32_t)(start + i));
      if (!strcmp(name, "ldexp") && i % 2) y[i] = float_of(random_word() % 700 - 350);
    }
    if (binary) etalon_probe_binary(ETALON_PROBE_BASELINE, function, x, y, results, BLOCK);
    else etalon_probe_unary(ETALON_PROBE_BASELINE, function, x, results, BLOCK);
    for (int i = 0; i < BLOCK; i++) {
      uint32_t a = bits_of(x[i]), b = bits_of(y[i]);
      uint32_t expected = binary ? expected_binary(name, a, b) : expected_unary(name, a);
      if (bits_of(results[i]) == expected) continue;
      if (failures++ < before + 5) printf("WRONG %s(%08x, %08x): %08x, expected %08x\n", name, a, b, bits_of(results[i]), expected);
    }
    check_identity(binary, function, x, y, results, BLOCK);
  }
  printf("%-18s %s\n", name, failures == before ? "exact" : "FAILED");
}

void sweep_exact(void) {
  for (int i = 0; i < etalon_probe_unary_count(); i++)
    if (has_exact_definition(etalon_probe_unary_name(i))) check_exact(0, i, etalon_probe_unary_name(i), 1 << 17);
  for (int i = 0; i < etalon_probe_binary_count(); i++)
    if (has_exact_definition(etalon_probe_binary_name(i))) check_exact(1, i, etalon_probe_binary_name(i), 1 << 17);
}
