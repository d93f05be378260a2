import EtalonDiagnostics
import Foundation
import Testing

@testable import EtalonPreview

/// No text of a person is lost: neither one on disk, nor one in a page.
@Suite(.serialized, .timeLimit(.minutes(5))) struct TextTests {
  private let workshop: Workshop

  init() throws { workshop = try Workshop() }

  private func page(_ name: String, _ text: String, _ change: (inout PreviewSettings) -> Void = { _ in }) async throws -> (
    PreviewSession, TestPage
  ) {
    try workshop.write(name, text)
    let session = try workshop.session(name, change)
    let page = TestPage(session.connect())
    page.view()
    _ = try await page.picture()
    return (session, page)
  }

  private let mine = Workshop.level.replacing("0.0, 1.0);", with: "1.0, 1.0);")
  private let theirs = Workshop.level + "// theirs\n"

  @Test func aPageThatIsLoadedAgainKnowsWhatATrialWasMadeFrom() async throws {
    let (session, page) = try await page("level.fs", Workshop.level)
    defer { session.finish() }
    let number = page.send("text", "\"file\":0,\"text\":\(json(mine))")
    _ = try await page.picture(number)
    try workshop.write("level.fs", theirs)
    #expect(try await page.next("conflict").text == theirs)
    let again = TestPage(session.connect())
    let file = try #require(try await again.next("state").files?.first)
    #expect((file.text, file.tried, file.hash) == (mine, true, hash(Workshop.level)))
    #expect(try await again.next("conflict").hash == hash(theirs))
    again.send("save", "\"file\":0,\"seen\":\"\(file.hash)\",\"text\":\(json(mine))")
    #expect(try await again.next("conflict").text == theirs)
    #expect(try workshop.read("level.fs") == theirs)
    // Who has seen the other text may replace it.
    again.send("text", "\"file\":0,\"seen\":\"\(hash(theirs))\",\"text\":\(json(mine + "\n"))")
    again.send("save", "\"file\":0,\"seen\":\"\(hash(theirs))\",\"text\":\(json(mine))")
    _ = try await again.next("done")
    #expect(try workshop.read("level.fs") == mine)
  }

  @Test func aFileThatComesBackAsAnotherIsNotOverwritten() async throws {
    let (session, page) = try await page("level.fs", Workshop.level)
    defer { session.finish() }
    let number = page.send("text", "\"file\":0,\"text\":\(json(mine))")
    _ = try await page.picture(number)
    try FileManager.default.removeItem(atPath: workshop.path("level.fs"))
    #expect(try await page.next("changed") { $0.deleted == true }.file == 0)
    let state = try await page.next("state")
    #expect((state.files?.first?.text, state.files?.first?.tried) == (mine, true))
    try workshop.write("level.fs", theirs)
    #expect(try await page.next("conflict").text == theirs)
    let hash = try #require(try await page.next("state").files?.first?.hash)
    page.send("save", "\"file\":0,\"seen\":\"\(hash)\",\"text\":\(json(mine))")
    #expect(try await page.next("conflict").text == theirs)
    #expect(try workshop.read("level.fs") == theirs)
  }

  @Test func aMissingFileIsSavedAgainWithoutForce() async throws {
    let (session, page) = try await page("level.fs", Workshop.level)
    defer { session.finish() }
    try FileManager.default.removeItem(atPath: workshop.path("level.fs"))
    _ = try await page.next("changed") { $0.deleted == true }
    page.send("save", "\"file\":0,\"seen\":\"\(hash(Workshop.level))\",\"text\":\(json(mine))")
    _ = try await page.next("done")
    #expect(try workshop.read("level.fs") == mine)
  }

  /// Named, because the log prints every argument.
  private static let noTexts: [String: [UInt8]] = [
    "Latin-1": [UInt8](Workshop.level.utf8) + [0x2F, 0x2F, 0xF6, 0x0A], "5 MiB": [UInt8](repeating: 0x20, count: 5 << 20),
    "NUL": [0x2F, 0x2F, 0],
  ]

  @Test(arguments: noTexts.keys.sorted()) func aFileThatIsNoTextIsNotTakenForDeleted(name: String) async throws {
    let bytes = try #require(Self.noTexts[name])
    let (session, page) = try await page("level.fs", Workshop.level)
    defer { session.finish() }
    try Data(bytes).write(to: URL(filePath: workshop.path("level.fs")))
    let conflict = try await page.next("conflict")
    #expect((conflict.file, conflict.text) == (0, nil))
    page.send("save", "\"file\":0,\"seen\":\"\(hash(Workshop.level))\",\"text\":\(json(mine))")
    #expect(try await page.next("conflict").file == 0)
    #expect(FileManager.default.contents(atPath: workshop.path("level.fs")) == Data(bytes))
    page.send("save", "\"file\":0,\"force\":true,\"text\":\(json(mine))")
    _ = try await page.next("done")
    #expect(try workshop.read("level.fs") == mine)
  }

  @Test func filesKeepTheirNumbersAndAreKnownByTheirPaths() async throws {
    try workshop.write("shade.glsl", "float shade() { return 0.4; }\n")
    let main = "#include \"shade.glsl\"\nvoid mainImage(out vec4 c, in vec2 p) { c = vec4(shade(), 0.0, 0.0, 1.0); }\n"
    let (session, page) = try await page("main.glsl", main)
    defer { session.finish() }
    let files = try #require(try await TestPage(session.connect()).next("state").files)
    let index = try #require(files.firstIndex { $0.path.hasSuffix("main.glsl") })
    let other = try #require(files.firstIndex { $0.path.hasSuffix("shade.glsl") })
    try FileManager.default.removeItem(atPath: workshop.path("main.glsl"))
    _ = try await page.next("changed") { $0.deleted == true }
    let left = try #require(try await page.next("state").files)
    #expect(left.map(\.path) == files.map(\.path))
    #expect(left[index].text == main)
    // The path counts, whatever the number says.
    page.send(
      "save", "\"file\":\(other),\"path\":\(json(files[index].path)),\"seen\":\"\(files[index].hash)\",\"text\":\(json(main))")
    _ = try await page.next("done")
    #expect(try workshop.read("main.glsl") == main)
    #expect(try workshop.read("shade.glsl") == "float shade() { return 0.4; }\n")
    let number = page.send("save", "\"file\":0,\"path\":\"/none.glsl\",\"force\":true,\"text\":\"\"")
    #expect(try await page.answer(to: number).is == "refused")
  }

  // MARK: what is of use afterwards

  @Test func whatGoesWithTheSessionIsNotCopied() async throws {
    let (session, page) = try await page(
      "tint.fs",
      """
      /*{ "ISFVSN": "2", "INPUTS": [ { "NAME": "inputImage", "TYPE": "image" } ] }*/
      void main() { gl_FragColor = IMG_THIS_PIXEL(inputImage); }

      """)
    defer { session.finish() }
    let picture = try #require(
      Data(
        base64Encoded:
          "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="))
    let path = try session.place.pathForUpload(named: "a.png", sequence: nil)
    try picture.write(to: URL(filePath: path))
    let input = page.send("input", "\"name\":\"inputImage\",\"value\":\(json(path))")
    _ = try await page.picture(input)
    for (kind, fields) in [("savePreset", "\"path\":\"warm\""), ("command", "")] {
      let number = page.send(kind, fields)
      #expect(try await page.answer(to: number).text == "'a.png' was dropped, and is gone with the preview", "\(kind)")
    }
    try picture.write(to: URL(filePath: workshop.path("b.png")))
    page.send("input", "\"name\":\"inputImage\",\"value\":\(json(workshop.path("b.png")))")
    page.send("command")
    #expect(try await page.next("command").text?.contains("b.png") == true)
  }

  @Test func eventsAreSavedBeforeACommandNamesThem() async throws {
    let (session, page) = try await page(
      "mouse.glsl", "void mainImage(out vec4 c, in vec2 p) { c = vec4(iMouse.x / 255.0, iMouse.y / 255.0, 0.0, 1.0); }\n")
    defer { session.finish() }
    let mouse = page.send("mouse", "\"x\":6,\"y\":3,\"down\":true")
    _ = try await page.picture(mouse)
    let number = page.send("command")
    #expect(try await page.answer(to: number).help == "save the events first")
    page.send("saveEvents", "\"path\":\"strokes.csv\"")
    page.send("command")
    #expect(try await page.next("command").text?.contains(workshop.path("strokes.csv")) == true)
    page.send("savePreset", "\"path\":\"strokes\"")
    _ = try await page.next("done") { $0.text?.hasPrefix("saved preset") == true }
  }

  @Test func anEditorThatNeedsATerminalIsRefused() async throws {
    let (session, page) = try await page("level.fs", Workshop.level) { $0.editor = ["vim"] }
    defer { session.finish() }
    let number = page.send("openEditor", "\"file\":0")
    #expect(try await page.answer(to: number).text == "'vim' needs a terminal, which a preview has not")
  }

  private func hash(_ text: String) -> String { TextFiles.hash(Array(text.utf8)) }

  /// A text as JSON has it.
  private func json(_ text: String) -> String { String(decoding: (try? JSONEncoder().encode(text)) ?? Data(), as: UTF8.self) }
}
