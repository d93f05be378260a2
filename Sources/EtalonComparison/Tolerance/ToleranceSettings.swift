package import EtalonTypes

/// Reads tolerances from keys and texts, as they stand on a command line or in the leaves of a document.
///
/// ```
/// let (tolerance, diagnostics) = ToleranceSettings(["channel": "2", "outliers": "0.1%", "flip.mean.warn": "0.01"]).read()
/// ```
///
/// **Concurrency**: an immutable value.
package struct ToleranceSettings: Hashable, Sendable {
  private let texts: [String: String]

  /// Takes texts by their dotted keys.
  package init(_ texts: [String: String]) {
    self.texts = texts
  }

  /// The tolerance, and everything that is wrong with it: unknown keys, texts that are no numbers, limits that contradict each other.
  ///
  /// - Parameters:
  ///   - kinds: what the pictures may be compared as.
  ///   - size: their size, where it is known.
  package func read(
    comparing kinds: Set<ChannelKind> = Set(ChannelKind.allCases), size: Size? = nil
  ) -> (tolerance: Tolerance, diagnostics: [ToleranceDiagnostic]) {
    var reader = ToleranceTextReader(texts)
    let tolerance = reader.tolerance()
    // Limits that could not be read would look as if they were missing.
    let contradictions = reader.diagnostics.isEmpty ? tolerance.diagnostics(comparing: kinds, size: size) : []
    let diagnostics = reader.diagnostics + reader.unknownKeys() + contradictions
    return (tolerance, diagnostics.sorted { $0.key < $1.key })
  }

  /// Every key that a tolerance knows.
  package static let keys: [String] = {
    var reader = ToleranceTextReader([:])
    _ = reader.tolerance()
    return reader.known.sorted()
  }()
}

/// Takes texts out of a dictionary and remembers which keys were asked for.
private struct ToleranceTextReader {
  private let texts: [String: String]
  private(set) var known: Set<String> = []
  private(set) var diagnostics: [ToleranceDiagnostic] = []

  init(_ texts: [String: String]) {
    self.texts = texts
  }

  mutating func tolerance() -> Tolerance {
    var result = Tolerance()
    result.color = channels("")
    let alpha = channels("alpha.")
    result.alpha = alpha.isEmpty ? nil : alpha
    result.ssim = limit("ssim")
    result.ssimGaussian = limit("ssimGaussian")
    result.flip = flip()
    result.oklab = oklab()
    result.noise = limit("noise")
    result.flicker = limit("flicker")
    result.shift = whole("shift")
    result.ignoreColorUnderZeroAlpha = word("ignoreColorUnderZeroAlpha", ["true": true, "false": false])
    result.nan = word("nan", Self.words(NonFinitePolicy.self))
    result.denormals = word("denormals", Self.words(DenormalPolicy.self))
    return result
  }

  func unknownKeys() -> [ToleranceDiagnostic] {
    texts.keys.filter { !known.contains($0) }.sorted().map { key in
      let parts = known.filter { $0.hasPrefix(key + ".") }.map { $0.dropFirst(key.count + 1).prefix { $0 != "." } }
      guard parts.isEmpty else {
        let keys = "\(key) has \(Set(parts).sorted().joined(separator: ", "))"
        let example = Self.examples[key].map { "write '\(key): { \($0.replacing("…", with: texts[key] ?? "…")) }'; " } ?? ""
        return ToleranceDiagnostic(key: key, message: "'\(key)' is no single level", help: example + keys)
      }
      return ToleranceDiagnostic(
        key: key, message: "a tolerance has no key '\(key)'", help: "the keys are \(Self.topKeys(known).joined(separator: ", "))",
        candidates: known.sorted())
    }
  }

  /// What a single level of a record probably means.
  private static let examples = ["flip": "mean: …", "oklab": "distance: …, pixels: 0", "window": "size: 8, outliers: …"]

  private static func topKeys(_ keys: Set<String>) -> [String] {
    Set(keys.map { String($0.prefix { $0 != "." }) }).sorted()
  }

  private mutating func channels(_ prefix: String) -> ChannelTolerance {
    ChannelTolerance(
      channel: limit(prefix + "channel"), outliers: count(prefix + "outliers"), ceiling: limit(prefix + "ceiling"),
      relative: limit(prefix + "relative"), ulp: limit(prefix + "ulp"), mean: limit(prefix + "mean"), rmse: limit(prefix + "rmse"),
      psnr: limit(prefix + "psnr"), window: window(prefix + "window"), emd: limit(prefix + "emd"))
  }

