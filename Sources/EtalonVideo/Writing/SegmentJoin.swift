internal import CFFmpeg
internal import EtalonDiagnostics
internal import EtalonMedia
internal import EtalonTypes

/// Writes the packets of several parts into one video.
///
/// An encoder that reorders frames gives decoding times before the first frame of its part, which may overlap with those of the part before. So they are made
/// anew: in the order of decoding, each packet gets the time of the frame that lies as many frames earlier as any part reorders.
@safe
struct SegmentJoin {
  private let settings: VideoOutputSettings
  private let writing: EtalonWriting
  private let parts: [Part]

  private struct Part {
    var path: String
    var reader: SegmentFileReader
    var records: [SegmentFileReader.Record]
  }

  init(_ segments: [VideoSegments.Segment], _ settings: VideoOutputSettings, _ writing: EtalonWriting) throws(RenderError) {
    var settings = settings
    settings.light = segments.compactMap(\.light).reduce(nil) { (found: LightLevels?, levels) in found?.joined(levels) ?? levels }
    self.settings = settings
    self.writing = writing
    var parts: [Part] = []
    for segment in segments {
      guard let reader = SegmentFileReader(segment.path), let records = reader.records(), records.count == segment.frames.count else {
        throw Self.damaged(segment.path, settings)
      }
      parts.append(Part(path: segment.path, reader: reader, records: records))
    }
    self.parts = parts
  }

  private static func damaged(_ part: String, _ settings: VideoOutputSettings) -> RenderError {
    RenderError(
      .invalidInput, "cannot join '\(settings.path)'", underlying: "'\(part)' is damaged",
      help: ["remove it, and render again: rm \(ShellWord.quoted(part))"])
  }

  /// Writes the file; returns what a person shall be told.
  func write(_ path: String, end: Rational?, options: [EncoderOptions.Option] = []) throws(RenderError) -> [String] {
    guard let container = settings.container else { preconditionFailure("'\(settings.path)' does not end like a video") }
    let track = try VideoTrack(settings, container: container, path: path, options: options, writing)
    if parts.contains(where: { $0.reader.header != track.header }) {
      throw RenderError(
        .invalidInput, "cannot join '\(settings.path)'", underlying: "its parts were made by another encoder",
        help: ["remove the folder with the parts, and render again"])
    }
    let times = parts.flatMap { $0.records.map(\.time) }.sorted()
    let end = end.map { settings.nearestTick($0) } ?? Self.end(of: times, isRegular: settings.timing.rate != nil)
    let delay = parts.map(Self.delay).max() ?? 0
    let packet = try Packet(writing)
    var place = 0
    for part in parts {
      for record in part.records {
        guard part.reader.isWhole(record) else { throw Self.damaged(part.path, settings) }
        let timed = timed(record, place, times, delay: delay, end: end)
        try part.reader.fill(packet, with: timed, writing)
        try track.append(packet, time: timed.decodingTime)
        place += 1
      }
    }
    try track.finishAppended(end: end)
    return track.notes
  }

  /// What a picture that moves says about how long its last frame is shown.
  func lastDelay(end: Int64?) -> [EncoderOptions.Option] {
    guard settings.codec == .apng, let end, let last = parts.last?.records.map(\.time).max(), end > last else { return [] }
    let delay = settings.timing.tick * Rational(Int(end - last))
    return [("final_delay", "\(delay.numerator)/\(delay.denominator)")]
  }

  private func timed(
    _ record: SegmentFileReader.Record, _ place: Int, _ times: [Int64], delay: Int, end: Int64
  ) -> SegmentFileReader.Record {
    var record = record
    record.decodingTime = Self.decodingTime(place, times, delay)
    record.duration = duration(of: record, times, end: end)
    if place == times.count - 1 {
      // Containers add up the distances of packets in the order of decoding.
      let wanted = end - times[0] - (record.decodingTime - Self.decodingTime(0, times, delay))
      record.duration = max(1, min(wanted, end - record.time))
    }
    return record
  }

  private static func decodingTime(_ place: Int, _ times: [Int64], _ delay: Int) -> Int64 {
    guard place < delay else { return times[place - delay] }
    let step = times.count > 1 ? times[1] - times[0] : 1
    return times[0] - Int64(delay - place) * step
  }

  private func duration(of record: SegmentFileReader.Record, _ times: [Int64], end: Int64) -> Int64 {
    // The first time behind that of the record.
    var low = 0
    var high = times.count
    while low < high {
      let middle = (low + high) / 2
      if times[middle] <= record.time { low = middle + 1 } else { high = middle }
    }
    return max(1, (low < times.count ? times[low] : end) - record.time)
  }

  /// How many frames a part decodes before the first one that it shows.
  private static func delay(_ part: Part) -> Int {
    guard let first = part.records.map(\.time).min() else { return 0 }
    return part.records.prefix { $0.decodingTime < first }.count
  }

  private static func end(of times: [Int64], isRegular: Bool) -> Int64 {
    let last = times[times.count - 1]
    return isRegular || times.count == 1 ? last + 1 : 2 * last - times[times.count - 2]
  }
}
