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
  }

  private let results: TestResults
  private let place: ResultsPlace
  private let library: FilterLibrary

  package init(_ results: TestResults, place: ResultsPlace, library: FilterLibrary) {
    (self.results, self.place, self.library) = (results, place, library)
  }

  /// Approves the cases whose names are given or contain one of the texts; all that have something to approve where none is given.
  ///
  /// Either all of it is copied or nothing is.
  package func approve(_ names: [String]) throws -> [Copy] {
    let wanted = try wantedCases(names)
    var refused: [Diagnostic] = []
    var copies: [(source: String, Copy)] = []
    for result in wanted {
      do { copies += try self.copies(result) } catch let error as DiagnosticsError { refused += error.diagnostics }
    }
    guard refused.isEmpty else { throw DiagnosticsError(refused) }
    for (source, copy) in copies { try Recorder.install(source, at: copy.target) }
    return copies.map(\.1)
  }

  private func wantedCases(_ names: [String]) throws(DiagnosticsError) -> [CaseResult] {
    let open = results.cases.filter { !$0.candidates.isEmpty }
    guard !names.isEmpty else {
      guard !open.isEmpty else {
        throw DiagnosticsError(Diagnostic("approve.nothing", "'\(place.path)' has nothing to approve", help: ["run 'etalon test' again"]))
      }
      return open
    }
    var wanted: [CaseResult] = []
    for name in names {
      let matching = open.filter { $0.id == name || NamePattern(name).matchesPart($0.id) }
      guard !matching.isEmpty else { throw DiagnosticsError(unknown(name, open)) }
      wanted += matching.filter { found in !wanted.contains { $0.id == found.id } }
    }
    return wanted
  }

  private func unknown(_ name: String, _ open: [CaseResult]) -> Diagnostic {
    if let known = results.cases.first(where: { $0.id == name }) {
      return Diagnostic(
        "approve.no-picture", "'\(name)' has no picture to approve: it is \(known.verdict.rawValue)",
        help: known.verdict == .passed ? ["nothing is to be done"] : ["see why: \(known.reason)"])
    }
    let nearest = NearestName.find(name, in: open.map(\.id)).map { "did you mean '\($0)'?" }
    return Diagnostic(
      "approve.unknown-case", "'\(place.path)' has no case '\(name)' with something to approve",
      help: [nearest ?? "cases are \(open.prefix(8).map(\.id).joined(separator: ", "))"])
  }

  // MARK: one case

  private func copies(_ result: CaseResult) throws -> [(source: String, Copy)] {
    let testCase = try currentCase(of: result)
    let recipes = try CaseRenderer(device: results.device.option, library: library).recipes(of: testCase)
    return try result.candidates.map { frame in
      guard let candidate = frame.candidate, let target = frame.target else { preconditionFailure("a candidate without a place") }
      if let refusal = ReferenceTree(ofCase: result.path).refusal(of: target) { throw DiagnosticsError(refusal) }
      guard let recipe = recipes[frame.moment], recipe == frame.recipe else {
        throw DiagnosticsError(
          Diagnostic(
            "approve.changed", "'\(result.id)' changed since its picture was rendered: its shader, values, inputs or size are others now",
            help: ["run it again: \(result.reproduce)"]))
      }
      try refusePointer(at: target)
      let source = place.path(of: candidate)
      guard try isWhole(source, from: recipe) else {
        throw DiagnosticsError(
          Diagnostic(
            "approve.other-picture", "'\(source)' is not the picture that the results are about", help: ["run 'etalon test' again"]))
      }
      let changes = try ReferenceChanges(from: target, to: source).lines + hashAdvice(testCase, target, source)
      return (source, Copy(caseID: result.id, target: target, changes: changes))
    }
  }

  /// Whether a file can be read and says that it was made from a recipe.
  private func isWhole(_ path: String, from recipe: String) throws(RenderError) -> Bool {
    guard try FrameProvenance(ofFile: path)?.recipe == recipe else { return false }
    return (try? PictureReader(acceptsFloats: true).read(path: path)) != nil
  }

  /// Refuses to put a picture into the place of a pointer, which stands for a picture that nobody has looked at.
  private func refusePointer(at target: String) throws {
    guard FileManager.default.fileExists(atPath: target), StoredPicture.isPointer(try FileReader.bytes(of: target, limit: 1 << 28)) else {
      return
    }
    throw DiagnosticsError(
      Diagnostic(
        "approve.pointer", "'\(target)' is a Git LFS pointer, not the picture itself", help: ["type 'git lfs pull', and run the case again"]
      ))
  }

  /// What to write into a case that names the hash of its reference.
  private func hashAdvice(_ testCase: TestCase, _ target: String, _ source: String) throws(RenderError) -> [String] {
    guard case .pictures(let pictures) = testCase.reference,
      pictures.contains(where: { $0.hash != nil && $0.pattern.path(frame: 0) == target })
    else {
      return []
    }
    return ["the case names a hash; write 'sha256: \(ContentHash(of: try FileReader.bytes(of: source, limit: 1 << 28)))'"]
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

/// How one picture differs from the one whose place it takes.
struct ReferenceChanges {
  private let old: String
  private let new: String

  init(from old: String, to new: String) { (self.old, self.new) = (old, new) }

  var lines: [String] {
    get throws(RenderError) {
      guard FileManager.default.fileExists(atPath: old) else { return ["new"] }
      return try pixels + texts
    }
  }

  private var pixels: [String] {
    get throws(RenderError) {
      let after = try PictureReader(acceptsFloats: true).read(path: new)
      guard let before = try? PictureReader(acceptsFloats: true).read(path: old) else { return ["it was no picture before"] }
      guard before.size == after.size else { return ["size: \(before.size) -> \(after.size)"] }
      let comparison = comparePictures(after, before, tolerance: .exact)
      return [comparison.isEqual ? "the same pixels" : comparison.words]
    }
  }

  /// What the files say about where they come from.
  private var texts: [String] {
    get throws(RenderError) {
      guard let before = try FrameProvenance(ofFile: old) else {
        return ["it did not say where it came from"]
      }
      guard let after = try FrameProvenance(ofFile: new) else { return [] }
      var lines: [String] = []
      if before.filter != after.filter { lines.append("filter: \(before.filter) -> \(after.filter)") }
      for name in Set(before.values.keys).union(after.values.keys).sorted() where before.values[name] != after.values[name] {
        lines.append("\(name): \(before.values[name] ?? "not set") -> \(after.values[name] ?? "not set")")
      }
      if before.time != after.time { lines.append("time: \(before.time) -> \(after.time)") }
      if before.version != after.version { lines.append("etalon: \(before.version) -> \(after.version)") }
      if lines.isEmpty, before.recipe != after.recipe { lines.append("the text of a shader, an input or the device is another") }
      return lines
    }
  }
}
