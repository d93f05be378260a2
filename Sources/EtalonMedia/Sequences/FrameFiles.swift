package import EtalonDiagnostics
internal import EtalonSystem
import Glibc

extension FramePattern {
  /// The frames on disk whose names fit the pattern, sorted by number; nothing when the folder does not exist.
  package func framesOnDisk() throws(RenderError) -> [(frame: Int, path: String)] {
    try FolderListing.names(in: folder).compactMap { name in frame(ofName: name).map { ($0, folder + name) } }.sorted {
      $0.frame < $1.frame
    }
  }

  /// The pattern that one frame's path belongs to: the last number in the file's name becomes the place for the number.
  ///
  /// `shot.1001.png` means `shot.####.png`; how wide the number is follows from the other frames in the folder. Nil without a number.
  package init?(frameAt path: String) throws(RenderError) {
    let (folder, name) = Self.split(path)
    guard let digits = Self.lastNumber(in: name) else { return nil }
    let prefix = String(decoding: name.utf8.prefix(digits.lowerBound), as: UTF8.self)
    let suffix = String(decoding: name.utf8.dropFirst(digits.upperBound), as: UTF8.self)
    let numbers = try FolderListing.names(in: folder).compactMap { Self.number(in: $0, prefix, suffix) }
    let padded = numbers.first { $0.count > 1 && $0.hasPrefix("0") }
    let padding = padded?.count ?? numbers.map(\.count).min() ?? digits.count
    self.init(folder: folder, prefix: prefix, padding: padding, suffix: suffix)
  }

  private static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return ("", path) }
    return (String(path[...slash]), String(path[path.index(after: slash)...]))
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// Where the last number of a name lies, not counting the part behind the last dot (`mp4`, `jp2`).
  private static func lastNumber(in name: String) -> Range<Int>? {
    let bytes = Array(name.utf8)
    let stem = bytes.lastIndex(of: UInt8(ascii: ".")).map { bytes[..<$0] } ?? bytes[...]
    guard let last = stem.lastIndex(where: isDigit) else { return nil }
    let first = stem[...last].lastIndex { !isDigit($0) }.map { $0 + 1 } ?? 0
    return first..<last + 1
  }

  private static func number(in name: String, _ prefix: String, _ suffix: String) -> Substring? {
    guard name.utf8.count > prefix.utf8.count + suffix.utf8.count, name.hasPrefix(prefix), name.hasSuffix(suffix) else { return nil }
    let middle = name.dropFirst(prefix.count).dropLast(suffix.count)
    return middle.utf8.allSatisfy(isDigit) ? middle : nil
  }
}

/// Lists folders.
enum FolderListing {
  /// The names in a folder (empty: the working directory), sorted; nothing when it does not exist.
  static func names(in folder: String) throws(RenderError) -> [String] {
    if let listed = FolderNames(folder) { return listed.names }
    if errno == ENOENT { return [] }
    throw RenderError(
      .missingInput, "cannot list '\(folder.isEmpty ? "." : folder)'", operation: "opendir", underlying: lastSystemError())
  }
}
