import EtalonDiagnostics
import EtalonGraph
import EtalonMedia
import EtalonPlan
import EtalonTestSupport
import EtalonTypes
import EtalonVideo
import Foundation
import Synchronization
import Testing

@testable import Etalon

/// Videos through filters and back into videos, against what the command `ffmpeg` decodes.
@Suite("rendered videos")
struct VideoRenderTests {
  private static let plain = TestShot.folder.appending(path: "plain-copy.glsl").path

  /// A request for a filter that changes nothing, over a video.
  private func request(_ path: String, _ fields: String = "") throws -> RenderRequest {
    var request = RenderRequest(filter: .file(Self.plain))
    request.inputs = [try InputText.picture(path + fields, for: nil, option: "-i")]
    request.device = "cpu"
    request.following = .init(followsRate: true, followsNumbers: true)
    request.checkpoints = nil
    return request
  }

  private func pictures(_ path: String, _ fields: String = "", change: (inout RenderRequest) -> Void = { _ in }) throws -> (
    Shot, [TestPicture]
  ) {
    var request = try request(path, fields)
    change(&request)
    let shot = try ShotRenderer().prepare(request)
    return (shot, try shot.pictures())
  }

  private func rgba(_ clip: String, options: String = "") throws -> [[UInt8]] {
    try Clips.frames(clip, "rgba", bytesPerFrame: 64 * 64 * 4, options: options)
  }

  @Test func everyFrameOfARedGreenBlueVideoIsItself() throws {
    let clip = try Clips.make("render-rgb.mkv", "-c:v ffv1 -pix_fmt gbrp", seconds: "0.5")
    let (shot, pictures) = try pictures(clip)
    #expect(shot.clock.rate == 24)
    #expect(pictures.map(\.bytes) == (try rgba(clip)))
  }

  @Test func fullChromaAgreesWithFFmpeg() throws {
    for (name, matrix) in [("bt601", "smpte170m"), ("bt709", "bt709"), ("bt2020", "bt2020nc")] {
      let clip = try Clips.make(
        "render-\(name).mkv",
        "-vf scale=out_color_matrix=\(matrix == "bt2020nc" ? "bt2020" : matrix):out_range=tv -c:v ffv1 -pix_fmt yuv444p -colorspace \(matrix) -color_range tv",
        seconds: "0.1")
      let found = try pictures(clip).1[0].bytes
      let expected = try Clips.frames(
        clip, "rgba", bytesPerFrame: 64 * 64 * 4,
        filter: "scale=in_color_matrix=\(matrix == "bt2020nc" ? "bt2020" : matrix):in_range=tv:flags=accurate_rnd+full_chroma_int")[0]
      let largest = zip(found, expected).map { abs(Int($0) - Int($1)) }.max() ?? 0
      #expect(largest <= 1, "\(name): \(largest) levels")
    }
  }

  @Test func partsSpeedAndLoopsShowTheFramesOfTheirTimes() throws {
    let clip = try Clips.make("render-times.mkv", "-c:v ffv1 -pix_fmt gbrp", seconds: "1")
    let frames = try rgba(clip)
    func shown(_ fields: String, _ range: ClosedRange<Int>) throws -> [Int] {
      let found = try pictures(clip, fields) { request in
        request.following = nil
        request.clock = ShotClock(rate: 24)
        if let range = FrameRange(range) { request.frames = .range(range) }
      }.1
      return found.map { picture in frames.firstIndex(of: picture.bytes) ?? -1 }
    }
    #expect(try shown("", 0...3) == [0, 1, 2, 3])
    #expect(try shown(",from=0.5s", 0...2) == [12, 13, 14])
    #expect(try shown(",speed=2", 0...3) == [0, 2, 4, 6])
    #expect(try shown(",speed=1/2", 0...3) == [0, 0, 1, 1])
    #expect(try shown(",speed=-1", 0...3) == [23, 22, 21, 20])
    #expect(try shown(",to=0.125s,loop=repeat", 0...6) == [0, 1, 2, 0, 1, 2, 0])
    #expect(try shown(",to=0.125s,loop=ping-pong", 0...6) == [0, 1, 2, 2, 1, 0, 0])
    #expect(try shown(",start=0.125s,missing=hold", 0...4) == [0, 0, 0, 0, 1])
    #expect(try shown(",to=0.125s,missing=hold", 0...5) == [0, 1, 2, 2, 2, 2])
  }

