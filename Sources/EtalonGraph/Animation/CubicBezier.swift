internal import EtalonManifest
internal import EtalonTypes

/// An easing drawn with two handles: the cubic Bézier curve from (0, 0) to (1, 1), time along x, progress along y.
package struct CubicBezier: Sendable, Hashable, CustomStringConvertible {
  package let x1: Double
  package let y1: Double
  package let x2: Double
  package let y2: Double

  /// Handles whose time lies between 0 and 1, so that there is one progress for every time; nil otherwise.
  package init?(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) {
    guard (0...1).contains(x1), (0...1).contains(x2), y1.isFinite, y2.isFinite else { return nil }
    (self.x1, self.y1, self.x2, self.y2) = (x1, y1, x2, y2)
  }

  /// Reads `cubic-bezier(0.2, 0, 0.8, 1)`, or the four numbers alone.
  init?(_ text: String) {
    let isCall = text.hasPrefix("cubic-bezier(") && text.hasSuffix(")")
    let numbers = isCall ? text.dropFirst(13).dropLast() : text[...]
    guard numbers.utf8.count(where: { $0 == UInt8(ascii: ",") }) == 3, let four = ValueText.value(String(numbers), as: .vec4) else {
      return nil
    }
    self.init(four.components[0], four.components[1], four.components[2], four.components[3])
  }

  package var description: String { "cubic-bezier(\(ValueConversion.plainText(Value(.vec4, [x1, y1, x2, y2]))))" }

  /// The progress at a time between 0 and 1.
  func y(at x: Double) -> Double {
    var low = 0.0
    var high = 1.0
    // Halving gives one bit a step, and always the same ones.
    for _ in 0..<53 {
      let middle = (low + high) / 2
      if Self.curve(x1, x2, middle) < x { low = middle } else { high = middle }
    }
    return Self.curve(y1, y2, (low + high) / 2)
  }

  private static func curve(_ first: Double, _ second: Double, _ t: Double) -> Double {
    let rest = 1 - t
    return 3 * rest * rest * t * first + 3 * rest * t * t * second + t * t * t
  }
}
