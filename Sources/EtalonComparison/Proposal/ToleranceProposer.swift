public import EtalonTypes

/// Finds the tightest tolerance that holds for pairs of pictures which are known to be good, with some room.
///
/// The pairs may come from several devices, drivers or perturbed runs. Limits are the worst of what was measured times the room, rounded up.
///
/// ```
/// var proposer = ToleranceProposer(room: 1.5)
/// for (actual, reference) in pairs { proposer.add(actual, reference) }
/// print(proposer.proposal.tolerance)
/// ```
///
/// **Concurrency**: used by one thread at a time.
public struct ToleranceProposer {
  /// The side of the windows in which outliers are counted.
  static let windowSize = 8
  /// The share of pixels that may be outliers; the level of `channel` is the smallest that leaves no more.
  static let mostOutliers = 0.001

  private let room: Double
  private var color: GroupProposer?
  private var alpha: GroupProposer?
  private var flip = 0.0
  private var pairs = 0

  /// Starts without pairs.
  ///
  /// - Parameter room: by how much the worst measurement is multiplied; at least 1.
  public init(room: Double = 1.25) {
    precondition(room >= 1, "limits below what was measured")
    self.room = room
  }

  /// Measures a pair; all must have the same kind of channels, integers or floats, and each pair one size.
  public mutating func add(_ actual: PixelBuffer, _ reference: PixelBuffer) {
    let unit = PicturePair.unit(actual, reference)
    precondition(color.map { $0.unit == unit } ?? true, "integers and floats have no tolerance in common")
    let result = comparePictures(actual, reference, metrics: [.flip])
    let maps = DifferenceMaps(PicturePair(actual, reference))
    var color = color ?? GroupProposer(unit: unit), alpha = alpha ?? GroupProposer(unit: unit)
    color.add(result.color, maps.color)
    alpha.add(result.alpha, maps.alpha)
    (self.color, self.alpha) = (color, alpha)
    flip = max(flip, result.flip?.mean ?? 0)
    pairs += 1
  }

  /// What all pairs so far allow; equality without any.
  public var proposal: ToleranceProposal {
    guard let color, let alpha, pairs > 0 else { return ToleranceProposal(tolerance: .exact, pairs: 0, room: room) }
    var tolerance = Tolerance()
    tolerance.color = color.proposal(room: room)
    tolerance.alpha = alpha.proposal(room: room)
    if flip > 0 { tolerance.flip = FLIPLimit(mean: Limit(fail: min(1, RoundUp.twoDigits(flip * room)))) }
    return ToleranceProposal(tolerance: tolerance, pairs: pairs, room: room)
  }
}

/// A tolerance that was found, and from what.
public struct ToleranceProposal: Hashable, Sendable, Codable {
  /// The limits.
  public let tolerance: Tolerance
  /// How many pairs it holds for.
  public let pairs: Int
  /// By how much the worst measurements were multiplied.
  public let room: Double
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