  private mutating func window(_ key: String) -> WindowLimit? {
    let size = whole(key + ".size"), outliers = limit(key + ".outliers")
    if let size, let outliers { return WindowLimit(size: size, outliers: outliers) }
    if size != nil { missing(key + ".outliers", "how many outliers a window may hold", in: key) }
    if outliers != nil { missing(key + ".size", "the side of the window in pixels", in: key) }
    return nil
  }

  private mutating func flip() -> FLIPLimit? {
    let result = FLIPLimit(
      mean: limit("flip.mean"), percentile: percentile("flip.percentile"), pixelsPerDegree: number("flip.pixelsPerDegree"))
    return result == FLIPLimit() ? nil : result
  }

  private mutating func percentile(_ key: String) -> PercentileLimit? {
    let percent = number(key + ".percent"), value = limit(key + ".value")
    if let percent, let value { return PercentileLimit(percent: percent, value: value) }
    if percent != nil { missing(key + ".value", "what that share of the pixels must stay within", in: key) }
    if value != nil { missing(key + ".percent", "which share of the pixels is meant", in: key) }
    return nil
  }

  private mutating func oklab() -> OKLabLimit? {
    let distance = number("oklab.distance"), window = whole("oklab.window"), pixels = limit("oklab.pixels")
    guard distance != nil || window != nil || pixels != nil else { return nil }
    if let distance, let pixels { return OKLabLimit(distance: distance, window: window, pixels: pixels) }
    if distance == nil { missing("oklab.distance", "from which distance colors count as different", in: "oklab") }
    if pixels == nil { missing("oklab.pixels", "how many pixels may differ", in: "oklab") }
    return nil
  }

  private mutating func limit(_ key: String) -> Limit? {
    let (warn, fail) = levels(key) { Double($0).flatMap { $0.isFinite ? $0 : nil } }
    return warn == nil && fail == nil ? nil : Limit(warn: warn, fail: fail)
  }

  private mutating func count(_ key: String) -> CountLimit? {
    let (warn, fail) = levels(key) { PixelCount($0) }
    return warn == nil && fail == nil ? nil : CountLimit(warn: warn, fail: fail)
  }

  /// The levels of a limit: the key alone is its `fail` level.
  private mutating func levels<Level>(_ key: String, _ parse: (String) -> Level?) -> (warn: Level?, fail: Level?) {
    let expected = Level.self == PixelCount.self ? "a number of pixels or a percentage" : "a number"
    let warn = value(key + ".warn", expected, parse), fail = value(key + ".fail", expected, parse), alone = value(key, expected, parse)
    if texts[key] != nil, texts[key + ".fail"] != nil {
      diagnostics.append(
        ToleranceDiagnostic(key: key, message: "'\(key)' and '\(key).fail' say the same", help: "leave one of them out", part: .key))
    }
    return (warn, fail ?? alone)
  }

  private mutating func number(_ key: String) -> Double? { value(key, "a number") { Double($0).flatMap { $0.isFinite ? $0 : nil } } }

  private mutating func whole(_ key: String) -> Int? { value(key, "a whole number") { Int($0) } }

  private mutating func word<Value>(_ key: String, _ words: [String: Value]) -> Value? {
    value(key, words.keys.sorted().joined(separator: " or ")) { words[$0] }
  }

  private static func words<Policy: RawRepresentable & CaseIterable>(_ type: Policy.Type) -> [String: Policy]
  where Policy.RawValue == String {
    Dictionary(uniqueKeysWithValues: type.allCases.map { ($0.rawValue, $0) })
  }

  private mutating func value<Value>(_ key: String, _ expected: String, _ parse: (String) -> Value?) -> Value? {
    known.insert(key)
    guard let text = texts[key] else { return nil }
    if let value = parse(text) { return value }
    diagnostics.append(ToleranceDiagnostic(key: key, message: "expected \(expected), found '\(text)'"))
    return nil
  }

  private mutating func missing(_ key: String, _ what: String, in record: String) {
    guard texts[key] == nil else { return }
    diagnostics.append(ToleranceDiagnostic(key: record, message: "'\(record)' needs '\(key)', \(what)", part: .key))
  }
}
