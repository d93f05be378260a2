import Foundation

/// Writes floating-point numbers as the assembly language has them: decimal if that is exact to read back, else hexadecimal.
enum FloatText {
  /// The text of the bits of a number of 16, 32 or 64 bits.
  static func text(_ bits: UInt64, width: Int) -> String {
    switch width {
    case 32:
      let value = Float(bitPattern: UInt32(truncatingIfNeeded: bits))
      return value.isNormal || value.isZero ? String(format: "%.9g", Double(value)) : hexadecimal(bits, exponentBits: 8, fractionBits: 23)
    case 64:
      let value = Double(bitPattern: bits)
      return value.isNormal || value.isZero ? String(format: "%.17g", value) : hexadecimal(bits, exponentBits: 11, fractionBits: 52)
    default: return hexadecimal(bits, exponentBits: 5, fractionBits: 10)
    }
  }

  private static func hexadecimal(_ bits: UInt64, exponentBits: UInt64, fractionBits: UInt64) -> String {
    let bias = (Int(1) << (exponentBits - 1)) - 1
    let sign = bits >> (exponentBits + fractionBits) & 1 == 1 ? "-" : ""
    var exponent = Int(bits >> fractionBits & (1 << exponentBits - 1)) - bias
    var fraction = bits & (1 << fractionBits - 1)
    if exponent == -bias, fraction == 0 { return sign + "0x0p+0" }
    if exponent == -bias {
      exponent += 1
      while fraction >> fractionBits == 0 {
        fraction <<= 1
        exponent -= 1
      }
      fraction &= 1 << fractionBits - 1
    }
    let digits = digits(of: fraction, bits: fractionBits)
    return "\(sign)0x1\(digits.isEmpty ? "" : "." + digits)p\(exponent < 0 ? "" : "+")\(exponent)"
  }

  /// The fraction in hexadecimal, without zeros at its end.
  private static func digits(of fraction: UInt64, bits: UInt64) -> String {
    let count = (bits + 3) / 4
    let aligned = fraction << (count * 4 - bits)
    var text = String(aligned, radix: 16)
    text = String(repeating: "0", count: Int(count) - text.count) + text
    while text.last == "0" { text.removeLast() }
    return text
  }
}
