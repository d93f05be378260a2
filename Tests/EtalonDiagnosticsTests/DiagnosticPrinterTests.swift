import EtalonDiagnostics
import Testing

@Suite struct DiagnosticPrinterTests {
  private let source = SourceText(path: "plasma.glsl", text: "void mainImage(out vec4 c, in vec2 p)\n{\n  vec3 ä = colr;\n}\n")

  @Test func pointsAtThePlace() throws {
    let start = try #require(source.text.utf8.firstRange(of: Array("colr".utf8))?.lowerBound)
    let offset = source.text.utf8.distance(from: source.text.utf8.startIndex, to: start)
    let diagnostic = Diagnostic(
      "glsl.undeclared-identifier", "undeclared identifier 'colr'",
      labels: [.init(source, offset..<offset + 4, "not declared")], help: ["did you mean 'color'?"], notes: ["in the Image pass"])
    #expect(
      DiagnosticPrinter().text(diagnostic) == """
        plasma.glsl:3:12: error: undeclared identifier 'colr' [glsl.undeclared-identifier]
         3 |   vec3 ä = colr;
           |            ^^^^ not declared
           = help: did you mean 'color'?
           = note: in the Image pass

        """)
  }

  @Test func pointsPastTheEnd() {
    let diagnostic = Diagnostic(
      "glsl.syntax", "unexpected end of file", labels: [.init(source, source.bytes.count..<source.bytes.count)])
    #expect(DiagnosticPrinter().text(diagnostic).hasPrefix("plasma.glsl:5:1: error: unexpected end of file [glsl.syntax]\n 5 | \n   | ^\n"))
  }

  @Test func passwordsOfAddressesAreNotShown() {
    let line = SourceText(path: "stage 1", text: "rtsp://me:se@cret@host/a?b@c 'http://host/x@y'")
    let text = DiagnosticPrinter().text(Diagnostic("x", "x", labels: [.init(line, 0..<4)]))
    #expect(text.contains("1 | rtsp://**********@host/a?b@c 'http://host/x@y'\n"), "\(text)")
  }

  @Test func cutsLongLinesAroundThePlace() {
    let long = SourceText(path: "long.glsl", text: String(repeating: "a", count: 1000) + "X" + String(repeating: "b", count: 1000))
    let text = DiagnosticPrinter().text(Diagnostic("x", "x", labels: [.init(long, 1000..<1001)]))
    let lines = text.split(separator: "\n")
    #expect(lines[1].count < 200)
    #expect(lines[1].firstIndex(of: "X").map { lines[1].distance(from: lines[1].startIndex, to: $0) } == lines[2].count - 1)
  }

  /// Build servers take lines that begin with `::` for commands, and strangers name files.
  @Test func noNameBeginsALine() {
    let name = "a\n::error title=injected::gotcha\r\u{2028}b"
    let strange = SourceText(path: name, text: "x\n")
    let diagnostic = Diagnostic("x.y", "no '\(name)'", labels: [.init(strange, 0..<1, name)], help: [name], notes: [name])
    let text = DiagnosticPrinter().text(diagnostic) + RenderError(.missingInput, "no '\(name)'", underlying: name, help: [name]).text
    #expect(!text.split(whereSeparator: \.isNewline).contains { $0.drop { $0 == " " }.hasPrefix("::") })
    #expect(text.split(separator: "\n").count == 7)
  }

  @Test func writesJSON() {
    let diagnostic = Diagnostic("x.y", "no 'z'", labels: [.init(source, 0..<4, "here")])
    #expect(
      DiagnosticJSON().text([diagnostic])
        == #"{"diagnostics":[{"help":[],"id":"x.y","labels":[{"end":{"byte":4,"column":5,"line":1},"message":"here","#
        + #""path":"plasma.glsl","start":{"byte":0,"column":1,"line":1}}],"message":"no 'z'","notes":[],"severity":"error"}],"version":1}"#
        + "\n")
  }

  @Test func findsTheNearestName() {
    #expect(NearestName.find("simga", in: ["sigma", "edgeMode"]) == "sigma")
    #expect(NearestName.find("SPED", in: ["SPEED", "TINT"]) == "SPEED")
    #expect(NearestName.find("colour", in: ["radius", "angle"]) == nil)
    #expect(NearestName.find("tiem", in: ["TIME", "time", "Time"]) == "time")
    #expect(NearestName.find("TIEM", in: ["TIME", "time", "Time"]) == "TIME")
  }
}
