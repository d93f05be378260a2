import EtalonDiagnostics
import EtalonGLSL
import EtalonTypes
import Testing

@testable import EtalonManifest

/// Texts as people type them, and as shaders get them.
@Suite struct TextValueTests {
  private static let latin = CharacterRules(longest: 8, allowed: [0x20...0x7E, 0xA0...0xFF])

  private func read(_ text: String, _ rules: CharacterRules = CharacterRules()) throws(DiagnosticsError) -> Value {
    var parameter = FilterParameter(name: "title", kind: .text, defaultValue: Value(text: ""))
    parameter.list = .text(rules)
    let source = SourceText(path: "v", text: text)
    return try ParameterCheck(parameter).read(text, at: SourceRange(source, 0..<text.utf8.count))
  }

  @Test(arguments: ["", "Title", "two\nlines", " (draft) ", "[1] @home", "ÄΩ—😀", "\"quoted\" \\n"]) func readsAnyText(text: String) throws {
    let value = try read(text)
    #expect(value.text == text)
    #expect(value.components == text.unicodeScalars.map { Double($0.value) })
    #expect(ValueConversion.plainText(value) == text)
    #expect(ListPart.characters.components(of: value) == value.components)
    #expect(ListPart.count.components(of: value) == [Double(text.unicodeScalars.count)])
  }

  @Test(arguments: [
    ("a\tb", "value.text 1:2 a tab"), ("a\r\nb", "value.text 1:2 ends a line elsewhere"), ("é\u{7}", "value.text 1:2 a control character"),
    ("\u{85}", "value.text 1:1 ends a line elsewhere"), ("one\ntw\u{416}", "value.text 2:3 not among its characters"),
    ("123456789", "value.list 1:1 more than 8"),
  ]) func explainsWhatIsNone(text: String, expected: String) {
    let error = #expect(throws: DiagnosticsError.self) { try read(text, Self.latin) }
    let found = error?.diagnostics.first
    let label = found?.labels.first
    let position = label.map { $0.source.position(at: $0.range.lowerBound) }
    #expect("\(found?.id ?? "") \(position?.line ?? 0):\(position?.column ?? 0) \(label?.message ?? "")" == expected)
  }

  @Test func namesTheCharacterAndThoseThatThereAre() {
    let found = #expect(throws: DiagnosticsError.self) { try read("Ж", Self.latin) }?.diagnostics.first
    #expect(found?.message == "the text for 'title' has the character U+0416 'Ж', which is not drawn")
    #expect(found?.help == ["characters: U+0020 to U+007E, U+00A0 to U+00FF"])
  }

  @Test(
    arguments: [
      ("U+0041", 0x41...0x41), ("U+0020-U+007E", 0x20...0x7E), ("U+1F600-U+1F64F", 0x1F600...0x1F64F), ("0041", nil), ("U+7E-U+20", nil),
      ("U+007E-U+0020", nil), ("U+D800", nil), ("U+110000", nil), ("U+0020-U+0030-U+0040", nil), ("", nil),
    ] as [(String, ClosedRange<UInt32>?)]) func readsRangesOfCharacters(text: String, expected: ClosedRange<UInt32>?)
  {
    #expect(CharacterRules.range(text) == expected)
    if let expected { #expect(CharacterRules.text(expected) == text) }
  }

  /// A text that would be read as keyframes is typed as a single key.
  @Test func bracesStandInKeyframes() {
    #expect(ValueConversion.plainText(Value(text: "{\"a\\\n")) == "{0s: \"{\\\"a\\\\\\n\"}")
  }
}
