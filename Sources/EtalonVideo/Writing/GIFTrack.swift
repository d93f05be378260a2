internal import CFFmpeg
internal import EtalonDiagnostics
internal import EtalonMedia
internal import EtalonTypes

/// The frames of a GIF, which wait on the disk until all are there and the palette can be made.
///
/// libavcodec's encoder leaves out what did not change from one frame to the next, and cuts frames to the rectangle that did.
///
/// **Concurrency**: used by one thread at a time.
@safe
final class GIFTrack: FrameTrack {
  private let settings: VideoOutputSettings
  private let path: String
  private let writing: EtalonWriting
  private let spool: FrameSpool
  private var histogram = GIFHistogram()
  /// When frames begin, in hundredths of a second.
  private var times: [Int64] = []

  let notes: [String] = []

  init(_ settings: VideoOutputSettings, path: String, _ writing: EtalonWriting) throws(RenderError) {
    self.settings = settings
    self.path = path
    self.writing = writing
    spool = try FrameSpool(beside: settings.path, frameBytes: settings.size.pixelCount * settings.layout.planeCount)
  }

  func write(_ planes: [FramePlane], time: Int64) throws(RenderError) {
    // Of frames that begin in the same hundredth of a second the first is shown.
    let hundredths = hundredths(time)
    if let last = times.last, hundredths <= last { return }
    let pixels = unsafe FramePlane.interleaved(planes, size: settings.size)
    histogram.add(pixels, channels: planeCount)
    try spool.append(pixels)
    times.append(hundredths)
  }

  func finish(end: Int64?) throws(RenderError) {
    let palette = GIFPalette(histogram)
    let mapping = GIFMapping(palette, histogram)
    let track = try track(lastDelay: lastDelay(end))
    let words = palette.words
    for number in 0..<spool.count {
      let indices = mapping.indices(try spool.frame(number), channels: planeCount, width: settings.size.width)
      try track.write(indices: indices, palette: words, time: times[number])
    }
    try track.finish(end: nil)
  }

  private var planeCount: Int { settings.layout.planeCount }

  /// How long the last frame is shown.
  private func lastDelay(_ end: Int64?) -> Int64 {
    guard let last = times.last else { return 1 }
    let end = end.map { hundredths($0) } ?? lastEnd(last)
    return min(max(end - last, 1), 65535)
  }

  private func lastEnd(_ last: Int64) -> Int64 {
    if let rate = settings.timing.rate {
      // Counted from the first frame, so that the sum is right.
      return Int64((Rational(spool.count * 100) / rate.framesPerSecond + Rational(1, 2)).floor)
    }
    return times.count > 1 ? 2 * last - times[times.count - 2] : last + 10
  }

  private func track(lastDelay: Int64) throws(RenderError) -> VideoTrack {
    var settings = settings
    settings.timing = .timeStamps(tick: Rational(1, 100))
    // FFmpeg counts repetitions: 0 for without end, -1 for none.
    let repeats = settings.plays.map { $0 == 1 ? -1 : $0 - 1 } ?? 0
    return try VideoTrack(
      settings, container: .gif, path: path, options: [("loop", "\(repeats)"), ("final_delay", "\(lastDelay)")], writing)
  }

  private func hundredths(_ time: Int64) -> Int64 {
    Int64((settings.timing.tick * Rational(Int(time)) * 100 + Rational(1, 2)).floor)
  }
}
