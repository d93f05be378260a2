internal import Foundation

/// The files of one folder and of the folders in it; symbolic links must not lead out.
package struct FolderFiles: FileProvider {
  private let folder: String

  /// Names the folder of the filter file; an empty path is the current folder.
  package init(_ folder: String) { self.folder = folder.isEmpty ? "." : folder }

  package func bytes(at path: String, atMost limit: Int) throws(FileProblem) -> [UInt8] {
    try read(file(at: path), atMost: limit)
  }

  /// The path of a file after all symbolic links; throws when it is missing or outside.
  package func realPath(of path: String) throws(FileProblem) -> String { try file(at: path).path }

  private func file(at path: String) throws(FileProblem) -> URL {
    let root = URL(fileURLWithPath: folder, isDirectory: true).resolvingSymlinksInPath().standardizedFileURL
    var file = root.appendingPathComponent(path)
    if path.hasPrefix("/"), !FileManager.default.fileExists(atPath: file.path) { file = URL(fileURLWithPath: path) }
    guard FileManager.default.fileExists(atPath: file.path) else { throw .missing }
    let real = file.resolvingSymlinksInPath().standardizedFileURL
    guard real.pathComponents.starts(with: root.pathComponents) else { throw .outside }
    return real
  }

  private func read(_ file: URL, atMost limit: Int) throws(FileProblem) -> [UInt8] {
    do {
      let isRegular = try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile ?? false
      guard isRegular else { throw FileProblem.unreadable("not a file") }
      let handle = try FileHandle(forReadingFrom: file)
      defer { try? handle.close() }
      let data = try handle.read(upToCount: limit + 1) ?? Data()
      guard data.count <= limit else { throw FileProblem.tooLarge }
      return Array(data)
    } catch let problem as FileProblem {
      throw problem
    } catch {
      throw .unreadable(error.localizedDescription)
    }
  }
}
