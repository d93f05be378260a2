package import Etalon
internal import EtalonComparison
internal import EtalonDiagnostics
internal import EtalonMedia
internal import EtalonTypes
internal import Foundation

/// Puts the pictures of a run into the places of references after a person looked at them.
///
/// What would be rendered now must be what was rendered then: when the shader, the values or the size changed since, nothing is copied.
package struct Approval {
  /// A picture that was approved.
  package struct Copy: Sendable {
    package let caseID: String
    package let target: String
    /// How the new reference differs from the old one, a line each.
    package let changes: [String]
    /// Whether something was written; not where the old one holds the same.
    package let isWritten: Bool
  }

  private let results: TestResults
  private let place: ResultsPlace
  private let library: FilterLibrary

  package init(_ results: TestResults, place: ResultsPlace, library: FilterLibrary) {
    (self.results, self.place, self.library) = (results, place, library)
  }

  /// Approves the cases whose names are given, or contain a text that is no name; all that have something to approve where none is given.
  ///
  /// No reference changes unless all of them can.
  package func approve(_ names: [String]) throws -> [Copy] {
    let wanted = try wantedCases(names)
    var diagnostics: [Diagnostic] = []
    var copies: [(source: String, Copy)] = []
    for result in wanted {
      do { copies += try self.copies(result) } catch let error as DiagnosticsError { diagnostics += error.diagnostics }
    }
    guard diagnostics.isEmpty else { throw DiagnosticsError(diagnostics) }
    // No reference is replaced before all new files lie beside their places.
    let files = try copies.filter(\.1.isWritten).map { source, copy throws(RenderError) in try Recorder.copy(source, for: copy.target) }
    for file in files { try file.commit() }
    return copies.map(\.1)
  }

  private func wantedCases(_ names: [String]) throws(DiagnosticsError) -> [CaseResult] {
    let open = results.cases.filter { !$0.candidates.isEmpty }
    guard !names.isEmpty else {
      guard !open.isEmpty else { throw DiagnosticsError(nothing) }
      return open
    }
    var wanted: [CaseResult] = []
    for name in names {
      // The whole name of a case means this one only, also where it is a part of longer names.
      let isWhole = results.cases.contains { $0.id == name }
      let matching = open.filter { isWhole ? $0.id == name : NamePattern(name).matchesPart($0.id) }
      guard !matching.isEmpty else { throw DiagnosticsError(unknown(name, open)) }
      wanted += matching.filter { found in !wanted.contains { $0.id == found.id } }
    }
    return wanted
  }

  private var nothing: Diagnostic {
    let failures = results.cases.filter(\.verdict.isFailure)
    return Diagnostic(
      "approve.nothing", "'\(place.path)' has nothing to approve",
      help: failures.isEmpty ? ["run 'etalon test' again"] : failures.prefix(3).map { "'\($0.id)' is \($0.verdict.rawValue): \($0.reason)" }
    )
  }

  private func unknown(_ name: String, _ open: [CaseResult]) -> Diagnostic {
    if let known = results.cases.first(where: { $0.id == name }) ?? results.cases.first(where: { NamePattern(name).matchesPart($0.id) }) {
      return Diagnostic(
        "approve.no-picture", "'\(known.id)' has no picture to approve: it is \(known.verdict.rawValue)",
        help: known.verdict == .passed ? ["nothing is to be done"] : ["see why: \(known.reason)"])
    }
    let nearest = NearestName.find(name, in: open.map(\.id)).map { "did you mean '\($0)'?" }
    let all = open.isEmpty ? "no case of it has" : "cases are \(open.prefix(8).map(\.id).joined(separator: ", "))"
    return Diagnostic(
      "approve.unknown-case", "'\(place.path)' has no case '\(name)' with something to approve", help: [nearest ?? all])
  }

  // MARK: one case

  private func copies(_ result: CaseResult) throws -> [(source: String, Copy)] {
    if let flaw = result.flaw {
      throw DiagnosticsError(
        Diagnostic(
          "approve.flaw", "'\(result.id)' would fail beside a reference of its own: \(flaw)",
          help: ["then run it again: \(result.reproduce)"]))
    }
    let testCase = try currentCase(of: result)
    let device = results.device
    let provenances = try CaseRenderer(device: device.option, library: library)
      .provenances(of: testCase, on: (try? TestDevice(option: device.option)) ?? device)
    return try result.candidates.map { frame in
      guard let candidate = frame.candidate, let target = frame.target else { preconditionFailure("a candidate without a place") }
      if let diagnostic = ReferencePlace(path: target, caseFile: result.path).diagnostic { throw DiagnosticsError(diagnostic) }
      let source = place.path(of: candidate)
      try check(source, frame, of: result, against: provenances[frame.moment])
      let changes = try ReferenceChanges(from: target, to: source)
      let advice = try hashAdvice(testCase, target, kept: changes.isSame ? target : source)
      return (source, Copy(caseID: result.id, target: target, changes: changes.lines + advice, isWritten: !changes.isSame))
    }
  }

  /// Refuses a picture that would be another one now, or is not the one that the results are about.
  private func check(_ source: String, _ frame: FrameResult, of result: CaseResult, against now: FrameProvenance?) throws {
    guard FileManager.default.fileExists(atPath: source) else {
      throw DiagnosticsError(
        Diagnostic(
          "approve.no-file", "the picture of '\(result.id)' is not there: '\(source)'",
          help: ["copy it from where the run was, or run it again: \(result.reproduce)"]))
    }
    let then = try FrameProvenance(ofFile: source)
    let isOwn = then?.recipe == frame.recipe && (try? PictureReader().read(path: source)) != nil
    guard now?.recipe == frame.recipe else {
      let changes = zip([then].compactMap(\.self), [now].compactMap(\.self)).flatMap { FrameChanges(old: $0, new: $1).lines }
      let words = isOwn && !changes.isEmpty ? changes.joined(separator: "; ") : "its shader, values, inputs or size are others now"
      throw DiagnosticsError(
        Diagnostic(
          "approve.changed", "'\(result.id)' changed since its picture was rendered: \(words)", help: ["run it again: \(result.reproduce)"])
      )
    }
    guard isOwn else {
      throw DiagnosticsError(
        Diagnostic("approve.other-picture", "'\(source)' is not the picture that the results are about", help: ["run 'etalon test' again"]))
    }
  }

  /// What to write into a case that names the hash of its reference.
  ///
  /// - Parameter file: what lies there in the end, or a copy of it.
  private func hashAdvice(_ testCase: TestCase, _ target: String, kept file: String) throws(RenderError) -> [String] {
    guard case .pictures(let pictures) = testCase.reference,
      pictures.contains(where: { $0.hash != nil && $0.pattern.path(frame: 0) == target })
    else {
      return []
    }
    return ["the case names a hash; write 'sha256: \(ContentHash(of: try FileReader.bytes(of: file, limit: 1 << 28)))'"]
  }

  /// A case as its file has it now.
  private func currentCase(of result: CaseResult) throws -> TestCase {
    let source = SourceText(path: result.path, bytes: try FileReader.bytes(of: result.path, limit: 1 << 20))
    let cases = CaseFileReader(source, owner: CaseFiles.owner(of: result.path)).read().cases
    guard let testCase = cases.first(where: { $0.id == result.id }) else {
      throw DiagnosticsError(
        Diagnostic(
          "approve.gone", "the case '\(result.id)' is no longer there, or has mistakes", help: ["type 'etalon test \(result.path)'"]))
    }
    return testCase
  }
}

