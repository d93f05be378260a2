import Foundation

/// Numbers as people read them.
package enum PlainNumber {
  /// Up to some significant digits and all that are whole, without trailing zeros: `3`, `0.25`, `0.0001234`, `3.403e+38`, `inf`.
  package static func text(_ value: Double, digits: Int = 4) -> String {
    if value.isNaN { return "nan" }
    if value.isInfinite { return value < 0 ? "-inf" : "inf" }
    if value == value.rounded(), abs(value) < 1e15 { return String(format: "%.0f", value == 0 ? 0 : value) }
    let magnitude = Int(log10(abs(value)).rounded(.down))
    if magnitude < -6 || magnitude > 15 { return String(format: "%.\(digits - 1)e", value) }
    var text = String(format: "%.\(max(1, digits - 1 - magnitude))f", value)
    while text.contains("."), text.hasSuffix("0") || text.hasSuffix(".") { text.removeLast() }
    return text
  }
}

extension PlainNumber {
  /// The decimal logarithm.
  static func logarithm(_ value: Double) -> Double { log10(value) }

  /// A power of ten.
  static func power(of10 exponent: Int) -> Double { pow(10, Double(exponent)) }

  /// A power of two.
  static func power(of2 exponent: Int) -> Double { exp2(Double(exponent)) }
}
