import EtalonRegression

/// What was tried of filters without cases, in one line.
struct LawText {
  private let results: [CaseResult]

  init(_ results: [CaseResult]) { self.results = results }

  /// `they render the same twice, and these laws hold: optimization, defaults (2 of 3); not tried: fusion (a single pass is not joined with others)`.
  var line: String {
    let laws = results.flatMap { $0.laws ?? [] }
    let names = laws.map(\.law).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    let holding = names.compactMap { name in
      let count = laws.count { $0.law == name && $0.outcome == .holds }
      return count == 0 ? nil : count == results.count ? name : "\(name) (\(count) of \(results.count))"
    }
    let open = names.compactMap { name in
      let reasons = Set(laws.filter { $0.law == name }.compactMap(\.reason)).sorted()
      return reasons.isEmpty ? nil : "\(name) (\(reasons.joined(separator: ", or ")))"
    }
    let rest = open.isEmpty ? "" : "; not tried: \(open.joined(separator: ", "))"
    let subject = results.count == 1 ? "it renders" : "they render"
    return "\(subject) the same twice, and the laws that hold are \(holding.joined(separator: ", "))\(rest)"
  }
}
