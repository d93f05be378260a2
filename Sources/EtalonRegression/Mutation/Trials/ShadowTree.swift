internal import EtalonDiagnostics
internal import Foundation

/// A copy of some folders in which files can be changed while nobody's own files are.
///
/// It begins with the root of the file system, so that every path means in it what it means outside: folders that are not copied are links to the real ones.
struct ShadowTree: Sendable {
  /// The folder that stands for the root of the file system.
  let root: String
  private let workingFolder: String

  /// Copies folders.
  ///
  /// - Parameter root: a folder that is made.
  init(of folders: [String], at root: String) throws(RenderError) {
    self.root = root
    workingFolder = FileManager.default.currentDirectoryPath
    let working = workingFolder
    let real = folders.map { NamedFiles.plain($0.hasPrefix("/") ? $0 : "\(working)/\($0)") }
    do { try Self.make("", copying: Set(real), holding: real + [working], at: root) } catch {
      throw RenderError(.cannotWrite, "cannot copy the folders into '\(root)'", underlying: error.localizedDescription)
    }
  }

  /// The working folder in the copy.
  var folder: String { root + workingFolder }

  /// The copy of a file or folder, for a process whose working folder is `folder`.
  func path(_ path: String) -> String { Self.path(path, at: root) }

  /// The same where only the root of the copy is known.
  static func path(_ path: String, at root: String) -> String { path.hasPrefix("/") ? root + path : path }

  /// Whether a file lies in the copy after all links: others are somebody's own.
  static func holds(_ path: String, at root: String) -> Bool {
    let real = URL(filePath: path).resolvingSymlinksInPath().path
    return real.hasPrefix(URL(filePath: root).resolvingSymlinksInPath().path + "/")
  }

  /// Writes the bytes of the original into the copy of a file again.
  func restore(_ path: String) {
    let copy = path.hasPrefix("/") ? root + path : "\(folder)/\(path)"
    guard Self.holds(copy, at: root), let bytes = FileManager.default.contents(atPath: path) else { return }
    try? bytes.write(to: URL(filePath: copy))
  }

  /// Makes a folder in which some folders are copies, and everything beside the way to some places is a link.
  private static func make(_ folder: String, copying copied: Set<String>, holding places: [String], at root: String) throws {
    let manager = FileManager.default
    if copied.contains(folder) { return try copy(folder, to: root + folder) }
    guard places.contains(where: { $0 == folder || $0.hasPrefix(folder + "/") }) else {
      return try manager.createSymbolicLink(atPath: root + folder, withDestinationPath: folder)
    }
    try manager.createDirectory(atPath: root + folder, withIntermediateDirectories: true)
    for name in try manager.contentsOfDirectory(atPath: folder.isEmpty ? "/" : folder) {
      try make("\(folder)/\(name)", copying: copied, holding: places, at: root)
    }
  }

  /// Copies what is visible in a folder; links stay links.
  private static func copy(_ folder: String, to target: String) throws {
    let manager = FileManager.default
    try manager.createDirectory(atPath: target, withIntermediateDirectories: true)
    for name in try manager.contentsOfDirectory(atPath: folder) where !name.hasPrefix(".") {
      let (path, copied) = ("\(folder)/\(name)", "\(target)/\(name)")
      let isLink = (try? manager.destinationOfSymbolicLink(atPath: path)) != nil
      if CaseFiles.isFolder(path), !isLink { try copy(path, to: copied) } else { try manager.copyItem(atPath: path, toPath: copied) }
    }
  }
}
