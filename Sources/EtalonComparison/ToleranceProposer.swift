internal import CComparison
package import EtalonTypes

/// Finds the tightest tolerance that holds for pairs of pictures which are known to be good, with some room.
///
/// The pairs may come from several devices, drivers or perturbed runs. Limits are the worst of what was measured times the room, rounded up.
///
/// ```
/// var proposer = ToleranceProposer(room: 1.5)
/// for (name, actual, reference) in pairs { proposer.add(actual, reference, from: name) }
/// if let tolerance = proposer.proposal.tolerance { print(tolerance) }
/// ```
///
/// **Concurrency**: used by one thread at a time.
package struct ToleranceProposer {
  /// The side of the windows in which outliers are counted.
  fileprivate static let windowSize = 8
  /// The share of pixels that may be outliers; the level of `channel` is the smallest that leaves no more.
  fileprivate static let mostOutliers = 0.001
  /// The least probability with which all pairs must be draws of the same noise to be called that.
  private static let leastNoise = 0.01

  private let room: Double
  private var color: GroupProposer?
  private var alpha: GroupProposer?
  private var flip = WorstMeasurement()
  /// The share of pixels that differ in the worst pair.
  private var differing = WorstMeasurement()
  private var hole: ToleranceProposal.Obstacle?
  private var isNoise = true
  private var pairs = 0

  /// Starts without pairs.
  ///
  /// - Parameter room: by how much the worst measurement is multiplied; at least 1.
  package init(room: Double = 1.25) {
    precondition(room >= 1, "limits below what was measured")
    self.room = room
  }

  /// Measures a pair; all must have the same kind of channels, integers or floats, and each pair one size.
  ///
  /// - Parameter source: what the pair is called in the proposal: a device, or a picture.
  package mutating func add(_ actual: PixelBuffer, _ reference: PixelBuffer, from source: String = "") {
    let unit = PicturePair.unit(actual, reference)
    precondition(color.map { $0.unit == unit } ?? true, "integers and floats have no tolerance in common")
    precondition(actual.size == reference.size, "\(actual.size) against \(reference.size)")
    let result = comparePictures(actual, reference, metrics: [.flip, .noise])
    let maps = DifferenceMaps(PicturePair(actual, reference))
    let range = unit == .absolute ? Self.range(of: reference) : 255
    var color = color ?? GroupProposer(unit: unit), alpha = alpha ?? GroupProposer(unit: unit)
    color.add(result.color, maps.color, range: range, size: actual.size, from: source)
    alpha.add(result.alpha, maps.alpha, range: unit == .absolute ? 1 : 255, size: actual.size, from: source)
    (self.color, self.alpha) = (color, alpha)
    flip.add(result.flip?.mean ?? 0, from: source)
    differing.add(Double(result.color?.differing ?? 0) / Double(actual.size.pixelCount), from: source)
    isNoise = isNoise && result.noise?.probability ?? 1 >= Self.leastNoise
    if hole == nil, let pixels = result.nonFinite?.differingPixels, pixels > 0 {
      hole = .init(reason: "\(Words.pixels(pixels)) differ in what is NaN or infinite", source: source, isNoise: false)
    }
    pairs += 1
  }

  /// The tolerance that holds for all pairs so far; equality without any pair.
  package var proposal: ToleranceProposal {
    guard let color, let alpha, pairs > 0 else {
      return ToleranceProposal(tolerance: .exact, limits: [], obstacle: nil, pairs: 0, room: room)
    }
    guard hole == nil, let ofColor = color.proposal(room: room, prefix: ""), let ofAlpha = alpha.proposal(room: room, prefix: "alpha.")
    else {
      return ToleranceProposal(tolerance: nil, limits: [], obstacle: hole ?? obstacle(color, alpha), pairs: pairs, room: room)
    }
    var tolerance = Tolerance()
    (tolerance.color, tolerance.alpha) = (ofColor.limits, ofAlpha.limits)
    var limits = ofColor.reasons
    let visible = RoundUp.twoDigits(flip.value * room)
    if flip.value > 0, visible < 1 {
      tolerance.flip = FLIPLimit(mean: Limit(fail: visible))
      limits.append(ProposedLimit("flip.mean", visible, flip))
    }
    return ToleranceProposal(tolerance: tolerance, limits: limits + ofAlpha.reasons, obstacle: nil, pairs: pairs, room: room)
  }

  private func obstacle(_ color: GroupProposer, _ alpha: GroupProposer) -> ToleranceProposal.Obstacle {
    let worst = color.largest.value >= alpha.largest.value ? color.largest : alpha.largest
    let share = PlainNumber.text(differing.value * 100, digits: 3), unit = color.unit == .levels ? " levels" : ""
    return .init(
      reason: "up to \(share) % of the pixels differ, by up to \(PlainNumber.text(worst.value))\(unit)", source: worst.source,
      isNoise: isNoise)
  }

  /// The largest finite number of a picture's colors, without its sign.
  private static func range(of picture: PixelBuffer) -> Double {
    let pair = PicturePair(
      picture,
      PixelBuffer(size: picture.size, format: .rgba8, alpha: .opaque, bytes: [UInt8](repeating: 0, count: picture.size.pixelCount * 4)))
    return Double(DifferenceMaps(pair).color?.census(.absolute).largest ?? 0)
  }
}

