/// What the result of a filter covers, beside which it is transparent.
package enum ResultExtent: Sendable, Hashable {
  /// As much as the input.
  case input
  /// The input and what is within the filter's reach around it.
  case grown
  /// Everything, so that whoever asks for a part gets all of it.
  case infinite
  /// What any of the inputs covers.
  case union
  /// A rectangle in pixels: the lower left corner and the size.
  case rectangle(x: ExpressionText, y: ExpressionText, width: ExpressionText, height: ExpressionText)

  /// What filters of a kind cover unless they say otherwise.
  package init(of kind: FilterManifest.Kind) {
    self =
      switch kind {
      case .generator: .infinite
      case .filter: .input
      case .composite, .transition: .union
      }
  }
}
