public import EtalonTypes

/// Finds the limits of a tolerance that nothing can exceed, with which every picture would pass.
struct UnreachableLimits {
  private let tolerance: Tolerance
  private let kinds: Set<ChannelKind>
  private let size: Size?

  /// - Parameters:
  ///   - kinds: what the pictures may be compared as; a limit that any of them can exceed is fine.
  ///   - size: the size of the pictures, where it is known.
  init(_ tolerance: Tolerance, comparing kinds: Set<ChannelKind>, size: Size?) {
    (self.tolerance, self.kinds, self.size) = (tolerance, kinds, size)
  }

  var diagnostics: [ToleranceDiagnostic] {
    var found = diagnostics(of: tolerance.color, "")
    if let alpha = tolerance.alpha { found += diagnostics(of: alpha, "alpha.") }
    found += minimum("noise", tolerance.noise, .probability)
    found += maximum("flicker", tolerance.flicker, .change)
    found += maximum("flip.mean", tolerance.flip?.mean, .visibility)
    found += maximum("flip.percentile.value", tolerance.flip?.percentile?.value, .visibility)
    if let oklab = tolerance.oklab { found += diagnostics(of: oklab) }
    if tolerance.ssimGaussian != nil, let size, min(size.width, size.height) < Tolerance.gaussianWindow {
      let side = Tolerance.gaussianWindow
      found.append(
        ToleranceDiagnostic(
          key: "ssimGaussian", message: "'ssimGaussian' looks at windows of \(side)x\(side) pixels, and none fits into \(size)",
          help: "write 'ssim', which has smaller windows, or compare larger pictures", part: .key))
    }
    return found
  }

  private func diagnostics(of limits: ChannelTolerance, _ prefix: String) -> [ToleranceDiagnostic] {
    let maxima: [(String, Limit?, BoundedLimit)] = [
      ("channel", limits.channel, .level), ("ceiling", limits.ceiling, .level), ("mean", limits.mean, .level),
      ("rmse", limits.rmse, .level), ("relative", limits.relative, .relative), ("ulp", limits.ulp, .step), ("emd", limits.emd, .histograms),
    ]
    var found = maxima.flatMap { maximum(prefix + $0, $1, $2) }
    found += minimum(prefix + "psnr", limits.psnr, .signal)
    if let outliers = limits.outliers { found += diagnostics(of: outliers, prefix + "outliers") }
    if let window = limits.window { found += crowd(prefix + "window.outliers", window.outliers, window: window.size) }
    return found
  }

  private func diagnostics(of oklab: OKLabLimit) -> [ToleranceDiagnostic] {
    let distance = maximum("oklab.distance", Limit(fail: oklab.distance), .colorDistance)
      .map { ToleranceDiagnostic(key: "oklab.distance", message: $0.message, help: $0.help) }
    return distance + crowd("oklab.pixels", oklab.pixels, window: oklab.window)
  }

  // MARK: limits of numbers

  private func maximum(_ key: String, _ limit: Limit?, _ kind: BoundedLimit) -> [ToleranceDiagnostic] {
    // What one of the kinds has no bound for may be exceeded.
    let bounds = kinds.map { $0.bound(of: kind) }
    guard let limit, let bound = bounds.compactMap(\.self).max(), !bounds.contains(nil) else { return [] }
    return Self.levels(limit).filter { $0.level >= bound }.map { name, level in
      ToleranceDiagnostic(
        key: "\(key).\(name)",
        message: "nothing can exceed '\(key)' \(PlainNumber.text(level)), so it would never \(name): \(kind.reason(bound))",
        help: "write a number below \(PlainNumber.text(bound)), or leave '\(key)' out")
    }
  }

  private func minimum(_ key: String, _ limit: Limit?, _ kind: BoundedLimit) -> [ToleranceDiagnostic] {
    let bounds = kinds.map { $0.bound(of: kind) }
    guard let limit, let bound = bounds.compactMap(\.self).min(), !bounds.contains(nil) else { return [] }
    return Self.levels(limit).filter { $0.level <= bound }.map { name, level in
      ToleranceDiagnostic(
        key: "\(key).\(name)",
        message: "nothing can fall below '\(key)' \(PlainNumber.text(level)), so it would never \(name): \(kind.reason(bound))",
        help: "write a number above \(PlainNumber.text(bound)), or leave '\(key)' out")
    }
  }

  private static func levels(_ limit: Limit) -> [(name: String, level: Double)] {
    [("warn", limit.warn), ("fail", limit.fail)].compactMap { name, level in level.map { (name, $0) } }
  }

  // MARK: limits of pixels

  /// The pixels that a window holds, or the whole picture; nil where the size would have to be known.
  private func room(window: Int?) -> (pixels: Int, words: String)? {
    let width = min(window ?? .max, size?.width ?? .max), height = min(window ?? .max, size?.height ?? .max)
    guard width < .max, height < .max, width > 0, height > 0 else { return nil }
    return (width * height, "\(width)x\(height) pixels are \(width * height)")
  }

  private func crowd(_ key: String, _ limit: Limit, window: Int?) -> [ToleranceDiagnostic] {
    guard let room = room(window: window) else { return [] }
    return Self.levels(limit).filter { $0.level >= Double(room.pixels) }.map { name, level in
      all(key, name, PlainNumber.text(level), room.words, below: "\(room.pixels)")
    }
  }

  private func diagnostics(of outliers: CountLimit, _ key: String) -> [ToleranceDiagnostic] {
    let pixels = size?.pixelCount
    var found: [ToleranceDiagnostic] = []
    for (name, level) in [("warn", outliers.warn), ("fail", outliers.fail)] {
      switch level {
      case .percent(let share)? where share >= 100:
        found.append(all(key, name, "\(level?.description ?? "")", "it is all pixels", below: "100%"))
      case .pixels(let count)? where pixels.map { count >= $0 } ?? false:
        found.append(all(key, name, "\(count)", "\(size?.description ?? "") pixels are \(pixels ?? 0)", below: "\(pixels ?? 0)"))
      default: break
      }
    }
    guard found.isEmpty, let warn = outliers.warn, let fail = outliers.fail, let pixels, let size else { return found }
    // A number and a share can only be compared when the size is known.
    guard warn.count(of: pixels) > fail.count(of: pixels), warn.isShare != fail.isShare else { return found }
    let counts = [warn, fail].map { $0.isShare ? "\($0) (\(PlainNumber.text($0.count(of: pixels))) of \(size) pixels)" : "\($0)" }
    return [
      ToleranceDiagnostic(
        key: key, message: "'warn' \(counts[0]) is beyond 'fail' \(counts[1]), so it would never warn", help: "'warn' is the smaller one")
    ]
  }

  private func all(_ key: String, _ name: String, _ level: String, _ reason: String, below: String) -> ToleranceDiagnostic {
    ToleranceDiagnostic(
      key: "\(key).\(name)", message: "nothing can exceed '\(key)' \(level), so it would never \(name): \(reason)",
      help: "write less than \(below), or leave '\(key)' out")
  }
}

extension PixelCount {
  fileprivate var isShare: Bool { if case .percent = self { true } else { false } }
}

// MARK: - bounds

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
  fileprivate func bound(of limit: BoundedLimit) -> Double? {
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
private enum BoundedLimit {
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
