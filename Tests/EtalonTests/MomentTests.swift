import EtalonDiagnostics
import EtalonGraph
import EtalonManifest
import EtalonPlan
import EtalonTestSupport
import EtalonTypes
import Foundation
import Testing

@testable import Etalon

/// Filters that read their pictures at other frames: of sequences, videos, stills and what other filters make.
@Suite("other moments") struct MomentTests {
  private static let size = Size(6, 4)
  private let folder: TemporaryFolder
  /// What red the pictures of the sequence have, from its first on.
  private let reds = [20, 90, 40, 200, 130]

  init() throws {
    folder = try TemporaryFolder()
    for (number, red) in reds.enumerated() {
      _ = try folder.picture("plate.000\(number + 1).png", Self.size) { x, y in [UInt8(red), UInt8(10 * x), UInt8(20 * y)] }
    }
    try write(
      "before-and-after", "{ \"FRAMES\": [-2, 2] }", "vec4(IMG_THIS_PIXEL(inputImage[-2]).r, color.r, IMG_THIS_PIXEL(inputImage[2]).r, 1.0)"
    )
  }

  /// Writes a color kernel; `window` is what its input says about other frames.
  private func write(_ name: String, _ window: String, _ result: String, parameters: String = "") throws {
    let keys = window.dropFirst().dropLast()
    let text = """
      /*{ "ETALON": 1, "INPUTS": [{ "NAME": "inputImage", "TYPE": "image",\(keys)}\(parameters)] }*/
      vec4 colorKernel(vec4 color) { return \(result); }

      """
    try text.write(toFile: folder.file("\(name).glsl"), atomically: true, encoding: .utf8)
  }

