public import EtalonTypes

extension Tolerance {
  /// What is wrong with the record for pictures of any kind: limits that contradict each other, and those that no pictures can exceed.
  ///
  /// A tolerance with errors must not be used.
  public var diagnostics: [ToleranceDiagnostic] { diagnostics(comparing: Set(ChannelKind.allCases)) }

  /// What is wrong with the record for pictures of some kinds: 255 levels are no limit where there are only 256, and for floats they are one.
  ///
  /// - Parameters:
  ///   - kinds: what the pictures may be compared as.
  ///   - size: their size, where it is known: it says which numbers of pixels can be exceeded.
  public func diagnostics(comparing kinds: Set<ChannelKind>, size: Size? = nil) -> [ToleranceDiagnostic] {
    let found = contradictions
    let keys = Set(found.map(\.key))
    func isNew(_ diagnostic: ToleranceDiagnostic) -> Bool { !keys.contains(diagnostic.key) }
    let unreachable = UnreachableLimits(self, comparing: kinds, size: size).diagnostics.filter(isNew)
    let failing = found.isEmpty ? diagnosticsOfFailing : []
    return found + unreachable + failing + diagnosticsOfPolicies(comparing: kinds)
  }

  /// The diagnostics of what is said about numbers that only floats have.
  private func diagnosticsOfPolicies(comparing kinds: Set<ChannelKind>) -> [ToleranceDiagnostic] {
    guard !kinds.contains(.floats) else { return [] }
    let policies = [("nan", nan != nil, "neither NaN nor infinities"), ("denormals", denormals != nil, "no denormal numbers")]
    return policies.filter(\.1).map { key, _, what in
      ToleranceDiagnostic(
        key: key, message: "'\(key)' says nothing here: pictures with 8 or 16 bits a channel have \(what)",
        help: "leave it out, or compare with an OpenEXR file, which keeps numbers as they are", part: .key)
    }
  }

  /// The diagnostics of limits that contradict each other, or are outside of their ranges.
  private var contradictions: [ToleranceDiagnostic] {
    var diagnostics = LimitRules.diagnostics(of: color, prefix: "")
    if let alpha { diagnostics += LimitRules.diagnostics(of: alpha, prefix: "alpha.") }
    diagnostics += LimitRules.minimum("ssim", ssim, atMost: 1)
    diagnostics += LimitRules.minimum("ssimGaussian", ssimGaussian, atMost: 1)
    diagnostics += LimitRules.minimum("noise", noise, atMost: 1)
    diagnostics += LimitRules.maximum("flicker", flicker)
    if let flip { diagnostics += LimitRules.diagnostics(of: flip) }
    if let oklab { diagnostics += LimitRules.diagnostics(of: oklab) }
    if let shift, !(0...1).contains(shift) {
      diagnostics.append(ToleranceDiagnostic(key: "shift", message: "expected 0 or 1 pixel, found \(shift)"))
    }
    return diagnostics
  }
}

/// The rules that records must keep.
private enum LimitRules {
  static func diagnostics(of limits: ChannelTolerance, prefix: String) -> [ToleranceDiagnostic] {
    var found: [ToleranceDiagnostic] = []
    let maxima: [(String, Limit?)] = [
      ("channel", limits.channel), ("ceiling", limits.ceiling), ("relative", limits.relative), ("ulp", limits.ulp), ("mean", limits.mean),
      ("rmse", limits.rmse), ("emd", limits.emd),
    ]
    for (key, limit) in maxima { found += maximum(prefix + key, limit) }
    found += minimum(prefix + "psnr", limits.psnr, atMost: nil)
    if let outliers = limits.outliers { found += diagnostics(of: outliers, prefix, channel: limits.channel) }
    if let window = limits.window { found += diagnostics(of: window, prefix) }
    if let channel = limits.channel, let ceiling = limits.ceiling { found += crossed(channel, ceiling, prefix) }
    return found
  }

  static func diagnostics(of flip: FLIPLimit) -> [ToleranceDiagnostic] {
    var found = maximum("flip.mean", flip.mean, atMost: 1)
    if let percentile = flip.percentile {
      found += maximum("flip.percentile.value", percentile.value, atMost: 1)
      if !(0...100).contains(percentile.percent) { found.append(outside("flip.percentile.percent", percentile.percent, "0 to 100")) }
    }
    if let density = flip.pixelsPerDegree, !(1...1000).contains(density) {
      found.append(outside("flip.pixelsPerDegree", density, "1 to 1000"))
    }
    if flip.mean == nil, flip.percentile == nil {
      found.append(
        ToleranceDiagnostic(key: "flip", message: "'flip' limits nothing", help: "add 'flip.mean' or 'flip.percentile'", part: .key))
    }
    return found
  }

