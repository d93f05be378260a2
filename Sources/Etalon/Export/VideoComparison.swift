internal import EtalonDiagnostics
internal import EtalonMedia
internal import EtalonSystem
internal import EtalonTypes
internal import EtalonVideo
internal import Synchronization

/// Compares parts of a video with what is rendered and encoded here.
///
/// Encoders begin anew with each part, and decide by its frames alone. So a part of the CPU device is the same here, decoded, to the bit; where a run was
/// stopped within it, it is two parts. A video that was encoded in one go is one part. Parts of graphics units are other encodings of nearly the same frames:
/// there no block of a frame may be farther from what is rendered here than twice the worst block of that frame when it is encoded here, and no plane brighter
/// or darker.
///
/// **Concurrency**: used by one thread at a time.
package final class VideoComparison {
  /// How a part compares.
  package enum Result: Sendable, Hashable {
    case same
    /// As near to what is rendered here as the encoder goes, where devices differ in their last bits.
    case near
    /// Its pictures are stored or timed in another way; in words.
    case otherForm(String)
    /// The first frame that differs, and by how much, in words.
    case different(frame: Int, String)
  }

  /// The places of the frames of each part.
  package let parts: [Range<Int>]
  private let expected: ExpectedVideo
  private let isInOnePiece: Bool
  private let video: VideoReader
  private let times: [Rational]
  /// The numbers of the frames with which runs began a part, as far as that is known.
  private let begins: Set<Int>

  /// Opens the video, which is whole and has all frames.
  package init(_ expected: ExpectedVideo, begins: Set<Int> = []) throws {
    (self.expected, self.begins) = (expected, begins)
    video = try VideoReader(expected.path)
    times = try video.timeStamps()
    guard times.count == expected.frames.count else {
      throw RenderError(.invalidInput, "'\(expected.path)' has \(times.count.of("frame")), not \(expected.frames.count)", help: [])
    }
    let parts = VideoExport.parts(of: expected.frames.count)
    isInOnePiece = try !parts.allSatisfy { [video, times] in try video.frame(at: times[$0.lowerBound]).isKeyframe }
    self.parts = isInOnePiece ? [0..<times.count] : parts
  }

  /// The numbers of the first and the last frame of a part.
  package func frames(of part: Int) -> ClosedRange<Int> {
    let (first, last) = (expected.frames[parts[part].lowerBound], expected.frames[parts[part].upperBound - 1])
    return min(first, last)...max(first, last)
  }

  /// Renders and encodes a part again, and compares it.
  ///
  /// - Parameter isExact: whether the device of the video works to the bit, as the one here does.
  package func compare(_ part: Int, isExact: Bool) throws -> Result {
    let folder = try TemporaryFiles.makeFolder("etalon-verify")
    defer { TemporaryFiles.remove(folder) }
    let own = try encode(part, into: folder)
    if let difference = try difference(of: own.video, part) { return .otherForm(difference) }
    guard let other = try others(own, part) else { return .same }
    if isExact, !isInOnePiece {
      // A run that was stopped ended a part early.
      for begins in try innerBegins(of: part) where try others(try encode(part, begins: begins, into: folder), part) == nil { return .same }
    }
    guard isExact else { return try judge(part, own) }
    return .different(frame: frame(other.first, of: part), "\(other.count) of \(parts[part].count.of("frame"))")
  }

  /// A part that was encoded here.
  private typealias Own = (video: VideoReader, times: [Rational])

  /// How many frames differ, and which is the first; nil for none.
  private func others(_ own: Own, _ part: Int) throws -> (first: Int, count: Int)? {
    var found: (first: Int, count: Int)?
    for (place, time) in own.times.enumerated()
    where try own.video.frame(at: time).planes != video.frame(at: times[parts[part].lowerBound + place]).planes {
      found = (found?.first ?? place, (found?.count ?? 0) + 1)
    }
    return found
  }

  /// The places within a part where runs may have begun: those that are recorded, and those of all pictures that need none before.
  private func innerBegins(of part: Int) throws -> [[Int]] {
    let inner = parts[part].dropFirst(), recorded = inner.filter { begins.contains(expected.frames[$0]) }
    let keys = try inner.filter { try video.frame(at: times[$0]).isKeyframe }
    return (recorded == keys ? [keys] : [recorded, keys]).filter { !$0.isEmpty }
  }

  private func frame(_ place: Int, of part: Int) -> Int { expected.frames[parts[part].lowerBound + place] }

  /// How the video is stored or timed in another way than what was encoded here; nil where it is not.
  private func difference(of own: VideoReader, _ part: Int) throws -> String? {
    let (found, wanted) = (video.description, own.description)
    func other(_ what: String, _ found: String, _ wanted: String) -> String { "its \(what) is \(found), not \(wanted)" }
    if found.container != wanted.container { return other("container", found.container, wanted.container) }
    if found.codec != wanted.codec { return other("codec", found.codec, wanted.codec) }
    if found.pixels != wanted.pixels { return other("pixel format", found.pixels.name, wanted.pixels.name) }
    if found.size != wanted.size { return other("size", "\(found.size)", "\(wanted.size)") }
    if found.color != wanted.color { return "it says other things about its colors" }
    // Containers round times.
    let slack = found.timeBase + Rational(1, 1000), start = expected.shot.time(of: expected.frames[0])
    let isTimed = parts[part].allSatisfy { place in
      let difference = times[place] - (expected.shot.time(of: expected.frames[place]) - start)
      return difference <= slack && difference >= Rational.zero - slack
    }
    return isTimed ? nil : "its frames are shown at other times"
  }

  // MARK: devices that differ

  private func judge(_ part: Int, _ own: Own) throws -> Result {
    // Decoders may give more bits than encoders take.
    let bits = own.video.description.pixels.bits, shift = bits - expected.destination.layout.bits, first = parts[part].lowerBound
    let (own, ownTimes) = own
    var errors: [(found: FrameError, own: FrameError)] = []
    if expected.destination.layout.isRGB {
      // Nothing is lost there, so that what was encoded here is what was rendered; its planes have the order of the decoder.
      for (place, time) in ownTimes.enumerated() {
        let planes = try own.frame(at: time).planes
        errors.append(
          (FrameError(try video.frame(at: times[first + place]).planes, bits: bits, shift: 0) { planes[$0].row($1) }, FrameError()))
      }
    } else {
      let measured = Mutex<[(FrameError, FrameError)]>([])
      let (video, times) = (video, times)
      try render(
        parts[part],
        to: MeasuredFrames { place, row throws(RenderError) in
          let found = FrameError(try video.frame(at: times[place]).planes, bits: bits, shift: shift, row)
          let encoded = FrameError(try own.frame(at: ownTimes[place - first]).planes, bits: bits, shift: shift, row)
          measured.withLock { $0.append((found, encoded)) }
        })
      errors = measured.withLock { $0 }
    }
    guard let place = errors.firstIndex(where: { $0.found.isBeyond($0.own) }) else { return .near }
    let (found, encoded) = errors[place]
    return .different(frame: frame(place, of: part), "\(found.text), where its encoder explains \(encoded.text)")
  }

  // MARK: rendering

  /// Encodes the frames of a part into a video of these alone.
  ///
  /// - Parameter begins: the places where the encoder begins anew.
  private func encode(_ part: Int, begins: [Int] = [], into folder: String) throws -> Own {
    var settings = expected.settings
    let ending = expected.path.split(separator: ".").last.map { ".\($0)" } ?? ""
    (settings.path, settings.timecode, settings.sound) = (
      "\(folder)/part-\(begins.count)-\(begins.first ?? 0)\(ending)", nil, .none
    )
    if isInOnePiece {
      try render(parts[part], to: WholeVideo(try VideoWriter(settings)))
    } else {
      let segments = try VideoSegments(settings, recipe: expected.recipe)
      try segments.lock()
      let bounds = [parts[part].lowerBound] + begins + [parts[part].upperBound]
      for (begin, end) in zip(bounds, bounds.dropFirst()) {
        try render(begin..<end, to: VideoParts(segments, count: expected.frames.count, portion: Set(begin..<end)) { _ in })
      }
      try segments.joinFinished()
    }
    let own = try VideoReader(settings.path), times = try own.timeStamps()
    guard times.count == parts[part].count else {
      throw RenderError(
        .invalidInput, "the frames \(frames(of: part)) become \(times.count.of("frame")) of a video",
        help: ["see what '\(expected.settings.codec)' makes of them: etalon render"])
    }
    return (own, times)
  }

  private func render(_ places: Range<Int>, to target: sending any VideoTarget) throws {
    let shot = expected.shot
    let encoder = try VideoFrameEncoder(target, shot, isTimed: expected.settings.timing.rate == nil) { _ in
    }
    let count = try expected.export.render(Array(places), encoder)
    _ = try encoder.finish(isWhole: true, end: nil)
    guard count == places.count else { throw RenderError(.interrupted, "not all frames were rendered", help: []) }
  }
}

