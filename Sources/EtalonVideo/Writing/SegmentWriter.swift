internal import CFFmpeg
package import EtalonDiagnostics
package import EtalonMedia
package import EtalonTypes

/// Compresses some frames of a video into a file of their own.
///
/// The first one needs no frame before it, and no frame before it needs one of them. Without `finish()` nothing is left behind.
///
/// **Concurrency**: used by one thread at a time; several segments of a video may be written at the same time.
@safe
package final class SegmentWriter {
  private let settings: VideoOutputSettings
  private let encoder: PacketEncoder
  private let packet: Packet
  private let file: SegmentFileWriter
  private let path: String
  private let first: Int
  private let enter: (VideoSegments.Segment) throws(RenderError) -> Void
  private var lastTime: Int64?
  private var meter: LightMeter?

  /// How many frames it was given.
  package private(set) var frameCount = 0
  /// The segment, when it is finished.
  package private(set) var finished: VideoSegments.Segment?

  init(
    _ settings: VideoOutputSettings, first: Int, path: String, _ writing: EtalonWriting,
    enter: @escaping (VideoSegments.Segment) throws(RenderError) -> Void
  ) throws(RenderError) {
    self.settings = settings
    self.first = first
    self.path = path
    self.enter = enter
    meter = settings.lightMeter
    packet = try Packet(writing)
    encoder = try PacketEncoder(settings, writing)
    file = try SegmentFileWriter(path, name: settings.path, header: encoder.header, writing)
  }

  /// Takes the next frame, as `VideoWriter.write` does.
  package func write(_ planes: [FramePlane], timeStamp: Rational? = nil) throws(RenderError) {
    unsafe settings.check(planes)
    let time = try settings.ticks(of: timeStamp, frame: first + frameCount, after: lastTime)
    unsafe meter?.add(planes)
    try unsafe encoder.send(PacketEncoder.native(planes), time: time)
    lastTime = time
    frameCount += 1
    try writePackets()
  }

  /// Ends the segment and tells of it.
  package func finish() throws(RenderError) {
    guard frameCount > 0 else { return }
    try encoder.end(at: nil)
    try writePackets()
    try file.finish(synchronizes: settings.synchronizes)
    let segment = VideoSegments.Segment(frames: first..<first + frameCount, path: path, byteCount: file.byteCount, light: meter?.levels)
    try enter(segment)
    finished = segment
  }

  private func writePackets() throws(RenderError) {
    while try encoder.receive(packet) { try file.write(packet) }
  }
}
