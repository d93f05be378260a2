/// A tolerance that was found, from what, and how much room it leaves.
///
/// **Concurrency**: an immutable value.
public struct ToleranceProposal: Hashable, Sendable, Codable {
  /// The limits; nil where no tolerance makes sense, because it would let nearly everything pass.
  public let tolerance: Tolerance?
  /// What each limit has to bear, the worst of all pairs; empty without a tolerance.
  public let limits: [ProposedLimit]
  /// Why no tolerance makes sense; nil where one does.
  public let refusal: Refusal?
  /// How many pairs it holds for.
  public let pairs: Int
  /// By how much the worst measurements were multiplied.
  public let room: Double

  /// Why no tolerance makes sense.
  public struct Refusal: Hashable, Sendable, Codable {
    /// What is wrong with the worst pair, in words.
    public let reason: String
    /// The worst pair.
    public let source: String
    /// Whether all pairs may be draws of the same noise, which `noise` bears.
    public let isNoise: Bool
  }

  /// The limits as YAML, each with what was measured; equality is `exact`.
  ///
  /// ```yaml
  /// channel: 3        # measured 2 (llvmpipe), 1 to spare
  /// alpha: exact
  /// ```
  ///
  /// - Parameter indentation: what stands before each line.
  public func yaml(indentation: String = "") -> [String] {
    guard tolerance != nil else { return [] }
    let isAlpha = { (limit: ProposedLimit) in limit.key.hasPrefix("alpha.") }
    let alpha = limits.filter(isAlpha), color = ProposalLine.lines(limits.filter { !isAlpha($0) }, prefix: "", indentation)
    let own = ProposalLine.lines(alpha, prefix: "alpha.", alpha.count > 1 ? indentation + "  " : "")
    guard let only = own.first, own.count == 1 else {
      return ProposalLine.texts(color) + ["\(indentation)alpha:"] + ProposalLine.texts(own)
    }
    return ProposalLine.texts(color + [ProposalLine(text: "\(indentation)alpha: { \(only.text) }", remark: only.remark)])
  }
}

/// A line of a proposal: a limit, and what was measured for it.
private struct ProposalLine {
  let text: String
  let remark: String

  static func lines(_ limits: [ProposedLimit], prefix: String, _ indentation: String) -> [ProposalLine] {
    let hasOutliers = limits.contains { $0.key == prefix + "outliers" }
    return limits.map { limit in
      let key = String(limit.key.dropFirst(prefix.count))
      return ProposalLine(
        text: indentation + text(limit, key), remark: hasOutliers && key == "channel" ? "all but the outliers" : remark(limit, key))
    }
  }

  /// The remarks stand one below the other.
  static func texts(_ lines: [ProposalLine]) -> [String] {
    let width = lines.map(\.text.count).max() ?? 0
    return lines.map { $0.text + String(repeating: " ", count: width - $0.text.count) + "  # " + $0.remark }
  }

  private static func text(_ limit: ProposedLimit, _ key: String) -> String {
    let number = PlainNumber.text(limit.level, digits: 9)
    return switch key {
    case "outliers": "outliers: \(number)%"
    case "window.outliers": "window: { size: \(ToleranceProposer.windowSize), outliers: \(number) }"
    case "flip.mean": "flip: { mean: \(number) }"
    default: "\(key): \(number)"
    }
  }

  private static func remark(_ limit: ProposedLimit, _ key: String) -> String {
    guard limit.measured > 0 else { return "equal everywhere" }
    let unit = key == "outliers" ? "%" : "", source = limit.source.isEmpty ? "" : " (\(limit.source))"
    let margin = limit.margin > 0 ? "\(PlainNumber.text(limit.margin, digits: 2))\(unit) to spare" : "nothing to spare"
    return "measured \(PlainNumber.text(limit.measured))\(unit)\(source), \(margin)"
  }
}
