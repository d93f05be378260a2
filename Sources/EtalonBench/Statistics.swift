import Foundation

extension [Double] {
  /// The root of the product; NaN of nothing.
  var geometricMean: Double { exp(map { log($0) }.reduce(0, +) / Double(count)) }

  /// The middle of the sorted numbers; NaN of nothing.
  var median: Double {
    guard !isEmpty else { return .nan }
    let sorted = sorted()
    return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
  }
}

/// Prints figures beside what they have to reach, and remembers whether all did.
struct Verdict {
  private(set) var passes = true

  mutating func check(_ what: String, _ value: Double, atMost limit: Double, unit: String = " ×") {
    report(what, value, value <= limit, "at most", limit, unit)
  }

  mutating func check(_ what: String, _ value: Double, atLeast limit: Double, unit: String = " ×") {
    report(what, value, value >= limit, "at least", limit, unit)
  }

  private mutating func report(_ what: String, _ value: Double, _ isGood: Bool, _ relation: String, _ limit: Double, _ unit: String) {
    passes = passes && isGood
    let figure = String(format: "%.2f", value), bar = String(format: "%.2f", limit)
    print("  \(isGood ? "pass" : "FAIL")  \(what): \(figure)\(unit), \(relation) \(bar)\(unit)")
  }
}
