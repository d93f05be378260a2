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

  @Test(arguments: [
    ("\u{1B}", "U+001B"), ("\u{7F}", "U+007F"), ("\u{FFFD}", "U+FFFD"), ("ä", "'ä' (U+00E4)"), ("@", "'@'"), ("$", "'$'"),
  ]) func namesCharactersThatGLSLDoesNotKnow(_ character: String, _ name: String) {
    func messages(_ statements: String, before: String = "") -> [String] {
      Corpus.diagnostics(of: Corpus.shader(statements, before: before)).map(\.message)
    }
    #expect(messages("fragColor = vec4(\(character));") == ["unknown character \(name)"])
    let inside = ["character \(name) means nothing in GLSL"]
    #expect(messages("fragColor = vec4(A);", before: "#define A \(character)") == inside)
    #expect(messages("fragColor = vec4(0.0);\n#if 1\n\(character)\n#endif") == inside)
  }

  @Test func namesBytesThatAreNoCharacters() {
    let text = SourceText(
      path: "test.glsl", bytes: Array("void mainImage(out vec4 c, vec2 p) { c = vec4(".utf8) + [0xFF] + Array("); }".utf8))
    #expect(Corpus.diagnostics(of: text).map(\.message) == ["unknown character 0xFF, which is not UTF-8"])
  }

  @Test(arguments: [
    (" no \u{1B}[31mway 'ä' : \"not\" this", ": no \\u001B[31mway 'ä' : \"not\" this"), (" too old  // says who", ": too old"), ("", ""),
  ]) func errorDirectivesKeepTheirWords(_ written: String, _ told: String) {
    let diagnostics = Corpus.diagnostics(of: Corpus.shader("fragColor = vec4(1.0);", before: "#error\(written)"))
    #expect(diagnostics.map(\.message) == ["'#error' was reached\(told)"])
  }

  @Test(arguments: ["for (;;) ", "if (a > 1.0) a = 2.0; else "]) func saysThatStatementsAreNestedTooDeep(_ part: String) {
    let statements = "float a = 1.0;\n" + String(repeating: part, count: 2500) + "a = 3.0;\nfragColor = vec4(a);"
    let diagnostics = Corpus.diagnostics(of: Corpus.shader(statements))
    #expect(diagnostics.map(\.id) == ["limit.nesting"])
    #expect(diagnostics.first?.labels.first?.message == "too deep here")
  }

  /// The structs of a text are counted before it comes here, those of its macros are not.
  @Test(arguments: [
    ("#define TWICE(a, b) struct a { b x; b y; };", "TWICE(SN, SP)"), ("#define BODY(b) { b x; b y; };", "struct SN BODY(SP)"),
    ("", "#define MN SP\nstruct SN { MN x; MN y; };"),
  ]) func refusesStructsThatMacrosDouble(_ macro: String, _ member: String) {
    let structs = (1...39).map { member.replacing("N", with: "\($0)").replacing("P", with: "\($0 - 1)") }.joined(separator: "\n")
    let text = Corpus.shader("S39 s;\nfragColor = vec4(1.0);", before: "\(macro)\nstruct S0 { float x; };\n\(structs)")
    let diagnostics = Corpus.diagnostics(of: text)
    #expect(diagnostics.map(\.id) == ["limit.members"])
    #expect(diagnostics.first?.labels.first?.message == "too large")
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
