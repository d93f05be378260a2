internal import EtalonDiagnostics
internal import EtalonMedia
internal import EtalonSystem
package import EtalonTypes
internal import EtalonVideo
internal import Foundation
internal import Synchronization

/// What the video must be that an export of a shot writes, for those who check what others wrote.
///
/// Encoders decide by the frames of a part alone, so that a part that is rendered and encoded again has the same pictures, to the bit, wherever the device and
/// the encoder work to the bit. A graphics unit does not, nor does every encoder on another processor, nor has a video that was encoded in one go the parts of one
/// that was joined. There the yardstick is the encoder's own error: the mean square of the differences between frames and what is decoded of them.
///
/// **Concurrency**: as the shot.
package struct ExpectedVideo: Sendable {
  /// How a part of a video compares with what is made of its frames here.
  package enum Comparison: Sendable, Hashable {
    /// Decoded, it is the same to the bit.
    case same
    /// It is another encoding of the frames that are rendered here, as near to them as the one that is made here.
    case alike
    /// A frame is farther from what is rendered here than the encoder explains, in levels of 8 bits: how far it is, and how far the encoder goes.
    case different(frame: Int, distance: Double, usual: Double)
  }

  /// How much farther than the encoder goes here another one may go that decides otherwise.
  private static let mostOfUsual = 1.5

  private let shot: Shot
  private let destination: VideoExport.Destination
  private let export: VideoExport
  /// The places of the frames of each part; none where it cannot be joined of parts.
  package let parts: [Range<Int>]

  /// - Precondition: the shot was made with the planes of the destination.
  package init(_ shot: Shot, _ destination: VideoExport.Destination) {
    var destination = destination
    // Nothing is written in its place.
    (destination.policy, destination.portion, destination.recorder) = (.anything, nil, nil)
    self.shot = shot
    self.destination = destination
    export = VideoExport(shot, to: destination) { _ in
    } isInterrupted: {
      false
    }
    let isOnePiece = destination.codec.isPicture || VideoContainer(path: destination.path) == .m3u8
    parts = isOnePiece ? [] : VideoExport.parts(of: shot.frames.count)
  }

  package var path: String { destination.path }
  package var frameCount: Int { shot.frames.count }
  package var size: Size { shot.size }
  /// What renders frames here.
  package var deviceName: String { shot.deviceName }

  /// The first and the last frame of a part, as records name them.
  package func frames(of part: Int) -> String { "\(shot.frames[parts[part].lowerBound])-\(shot.frames[parts[part].upperBound - 1])" }

  /// What the video says about its making when it is made here.
  package func identity() throws -> String { try export.expectedIdentity() }

  /// Renders and encodes a part again, and compares it with that of the video, which is whole and has all frames.
  ///
  /// - Parameter isExact: whether the device of the video works to the bit, as the one here does.
  package func compare(_ part: Int, isExact: Bool) throws -> Comparison {
    let folder = try TemporaryFiles.makeFolder("etalon-verify")
    defer { TemporaryFiles.remove(folder) }
    let frames = try FramesOfPart(path, try encode(part, into: folder), parts[part])
    if try frames.areSame() { return .same }
    // What is kept to the bit can be compared as it is; planes of colors are decoded in another order than they are rendered.
    if destination.layout.isRGB { return judge(try frames.differences(bits: destination.layout.bits), part, isExact: isExact) }
    let errors = Mutex<[FramesOfPart.Errors]>([])
    try render(part, to: MeasuredFrames(frames, bits: destination.layout.bits) { found in errors.withLock { $0.append(found) } })
    return judge(errors.withLock { $0 }, part, isExact: isExact)
  }

  private func judge(_ errors: [FramesOfPart.Errors], _ part: Int, isExact: Bool) -> Comparison {
    // Frames that stand for themselves lose less than those that are predicted from others.
    let usual = (errors.map(\.own).max() ?? 0).squareRoot()
    let rounding = isExact ? 0.0 : 1.5
    let farthest = errors.indices.max { errors[$0].found < errors[$1].found } ?? 0
    let distance = errors[farthest].found.squareRoot()
    guard distance > usual * Self.mostOfUsual + rounding else { return .alike }
    return .different(frame: shot.frames[parts[part].lowerBound + farthest], distance: distance, usual: usual)
  }

  // MARK: rendering

  /// Encodes the frames of a part; returns the path of a video of these alone.
  private func encode(_ part: Int, into folder: String) throws -> String {
    var settings = try export.settings(try export.recipe())
    let ending = path.split(separator: ".").last.map { ".\($0)" } ?? ""
    (settings.path, settings.timecode) = ("\(folder)/part\(ending)", nil)
    settings.sound = .none
    let segments = try VideoSegments(settings, recipe: try export.recipe())
    try segments.lock()
    try render(part, to: VideoParts(segments, count: shot.frames.count, portion: Set(parts[part])) { _ in })
    try segments.joinFinished()
    return settings.path
  }

  private func render(_ part: Int, to target: sending any VideoTarget) throws {
    let encoder = try VideoFrameEncoder(target, shot, isTimed: !shot.isEven) { _ in
    }
    _ = try export.render(Array(parts[part]), encoder)
    _ = try encoder.finish(isWhole: true, end: nil)
  }
}

