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
    let real = folders.map { NamedFiles.plain($0.hasPrefix("/") ? $0 : "\(FileManager.default.currentDirectoryPath)/\($0)") }
    do {
      try Self.make("", holding: Set(real), at: root)
      try FileManager.default.createDirectory(atPath: root + workingFolder, withIntermediateDirectories: true)
    } catch {
      throw RenderError(.cannotWrite, "cannot copy the folders into '\(root)'", underlying: error.localizedDescription)
    }
  }

  /// The working folder in the copy.
  var folder: String { root + workingFolder }

  /// The copy of a file or folder, for a process whose working folder is `folder`.
  func path(_ path: String) -> String { path.hasPrefix("/") ? root + path : path }

  /// Writes the bytes of the original into the copy of a file again.
  func restore(_ path: String) {
    guard let bytes = FileManager.default.contents(atPath: path) else { return }
    try? bytes.write(to: URL(filePath: path.hasPrefix("/") ? root + path : "\(folder)/\(path)"))
  }

  /// Makes a folder in which some folders are copies, and everything beside them a link.
  private static func make(_ folder: String, holding copied: Set<String>, at root: String) throws {
    let manager = FileManager.default
    if copied.contains(folder) { return try copy(folder, to: root + folder) }
    guard copied.contains(where: { $0.hasPrefix(folder + "/") }) else {
      return try manager.createSymbolicLink(atPath: root + folder, withDestinationPath: folder)
    }
    try manager.createDirectory(atPath: root + folder, withIntermediateDirectories: true)
    for name in try manager.contentsOfDirectory(atPath: folder.isEmpty ? "/" : folder) {
      try make("\(folder)/\(name)", holding: copied, at: root)
    }
  }

  /// Copies what is visible in a folder.
  private static func copy(_ folder: String, to target: String) throws {
    let manager = FileManager.default
    try manager.createDirectory(atPath: target, withIntermediateDirectories: true)
    for name in try manager.contentsOfDirectory(atPath: folder) where !name.hasPrefix(".") {
      let path = "\(folder)/\(name)"
      if CaseFiles.isFolder(path) {
        try copy(path, to: "\(target)/\(name)")
      } else {
        try manager.copyItem(atPath: path, toPath: "\(target)/\(name)")
      }
    }
  }
}
