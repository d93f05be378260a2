import Etalon
import EtalonDiagnostics
import EtalonMedia
import EtalonTypes
import Foundation
import Testing

/// Texts that `text` draws with fonts, and the functions of texts that read them.
@Suite struct FontTests {
  /// DejaVu fonts, which `Scripts/environment` installs.
  private static let font = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"

  private func shot(_ text: String, on device: TestDevice, _ settings: [String: String] = [:]) -> TestShot {
    let usual = ["text": text, "font": Self.font, "size": "64", "alignment": "left", "vertical": "bottom"]
    var shot = TestShot(plugin: "generate/text", on: device, [:], usual.merging(settings) { $1 })
    shot.request.size = Size(288, 96)
    return shot
  }

  /// The picture was made by FreeType without hints: its first origin is at (8, 24), and origins of others at 64ths of a pixel.
  ///
  /// Coverage from distances is that of a straight edge: pixels at corners differ, which are few.
  @Test(arguments: TestDevice.allCases) func lettersAreThoseOfFreeType(device: TestDevice) throws {
    let file = TestShot.folder.deletingLastPathComponent().appending(path: "Fixtures/freetype-64.png")
    let expected = try PictureReader().read(path: file.path)
    let drawn = try shot("Жgé8Ωo", on: device, ["position": "\(8.0 / 288),\(24.0 / 96)"]).picture()
    var (sum, sumExpected, inside, different, most) = (0, 0, 0, 0, 0)
    for y in 0..<96 {
      for x in 0..<288 {
        let wanted = Int(expected.bytes[((95 - y) * 288 + x) * expected.format.bytesPerPixel])
        let difference = abs(drawn.pixel(x, y)[3] - wanted)
        (sum, sumExpected) = (sum + drawn.pixel(x, y)[3], sumExpected + wanted)
        if wanted > 0 { inside += 1 }
        different += difference
        most = max(most, difference)
      }
    }
    #expect(abs(Double(sum) / Double(sumExpected) - 1) < 0.003, "the area")
    #expect(Double(different) / Double(inside) < 3, "the mean difference of a pixel that is covered")
    #expect(most < 90, "the largest difference")
  }

  /// Cyrillic and Greek, in lines over a box, with letters that are bolder than the font's.
  @Test func devicesDrawTheSame() throws {
    let settings = [
      "size": "20", "position": "0.05,0.9", "vertical": "top", "boxColor": "0.2,0.4,0.6,1", "tracking": "0.05", "weight": "0.12",
    ]
    let first = try shot("Съешь ещё\nψυχοφθόρα", on: .cpu, settings).picture()
    let second = try shot("Съешь ещё\nψυχοφθόρα", on: .vulkan, settings).picture()
    let most = zip(first.bytes, second.bytes).map { abs(Int($0) - Int($1)) }.max() ?? 0
    #expect(most <= 1)
    #expect(Set(first.bytes).count > 20)
  }

  @Test func weightMakesLettersBolderAndThinner() throws {
    let sums = try ["0.04", "0.08", "0.16"].map { weight in
      try shot("Жg8", on: .cpu, ["weight": weight, "position": "0.05,0.3"]).picture().bytes.reduce(0) { $0 + Int($1) }
    }
    #expect(sums[0] < sums[1] * 4 / 5)
    #expect(sums[1] < sums[2] * 4 / 5)
  }

  // MARK: characters

  private func error(_ text: String, _ settings: [String: String] = [:]) -> Diagnostic? {
    let error = #expect(throws: DiagnosticsError.self) { try shot(text, on: .cpu, settings).picture() }
    #expect(error?.diagnostics.count == 1)
    return error?.diagnostics.first
  }

  @Test func aCharacterThatTheFontLacksIsRefusedAtItsPlace() throws {
    let missing = error("Ж漢")
    #expect(missing?.id == "value.text")
    #expect(missing?.message == "the text for 'text' has the character U+6F22 '漢', which the font 'DejaVu Sans' lacks")
    let label = try #require(missing?.labels.first)
    #expect(String(decoding: label.source.bytes[label.range], as: UTF8.self) == "漢")
  }

