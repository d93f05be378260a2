extension Int {
  /// The nearest whole number: the largest or the smallest where the number lies beyond those, and zero where it is no number.
  package init(saturating value: Double) {
    let rounded = value.rounded()
    self = Int(exactly: rounded) ?? (rounded.isNaN ? 0 : rounded < 0 ? .min : .max)
  }
}
