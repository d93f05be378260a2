internal import EtalonDiagnostics
internal import EtalonMedia
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
  private let segments: VideoSegments
  /// The places that are written here, where other runs write the others; nil for all.
  private let portion: Set<Int>?
  /// How many frames the video has.
  private let count: Int
  private var current: (writer: SegmentWriter, next: Int)?
  private let finished: (VideoSegments.Segment) throws(RenderError) -> Void
  private(set) var notes: [String] = []

  /// - Parameters:
  ///   - portion: the places that are written here, where other runs write the others and one of them joins all; nil for all.
  ///   - finished: called with each part that is whole.
  init(
    _ segments: VideoSegments, count: Int, portion: Set<Int>?, finished: @escaping (VideoSegments.Segment) throws(RenderError) -> Void
  ) {
    (self.segments, self.count, self.portion, self.finished) = (segments, count, portion, finished)
  }

  func missing(of count: Int) -> [Int] {
    let places = segments.missing(of: count).flatMap { Array($0) }
    return portion.map { portion in places.filter(portion.contains) } ?? places
  }

  func write(_ planes: [FramePlane], at place: Int, timeStamp: Rational?) throws(RenderError) {
    if let current, current.next != place { try close() }
    let writer: SegmentWriter
    if let current { writer = current.writer } else { writer = try segments.begin(at: place) }
    try unsafe writer.write(planes, timeStamp: timeStamp)
    current = (writer, place + 1)
    if (place + 1).isMultiple(of: VideoSegments.mostFrames) || place + 1 == count { try close() }
  }

  private func close() throws(RenderError) {
    guard let writer = current?.writer else { return }
    current = nil
    try writer.finish()
    if let segment = writer.finished { try finished(segment) }
  }

  var byteCount: Int { segments.finished.reduce(0) { $0 + $1.byteCount } }

  func finish(end: Rational?) throws(RenderError) {
    try close()
    guard portion == nil else { return }
    notes = try segments.join(count: count, end: end)
    segments.removePart()
    segments.remove()
  }

  func finishPart() throws(RenderError) -> String? {
    try close()
    return portion == nil ? try segments.joinPart() : nil
  }

  /// The parts before the failure stay for the next run.
  func abandon() { current = nil }
}