  @Test func everyKeyframeIsLookedAt() throws {
    let missing = error(#"{0s: "Ж", 5s: "a字"}"#)
    #expect(missing?.message.contains("U+5B57") == true)
    #expect(missing?.labels.first.map { String(decoding: $0.source.bytes[$0.range], as: UTF8.self) } == "字")
  }

  @Test func withoutAFontStrokesNeedTheirCharacters() throws {
    var strokes = shot("aЖ", on: .cpu)
    strokes.request.settings.removeAll { $0.name == "font" }
    let error = #expect(throws: DiagnosticsError.self) { try strokes.picture() }
    #expect(error?.diagnostics.first?.message == "the text for 'text' has the character U+0416 'Ж', which is not drawn without a font")
    #expect(error?.diagnostics.first?.help.first?.hasPrefix("give a font that has it: 'font=NotoSans.ttf'") == true)
  }

  @Test func scriptsThatNeedShapingAreToldOnce() throws {
    let warnings = try shot("שלום e\u{301}a\u{301}", on: .cpu, ["size": "20"]).prepared().warnings.filter { $0.id == "font.script" }
    #expect(warnings.count == 2)
    #expect(warnings.first?.message.contains("Hebrew") == true && warnings.last?.message.contains("combining marks") == true)
  }

  /// A font whose table of places says that all outlines are empty.
  @Test func charactersWithoutOutlinesAreToldOf() throws {
    var bytes = [UInt8](try Data(contentsOf: URL(filePath: Self.font)))
    let entry = try #require(stride(from: 12, to: 600, by: 16).first { bytes[$0..<$0 + 4].elementsEqual(Array("loca".utf8)) })
    func number(_ place: Int) -> Int { bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
    for place in number(entry + 8)..<number(entry + 8) + number(entry + 12) { bytes[place] = 0 }
    let folder = FileManager.default.temporaryDirectory.appending(path: "etalon-font-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "empty.ttf")
    try Data(bytes).write(to: file)
    let warnings = try shot("A B", on: .cpu, ["font": file.path]).prepared().warnings.filter { $0.id == "font.blank" }
    #expect(warnings.map(\.message).first?.contains("has no outline for the character U+0041 'A'") == true)
    #expect(warnings.count == 2)
    #expect(try shot("A B", on: .cpu).prepared().warnings.isEmpty)
  }

  @Test func documentsAndProgramsNameFonts() async throws {
    let folder = try TemporaryFolder()
    let document = """
      etalon: 1
      nodes:
        letters: { filter: text, inputs: { font: \(Self.font) }, values: { text: "Жук", size: 20 } }
      outputs: letters
      parameters: { words: letters.text }
      """
    try document.write(toFile: folder.file("signed.yaml"), atomically: true, encoding: .utf8)
    let context = try RenderContext(device: .cpu)
    var settings = RenderSettings()
    settings.size = Size(96, 32)
    let given = try Image(Filter(contentsOf: folder.file("signed.yaml")))
    let direct = try Image(FilterLibrary.builtIn["text"], ["text": "Жук", "size": 20, "font": .init(stringLiteral: Self.font)])
    #expect(try await context.render(given, settings: settings).pixels == context.render(direct, settings: settings).pixels)
    #expect(throws: DiagnosticsError.self) { try Image(Filter(contentsOf: folder.file("signed.yaml")), ["words": "漢"]) }
    #expect(throws: DiagnosticsError.self) { try Image(FilterLibrary.builtIn["text"], ["text": "Жук"]) }
  }

  // MARK: the functions

  /// A filter of four pixels: what the functions say of a letter.
  private func answers(_ code: Int, on device: TestDevice, font: String?) throws -> TestPicture {
    let folder = try TemporaryFolder()
    let text = """
      /*{ "ETALON": 1, "ALPHA": "straight", "INPUTS": [{ "NAME": "face", "TYPE": "font" }] }*/
      vec4 imageKernel(vec2 position) {
        int glyph = FONT_GLYPH(face, \(code));
        vec2 lines = FONT_LINES(face);
        vec4 box = FONT_BOX(face, glyph);
        if (position.x < 1.0) return vec4(glyph < 0 ? 0.0 : 1.0, FONT_ADVANCE(face, glyph) / 4.0, lines.x / 4.0, 1.0);
        if (position.x < 2.0) return vec4(-lines.y, box.x, box.w, 1.0);
        vec2 place = position.x < 3.0 ? vec2(0.34, 0.68) : vec2(0.34, 0.9);
        float away = FONT_DISTANCE(face, glyph, place, 0.5);
        return vec4(away > 0.0 ? 1.0 : 0.0, abs(away), 0.0, 1.0);
      }
      """
    try text.write(toFile: folder.file("asks.glsl"), atomically: true, encoding: .utf8)
    var request = RenderRequest(filter: .file(folder.file("asks.glsl")))
    request.device = device.rawValue
    request.size = Size(4, 1)
    if let font { request.settings = [.init(name: "face", value: font)] }
    return try TestShot(request).picture()
  }

  @Test(arguments: TestDevice.allCases) func functionsReadAFont(device: TestDevice) throws {
    let font = try FontOutlines(contentsOf: Self.font)
    let letter = try #require(font.glyph(of: 0x41))
    let found = try answers(0x41, on: device, font: Self.font)
    #expect(found.pixel(0, 0) == [255, byte(font.advance(of: letter) / 4), byte(font.lines.ascender / 4), 255])
    #expect(found.pixel(1, 0) == [byte(-font.lines.descender), byte(font.box(of: letter)[0]), byte(font.box(of: letter)[3]), 255])
    // The top of an A is 1493 of 2048 units above the baseline: 0.049 above a point in it, and 0.171 below one over it.
    #expect(found.pixel(2, 0)[0] == 0 && found.pixel(2, 0)[1] > 0)
    #expect(found.pixel(3, 0) == [255, byte(0.9 - 1493.0 / 2048), 0, 255])
  }

  @Test(arguments: TestDevice.allCases) func whatIsMissingHasNoSize(device: TestDevice) throws {
    let lacking = try answers(0x6F22, on: device, font: Self.font)
    #expect(lacking.pixel(0, 0)[0] == 0 && lacking.pixel(0, 0)[1] == 0)
    #expect(lacking.pixel(2, 0) == [255, byte(0.5), 0, 255])
    let none = try answers(0x41, on: device, font: nil)
    #expect(none.pixel(0, 0) == [0, 0, 0, 255])
    #expect(none.pixel(1, 0) == [0, 0, 0, 255])
    #expect(none.pixel(3, 0) == [255, byte(0.5), 0, 255])
  }
}
