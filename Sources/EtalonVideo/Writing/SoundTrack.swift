internal import CFFmpeg
internal import EtalonDiagnostics
internal import EtalonTypes

/// The packets of a sound file, as they are or encoded anew, with time stamps behind the start of a range.
///
/// **Concurrency**: used by one thread at a time.
@safe
final class SoundTrack {
  private let writing: EtalonWriting
  let handle: OpaquePointer
  private let path: String
  /// What the track says about itself.
  let metadata: [EncoderOptions.Option]
  /// What the caller shall be told.
  let notes: [String]

  init(
    _ plan: SoundPlan.SoundFile, container: VideoContainer, videoCodec: VideoCodec, _ writing: EtalonWriting
  ) throws(RenderError) {
    self.writing = writing
    path = plan.path
    var message = EtalonVideoMessage()
    var information = EtalonSoundInformation()
    let opened = unsafe writing.sound_open(
      plan.path, Int32(plan.track ?? -1), plan.start.map { EtalonVideoFraction($0) } ?? .none, plan.countsFromBeginning,
      plan.end.map { EtalonVideoFraction($0) } ?? .none, &information, &message)
    guard let opened = unsafe opened else { throw Self.cannotRead(plan.path, message) }
    unsafe handle = opened
    let format = SoundFormat(information)
    metadata = [("language", plan.language ?? format.language), ("title", format.title)].filter { !$0.1.isEmpty }
    let treatment = SoundTreatment(format, in: container, beside: videoCodec) { encoder in
      unsafe writing.has_encoder(encoder)
    } holds: { codec in
      unsafe writing.container_holds(container.libraryName, codec)
    }
    let result: Int32
    switch treatment {
    case .copy:
      notes = []
      result = unsafe writing.sound_copy(opened, container.hasEditList, &message)
    case .encode(let encoder):
      notes = [
        "the sound of '\(plan.path)' is \(format.codec), which '.\(container.rawValue)' does not hold: it is encoded as \(encoder.title)"
      ]
      result = unsafe writing.sound_encode(opened, encoder.name, Int32(encoder.bitRate), &message)
    }
    guard result == 1 else { throw Self.cannotRead(plan.path, message) }
  }

  deinit { unsafe writing.sound_close(handle) }

  /// Fills the packet with the next one before a time in seconds; false when there is none.
  ///
  /// - Parameter isLast: whether the video ends there.
  func next(_ packet: Packet, limit: Rational, isLast: Bool) throws(RenderError) -> Bool {
    var message = EtalonVideoMessage()
    let result = unsafe writing.sound_next(handle, EtalonVideoFraction(limit), isLast, packet.handle, &message)
    guard result >= 0 else { throw Self.cannotRead(path, message) }
    return result == 1
  }

  private static func cannotRead(_ path: String, _ message: EtalonVideoMessage) -> RenderError {
    message.error("cannot take the sound of '\(path)'")
  }
}

/// What is known of a sound before it is written.
struct SoundFormat {
  /// FFmpeg's name of the codec.
  var codec: String
  var language = ""
  var title = ""
  /// The bits of a sample; 0 where the codec does not say.
  var bits = 0
  var isLossless = false
}

extension SoundFormat {
  init(_ information: EtalonSoundInformation) {
    self.init(
      codec: text(information.codec), language: text(information.language), title: text(information.title), bits: Int(information.bits),
      isLossless: information.isLossless)
  }
}

/// The text of a fixed array of characters, up to its final zero.
private func text<Characters>(_ characters: Characters) -> String {
  unsafe withUnsafeBytes(of: characters) { unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
}

/// How a sound comes into a container.
///
/// | container | taken as they are | others become |
/// |---|---|---|
/// | mp4 | AAC, ALAC, MP3, AC-3, E-AC-3 | AAC |
/// | mov | the same, and PCM | PCM where nothing was lost before, or beside ProRes; otherwise AAC |
/// | webm | Opus, Vorbis | Opus; Vorbis where libavcodec has no Opus |
/// | mkv | all that Matroska has a name for | FLAC |
enum SoundTreatment: Equatable {
  struct Encoder: Equatable {
    /// What FFmpeg calls it.
    var name: String
    /// What people call it.
    var title: String
    /// Bits a second for each channel; 0 for codecs that have none.
    var bitRate: Int

    static let aac = Encoder(name: "aac", title: "AAC", bitRate: 96_000)
    static let opus = Encoder(name: "libopus", title: "Opus", bitRate: 64_000)
    static let vorbis = Encoder(name: "libvorbis", title: "Vorbis", bitRate: 80_000)
    static let flac = Encoder(name: "flac", title: "FLAC", bitRate: 0)
    static let pcm16 = Encoder(name: "pcm_s16le", title: "PCM with 16 bits", bitRate: 0)
    static let pcm24 = Encoder(name: "pcm_s24le", title: "PCM with 24 bits", bitRate: 0)
  }

  case copy
  case encode(Encoder)

  private static let movieCodecs: Set<String> = ["aac", "alac", "mp3", "ac3", "eac3"]
  private static let plainCodecs: Set<String> = [
    "pcm_s16le", "pcm_s16be", "pcm_s24le", "pcm_s24be", "pcm_s32le", "pcm_s32be", "pcm_f32le", "pcm_f32be",
  ]

  /// - Parameters:
  ///   - has: whether libavcodec has an encoder of a name.
  ///   - holds: whether libavformat has a name for a codec in the container.
  init(
    _ format: SoundFormat, in container: VideoContainer, beside videoCodec: VideoCodec, has: (String) -> Bool, holds: (String) -> Bool
  ) {
    let codec = format.codec
    switch container {
    case .mp4: self = Self.movieCodecs.contains(codec) ? .copy : .encode(.aac)
    case .mov where Self.movieCodecs.contains(codec) || Self.plainCodecs.contains(codec): self = .copy
    case .mov where format.isLossless || videoCodec != .h264: self = .encode((1...16).contains(format.bits) ? .pcm16 : .pcm24)
    case .mov: self = .encode(.aac)
    case .webm: self = codec == "opus" || codec == "vorbis" ? .copy : .encode(has("libopus") ? .opus : .vorbis)
    case .mkv: self = holds(codec) ? .copy : .encode(.flac)
    case .m3u8: self = codec == "aac" || codec == "mp3" || codec == "ac3" ? .copy : .encode(.aac)
    case .gif, .apng, .webp: preconditionFailure("a picture has no sound")
    }
  }
}