  /// The time of a channel is the place in its video.
  @Test func channelsKnowTheTimesOfTheirVideos() throws {
    let clip = try Clips.make("render-clock.mkv", "-c:v ffv1 -pix_fmt gbrp", seconds: "1")
    let folder = try TemporaryFolder()
    let shader = folder.file("clock.glsl")
    try "void mainImage(out vec4 c, in vec2 p) { c = vec4(24.0 * iChannelTime[0] / 255.0) + 0.0 * texelFetch(iChannel0, ivec2(p), 0); }"
      .write(toFile: shader, atomically: true, encoding: .utf8)
    func clocks(_ fields: String, _ range: ClosedRange<Int>) throws -> [UInt8] {
      try pictures(clip, fields) { request in
        request.subject = .filter(.file(shader))
        request.following = nil
        request.clock = ShotClock(rate: 24)
        if let range = FrameRange(range) { request.frames = .range(range) }
      }.1.map { $0.bytes[0] }
    }
    #expect(try clocks("", 0...2) == [0, 1, 2])
    #expect(try clocks(",from=0.5s,speed=2", 0...2) == [12, 14, 16])
    #expect(try clocks(",to=0.125s,loop=repeat", 0...4) == [0, 1, 2, 0, 1])
    // Of a sequence, too, from its first file on.
    for number in 15...22 { _ = try folder.picture("s.\(number).png", Size(2, 2)) { _, _ in [0, 0, 0] } }
    let sequence = folder.file("s.##.png")
    func places(_ fields: String) throws -> [UInt8] {
      var request = RenderRequest(filter: .file(shader))
      (request.size, request.device, request.clock) = (Size(2, 2), "cpu", ShotClock(rate: 24))
      request.inputs = [try InputText.picture(sequence + fields, for: nil, option: "-i")]
      request.frames = .range(try #require(FrameRange(0...2)))
      return try ShotRenderer().prepare(request).pictures().map { $0.bytes[0] }
    }
    #expect(try places(",first=17,rate=24") == [2, 3, 4])
  }

  @Test func beyondTheEndIsRefused() throws {
    let clip = try Clips.make("render-end.mkv", "-c:v ffv1 -pix_fmt gbrp", seconds: "0.25")
    let error = #expect(throws: RenderError.self) {
      _ = try pictures(clip) { request in
        request.following = nil
        request.frames = .single(time: 1)
      }
    }
    #expect(error?.code == .missingInput)
    #expect(error?.diagnostic.message.contains("ends at 0.25 s") == true)
    #expect(throws: (any Error).self) { try pictures(clip, ",from=3s") }
    #expect(throws: DiagnosticsError.self) { try request(clip, ",form=3s") }
    #expect(throws: DiagnosticsError.self) { try request(clip, ",speed=fast") }
  }