/// How far a decoded frame is from one that was rendered, in levels of 8 bits.
private struct FrameError: Sendable {
  private static let side = 16

  /// The root of the mean square of the differences in the block of 16 by 16 samples where it is largest.
  private(set) var block = 0.0
  /// The mean of the differences of a plane, of that one where it is farthest from 0.
  private(set) var mean = 0.0

  /// No difference.
  init() {}

  /// - Parameters:
  ///   - bits: those of a sample that was decoded.
  ///   - shift: how many of them one that was rendered lacks.
  ///   - row: a row of a plane of the frame that was rendered.
  init(_ planes: [PixelBuffer], bits: Int, shift: Int, _ row: (_ plane: Int, _ row: Int) -> ArraySlice<UInt8>) {
    let level = Double(1 << (bits - 8))
    for (number, plane) in planes.enumerated() {
      let isWide = bits > 8, count = plane.bytesPerRow / (isWide ? 2 : 1)
      var sum = 0, squares = [Int](repeating: 0, count: (count + Self.side - 1) / Self.side), samples = squares
      for y in 0..<plane.size.height {
        let (found, wanted) = (plane.row(y), row(number, y))
        for x in 0..<count {
          let difference = Self.sample(found, x, isWide) - Self.sample(wanted, x, isWide) << shift
          sum += difference
          squares[x / Self.side] += difference * difference
          samples[x / Self.side] += 1
        }
        guard (y + 1).isMultiple(of: Self.side) || y + 1 == plane.size.height else { continue }
        for place in squares.indices { block = max(block, (Double(squares[place]) / Double(samples[place])).squareRoot() / level) }
        (squares, samples) = (squares.map { _ in 0 }, samples.map { _ in 0 })
      }
      let own = Double(sum) / Double(max(1, count * plane.size.height)) / level
      if abs(own) > abs(mean) { mean = own }
    }
  }