  static func diagnostics(of oklab: OKLabLimit) -> [ToleranceDiagnostic] {
    var found = maximum("oklab.pixels", oklab.pixels)
    if oklab.distance < 0 || oklab.distance > 2 { found.append(outside("oklab.distance", oklab.distance, "0 to 2")) }
    if let window = oklab.window, window < 1 { found.append(outside("oklab.window", Double(window), "at least 1 pixel")) }
    return found
  }

  /// The rules of a limit that values must not exceed.
  static func maximum(_ key: String, _ limit: Limit?, atMost largest: Double = .infinity) -> [ToleranceDiagnostic] {
    guard let limit else { return [] }
    var found = unset(key, limit)
    for (name, level) in [("warn", limit.warn), ("fail", limit.fail)] {
      guard let level, !(0...largest).contains(level) else { continue }
      found.append(outside("\(key).\(name)", level, largest.isInfinite ? "at least 0" : "0 to \(PlainNumber.text(largest))"))
    }
    if let warn = limit.warn, let fail = limit.fail, warn > fail { found.append(swapped(key, warn, fail)) }
    return found
  }

  /// The rules of a limit that values must not fall below.
  static func minimum(_ key: String, _ limit: Limit?, atMost largest: Double?) -> [ToleranceDiagnostic] {
    guard let limit else { return [] }
    var found = unset(key, limit)
    for (name, level) in [("warn", limit.warn), ("fail", limit.fail)] {
      guard let level, level < 0 || level > largest ?? .infinity else { continue }
      found.append(outside("\(key).\(name)", level, largest.map { "0 to \(PlainNumber.text($0))" } ?? "at least 0"))
    }
    if let warn = limit.warn, let fail = limit.fail, warn < fail {
      found.append(
        ToleranceDiagnostic(
          key: key, message: "'warn' \(PlainNumber.text(warn)) is below 'fail' \(PlainNumber.text(fail)), so it would never warn",
          help: "'\(key)' must not fall below its limits: 'warn' is the larger one"))
    }
    return found
  }

  private static func diagnostics(of outliers: CountLimit, _ prefix: String, channel: Limit?) -> [ToleranceDiagnostic] {
    let key = prefix + "outliers"
    var found: [ToleranceDiagnostic] = []
    if channel == nil {
      found.append(
        ToleranceDiagnostic(
          key: key, message: "'\(key)' without '\(prefix)channel': nothing says which pixels are outliers", help: "add '\(prefix)channel'",
          part: .key))
    }
    if outliers.fail == nil {
      found.append(ToleranceDiagnostic(key: key, message: "'\(key)' has no 'fail' level, so no number of outliers would fail", part: .key))
    }
    for (name, level) in [("warn", outliers.warn), ("fail", outliers.fail)] {
      switch level {
      case .pixels(let count)? where count < 0: found.append(outside("\(key).\(name)", Double(count), "at least 0"))
      case .percent(let share)? where !(0...100).contains(share): found.append(outside("\(key).\(name)", share, "0% to 100%"))
      default: break
      }
    }
    switch (outliers.warn, outliers.fail) {
    case (.pixels(let warn)?, .pixels(let fail)?) where warn > fail: found.append(swapped(key, Double(warn), Double(fail)))
    case (.percent(let warn)?, .percent(let fail)?) where warn > fail: found.append(swapped(key, warn, fail))
    default: break
    }
    return found
  }

  private static func diagnostics(of window: WindowLimit, _ prefix: String) -> [ToleranceDiagnostic] {
    var found = maximum(prefix + "window.outliers", window.outliers)
    if window.size < 1 { found.append(outside(prefix + "window.size", Double(window.size), "at least 1 pixel")) }
    return found
  }

  private static func crossed(_ channel: Limit, _ ceiling: Limit, _ prefix: String) -> [ToleranceDiagnostic] {
    guard let highest = ceiling.fail ?? ceiling.warn, let level = channel.fail ?? channel.warn, highest < level else { return [] }
    return [
      ToleranceDiagnostic(
        key: prefix + "ceiling",
        message: "'\(prefix)ceiling' \(PlainNumber.text(highest)) is below '\(prefix)channel' \(PlainNumber.text(level))",
        help: "the ceiling holds for outliers, which lie beyond 'channel'")
    ]
  }

