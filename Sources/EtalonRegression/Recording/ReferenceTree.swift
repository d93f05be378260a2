internal import EtalonDiagnostics
internal import Foundation

/// The folders that recording and approving may write into: `..` in the name of a reference must not lead out of somebody's project.
struct ReferenceTree {
  /// The Git repository that a case lies in; where there is none, the folder of its filter and the current one.
  private let roots: [String]

  /// - Parameter path: the file of the case.
  init(ofCase path: String) {
    let folder = FolderPath.parent(of: Self.absolute(path))
    roots = Self.repository(around: folder).map { [$0] } ?? [FolderPath.parent(of: folder), Self.absolute(".")]
  }

  /// Why nothing may be written to a place; nil where it may.
  func refusal(of target: String) -> Diagnostic? {
    let place = Self.absolute(target)
    guard !roots.contains(where: { place.hasPrefix($0 == "/" ? $0 : $0 + "/") }) else { return nil }
    return Diagnostic(
      "reference.outside", "'\(target)' lies outside of '\(roots[0])', so it is not written",
      help: ["name a reference below '\(roots[0])', for which a link to another folder may stand, or copy the picture by hand"])
  }

  /// The root of the Git repository that a folder lies in; nil where it lies in none.
  static func repository(around folder: String) -> String? {
    var folder = folder
    while true {
      if FileManager.default.fileExists(atPath: FolderPath.join(folder, ".git")) { return folder }
      guard folder != "/" else { return nil }
      folder = FolderPath.parent(of: folder)
    }
  }

  /// The path from the root of the system on.
  ///
  /// Links are not followed: who makes one wants what it leads to to be written.
  static func absolute(_ path: String) -> String {
    let whole = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    return NamedFiles.plain(whole)
  }
}
