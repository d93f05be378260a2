internal import Foundation

/// Paths as those who look at a whole project know them: from its root on.
///
/// A command may run in any folder of the project, and is told paths as somebody typed them: `./Filters`, `../shaders`, `/home/me/project/Filters`.
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
