import EtalonDiagnostics
import Testing

@testable import EtalonCompiler

@Suite struct MessageTests {
  @Test func takesLogsApart() {
    let log = """
      a:b:12: error: 'colr' : undeclared identifier\u{20}
      a:b:13: warning: attribute deprecated
      a:b:14: error: ''' : character literals not supported
      a:b: error: Linking compute stage: Recursion detected:
      a:b:     f(vf3; calling g(
      noise

      """
    let messages = CompilerMessage.parse(log, fileName: "a:b")
    #expect(messages.map(\.line) == [12, 13, 14, nil])
    #expect(messages.map(\.subject) == ["colr", "", "'", ""])
    #expect(messages.map(\.severity) == [.error, .warning, .error, .error])
    #expect(messages.map(\.text)[0...1] == ["undeclared identifier", "attribute deprecated"])
    #expect(messages[3].details == ["f(vf3; calling g("])
  }

  @Test(arguments: [
    (" temp highp 3-component vector of float", "vec3"), (" const int", "int"), (" global 2X2 matrix of float", "mat2"),
    (" temp highp 2X3 matrix of float", "mat2x3"), (" const 3-element array of highp int", "int[3]"),
    (" uniform highp sampler2D", "sampler2D"), (" temp 4-component vector of uint", "uvec4"), (" temp 2-component vector of bool", "bvec2"),
    (" temp structure{ global highp float a}", "struct"), (" global void", "void"),
  ]) func spellsTypes(_ long: String, _ glsl: String) {
    #expect(TypeSpelling.glsl(long[...]) == glsl)
  }

  /// Statements with a part that is repeated, `#` being its number.
  struct ManyErrors: CustomTestStringConvertible {
    let testDescription: String
    var start = ""
    let part: String
    let count: Int
    var end = ""
    var told = ErrorMapper.mostDiagnostics

    var statements: String { start + (0..<count).map { part.replacing("#", with: "\($0)") }.joined() + end }
  }

  /// Each message takes few looks at the text, however long the statement around it is.
  @Test(
    .timeLimit(.minutes(2)),
    arguments: [
      ManyErrors(testDescription: "one name in many statements", part: "float a = 0.0;\n", count: 2000),
      ManyErrors(testDescription: "many names", part: "fragColor.x += name#;\n", count: 2000),
      ManyErrors(testDescription: "types", part: "fragColor.x = vec2(1.0) * vec3(2.0);\n", count: 1000),
      ManyErrors(
        testDescription: "errors that follow from others", start: "int i = nothing", part: ", i = nothing.x(1.0)", count: 1000, end: ";"),
      ManyErrors(testDescription: "one name in one statement", start: "float b = ", part: "a,", count: 20_000, end: "a;"),
      ManyErrors(testDescription: "a long statement", start: "float b b", part: ",b", count: 20_000, end: ";", told: 1),
    ])
  func tellsTheFirstOfManyErrors(_ errors: ManyErrors) {
    let diagnostics = Corpus.diagnostics(of: Corpus.shader(errors.statements))
    #expect(diagnostics.filter { $0.severity == .error }.count == errors.told)
    #expect(diagnostics.filter { $0.severity != .error }.map(\.id) == (errors.told == 1 ? [] : ["glsl.more"]))
  }

  @Test func countsTheErrorsThatItDoesNotTell() {
    let lines = (0..<23).map { "fragColor.x += name\($0);" }.joined(separator: "\n")
    let more = Corpus.diagnostics(of: Corpus.shader(lines)).last
    #expect(more?.message == "the compiler has 3 more messages about pass 'image'")
    #expect(more?.labels.first.map { $0.source.line($0.source.position(at: $0.range.lowerBound).line) } == "fragColor.x += name20;")
  }

  @Test func readsSyntaxErrors() throws {
    let message = try #require(SyntaxMessage("syntax error, unexpected LEFT_BRACE, expecting COMMA or SEMICOLON"))
    #expect(message.unexpected == "{")
    #expect(message.expecting == [",", ";"])
    #expect(SyntaxMessage("syntax error, unexpected FLOATCONSTANT")?.unexpected == "number")
    #expect(SyntaxMessage("syntax error, unexpected end of file, expecting COMMA or SEMICOLON")?.unexpected == "end of file")
    #expect(SyntaxMessage("syntax error, unexpected SAMPLERCUBE")?.unexpected == "samplerCube")
    #expect(SyntaxMessage("undeclared identifier") == nil)
  }
}
