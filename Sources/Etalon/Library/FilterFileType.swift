/// Tells from names which files of a folder may be filters.
enum FilterFileType {
  /// In the order in which people look for them.
  static let extensions = ["glsl", "fs", "comp", "json", "yaml", "yml"]

  /// What may stand between the name and the extension, as in `plasma.frag.glsl`.
  private static let innerExtensions = ["frag", "comp", "fs"]

  /// Files whose folder is a ShaderToy project: the folder is the filter.
  static let projectFiles = ["project.json", "image.glsl"]

  /// Folders that hold what belongs to filters but no filters.
  static let ignoredFolders: Set<String> = ["tests", "references"]

  /// The file name without the extension of a filter; nil for other files.
  static func stem(of fileName: String) -> String? {
    let parts = fileName.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count > 1, let last = parts.last, extensions.contains(last.lowercased()) else { return nil }
    let isInner = parts.count > 2 && innerExtensions.contains(parts[parts.count - 2].lowercased())
    return parts.dropLast(isInner ? 2 : 1).joined(separator: ".")
  }

  /// Whether the content of a file decides: JSON and YAML have many other uses beside filters.
  static func isDecidedByContent(_ fileName: String) -> Bool {
    [".json", ".yaml", ".yml"].contains { fileName.lowercased().hasSuffix($0) }
  }

  /// Whether the content of such a file is a filter; a file that cannot be read counts as one, so that somebody says so.
  static func isFilter(_ path: String) -> Bool {
    guard let bytes = FilterFile.bytes(of: path) else { return true }
    let isJSON = path.lowercased().hasSuffix(".json")
    return (isJSON && (isProject(bytes) || isFailedDownload(bytes))) || GraphDocument.isFilter(path)
  }

  /// Whether a file that should be JSON is what a site answers in the place of a shader, which somebody should hear about: a page, an error, a shader without
  /// passes, or nothing at all.
  static func isFailedDownload(_ bytes: [UInt8]) -> Bool {
    // The first byte that is neither blank nor of a byte order mark.
    let text = bytes.drop { $0 <= 0x20 || [0xEF, 0xBB, 0xBF].contains($0) }
    guard let first = text.first, first != UInt8(ascii: "<") else { return true }
    let inner = text.dropFirst().drop { $0 <= 0x20 }
    if first == UInt8(ascii: "[") { return inner.first == UInt8(ascii: "]") }
    return first == UInt8(ascii: "{") && (inner.starts(with: "\"Error\"".utf8) || inner.starts(with: "\"Shader\"".utf8))
  }

  /// Whether JSON holds the passes of a ShaderToy.
  static func isProject(_ bytes: [UInt8]) -> Bool { bytes.firstRange(of: Array("\"renderpass\"".utf8)) != nil }
}
