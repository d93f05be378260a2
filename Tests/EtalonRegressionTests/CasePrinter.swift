import EtalonComparison
import EtalonGraph
import EtalonMedia
import EtalonRegression
import EtalonTypes
import Foundation
import Testing

/// Cases as text that is easy to compare.
enum CasePrinter {
  static func text(_ testCase: TestCase) -> String {
    var lines = ["\(testCase.id)  \(subject(testCase.subject))"]
    lines.append("  at \(testCase.moments.map(moment).joined(separator: ", "))" + (testCase.size.map { ", \($0)" } ?? ""))
    if let clock = testCase.clock { lines.append("  rate \(clock.rate), first \(clock.first)") }
    if testCase.condition != .always { lines.append("  when \(testCase.condition.text)") }
    lines += reference(testCase.reference)
    for rule in testCase.tolerances.rules { lines.append("  tolerance (\(rule.condition.text)) \(json(rule.tolerance))") }
    for invariant in testCase.invariants {
      let period = invariant.period.map { " of \($0) s" } ?? ""
      let rules = (invariant.tolerances?.rules ?? []).map { " \(json($0.tolerance))" }.joined()
      lines.append("  invariant \(invariant.kind.rawValue)\(period)\(rules)")
    }
    if let expected = testCase.expectation {
      lines.append(
        "  expect \(expected.verdict.rawValue) (\(expected.condition.text)): \(expected.reason), \(expected.link), until \(expected.expires ?? "-")"
      )
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func subject(_ subject: TestCase.Subject) -> String {
    switch subject {
    case .node(let node): "filter \(node.filter.text) \(inputs(node.inputs)) \(values(node.settings))"
    case .document(let word, let inputs, let settings): "graph \(word.text) \(self.inputs(inputs)) \(values(settings))"
    case .plain(let path): "plain \(path)"
    }
  }

  private static func inputs(_ inputs: [GraphText.Input]) -> String {
    inputs.map { input in
      guard case .file(let word, _) = input.origin else { return "?" }
      return "\(input.name?.text ?? "-")<-\(word.text)"
    }.joined(separator: " ")
  }

  private static func values(_ settings: [GraphText.Setting]) -> String {
    settings.map { "\($0.name.text)=\($0.value.list ?? "…")" }.joined(separator: " ")
  }

  private static func moment(_ moment: TestCase.Moment) -> String {
    switch moment {
    case .first: "first"
    case .frame(let frame): "\(frame)"
    case .time(let time): "\(time)s"
    }
  }

  private static func reference(_ rule: ReferenceRule) -> [String] {
    switch rule {
    case .pictures(let pictures): pictures.map { "  reference \($0.pattern)" }
    case .device(let word): ["  reference on \(word.text)"]
    case .none: []
    }
  }

  private static func json(_ tolerance: Tolerance) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    return (try? encoder.encode(tolerance)).map { String(decoding: $0, as: UTF8.self) } ?? "?"
  }
}

extension TestCase: CustomTestStringConvertible {
  /// What a person would type.
  public var testDescription: String { id }
}
