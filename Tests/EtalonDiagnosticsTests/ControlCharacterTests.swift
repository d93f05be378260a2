import EtalonDiagnostics
import Testing

/// Characters that a terminal or a page obeys never leave in a text.
@Suite struct ControlCharacterTests {
  /// Everything that moves the cursor, ends lines, turns text around or shows nothing.
  private static let controls: [Unicode.Scalar] =
    ((0...0x1F).map { $0 } + (0x7F...0x9F).map { $0 } + [0xAD, 0x61C, 0x180E, 0x200B, 0x200E, 0x200F] + (0x2028...0x202E).map { $0 }
    + (0x2060...0x206F).map { $0 } + [0xFEFF, 0xFFF9, 0xFFFB, 0xE0001, 0xE0041] as [UInt32]).compactMap { Unicode.Scalar($0) }

  @Test func noneIsLeft() {
    for control in Self.controls {
      let text = "a\(Character(control))b"
      for safe in [text.withoutControls, DiagnosticJSON().text([Diagnostic("x.y", text)]).dropLast().description] {
        #expect(!safe.unicodeScalars.contains(control), "U+\(String(control.value, radix: 16))")
      }
      #expect(control == "\n" || control == "\t" || !text.printable.unicodeScalars.contains(control))
    }
    #expect("a\u{202E}b\u{9B}c\td\u{E0001}".withoutControls == "a\\u202Eb\\u009Bc d\\uDB40\\uDC01")
    #expect("a\u{202E}\n\tb\u{1B}[2J".printable == "a\\u202E\n\tb\\u001B[2J")
    #expect("\"a\u{202E}\"".withControlsShown == "\"a\\\\u202E\"")
  }

  @Test func scriptsAndEmojiStay() {
    let text = "naïve 中文 नमस्ते می‌خواهم 👩‍👩‍👧 e\u{301} שלום"
    #expect(text.withoutControls == text)
    #expect(text.printable == text)
  }

  @Test func widthsAreThoseOfATerminal() {
    #expect("abc".columnCount == 3)
    #expect("中文".columnCount == 4)
    #expect("e\u{301}".columnCount == 1)
    #expect("🙂".columnCount == 2)
  }

  /// Carets stand below their place, whatever comes before it and whatever is marked.
  @Test func caretsStandBelowTheirPlace() throws {
    let source = SourceText(path: "a\u{202E}.glsl", text: "int /* \u{202E}\u{9B}中 */ x = y\u{200F}z;\n")
    let start = source.bytes.count - Array("y\u{200F}z;\n".utf8).count
    let label = Diagnostic.Label(source, start..<start + Array("y\u{200F}z".utf8).count, "he\u{2066}re")
    #expect(
      DiagnosticPrinter().text(Diagnostic("x.y", "no 'y\u{200F}z'", labels: [label])) == """
        a\\u202E.glsl:1:19: error: no 'y\\u200Fz' [x.y]
         1 | int /* \\u202E\\u009B中 */ x = y\\u200Fz;
           |                              ^^^^^^^^ he\\u2066re

        """)
  }
}