  /// What is missing is told with the frames that are there, and where a frame is asked for that is missing.
  @Test func aVideoThatIsCutShortIsTold() throws {
    let whole = try Clips.make("render-whole.mp4", "-c:v libx264 -g 6 -pix_fmt yuv420p -movflags +faststart", seconds: "1")
    let data = try Data(contentsOf: URL(filePath: whole)), clip = Clips.path("render-cut.mp4")
    try data.dropLast(data.count / 2).write(to: URL(filePath: clip))
    let text = "'\(clip)' is cut short: \(data.count / 2) bytes are missing at its end"
    let (shot, found) = try pictures(clip)
    #expect((1..<24).contains(found.count))
    #expect(shot.takeNotes().first.map { [$0.id, $0.message] } == ["video.damaged", text])
    let error = #expect(throws: RenderError.self) {
      _ = try pictures(clip) { request in
        request.following = nil
        request.frames = .single(time: Rational(9, 10))
      }
    }
    #expect(error?.help.first == "\(text); export or download it again")
    let strict = #expect(throws: RenderError.self) { _ = try pictures(clip) { $0.isStrict = true } }
    #expect(strict?.message == text)
    let (unharmed, _) = try pictures(whole) { $0.isStrict = true }
    #expect(unharmed.takeNotes().isEmpty)
    #expect(try VideoReport(clip).damage == text)
  }

  @Test func aDamagedSoundOfAVideoIsTold() throws {
    let wave = Clips.path("cut-sound.wav"), filter = Clips.path("cut-sound.glsl")
    let bytes = WAVWriter().bytes(of: Sound(sampleRate: 8000, channels: [[Float](repeating: 0.25, count: 8000)]))
    try Data(bytes.dropLast(6000)).write(to: URL(filePath: wave))
    try "void mainImage(out vec4 c, in vec2 p) { c = vec4(1.0); }\n".write(toFile: filter, atomically: true, encoding: .utf8)
    var request = RenderRequest(filter: .file(filter))
    (request.device, request.size, request.clock, request.checkpoints) = ("cpu", Size(64, 64), ShotClock(rate: 24), nil)
    var destination = VideoExport.Destination(path: Clips.path("cut-sound.mkv"), codec: .ffv1, layout: .rgb8)
    (destination.policy, destination.sound) = (.anything, .file(wave))
    func notes(_ request: RenderRequest) throws -> [Diagnostic] {
      let shot = try ShotRenderer().prepare(request.making(destination))
      return try VideoExport(shot, to: destination, observe: { _ in }, isInterrupted: { false }).run().notes
    }
    let text = "'\(wave)' is cut short: 6000 bytes are missing at its end"
    #expect(try notes(request).filter { $0.severity == .warning }.map(\.message) == [text])
    request.isStrict = true
    let strict = request
    let error = #expect(throws: RenderError.self) { try notes(strict) }
    #expect(error?.message == text)
  }

  @Test func varyingRatesKeepTheirTimes() throws {
    let clip = try Clips.make(
      "render-varying.mkv", "-vf setpts='if(lt(N,6),N,6+(N-6)*3)/24/TB' -vsync vfr -c:v ffv1 -pix_fmt gbrp", seconds: "0.5")
    let (shot, pictures) = try pictures(clip)
    #expect(pictures.map(\.bytes) == (try rgba(clip)))
    let times = shot.frames.map { shot.time(of: $0).double }
    for (index, time) in times.enumerated() {
      let expected = Double(index < 6 ? index : 6 + (index - 6) * 3) / 24
      #expect(abs(time - expected) < 0.002, "frame \(index) at \(time) s, not \(expected) s")
    }
    let output = Clips.path("render-varying-out.mkv")
    try export(request(clip), to: output, .ffv1, .rgb8)
    let found = try VideoReader(output).timeStamps().map(\.double)
    #expect(zip(found, times).allSatisfy { abs($0 - $1) < 0.0015 } && found.count == times.count)
    #expect(try rgba(output) == rgba(clip))
  }

  @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8])
  func turnedVideosStandUpright(_ orientation: Int) throws {
    // What is stored, turned as viewers turn it, is what ffmpeg shows.
    let clip = try Clips.make("render-turned-\(orientation).mkv", "-c:v ffv1 -pix_fmt gbrp", seconds: "0.1", size: "64x48")
    let file = try VideoFile(clip)
    let planes = ImageStream.Planes(file.planes.form, size: file.planes.size, orientation: orientation)
    let size = orientation >= 5 ? Size(48, 64) : Size(64, 48)
    #expect(ImageStream(name: "clip", size: size, planes: planes).size == size)
    let transposes = [
      "null", "hflip", "hflip,vflip", "vflip", "transpose=0", "transpose=1", "transpose=3", "transpose=2",
    ]
    let expected = try Clips.frames(clip, "rgba", bytesPerFrame: 64 * 48 * 4, filter: transposes[orientation - 1])[0]
    let image = ImageRecipe(.stream(ImageStream(name: "clip", size: size, planes: planes)), label: "clip")
    let graph = ImageGraph(outputs: [.init(image: image)])
    let plan = try GraphRun(graph, of: TestGraphs(), frames: 1)
    let pictures = try file.frame(at: .zero)
    let execution = try plan.prepare(on: .cpu)
    let values = plan.plan.values(frame: 0, state: FrameState(frame: 0, clock: ShotClock(), pointer: nil, date: .fixed), pictures: pictures)
    let pending = try execution.submit(values)
    defer { pending.release() }
    try pending.wait()
    var bytes: [UInt8] = []
    pending.withBands(of: 0) { _, _, band in unsafe band.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) } }
    #expect(bytes == expected)
  }

  @Test func pixelsBecomeSquare() throws {
    let clip = try Clips.make("render-wide.mkv", "-vf setsar=3/2 -c:v ffv1 -pix_fmt gbrp", seconds: "0.1")
    #expect(try VideoFile(clip).size == Size(96, 64))
    #expect(try pictures(clip).1[0].size == Size(96, 64))
  }

  @discardableResult
  private func export(_ request: RenderRequest, to path: String, _ codec: VideoCodec, _ layout: PlaneLayout) throws -> VideoExport.Result {
    var destination = VideoExport.Destination(path: path, codec: codec, layout: layout)
    destination.policy = .anything
    let shot = try ShotRenderer().prepare(request.making(destination))
    return try VideoExport(shot, to: destination, observe: { _ in }, isInterrupted: { false }).run()
  }

  /// The title goes along at any speed; the timecode counts on where the video shows as it is.
  @Test(arguments: [
    ("", nil, "01:00:00:12"), (",from=0.25s", nil, "01:00:00:18"), (",speed=2", nil, nil), ("", 12, "01:00:00:06"),
    (",from=0.125s", 48, "01:00:00:30"), ("", 120, nil),
  ])
  func titlesAndTimecodesGoAlong(fields: String, rate: Int?, timecode: String?) throws {
    let clip = try Clips.make(
      "render-named.mov", "-c:v libx264 -pix_fmt yuv420p -timecode 01:00:00:12 -metadata title=Waves", seconds: "0.5")
    var request = try request(clip, fields)
    if let rate {
      request.clock = ShotClock(rate: try #require(FrameRate(Rational(rate))))
      request.following = .init(followsRate: false, followsNumbers: true)
    }
    // Cases run side by side.
    let output = Clips.path("render-named-\(UUID().uuidString).mov")
    _ = try export(request, to: output, .h264, .yuv420p8)
    let description = try VideoReader(output).description
    #expect(description.timecode == timecode)
    #expect(description.metadata["title"] == "Waves")
  }

  @Test func planesGoThroughUnchanged() throws {
    let clip = try Clips.make("render-through.mkv", "-c:v ffv1 -pix_fmt gbrp", seconds: "0.5")
    let output = Clips.path("render-through-out.mkv")
    let result = try export(request(clip), to: output, .ffv1, .rgb8)
    #expect(result.path == output && result.summary.written == 12)
    #expect(try rgba(output) == rgba(clip))
  }

  @Test(arguments: [Size(1, 1), Size(2, 1), Size(1, 3), Size(5, 3)])
  func theSmallestVideosHaveTheirColors(_ size: Size) throws {
    let filter = Clips.path("color-\(size).glsl")
    try "/*{ \"ETALON\": 1 }*/\nvec4 colorKernel() { return vec4(0.2, 0.4, 0.6, 1.0); }\n"
      .write(toFile: filter, atomically: true, encoding: .utf8)
    var request = RenderRequest(filter: .file(filter))
    (request.device, request.size) = ("cpu", size)
    let output = Clips.path("small-\(size).mkv")
    try export(request, to: output, .ffv1, .rgb8)
    #expect(
      try Clips.frames(output, "rgba", bytesPerFrame: 4 * size.pixelCount)[0]
        == Array(repeating: [51, 102, 153, 255], count: size.pixelCount).flatMap(\.self))
  }

  @Test func aVideoIsTaggedAsWhatItIs() throws {
    let clip = try Clips.make("render-tags.mkv", "-c:v ffv1 -pix_fmt gbrp", seconds: "0.5", rate: "24000/1001")
    let output = Clips.path("render-tags.mp4")
    try export(request(clip), to: output, .h264, .yuv420p8)
    let description = try VideoReader(output).description
    #expect(description.averageRate == Rational(24000, 1001))
    #expect(description.color.range == .limited && description.color.matrix?.number == 1 && description.color.primaries?.number == 1)
    #expect(description.pixels.name == "yuv420p")
    // Blocks of one color come back within what the encoder loses.
    let found = try Clips.frames(output, "rgba", bytesPerFrame: 64 * 64 * 4, filter: "scale=in_color_matrix=bt709:in_range=tv")[0]
    let original = try rgba(clip)[0]
    let error = zip(found, original).map { abs(Int($0) - Int($1)) }.reduce(0, +) / found.count
    #expect(error < 12, "a mean difference of \(error) levels")
  }

  @Test(arguments: [(VideoCodec.ffv1, PlaneLayout.rgb8, "mkv"), (.h264, .yuv420p8, "mp4")])
  func colorsThatAreNoNumbersAreTold(_ codec: VideoCodec, _ layout: PlaneLayout, _ ending: String) throws {
    let clip = try Clips.make("render-nan-\(ending).mkv", "-c:v ffv1 -pix_fmt gbrp", seconds: "0.1")
    let filter = Clips.path("nan-\(ending).glsl")
    let text = try String(contentsOfFile: Self.plain, encoding: .utf8)
    try text.replacing("return color;", with: "return vec4(color.r, sqrt(color.g - 2.0), color.b, 1.0);")
      .write(toFile: filter, atomically: true, encoding: .utf8)
    var request = try request(clip)
    request.filter = .file(filter)
    var destination = VideoExport.Destination(path: Clips.path("nan-\(ending).\(ending)"), codec: codec, layout: layout)
    destination.policy = .anything
    let shot = try ShotRenderer().prepare(request.making(destination))
    _ = try VideoExport(shot, to: destination, observe: { _ in }, isInterrupted: { false }).run()
    #expect(shot.takeFramesWithNaN().first?.count == shot.frames.count)
  }

  /// Writes a ShaderToy and exports a shot of it.
  private func export(_ text: String, named name: String, _ change: (inout RenderRequest, inout VideoExport.Destination) -> Void) throws
    -> (
      shot: Shot, path: String
    )
  {
    let filter = Clips.path("\(name).glsl")
    try text.write(toFile: filter, atomically: true, encoding: .utf8)
    var request = RenderRequest(filter: .file(filter))
    (request.device, request.size, request.clock, request.checkpoints) = ("cpu", Size(64, 64), ShotClock(rate: 24), nil)
    var destination = VideoExport.Destination(path: Clips.path("\(name).mkv"), codec: .ffv1, layout: .rgb8)
    destination.policy = .anything
    change(&request, &destination)
    let shot = try ShotRenderer().prepare(request.making(destination))
    _ = try VideoExport(shot, to: destination, observe: { _ in }, isInterrupted: { false }).run()
    return (try ShotRenderer().prepare(request), destination.path)
  }

  /// Numbers are rounded once, also where a kernel with derivatives cannot write the planes itself.
  @Test(arguments: ["0.0", "fwidth(uv.x)"]) func aLosslessVideoHoldsThePixelsOfFiles(_ term: String) throws {
    let text = """
      void mainImage(out vec4 c, in vec2 p) {
        vec2 uv = p / iResolution.xy;
        c = vec4(fract(uv.x * 37.173 + uv.y * 5.71 + \(term)), uv.y * 0.731 + uv.x * 0.113, uv.x * uv.y, 1.0);
      }
      """
    let (shot, path) = try export(text, named: "exact-\(term.count)") { _, _ in }
    let decoded = try #require(try rgba(path).first)
    #expect(try shot.pictures()[0].bytes == decoded)
  }

  /// A sound plays from the time 0 of the shot on: with a part of its frames goes a part of it.
  @Test(arguments: [true, false]) func partsOfAShotHaveTheirPartsOfASound(_ isHeard: Bool) throws {
    let wave = Clips.path("steps-\(isHeard).wav")
    let samples = (0..<3).flatMap { [Float](repeating: Float($0 + 1) / 4, count: 8000) }
    try Data(WAVWriter().bytes(of: Sound(sampleRate: 8000, channels: [samples]))).write(to: URL(filePath: wave))
    for (frames, start, expected) in [(0...23, 0, [0.25]), (24...47, 0, [0.5]), (12...35, 1, [0.5, 0.75]), (36...59, 0, [0.5, 0.75])] {
      let color = isHeard ? "texture(iChannel0, p / iResolution.xy)" : "vec4(1.0)"
      let (_, path) = try export(
        "void mainImage(out vec4 c, in vec2 p) { c = \(color); }\n", named: "heard-\(isHeard)-\(frames.lowerBound)"
      ) {
        request, destination in
        request.clock = ShotClock(start: Rational(start), rate: 24)
        request.frames = FrameRange(frames).map { .range($0) } ?? request.frames
        if isHeard { request.inputs = [.init(input: "iChannel0", path: wave)] } else { destination.sound = .file(wave) }
      }
      let sound = try Etalon.SoundFile(path).sound
      #expect(sound.sampleRate == 8000 && sound.channels[0].count == 8000, "\(frames)")
      var values: [Double] = []
      for sample in sound.channels[0].map({ (Double($0) * 100).rounded() / 100 }) where values.last != sample { values.append(sample) }
      #expect(values == expected, "\(frames) from \(start) s")
    }
  }

  @Test func anotherVideoIsNotReplaced() throws {
    let clip = try Clips.make("render-own.mkv", "-c:v ffv1 -pix_fmt gbrp", seconds: "0.1")
    let foreign = try Clips.make("render-foreign.mkv", "-c:v ffv1 -pix_fmt gbrp", seconds: "0.1")
    var destination = VideoExport.Destination(path: foreign, codec: .ffv1, layout: .rgb8)
    let shot = try ShotRenderer().prepare(request(clip).making(destination))
    let error = #expect(throws: RenderError.self) {
      try VideoExport(shot, to: destination, observe: { _ in }, isInterrupted: { false }).run()
    }
    #expect(error?.code == .cannotWrite)
    destination.path = Clips.path("render-own-out.mkv")
    for _ in 0..<2 {
      let shot = try ShotRenderer().prepare(request(clip).making(destination))
      _ = try VideoExport(shot, to: destination, observe: { _ in }, isInterrupted: { false }).run()
    }
  }

  // MARK: going on

  /// Renders a video with parts, up to a number of frames.
  private func resumed(_ request: RenderRequest, to path: String, quality: Int? = nil, frames: Int = .max) throws -> VideoExport.Result {
    var destination = VideoExport.Destination(path: path, codec: .h264, layout: .yuv420p8)
    destination.resumes = true
    destination.quality = quality.flatMap { VideoQuality($0) }
    let shot = try ShotRenderer().prepare(request.making(destination))
    let encoded = Counter()
    return try VideoExport(shot, to: destination) {
      if case .encoded = $0 { encoded.add() }
    } isInterrupted: {
      encoded.value >= frames
    }.run()
  }

  @Test func whatIsWholeIsNotRenderedAgain() throws {
    let clip = try Clips.make("resume-source.mkv", "-c:v ffv1 -pix_fmt gbrp", seconds: "0.5")
    let path = Clips.path("resumed.mp4"), part = Clips.path("resumed.part.mp4")
    let first = try resumed(request(clip), to: path, frames: 4)
    #expect(first.summary.wasInterrupted && first.path == part)
    let second = try resumed(request(clip), to: path)
    #expect(second.summary.kept >= 4 && second.summary.written + second.summary.kept == 12)
    #expect(!FileManager.default.fileExists(atPath: part), "the part is still there")
    #expect(!FileManager.default.fileExists(atPath: Clips.path(".resumed.mp4.segments")))
    let third = try resumed(request(clip), to: path)
    #expect((third.summary.written, third.summary.kept) == (0, 12))
    let other = try resumed(request(clip), to: path, quality: 40)
    #expect(other.summary.written == 12, "another quality is another video")
  }

  @Test func twoProcessesDoNotWriteOneVideo() throws {
    let clip = try Clips.make("lock-source.mkv", "-c:v ffv1 -pix_fmt gbrp", seconds: "0.1")
    let path = Clips.path("locked.mp4")
    let settings = VideoOutputSettings(path: path, size: Size(64, 64), codec: .h264, layout: .yuv420p8, timing: .rate(24))
    let other = try VideoSegments(settings, recipe: ContentHash(of: []))
    try other.lock()
    let error = #expect(throws: RenderError.self) { try resumed(request(clip), to: path) }
    #expect(error?.underlying == "another process is rendering it")
    other.remove()
    #expect(try resumed(request(clip), to: path).summary.written == rgba(clip).count)
  }

  // MARK: kernels

  /// A result that runs several times in a row is that of its last run, in a video as in a picture.
  @Test func theLastOfSeveralRunsIsEncoded() throws {
    let filter = Clips.path("runs.glsl")
    let input = #"{ "NAME": "inputImage", "TYPE": "image" }"#, pass = #"{ "KERNEL": "shown", "ITERATIONS": 3 }"#
    let header = #"/*{ "ETALON": 1, "INPUTS": [\#(input)], "PASSES": [\#(pass)] }*/"#
    try
      "\(header)\nvec4 shown(vec2 position) { return vec4(vec3(float(ITERATION) / 2.0), texelFetch(inputImage, ivec2(position), 0).a); }\n"
      .write(toFile: filter, atomically: true, encoding: .utf8)
    let clip = try Clips.make("runs.mkv", "-c:v ffv1 -pix_fmt gbrp", seconds: "0.1")
    var request = try request(clip)
    request.filter = .file(filter)
    for (codec, layout, ending) in [(VideoCodec.ffv1, PlaneLayout.rgb8, "mkv"), (.h264, .yuv420p8, "mp4")] {
      let output = Clips.path("runs-out.\(ending)")
      try export(request, to: output, codec, layout)
      let frame = try rgba(output)[0]
      #expect(frame.allSatisfy { $0 >= 254 }, "\(ending): the first byte is \(frame[0])")
    }
  }
}

/// Counts on several threads.
private final class Counter: Sendable {
  private let count = Mutex(0)
  var value: Int { count.withLock { $0 } }
  func add() { count.withLock { $0 += 1 } }
}
