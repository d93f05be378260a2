import EtalonDiagnostics
import EtalonMedia
import EtalonTypes
import Foundation
import Testing

@testable import EtalonPreview

/// A session without a network: what pages ask for, and what they are told.
@Suite(.serialized, .timeLimit(.minutes(5))) struct SessionTests {
  private let workshop: Workshop

  init() throws { workshop = try Workshop() }

  private func page(_ name: String, _ text: String, _ change: (inout PreviewSettings) -> Void = { _ in }) throws -> (
    PreviewSession, TestPage
  ) {
    try workshop.write(name, text)
    let session = try workshop.session(name, change)
    return (session, TestPage(session.connect()))
  }

  // MARK: pictures and values

  @Test func aPageIsToldTheStateAndShownAPicture() async throws {
    let (session, page) = try page("level.fs", Workshop.level)
    defer { session.finish() }
    page.view()
    let state = try await page.next("state")
    #expect(state.parameters?.map(\.name) == ["level"])
    #expect(state.files?.first?.text == Workshop.level)
    #expect(state.duration == nil)
    let picture = try await page.picture()
    #expect((picture.width, picture.height) == (64, 36))
    #expect(picture.encoding == "rgba8")
    #expect(picture.pixels?.prefix(4) == [51, 0, 0, 255])
  }

  @Test func aValueThatIsSetIsShownWithItsNumber() async throws {
    let (session, page) = try page("level.fs", Workshop.level)
    defer { session.finish() }
    page.view()
    let number = page.send("set", "\"name\":\"level\",\"value\":\"1\"")
    #expect(try await page.picture(number).pixels?.first == 255)
    let reset = page.send("set", "\"name\":\"level\",\"value\":null")
    #expect(try await page.next("values") { $0.number == reset }.values?.texts == ["level": "0.2"])
    #expect(try await page.picture(reset).pixels?.first == 51)
  }

  @Test func aValueThatDoesNotFitIsRefusedInTheWordsOfTheCommand() async throws {
    let (session, page) = try page("level.fs", Workshop.level)
    defer { session.finish() }
    page.view()
    _ = try await page.picture()
    let number = page.send("set", "\"name\":\"level\",\"value\":\"1.5\"")
    let refused = try await page.next("refused")
    #expect((refused.number, refused.name) == (number, "level"))
    #expect(refused.text == "'1.5' is out of range for 'level'")
    #expect(refused.help == "give a value from 0 to 1")
    let all = page.send("values", "\"values\":{\"level\":\"0.5\",\"none\":\"1\"}")
    #expect(try await page.next("refused").number == all)
    #expect(try await page.picture(all).pixels?.first == 51)
  }

  @Test func expressionsAndKeyframesAreValues() async throws {
    let (session, page) = try page("level.fs", Workshop.level)
    defer { session.finish() }
    page.view()
    page.send("set", "\"name\":\"level\",\"value\":\"{0s: 0, 1s: 1}\"")
    let number = page.send("seek", "\"frame\":30")
    #expect(try await page.picture(number).pixels?.prefix(2) == [128, 128])
  }

  @Test func manyMovesOfASliderShowTheLast() async throws {
    let (session, page) = try page("level.fs", Workshop.level)
    defer { session.finish() }
    page.view()
    var last = 0
    for step in 0...200 { last = page.send("set", "\"name\":\"level\",\"value\":\"\(Double(step) / 200)\"") }
    #expect(try await page.picture(last).pixels?.first == 255)
  }

  @Test func constantsOfATextCanBeSet() async throws {
    let (session, page) = try page(
      "shade.glsl", "#define SHADE 0.2\nvoid mainImage(out vec4 c, in vec2 p) { c = vec4(SHADE, 0.0, 0.0, 1.0); }\n")
    defer { session.finish() }
    page.view()
    #expect(try await page.next("state").parameters?.first?.constant == true)
    let number = page.send("set", "\"name\":\"SHADE\",\"value\":\"0.4\"")
    #expect(try await page.picture(number).pixels?.first == 102)
  }

  @Test func fiveHundredParametersAreThere() async throws {
    let inputs = (0..<500).map { "{ \"NAME\": \"p\($0)\", \"TYPE\": \"float\", \"DEFAULT\": 0.0 }" }.joined(separator: ",\n")
    let sum = (0..<500).map { "p\($0)" }.joined(separator: " + ")
    let (session, page) = try page(
      "many.fs", "/*{ \"ISFVSN\": \"2\", \"INPUTS\": [\(inputs)] }*/\nvoid main() { gl_FragColor = vec4(\(sum), 0.0, 0.0, 1.0); }\n")
    defer { session.finish() }
    page.view()
    #expect(try await page.next("state").parameters?.count == 500)
    let number = page.send("set", "\"name\":\"p499\",\"value\":\"1\"")
    #expect(try await page.picture(number).pixels?.first == 255)
  }

  // MARK: time

  @Test func aPageSeeksByTimeAndFrame() async throws {
    let (session, page) = try page("level.fs", Workshop.level)
    defer { session.finish() }
    page.view()
    let number = page.send("seek", "\"time\":0.5")
    let picture = try await page.picture(number)
    #expect((picture.frame, picture.time) == (30, 0.5))
    #expect(picture.pixels?[1] == 128)
    let far = page.send("seek", "\"frame\":100000")
    #expect(try await page.picture(far).frame == 100_000)
    let refused = page.send("seek", "\"frame\":-1")
    #expect(try await page.next("refused").number == refused)
  }

  @Test func playingGoesOnAndPauseStops() async throws {
    let (session, page) = try page("level.fs", Workshop.level)
    defer { session.finish() }
    page.view()
    page.send("play", "\"rate\":1,\"loop\":[0,0.5]")
    #expect(try await page.next("clock", where: { $0.playing == true }).playing == true)
    // However slow the machine is, and though the frames it gets to may come round again: pictures are awaited, not counted.
    var seen: Set<Int> = []
    while seen.count < 5 { seen.insert(try await page.picture().frame ?? -1) }
    #expect(seen.allSatisfy { (0...30).contains($0) })
    page.send("pause")
    let stopped = try await page.next("clock", where: { $0.playing == false })
    let step = page.send("step", "\"frames\":1")
    #expect(try await page.picture(step).frame == (stopped.frame ?? 0) + 1)
  }

  @Test func everyFrameOfAnEffectWithFeedbackIsThatOfARender() async throws {
    let (session, page) = try page("counter.fs", Workshop.counter)
    defer { session.finish() }
    page.view()
    #expect(try await page.next("state").feedback == true)
    for frame in [20, 5, 100, 99, 3] {
      let number = page.send("seek", "\"frame\":\(frame)")
      let picture = try await page.picture(number, where: { $0.frame == frame })
      #expect(picture.pixels?.first == UInt8(frame + 1), "frame \(frame)")
      #expect(picture.live == false)
    }
  }

  @Test func feedbackPlaysOnWhileValuesChangeAndSeekingIsExact() async throws {
    let (session, page) = try page("counter.fs", Workshop.counter)
    defer { session.finish() }
    page.view()
    page.send("play", "\"rate\":1")
    let before = try await page.picture(where: { ($0.frame ?? 0) >= 5 })
    let number = page.send("set", "\"name\":\"step\",\"value\":\"0\"")
    let after = try await page.picture(number)
    #expect(after.live == true)
    // The frames before added to it, and those after do not: a picture from the start would be black.
    #expect((after.pixels?.first ?? 0) >= (before.pixels?.first ?? 0))
    page.send("pause")
    let exact = page.send("seek", "\"frame\":2")
    let picture = try await page.picture(exact, where: { $0.frame == 2 })
    #expect((picture.pixels?.first, picture.live) == (0, false))
  }

  // MARK: several pages, slow pages

  @Test func severalPagesShareValuesAndHaveSizesOfTheirOwn() async throws {
    let (session, first) = try page("level.fs", Workshop.level)
    defer { session.finish() }
    let second = TestPage(session.connect())
    first.view(64, 64)
    second.view(32, 32)
    #expect(try await first.picture().width == 64)
    #expect(try await second.picture().width == 32)
    first.send("set", "\"name\":\"level\",\"value\":\"1\"")
    #expect(try await second.next("values", where: { $0.values?.texts["level"] == "1" }).values != nil)
    #expect(try await second.picture(where: { $0.pixels?.first == 255 }).width == 32)
  }

  @Test func aPageThatShowsNothingGetsOnePicture() async throws {
    let (session, _) = try page("level.fs", Workshop.level)
    defer { session.finish() }
    let slow = TestPage(session.connect(), shows: false)
    slow.view()
    slow.send("play", "\"rate\":1")
    _ = try await slow.next("clock", where: { $0.playing == true })
    while slow.pictureCount == 0 { try await Task.sleep(for: .milliseconds(5)) }
    try await Task.sleep(for: .seconds(1))
    #expect(slow.pictureCount == 1)
  }

  @Test func aPageThatLeavesIsForgotten() async throws {
    let (session, stays) = try page("level.fs", Workshop.level)
    defer { session.finish() }
    let leaving = session.connect()
    let gone = TestPage(leaving)
    gone.view()
    _ = try await gone.picture()
    leaving.leave()
    stays.view()
    #expect(try await stays.picture().width == 64)
    while !gone.isOver { try await Task.sleep(for: .milliseconds(5)) }
  }

  @Test func severalPagesOfDifferentSizesPlayOnWhileValuesChange() async throws {
    let (session, first) = try page("counter.fs", Workshop.counter)
    defer { session.finish() }
    first.view(64, 64)
    let second = TestPage(session.connect())
    second.view(32, 32)
    first.send("play", "\"rate\":1")
    _ = try await second.picture(where: { ($0.frame ?? 0) >= 5 })
    let before = try await first.picture(where: { ($0.frame ?? 0) >= 5 })
    first.send("set", "\"name\":\"step\",\"value\":\"0\"")
    _ = try await second.next("values")
    let after = try await second.picture()
    // Rendered from the start, each picture with a step of 0 would be black.
    #expect(after.live == true)
    #expect(after.width == 32)
    #expect((after.pixels?.first ?? 0) >= 5, "after \(before.pixels?.first ?? 0)")
  }

  // MARK: faults

  @Test func whatIsWrongAtStartIsTold() async throws {
    try workshop.write("level.fs", Workshop.level.replacing("fract", with: "frct"))
    for (name, words) in [("level.fs", "frct"), ("no.fs", "no.fs"), ("no.png", "no.png")] {
      var settings = PreviewSettings()
      settings.device = "cpu"
      let told = Noted()
      let session = try PreviewSession(FileSource(workshop.path(name)), settings) { told.note($0.map(\.message)) }
      let page = TestPage(session.connect())
      let message = try await page.next("diagnostics", where: { $0.list?.isEmpty == false })
      #expect(message.rendering == false)
      session.finish()
      #expect(told.texts.count == 1, "\(name)")
      #expect(told.texts.first?.contains(words) == true, "\(told.texts)")
    }
  }

  @Test func aBodyThatNeverEndsIsToldAndLeftForABetterOne() async throws {
    let (session, page) = try page("level.fs", Workshop.level) { $0.timeout = 2 }
    defer { session.finish() }
    page.view()
    _ = try await page.picture()
    try workshop.write(
      "level.fs", Workshop.level.replacing("void main() {", with: "void main() { float x = level; while (x < 2.0) { x = fract(x + 0.01); }")
    )
    #expect(try await page.next("diagnostics", where: { $0.list?.isEmpty == false }).list?.first?.message != nil)
    try workshop.write("level.fs", Workshop.level.replacing("0.0, 1.0);", with: "1.0, 1.0);"))
    #expect(try await page.picture(where: { $0.pixels?[2] == 255 }).width == 64)
  }

  @Test func aFrameThatTakesLongIsLeftForANewerState() async throws {
    // With 'level' at 1 a pixel takes a million steps.
    let slow = Workshop.level.replacing(
      "void main() {",
      with:
        "void main() { float x = 0.0; for (int i = 0; i < int(level) * 1000000; i++) { x = fract(x + sin(float(i))); } if (x > 2.0) discard;"
    )
    let (session, page) = try page("level.fs", slow)
    defer { session.finish() }
    page.view(1280, 720)
    _ = try await page.picture()
    page.send("set", "\"name\":\"level\",\"value\":\"1\"")
    try await Task.sleep(for: .milliseconds(500))
    let start = ContinuousClock.now
    let number = page.send("set", "\"name\":\"level\",\"value\":\"0\"")
    #expect(try await page.picture(number).pixels?.first == 0)
    #expect(ContinuousClock.now - start < .seconds(20))
  }

  @Test func aFrameThatFailsIsForgottenOnceAnotherIsShown() async throws {
    let (session, page) = try page("level.fs", Workshop.level)
    defer { session.finish() }
    page.view()
    // In range for the frames that are prepared at once, and out of it later.
    let number = page.send("set", "\"name\":\"level\",\"value\":\"(time / 10.5)\"")
    _ = try await page.picture(number)
    page.send("seek", "\"frame\":700")
    #expect(try await page.next("diagnostics", where: { $0.list?.isEmpty == false }).list?.count == 1)
    let other = TestPage(session.connect())
    #expect(try await other.next("diagnostics").list?.isEmpty == false)
    let back = page.send("seek", "\"frame\":30")
    _ = try await page.picture(back)
    #expect(try await other.next("diagnostics").list?.isEmpty == true)
  }

  @Test func theEndOfASessionEndsALongFrame() async throws {
    let slow = Workshop.level.replacing(
      "void main() {",
      with:
        "void main() { float x = 0.0; for (int i = 0; i < int(level) * 1000000; i++) { x = fract(x + sin(float(i))); } if (x > 2.0) discard;"
    )
    let (session, page) = try page("level.fs", slow) { $0.timeout = 120 }
    page.view(1280, 720)
    _ = try await page.picture()
    page.send("set", "\"name\":\"level\",\"value\":\"1\"")
    try await Task.sleep(for: .milliseconds(500))
    let start = ContinuousClock.now
    session.finish()
    #expect(ContinuousClock.now - start < .seconds(30))
  }

  @Test func aSessionThatIsDroppedLeavesNothing() async throws {
    var folder = ""
    try workshop.write("level.fs", Workshop.level)
    do { folder = try workshop.session("level.fs").place.temporary }
    let end = ContinuousClock.now + .seconds(30)
    while FileManager.default.fileExists(atPath: folder), ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(20)) }
    #expect(!FileManager.default.fileExists(atPath: folder))
  }

  @Test func aPageThatDoesNotReadIsLeft() async throws {
    let (session, page) = try page("level.fs", Workshop.level)
    defer { session.finish() }
    let silent = session.connect()
    for _ in 0..<PreviewPage.mostWaiting + 100 { silent.send("nonsense") }
    page.view()
    _ = try await page.picture()
    var count = 0
    for await _ in silent.messages { count += 1 }
    #expect(count == PreviewPage.mostWaiting)
  }

  @Test func requestsThatMakeNoSenseAreRefused() async throws {
    let (session, page) = try page("level.fs", Workshop.level)
    defer { session.finish() }
    page.view()
    _ = try await page.picture()
    for (kind, fields) in [
      ("view", "\"width\":0,\"height\":64"), ("view", "\"width\":1e9,\"height\":1e9"), ("view", "\"proxy\":0"), ("play", "\"rate\":0"),
      ("play", "\"rate\":1e300"), ("play", "\"loop\":[2,1]"), ("seek", "\"time\":1e300"), ("seek", "\"frame\":9000000000000000000"),
      ("text", "\"file\":7,\"text\":\"\""), ("save", "\"file\":-1,\"text\":\"\""), ("openEditor", "\"file\":0"),
      ("savePreset", "\"path\":\"\""), ("render", "\"output\":\"x.bmp\""), ("addCase", "\"name\":\"../x\""), ("set", "\"value\":\"1\""),
      ("pixel", "\"x\":-1,\"y\":1e9"), ("pixel", "\"x\":1e300,\"y\":0"), ("pixel", "\"x\":0,\"y\":-1e300"), ("pixel", "\"x\":-0.5,\"y\":0"),
      ("pixel", "\"x\":64,\"y\":0"), ("key", "\"code\":300"),
    ] {
      let number = page.send(kind, fields)
      #expect(try await page.answer(to: number).is == "refused", "\(kind) \(fields)")
    }
    page.send("nonsense")
    #expect(try await page.next("refused").number == nil)
    let number = page.send("seek", "\"frame\":30")
    #expect(try await page.picture(number).pixels?[1] == 128)
  }

  // MARK: inputs

  @Test func aSoundIsNoPictureThatGivesTheSize() async throws {
    let (session, page) = try page(
      "spectrum.fs",
      """
      /*{ "ISFVSN": "2", "INPUTS": [ { "NAME": "spectrum", "TYPE": "audioFFT" } ] }*/
      void main() { gl_FragColor = vec4(IMG_NORM_PIXEL(spectrum, isf_FragNormCoord).r, 1.0, 0.0, 1.0); }

      """)
    defer { session.finish() }
    page.view()
    let picture = try await page.picture()
    #expect((picture.width, picture.height) == (64, 36))
  }

  @Test func theSoundOfAVideoIsHeardAsItsPicturesShow() async throws {
    let video = URL(filePath: #filePath).appending(path: "../../../samples/videos/aurora.mp4").standardizedFileURL.path
    let (session, page) = try page("shade.fs", Workshop.shade)
    defer { session.finish() }
    try FileManager.default.copyItem(atPath: video, toPath: workshop.path("clip.mp4"))
    page.send("input", "\"name\":\"inputImage\",\"value\":\"\(workshop.path("clip.mp4")),from=0.5,speed=1/2,start=1,loop=repeat\"")
    let sound = try #require(try await page.next("state", where: { $0.sound != nil }).sound)
    #expect((sound.from, sound.speed, sound.start, sound.loop) == (0.5, 0.5, 1, "repeat"))
    #expect(sound.to == sound.duration)
  }

  // MARK: forms

  @Test func pixelsAreToldAsNumbers() async throws {
    let (session, page) = try page(
      "bright.fs", "/*{ \"ISFVSN\": \"2\" }*/\nvoid main() { gl_FragColor = vec4(2.5, gl_FragCoord.x, 0.5, 1.0); }\n")
    defer { session.finish() }
    page.view()
    _ = try await page.picture()
    page.send("pixel", "\"x\":3,\"y\":1")
    let pixel = try await page.next("pixel")
    #expect(pixel.values?.channels == [2.5, 3.5, 0.5, 1])
    #expect(pixel.bytes == [255, 255, 128, 255])
    page.view(64, 64, "\"floats\":true")
    #expect(try await page.picture(where: { $0.encoding == "rgba32f" }).pixels?.count == 64 * 36 * 16)
    page.view(64, 64, "\"floats\":false,\"encoding\":\"jpeg\"")
    #expect(try await page.picture(where: { $0.encoding == "jpeg" }).pixels?.prefix(2) == [0xFF, 0xD8])
  }

  @Test func aProxyIsSmaller() async throws {
    let (session, page) = try page("level.fs", Workshop.level)
    defer { session.finish() }
    page.view(64, 64, "\"proxy\":0.5,\"encoding\":\"raw\"")
    #expect(try await page.picture().width == 32)
  }

  // MARK: mouse

  @Test func theMouseIsSeenAndKeptAsEvents() async throws {
    let (session, page) = try page(
      "mouse.glsl", "void mainImage(out vec4 c, in vec2 p) { c = vec4(iMouse.x / 255.0, iMouse.y / 255.0, 0.0, 1.0); }\n")
    defer { session.finish() }
    page.view()
    _ = try await page.picture()
    let number = page.send("mouse", "\"x\":6,\"y\":3,\"down\":true")
    // The picture is a twentieth of the whole, whose pixels the mouse counts.
    #expect(try await page.picture(number).pixels?.prefix(2) == [6, 3])
    page.send("mouse", "\"x\":6,\"y\":3,\"down\":false")
    page.send("saveEvents", "\"path\":\"strokes.csv\"")
    _ = try await page.next("done")
    #expect(try workshop.read("strokes.csv") == "0f, mouse, down, 120.0, 60.0\n0f, mouse, up\n")
  }

  @Test func aCaseKeepsWhatTheMouseDoes() async throws {
    let (session, page) = try page(
      "mouse.glsl", "void mainImage(out vec4 c, in vec2 p) { c = vec4(distance(p, iMouse.xy) < 20.0 ? 1.0 : 0.0, 0.0, 0.0, 1.0); }\n")
    defer { session.finish() }
    page.view()
    _ = try await page.picture()
    let number = page.send("mouse", "\"x\":32,\"y\":18,\"down\":true")
    _ = try await page.picture(number)
    let done = try await page.answer(to: page.send("addCase", "\"name\":\"pressed\""))
    #expect(done.is == "done", "\(done.text ?? "")")
    let path = try #require(done.text?.split(separator: " ").last.map(String.init))
    #expect(try String(contentsOfFile: path, encoding: .utf8).contains("events: pressed-events.csv\n"))
    // The middle of the picture, also of a case that is smaller than the whole.
    let events = try String(contentsOfFile: path.replacing(".yaml", with: "-events.csv"), encoding: .utf8)
    #expect(events == "0f, mouse, down, 160.0, 90.0\n")
    let reference = try PictureReader().read(path: path.replacing(".yaml", with: ".png"))
    let middle = (90 * 320 + 160) * reference.format.bytesPerPixel
    #expect(reference.bytes[middle] == 255)
    #expect(reference.bytes[0] == 0)
  }
}
