import Etalon
import EtalonComparison
import EtalonInspection
import EtalonTypes
import Foundation
import Testing

@testable import EtalonRegression

/// What the Vulkan specification allows pixels to be: the CPU device and other devices lie inside, what is wrong lies outside.
@Suite struct SpecificationTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .path

  private static func cases(_ folder: String) -> [TestCase] {
    guard let search = try? LibrarySearch(named: ["\(root)/\(folder)"], environment: [:]) else { return [] }
    return TestSelection(["\(root)/\(folder)"], in: FilterLibrary(search)).cases
  }

  private static func library() throws -> FilterLibrary {
    FilterLibrary(try LibrarySearch(named: ["\(root)/samples"], environment: [:]))
  }

  /// Nine pixels all over a picture, not in line with tiles or textures.
  private static func grid(_ size: Size) -> [(x: Int, y: Int)] {
    (0..<9).map { number in
      let (column, row) = (number % 3, number / 3)
      return (
        min((column * 2 + 1) * size.width / 6 + row % 2, size.width - 1), min((row * 2 + 1) * size.height / 6 + column % 2, size.height - 1)
      )
    }
  }

  /// What is open everywhere: positions that are not certain are rounded, loops have no certain end, or too much hangs together.
  private static let open = [
    "gaussian-blur/tests/basics.yaml:usual", "gaussian-blur/tests/basics.yaml:transparent", "gaussian-blur/tests/basics.yaml:tall",
    "maximum/tests/basics.yaml:wide", "minimum/tests/basics.yaml:wide", "box-convolution/tests/basics.yaml:wide",
    "feedback-trail/tests/basics.yaml:mixed", "feedback-trail/tests/basics.yaml:slow", "histogram/tests/basics.yaml:rgb",
    "embers/tests/basics.yaml:basics", "embers/tests/basics.yaml:large", "coral/tests/basics.yaml:basics", "coral/tests/basics.yaml:tall",
    "fluid/tests/basics.yaml:basics", "fluid/tests/basics.yaml:stirred", "life/tests/basics.yaml:withering", "life/tests/basics.yaml:sown",
    "bricks/tests/basics.yaml:played", "bricks/tests/basics.yaml:tall", "sound-hills/tests/basics.yaml:basics", "flight/basics.yaml:basics",
    "flight/basics.yaml:tall",
    "edges/basics.yaml:basics", "edges/basics.yaml:inked",
    // Their pictures are resized before, with many reads for each pixel.
    "box-convolution/tests/basics.yaml:tall", "box-convolution/tests/basics.yaml:small", "affine/tests/basics.yaml:tall",
    "kaleidoscope/tests/basics.yaml:odd", "kaleidoscope/tests/basics.yaml:tall", "maximum/tests/basics.yaml:tall",
    "maximum/tests/basics.yaml:larger", "minimum/tests/basics.yaml:tall", "minimum/tests/basics.yaml:larger", "bounces/basics.yaml",
    "masked-kaleidoscope/basics.yaml", "dark-strokes/basics.yaml", "dissolve/basics.yaml", "videos/tests/turning-hue/basics.yaml",
    "pixellated-circle/basics.yaml", "mosaic-spot/basics.yaml:tall",
    // Loops over what lies around a pixel, or over whole columns, and passes whose targets have other sizes.
    "bloom/tests/basics.yaml:usual", "close/tests/basics.yaml:usual", "disc-blur/tests/basics.yaml:usual",
    "distance-transform/tests/basics.yaml:usual", "drop-shadow/tests/basics.yaml:usual", "echo/tests/basics.yaml:usual",
    "gloom/tests/basics.yaml:usual", "guided-filter/tests/basics.yaml:usual", "masked-variable-blur/tests/basics.yaml:usual",
    "motion-blur/tests/basics.yaml:usual", "open/tests/basics.yaml:usual", "rgb-parade/tests/basics.yaml:usual",
    "shadows-highlights/tests/basics.yaml:usual", "slit-scan/tests/basics.yaml:usual", "tile/tests/basics.yaml:usual",
    "top-hat/tests/basics.yaml:usual", "unsharp-mask/tests/basics.yaml:usual", "vectorscope/tests/basics.yaml:usual",
    "waveform/tests/basics.yaml:usual", "frame-blend/tests/basics.yaml:usual", "temporal-median/tests/basics.yaml:usual",
    "blurred-sides/basics.yaml", "keyed-presenter/basics.yaml", "luma-glow/basics.yaml", "model-town/basics.yaml", "title/basics.yaml",
    "vintage-film/basics.yaml", "stream-window/basics.yaml", "graded-plate/basics.yaml", "camera-hue/basics.yaml",
  ]

  private static func channels(_ frame: RenderedFrame, _ x: Int, _ y: Int) -> [Float] {
    let size = frame.floats.size
    let start = ((size.height - 1 - y) * size.width + x) * 16
    return Array(frame.floats.bytes[start..<start + 16]).floats
  }

  /// The first case of each filter that ships: others have the same kernels.
  private static let shipped: [TestCase] = {
    var known: Set<String> = []
    return cases("Plugins").filter { known.insert($0.path).inserted }
  }()

  @Test(arguments: shipped + cases("samples")) func shippedFiltersLieInside(testCase: TestCase) throws {
    let library = try Self.library(), moment = testCase.moments[0]
    let frames = try ["cpu", "vulkan"].map { device in
      try #require(try CaseRenderer(device: device, library: library).frames(of: testCase).first)
    }
    let pixels = Self.grid(frames[0].floats.size)
    let ranges = try CaseRenderer(device: "cpu", library: library).ranges(
      of: testCase, moment, at: pixels, limits: .init(stepsOfPixel: 60_000, stepsOfFrame: 300_000))
    var outside: [String] = []
    for (pixel, range) in zip(pixels, ranges) {
      for (device, frame) in zip(["the CPU device", "Vulkan"], frames) {
        for (channel, value) in Self.channels(frame, pixel.x, pixel.y).enumerated() where !range.channels[channel].contains(value) {
          let allowed = range.channels[channel]
          outside.append("\(device): channel \(channel) of (\(pixel.x), \(pixel.y)) is \(value), not \(allowed.low) to \(allowed.high)")
        }
      }
    }
    #expect(outside.isEmpty, "\(outside.prefix(6).joined(separator: "\n"))")
    let isOpen = Self.open.contains { testCase.id.hasSuffix("/\($0)") }
    #expect(ranges.contains { $0.opening == nil } != isOpen, "\(ranges.compactMap(\.opening?.text).first ?? "nothing is open any more")")
  }

  // MARK: judgements

  /// A case, what the CPU device shows of it, and the same where a device shows other numbers.
  private struct Changed {
    let folder: TestFolder
    let run: CaseRun
    let testCase: TestCase
    let frame: RenderedFrame
    let changed: RenderedFrame

    init(_ expression: String, _ keys: String, _ change: (inout [Float]) -> Void) throws {
      folder = try TestFolder()
      try folder.writeFilter("some", expression)
      try folder.write("some/tests/basics.yaml", "size: 16x12\n\(keys)\n")
      testCase = try #require(try folder.selection("").cases.first)
      let library = try library()
      let frame = try #require(try CaseRenderer(device: "cpu", library: library).frames(of: testCase).first)
      self.frame = frame
      var numbers = frame.floats.bytes.floats
      change(&numbers)
      let bytes = [UInt8](floats: numbers)
      let floats = PixelBuffer(size: frame.floats.size, format: .rgba32f, alpha: frame.floats.alpha, bytes: bytes)
      changed = RenderedFrame(frame.moment, number: frame.number, floats, frame.provenance)
      let settings = CaseRun.Settings(device: "cpu:last-place=1", folder: folder.path, pictures: "pictures", today: "2026-01-01")
      run = try CaseRun(settings, library: library)
    }

    /// What came out of comparing both, as the runner compares them.
    var found: (result: FrameResult, reference: PixelBuffer) {
      let reference = testCase.comparesFloats ? frame.floats : frame.levels(bits: 8)
      var found = FrameResult(check: "reference", moment: frame.moment.text)
      found.judge(changed.picture(like: reference), reference, run.rule(of: testCase, besideCPU: true))
      if !testCase.comparesFloats { found.judgeFiniteness(changed.floats, frame.floats, nil) }
      return (found, reference)
    }

    /// What becomes of the case.
    var result: CaseResult {
      var work = CaseWork(CaseResult(testCase), testCase)
      let (result, reference) = found
      work.add([(result, reference)], [changed], testCase, run.tolerance(of: testCase))
      work.result.settle()
      return run.explained(work)
    }
  }

  private static func judge(
    _ expression: String, _ time: JudgingTime = JudgingTime(seconds: nil), _ change: (inout [Float]) -> Void
  ) throws -> SpecificationResult {
    let changed = try Changed(expression, "reference: cpu\ntolerance: { within: vulkan }", change)
    let (found, reference) = changed.found
    return try SpecificationCheck(changed.run, changed.testCase, time).judge(PixelQuestion(found, changed.changed, reference, .exact))
  }

  @Test func wrongPixelsAreOutside() throws {
    let result = try Self.judge("vec4(uv, sin(uv.x), 1.0)") { numbers in
      for pixel in [3, 100] { numbers[4 * pixel + 1] += 3 / 255 }
    }
    #expect(result.outside == 2 && result.inside == 0 && result.undetermined == 0 && result.unknown == 0 && result.differing == 2)
    let worst = try #require(result.worst)
    #expect(worst.channel == "g" && worst.actual == worst.reference + 3 && worst.high - worst.low <= 1)
    #expect(
      [0, 6].contains(worst.rowFromTop) && result.worstWords?.contains("g is \(Int(worst.actual)), may be \(Int(worst.low)) to") ?? false)
  }

  @Test func pixelsThatAreNotReachedInTimeAreUnknown() throws {
    let time = JudgingTime(seconds: 1000, since: .now - .seconds(600))
    let result = try Self.judge("vec4(uv, sin(uv.x), 1.0)", time) { numbers in
      for pixel in [3, 100] { numbers[4 * pixel + 1] += 3 / 255 }
    }
    #expect(result.judged == 2 && result.unknown == 2 && result.outside == 0)
    #expect(result.lines == [.init(text: "not looked at: it would take too long", pixels: 2)])
  }

  @Test func whatOperationsMayAddIsInside() throws {
    // A sine may be off by a 2048th: four levels here.
    let result = try Self.judge("vec4(vec3(0.5 + 8.0 * (sin(uv.x) - uv.x)), 1.0)") { numbers in
      for pixel in 0..<8 { numbers[4 * pixel] += 0.9 / 255 }
    }
    #expect(result.outside == 0 && result.inside == result.differing && result.inside > 0 && result.lines == [])
  }

  /// 255 times the number next to 0.3 lies above 76.5, and rounds to 76.5 in single precision, which becomes 76.
  @Test func levelsAreThoseOfProductsThatWereRounded() {
    func levels(_ low: Float, _ high: Float) -> ClosedRange<Int> {
      PixelRange.Channel(low: Double(low), high: Double(high), mayBeNaN: false).levels(most: 255)
    }
    #expect(levels(0.3, 0.3) == 76...77 && levels(0.3, 0.31) == 76...79 && levels(0.29, 0.3) == 74...77)
    #expect(levels(-1, 2) == 0...255 && levels(0.5, 0.5) == 128...128)
    #expect(PixelRange.Channel(low: 0, high: 1, mayBeNaN: true).levels(most: 65535) == 0...65535)
  }

  @Test func hashesAreUndetermined() throws {
    let hash = "vec4(vec3(fract(sin(dot(floor(position), vec2(12.9898, 78.233))) * 43758.5453)), 1.0)"
    let result = try Self.judge(hash) { numbers in
      for pixel in 10..<20 { numbers[4 * pixel] = 1 - numbers[4 * pixel] }
    }
    #expect(result.outside == 0 && result.undetermined == result.differing && result.differing > 5)
    #expect(result.beyondSpecification == result.differing)
    let line = try #require(result.lines.first)
    #expect(line.text.hasSuffix("some.glsl:2: a number may be rounded to either of two whole numbers") && line.pixels == result.differing)
  }

  @Test func branchesGoBothWays() throws {
    // Half of the picture hangs on the last bits of a quotient; the other values are no result of any branch.
    let branch = "vec4(vec3(uv.x / 3.0 * 3.0 < uv.x ? 0.25 : 0.75), 1.0)"
    let other = try Self.judge(branch) { numbers in
      for pixel in 32..<48 { numbers[4 * pixel] = 1 - numbers[4 * pixel] }
    }
    #expect(other.outside == 0 && other.undetermined == 16 && other.lines.first?.text.contains("a comparison may go either way") ?? false)
    let wrong = try Self.judge(branch) { numbers in
      for pixel in 32..<48 { numbers[4 * pixel] = 0.1 }
    }
    #expect(wrong.outside == 16 && wrong.undetermined == 0)
  }

  /// Whether a color is a number is told by its bits, which are not certain around zero: that leaves nothing open.
  @Test func colorsAroundZeroAreAsCertainAsOthers() throws {
    func judged(_ levels: Float) throws -> SpecificationResult {
      try Self.judge("vec4(vec3(64.0 * (sin(uv.x) - uv.x)), 1.0)") { numbers in
        for pixel in [0, 1, 16, 17] { numbers[4 * pixel] += levels / 255 }
      }
    }
    let (allowed, wrong) = try (judged(4), judged(32))
    #expect(allowed.differing == 4 && allowed.inside == 4 && allowed.lines == [], "\(allowed.words): \(allowed.lines.map(\.text))")
    #expect(wrong.differing == 4 && wrong.outside == 4, "\(wrong.words)")
  }

  @Test func aStoreThatMayNotHappenIsOpenAtTheLineThatDecides() throws {
    let folder = try TestFolder()
    try folder.write(
      "some.comp",
      """
      #version 450
      layout(local_size_x = 4, local_size_y = 4) in;
      layout(binding = 0, rgba8) uniform writeonly image2D result;
      void main() {
        ivec2 at = ivec2(gl_GlobalInvocationID.xy);
        float x = float(at.x) + 0.5;
        imageStore(result, at, vec4(0.25, 0.5, 0.5, 1.0));
        if (x / 3.0 * 3.0 < x)
          imageStore(result, at, vec4(0.75, 0.5, 0.5, 1.0));
      }
      """)
    try folder.write("tests/some/some.yaml", "size: 16x12\nreference: cpu\n")
    let testCase = try #require(try folder.selection("").cases.first { $0.name == "some" })
    let renderer = CaseRenderer(device: "cpu", library: try Self.library())
    let range = try #require(try renderer.ranges(of: testCase, testCase.moments[0], at: [(x: 5, y: 5)], limits: .init()).first)
    #expect(range.channels[0].contains(0.25) && range.channels[0].contains(0.75) && !range.isUnknown)
    #expect(range.opening?.text.hasSuffix("some.comp:8: a comparison may go either way") ?? false, "\(range.opening?.text ?? "certain")")
  }

  @Test func theSpecificationAloneMayDecide() throws {
    let folder = try TestFolder()
    try folder.writeFilter("some", "vec4(vec3(fract(sin(dot(floor(position), vec2(12.9898, 78.233))) * 43758.5453)), 1.0)")
    try folder.writeFilter("plain", "vec4(vec3(0.5 + 64.0 * (sin(uv.x) - uv.x)), 1.0)")
    for name in ["some", "plain"] {
      try folder.write("\(name)/tests/\(name).yaml", "size: 16x12\ntolerance: { within: vulkan }\n")
    }
    _ = try folder.run(record: .missing)
    let results = try folder.run(device: "cpu:specification=1")
    #expect(results.verdicts == ["some": .warning, "plain": .passed])
    let found = results.cases.first { $0.name == "some" }
    #expect(
      found?.frames.compactMap(\.specification).first?.undetermined ?? 0 > 0
        && found?.notes.contains { $0.contains("some.glsl:2") } ?? false)
  }

  /// A device that shows NaN where the shader leaves it open fails the case; the shader is to blame, and its line is named.
  @Test func theShaderIsToBlameForPixelsThatAreNoNumbers() throws {
    let folder = try TestFolder()
    try folder.writeFilter("some", "vec4(0.5 + pow(uv.x - 0.5, 3.0), uv.y, 0.5, 1.0)")
    try folder.write("some/tests/some.yaml", "size: 16x12\n")
    _ = try folder.run(record: .missing)
    let result = try #require(try folder.run(device: "cpu:undefined=1").cases.first)
    #expect(result.verdict == .failed && result.blame == .shader)
    let blame = try #require(result.blameWords)
    #expect(blame.contains("some.glsl:2: an operation may have no defined result; type 'etalon sanitize "), "\(blame)")
    let order = try ["pixels are NaN", "type 'etalon sanitize ", "write 'allow: not-finite'"].map {
      try #require(result.reason.range(of: $0), "\(result.reason)").lowerBound
    }
    #expect(order == order.sorted(), "allowing it is offered last: \(result.reason)")
  }

  /// What one pixel of the case `some` may be.
  private func range(in folder: TestFolder) throws -> PixelRange {
    try folder.write("some/tests/some.yaml", "size: 16x12\nallow: [flat, not-finite]\n")
    _ = try folder.run(record: .missing)
    let testCase = try #require(try folder.selection("").cases.first)
    let renderer = CaseRenderer(device: "cpu", library: FilterLibrary(try LibrarySearch(named: [folder.path], environment: [:])))
    let frame = try #require(try renderer.frames(of: testCase).first)
    return try #require(try renderer.ranges(of: testCase, frame.moment, at: [(3, 4)], limits: .init()).first)
  }

  /// What a function gives that ends without 'return' has no line of its own: the line of the function is told.
  @Test func theLineOfAFunctionWithoutReturnIsNamed() throws {
    let folder = try TestFolder()
    try folder.write(
      "some/some.glsl",
      "float g(float x) { if (x > 8.0) return 0.5; }\nvoid mainImage(out vec4 c, in vec2 p) { c = vec4(g(p.x), 0.25, 0.5, 1.0); }\n")
    let opening = try #require(try range(in: folder).opening)
    #expect(opening.line == 1 && opening.path?.hasSuffix("some.glsl") ?? false, "\(opening.text)")
  }

  /// A tie in one byte of a packed word leaves the others certain: a driver that has them wrong is told from one that rounds the other way.
  @Test func otherBytesOfAPackedWordStayCertain() throws {
    let folder = try TestFolder()
    let word = "packSnorm4x8(vec4(-1.0, 0.5, 0.0, level * 2.0))"
    try folder.writeFilter("some", "vec4(float(\(word) >> 16 & 255u) / 255.0, float(\(word) & 255u) / 255.0, uv.x, 1.0)")
    let range = try range(in: folder)
    #expect(!range.isUnknown)
    for (channel, value) in zip(range.channels, [0, 129.0 / 255]) {
      #expect(abs(channel.low - value) < 1e-6 && abs(channel.high - value) < 1e-6, "\(channel)")
    }
  }

  /// A warning says how much differs, and why no picture is the right one.
  @Test func aWarningOfTheSpecificationSaysWhatDiffers() throws {
    let folder = try TestFolder()
    try folder.writeFilter("some", "vec4(vec3(fract(sin(dot(floor(position), vec2(12.9898, 78.233))) * 43758.5453)), 1.0)")
    try folder.write("some/tests/some.yaml", "size: 16x12\ntolerance: { within: vulkan }\n")
    _ = try folder.run(record: .missing)
    let result = try #require(try folder.run(device: "cpu:specification=1").cases.first)
    #expect(result.verdict == .warning)
    #expect(
      result.reason.firstMatch(
        of:
          /^the first frame: \d+ pixels? differs? by up to \d+ levels?; Vulkan does not say which picture is right: .*some\.glsl:2: a number may/
      )
        != nil, "\(result.reason)")
  }

  // MARK: what is taken back

  /// Sixteen levels, and more than a range of these expressions.
  private static let far: Float = 16 / 255

  @Test(arguments: [
    ("reference: cpu\ntolerance: { within: vulkan, channel: 40, alpha: { channel: 0 } }", 3),
    ("reference: cpu\ntolerance: { within: vulkan, channel: 40, mean: 0.1 }", 2),
    ("reference: cpu\ntolerance: { within: vulkan, channel: 20, ssim: 0.9999, emd: 0.0001 }", 2),
    ("reference: cpu\ntolerance: { within: vulkan, channel: 40, alpha: { channel: 40, rmse: 0.1 } }", 3),
    ("reference: some.exr\ntolerance: { within: vulkan }", 2),
    ("reference: some.exr\ntolerance: { within: vulkan, channel: 0.5, relative: 0.001 }", 2),
  ]) func noFailureIsTakenBackUnasked(keys: String, channel: Int) throws {
    // Levels of 2 and 1.936 are the same.
    let blue = keys.contains(".exr") ? "1.5 + 0.5 * cos(uv.x * 0.01)" : "0.5 + 0.01 * cos(uv.x)"
    let result = try Changed("vec4(uv, \(blue), 0.75)", keys) { numbers in
      for pixel in 0..<16 * 12 { numbers[4 * pixel + channel] -= Self.far }
    }.result
    #expect(result.verdict == .failed && result.blame == .driver, "\(result.notes)")
    let found = try #require(result.frames[0].specification)
    #expect(found.differing == 16 * 12 && found.judged == found.differing && found.outside == found.differing)
    #expect(result.notes.contains { $0.hasPrefix("blame: the driver: 192 of 192 pixels are outside") })
  }

  @Test(arguments: [
    "reference: cpu\ntolerance: { within: vulkan, channel: 40, mean: 0.0001 }", "reference: cpu\ntolerance: { within: vulkan }",
    "reference: some.exr\ntolerance: { within: vulkan }",
  ]) func whatWasAskedAboutIsTakenBack(keys: String) throws {
    let result = try Changed("vec4(vec3(1.5 + 8.0 * (sin(uv.x) - uv.x)) - \(keys.contains("exr") ? "0.0" : "1.0"), 1.0)", keys) { numbers in
      for pixel in 0..<8 { numbers[4 * pixel] += 0.9 / 255 }
    }.result
    #expect(result.verdict == .passed && result.blame == nil, "\(result.notes)")
    #expect(result.frames[0].specification?.inside ?? 0 > 0)
    let note = "'within: vulkan': 'mean' fails, so every pixel that differs is asked about"
    #expect(result.notes.contains(note) == keys.contains("mean"))
  }

  @Test func numbersOfFilesAreNamedAsTheyAre() throws {
    let result = try Changed("vec4(uv, 2.0, 1.0)", "reference: some.exr\ntolerance: { channel: 0.01 }") { $0[4 * 20 + 2] = 1.936 }.result
    let found = try #require(result.frames[0].specification)
    let worst = try #require(found.worst)
    #expect(worst.low > 1.99 && worst.low <= 2 && worst.high >= 2 && worst.high < 2.01 && found.outside == 1)
    #expect(found.worstWords?.hasPrefix("column 4, row 1 from the top: b is 1.936, may be ") ?? false, "\(found.worstWords ?? "")")
    #expect(result.blame == .driver)
  }

  @Test(arguments: [Float.nan, .infinity]) func whatIsNoNumberIsLeftToItsLimit(number: Float) throws {
    // As a level it is inside of the range.
    let expression = "vec4(vec3(fract(sin(dot(floor(position), vec2(12.9898, 78.233))) * 43758.5453)), 1.0)"
    for keys in [
      "reference: cpu\nallow: not-finite\ntolerance: { within: vulkan }",
      "reference: some.exr\nallow: not-finite\ntolerance: { within: vulkan }",
    ] {
      let result = try Changed(expression, keys) { $0[4 * 20] = number }.result
      #expect(result.verdict == .failed && result.blame == .driver, "\(result.notes)")
      #expect(result.notes.contains("'within: vulkan' bears nothing that is NaN or infinite on one side only"))
    }
  }

  @Test func changesFromFrameToFrameAreLeftToTheirLimit() throws {
    let folder = try TestFolder()
    try folder.writeFilter("some", "vec4(vec3(0.5 + 64.0 * (sin(uv.x + 0.1 * TIME) - uv.x - 0.1 * TIME)), 1.0)")
    for (name, limit) in [("still", ""), ("moving", ", flicker: 0.0001")] {
      try folder.write("some/tests/\(name).yaml", "size: 16x12\nframes: [0, 30]\ntolerance: { within: vulkan\(limit) }\n")
    }
    _ = try folder.run(record: .missing)
    let results = try folder.run(device: "cpu:specification=1")
    #expect(results.verdicts == ["still": .passed, "moving": .failed])
    let notes = results.cases.first { $0.name == "moving" }?.notes ?? []
    #expect(notes.contains { $0.hasPrefix("'within: vulkan' bears nothing that 'flicker' does not") })
  }

  @Test(arguments: ["{ channel: 40, alpha: { channel: 0 } }", "{ channel: 40, mean: 0.1 }"]) func blameHasAReason(tolerance: String) throws
  {
    let channel = tolerance.contains("alpha") ? 3 : 2
    let result = try Changed("vec4(uv, 0.5 + 0.01 * cos(uv.x), 0.75)", "reference: cpu\ntolerance: \(tolerance)") { numbers in
      for pixel in 0..<16 * 12 { numbers[4 * pixel + channel] -= Self.far }
    }.result
    let blame = try #require(result.notes.first { $0.hasPrefix("blame: ") })
    #expect(
      result.blame == .driver && blame.hasPrefix("blame: the driver: 192 of 192 pixels are outside of what Vulkan allows"), "\(blame)")
  }
}
