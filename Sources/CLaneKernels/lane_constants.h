// The constants of the hot elementary functions, by name.
//
// AVX2 has no instruction that takes a scalar operand for all lanes: the compiler loads each constant with an instruction of
// its own. Whole vectors in memory are operands of the arithmetic itself, which makes sin 15 % faster. Other instruction sets
// take the values as literals.

#ifndef LANE_CONSTANTS_H
#define LANE_CONSTANTS_H

// rounder, 1.5 2^23 (1.5 2^52), leaves the nearest integer to x in the low bits of x + rounder; pi_1... are pi in pieces of at
// most 12 bits, and small_angle the largest angle that they reduce. Numbered coefficients: Tests/Oracle/minimax.py.

#define LANE_FLOAT_CONSTANTS(K) \
  K(rounder, 0x1.8p23f) K(one, 1.0f) K(half, 0.5f) K(smallest_normal, 0x1p-126f) K(largest, 0x1.fffffep127f) \
  K(inverse_pi, 0x1.45f306p-2f) K(pi_1, 0x1.922p+1f) K(pi_2, -0x1.28p-17f) K(pi_3, -0x1.778p-24f) \
  K(pi_4, 0x1.68c234p-38f) K(half_pi_1, 0x1.922p+0f) K(small_angle, 0x1p13f) \
  K(sin_0, -0x1.555544p-3f) K(sin_1, 0x1.110dcep-7f) K(sin_2, -0x1.9f465ap-13f) K(sin_3, 0x1.5babccp-19f) \
  K(log2_e, 0x1.715476p0f) K(ln2_high, 0x1.62e4p-1f) K(ln2_low, 0x1.7f7d1cp-20f) \
  K(exp_limit, 86.0f) K(exp_0, 0x1.fffffcp-2f) K(exp_1, 0x1.55548cp-3f) K(exp_2, 0x1.55585ap-5f) \
  K(exp_3, 0x1.123d5cp-7f) K(exp_4, 0x1.6ab6b6p-10f) \
  K(exp2_limit, 125.0f) K(exp2_0, 0x1.62e430p-1f) K(exp2_1, 0x1.ebfbe4p-3f) K(exp2_2, 0x1.c6afd2p-5f) \
  K(exp2_3, 0x1.3b29d8p-7f) K(exp2_4, 0x1.5ebfaap-10f) K(exp2_5, 0x1.416458p-13f) \
  K(log_0, 0x1.555554p-2f) K(log_1, -0x1.000228p-2f) K(log_2, 0x1.99a036p-3f) K(log_3, -0x1.547226p-3f) \
  K(log_4, 0x1.22d5dep-3f) K(log_5, -0x1.0d8194p-3f) K(log_6, 0x1.0576f8p-3f) K(log_7, -0x1.390e88p-4f) \
  K(atan_0, -0x1.5554dcp-2f) K(atan_1, 0x1.9978ecp-3f) K(atan_2, -0x1.230a9cp-3f) K(atan_3, 0x1.b4df40p-4f) \
  K(atan_4, -0x1.3552c4p-4f) K(atan_5, 0x1.61f4e6p-5f) K(atan_6, -0x1.0c2180p-6f) K(atan_7, 0x1.7ebdd4p-9f)

#define LANE_DOUBLE_CONSTANTS(K) \
  K(rounder, 0x1.8p52) K(two, 2.0) K(log2_0, 0x1.71547652baaf2p+1) K(log2_1, 0x1.ec709d31761a5p-1) \
  K(log2_2, 0x1.2777711b20c4ep-1) K(log2_3, 0x1.a592ca5c737e8p-2) K(log2_4, 0x1.5c98f6320991fp-2)

#define LANE_CONSTANT_NUMBER(name, value) lane_float_##name,
enum { LANE_FLOAT_CONSTANTS(LANE_CONSTANT_NUMBER) LANE_FLOAT_CONSTANT_COUNT };
#undef LANE_CONSTANT_NUMBER
#define LANE_CONSTANT_NUMBER(name, value) lane_double_##name,
enum { LANE_DOUBLE_CONSTANTS(LANE_CONSTANT_NUMBER) LANE_DOUBLE_CONSTANT_COUNT };
#undef LANE_CONSTANT_NUMBER

/// Each constant as often as a vector of 8 lanes holds it.
extern const float lane_float_constants[][8] __attribute__((visibility("hidden"), aligned(64)));
extern const double lane_double_constants[][8] __attribute__((visibility("hidden"), aligned(64)));

/// The values of the bytes of an unsigned normalized format.
extern const float lane_unorm8[256] __attribute__((visibility("hidden"), aligned(64)));

#endif
