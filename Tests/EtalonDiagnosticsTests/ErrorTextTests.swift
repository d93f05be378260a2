import EtalonDiagnostics
import Foundation
import Testing

/// What a program prints of an error is what the command prints.
@Suite struct ErrorTextTests {
  @Test func diagnosticsErrorPrintsItsDiagnostics() {
    let source = SourceText(path: "values", text: "sigma=8\nsimga=8")
    let error = DiagnosticsError([
      Diagnostic(
        "value.unknown-name", "no parameter 'simga'", labels: [.init(source, 8..<13, "not found")], help: ["did you mean 'sigma'?"]),
      Diagnostic("value.range", "'sigma' is above its range"),
    ])
    let text = DiagnosticPrinter().text(error.diagnostics)
    #expect(text.hasPrefix("values:2:1: error: no parameter 'simga' [value.unknown-name]\n"))
    #expect("\(error)\n" == text)
    #expect(error.localizedDescription == "\(error)")
    #expect((error as any Error).localizedDescription == "\(error)")
  }

  @Test func renderErrorPrintsItsText() {
    let error = RenderError(.missingInput, "cannot read 'photo.png'", operation: "open", underlying: "no such file", help: ["look"])
      .joined(with: [RenderError(.missingInput, "cannot read 'other.png'")])
    #expect("\(error)\n" == error.text)
    #expect("\(error)".hasSuffix("error: cannot read 'other.png'"))
    #expect((error as any Error).localizedDescription == "\(error)")
  }
}
