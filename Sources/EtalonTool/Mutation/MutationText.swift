import EtalonRegression
import EtalonTypes

/// What became of mutants as text for people: those that nobody noticed, and then tables by kind and by file.
struct MutationText {
  private let results: MutationResults

  init(_ results: MutationResults) { self.results = results }

  var text: String {
    var lines = results.survivors.flatMap(Self.lines)
    if !lines.isEmpty { lines.append("") }
    lines += table("kind", results.byKind.map { ($0.kind.rawValue, $0.counts) }) + [""]
    lines += table("file", results.byFile.map { ($0.path.onOneLine, $0.counts) }) + [""]
    lines.append(summary)
    return lines.map { $0 + "\n" }.joined()
  }

  /// A mutant as a change of one line.
  static func diff(_ mutant: Mutant) -> [String] {
    ["\(mutant.place.onOneLine): \(mutant.kind.rawValue)", "  - \(mutant.before.onOneLine)", "  + \(mutant.after.onOneLine)"]
  }

  private static func lines(_ result: MutantResult) -> [String] {
    guard let change = result.change else { return diff(result.mutant) }
    let levels = change.levels == change.levels.rounded() ? "\(Int(change.levels))" : "\((change.levels * 100).rounded() / 100)"
    return ["survived  \(diff(result.mutant)[0])"] + diff(result.mutant).dropFirst()
      + [
        "    changes \(change.pixels.of("pixel")) by up to \(levels) level\(levels == "1" ? "" : "s") at \(change.moment): \(change.look.onOneLine)"
      ]
  }

  private func table(_ title: String, _ rows: [(name: String, counts: MutationResults.Counts)]) -> [String] {
    var table = TextTable()
    table.add([title, "mutants", "refused", "equivalent", "noticed", "survived", "share"])
    for (name, counts) in rows + [("all", results.counts)] {
      let numbers = [counts.mutants, counts.refused, counts.equivalent, counts.noticed, counts.survived]
      table.add([name] + numbers.map { "\($0)" } + [Self.percent(counts.share)])
    }
    return table.lines(indent: 0)
  }

  private var summary: String {
    let counts = results.counts
    guard let share = counts.share else {
      return
        "\(counts.mutants.of("mutant")), seed \(results.seed): none of them shows, so that nothing is known about the cases; try more with --count, "
        + "and see whether the cases bear everything"
    }
    return "\(counts.mutants) of \(results.possible.of("mutant")), seed \(results.seed): "
      + "\(counts.noticed) of the \(counts.noticed + counts.survived) that show are noticed, \(Self.percent(share))"
  }

  /// With one decimal, rounded down, so that 100 % is all of them.
  private static func percent(_ share: Double?) -> String { share.map { "\(($0 * 1000).rounded(.down) / 10) %" } ?? "–" }
}
