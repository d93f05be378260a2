internal import CFFmpeg
internal import EtalonDiagnostics
internal import EtalonMedia
internal import EtalonTypes

/// The frames of a video that says before its first frame what only the last one tells: they are encoded at once, and their packets wait on the disk.
///
/// **Concurrency**: used by one thread at a time.
@safe
final class SpooledTrack: FrameTrack {
  private let settings: VideoOutputSettings
  private let path: String
  private let writing: EtalonWriting
  private let encoder: PacketEncoder
  private let packet: Packet
  /// The packets until they are in the video; nil then.
  private var file: SegmentFileWriter?
  private var meter: LightMeter?
  private var count = 0

  private(set) var notes: [String] = []

  /// Whether a video is one of those.
  static func isNeeded(_ settings: VideoOutputSettings) -> Bool {
    // A stream is watched while it is written, and MPEG-TS has no place for levels of light.
    guard settings.container != .m3u8 else { return false }
    return settings.lightMeter != nil || settings.codec == .apng && settings.timing.rate == nil
  }

  /// - Parameter path: where the video is written in the end.
  init(_ settings: VideoOutputSettings, path: String, _ writing: EtalonWriting) throws(RenderError) {
    self.settings = settings
    self.path = path
    self.writing = writing
    meter = settings.lightMeter
    packet = try Packet(writing)
    encoder = try PacketEncoder(settings, writing)
    file = try SegmentFileWriter(settings.path, name: settings.path, header: encoder.header, writing)
  }

  func write(_ planes: [FramePlane], time: Int64) throws(RenderError) {
    unsafe meter?.add(planes)
    try unsafe encoder.send(PacketEncoder.native(planes), time: time)
    count += 1
    try writePackets()
  }

  func finish(end: Int64?) throws(RenderError) {
    guard count > 0, let file else { return }
    try encoder.end(at: end)
    try writePackets()
    let part = VideoSegments.Segment(frames: 0..<count, path: try file.end(), byteCount: file.byteCount, light: meter?.levels)
    let join = try SegmentJoin([part], settings, writing)
    let time = end.map { Rational(Int($0)) * settings.timing.tick }
    notes = try join.write(path, end: time, options: join.lastDelay(end: end))
    self.file = nil
  }

  private func writePackets() throws(RenderError) {
    while try encoder.receive(packet) { try file?.write(packet) }
  }
}
