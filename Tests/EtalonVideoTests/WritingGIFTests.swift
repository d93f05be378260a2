import EtalonDiagnostics
import EtalonMedia
import EtalonTypes
import EtalonVideo
import Foundation
import Testing

/// GIFs: their palette, patterns, times, and what is left out.
@Suite struct WritingGIFTests {
  private let folder: WritingFolder
  private let size = Size(64, 48)

  init() throws { folder = try WritingFolder() }

  /// Writes frames whose pixels a function tells as red, green, blue and alpha; returns the path.
  @discardableResult
  private func write(
    _ name: String = "a.gif", frames: Int, rate: FrameRate = 10, alpha: Bool = false, size: Size? = nil, plays: Int? = nil,
    _ pixel: (_ frame: Int, _ x: Int, _ y: Int) -> [UInt8]
  ) throws -> String {
    let size = size ?? self.size
    var settings = VideoOutputSettings(
      path: folder.file(name), size: size, codec: .gif, layout: alpha ? .rgba8 : .rgb8, timing: .rate(rate))
    settings.plays = plays
    let writer = try VideoWriter(settings)
    for number in 0..<frames {
      var planes = [[UInt8]](repeating: [], count: settings.layout.planeCount)
      for y in 0..<size.height {
        for x in 0..<size.width {
          let values = pixel(number, x, y)
          for plane in planes.indices { planes[plane].append(values[plane]) }
        }
      }
      try writer.write(TestFrame(settings.layout, size, planes.flatMap(\.self)))
    }
    try writer.finish()
    return settings.path
  }

