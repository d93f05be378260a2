/// Numbers at which readers and arithmetic go wrong: around zero, around the ends of number formats, and far beyond.
enum HostileNumbers {
  /// Whole numbers as a shader has them.
  static let integers = [
    "0", "-1", "1", "2", "7", "31", "32", "33", "255", "256", "65535", "65536", "1000000000", "2147483647", "2147483648",
    "(-2147483647 - 1)",
    "0x7fffffff", "4294967295u", "4294967297", "9223372036854775808", "(1 / 0)", "(1 % 0)",
  ]
  /// Numbers with a fraction as a shader has them.
  static let fractions = [
    "0.0", "-1.0", "0.5", "1.0", "-0.0", "1e9", "2147483648.0", "4294967297.0", "9223372036854775808.0", "1e38", "3.4028235e38", "1e400",
    "1e-50", "1e-38", "16777217.0", "(0.0 / 0.0)", "(1.0 / 0.0)", "(-1.0 / 0.0)", "nan",
  ]
  /// Numbers as documents and tables have them.
  static let plain = [
    "0", "-1", "1", "0.5", "-0", "1e9", "2147483647", "2147483648", "4294967295", "4294967297", "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808", "18446744073709551616", "1e400", "-1e400", "nan", "inf", "1e-50", "1e308", "1/0", "0/1", "3/2", "24000/1001",
    "9223372036854775807/2", "1/9223372036854775807", "0x10", "1_000", "٣",
  ]
  /// Numbers that JSON knows.
  static let json = [
    "0", "-1", "1", "0.5", "-0", "1e9", "2147483647", "2147483648", "4294967297", "9223372036854775807", "9223372036854775808", "1e400",
    "-1e400", "1e-50", "1e308", "-1e30", "0.1e1", "16777217",
  ]
  /// Fields of 16 bits.
  static let words16: [UInt16] = [0, 1, 2, 3, 8, 16, 24, 32, 64, 255, 256, 0x7FFF, 0x8000, 0xFFFE, 0xFFFF]
  /// Fields of 32 bits.
  static let words32: [UInt32] = [
    0, 1, 2, 7, 16, 255, 256, 65535, 65536, 0x00FF_FFFF, 0x0100_0000, 0x3FFF_FFFF, 0x4000_0000, 0x7FFF_FFF0, 0x7FFF_FFFF, 0x8000_0000,
    0x8000_0001, 0xFFFF_FFF0, 0xFFFF_FFFC, 0xFFFF_FFFE, 0xFFFF_FFFF, 0x7FC0_0000, 0x7F80_0000,
  ]
}