  private func shot(_ filter: String, _ frames: [Int], text: String = "", on device: TestDevice = .cpu) throws -> TestShot {
    var shot = TestShot("photo", on: device, size: Self.size)
    shot.request.filter = .file(folder.file("\(filter).glsl"))
    shot.request.inputs = [try InputText.picture(folder.file("plate.####.png") + text, for: nil, option: "-i")]
    shot.request.frames = .range(try #require(FrameRange(frames)))
    return shot
  }

  /// The pixel that the sequence shows everywhere, without what differs from place to place.
  private func colors(_ shot: TestShot) throws -> [[Int]] {
    try shot.pictures().map { Array($0.pixel(2, 1).prefix(3)) }
  }

  /// The reds of the pictures of some numbers, counted from 0.
  private func reds(_ numbers: Int...) -> [Int] { numbers.map { reds[$0] } }

  // MARK: sequences

  @Test(arguments: TestDevice.allCases) func neighborsOfASequence(on device: TestDevice) throws {
    let found = try colors(shot("before-and-after", Array(0...4), on: device))
    #expect(found == [reds(0, 0, 2), reds(0, 1, 3), reds(0, 2, 4), reds(1, 3, 4), reds(2, 4, 4)])
  }

  @Test(arguments: TestDevice.allCases) func ends(on device: TestDevice) throws {
    let result = "vec4(IMG_THIS_PIXEL(inputImage[-2]).r, IMG_THIS_PIXEL(inputImage[-2]).a, IMG_THIS_PIXEL(inputImage[2]).r, 1.0)"
    try write("mirrored", "{ \"FRAMES\": [-2, 2], \"ENDS\": \"mirror\" }", result)
    try write("cut", "{ \"FRAMES\": [-2, 2], \"ENDS\": \"transparent\" }", result)
    let mirrored = try colors(shot("mirrored", Array(0...4), on: device))
    #expect(mirrored.map { [$0[0], $0[2]] } == [reds(2, 2), reds(1, 3), reds(0, 4), reds(1, 3), reds(2, 2)])
    let cut = try colors(shot("cut", Array(0...4), on: device))
    #expect(cut == [[0, 0, reds[2]], [0, 0, reds[3]], [reds[0], 255, reds[4]], [reds[1], 255, 0], [reds[2], 255, 0]])
  }

  /// A loop has no ends.
  @Test func loopsGoOn() throws {
    let found = try colors(shot("before-and-after", [0, 4], text: ",loop=repeat"))
    #expect(found == [reds(3, 0, 2), reds(2, 4, 1)])
  }

  /// Pictures with a rate of their own: the ones that show two frames of the shot earlier and later.
  @Test func offsetsAreFramesOfTheShot() throws {
    let found = try colors(shot("before-and-after", Array(0...9), text: ",rate=30"))
    #expect(found[4] == reds(1, 2, 3) && found[5] == reds(1, 2, 3) && found[1] == reds(0, 0, 1))
  }

  @Test(arguments: TestDevice.allCases) func aFrameAloneIsThatOfTheRun(on device: TestDevice) throws {
    let run = try shot("before-and-after", Array(0...4), on: device).pictures()
    for frame in 0...4 { #expect(try shot("before-and-after", [frame], on: device).pictures() == [run[frame]]) }
  }

  /// The frame in the middle reads all pictures; after it their files are gone.
  @Test func everyPictureIsReadOnce() throws {
    let shot = try shot("before-and-after", Array(0...4)).prepared()
    var found: [[Int]] = []
    for frame in 0...4 {
      let pixels = try shot.pixels(of: frame)
      found.append((0..<3).map { Int(pixels.bytes[$0]) })
      if frame == 2 { try FileManager.default.removeItem(at: folder.url) }
    }
    #expect(found[3] == reds(1, 3, 4) && found[4] == reds(2, 4, 4))
  }

  @Test func aGapThatIsReadIsRefused() throws {
    try FileManager.default.removeItem(atPath: folder.file("plate.0004.png"))
    let error = #expect(throws: RenderError.self) { try shot("before-and-after", [1]).prepared() }
    #expect(error?.message == "frame 3, at 0.05 s, shows '\(folder.file("plate.0004.png"))', which is not there")
    let held = try colors(shot("before-and-after", [1], text: ",missing=hold"))
    #expect(held == [reds(0, 1, 2)])
  }

  /// A frame is rendered again when a picture changes that it reads at another frame.
  @Test func recipesCoverWhatIsRead() throws {
    func recipes() throws -> [String] {
      let shot = try shot("before-and-after", Array(0...4)).prepared()
      return try shot.frames.map { try shot.recipe(of: $0) }
    }
    let before = try recipes()
    _ = try folder.picture("plate.0005.png", Self.size) { _, _ in [1, 2, 3] }
    let changed = zip(before, try recipes()).map { $0 != $1 }
    #expect(changed == [false, false, true, true, true])
    let files = try shot("before-and-after", [2]).prepared().files
    #expect(["1", "3", "5"].allSatisfy { files.contains(folder.file("plate.000\($0).png")) })
  }

  // MARK: computed offsets

  @Test(arguments: TestDevice.allCases) func computedOffsets(on device: TestDevice) throws {
    let parameter = ", { \"NAME\": \"away\", \"TYPE\": \"int\", \"MIN\": -9, \"MAX\": 9, \"DEFAULT\": 1 }"
    try write(
      "chosen", "{ \"FRAMES\": [-2, 2] }",
      "vec4(IMG_THIS_PIXEL(inputImage[away]).r, IMG_LOAD(inputImage[away - 1], ivec2(POSITION)).r, IMG_PIXEL(inputImage[-away], POSITION).r, 1.0)",
      parameters: parameter)
    func chosen(_ away: Int) throws -> [Int] {
      var shot = try shot("chosen", [2], on: device)
      shot.request.settings = [.init(name: "away", value: "\(away)")]
      return try colors(shot)[0]
    }
    #expect(try chosen(1) == reds(3, 2, 1))
    #expect(try chosen(2) == reds(4, 3, 0))
    // What is out of the range is transparent black.
    #expect(try chosen(3) == [0, reds[4], 0])
  }

  // MARK: distances

  /// A value that does not change leaves the frames unread that it says are not needed.
  @Test func onlyFramesWithinTheDistanceAreRead() throws {
    try write(
      "around", "{ \"FRAMES\": [-2, 2], \"DISTANCE\": \"away\" }",
      "vec4(IMG_THIS_PIXEL(inputImage[-2]).r, IMG_THIS_PIXEL(inputImage[1]).r, IMG_THIS_PIXEL(inputImage[2]).r, 1.0)",
      parameters: ", { \"NAME\": \"away\", \"TYPE\": \"int\", \"MIN\": 0, \"MAX\": 2, \"DEFAULT\": 1 }")
    func around(_ away: String) throws -> (pictures: Int, color: [Int]) {
      var shot = try shot("around", [2])
      shot.request.settings = [.init(name: "away", value: away)]
      let prepared = try shot.prepared()
      return (Self.streams(prepared), try colors(shot)[0])
    }
    #expect(try around("0") == (1, reds(2, 2, 2)))
    #expect(try around("1") == (2, reds(2, 3, 2)))
    #expect(try around("2") == (4, reds(0, 3, 4)))
    #expect(try around("(frame)") == (4, reds(0, 3, 4)))
  }

  /// How many pictures of the sequence a frame is made of.
  private static func streams(_ shot: Shot) -> Int {
    shot.plan.plan.textures.count { if case .streamed = $0.role { true } else { false } }
  }

  @Test func framesOfTheBlendAreThoseOfItsValue() throws {
    let blend = try chain(["PLATE", "frame-blend frames=1"], [2]).prepared()
    #expect(Self.streams(blend) == 3)
  }

  // MARK: stills and videos

  @Test func aStillIsTheSameAtAllMoments() throws {
    let still = try folder.picture("still.png", Self.size) { x, y in [UInt8(9 * x), UInt8(7 * y), 3] }
    var shot = try shot("before-and-after", [0])
    shot.request.inputs = [try InputText.picture(still, for: nil, option: "-i")]
    let prepared = try shot.prepared()
    #expect(prepared.plan.plan.textures.count { if case .imported = $0.role { true } else { false } } == 1)
    #expect(try prepared.pictures()[0].firstDifference { x, _ in [9 * x, 9 * x, 9 * x, 255] } == nil)
  }

  @Test(arguments: TestDevice.allCases) func neighborsOfAVideo(on device: TestDevice) throws {
    let clip = try Clips.make("moments.mkv", "-c:v ffv1 -pix_fmt gbrp", seconds: "0.5", size: "16x16")
    let frames = try Clips.frames(clip, "rgba", bytesPerFrame: 16 * 16 * 4)
    try #require(frames.count == 12)
    var shot = try shot("before-and-after", Array(0...11), on: device)
    (shot.request.size, shot.request.clock) = (nil, ShotClock(rate: 24))
    shot.request.inputs = [try InputText.picture(clip, for: nil, option: "-i")]
    let prepared = try shot.prepared()
    let pictures = try prepared.pictures()
    for (frame, picture) in pictures.enumerated() {
      let sources = [max(frame - 2, 0), frame, min(frame + 2, 11)].map { frames[$0] }
      let expected = (0..<256).flatMap { (pixel: Int) -> [UInt8] in sources.map { $0[4 * pixel] } + [255] }
      #expect(picture.bytes == expected, "frame \(frame)")
    }
    #expect(prepared.followedVideo?.file.decodedCount == 12)
  }

  // MARK: nodes

  private func chain(_ stages: [String], _ frames: [Int], on device: TestDevice = .cpu) throws -> TestShot {
    var shot = try shot("before-and-after", frames, on: device)
    let plugins = TestShot.folder.appending(path: "../../../Plugins").standardized.path
    let library = FilterLibrary(try LibrarySearch(named: [plugins], environment: [:]))
    let places = stages.map { $0.replacing("PLATE", with: folder.file("plate.####.png")).replacing("FOLDER", with: folder.url.path) }
    shot.request.subject = RenderRequest(graph: try StageParser().graph(places), library: library).subject
    shot.request.inputs = []
    return shot
  }

  @Test(arguments: TestDevice.allCases) func neighborsOfWhatAFilterMakes(on device: TestDevice) throws {
    // Half of the red, and a clock in green.
    try write(
      "clock", "{ }".replacing("{ }", with: "{ \"LABEL\": \"Picture\" }"), "vec4(color.r * 0.5, float(FRAMEINDEX) / 255.0, TIME, 1.0)")
    try write(
      "both", "{ \"FRAMES\": [-2, 2] }", "vec4(IMG_THIS_PIXEL(inputImage[-2]).rg, IMG_THIS_PIXEL(inputImage[2]).g, 1.0)")
    let found = try colors(chain(["PLATE", "FOLDER/clock.glsl", "FOLDER/both.glsl"], Array(0...4), on: device))
    #expect(found == [0, 0, 0, 1, 2].enumerated().map { frame, before in [reds[before] / 2, before, min(frame + 2, 4)] })
  }

  /// Two filters one behind the other that read other frames see what each would see alone.
  @Test func filtersThatReadFramesOneBehindTheOther() throws {
    try write("next", "{ \"FRAMES\": [0, 1] }", "IMG_THIS_PIXEL(inputImage[1])")
    try write("last", "{ \"FRAMES\": [-1, 0] }", "IMG_THIS_PIXEL(inputImage[-1])")
    let found = try colors(chain(["PLATE", "FOLDER/next.glsl", "FOLDER/last.glsl"], Array(0...4))).map { $0[0] }
    // On the first frame 'last' holds the first frame of 'next', which shows the second picture.
    #expect(found == reds(1, 1, 2, 3, 4))
    let twice = try colors(chain(["PLATE", "FOLDER/next.glsl", "FOLDER/next.glsl"], Array(0...4))).map { $0[0] }
    #expect(twice == reds(2, 3, 4, 4, 4))
  }

  @Test func animatedValuesAreThoseOfTheMoment() throws {
    let parameter = ", { \"NAME\": \"level\", \"TYPE\": \"float\", \"MIN\": 0, \"MAX\": 1, \"DEFAULT\": 0 }"
    try write("filled", "{ \"LABEL\": \"Picture\" }", "vec4(vec3(level), 1.0)", parameters: parameter)
    try write("last", "{ \"FRAMES\": [-1, 0] }", "vec4(IMG_THIS_PIXEL(inputImage[-1]).r, color.r, 0.0, 1.0)")
    let found = try colors(chain(["PLATE", "FOLDER/filled.glsl level=(frame / 5.0)", "FOLDER/last.glsl"], Array(0...4)))
    #expect(found == [[0, 0, 0], [0, 51, 0], [51, 102, 0], [102, 153, 0], [153, 204, 0]])
  }

  @Test(arguments: TestDevice.allCases) func framesBeforeOfWhatRemembersAreKept(on device: TestDevice) throws {
    try write("last", "{ \"FRAMES\": [-2, 0] }", "IMG_THIS_PIXEL(inputImage[-2])")
    let trail = try colors(chain(["PLATE", "feedback-trail"], Array(0...4), on: device))
    let delayed = try colors(chain(["PLATE", "feedback-trail", "FOLDER/last.glsl"], Array(0...4), on: device))
    #expect(delayed == [0, 0, 0, 1, 2].map { trail[$0] })
    #expect(try colors(chain(["PLATE", "feedback-trail", "FOLDER/last.glsl"], [3], on: device)) == [trail[1]])
  }

  @Test func laterFramesOfWhatRemembersAreRefused() throws {
    try write("next", "{ \"FRAMES\": [-1, 1] }", "IMG_THIS_PIXEL(inputImage[1])")
    let error = #expect(throws: DiagnosticsError.self) { try chain(["PLATE", "feedback-trail", "FOLDER/next.glsl"], [0]).prepared() }
    #expect(error?.diagnostics.map(\.id) == ["moments.state"])
    #expect(error?.diagnostics.first?.message.contains("frames of 'feedback-trail' follow from those before") == true)
  }

  @Test func endlessCombinationsAreRefused() throws {
    let stages = ["PLATE"] + Array(repeating: "frame-blend frames=8", count: 3)
    let error = #expect(throws: DiagnosticsError.self) { try chain(stages, [0]).prepared() }
    #expect(error?.diagnostics.map(\.id) == ["limit.moments"])
  }

  // MARK: parts of pictures

  /// A region and a proxy show what the whole does.
  @Test func cropsReadOnlyTheirRegionOfOtherFrames() throws {
    let whole = try chain(["PLATE", "gaussian-blur sigma=1", "frame-blend frames=2"], [2])
    let part = try chain(["PLATE", "gaussian-blur sigma=1", "frame-blend frames=2", "crop 1,1,3x2"], [2])
    let (large, small) = (try whole.picture(), try part.picture())
    #expect(small.firstDifference { large.pixel($0 + 1, $1 + 1) } == nil)
    var proxy = try chain(["PLATE", "frame-blend frames=2"], [2])
    proxy.request.size = nil
    proxy.request.proxy = ProxyScale(Rational(1, 2))
    #expect(try proxy.prepared().size == Size(3, 2))
    _ = try proxy.picture()
  }
}
