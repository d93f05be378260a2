import EtalonDiagnostics
import EtalonGraph
import EtalonMedia
import EtalonPlan
import EtalonTypes
import Foundation
import Testing

@testable import Etalon

/// Numbered sequences as the pictures of an input.
@Suite struct SequenceTests {
  private static let size = Size(8, 4)
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Picture `n` has red `10 n`, green from the column and blue from the row.
  private static func color(_ number: Int) -> (Int, Int) -> [UInt8] {
    { x, y in [UInt8(10 * number), UInt8(30 * x), UInt8(40 * y)] }
  }

  private func writePictures(_ numbers: some Sequence<Int>, size: Size = size) throws {
    for number in numbers { _ = try folder.picture("plate.00\(number).png", size, Self.color(number)) }
  }

  private func shot(
    _ text: String = "", frames: ClosedRange<Int>, shader: String = "photo", on device: TestDevice = .cpu
  ) throws -> TestShot {
    var shot = TestShot(shader, on: device, size: Self.size)
    shot.request.inputs = [try InputText.picture(folder.file("plate.####.png") + text, for: nil, option: "-i")]
    shot.request.frames = .range(try #require(FrameRange(frames)))
    return shot
  }

  /// The red of the frames of a shot, in units of a picture; nil in the text for a frame that is something else.
  private func shown(_ shot: TestShot) throws -> [Int?] {
    try shot.pictures().map { picture in
      let number = picture.pixel(0, 0)[0] / 10
      let color = Self.color(number)
      return picture.firstDifference { color($0, $1).map { Int($0) } + [255] } == nil ? number : nil
    }
  }

  @Test(arguments: TestDevice.allCases)
  func everyFrameShowsItsPicture(on device: TestDevice) throws {
    try writePictures(11...19)
    #expect(try shown(shot(frames: 0...8, on: device)) == [11, 12, 13, 14, 15, 16, 17, 18, 19])
    #expect(try shown(shot(",speed=-1/2,loop=ping-pong", frames: 0...5, on: device)) == [19, 19, 18, 18, 17, 17])
    var backwards = try shot(frames: 0...8, on: device)
    backwards.request.frames = .range(try #require(FrameRange([8, 3, 3, 5, 0])))
    #expect(try shown(backwards) == [19, 14, 16, 11])
  }

  /// Where nothing says which frames are wanted, all pictures show, in frames of their numbers and at their rate.
  @Test func aShotFollowsItsPictures() throws {
    try writePictures(11...19)
    func following(_ text: String, rate: Bool = true, numbers: Bool = true, _ clock: ShotClock = ShotClock()) throws -> Shot {
      var shot = try shot(text, frames: 0...0)
      (shot.request.frames, shot.request.clock) = (.single(time: nil), clock)
      shot.request.following = .init(followsRate: rate, followsNumbers: numbers)
      return try shot.prepared()
    }
    let whole = try following("")
    #expect(whole.frames == Array(11...19))
    #expect(try whole.pictures().map { $0.pixel(0, 0)[0] / 10 } == Array(11...19))
    let slow = try following(",rate=12")
    #expect(slow.frames == Array(11...19) && slow.clock.rate == 12)
    let held = try following(",rate=12", rate: false, numbers: false, ShotClock(first: 1, rate: 24))
    #expect(held.frames == Array(1...18))
    #expect(try following(",speed=1/2,last=12").frames == Array(11...14))
    #expect(try following(",loop=ping-pong,first=14,last=16").frames == Array(14...17))
    #expect(try following(",speed=0").frames == [11])
  }

  @Test(arguments: TestDevice.allCases)
  func gaps(on device: TestDevice) throws {
    try writePictures([11, 12, 15, 17])
    #expect(try shown(shot(",missing=hold", frames: 0...8, on: device)) == [11, 12, 12, 12, 15, 15, 17, 17, 17])
    #expect(try shown(shot(",missing=hold,speed=-1", frames: 0...6, on: device)) == [17, 17, 15, 15, 15, 12, 11])
    #expect(try shown(shot(",missing=hold,start=1/30", frames: 0...3, on: device)) == [11, 11, 11, 12])
    let black = try shot(",missing=black", frames: 2...2, on: device).picture()
    #expect(black.firstDifference { _, _ in [0, 0, 0, 255] } == nil)
  }

  @Test func whatNoPictureCoversIsRefusedBeforeRendering() throws {
    try writePictures([11, 12, 15, 17])
    let cases: [(String, ClosedRange<Int>, String)] = [
      ("", 0...9, "frame 2, at 0.033 s, shows '\(folder.file("plate.0013.png"))', which is not there"),
      (
        "", 7...9,
        "frame 7, at 0.117 s, lies behind the sequence '\(folder.file("plate.####.png"))', which ends before 0.117 s with 'plate.0017.png'"
      ),
      (
        ",start=1", 0...9,
        "frame 0, at 0 s, lies before the sequence '\(folder.file("plate.####.png"))', which begins at 1 s with 'plate.0011.png'"
      ),
      (",first=20", 0...0, "the sequence '\(folder.file("plate.####.png"))' has no picture from 20 to the last"),
    ]
    for (text, frames, message) in cases {
      let error = #expect(throws: RenderError.self) { try shot(text, frames: frames).prepared() }
      #expect(error?.message == message && error?.code == .missingInput)
    }
  }

  @Test func allPicturesHaveOneSize() throws {
    try writePictures(11...12)
    try writePictures(13...13, size: Size(8, 5))
    let shot = try shot(frames: 0...2).prepared()
    for frame in 0...1 { try #require(try shot.submit(frame)).release() }
    let error = #expect(throws: RenderError.self) { try shot.submit(2) }
    #expect(
      error?.message
        == "'\(folder.file("plate.0013.png"))' is 8x5, and '\(folder.file("plate.0011.png"))', the first of the sequence, is 8x4")
  }

  @Test func theNumberOfDigitsIsSuggested() throws {
    try writePictures(11...12)
    var shot = try shot(frames: 0...0)
    shot.request.inputs = [try InputText.picture(folder.file("plate.#####.png"), for: nil, option: "-i")]
    let error = #expect(throws: RenderError.self) { try shot.prepared() }
    #expect(error?.help == ["'\(folder.file("plate.0011.png"))' is there: type '\(folder.file("plate.####.png"))'"])
  }

  /// A picture that is replaced makes only the frames stale that show it, or those after it where frames depend on earlier ones.
  @Test func resuming() throws {
    try writePictures(11...16)
    func export(_ shader: String) throws -> RenderSummary {
      var destination = SequenceExport.Destination(
        files: [.init(pattern: try FramePattern(folder.file("\(shader.suffix(5)).##.png")))], contactSheet: nil)
      destination.resumes = true
      let shot = try shot(",speed=1/2", frames: 0...11, shader: shader).prepared()
      return try SequenceExport(shot, to: destination) { _ in
      } isInterrupted: {
        false
      }.run()
    }
    for shader in ["photo", "isf/gathering.fs"] {
      #expect(try export(shader).written == 12)
      #expect(try export(shader).kept == 12)
    }
    _ = try folder.picture("plate.0013.png", Self.size, Self.color(21))
    #expect(try export("photo") == RenderSummary(written: 2, kept: 10, failed: 0, wasInterrupted: false))
    #expect(try export("isf/gathering.fs") == RenderSummary(written: 8, kept: 4, failed: 0, wasInterrupted: false))
  }

  /// Feedback over a sequence is the same in one go, in parts and backwards.
  @Test(arguments: TestDevice.allCases)
  func stateOverASequence(on device: TestDevice) throws {
    try writePictures(11...16)
    let all = try shot(",loop=repeat", frames: 0...9, shader: "isf/gathering.fs", on: device).pictures()
    #expect(Set(all.map(\.bytes)).count == 10)
    for part in [0...3, 4...6, 7...9, 2...2] {
      #expect(try shot(",loop=repeat", frames: part, shader: "isf/gathering.fs", on: device).pictures() == Array(all[part]))
    }
  }

  /// A file is a file, whatever its name looks like.
  @Test func names() throws {
    let name = try folder.picture("a#1,rate=2.png", Self.size, Self.color(3))
    #expect(try InputText.picture(name, for: nil, option: "-i") == .init(input: nil, path: name))
    #expect(try InputText.picture("no, such=file.png", for: "a", option: "-i") == .init(input: "a", path: "no, such=file.png"))
    let sequence = try InputText.picture("a=b,c/plate.%04d.png,rate=12,missing=hold", for: nil, option: "-i")
    var timing = SequenceTiming()
    (timing.rate, timing.missing) = (FrameRate("12"), .hold)
    #expect(sequence == .init(input: nil, path: "a=b,c/plate.%04d.png", sequence: timing))
    let error = #expect(throws: DiagnosticsError.self) { try InputText.picture("photo.png,rate=12", for: nil, option: "-i") }
    #expect(error?.diagnostics.map(\.id) == ["sequence.no-number"])
  }
}
