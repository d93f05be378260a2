import EtalonDiagnostics
import EtalonGLSL
import Testing

@testable import EtalonDialects

/// `__LINE__` counts the lines of the author's file.
@Suite struct LineNumberTests {
  @Test(arguments: [
    ("a\n__LINE__;\n", "a\n2;\n"),
    ("float a = F(\n1,\n__LINE__);\n", "float a = F(\n1,\n3);\n"),
    ("/*\n*/ __LINE__\n", "/*\n*/ 2\n"),
    ("#ifdef __LINE__\n__LINE__\n#endif\n", "#ifdef __LINE__\n2\n#endif\n"),
    ("none\n", "none\n"),
  ])
  func aLineIsItsNumber(_ text: String, _ expected: String) {
    #expect(rewritten(text) == expected)
  }

  @Test(arguments: [
    ("70", "70"), ("0x10", "16"), ("010", "8"), ("70 2", "70"), ("N", "3"), ("5 + 3", "3"),
  ])
  func directivesSayTheNumberOfTheNextLine(_ operands: String, _ number: String) {
    #expect(rewritten("#define N 50\n#line \(operands)\n__LINE__\n") == "#define N 50\n#line \(operands)\n\(number)\n")
  }

  @Test func directivesThatAreLeftOutSayNothing() {
    #expect(rewritten("#if 0\n#line 100\n#endif\n__LINE__\n").hasSuffix("#endif\n4\n"))
  }

  /// A macro counts the line of its use, also through another macro; a call of a macro over several lines counts where it begins.
  @Test func aMacroCountsTheLineOfItsUse() {
    let text = """
      #define L float(__LINE__)
      #define M(x) (x * L)
      float a = M(2.0);
      float b = max(L,
      L) + M
      (L);
      float c = L; /*
      */ float d = L, e = L;

      """
    let expected = """
      #define L float(etalon_LINE)
      #define M(x) (x * L)
      float a = <3>M(2.0);
      float b = max(<4>L,
      <5>L) + M
      (L);
      float c = <7>L; /*
      */ float d = <8>L, e = L;

      """
    #expect(rewritten(text) == withDefinitions(expected))
  }

  /// Every branch has its own, because others may be left out.
  @Test func branchesHaveTheirOwnNumbers() {
    let text = "#define L __LINE__\n#if A\nint a = (L,\n#else\nint a = (L,\n#endif\nL);\n"
    let expected = "#define L etalon_LINE\n#if A\nint a = (<3>L,\n#else\nint a = (<5>L,\n#endif\n<7>L);\n"
    #expect(rewritten(text) == withDefinitions(expected))
  }

  @Test func conditionsGetTheNumber() {
    let text = "#define L __LINE__\n#define N L + 1\n#if __LINE__ == 2 || L == 3\n#elif N == 5\n#elif defined(L) && defined L\n#endif\n"
    #expect(rewritten(text).replacing(" ", with: "").hasSuffix("#if3==2||3==3\n#elif4+1==5\n#elifdefined(L)&&definedL\n#endif\n"))
  }

  private func withDefinitions(_ text: String) -> String {
    (0..<10).reduce(text) { text, line in
      let definition = "#undef etalon_LINE\n#define etalon_LINE \(line)\n"
      return text.replacing("\n<\(line)>", with: "\n" + definition).replacing("<\(line)>", with: "\n" + definition)
    }
  }

  private func rewritten(_ text: String) -> String {
    var tokens = Lexer.tokens(of: SourceText(path: "a.glsl", text: text))
    LineNumbers().apply(to: &tokens)
    return tokens.map(\.text).joined()
  }
}
