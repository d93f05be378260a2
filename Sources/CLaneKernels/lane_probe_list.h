// The functions that lane_probe.h offers, by name, with the expression that computes each for vectors x and y of floats.
// The expressions are expanded where lane_math.inc is included; the names everywhere.

/// Plain arithmetic: the probe makes NaN canonical, as a store does.
#define LANE_PROBE_UNARY(F) \
  F(sqrt, lane_sqrt(x)) \
  F(inversesqrt, lane_inversesqrt(x)) \
  F(floor, lane_floor(x)) \
  F(ceil, lane_ceil(x)) \
  F(trunc, lane_trunc(x)) \
  F(roundeven, lane_roundeven(x)) \
  F(fract, lane_fract(x)) \
  F(modf_fraction, lane_modf(x).fraction) \
  F(sign, lane_sign(x)) \
  F(sincos_sine, lane_sincos(x).sine) \
  F(sincos_cosine, lane_sincos(x).cosine) \
  F(frexp_significand, lane_frexp(x).significand) \
  F(radians, lane_radians(x)) \
  F(degrees, lane_degrees(x))

/// The elementary functions, which make NaN canonical themselves, and functions whose results or operands are integers.
#define LANE_PROBE_UNARY_BITS(F) \
  F(sin, lane_sin(x)) \
  F(cos, lane_cos(x)) \
  F(tan, lane_tan(x)) \
  F(asin, lane_asin(x)) \
  F(acos, lane_acos(x)) \
  F(atan, lane_atan(x)) \
  F(sinh, lane_sinh(x)) \
  F(cosh, lane_cosh(x)) \
  F(tanh, lane_tanh(x)) \
  F(asinh, lane_asinh(x)) \
  F(acosh, lane_acosh(x)) \
  F(atanh, lane_atanh(x)) \
  F(exp, lane_exp(x)) \
  F(exp2, lane_exp2(x)) \
  F(log, lane_log(x)) \
  F(log2, lane_log2(x)) \
  F(f2i, lane_f2i(x)) \
  F(f2u, lane_f2u(x)) \
  F(i2f, lane_i2f((vi)x)) \
  F(u2f, lane_u2f((vu)x)) \
  F(frexp_exponent, lane_frexp(x).exponent) \
  F(float_to_half, lane_float_to_half(x)) \
  F(half_to_float, lane_half_to_float((vu)x)) \
  F(iabs, lane_iabs((vi)x)) \
  F(isign, lane_isign((vi)x)) \
  F(bit_reverse, lane_bit_reverse((vu)x)) \
  F(bit_count, lane_bit_count((vu)x)) \
  F(find_lsb, lane_find_lsb((vu)x)) \
  F(find_umsb, lane_find_umsb((vu)x)) \
  F(find_imsb, lane_find_imsb((vi)x)) \
  F(pack_unorm4x8, lane_pack_unorm4x8(x, x, x, x)) \
  F(pack_snorm4x8, lane_pack_snorm4x8(x, x, x, x)) \
  F(unpack_unorm8, lane_unpack_unorm8((vu)x, 1)) \
  F(unpack_snorm8, lane_unpack_snorm8((vu)x, 3)) \
  F(unpack_unorm16, lane_unpack_unorm16((vu)x, 1)) \
  F(unpack_snorm16, lane_unpack_snorm16((vu)x, 0))

#define LANE_PROBE_BINARY(F) \
  F(add, x + y) \
  F(mod, lane_mod(x, y)) \
  F(frem, lane_frem(x, y)) \
  F(min, lane_min(x, y)) \
  F(max, lane_max(x, y)) \
  F(step, lane_step(x, y)) \
  F(clamp_unit, lane_clamp(x, lane_splat(0.0f), y)) \
  F(mix_half, lane_mix(x, y, lane_splat(0.5f))) \
  F(smoothstep_unit, lane_smoothstep(lane_splat(0.0f), x, y)) \
  F(ldexp, lane_ldexp(x, (vi)y))

#define LANE_PROBE_BINARY_BITS(F) \
  F(pow, lane_pow(x, y)) \
  F(atan2, lane_atan2(x, y)) \
  F(udiv, lane_udiv((vu)x, (vu)y)) \
  F(umod, lane_umod((vu)x, (vu)y)) \
  F(idiv, lane_idiv((vi)x, (vi)y)) \
  F(irem, lane_irem((vi)x, (vi)y)) \
  F(imod, lane_imod((vi)x, (vi)y)) \
  F(umul_high, lane_umul_high((vu)x, (vu)y)) \
  F(imul_high, lane_imul_high((vi)x, (vi)y)) \
  F(carry, lane_carry((vu)x, (vu)y)) \
  F(borrow, lane_borrow((vu)x, (vu)y)) \
  F(shl, lane_shl((vu)x, (vu)y)) \
  F(shr_logical, lane_shr_logical((vu)x, (vu)y)) \
  F(shr_arithmetic, lane_shr_arithmetic((vi)x, (vu)y)) \
  F(bitfield_uextract, lane_bitfield_uextract((vu)x, (vu)y & 63u, ((vu)y >> 6u) & 63u)) \
  F(bitfield_iextract, lane_bitfield_iextract((vi)x, (vu)y & 63u, ((vu)y >> 6u) & 63u)) \
  F(bitfield_insert, lane_bitfield_insert((vu)x, ~(vu)x, (vu)y & 63u, ((vu)y >> 6u) & 63u)) \
  F(pack_unorm2x16, lane_pack_unorm2x16(x, y)) \
  F(pack_snorm2x16, lane_pack_snorm2x16(x, y)) \
  F(pack_half2x16, lane_pack_half2x16(x, y))
