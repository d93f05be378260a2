internal import CFFmpeg
internal import EtalonDiagnostics
internal import EtalonMedia
internal import EtalonTypes

/// Where the frames of a video go.
protocol FrameTrack {
  /// What the caller shall be told.
  var notes: [String] { get }
  /// Takes a frame that begins at a time in ticks.
  func write(_ planes: [FramePlane], time: Int64) throws(RenderError)
  /// Writes what is left.
  ///
  /// - Parameter end: when the last frame ends; nil for as long as the one before it.
  func finish(end: Int64?) throws(RenderError)
}

/// An encoder and the file that its packets go to.
///
/// **Concurrency**: used by one thread at a time.
@safe
final class VideoTrack: FrameTrack {
  private let encoder: PacketEncoder
  private let muxer: Muxer
  private let packet: Packet
  private let number: Int32
  private let sound: (track: SoundTrack, number: Int32)?
  private let settings: VideoOutputSettings
  /// When the last frames begin, in ticks.
  private var times: (last: Int64, before: Int64)?

  /// What the caller shall be told about the sound.
  var notes: [String] { sound?.track.notes ?? [] }

  init(
    _ settings: VideoOutputSettings, container: VideoContainer, path: String, options: [EncoderOptions.Option] = [],
    _ writing: EtalonWriting
  ) throws(RenderError) {
    let options = EncoderOptions(settings).muxer(container) + options
    self.settings = settings
    packet = try Packet(writing)
    encoder = try PacketEncoder(settings, writing)
    muxer = try Muxer(settings, container: container, path: path, options: options, writing)
    number = try muxer.addVideo(
      encoder, displayMatrix: DisplayMatrix.numbers(orientation: settings.orientation, size: settings.size), light: settings.light)
    sound =
      switch settings.sound {
      case .none: nil
      case .file(let file):
        try Self.add(SoundTrack(file, container: container, videoCodec: settings.codec, writing), to: muxer)
      }
    try muxer.begin()
  }

  private static func add(_ sound: SoundTrack, to muxer: Muxer) throws(RenderError) -> (track: SoundTrack, number: Int32) {
    (sound, try muxer.addSound(sound))
  }

  func write(_ planes: [FramePlane], time: Int64) throws(RenderError) {
    try unsafe send(PacketEncoder.native(planes), time: time)
  }

  /// Takes a frame of indices into a palette of 256 colors.
  func write(indices: [UInt8], palette: [UInt32], time: Int64) throws(RenderError) {
    let result = unsafe indices.withUnsafeBufferPointer { indices in
      unsafe palette.withUnsafeBytes { palette in
        let planes = unsafe [
          EtalonPlane(rows: indices.baseAddress, bytesPerRow: settings.size.width),
          EtalonPlane(rows: palette.baseAddress?.assumingMemoryBound(to: UInt8.self), bytesPerRow: palette.count),
        ]
        return Result { () throws(RenderError) in try unsafe send(planes, time: time) }
      }
    }
    try result.get()
  }

  private func send(_ planes: [EtalonPlane], time: Int64) throws(RenderError) {
    try unsafe encoder.send(planes, time: time)
    times = (time, times?.last ?? time - 1)
    try writePackets()
    try writeSound(until: time, isLast: false)
  }

  func finish(end: Int64?) throws(RenderError) {
    try encoder.end(at: end)
    try writePackets()
    if let times { try writeSound(until: end ?? 2 * times.last - times.before, isLast: true) }
    try muxer.finish()
  }

  /// What decoders need before the first packet.
  var header: [UInt8] { encoder.header }

  /// Writes a packet that was made before.
  func append(_ packet: Packet, time: Int64) throws(RenderError) {
    try muxer.write(packet, track: number)
    try writeSound(until: time, isLast: false)
  }

  /// Ends a video of packets that were made before.
  func finishAppended(end: Int64) throws(RenderError) {
    try writeSound(until: end, isLast: true)
    try muxer.finish()
  }

  private func writePackets() throws(RenderError) {
    while try encoder.receive(packet) { try muxer.write(packet, track: number) }
  }

  /// Writes the sound up to a time in ticks.
  private func writeSound(until time: Int64, isLast: Bool) throws(RenderError) {
    guard let sound else { return }
    let limit = settings.timing.tick * Rational(Int(time))
    while try sound.track.next(packet, limit: limit, isLast: isLast) { try muxer.write(packet, track: sound.number) }
  }
}
