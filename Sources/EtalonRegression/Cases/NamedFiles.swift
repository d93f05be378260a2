/// The files that cases read or write, by their paths.
package struct NamedFiles: Sendable, Hashable {
  private var paths: Set<String> = []
  private var references: Set<String> = []

  package init() {}

  /// Adds a picture or another file that a case reads.
  mutating func add(input path: String) { paths.insert(Self.plain(path)) }

  /// Adds a stored picture; those for special devices belong to it.
  mutating func add(reference path: String) { references.insert(Self.plain(path)) }

  mutating func add(_ other: NamedFiles) {
    paths.formUnion(other.paths)
    references.formUnion(other.references)
  }

  /// Whether some case reads a file, or compares pictures with it on some device.
  package func contains(_ path: String) -> Bool {
    let path = Self.plain(path)
    if paths.contains(path) || references.contains(path) { return true }
    guard let at = path.lastIndex(of: "@"), let dot = path[at...].lastIndex(of: ".") else { return false }
    return references.contains(String(path[..<at] + path[dot...]))
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
