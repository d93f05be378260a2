internal import CFFmpeg
package import EtalonDiagnostics
package import EtalonTypes

/// Samples of a stream of sound, from -1 to 1, channel by channel.
///
/// **Concurrency**: an immutable value with shared storage.
package struct SoundSamples: Sendable, Hashable {
  /// Samples a second.
  package let sampleRate: Int
  /// Lists of equally many samples.
  package let channels: [[Float]]
  /// The file's own time stamp of the first sample, in seconds, on the clock of `VideoDescription.startTime`.
  package let startTime: Rational
  /// Damaged packets, which have left gaps.
  package let damagedPackets: Int
}

/// Decodes the sound of a video or of a sound file, at its own rate and with its own channels.
///
/// Gaps of 50 ms to a minute between the time stamps of pieces are filled with silence, so that what follows keeps its time.
///
/// ```
/// let sound = try SoundReader("video.mp4").read()
/// ```
///
/// **Concurrency**: an immutable value; each call reads the file anew.
package struct SoundReader: Sendable {
  private let path: String
  private let stream: Int?
  private let options: VideoReader.Options
  private let limit: Int

  /// - Parameters:
  ///   - stream: which of the streams of sound, from 0; nil for the main one.
  ///   - limit: the most samples of all channels together; the default is 512 MiB of them.
  package init(_ path: String, stream: Int? = nil, options: VideoReader.Options = .init(), limit: Int = 1 << 27) {
    self.path = path
    self.stream = stream
    self.options = options
    self.limit = limit
  }

  /// Decodes the whole stream.
  package func read() throws(RenderError) -> SoundSamples {
    let decoder = try Decoder(path, stream: stream, sound: true, options: options)
    var times = SoundTimes(decoder)
    var channels: [[Float]] = []
    var rate = 0
    while let piece = try decoder.nextSound() {
      if channels.isEmpty {
        rate = Int(piece.sample_rate)
        channels = Array(repeating: [], count: Int(piece.channels))
      }
      guard Int(piece.sample_rate) == rate, Int(piece.channels) == channels.count else { throw changes(piece.sample_rate, piece.channels) }
      let change = times.add(piece)
      guard times.count * channels.count <= limit else { throw tooLong() }
      for index in channels.indices {
        let end = channels[index].count - change.lastCount
        channels[index].removeSubrange(end - change.mistaken..<end)
        channels[index] += repeatElement(0, count: change.silence)
        decoder.append(channel: index, of: piece, to: &channels[index])
      }
      guard !options.isStrict || times.damaged == 0 else { throw damaged(after: times.seconds(to: piece)) }
    }
    guard rate > 0, let start = times.start, let first = channels.first, !first.isEmpty else { throw empty() }
    // The last packets may have no samples.
    guard !options.isStrict || times.damaged == 0 else { throw damaged(after: Double(first.count) / Double(rate)) }
    return SoundSamples(sampleRate: rate, channels: channels, startTime: start, damagedPackets: times.damaged)
  }

  /// Looks for damage in the first seconds of the stream, without keeping its samples.
  ///
  /// - Returns: the damaged packets, and how many samples the whole stream has; nil where it goes on behind the seconds.
  package func examine(seconds: Double) throws(RenderError) -> (damagedPackets: Int, sampleCount: Int?) {
    let decoder = try Decoder(path, stream: stream, sound: true, options: options)
    var times = SoundTimes(decoder)
    while let piece = try decoder.nextSound() {
      _ = times.add(piece)
      if Double(times.count) > seconds * Double(max(1, piece.sample_rate)) { return (times.damaged, nil) }
    }
    return (times.damaged, times.count)
  }

  private func changes(_ rate: Int32, _ channels: Int32) -> RenderError {
    RenderError(
      .invalidInput, "the sound of '\(path)' changes to \(rate) samples a second and \(Int(channels).of("channel"))",
      help: ["convert it: ffmpeg -i \(ShellWord.quoted(path)) -c:a pcm_s16le sound.wav"])
  }

  private func tooLong() -> RenderError {
    RenderError(
      .invalidInput, "the sound of '\(path)' is too long: it has more than \(limit.of("sample"))",
      help: ["cut it: ffmpeg -i \(ShellWord.quoted(path)) -t 600 -c:a pcm_s16le sound.wav"])
  }

  private func damaged(after seconds: Double) -> RenderError {
    RenderError(.invalidInput, "the sound of '\(path)' is damaged after \(seconds) s", help: ["export or download it again"])
  }

  private func empty() -> RenderError { RenderError(.invalidInput, "the sound of '\(path)' has no samples") }
}

/// Where the pieces of a stream of sound lie in time.
private struct SoundTimes {
  /// What a piece changes in front of it, in samples of a channel.
  struct Change {
    /// Silence to add before the piece.
    var silence = 0
    /// Silence to take away before the piece before it, whose time stamp was wrong.
    var mistaken = 0
    /// How many samples the piece before has.
    var lastCount = 0
  }

  private let decoder: Decoder
  private let base: Rational
  /// The packets of these files follow each other without gaps: where one is missing, it was damaged so much that it was not found.
  private let isGapless: Bool
  private var missing = 0
  /// When the last piece ends by its own time stamp, in seconds.
  private var end: Double?
  /// The silence before the last piece, in samples.
  private var gap = 0
  private var lastCount = 0
  /// The time stamp of the first piece, in seconds.
  private(set) var start: Rational?
  /// The samples of a channel so far, silence included.
  private(set) var count = 0

  /// Gaps in seconds: shorter ones are rounded times, behind longer ones another time line begins.
  private static let gaps = 0.05...60

  init(_ decoder: Decoder) {
    self.decoder = decoder
    let said = unsafe decoder.describe()
    base = unsafe Rational(said.time_base) ?? 1
    isGapless = unsafe said.container.map { unsafe String(cString: $0) } == "flac"
  }

  /// The damaged packets: those that were counted, or where more of them are, the errors that the decoder only logged.
  var damaged: Int { max(decoder.damaged + missing, decoder.complaints) }

  /// Counts a piece.
  ///
  /// Gaps are measured from the end of the piece before, so that clocks that drift make none.
  mutating func add(_ piece: EtalonSoundInfo) -> Change {
    let stamp = piece.time_stamp == .min ? nil : base * Rational(Int(piece.time_stamp))
    start = start ?? stamp ?? 0
    let rate = Double(max(1, piece.sample_rate)), length = Double(piece.samples) / rate
    var change = Change(lastCount: lastCount)
    let last = gap
    gap = 0
    if let time = stamp?.double ?? end {
      if let end, Self.gaps.contains(time - end) {
        change.silence = Int(((time - end) * rate).rounded())
        gap = change.silence
        if isGapless { missing += 1 }
      } else if let end, time < end - Self.gaps.lowerBound {
        // The last piece was not as late as its time stamp said.
        change.mistaken = last
      }
      end = time + length
    }
    count += change.silence - change.mistaken + Int(piece.samples)
    lastCount = Int(piece.samples)
    return change
  }

  /// When a piece that was counted begins.
  func seconds(to piece: EtalonSoundInfo) -> Double { Double(count - Int(piece.samples)) / Double(max(1, piece.sample_rate)) }
}
