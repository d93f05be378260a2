import EtalonDiagnostics
import EtalonGLSL
import Testing

@testable import EtalonDialects
@testable import EtalonManifest

@Suite struct LimitTests {
  private func ids(_ text: String, limits: TextLimits = TextLimits()) -> [String] {
    var options = FilterReader.Options()
    options.limits = limits
    do throws(DiagnosticsError) {
      _ = try ShaderToyReader(files: NoFiles()).read(SourceText(path: "a.glsl", text: text), named: "a", options: options)
      return []
    } catch {
      return error.diagnostics.map(\.id)
    }
  }

  private func shader(_ statement: String, before: String = "") -> String {
    "\(before)\nvoid mainImage(out vec4 c, in vec2 p) {\n  \(statement)\n}\n"
  }

  @Test func refusesSumOfSixtyThousandTerms() {
    let sum = Array(repeating: "p.x", count: 60_000).joined(separator: "+")
    #expect(ids(shader("c = vec4(\(sum));")) == ["limit.operators"])
  }

  @Test func refusesSumThatMacrosMake() {
    let macros = (1...16).map { "#define S\($0) S\($0 - 1) + S\($0 - 1)\n" }.joined()
    #expect(ids(shader("c = vec4(S16);", before: "#define S0 p.x\n" + macros)) == ["limit.operators"])
  }

  @Test func acceptsLongTables() {
    let table = Array(repeating: "vec2(-1.0, 1.0 + 2.0)", count: 15_000).joined(separator: ",\n")
    #expect(ids(shader("c = vec4(T[int(p.x)], 0.0, 1.0);", before: "const vec2[] T = vec2[](\(table));")) == [])
  }

  @Test func refusesDeepNesting() {
    let open = String(repeating: "(", count: 300)
    let close = String(repeating: ")", count: 300)
    #expect(ids(shader("c = vec4\(open)1.0\(close);")) == ["limit.nesting"])
    #expect(ids(shader("c = vec4(1.0);", before: "#define DEEP \(open)1.0\(close)")) == ["limit.nesting"])
  }

  @Test func refusesLongChainsOfMacros() {
    let macros = (1...2000).map { "#define M\($0) M\($0 - 1)\n" }.joined()
    #expect(ids(shader("c = vec4(M2000);", before: "#define M0 1.0\n" + macros)) == ["limit.tokens"])
  }

  @Test func refusesStructsThatDoubleForEver() {
    let nested = (1...39).map { "struct S\($0) { S\($0 - 1) a; S\($0 - 1) b; };\n" }.joined()
    #expect(ids(shader("S39 s;", before: "struct S0 { float a; };\n" + nested)) == ["limit.members"])
    let several = (1...39).map { "struct S\($0) { S\($0 - 1) a, b[2], c; };\n" }.joined()
    #expect(ids(shader("S39 s;", before: "struct S0 { float a; };\n" + several)) == ["limit.members"])
    let local = (1...39).map { "struct S\($0) { S\($0 - 1) a; S\($0 - 1) b; };" }.joined()
    #expect(ids(shader("struct S0 { float a; }; \(local)")) == ["limit.members"])
  }

  @Test func acceptsStructsInStructs() {
    let chain = (1...200).map { "struct S\($0) { S\($0 - 1) a[4]; float b, c; };\n" }.joined()
    #expect(ids(shader("c = vec4(1.0);", before: "struct S0 { float a; };\n" + chain)) == [])
    let unfinished = shader("c = vec4(1.0);", before: "struct S { float S, a; S b; };\nstruct { S a; } x;\nstruct")
    #expect(!ids(unfinished).contains("limit.members"))
  }

  @Test func acceptsMacrosThatMentionThemselves() {
    #expect(ids(shader("c = vec4(A(1.0));", before: "#define A(x) B(x) + A(x)\n#define B(x) A(x) * 2.0\n")) == [])
  }

  @Test func refusesLargeFiles() {
    var limits = TextLimits()
    limits.bytes = 64
    #expect(ids(shader("c = vec4(1.0, 0.0, 0.0, 1.0);"), limits: limits) == ["limit.bytes"])
  }

  @Test func measuresMacrosWithArguments() {
    let tokens = Lexer.tokens(ofAddedText: "#define TWICE(x) x + x\n#define FOUR(x) TWICE(x) * TWICE((x))\nFOUR(a - b);")
    var sizes = MacroSizes(tokens)
    let visible = tokens.indices.filter { tokens[$0].isSignificant && !tokens[$0].isInDirective }
    // a-b + a-b * (a-b) + (a-b) ;
    #expect(sizes.measure(visible[...]) == ExpansionMeasure(tokens: 20, operators: 7))
  }
}
