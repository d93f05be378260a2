import EtalonDiagnostics
import Testing

@testable import EtalonDialects
@testable import EtalonManifest

/// `__LINE__` counts the lines of the author's file.
@Suite struct LineNumberTests {
  @Test(arguments: [
    ("a\n__LINE__;\n", "a\n2;\n"),
    ("#if __LINE__ == 1\n__LINE__\n#endif\n", "#if 1 == 1\n2\n#endif\n"),
    ("float a = F(\n1,\n__LINE__);\n", "float a = F(\n1,\n3);\n"),
    ("#line 70\n__LINE__\n#line 7\n\n__LINE__\n", "#line 70\n70\n#line 7\n\n8\n"),
    ("none\n", "none\n"),
  ])
  func aLineIsItsNumber(_ text: String, _ expected: String) {
    #expect(rewritten(text) == expected)
  }

  /// A macro counts where it is used, also through another macro, and in a call that spans lines where the first is used.
  @Test func aMacroCountsTheLineOfItsUse() {
    let text = """
      #define L float(__LINE__)
      #define M(x) (x * L)
      float a = M(2.0);
      float b = max(
        L,
        L);
      #if L
      #endif

      """
    let expected = """
      #define L float(etalon_LINE)
      #define M(x) (x * L)
      #undef etalon_LINE
      #define etalon_LINE 3
      float a = M(2.0);
      #undef etalon_LINE
      #define etalon_LINE 5
      float b = max(
        L,
        L);
      #undef etalon_LINE
      #define etalon_LINE 7
      #if L
      #endif

      """
    #expect(rewritten(text) == expected)
  }

  private func rewritten(_ text: String) -> String {
    var tokens = Lexer.tokens(of: SourceText(path: "a.glsl", text: text))
    LineNumbers().apply(to: &tokens)
    return tokens.map(\.text).joined()
  }
}
