/// How large some tokens become once their macros are expanded.
///
/// Numbers saturate, so that a macro that doubles itself forty times is only very large.
package struct ExpansionMeasure: Sendable, Hashable {
  package static let largest = 1 << 40

  package var tokens = 0
  /// Operators that join operands into one expression.
  package var operators = 0

  package init(tokens: Int = 0, operators: Int = 0) {
    self.tokens = min(tokens, Self.largest)
    self.operators = min(operators, Self.largest)
  }

  static func + (a: Self, b: Self) -> Self {
    Self(tokens: a.tokens + b.tokens, operators: a.operators + b.operators)
  }

  static func * (count: Int, measure: Self) -> Self {
    Self(tokens: product(count, measure.tokens), operators: product(count, measure.operators))
  }

  private static func product(_ a: Int, _ b: Int) -> Int {
    let (value, overflows) = a.multipliedReportingOverflow(by: b)
    return overflows ? largest : min(value, largest)
  }

  /// The larger of both in every respect.
  static func larger(_ a: Self, _ b: Self) -> Self {
    Self(tokens: max(a.tokens, b.tokens), operators: max(a.operators, b.operators))
  }
}

/// The size of an expanded text as a function of the sizes of macro arguments: a constant and how often each argument occurs.
struct ExpansionForm {
  var constant = ExpansionMeasure()
  /// One for each parameter of the macro that the text belongs to.
  var occurrences: [Int]

  init(parameterCount: Int) { occurrences = Array(repeating: 0, count: parameterCount) }

  mutating func add(_ other: ExpansionForm, times count: Int = 1) {
    constant = constant + count * other.constant
    for (index, occurrence) in other.occurrences.enumerated() {
      let (value, overflows) = occurrence.multipliedReportingOverflow(by: count)
      occurrences[index] = min(overflows ? .max : value, ExpansionMeasure.largest) + occurrences[index]
      occurrences[index] = min(occurrences[index], ExpansionMeasure.largest)
    }
  }
}
