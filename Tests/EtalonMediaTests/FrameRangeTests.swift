import EtalonDiagnostics
import EtalonMedia
import EtalonTypes
import Testing

@Suite struct FrameRangeTests {
  @Test(arguments: [
    ("0-3", [0, 1, 2, 3], "0-3"), ("1-10x3", [1, 4, 7, 10], "1-10x3"), ("1-9x3", [1, 4, 7], "1-7x3"),
    ("7,9,20-22", [7, 9, 20, 21, 22], "7,9,20-22"),
    ("-8--5", [-8, -7, -6, -5], "-8--5"), ("-2-1", [-2, -1, 0, 1], "-2-1"), ("4-1x-1", [4, 3, 2, 1], "4-1x-1"),
    ("10-1x-4", [10, 6, 2], "10-2x-4"),
    ("1-7y3", [2, 3, 5, 6], "2-3,5-6"), ("5", [5], "5"), ("3-3", [3], "3"), ("1,1,2", [1, 2], "1-2"), ("1-3 7", [1, 2, 3, 7], "1-3,7"),
    ("1-3,2-5", [1, 2, 3, 4, 5], "1-5"), ("007", [7], "7"),
  ]) func reads(text: String, frames: [Int], description: String) throws {
    let range = try FrameRangeParser.parse(text)
    #expect(range.frames == frames)
    #expect(range.description == description)
    #expect(try FrameRangeParser.parse(description) == range)
  }

  @Test(arguments: [
    ("", "range.empty"), ("10-1", "range.backwards"), ("1-10x-1", "range.backwards"), ("1-10x0", "range.step"), ("1-100:3", "range.colon"),
    ("a-b", "range.syntax"), ("1-", "range.syntax"), ("1-10x", "range.syntax"), ("1..10", "range.syntax"), ("1-2-3", "range.syntax"),
    ("0-1000000", "range.too-many"), ("0-999999999999999999999999", "range.too-large"), ("1.5", "range.syntax"),
    ("5-4y1", "range.backwards"),
  ]) func refuses(text: String, id: String) {
    let error = #expect(throws: DiagnosticsError.self) { try FrameRangeParser.parse(text) }
    #expect(error?.diagnostics.map(\.id) == [id])
  }

  @Test func spellsOutBothReadingsOfAColon() {
    let error = #expect(throws: DiagnosticsError.self) { try FrameRangeParser.parse("0-5,1-100:3") }
    #expect(
      DiagnosticPrinter().text(error?.diagnostics ?? []) == """
        --frames:1:5: error: '1-100:3' has two readings [range.colon]
         1 | 0-5,1-100:3
           |     ^^^^^^^ step or order?
           = help: type '1-100x3' for the frames 1, 4, 7, …
           = help: type '1-100' for all frames
           = note: some programs (Open Job Description) read a colon as a step: the frames 1, 4, 7, …
           = note: others (OpenCue, fileseq) read it as an order: 1, 4, 7, … first, then the frames between

        """)
  }

  @Test func collectsErrors() {
    let error = #expect(throws: DiagnosticsError.self) { try FrameRangeParser.parse("10-1,x,1-2") }
    #expect(error?.diagnostics.map(\.id) == ["range.backwards", "range.syntax"])
  }

  @Test func survivesNonsense() {
    var generator = TestGenerator(seed: 3)
    let characters = Array("0123456789-x:y, .%ä")
    var understood = 0
    for _ in 0..<2000 {
      let text = String((0..<Int.random(in: 0...10, using: &generator)).compactMap { _ in characters.randomElement(using: &generator) })
      if let range = try? FrameRangeParser.parse(text) {
        understood += 1
        #expect((try? FrameRangeParser.parse(range.description)) == range)
      }
    }
    #expect(understood > 10)
  }
}
