internal import EtalonComparison
internal import EtalonTypes

extension PictureComparison {
  /// Whether nothing differs at all.
  var isEqual: Bool { color?.differing == 0 && alpha?.differing == 0 && nonFinite?.differingPixels ?? 0 == 0 }

  /// What is wrong, in one line: the worst limit, how many pixels, and where it is worst.
  var words: String {
    let limit = limits.first { $0.verdict != .pass && $0.key != "nan" && $0.value.isFinite }
    return ([nonFinite?.words, limit?.words].compactMap(\.self) + [differenceWords]).filter { !$0.isEmpty }.joined(separator: "; ")
  }

  /// How many pixels differ, and where most, whatever any limit says.
  var differenceWords: String {
    var parts: [String] = []
    for (name, channel) in [("", color), (" of alpha", alpha)] {
      guard let channel, channel.differing > 0 else { continue }
      parts.append(channel.differing.of("pixel differs", "pixels differ") + name)
      if let worst = channel.worst {
        parts.append(worst.words)
      }
    }
    return parts.joined(separator: "; ")
  }

  /// The same of limits that decide in the place of the specification, with the figures beside them where they hold, too.
  var plainWords: String {
    guard verdict == .pass, let limit = limits.first else { return words }
    return "\(limit.words); \(words)"
  }

  fileprivate static func short(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e9 ? "\(Int(value))" : "\((value * 10_000).rounded() / 10_000)"
  }
}

extension PixelDifference {
  /// Where a pixel differs most, and what it is and was.
  fileprivate var words: String {
    let index = ["r", "g", "b", "a"].firstIndex(of: channel) ?? 0
    func text(_ values: [MeasuredNumber]) -> String { index < values.count ? PictureComparison.short(values[index].wrappedValue) : "?" }
    return "most at column \(place.x), row \(place.yFromTop) from the top: \(channel) is \(text(actual)), was \(text(reference))"
  }
}

/// What fails of several frames, or warns where none fails, in one line: how many, the first, and the worst.
struct SequenceNote {
  private let frames: [FrameResult]

  init(_ frames: [FrameResult]) { self.frames = frames }

  /// Nil for a single frame, and where all pass.
  var text: String? {
    let failed = frames.filter { $0.verdict == .failed }
    let found = failed.isEmpty ? frames.filter { $0.verdict == .warning || $0.verdict == .notWorkedOut } : failed
    guard frames.count > 1, let first = found.first else { return nil }
    let verb = (failed.isEmpty ? "warn" : "fail") + (found.count == 1 ? "s" : "")
    func largest(_ frame: FrameResult) -> Double { max(frame.comparison?.color?.largest ?? 0, frame.comparison?.alpha?.largest ?? 0) }
    guard let worst = found.max(by: { largest($0) < largest($1) }) else { return nil }
    let flicker = frames.compactMap { frame in frame.flicker.map { (frame.moment, $0.mean) } }.max { $0.1 < $1.1 }
    let change = flicker.map { $0.1 > 0 ? "; the difference changes most to \($0.0), by \(PictureComparison.short($0.1)) on average" : "" }
    return "\(found.count) of \(frames.count) frames \(verb): \(first.moment) is the first, \(worst.moment) the worst\(change ?? "")"
  }
}
