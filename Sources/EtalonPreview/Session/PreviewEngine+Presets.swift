internal import Etalon
internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonRegression
internal import EtalonSystem
internal import EtalonTypes
internal import Foundation

/// Values that are kept: as graph documents, and as cases of tests.
extension PreviewEngine {
  /// Writes the subject with its values as a graph document.
  func savePreset(_ request: PageRequest, of page: Int) throws {
    guard let subject else { throw nothingIsShown }
    guard var name = request.path, !name.isEmpty else {
      throw DiagnosticsError(Diagnostic("preview.name", "the preset has no name", help: ["type 'warm', which is saved as 'warm.yaml'"]))
    }
    if ![".yaml", ".yml", ".json"].contains(where: name.hasSuffix) { name += ".yaml" }
    let path = try newFile(name, replacing: request.force == true ? .anything : .nothing)
    var kept = subject.request
    if kept.eventsFile.map(place.isTemporary) ?? false { kept.eventsFile = said.eventsFile }
    try checkStays(kept.inputs.map(\.path) + [kept.eventsFile].compactMap(\.self))
    let document = try PresetDocument(kept, in: URL(filePath: path).deletingLastPathComponent().path)
    let bytes = Array(document.text.utf8)
    try write(bytes, to: path)
    written[path] = TextFiles.hash(bytes)
    presets.removeAll { $0.name == name }
    presets.append(.init(name: name, values: Dictionary(subject.request.settings.map { ($0.name, $0.value) }) { _, last in last }))
    tell(page, .done(request.number, "saved preset \(path)"))
    tellAll(.state(state))
  }

  /// Writes a case for what is shown, with its reference, on a thread of its own.
  func addCase(_ request: PageRequest, of page: Int) throws {
    guard let subject else { throw nothingIsShown }
    guard trials.isEmpty else {
      throw DiagnosticsError(
        Diagnostic("preview.unsaved", "a text was not saved, and a case tests what is saved", help: ["save it, or take it back"]))
    }
    let (path, library) = try testedFile(subject.request)
    let new = try NewCase(
      named: request.name ?? "", of: subject.request, subject: path, frame: head.frame, size: subject.size, library: library)
    _ = try place.checkedPath(new.path)
    let (inbox, number) = (inbox, request.number)
    try SystemThread.start(.deep) {
      do {
        let files = try new.write()
        inbox.post(.told(page, .done(number, "added test case \(files.first { $0.hasSuffix(".yaml") } ?? new.path)")))
      } catch {
        inbox.post(.told(page, .refused(error, number: number)))
      }
    }
  }

  /// The file that a case is about, and where it finds filters.
  private func testedFile(_ request: RenderRequest) throws -> (String, FilterLibrary) {
    switch request.subject {
    case .filter(.file(let path)): return (path, FilterLibrary(try LibrarySearch(named: [])))
    case .graph(let text, let library):
      if let document = text.documents.first { return (document, library) }
      fallthrough
    default:
      throw DiagnosticsError(
        Diagnostic("preview.case", "a case is about a filter file or a graph document", help: ["save a preset, and preview that"]))
    }
  }

  private var nothingIsShown: DiagnosticsError {
    DiagnosticsError(Diagnostic("preview.nothing", "nothing could be rendered yet", help: ["see what is wrong with the files"]))
  }
}
