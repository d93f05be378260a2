/// What became of all inputs of a run.
struct InputTally: Sendable {
  struct Counts: Sendable {
    var ran = 0
    var stopped = 0
    var refused = 0
    var defects = 0
    var missing = 0
    /// How often each reason was given.
    var reasons: [String: Int] = [:]

    var total: Int { ran + stopped + refused + defects }
    var acceptedShare: Double { total == 0 ? 0 : Double(total - refused) / Double(total) }
  }

  /// A kind tests nothing where fewer, or more, of its inputs are accepted.
  static let usefulShares = 0.2...0.9
  /// Of fewer inputs no share is worth telling.
  static let fewest = 40

  private(set) var kinds: [InputKind: Counts] = [:]
  /// Defects that look alike, with the first of each.
  private(set) var defects: [String: (count: Int, first: String)] = [:]

  mutating func add(_ kind: InputKind, _ outcome: InputOutcome?) {
    switch outcome {
    case nil: kinds[kind, default: Counts()].missing += 1
    case .ran: kinds[kind, default: Counts()].ran += 1
    case .stopped: kinds[kind, default: Counts()].stopped += 1
    case .refused(let reason):
      kinds[kind, default: Counts()].refused += 1
      kinds[kind, default: Counts()].reasons[reason, default: 0] += 1
    case .defect: kinds[kind, default: Counts()].defects += 1
    }
  }

  /// - Parameter signature: what defects of one cause have in common.
  mutating func addDefect(_ signature: String, at place: String) { defects[signature, default: (0, place)].count += 1 }

  var defectCount: Int { kinds.values.reduce(0) { $0 + $1.defects } }

  /// The kinds of which too few or too many inputs are accepted to find anything.
  var idleKinds: [InputKind] {
    InputKind.allCases.filter { kind in
      guard let counts = kinds[kind] else { return false }
      return counts.total >= Self.fewest && !Self.usefulShares.contains(counts.acceptedShare) || counts.missing > 0
    }
  }

  func text(withRefusals: Bool) -> String {
    func cell(_ text: String, _ width: Int) -> String { String(repeating: " ", count: max(0, width - text.count)) + text }
    var lines = ["kind         refused     ran stopped defects accepted"]
    for kind in InputKind.allCases {
      guard let counts = kinds[kind] else { continue }
      let share = "\(Int((counts.acceptedShare * 100).rounded())) %"
      lines.append(
        kind.rawValue + String(repeating: " ", count: 12 - kind.rawValue.count)
          + [counts.refused, counts.ran, counts.stopped, counts.defects].map { cell("\($0)", 8) }.joined() + cell(share, 9))
      guard withRefusals else { continue }
      for (reason, count) in counts.reasons.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }).prefix(12) {
        lines.append("             \(cell("\(count)", 7))  \(reason.prefix(120))")
      }
    }
    for kind in idleKinds {
      let share =
        kinds[kind].map { $0.missing > 0 ? "there is nothing to damage" : "\(Int(($0.acceptedShare * 100).rounded())) % are accepted" }
        ?? ""
      lines.append("a mistake of the fuzzer: '\(kind.rawValue)' tests nothing, \(share)")
    }
    for (signature, defect) in defects.sorted(by: { ($1.value.count, $0.key) < ($0.value.count, $1.key) }) {
      lines.append("defect: \(signature)\n  \(defect.count) times, first kept in \(defect.first)")
    }
    return lines.joined(separator: "\n")
  }
}
