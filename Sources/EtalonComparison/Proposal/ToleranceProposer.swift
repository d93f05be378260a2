internal import CComparison
public import EtalonTypes

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
public struct ToleranceProposer {
  /// The side of the windows in which outliers are counted.
  static let windowSize = 8
  /// The share of pixels that may be outliers; the level of `channel` is the smallest that leaves no more.
  static let mostOutliers = 0.001
  /// The least probability with which all pairs must be draws of the same noise to be called that.
  private static let leastNoise = 0.01

  private let room: Double
  private var color: GroupProposer?
  private var alpha: GroupProposer?
  private var flip = WorstMeasurement()
  /// The share of pixels that differ in the worst pair.
  private var differing = WorstMeasurement()
  private var hole: ToleranceProposal.Refusal?
  private var isNoise = true
  private var pairs = 0

  /// Starts without pairs.
  ///
  /// - Parameter room: by how much the worst measurement is multiplied; at least 1.
  public init(room: Double = 1.25) {
    precondition(room >= 1, "limits below what was measured")
    self.room = room
  }

  /// Measures a pair; all must have the same kind of channels, integers or floats, and each pair one size.
  ///
  /// - Parameter source: what the pair is called in the proposal: a device, or a picture.
  public mutating func add(_ actual: PixelBuffer, _ reference: PixelBuffer, from source: String = "") {
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

  /// What all pairs so far allow; equality without any.
  public var proposal: ToleranceProposal {
    guard let color, let alpha, pairs > 0 else {
      return ToleranceProposal(tolerance: .exact, limits: [], refusal: nil, pairs: 0, room: room)
    }
    guard hole == nil, let ofColor = color.proposal(room: room, prefix: ""), let ofAlpha = alpha.proposal(room: room, prefix: "alpha.")
    else {
      return ToleranceProposal(tolerance: nil, limits: [], refusal: hole ?? refusal(color, alpha), pairs: pairs, room: room)
    }
    var tolerance = Tolerance()
    (tolerance.color, tolerance.alpha) = (ofColor.limits, ofAlpha.limits)
    var limits = ofColor.reasons
    let visible = RoundUp.twoDigits(flip.value * room)
    if flip.value > 0, visible < 1 {
      tolerance.flip = FLIPLimit(mean: Limit(fail: visible))
      limits.append(ProposedLimit("flip.mean", visible, flip))
    }
    return ToleranceProposal(tolerance: tolerance, limits: limits + ofAlpha.reasons, refusal: nil, pairs: pairs, room: room)
  }

  private func refusal(_ color: GroupProposer, _ alpha: GroupProposer) -> ToleranceProposal.Refusal {
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
enum RoundUp {
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