/// Rounds limits up, so that they still hold and can be read.
private enum RoundUp {
  /// To two significant digits.
  static func twoDigits(_ value: Double) -> Double {
    guard value > 0 else { return 0 }
    let exponent = Int(PlainNumber.logarithm(value).rounded(.down)) - 1
    // Powers of ten below 1 are not exact: what is divided by one above it reads as two digits.
    let scale = PlainNumber.power(of10: abs(exponent))
    let rounded = exponent < 0 ? (value * scale).rounded(.up) / scale : (value / scale).rounded(.up) * scale
    return rounded >= value ? rounded : value
  }
}

/// The worst of what was measured on a group of channels, for every level that `channel` could have.
private struct GroupProposer {
  let unit: DifferenceUnit
  private let levels: [Double]
  private var shares: [WorstMeasurement]
  private var windows: [WorstMeasurement]
  private(set) var largest = WorstMeasurement()
  private var mean = WorstMeasurement()
  /// The largest number of a reference of floats.
  private var range = 0.0
  /// The pixels of the smallest window that was looked at.
  private var windowRoom = ToleranceProposer.windowSize * ToleranceProposer.windowSize

  init(unit: DifferenceUnit) {
    self.unit = unit
    levels =
      unit == .levels ? [0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64] : [0] + (-24...16).map { PlainNumber.power(of2: $0) }
    shares = levels.map { _ in WorstMeasurement() }
    windows = levels.map { _ in WorstMeasurement() }
  }

  mutating func add(_ comparison: ChannelComparison?, _ map: DifferenceMap?, range: Double, size: Size, from source: String) {
    let side = ToleranceProposer.windowSize
    self.range = max(self.range, range)
    windowRoom = min(windowRoom, min(side, size.width) * min(side, size.height))
    guard let comparison, let map else { return }
    largest.add(comparison.largest, from: source)
    mean.add(comparison.mean, from: source)
    for (index, level) in levels.enumerated() {
      let marks = map.marks(beyond: level)
      guard marks.count > 0 else { break }
      shares[index].add(Double(marks.count) / Double(map.values.count), from: source)
      windows[index].add(Double(marks.fullestWindow(side).pixels), from: source)
    }
  }

  /// The limits, and the worst measurement behind each; nil where they would let nearly everything pass.
  func proposal(room: Double, prefix: String) -> (limits: ChannelTolerance, reasons: [ProposedLimit])? {
    guard largest.value > 0 else { return (ChannelTolerance(channel: 0), [ProposedLimit(prefix + "channel", 0, largest)]) }
    guard let index = levels.indices.first(where: { shares[$0].value <= ToleranceProposer.mostOutliers }), levels[index] <= bearable else {
      return nil
    }
    var limits = ChannelTolerance()
    var reasons: [ProposedLimit] = []
    func limit(_ key: String, _ level: Double, _ worst: WorstMeasurement) -> Limit? {
      // A level that nothing can exceed is left out.
      guard unit == .absolute || level < 255 else { return nil }
      reasons.append(ProposedLimit(prefix + key, level, worst))
      return Limit(fail: level)
    }
    if shares[index].value > 0 {
      addOutliers(index, room, prefix, &limits, &reasons)
      limits.ceiling = limit("ceiling", rounded(largest.value * room), largest)
    } else {
      limits.channel = limit("channel", min(rounded(largest.value * room), unit == .levels ? 254 : .infinity), largest)
    }
    limits.mean = limit("mean", RoundUp.twoDigits(mean.value * room), mean)
    return (limits, reasons)
  }

