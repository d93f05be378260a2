internal import Foundation

/// The files that cases read or write, by their paths.
package struct NamedFiles: Sendable, Hashable {
  private var paths: Set<String> = []
  private var references: Set<String> = []

  package init() {}

  /// Adds a picture or another file that a case reads.
  mutating func add(input path: String) { paths.insert(Self.located(path)) }

  /// Adds a stored picture; those for special devices belong to it.
  mutating func add(reference path: String) { references.insert(Self.located(path)) }

  mutating func add(_ other: NamedFiles) {
    paths.formUnion(other.paths)
    references.formUnion(other.references)
  }

  /// Whether some case reads a file, or compares pictures with it on some device.
  package func contains(_ path: String) -> Bool {
    let located = Self.located(path)
    return paths.contains(located) || references.contains(located) || specialKey(of: path) != nil
  }

  /// The kind of device that a picture is for which lies beside the one for all; nil for other files.
  func specialKey(of path: String) -> ReferenceKey? {
    let path = Self.located(path)
    guard !paths.contains(path), !references.contains(path), let (common, key) = ReferenceKey.split(path) else { return nil }
    return references.contains(common) ? key : nil
  }

  /// The name of a file in the folder where it lies, whatever links lead to that folder.
  private static func located(_ path: String) -> String {
    let url = URL(filePath: plain(path))
    return url.deletingLastPathComponent().resolvingSymlinksInPath().appending(path: url.lastPathComponent).path
  }

  /// A path without `.` and `..` in it, as far as they can be resolved.
  static func plain(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == "..", let last = parts.last, last != ".." { parts.removeLast() } else { parts.append(part) }
    }
    return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
  }
}