  private static func unset(_ key: String, _ limit: Limit) -> [ToleranceDiagnostic] {
    limit == Limit() ? [ToleranceDiagnostic(key: key, message: "'\(key)' has neither a 'warn' nor a 'fail' level", part: .key)] : []
  }

  private static func outside(_ key: String, _ value: Double, _ range: String) -> ToleranceDiagnostic {
    ToleranceDiagnostic(key: key, message: "expected \(range), found \(PlainNumber.text(value))")
  }

  private static func swapped(_ key: String, _ warn: Double, _ fail: Double) -> ToleranceDiagnostic {
    ToleranceDiagnostic(
      key: key, message: "'warn' \(PlainNumber.text(warn)) is beyond 'fail' \(PlainNumber.text(fail)), so it would never warn")
  }
}

// MARK: - limits that only warn

extension Tolerance {
  /// What keeps color or alpha from ever failing: limits that only warn.
  private var diagnosticsOfFailing: [ToleranceDiagnostic] {
    let perceptual = [ssim, ssimGaussian, flip?.mean, flip?.percentile?.value, oklab?.pixels, noise].compactMap(\.self)
    var found: [ToleranceDiagnostic] = []
    if !effectiveColor.canFail, !perceptual.contains(where: { $0.fail != nil }) {
      found.append(Self.onlyWarns(color.warningKey("") ?? perceptualWarningKey ?? "channel", "color"))
    }
    guard found.isEmpty || alpha?.isEmpty == false, !effectiveAlpha.canFail else { return found }
    let isOwn = alpha?.isEmpty == false
    found.append(Self.onlyWarns((isOwn ? alpha?.warningKey("alpha.") : color.warningKey("")) ?? "alpha", "alpha"))
    return found
  }

  private var perceptualWarningKey: String? {
    [
      ("ssim", ssim), ("ssimGaussian", ssimGaussian), ("flip.mean", flip?.mean), ("flip.percentile.value", flip?.percentile?.value),
      ("oklab.pixels", oklab?.pixels),
      ("noise", noise),
    ]
    .first { $0.1?.warn != nil }?.0
  }

  private static func onlyWarns(_ key: String, _ group: String) -> ToleranceDiagnostic {
    ToleranceDiagnostic(
      key: key, message: "'\(key)' only warns, and nothing else lets \(group) fail",
      help: group == "alpha" && !key.hasPrefix("alpha")
        ? "add '\(key).fail', or 'alpha.channel: 0'" : "add '\(key).fail', the level to fail at",
      part: .key)
  }
}

extension ChannelTolerance {
  /// Whether any limit has a level to fail at.
  fileprivate var canFail: Bool {
    let limits = [outliers == nil ? channel : nil, ceiling, relative, ulp, mean, rmse, psnr, window?.outliers, emd]
    return outliers?.fail != nil || limits.contains { $0?.fail != nil }
  }

  /// The first limit that warns.
  fileprivate func warningKey(_ prefix: String) -> String? {
    let limits: [(String, Limit?)] = [
      ("channel", channel), ("ceiling", ceiling), ("relative", relative), ("ulp", ulp), ("mean", mean), ("rmse", rmse), ("psnr", psnr),
      ("window.outliers", window?.outliers), ("emd", emd),
    ]
    return limits.first { $0.1?.warn != nil }.map { prefix + $0.0 }
  }
}

/// What is wrong with a tolerance, at which of its keys.
///
/// **Concurrency**: an immutable value.
public struct ToleranceDiagnostic: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The key with the names of the records it lies in: `channel`, `alpha.window.size`.
  public let key: String
  /// What is wrong, in lower case and without a full stop.
  public let message: String
  /// What to type instead, if that is known.
  public let help: String?
  /// Names that could have been meant by an unknown key; empty otherwise.
  public let candidates: [String]
  /// What has to change: the key itself, or its value.
  public let part: Part

  /// A part of a line `key: value`.
  public enum Part: String, Hashable, Sendable, Codable { case key, value }

  /// Describes a diagnostic.
  public init(key: String, message: String, help: String? = nil, candidates: [String] = [], part: Part = .value) {
    self.key = key
    self.message = message
    self.help = help
    self.candidates = candidates
    self.part = candidates.isEmpty ? part : .key
  }

  /// `channel: 'warn' 3 is beyond 'fail' 2`.
  public var description: String { "\(key): \(message)" }
}
