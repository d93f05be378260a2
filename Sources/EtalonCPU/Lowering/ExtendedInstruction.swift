/// The instructions of the set GLSL.std.450, by their numbers.
enum ExtendedInstruction: UInt32, CaseIterable {
  case round = 1, roundEven, trunc, fAbs, sAbs, fSign, sSign, floor, ceil, fract, radians, degrees, sin, cos, tan, asin, acos, atan, sinh
  case cosh, tanh, asinh, acosh, atanh, atan2, pow, exp, log, exp2, log2, sqrt, inverseSqrt, determinant, matrixInverse, modf, modfStruct
  case fMin, uMin, sMin, fMax, uMax, sMax, fClamp, uClamp, sClamp, fMix
  case step = 48, smoothStep, fma, frexp, frexpStruct, ldexp, packSnorm4x8, packUnorm4x8, packSnorm2x16, packUnorm2x16, packHalf2x16
  case unpackSnorm2x16 = 60, unpackUnorm2x16, unpackHalf2x16, unpackSnorm4x8, unpackUnorm4x8
  case length = 66, distance, cross, normalize, faceForward, reflect, refract, findILsb, findSMsb, findUMsb
  case nMin = 79, nMax, nClamp
}