  /// A few pixels beyond a level: how many, and how dense they are.
  private func addOutliers(
    _ index: Int, _ room: Double, _ prefix: String, _ limits: inout ChannelTolerance, _ reasons: inout [ProposedLimit]
  ) {
    let share = RoundUp.twoDigits(shares[index].value * 100 * room), crowd = (windows[index].value * room).rounded(.up)
    limits.channel = Limit(fail: levels[index])
    limits.outliers = CountLimit(fail: .percent(share))
    var level = WorstMeasurement()
    level.add(levels[index], from: shares[index].source)
    reasons.append(ProposedLimit(prefix + "channel", levels[index], level))
    reasons.append(ProposedLimit(prefix + "outliers", share, shares[index], scale: 100))
    guard crowd < Double(windowRoom) else { return }
    limits.window = WindowLimit(size: ToleranceProposer.windowSize, outliers: Limit(fail: crowd))
    reasons.append(ProposedLimit(prefix + "window.outliers", crowd, windows[index]))
  }

  /// The largest level that is proposed: a quarter of the range of the pictures.
  private var bearable: Double { unit == .levels ? 64 : range / 4 }

  /// Levels of 8 bits are whole; those of 16 bits may be small parts of one.
  private func rounded(_ value: Double) -> Double { unit == .levels && value >= 1 ? value.rounded(.up) : RoundUp.twoDigits(value) }
}

/// The worst of several measurements, and what it was measured of.
private struct WorstMeasurement {
  private(set) var value: Double
  private(set) var source = ""

  init(_ value: Double = 0) { self.value = value }

  /// Takes over a measurement that is worse.
  mutating func add(_ measured: Double, from name: String) {
    if measured > value { (value, source) = (measured, name) }
  }
}

/// A limit that is proposed, with the worst measurement behind it.
///
/// **Concurrency**: an immutable value.
package struct ProposedLimit: Hashable, Sendable, Codable {
  /// The key in the tolerance: `channel`, `alpha.outliers`, `flip.mean`.
  package let key: String
  /// The level to fail at; of `outliers` a share of all pixels in percent.
  package let level: Double
  /// The worst that was measured, in the unit of the level.
  package let measured: Double
  /// What was measured there: a device, errors that were made on purpose, or a picture; empty where all were equal.
  package let source: String

  /// The level less the measurement.
  package let margin: Double

  fileprivate init(_ key: String, _ level: Double, _ worst: WorstMeasurement, scale: Double = 1) {
    (self.key, self.level, measured, source) = (key, level, worst.value * scale, worst.source)
    margin = level - measured
  }
}

// MARK: - the proposal

/// A tolerance that was found, from what, and how much room it leaves.
///
/// **Concurrency**: an immutable value.
package struct ToleranceProposal: Hashable, Sendable, Codable {
  /// The limits; nil where no tolerance makes sense, because it would let nearly everything pass.
  package let tolerance: Tolerance?
  /// The worst measurement of all pairs behind each limit; empty without a tolerance.
  package let limits: [ProposedLimit]
  /// Why no tolerance makes sense; nil where one does.
  package let obstacle: Obstacle?
  /// How many pairs it holds for.
  package let pairs: Int
  /// By how much the worst measurements were multiplied.
  package let room: Double

  private enum CodingKeys: String, CodingKey {
    case tolerance, limits, obstacle = "refusal", pairs, room
  }

  /// Why no tolerance makes sense.
  package struct Obstacle: Hashable, Sendable, Codable {
    /// What is wrong with the worst pair, in words.
    package let reason: String
    /// The worst pair.
    package let source: String
    /// Whether all pairs may be draws of the same noise, which `noise` bears.
    package let isNoise: Bool
  }

  /// The limits as YAML, each with what was measured; equality is `exact`.
  ///
  /// ```yaml
  /// channel: 3        # measured 2 (llvmpipe), 1 to spare
  /// alpha: exact
  /// ```
  ///
  /// - Parameter indentation: what stands before each line.
  package func yaml(indentation: String = "") -> [String] {
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
