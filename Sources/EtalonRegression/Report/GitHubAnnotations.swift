internal import EtalonDiagnostics
internal import EtalonTypes
internal import Foundation

/// Failures and warnings in the form that GitHub Actions shows beside the lines of a file.
package struct GitHubAnnotations {
  private let results: TestResults
  private let project: ProjectPath

  package init(_ results: TestResults, project: ProjectPath = ProjectPath()) { (self.results, self.project) = (results, project) }

  package var text: String {
    let nothing = results.comparesNothing ? "::error title=nothing compared::all cases are compared with the device that they ran on\n" : ""
    let groups = results.sharedDiagnostics, told = Set(groups.flatMap(\.cases).map(\.id))
    return nothing + groups.flatMap(lines).joined()
      + results.cases.compactMap { result -> String? in
        guard result.verdict.isFailure || result.verdict.isWarning || result.isFlakyAsExpected, !told.contains(result.id) else {
          return nil
        }
        let level = result.verdict.isFailure ? "error" : result.verdict.isWarning ? "warning" : "notice"
        let title = "\(result.verdict.rawValue): " + [result.subject, result.name].filter { !$0.isEmpty }.joined(separator: " ")
        let runs = result.attempts.isEmpty ? "" : "runs: \(result.attemptWords)"
        let blame = result.blameWords.map { "blame: \($0)" } ?? ""
        let changes = result.changes.isEmpty ? "" : "changed since the reference: \(result.changes.joined(separator: "; "))"
        let lines = [result.reason, blame, changes, runs, result.reproduce, result.approve].filter { !$0.isEmpty }
        return "::\(level) \(place(of: result))title=\(property(title))::\(message(lines.joined(separator: "\n")))\n"
      }.joined()
  }

  /// An annotation for each error of a shader or another file, at its own place; the first says which cases could not run.
  private func lines(_ group: SharedDiagnostics) -> [String] {
    group.diagnostics.enumerated().map { index, diagnostic in
      let count = group.cases.count.of("case"), names = group.cases.prefix(Self.mostNames).map(\.id)
      let rest = group.cases.count - names.count
      let list = names + (rest > 0 ? ["and \(rest) more"] : []) + [group.cases[0].reproduce].filter { !$0.isEmpty }
      let lines = [diagnostic.message] + (index == 0 ? ["\(count) could not run because of it:"] + list : [])
      let place = "file=\(property(project.text(SubjectFiles.file(diagnostic.path)))),line=\(diagnostic.line),col=\(diagnostic.column),"
      return
        "::error \(place)title=\(property("\(Verdict.invalid.rawValue): \(diagnostic.id)"))::\(message(lines.joined(separator: "\n")))\n"
    }
  }

  /// The most cases that an annotation names.
  private static let mostNames = 10

  /// GitHub shows what it finds in the files of a change, whose names begin at the root of the project; empty where no file is known.
  private func place(of result: CaseResult) -> String {
    guard !result.path.isEmpty else { return "" }
    return "file=\(property(project.text(result.path)))," + (result.line.map { "line=\($0)," } ?? "")
  }

  private func message(_ text: String) -> String {
    text.printable.replacing("%", with: "%25").replacing("\n", with: "%0A")
  }

  private func property(_ text: String) -> String { message(text).replacing(":", with: "%3A").replacing(",", with: "%2C") }
}

/// Paths as those who look at a whole project know them: from its root on.
///
/// A command may run in any folder of the project, and gets paths as they were typed: `./Filters`, `../shaders`, `/home/me/project/Filters`.
package struct ProjectPath {
  private let workspace: String?

  /// - Parameter workspace: the folder of the project, as GitHub Actions names it; the Git repository around a file where it is nil or elsewhere.
  package init(workspace: String? = ProcessInfo.processInfo.environment["GITHUB_WORKSPACE"]) {
    self.workspace = workspace.flatMap { $0.isEmpty ? nil : ReferenceTree.absolute($0) }
  }

  /// The path without a `./`; one that lies in no project stays as it is.
  package func text(_ path: String) -> String {
    let whole = ReferenceTree.absolute(path)
    let roots = [workspace, ReferenceTree.repository(around: FolderPath.parent(of: whole))].compactMap(\.self)
    let root = roots.first { whole.hasPrefix($0 + "/") }
    return root.map { String(whole.dropFirst($0.count + 1)) } ?? NamedFiles.plain(path)
  }
}
