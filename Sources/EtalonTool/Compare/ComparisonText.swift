import EtalonComparison
import EtalonMedia
import EtalonTypes

/// What `etalon compare` prints for people.
struct ComparisonText {
  private let pairs: PicturePairs
  private let result: SequenceComparison

  init(_ pairs: PicturePairs, _ result: SequenceComparison) {
    self.pairs = pairs
    self.result = result
  }

  var text: String {
    if pairs.kind == .files, let frame = result.frames.first { return frame.comparison.summary }
    return ([head] + differences + time).joined(separator: "\n") + "\n"
  }

  private var noun: String { pairs.kind == .sequences ? "frame" : "picture" }

  private var head: String {
    let failing = result.frames.count { $0.verdict.isFailure }, warning = result.frames.count { $0.verdict == .warn }
    let verdict = result.verdict == .sizeMismatch ? .fail : result.verdict
    var parts = ["\(count(result.frames.count)) compared"]
    if failing > 0 { parts.append("\(failing) beyond the tolerance") }
    if warning > 0 { parts.append("\(warning) to look at") }
    if failing + warning == 0, !result.frames.isEmpty {
      parts.append(result.frames.allSatisfy(\.comparison.isEqual) ? "all equal" : "all within the tolerance")
    }
    if !result.missing.isEmpty { parts.append("\(result.missing.count) missing") }
    if !result.unexpected.isEmpty { parts.append("\(result.unexpected.count) without a reference") }
    return "\(verdict.rawValue): \(parts.joined(separator: ", "))"
  }

  private var differences: [String] {
    let bad = result.frames.filter { $0.verdict > .pass }
    var lines = bad.prefix(Self.mostLines).map { "  \($0.name)  \($0.headline)" }
    if bad.count > Self.mostLines { lines.append("  and \(bad.count - Self.mostLines) more") }
    lines += names("missing", result.missing) + names("without a reference", result.unexpected)
    return lines
  }

  private var time: [String] {
    var lines: [String] = []
    if let first = result.firstDiffering, result.frames.count > 1 { lines.append("  the first that differs: \(noun) \(first.name)") }
    if let worst = result.worst, worst.verdict > .pass {
      lines.append("  the worst: \(noun) \(worst.name)")
      lines += worst.comparison.summary.split(separator: "\n").dropFirst().map { "  \($0)" }
    }
    if pairs.kind == .sequences, let flicker = result.mostFlicker, let measured = flicker.flicker {
      lines.append(
        "  flicker  the difference changes most to \(noun) \(flicker.name): mean \(number(measured.mean)), largest \(number(measured.largest))"
      )
    }
    return lines
  }

  private func names(_ what: String, _ names: [String]) -> [String] {
    guard !names.isEmpty else { return [] }
    let more = names.count > Self.mostLines ? " and \(names.count - Self.mostLines) more" : ""
    return ["  \(what): \(names.prefix(Self.mostLines).joined(separator: ", "))\(more)"]
  }

  private func count(_ number: Int) -> String { number.of(noun) }

  private func number(_ value: Double) -> String { PlainNumber.text(value) }

  private static let mostLines = 10
}

extension SequenceComparison.Frame {
  /// What is worse: the picture, or how it flickers.
  fileprivate var headline: String {
    guard let limit = flicker?.limit, limit.verdict > comparison.verdict else { return comparison.headline }
    return "\(limit.verdict.rawValue): \(limit.words)"
  }
}
