import Etalon
import EtalonDiagnostics
import EtalonGraph
import EtalonTypes
import Foundation
import Testing

/// Texts and timecodes that filters draw, and texts as values.
@Suite struct LetterTests {
  private func picture(
    _ filter: String, on device: TestDevice = .cpu, _ settings: [String: String], rate: String = "24", frame: Int = 0
  ) throws -> TestPicture {
    var shot = TestShot(plugin: "generate/\(filter)", on: device, [:], settings)
    shot.request.size = Size(72, 16)
    shot.request.clock = ShotClock(rate: try #require(FrameRate(rate)))
    shot.request.frames = .range(try #require(FrameRange(frame...frame)))
    return try shot.picture()
  }

  private let place = ["size": "10", "position": "0.5,0.3", "weight": "0.1", "boxColor": "0,0,0,0", "padding": "0.3"]

  private func text(_ text: String, on device: TestDevice = .cpu) throws -> TestPicture {
    try picture("text", on: device, place.merging(["text": text, "vertical": "bottom"]) { $1 })
  }

  // MARK: timecode

  /// What SMPTE ST 12-1 says: frame numbers 0 and 1 (0 to 3 at 59.94) are left out at the start of each minute but 0, 10, 20, 30, 40 and 50.
  @Test(
    arguments: [
      ("24", 0, 0, "00:00:00:00"), ("24", 0, 24 * 3600 + 25, "01:00:01:01"), ("23.976", 0, 24, "00:00:01:00"),
      ("25", 0, 1499, "00:00:59:24"),
      ("30", 0, 1800, "00:01:00:00"), ("29.97", 0, 1799, "00:00:59;29"), ("29.97", 0, 1800, "00:01:00;02"),
      ("29.97", 0, 17981, "00:09:59;29"), ("29.97", 0, 17982, "00:10:00;00"), ("29.97", 0, 107_892, "01:00:00;00"),
      ("59.94", 0, 3600, "00:01:00;04"), ("59.94", 0, 35964, "00:10:00;00"), ("29.97", 23, 107_891, "23:59:59;29"),
      ("29.97", 23, 107_892, "00:00:00;00"), ("120", 0, 119, "00:00:00:119"),
    ] as [(String, Int, Int, String)])
  func countsAsTheStandardDoes(rate: String, hours: Int, frame: Int, expected: String) throws {
    let counted = try picture("timecode", place.merging(["hours": "\(hours)"]) { $1 }, rate: rate, frame: frame)
    #expect(try counted == text(expected))
  }

  @Test func aNumberThatIsLeftOutIsTheNextOne() throws {
    for frames in ["0", "1", "2"] {
      let first = try picture("timecode", place.merging(["minutes": "1", "frames": frames]) { $1 }, rate: "29.97")
      #expect(try first == text("00:01:00;02"), "first frame \(frames)")
    }
    let all = try picture("timecode", place.merging(["minutes": "1", "counting": "non-drop"]) { $1 }, rate: "29.97")
    #expect(try all == text("00:01:00:00"))
  }

  @Test func showsFramesBehindAPrefix() throws {
    let values = place.merging(["show": "frames", "seconds": "2", "prefix": "nº "]) { $1 }
    #expect(try picture("timecode", values, frame: 7) == text("nº 0055"))
    #expect(try picture("timecode", values, frame: 123_456) == text("nº 123504"))
  }

  // MARK: letters

  /// A stroke covers what lies within half of its width: the mean over a dash is its area.
  @Test(arguments: TestDevice.allCases) func strokesHaveTheirArea(device: TestDevice) throws {
    let dash = try picture(
      "text", on: device, place.merging(["text": "—", "size": "40", "position": "0.5,0", "vertical": "bottom"]) { $1 })
    let sum = (0..<16).reduce(0) { sum, y in (0..<72).reduce(sum) { $0 + dash.pixel($1, y)[3] } }
    // 16 of 20 units of 40 px, 4 px wide, with half circles at its ends.
    let area = 32.0 * 4 + Double.pi * 4
    #expect(abs(Double(sum) / 255 - area) < 0.01 * area)
  }

  @Test func alignmentMovesWholeLines() throws {
    var shot = TestShot(plugin: "generate/text", on: .cpu, [:], ["text": "H\nHH", "size": "10", "alignment": "left", "position": "0,0.5"])
    shot.request.size = Size(48, 32)
    let left = try shot.picture()
    shot = TestShot(plugin: "generate/text", on: .cpu, [:], ["text": "H\nHH", "size": "10", "alignment": "right", "position": "1,0.5"])
    shot.request.size = Size(48, 32)
    let right = try shot.picture()
    // Both letters are mirror pictures of themselves, so that the lines of one picture are those of the other from right to left.
    for y in 0..<32 { for x in 0..<48 { #expect(abs(left.pixel(x, y)[3] - right.pixel(47 - x, y)[3]) <= 1) } }
  }

  // MARK: values

  @Test func textsOfKeyframesHold() throws {
    let values = place.merging(["text": "{0s: \"One\", 1s: \"Three\"}", "vertical": "bottom"]) { $1 }
    #expect(try picture("text", values, frame: 23) == text("One"))
    #expect(try picture("text", values, frame: 24) == text("Three"))
  }

  @Test func textsAreNoExpressions() throws {
    let pictures = try ["(1)", "[1]", "@1", " {1}", "1, 1: 1", ""].map { try text($0) }
    #expect(Set(pictures).count == pictures.count)
  }

  @Test func programsGiveTextsOverTime() async throws {
    let library = FilterLibrary.builtIn
    let place: [String: ParameterValue] = ["size": 10, "position": [0.5, 0.3], "weight": 0.1, "padding": 0.3, "vertical": "bottom"]
    let moving = try Image(
      library["text"], place.merging(["text": .keyframes([.key(.seconds(0), "a, \"b\""), .key(.seconds(1), "{c}\nd")])]) { $1 })
    let still = try Image(library["text"], place.merging(["text": .keyframes([.key(.seconds(0), "{c}\nd")])]) { $1 })
    let plain = try Image(library["text"], place.merging(["text": "a, \"b\""]) { $1 })
    let context = try RenderContext(device: .cpu)
    var settings = RenderSettings()
    settings.size = Size(72, 16)
    let first = try await context.render(moving, at: .seconds(0), settings: settings)
    let later = try await context.render(moving, at: .seconds(1), settings: settings)
    #expect(try await context.render(plain, settings: settings).pixels == first.pixels)
    #expect(try await context.render(still, settings: settings).pixels == later.pixels)
  }

  /// A parameter of a document is a text or a curve like that of the node, with its rules.
  @Test func documentsHandTextsAndCurvesOn() async throws {
    let folder = try TemporaryFolder()
    let document = """
      etalon: 1
      nodes:
        letters: { filter: text, values: { text: "One: two", size: 10 } }
        result: { filter: tone-curve, inputs: letters }
      outputs: result
      parameters: { words: letters.text, tone: result.rgb }
      """
    try document.write(toFile: folder.file("signed.yaml"), atomically: true, encoding: .utf8)
    let signed = try Filter(contentsOf: folder.file("signed.yaml"))
    #expect(signed.parameters.map(\.kind) == [.text, .curve])
    #expect(signed.parameters[0].defaultValue.text == "One: two")
    let context = try RenderContext(device: .cpu)
    var settings = RenderSettings()
    settings.size = Size(72, 16)
    let library = FilterLibrary.builtIn
    let given = try Image(signed, ["words": "(x)\ny", "tone": "0:0.2,1:0.7"])
    let direct = try Image(library["text"], ["text": "(x)\ny", "size": 10]).applying(library["tone-curve"], ["rgb": "0:0.2,1:0.7"])
    #expect(try await context.render(given, settings: settings).pixels == context.render(direct, settings: settings).pixels)
    #expect(throws: DiagnosticsError.self) { try Image(signed, ["words": "Ж"]) }
    #expect(throws: DiagnosticsError.self) { try Image(signed, ["tone": "0:0"]) }
  }

  @Test func anythingElseIsRefusedAtItsPlace() throws {
    let unknown = #expect(throws: DiagnosticsError.self) { try text("a\nbЖ") }
    #expect(unknown?.diagnostics.map(\.id) == ["value.text"])
    #expect(unknown?.diagnostics.first?.labels.first.map { $0.source.position(at: $0.range.lowerBound).column } == 2)
    let open = #expect(throws: DiagnosticsError.self) { try text("{x") }
    #expect(open?.diagnostics.first?.help.last == "a text that begins with a brace stands in keyframes: '{0s: \"{x\"}'")
  }

  /// Both filters draw the same letters in the same way.
  @Test func bothFiltersHaveTheSameLetters() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Plugins/generate").standardizedFileURL
    for name in ["strokes.inc", "layout.inc", "strokes.png"] {
      let files = try ["text", "timecode"].map { try Data(contentsOf: folder.appending(path: "\($0)/\(name)")) }
      #expect(files[0] == files[1], "\(name)")
    }
  }
}
