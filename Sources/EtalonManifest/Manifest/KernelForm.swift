/// What the function of a pass computes, which tells how passes can be joined and which part of a picture they need.
package enum KernelForm: String, Sendable, Hashable, CaseIterable {
  /// A color from the colors of the inputs at the same place.
  case color
  /// The position at which the input is read.
  case warp
  /// A color from anything around a position.
  case image
  /// Whatever it stores by itself.
  case compute
}

/// How far from its own position a pass reads its inputs.
package enum KernelReach: Sendable, Hashable {
  /// Anywhere.
  case everywhere
  /// So many pixels to the left and right, and up and down.
  case pixels(x: ExpressionText, y: ExpressionText)

  /// Nowhere but at the position itself.
  package static let none = KernelReach.pixels(x: ExpressionText("0", place: nil), y: ExpressionText("0", place: nil))
}
