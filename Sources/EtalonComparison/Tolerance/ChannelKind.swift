public import EtalonTypes

/// What kind of numbers the channels of two pictures are compared as, which bounds how far they can be apart.
public enum ChannelKind: String, Hashable, Sendable, Codable, CaseIterable {
  /// Both pictures have 8 bits a channel.
  case bits8
  /// Both have integers, and one has 16 bits a channel.
  case bits16
  /// One has floats, which may be any number.
  case floats

  /// The kind that two pictures are compared as.
  public init(_ actual: PixelBuffer, _ reference: PixelBuffer) {
    if actual.format.isFloat || reference.format.isFloat {
      self = .floats
    } else {
      self = max(actual.format.bytesPerChannel, reference.format.bytesPerChannel) == 1 ? .bits8 : .bits16
    }
  }

  /// Integers of either width.
  public static let levels: Set<ChannelKind> = [.bits8, .bits16]
}

extension ChannelKind {
  /// What can be measured at most, or at least where a limit must not be fallen below; nil without a bound.
  func bound(of limit: BoundedLimit) -> Double? {
    switch limit {
    case .level: self == .floats ? nil : 255
    case .relative: self == .floats ? 2 : 1
    case .step: self == .floats ? nil : self == .bits8 ? 255 : 65535
    case .signal: self == .floats ? nil : 0
    case .change: self == .floats ? nil : 510
    case .colorDistance: self == .floats ? nil : 1.179
    case .histograms, .visibility: 1
    case .probability: 0
    }
  }
}

/// Limits whose measurements have the same bound.
enum BoundedLimit {
  case level, relative, step, signal, change, colorDistance, histograms, visibility, probability

  /// Why nothing goes beyond the bound.
  func reason(_ bound: Double) -> String {
    let number = PlainNumber.text(bound)
    return switch self {
    case .level: "levels are at most \(number) apart"
    case .relative: "no difference is more than \(bound == 1 ? "the larger value" : "twice the larger value")"
    case .step: "integers of these pictures are at most \(number) steps apart"
    case .signal: "the noise of levels is never above their largest signal"
    case .change: "a difference of levels changes by at most \(number)"
    case .colorDistance: "no two colors of a screen are farther apart than \(number)"
    case .histograms: "histograms are at most \(number) apart"
    case .visibility: "FLIP is never above \(number)"
    case .probability: "a probability is never below \(number)"
    }
  }
}
