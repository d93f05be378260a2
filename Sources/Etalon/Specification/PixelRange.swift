/// What the channels of one pixel may be on devices that follow the Vulkan specification.
///
/// **Concurrency**: an immutable value.
package struct PixelRange: Sendable {
  /// Everything from `low` to `high`, and perhaps no number at all.
  package struct Channel: Sendable, Hashable {
    package let low: Double
    package let high: Double
    package let mayBeNaN: Bool

    package init(low: Double, high: Double, mayBeNaN: Bool) { (self.low, self.high, self.mayBeNaN) = (low, high, mayBeNaN) }

    package func contains(_ value: Float) -> Bool { mayBeNaN || (Double(value) >= low && Double(value) <= high) }

    /// The levels that a file may have.
    ///
    /// - Parameter most: 255 or 65535.
    package func levels(most: Double) -> ClosedRange<Int> {
      func level(_ value: Double) -> Int { Int((min(max(value, 0), 1) * most).rounded(.toNearestOrEven)) }
      return mayBeNaN ? 0...Int(most) : level(low)...level(high)
    }
  }

  /// Why devices may disagree by more than the errors of operations, and where that begins.
  package struct Opening: Sendable, Hashable {
    /// `a comparison may go either way`.
    package let words: String
    /// The author's file and line; nil where nobody wrote it.
    package let path: String?
    package let line: Int?

    /// `plasma.glsl:12: a comparison may go either way`.
    package var text: String { path.map { "\($0):\(line ?? 0): \(words)" } ?? words }
  }

  /// The column, and the row from the bottom.
  package let x: Int
  package let y: Int
  /// Red, green, blue and alpha; all numbers where nothing is known.
  package let channels: [Channel]
  /// Nil where the ranges are those of rounding alone.
  package let opening: Opening?
  /// Whether the specification gives no bound on the way, and that of its conformance tests was taken.
  package let isBeyondSpecification: Bool
  /// Whether nothing is known, because an operation has no known range or takes too long.
  package let isUnknown: Bool
}