  private static func sample(_ row: ArraySlice<UInt8>, _ x: Int, _ isWide: Bool) -> Int {
    guard isWide else { return Int(row[row.startIndex + x]) }
    return Int(row[row.startIndex + 2 * x]) | Int(row[row.startIndex + 2 * x + 1]) << 8
  }

  /// Whether it is farther than another encoding of nearly the same frame may be.
  func isBeyond(_ usual: FrameError) -> Bool { block > 2 * usual.block + 2 || abs(mean) > abs(usual.mean) + 1 }

  var text: String {
    func rounded(_ number: Double) -> String { "\((number * 100).rounded() / 100)" }
    return "a block is off by \(rounded(block)) of 255, and a plane by \(rounded(mean))"
  }
}

extension PixelBuffer {
  fileprivate func row(_ y: Int) -> ArraySlice<UInt8> { bytes[y * bytesPerRow..<(y + 1) * bytesPerRow] }
}

/// Looks at frames in place of writing them.
private final class MeasuredFrames: VideoTarget {
  typealias Row = (_ plane: Int, _ row: Int) -> ArraySlice<UInt8>

  private let look: (_ place: Int, Row) throws(RenderError) -> Void

  init(_ look: @escaping (_ place: Int, Row) throws(RenderError) -> Void) { self.look = look }

  func write(_ planes: [FramePlane], at place: Int, timeStamp: Rational?) throws(RenderError) {
    try look(place) { plane, row in
      let start = unsafe row * planes[plane].bytesPerRow
      return unsafe ArraySlice(planes[plane].rows[start..<start + planes[plane].bytesPerRow])
    }
  }

  func missing(of count: Int) -> [Int] { [] }
  var byteCount: Int { 0 }
  var notes: [String] { [] }
  func finish(end: Rational?) throws(RenderError) {}
  func finishPart() throws(RenderError) -> String? { nil }
  func abandon() {}
}