/// How a picture differs from the one whose place it takes.
private struct ReferenceChanges {
  /// A line each.
  private(set) var lines: [String] = []
  /// Whether both hold the same, so that there is nothing to write.
  private(set) var isSame = false

  init(from old: String, to new: String) throws(RenderError) {
    guard FileManager.default.fileExists(atPath: old) else {
      lines = ["new"]
      return
    }
    let reader = PictureReader()
    let after = try reader.read(path: new)
    guard let before = try? reader.read(path: old) else {
      lines = ["it was no picture before"]
      return
    }
    isSame = before == after
    lines = [Self.words(before, after)]
    guard let was = try FrameProvenance(ofFile: old) else {
      lines.append("it did not say where it came from")
      return
    }
    guard let now = try FrameProvenance(ofFile: new) else { return }
    lines += FrameChanges(old: was, new: now).lines.filter { !lines.contains($0) }
  }

  private static func words(_ before: PixelBuffer, _ after: PixelBuffer) -> String {
    guard before.size == after.size else { return FrameChanges.line("size", "\(before.size)", "\(after.size)") }
    guard before.format == after.format else { return FrameChanges.line("bits", before.format.rawValue, after.format.rawValue) }
    let comparison = comparePictures(after, before, tolerance: .exact)
    return comparison.isEqual ? "the same pixels" : comparison.words
  }
}
