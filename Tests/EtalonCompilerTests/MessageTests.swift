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
