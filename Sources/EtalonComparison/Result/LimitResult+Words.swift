extension LimitResult {
  /// The value with its unit, in as many digits as show on which side of the limit it is.
  public var describedValue: String { Words.quantity(valueText, unit) }

  /// `at most 2 levels`, for the level of a verdict; the other one when there is none.
  public func describedLimit(_ verdict: ComparisonVerdict) -> String {
    (isMinimum ? "at least " : "at most ") + Words.quantity(Self.exactText(level(of: verdict)), unit)
  }

  /// `channel is 3 levels, and may be 2`: what was measured, and what it may be.
  package var words: String {
    "\(key) is \(describedValue), and may be \(isMinimum ? "no less than " : "")\(Self.exactText(level(of: verdict)))"
  }

  private func level(of verdict: ComparisonVerdict) -> Double { (verdict == .warn ? warn ?? fail : fail ?? warn) ?? 0 }

  private var valueText: String {
    let level = level(of: verdict)
    // What is beyond a limit must not read as if it were on it.
    func isBeyond(_ value: Double) -> Bool { isMinimum ? value < level : value > level }
    let texts = (4...17).lazy.map { PlainNumber.text(value, digits: $0) }
    return texts.first { isBeyond(Double($0) ?? value) == isBeyond(value) } ?? PlainNumber.text(value)
  }

  /// A limit as somebody wrote it.
  private static func exactText(_ level: Double) -> String { PlainNumber.text(level, digits: 9) }
}