  private func bytes(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path))) }

  @Test func fewColorsAreKeptAsTheyAre() throws {
    func pixel(_ frame: Int, _ x: Int, _ y: Int) -> [UInt8] {
      (x + frame) % 16 < 4 ? [200, UInt8(y), 17] : [3, UInt8(x * 3), 250]
    }
    let path = try write(frames: 4, pixel)
    var expected: [UInt8] = []
    for frame in 0..<4 { for y in 0..<48 { for x in 0..<64 { expected += pixel(frame, x, y) } } }
    let isSame = try decoded(path, pixelFormat: "rgb24") == expected
    #expect(isSame)
    #expect(try folder.names == ["a.gif"])
  }

  @Test func manyColorsBecomePatternsOfNearOnes() throws {
    func pixel(_ frame: Int, _ x: Int, _ y: Int) -> [UInt8] { [UInt8(x * 4), UInt8(y * 5), UInt8((x * 2 + y + frame) % 256)] }
    let path = try write(frames: 3, pixel)
    let read = try decoded(path, pixelFormat: "rgb24")
    try #require(read.count == 3 * 64 * 48 * 3)
    // Single pixels are off, areas are not.
    var worst = 0.0
    for y in stride(from: 0, to: 48, by: 8) {
      for x in stride(from: 0, to: 64, by: 8) {
        for channel in 0..<3 {
          var difference = 0
          for place in 0..<64 {
            let (column, row) = (x + place & 7, y + place >> 3)
            let shown = Int(read[(row * 64 + column) * 3 + channel])
            difference += shown - Int(pixel(0, column, row)[channel])
          }
          worst = max(worst, abs(Double(difference)) / 64)
        }
      }
    }
    #expect(worst < 12, "\(worst)")
    let colors = Set((0..<64 * 48).map { (pixel: Int) -> [UInt8] in Array(read[3 * pixel..<3 * pixel + 3]) })
    #expect(colors.count <= 255)
  }

  @Test func whatStandsStillDoesNotFlicker() throws {
    func pixel(_ frame: Int, _ x: Int, _ y: Int) -> [UInt8] {
      let isSquare = (frame * 4..<frame * 4 + 8).contains(x) && (20..<28).contains(y)
      return isSquare ? [255, 255, 255] : [UInt8(x * 2), UInt8(y * 3), UInt8(x + y)]
    }
    let path = try write(frames: 12, pixel)
    let read = try decoded(path, pixelFormat: "rgb24")
    let frameBytes = 64 * 48 * 3
    for frame in 1..<12 {
      var changed = 0
      for pixel in 0..<64 * 48 {
        let first = read[pixel * 3..<pixel * 3 + 3]
        let start = frame * frameBytes + pixel * 3
        if first != read[start..<start + 3] { changed += 1 }
      }
      #expect(changed <= 2 * 64, "frame \(frame): \(changed)")
    }
    let still = try write("still.gif", frames: 1, pixel)
    // Each further frame is a small rectangle.
    let perFrame = Double(try bytes(path).count - bytes(still).count) / 11
    #expect(perFrame < 200, "\(perFrame)")
  }

  @Test(arguments: [("24", 12, 50), ("24000/1001", 30, 125), ("7", 10, 143), ("50", 5, 10), ("1", 2, 200), ("30", 1, 3)])
  func delaysAddUp(rate: String, frames: Int, hundredths: Int) throws {
    let path = try write(frames: frames, rate: #require(FrameRate(rate))) { frame, x, y in [UInt8(frame), UInt8(x), UInt8(y)] }
    // The extension before each frame: 21 F9 04, flags, the delay, the transparent index, 00.
    let all = try bytes(path)
    var delays: [Int] = []
    for start in 0..<all.count - 8 where Array(all[start...start + 2]) == [0x21, 0xF9, 0x04] && all[start + 7] == 0 {
      delays.append(Int(all[start + 4]) | Int(all[start + 5]) << 8)
    }
    #expect(delays.count == frames)
    #expect(delays.reduce(0, +) == hundredths, "\(delays)")
  }

  @Test func givenTimeStampsAreKept() throws {
    var settings = VideoOutputSettings(
      path: folder.file("a.gif"), size: size, codec: .gif, timing: .timeStamps(tick: Rational(1, 1000)))
    settings.plays = 1
    let writer = try VideoWriter(settings)
    for (number, stamp) in [0, 100, 101, 550, 1000].enumerated() {
      try writer.write(TestFrame(number, .rgb8, size), timeStamp: Rational(stamp, 1000))
    }
    try writer.finish(end: 2)
    #expect(try probe(settings.path, "packet=pts") == ["pts=0", "pts=10", "pts=55", "pts=100"])
    #expect(try probe(settings.path, "format=duration") == ["duration=2.000000"])
  }

  @Test(arguments: [(nil, 0), (1, nil), (3, 2)] as [(Int?, Int?)]) func repetitionsAreSaid(plays: Int?, count: Int?) throws {
    let path = try write(frames: 2, plays: plays) { frame, x, y in [UInt8(frame), UInt8(x), UInt8(y)] }
    let all = Data(try bytes(path))
    let name = all.range(of: Data("NETSCAPE2.0".utf8))
    #expect((name == nil) == (count == nil))
    if let name, let count { #expect(Array(all[name.upperBound..<name.upperBound + 5]) == [3, 1, UInt8(count), 0, 0]) }
  }

  @Test func transparencyIsKept() throws {
    func pixel(_ frame: Int, _ x: Int, _ y: Int) -> [UInt8] {
      let isInside = abs(x - 20 - frame * 3) < 10 && abs(y - 24) < 10
      return isInside ? [UInt8(x * 4), UInt8(y * 5), UInt8(x * y % 256), 200] : [9, 9, 9, 100]
    }
    let path = try write(frames: 5, alpha: true, pixel)
    let read = try decoded(path, pixelFormat: "rgba")
    try #require(read.count == 5 * 64 * 48 * 4)
    var isRight = true
    for frame in 0..<5 {
      for y in 0..<48 {
        for x in 0..<64 {
          let alpha = read[((frame * 48 + y) * 64 + x) * 4 + 3]
          isRight = isRight && (alpha == 255) == (pixel(frame, x, y)[3] == 200)
        }
      }
    }
    #expect(isRight)
  }

  @Test(arguments: [Size(1, 1), Size(3, 2), Size(200, 1)]) func smallSizesAreWritten(size: Size) throws {
    let path = try write(frames: 2, size: size) { frame, x, _ in [UInt8(frame), UInt8(x), 0] }
    #expect(try probe(path, "stream=width,height") == ["width=\(size.width)", "height=\(size.height)"])
  }

  @Test func theSameFramesGiveTheSameBytes() throws {
    let files = try ["a.gif", "b.gif"].map { name in
      try bytes(write(name, frames: 3) { frame, x, y in [UInt8(x * 4), UInt8(y * 5), UInt8((x * y + frame) % 256)] })
    }
    #expect((files[0] == files[1]) as Bool)
  }

  @Test func partsArePlayableAndAbandonedOnesLeaveNothing() throws {
    let settings = VideoOutputSettings(path: folder.file("a.gif"), size: size, codec: .gif, timing: .rate(10))
    let writer = try VideoWriter(settings)
    for number in 0..<3 { try writer.write(TestFrame(number, .rgb8, size)) }
    #expect(try folder.names.count == 1)
    #expect(try writer.finishPart() == folder.file("a.part.gif"))
    #expect(try probe(folder.file("a.part.gif"), "packet=pts") == ["pts=0", "pts=10", "pts=20"])
    let other = try VideoWriter(settings)
    try other.write(TestFrame(0, .rgb8, size))
    other.abandon()
    #expect(try folder.names == ["a.part.gif"])
  }

  /// The frames that wait on the disk count, too.
  @Test func fullDisksAreToldAndLeaveNothing() async {
    await #expect(processExitsWith: .success) {
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 100_000, rlim_max: 100_000)
      #expect(unsafe setrlimit(__rlimit_resource_t(1), &limit) == 0)
      let folder = try WritingFolder()
      let settings = VideoOutputSettings(path: folder.file("a.gif"), size: Size(128, 128), codec: .gif, timing: .rate(10))
      let error = try #require(throws: RenderError.self) { try writeVideo(settings, frames: 5) }
      #expect(error.code == .cannotWrite && error.underlying == "File too large")
      #expect(try folder.names == [])
    }
  }
}
