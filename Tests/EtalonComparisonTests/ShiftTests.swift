import EtalonComparison
import EtalonTypes
import Testing

/// Pictures that moved by a pixel, as a whole or in part.
@Suite struct ShiftTests {
  private static let size = Size(23, 17)
  private static let moves = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)]

  private let tolerance = {
    var tolerance = Tolerance(channel: 2)
    tolerance.shift = 1
    return tolerance
  }()

  /// A texture without two equal neighbors.
  private static func texture(_ x: Int, _ y: Int) -> [Int] {
    let seed = UInt32(truncatingIfNeeded: x &* 7919 &+ y &* 104_729) &* 2_654_435_761
    return [Int(seed >> 24), Int(seed >> 16 & 255), Int(seed >> 8 & 255), 255]
  }

  private static func picture(_ format: PixelFormat = .rgba8, moved move: (Int, Int) = (0, 0), change: (Int, Int, [Int]) -> [Int] = { $2 })
    -> PixelBuffer
  {
    func levels(_ x: Int, _ y: Int) -> [Int] {
      let (left, top) = (x - move.0, y - move.1)
      let isOutside = left < 0 || top < 0 || left >= size.width || top >= size.height
      return change(x, y, texture(left, top).map { isOutside ? 255 - $0 : $0 })
    }
    switch format {
    case .rgba16: return TestPictures.rgba16(size) { levels($0, $1).map { UInt16($0 * 257) } }
    case .rgba32f: return TestPictures.float(size) { levels($0, $1).map { Float($0) / 255 } }
    default: return TestPictures.rgba8(size) { levels($0, $1).map { UInt8($0) } }
    }
  }

  @Test(arguments: moves, [PixelFormat.rgba8, .rgba16, .rgba32f]) func whatLeftThePictureIsLeftOut(move: (Int, Int), format: PixelFormat)
    throws
  {
    var tolerance = tolerance
    if format == .rgba32f { tolerance.color.channel = Limit(fail: 0.001) }
    let (there, back) = (Self.picture(format, moved: move), Self.picture(format))
    for (actual, reference) in [(there, back), (back, there)] {
      let result = comparePictures(actual, reference, tolerance: tolerance, metrics: [.shift])
      #expect(result.verdict == .pass, "\(result.summary)")
      let shift = try #require(result.shift)
      #expect(shift.unexplained == 0 && shift.outliers > Self.size.pixelCount / 2)
      #expect(!result.isEqual && result.headline == "pass: within the tolerance")
    }
  }

  /// What did not move may not have any color at its border, where shaders like to be wrong.
  @Test(arguments: 1...3) func aFrameThatDiffersFails(width: Int) throws {
    func isFrame(_ x: Int, _ y: Int) -> Bool { min(x, y, Self.size.width - 1 - x, Self.size.height - 1 - y) < width }
    for background: ((Int, Int) -> [Int]) in [Self.texture, { _, _ in [90, 90, 90, 255] }] {
      let plain = Self.picture { x, y, _ in background(x, y) }
      let framed = Self.picture { x, y, _ in isFrame(x, y) ? [255, 0, 0, 255] : background(x, y) }
      for (actual, reference) in [(framed, plain), (plain, framed)] {
        let result = comparePictures(actual, reference, tolerance: tolerance)
        #expect(result.verdict == .fail)
        #expect((result.color?.outliers ?? 0) >= 2 * (Self.size.width + Self.size.height) - 4, "\(result.summary)")
      }
    }
  }

  /// Only what left the picture is left out: to the right there is a neighbor for what comes from the left, and above, too.
  @Test func aDefectAtTheBorderOfWhatMovedFails() {
    let reference = Self.picture()
    for (x, y, fails) in [(22, 5, true), (7, 0, true), (7, 16, true), (0, 5, false)] {
      let actual = Self.picture(moved: (1, 0)) { $0 == x && $1 == y ? [1, 254, 3, 255] : $2 }
      #expect(comparePictures(actual, reference, tolerance: tolerance).verdict == (fails ? .fail : .pass), "at \(x), \(y)")
    }
  }

  @Test(arguments: [(0, 0)] + moves) func agreesWithADirectEvaluation(move: (Int, Int)) throws {
    let reference = Self.picture()
    let actual = Self.picture(moved: move) { x, y, levels in
      // Some noise, and some pixels of another color.
      levels.enumerated().map { $0 == 3 ? 255 : min(255, $1 + (x + y) % 3 + ((5 * x + 3 * y) % 47 == 0 ? 60 : 0)) }
    }
    let measured = try #require(comparePictures(actual, reference, tolerance: tolerance, metrics: [.shift]).shift)
    let outliers = Self.places.filter { distance(actual, $0, reference, $0) > 2 }
    let unexplained = outliers.filter { place in
      max(nearest(actual, reference, place, (-move.0, -move.1)), nearest(reference, actual, place, move)) > 2
    }
    #expect(measured.outliers == outliers.count)
    #expect(measured.unexplained == unexplained.count)
    #expect(!unexplained.isEmpty)
  }

  private typealias Place = (x: Int, y: Int)

  private static var places: [Place] { (0..<size.height).flatMap { y in (0..<size.width).map { (x: $0, y: y) } } }

  /// The least difference from a pixel and its neighbors in another picture; none where what it shows lies outside of that.
  private func nearest(_ picture: PixelBuffer, _ other: PixelBuffer, _ place: Place, _ move: (Int, Int)) -> Int {
    func isInside(_ place: Place) -> Bool { (0..<Self.size.width).contains(place.x) && (0..<Self.size.height).contains(place.y) }
    guard isInside((place.x + move.0, place.y + move.1)) else { return 0 }
    let around = (-1...1).flatMap { y in (-1...1).map { (x: place.x + $0, y: place.y + y) } }
    return around.filter(isInside).map { distance(picture, place, other, $0) }.min() ?? 0
  }

  private func distance(_ picture: PixelBuffer, _ place: Place, _ other: PixelBuffer, _ there: Place) -> Int {
    func byte(_ picture: PixelBuffer, _ place: Place, _ channel: Int) -> Int {
      Int(picture.bytes[(place.y * Self.size.width + place.x) * 4 + channel])
    }
    return (0..<3).map { abs(byte(picture, place, $0) - byte(other, there, $0)) }.max() ?? 0
  }
}
