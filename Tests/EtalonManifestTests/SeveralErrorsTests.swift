import EtalonDiagnostics
import Foundation
import Testing

@testable import EtalonDialects
@testable import EtalonManifest

/// Everything that is wrong with a file is told at once.
///
/// Each file has errors of every kind: in the header, in values, between passes, in what the text declares.
@Suite struct SeveralErrorsTests {
  private static let folder = "errors/several"

  @Test(arguments: ProjectCorpus.names(in: folder))
  func tellsAllAtOnce(_ name: String) throws {
    let root = Corpus.folder.appendingPathComponent(Self.folder)
    let isFolder = !name.contains(".")
    let files = FolderFiles(isFolder ? root.appendingPathComponent(name).path : root.path)
    let source: FilterReader.Source =
      isFolder ? .folder(path: name, named: name) : .text(try Corpus.source("\(Self.folder)/\(name)"), named: "several")
    let error = #expect(throws: DiagnosticsError.self) { try FilterReader(files: files).read(source, options: FilterReader.Options()) }
    try Corpus.expect(DiagnosticPrinter().text(error?.diagnostics ?? []), equals: "\(Self.folder)/\(name).txt")
  }
}