/// The decoded frames of a part, of a video and of the one that was encoded here.
private final class FramesOfPart {
  /// The mean squares of the differences from a frame that was rendered here, in levels of 8 bits.
  struct Errors: Sendable {
    let found: Double
    let own: Double
  }

  private let videos: (found: VideoReader, own: VideoReader)
  private let times: (found: [Rational], own: [Rational])

  init(_ found: String, _ own: String, _ part: Range<Int>) throws(RenderError) {
    videos = (try VideoReader(found), try VideoReader(own))
    // Containers round times, so that frames are counted.
    times = (Array(try videos.found.timeStamps()[part]), try videos.own.timeStamps())
    precondition(times.own.count == part.count, "\(times.own.count) frames of \(part.count)")
  }

  private func planes(_ place: Int) throws(RenderError) -> (found: [PixelBuffer], own: [PixelBuffer]) {
    (try videos.found.frame(at: times.found[place]).planes, try videos.own.frame(at: times.own[place]).planes)
  }

  func areSame() throws(RenderError) -> Bool {
    for place in times.own.indices {
      let planes = try planes(place)
      guard planes.found == planes.own else { return false }
    }
    return true
  }

  /// How far the video is from what was encoded here, where that is what was rendered.
  func differences(bits: Int) throws(RenderError) -> [Errors] {
    var errors: [Errors] = []
    for place in times.own.indices {
      let (found, own) = try planes(place)
      errors.append(Errors(found: Self.meanSquare(found, bits: bits) { own[$0].row($1) }, own: 0))
    }
    return errors
  }

  /// How far the video is from a rendered frame, and what was encoded here from it.
  func errors(_ place: Int, _ rendered: [FramePlane], bits: Int) throws(RenderError) -> Errors {
    let (found, own) = try planes(place)
    let width = found.map(\.bytesPerRow)
    func row(_ plane: Int, _ row: Int) -> ArraySlice<UInt8> {
      let start = unsafe row * rendered[plane].bytesPerRow
      return unsafe ArraySlice(rendered[plane].rows[start..<start + width[plane]])
    }
    return Errors(found: Self.meanSquare(found, bits: bits, row), own: Self.meanSquare(own, bits: bits, row))
  }

  private static func meanSquare(_ planes: [PixelBuffer], bits: Int, _ row: (_ plane: Int, _ row: Int) -> ArraySlice<UInt8>) -> Double {
    var (sum, count) = (0.0, 0)
    for (number, plane) in planes.enumerated() {
      for y in 0..<plane.size.height { sum += sumOfSquares(plane.row(y), row(number, y), isWide: plane.format.bytesPerPixel == 2) }
      count += plane.size.pixelCount * plane.format.bytesPerPixel / (bits > 8 ? 2 : 1)
    }
    return count == 0 ? 0 : sum / Double(count) / Double(1 << (2 * (bits - 8)))
  }

  private static func sumOfSquares(_ samples: ArraySlice<UInt8>, _ others: ArraySlice<UInt8>, isWide: Bool) -> Double {
    guard isWide else {
      return Double(zip(samples, others).reduce(0) { $0 + (Int($1.0) - Int($1.1)) * (Int($1.0) - Int($1.1)) })
    }
    func word(_ bytes: ArraySlice<UInt8>, _ place: Int) -> Int {
      Int(bytes[bytes.startIndex + place]) | Int(bytes[bytes.startIndex + place + 1]) << 8
    }
    return stride(from: 0, to: samples.count, by: 2).reduce(0.0) { sum, place in
      let difference = Double(word(samples, place) - word(others, place))
      return sum + difference * difference
    }
  }
}

extension PixelBuffer {
  fileprivate func row(_ y: Int) -> ArraySlice<UInt8> { bytes[y * bytesPerRow..<(y + 1) * bytesPerRow] }
}

/// Measures frames in place of writing them.
private final class MeasuredFrames: VideoTarget {
  private let frames: FramesOfPart
  private let bits: Int
  private let take: @Sendable (FramesOfPart.Errors) -> Void
  private var place = 0

  init(_ frames: FramesOfPart, bits: Int, take: @escaping @Sendable (FramesOfPart.Errors) -> Void) {
    (self.frames, self.bits, self.take) = (frames, bits, take)
  }

  func missing(of count: Int) -> [Int] { [] }
  func write(_ planes: [FramePlane], at place: Int, timeStamp: Rational?) throws(RenderError) {
    unsafe take(try frames.errors(self.place, planes, bits: bits))
    self.place += 1
  }
  var byteCount: Int { 0 }
  var notes: [String] { [] }
  func finish(end: Rational?) throws(RenderError) {}
  func finishPart() throws(RenderError) -> String? { nil }
  func abandon() {}
}
