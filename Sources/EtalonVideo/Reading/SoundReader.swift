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
    let base = unsafe Rational(decoder.describe().time_base) ?? 1
    var channels: [[Float]] = []
    var rate = 0
    var start: Rational?
    while let piece = try decoder.nextSound() {
      if channels.isEmpty {
        rate = Int(piece.sample_rate)
        channels = Array(repeating: [], count: Int(piece.channels))
        start = piece.time_stamp == .min ? 0 : base * Rational(Int(piece.time_stamp))
      }
      guard Int(piece.sample_rate) == rate, Int(piece.channels) == channels.count else { throw changes(piece.sample_rate, piece.channels) }
      let count = channels.first?.count ?? 0
      guard (count + Int(piece.samples)) * channels.count <= limit else { throw tooLong() }
      for index in channels.indices { decoder.append(channel: index, of: piece, to: &channels[index]) }
      guard !options.isStrict || decoder.damagedSounds == 0 else { throw damaged(after: Double(count) / Double(max(1, rate))) }
    }
    guard rate > 0, let start, let first = channels.first, !first.isEmpty else { throw empty() }
    // The last packets may have no samples.
    guard !options.isStrict || decoder.damagedSounds == 0 else { throw damaged(after: Double(first.count) / Double(rate)) }
    return SoundSamples(sampleRate: rate, channels: channels, startTime: start, damagedPackets: decoder.damagedSounds)
  }

  /// Looks for damage in the first seconds of the stream, without keeping its samples.
  ///
  /// - Returns: the damaged packets, and how many samples the whole stream has; nil where it goes on behind the seconds.
  package func examine(seconds: Double) throws(RenderError) -> (damagedPackets: Int, sampleCount: Int?) {
    let decoder = try Decoder(path, stream: stream, sound: true, options: options)
    var count = 0
    while let piece = try decoder.nextSound() {
      count += Int(piece.samples)
      if Double(count) > seconds * Double(max(1, piece.sample_rate)) { return (decoder.damagedSounds, nil) }
    }
    return (decoder.damagedSounds, count)
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

extension Decoder {
  /// Damaged packets of a stream of sound: those that were counted, or where more of them are, the errors that the decoder only logged.
  fileprivate var damagedSounds: Int { max(damaged, complaints) }
}
