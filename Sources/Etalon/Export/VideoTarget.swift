internal import EtalonDiagnostics
internal import EtalonTypes
internal import EtalonVideo

/// What the frames of a video are written to.
protocol VideoTarget: AnyObject {
  /// The places of the frames that are not there yet.
  func missing(of count: Int) -> [Int]
  /// Takes a frame; places increase.
  func write(_ planes: [FramePlane], at place: Int, timeStamp: Rational?) throws(RenderError)
  var byteCount: Int { get }
  /// What is worth saying about sound; asked after the end.
  var notes: [String] { get }
  func finish(end: Rational?) throws(RenderError)
  /// Ends early; returns the path of a video with the frames from the first one on.
  func finishPart() throws(RenderError) -> String?
  func abandon()
}

/// A video that is written in one go.
final class WholeVideo: VideoTarget {
  private let writer: VideoWriter

  init(_ writer: VideoWriter) { self.writer = writer }

  func missing(of count: Int) -> [Int] { Array(0..<count) }
  func write(_ planes: [FramePlane], at place: Int, timeStamp: Rational?) throws(RenderError) {
    try unsafe writer.write(planes, timeStamp: timeStamp)
  }
  var byteCount: Int { writer.byteCount }
  var notes: [String] { writer.notes }
  func finish(end: Rational?) throws(RenderError) { try writer.finish(end: end) }
  func finishPart() throws(RenderError) -> String? { try writer.finishPart() }
  func abandon() { writer.abandon() }
}

/// A video that is written in parts, each of which a later run finds again.
final class VideoParts: VideoTarget {
  /// So many frames are lost at most when a run is killed.
  private static let mostFrames = 120

  private let segments: VideoSegments
  private var current: (writer: SegmentWriter, next: Int)?
  private(set) var notes: [String] = []

  init(_ segments: VideoSegments) { self.segments = segments }

  func missing(of count: Int) -> [Int] { segments.missing(of: count).flatMap { Array($0) } }

  func write(_ planes: [FramePlane], at place: Int, timeStamp: Rational?) throws(RenderError) {
    if let current, current.next != place || current.writer.frameCount >= Self.mostFrames { try close() }
    let writer: SegmentWriter
    if let current { writer = current.writer } else { writer = try segments.begin(at: place) }
    try unsafe writer.write(planes, timeStamp: timeStamp)
    current = (writer, place + 1)
  }

  private func close() throws(RenderError) {
    try current?.writer.finish()
    current = nil
  }

  var byteCount: Int { segments.finished.reduce(0) { $0 + $1.byteCount } }

  func finish(end: Rational?) throws(RenderError) {
    try close()
    notes = try segments.join(count: segments.finished.last?.frames.upperBound ?? 0, end: end)
    segments.removePart()
    segments.remove()
  }

  func finishPart() throws(RenderError) -> String? {
    try close()
    return try segments.joinPart()
  }

  /// The parts before the failure stay for the next run.
  func abandon() { current = nil }
}
