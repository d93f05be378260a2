/// How many filters of each dialect got which verdict.
package struct SurveySummary: Sendable, Hashable {
  private var counts: [String: [SurveyVerdict: Int]] = [:]

  /// What files count as whose dialect nobody could tell.
  static let unknown = "unknown"

  package init() {}

  package mutating func add(_ record: SurveyRecord) {
    counts[record.dialect ?? Self.unknown, default: [:]][record.verdict ?? .failed, default: 0] += 1
  }

  package var dialects: [String] { counts.keys.sorted() }
  /// The verdicts that occur, the best first.
  package var verdicts: [SurveyVerdict] { SurveyVerdict.allCases.filter { count(of: $0) > 0 } }

  /// How many filters of a dialect, or of all, have a verdict.
  package func count(of verdict: SurveyVerdict, dialect: String? = nil) -> Int {
    counts.filter { dialect == nil || $0.key == dialect }.reduce(0) { $0 + ($1.value[verdict] ?? 0) }
  }

  /// How many filters of a dialect, or of all, there are.
  package func count(dialect: String? = nil) -> Int {
    SurveyVerdict.allCases.reduce(0) { $0 + count(of: $1, dialect: dialect) }
  }

  /// How many have no excuse.
  package var failureCount: Int { SurveyVerdict.allCases.filter(\.isFailure).reduce(0) { $0 + count(of: $1) } }

  /// The rows of a table: a head, a row for each dialect, and one for all where there are several.
  package var rows: [[String]] {
    let head = ["dialect", "filters"] + verdicts.map(\.rawValue)
    let body = dialects.map { row($0, $0) } + (dialects.count > 1 ? [row("all", nil)] : [])
    return [head] + body
  }

  private func row(_ title: String, _ dialect: String?) -> [String] {
    let all = count(dialect: dialect)
    return [title, "\(all)"]
      + verdicts.map { verdict in
        let number = count(of: verdict, dialect: dialect)
        return number == 0 ? "-" : "\(number) (\(Percentage(of: number, in: all)))"
      }
  }
}

/// A share in percent with one digit behind the point: `98.5 %`.
package struct Percentage: CustomStringConvertible {
  private let tenths: Int

  package init(of part: Int, in all: Int) { tenths = all == 0 ? 0 : (part * 1000 + all / 2) / all }

  package init(_ share: Double) { tenths = Int((share * 1000).rounded()) }

  package var description: String { tenths % 10 == 0 ? "\(tenths / 10) %" : "\(tenths / 10).\(tenths % 10) %" }
}
