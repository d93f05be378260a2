package import EtalonDiagnostics

/// Sound in memory: samples from -1 to 1, channel by channel.
///
/// **Concurrency**: an immutable value with shared storage.
package struct Sound: Sendable, Hashable {
  /// Samples a second.
  package let sampleRate: Int
  /// One or two lists of equally many samples.
  package let channels: [[Float]]
  /// Whether it begins again at its end.
  package let repeats: Bool

  package init(sampleRate: Int, channels: [[Float]], repeats: Bool = false) {
    precondition(sampleRate > 0 && !channels.isEmpty && channels.allSatisfy { $0.count == channels[0].count }, "no sound")
    self.sampleRate = sampleRate
    self.channels = channels
    self.repeats = repeats
  }

  /// The number of samples of each channel, in one round of a sound that repeats.
  package var sampleCount: Int { channels[0].count }

  /// A sample; silence before the first, and behind the last unless the sound repeats.
  package func sample(_ index: Int, of channel: Int) -> Double {
    let index = repeats && index >= sampleCount && sampleCount > 0 ? index % sampleCount : index
    return (0..<sampleCount).contains(index) ? Double(channels[channel][index]) : 0
  }

  /// The mean of all channels.
  package var mono: Sound {
    guard channels.count > 1 else { return self }
    let mixed = channels[0].indices.map { index in channels.reduce(0) { $0 + $1[index] } / Float(channels.count) }
    return Sound(sampleRate: sampleRate, channels: [mixed], repeats: repeats)
  }
}

/// Reads WAV files: whole numbers of 8, 16, 24 and 32 bits, floating-point numbers of 32 and 64, one or two channels.
///
/// A file that is cut short, or whose length was never written, has the samples that are there.
///
/// ```
/// let song = try WAVReader().read(path: "song.wav")
/// ```
///
/// **Concurrency**: an immutable value.
package struct WAVReader: Sendable {
  private static let mostBytes = 1 << 30
  private static let mostChunks = 10_000

  package init() {}

  /// Whether some bytes are the start of a WAV file.
  package static func recognizes(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: Array("RIFF".utf8)) && bytes.dropFirst(8).starts(with: Array("WAVE".utf8))
  }

  /// Reads a file.
  package func read(path: String) throws(RenderError) -> Sound {
    try read(FileReader.bytes(of: path, limit: Self.mostBytes), name: path)
  }

  /// Reads the bytes of a file; `name` is what errors call it.
  package func read(_ bytes: [UInt8], name: String) throws(RenderError) -> Sound {
    guard Self.recognizes(bytes) else { throw Self.error(name, "it does not start as one") }
    var format: WAVFormat?
    var position = 12
    for _ in 0..<Self.mostChunks where position + 8 <= bytes.count {
      let id = String(decoding: bytes[position..<position + 4], as: UTF8.self)
      let length = bytes.littleEndian(at: position + 4, count: 4)
      let start = position + 8, end = min(start + length, bytes.count)
      switch id {
      case "fmt ":
        do throws(WAVFormat.FormatError) { format = try WAVFormat(bytes[start..<end]) } catch {
          throw Self.error(name, error.text, error.help)
        }
      case "data":
        guard let format else { throw Self.error(name, "its samples come before their format") }
        // Programs that write into a pipe leave the length open.
        return try sound(bytes[start..<(length == 0 ? bytes.count : end)], format, name)
      default: break
      }
      // Chunks begin at even places.
      position = start + length + length % 2
    }
    throw Self.error(name, format == nil ? "it does not say what its samples are" : "it has no samples")
  }

  private func sound(_ data: ArraySlice<UInt8>, _ format: WAVFormat, _ name: String) throws(RenderError) -> Sound {
    let count = data.count / format.bytesPerFrame
    guard count > 0 else { throw Self.error(name, "it has no samples") }
    let channels = (0..<format.channelCount).map { channel in
      (0..<count).map { format.sample(data, at: data.startIndex + $0 * format.bytesPerFrame + channel * format.bytesPerSample) }
    }
    return Sound(sampleRate: format.sampleRate, channels: channels)
  }

  private static func error(_ name: String, _ reason: String, _ help: String? = nil) -> RenderError {
    RenderError(
      .invalidInput, "'\(name)' is not a WAV sound that Etalon reads", underlying: reason,
      help: [help ?? "convert it: ffmpeg -i '\(name)' -c:a pcm_s16le sound.wav"])
  }
}

/// What the samples of a WAV file are.
struct WAVFormat: Sendable, Hashable {
  struct FormatError: Error {
    let text: String
    var help: String?
  }

  enum Encoding: Sendable {
    case wholeNumbers
    case floatingPoint
  }

  let encoding: Encoding
  let channelCount: Int
  let sampleRate: Int
  let bytesPerSample: Int
  var bytesPerFrame: Int { channelCount * bytesPerSample }

  /// Reads the chunk that describes the samples.
  init(_ chunk: ArraySlice<UInt8>) throws(FormatError) {
    let bytes = Array(chunk)
    guard bytes.count >= 16 else { throw FormatError(text: "its description is cut short") }
    var tag = bytes.littleEndian(at: 0, count: 2)
    // WAVE_FORMAT_EXTENSIBLE: the tag is the start of an identifier.
    if tag == 0xFFFE, bytes.count >= 40 { tag = bytes.littleEndian(at: 24, count: 2) }
    channelCount = bytes.littleEndian(at: 2, count: 2)
    sampleRate = bytes.littleEndian(at: 4, count: 4)
    let bits = bytes.littleEndian(at: 14, count: 2)
    switch (tag, bits) {
    case (1, 8), (1, 16), (1, 24), (1, 32): encoding = .wholeNumbers
    case (3, 32), (3, 64): encoding = .floatingPoint
    default: throw FormatError(text: "its samples are of kind \(tag) with \(bits) bits")
    }
    bytesPerSample = bits / 8
    guard (1...2).contains(channelCount) else {
      throw FormatError(text: "it has \(channelCount) channels", help: "mix it to one or two: ffmpeg -i in.wav -ac 2 sound.wav")
    }
    guard (1000...768_000).contains(sampleRate) else { throw FormatError(text: "it has \(sampleRate) samples a second") }
    let frame = bytes.littleEndian(at: 12, count: 2)
    guard frame == bytesPerFrame else { throw FormatError(text: "its samples take \(frame) bytes together, not \(bytesPerFrame)") }
  }

  /// The sample at a place, from -1 to 1 for whole numbers; what is no number is silence.
  func sample(_ bytes: ArraySlice<UInt8>, at place: Int) -> Float {
    let word = (0..<bytesPerSample).reduce(UInt64(0)) { $0 | UInt64(bytes[place + $1]) << (8 * UInt64($1)) }
    switch (encoding, bytesPerSample) {
    case (.floatingPoint, 4): return Self.finite(Float(bitPattern: UInt32(word)))
    case (.floatingPoint, _): return Self.finite(Float(Double(bitPattern: word)))
    case (.wholeNumbers, 1): return Float(Int(word) - 128) / 128
    default:
      let shift = 64 - 8 * bytesPerSample
      let signed = Int64(bitPattern: word << UInt64(shift)) >> Int64(shift)
      return Float(Double(signed) / Double(Int64(1) << Int64(8 * bytesPerSample - 1)))
    }
  }

  private static func finite(_ value: Float) -> Float { value.isFinite ? value : 0 }
}

extension Array<UInt8> {
  /// A whole number without a sign.
  fileprivate func littleEndian(at place: Int, count: Int) -> Int {
    (0..<count).reduce(0) { $0 | Int(self[place + $1]) << (8 * $1) }
  }
}
