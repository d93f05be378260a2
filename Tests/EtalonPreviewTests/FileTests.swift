import EtalonDiagnostics
import Foundation
import Testing

@testable import EtalonPreview

/// Texts that change on disk and in pages, and what pages may write.
@Suite(.serialized, .timeLimit(.minutes(5))) struct FileTests {
  private let workshop: Workshop

  init() throws { workshop = try Workshop() }

  private func page(_ name: String, _ text: String) throws -> (PreviewSession, TestPage) {
    try workshop.write(name, text)
    let session = try workshop.session(name)
    return (session, TestPage(session.connect()))
  }

  // MARK: on disk

  @Test func aSavedFileIsShown() async throws {
    let (session, page) = try page("level.fs", Workshop.level)
    defer { session.finish() }
    page.view()
    _ = try await page.picture()
    try workshop.write("level.fs", Workshop.level.replacing("0.0, 1.0);", with: "1.0, 1.0);"))
    let changed = try await page.next("changed")
    #expect(changed.text?.contains("1.0, 1.0") == true)
    #expect(try await page.picture(where: { $0.pixels?[2] == 255 }).pixels?.first == 51)
  }

  @Test func mistakesAreShownOverTheLastGoodPictureUntilTheyAreGone() async throws {
    let (session, page) = try page("level.fs", Workshop.level)
    defer { session.finish() }
    page.view()
    _ = try await page.picture()
    try workshop.write("level.fs", Workshop.level.replacing("fract", with: "frct"))
    let wrong = try await page.next("diagnostics", where: { $0.list?.isEmpty == false })
    let first = try #require(wrong.list?.first)
    #expect((first.file, first.line, first.column) == (0, 2, 42))
    #expect(first.excerpt.contains("^^^^"))
    #expect(wrong.rendering == true)
    // The last good picture plays on.
    let number = page.send("seek", "\"frame\":30")
    #expect(try await page.picture(number).pixels?[1] == 128)
    try workshop.write("level.fs", Workshop.level)
    #expect(try await page.next("diagnostics", where: { $0.list?.isEmpty == true }).rendering == true)
  }

  @Test func aShaderThatDoesNotCompileAtStartIsShownOnceItDoes() async throws {
    let (session, page) = try page("level.fs", Workshop.level.replacing("fract", with: "frct"))
    defer { session.finish() }
    page.view()
    let state = try await page.next("state", where: { $0.files?.isEmpty == false })
    #expect(state.files?.first?.path == workshop.path("level.fs"))
    #expect(try await page.next("diagnostics", where: { $0.list?.isEmpty == false }).rendering == false)
    try workshop.write("level.fs", Workshop.level)
    #expect(try await page.picture().pixels?.first == 51)
  }

  @Test func includesAreWatched() async throws {
    try workshop.write("shade.glsl", "float shade() { return 0.4; }\n")
    let (session, page) = try page(
      "main.glsl", "#include \"shade.glsl\"\nvoid mainImage(out vec4 c, in vec2 p) { c = vec4(shade(), 0.0, 0.0, 1.0); }\n")
    defer { session.finish() }
    page.view()
    #expect(try await page.picture().pixels?.first == 102)
    try workshop.write("shade.glsl", "float shade() { return 0.6; }\n")
    #expect(try await page.picture(where: { $0.pixels?.first == 153 }).width == 64)
  }

  @Test func aDeletedFileIsToldAndComesBack() async throws {
    let (session, page) = try page("level.fs", Workshop.level)
    defer { session.finish() }
    page.view()
    _ = try await page.picture()
    try FileManager.default.removeItem(atPath: workshop.path("level.fs"))
    #expect(try await page.next("changed").deleted == true)
    #expect(try await page.next("diagnostics", where: { $0.list?.isEmpty == false }).rendering == true)
    let number = page.send("seek", "\"frame\":30")
    #expect(try await page.picture(number).pixels?[1] == 128)
    try workshop.write("level.fs", Workshop.level)
    _ = try await page.next("diagnostics", where: { $0.list?.isEmpty == true })
  }

  @Test func aValueThatNoLongerFitsIsTakenBackAndTold() async throws {
    let (session, page) = try page("level.fs", Workshop.level)
    defer { session.finish() }
    page.view()
    let number = page.send("set", "\"name\":\"level\",\"value\":\"0.9\"")
    _ = try await page.picture(number)
    try workshop.write("level.fs", Workshop.level.replacing("\"MAX\": 1.0", with: "\"MAX\": 0.5"))
    #expect(try await page.next("refused").name == "level")
    #expect(try await page.picture(where: { $0.pixels?.first == 51 }).width == 64)
  }

  // MARK: in pages

  @Test func aTextIsTriedWithoutBeingSaved() async throws {
    let (session, page) = try page("level.fs", Workshop.level)
    defer { session.finish() }
    page.view()
    _ = try await page.picture()
    let number = page.send("text", "\"file\":0,\"text\":\(json(Workshop.level.replacing("0.0, 1.0);", with: "1.0, 1.0);")))")
    #expect(try await page.picture(number).pixels?[2] == 255)
    #expect(try workshop.read("level.fs") == Workshop.level)
    let revert = page.send("revert", "\"file\":0")
    #expect(try await page.picture(revert).pixels?[2] == 0)
  }

  @Test func aTextIsSavedUnlessTheFileChangedMeanwhile() async throws {
    let (session, page) = try page("level.fs", Workshop.level)
    defer { session.finish() }
    page.view()
    let seen = try #require(try await page.next("state", where: { $0.files?.isEmpty == false }).files?.first?.hash)
    let mine = Workshop.level + "// mine\n"
    page.send("save", "\"file\":0,\"seen\":\"\(seen)\",\"text\":\(json(mine))")
    #expect(try await page.next("done").text == "saved \(workshop.path("level.fs"))")
    #expect(try workshop.read("level.fs") == mine)
    page.send("save", "\"file\":0,\"seen\":\"\(seen)\",\"text\":\(json("void"))")
    #expect(try await page.next("conflict").text == mine)
    #expect(try workshop.read("level.fs") == mine)
    page.send("save", "\"file\":0,\"seen\":\"\(seen)\",\"force\":true,\"text\":\(json(Workshop.level))")
    _ = try await page.next("done")
    #expect(try workshop.read("level.fs") == Workshop.level)
  }

  @Test func aChangeOnDiskAndOneOnThePageMeet() async throws {
    let (session, page) = try page("level.fs", Workshop.level)
    defer { session.finish() }
    page.view()
    _ = try await page.picture()
    let number = page.send("text", "\"file\":0,\"text\":\(json(Workshop.level.replacing("0.0, 1.0);", with: "1.0, 1.0);")))")
    _ = try await page.picture(number)
    let theirs = Workshop.level + "// theirs\n"
    try workshop.write("level.fs", theirs)
    #expect(try await page.next("conflict").text == theirs)
    // What the page tries is still shown, and the file is as it was saved.
    let seek = page.send("seek", "\"frame\":1")
    #expect(try await page.picture(seek).pixels?[2] == 255)
    #expect(try workshop.read("level.fs") == theirs)
  }

  @Test func tenMegabytesOfTextAreRefusedAndHarmNothing() async throws {
    let (session, page) = try page("level.fs", Workshop.level)
    defer { session.finish() }
    page.view()
    _ = try await page.picture()
    page.send("text", "\"file\":0,\"text\":\"\(String(repeating: "x", count: 10 << 20))\"")
    let told = try await page.next("diagnostics", where: { $0.list?.isEmpty == false })
    #expect(told.list?.first?.code == "text.too-long")
    page.send("text", "\"file\":0,\"text\":\"\(String(repeating: "x", count: 17 << 20))\"")
    #expect(try await page.next("refused").text?.contains("at most") == true)
    let revert = page.send("revert", "\"file\":0")
    #expect(try await page.picture(revert).pixels?.first == 51)
  }

  // MARK: what pages may write

  @Test func filesOutsideOfTheFoldersAreNotWritten() async throws {
    let (session, page) = try page("level.fs", Workshop.level)
    defer { session.finish() }
    page.view()
    _ = try await page.picture()
    let outside = try Workshop()
    try FileManager.default.createSymbolicLink(atPath: workshop.path("out"), withDestinationPath: outside.folder)
    try outside.write("there.yaml", "kept\n")
    try FileManager.default.createSymbolicLink(atPath: workshop.path("link.yaml"), withDestinationPath: outside.path("there.yaml"))
    let presets = [
      "../preset.yaml", "/tmp/preset.yaml", "out/preset.yaml", "link.yaml", "out/../../preset.yaml", "out/new/x.yaml", "out/../x.yaml",
    ]
    for path in presets {
      let number = page.send("savePreset", "\"path\":\(json(path))")
      #expect(try await page.next("refused").number == number, "\(path)")
    }
    for path in ["out/x.csv", "out/new/x.csv", "out/../x.csv"] {
      let number = page.send("saveEvents", "\"path\":\(json(path))")
      #expect(try await page.next("refused").number == number, "\(path)")
    }
    for path in ["../x.png", "out/x.png", "/x.mp4", "out/new/x.png", "out/../x.png"] {
      let number = page.send("render", "\"output\":\(json(path)),\"frames\":\"0\"")
      #expect(try await page.next("refused").number == number, "\(path)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: outside.folder) == ["there.yaml"])
    #expect(try outside.read("there.yaml") == "kept\n")
  }

  @Test func picturesAreOpenedInTheFoldersOnly() async throws {
    let (session, page) = try page("level.fs", Workshop.level)
    defer { session.finish() }
    for value in [
      "http://example.com/a.png", "/etc/hostname", "../a.png", "/etc/a.##.png,rate=24", "\(workshop.path("a")),/../../../etc/hostname",
    ] {
      let number = page.send("input", "\"name\":\"inputImage\",\"value\":\(json(value))")
      let refused = try await page.next("refused")
      #expect(refused.number == number && refused.text?.contains("may") == true, "\(value)")
    }
    for value in [
      "@/etc/passwd:x", "{track: /etc/passwd, column: x}", "{\"track\": \"/etc/passwd\"}", "{\"track\": \"\\/etc\\/passwd\"}",
      "{column: \"track: a.csv\", track: /etc/passwd}",
    ] {
      page.send("set", "\"name\":\"level\",\"value\":\(json(value))")
      #expect(try await page.next("refused").text?.contains("may not open") == true, "\(value)")
    }
    // A name that is none of a file stands for something else.
    let number = page.send("input", "\"name\":\"inputImage\",\"value\":\"noise\"")
    #expect(try await page.next("refused") { $0.number == number }.text?.contains("may not open") == false)
  }

  @Test func aPresetRendersTheSameAndReplacesNothing() async throws {
    let (session, page) = try page("level.fs", Workshop.level)
    defer { session.finish() }
    page.view()
    page.send("set", "\"name\":\"level\",\"value\":\"0.8\"")
    page.send("savePreset", "\"path\":\"warm\"")
    _ = try await page.next("done")
    let preset = try workshop.session("warm.yaml")
    defer { preset.finish() }
    let other = TestPage(preset.connect())
    other.view()
    #expect(try await other.picture().pixels?.first == 204)
    try workshop.write("warm.yaml", "changed by hand\n")
    page.send("savePreset", "\"path\":\"warm\"")
    #expect(try await page.next("refused").text?.contains("it changed since it was saved") == true)
    #expect(try workshop.read("warm.yaml") == "changed by hand\n")
  }

  @Test func aPresetWhoseNameIsTakenIsReplacedWhenThatIsAskedFor() async throws {
    let (session, page) = try page("level.fs", Workshop.level)
    defer { session.finish() }
    page.view()
    let first = page.send("savePreset", "\"path\":\"warm\"")
    #expect(try await page.answer(to: first).is == "done")
    let saved = try workshop.read("warm.yaml")
    page.send("set", "\"name\":\"level\",\"value\":\"0.8\"")
    let second = try await page.answer(to: page.send("savePreset", "\"path\":\"warm\""))
    #expect((second.is, second.code) == ("refused", "preview.taken"))
    #expect(second.text == "cannot write 'warm.yaml': it is there already")
    #expect(try workshop.read("warm.yaml") == saved)
    #expect(try await page.answer(to: page.send("savePreset", "\"path\":\"warm\",\"force\":true")).is == "done")
    #expect(try workshop.read("warm.yaml") != saved)
    let empty = try await page.answer(to: page.send("savePreset", "\"path\":\"\""))
    #expect((empty.text, empty.help) == ("the preset has no name", "type 'warm', which is saved as 'warm.yaml'"))
  }

  @Test func aPresetDoesNotReplaceWhatThePreviewIsMadeOf() async throws {
    try workshop.write("level.fs", Workshop.level)
    let graph = Workshop.graph(of: "level.fs")
    let (session, page) = try page("shot.yaml", graph)
    defer { session.finish() }
    page.view()
    _ = try await page.picture()
    let answer = try await page.answer(to: page.send("savePreset", "\"path\":\"shot\",\"force\":true"))
    #expect(answer.text?.contains("the preview is made of this file") == true)
    #expect(try workshop.read("shot.yaml") == graph)
  }

  @Test func aTextThatIsTriedNamesNoFilesElsewhere() async throws {
    let outside = try Workshop()
    try outside.write("secret.fs", "the secret\n")
    try outside.write("secret.yaml", "the: [secret\n")
    try FileManager.default.copyItem(
      atPath: URL(filePath: #filePath).appending(path: "../../../samples/coffee.png").standardizedFileURL.path,
      toPath: outside.path("secret.png"))
    try workshop.write("level.fs", Workshop.level)
    try workshop.write("shade.fs", Workshop.shade)
    let (session, page) = try page("shot.yaml", Workshop.graph(of: "level.fs"))
    defer { session.finish() }
    page.view()
    _ = try await page.picture()
    for text in [
      "etalon: 1\ninputs:\n  photo: \(outside.path("secret.png"))\nnodes:\n  shown: { filter: shade.fs, inputs: photo }\noutputs: shown\n",
      Workshop.graph(of: outside.path("secret.fs")), Workshop.graph(of: outside.path("secret.yaml")),
      Workshop.graph(of: outside.path("missing.fs")),
    ] {
      page.send("text", "\"file\":0,\"text\":\(json(text))")
      let told = try await page.next("diagnostics", where: { $0.list?.isEmpty == false }).list?.first
      #expect(told?.message.contains("a page may not open") == true, "\(text): \(told?.message ?? "")")
      #expect(told?.excerpt.contains("the secret") == false, "\(text)")
      page.send("revert", "\"file\":0")
      _ = try await page.next("diagnostics", where: { $0.list?.isEmpty == true })
    }
    // Filters of the library may be named.
    let number = page.send("text", "\"file\":0,\"text\":\(json(Workshop.graph(of: "checkerboard")))")
    #expect(try await page.next("diagnostics").list?.isEmpty == true)
    _ = try await page.picture(number)
  }

  @Test func aJobRendersFilesAndCanBeCancelled() async throws {
    let (session, page) = try page("level.fs", Workshop.level)
    defer { session.finish() }
    page.view()
    page.send("render", "\"output\":\"out/x.##.png\",\"frames\":\"0-2\",\"size\":\"32x32\"")
    let done = try await page.next("job", where: { $0.state != "running" })
    #expect((done.state, done.finished) == ("done", 3))
    #expect(FileManager.default.fileExists(atPath: workshop.path("out/x.02.png")))
    page.send("render", "\"output\":\"long.#####.png\",\"frames\":\"0-20000\",\"size\":\"512x512\"")
    _ = try await page.next("job", where: { ($0.finished ?? 0) > 0 })
    page.send("cancelRender")
    #expect(try await page.next("job", where: { $0.state != "running" }).state == "cancelled")
  }

  @Test func aCaseIsAddedWithItsReference() async throws {
    let (session, page) = try page("level.fs", Workshop.level.replacing("fract(TIME)", with: "isf_FragNormCoord.x"))
    defer { session.finish() }
    page.view()
    page.send("set", "\"name\":\"level\",\"value\":\"0.8\"")
    let number = page.send("addCase", "\"name\":\"warm\"")
    let done = try await page.answer(to: number)
    #expect(done.is == "done", "\(done.text ?? "")")
    let path = try #require(done.text?.split(separator: " ").last.map(String.init))
    #expect(try String(contentsOfFile: path, encoding: .utf8).contains("\"level\": \"0.8\""))
    #expect(FileManager.default.fileExists(atPath: path.replacing(".yaml", with: ".png")))
    page.send("addCase", "\"name\":\"warm\"")
    #expect(try await page.next("refused").text?.contains("it is there already") == true)
  }

  @Test func aCaseKeepsTheFilesThatValuesName() async throws {
    try workshop.write("levels.csv", "frame,level\n0,0.8\n10,0.8\n")
    let (session, page) = try page("level.fs", Workshop.level.replacing("fract(TIME)", with: "isf_FragNormCoord.x"))
    defer { session.finish() }
    page.view()
    page.send("set", "\"name\":\"level\",\"value\":\(json("{track: \(workshop.path("levels.csv")), column: level, missing: hold}"))")
    let done = try await page.answer(to: page.send("addCase", "\"name\":\"warm\""))
    #expect(done.is == "done", "\(done.text ?? "")")
    let path = try #require(done.text?.split(separator: " ").last.map(String.init))
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.contains(#""level": "{track: \"warm-level.csv\", column: level, missing: hold}""#), "\(text)")
    #expect(FileManager.default.fileExists(atPath: path.replacing(".yaml", with: "-level.csv")))
  }

  /// A text as JSON has it.
  private func json(_ text: String) -> String { String(decoding: (try? JSONEncoder().encode(text)) ?? Data(), as: UTF8.self) }
}
