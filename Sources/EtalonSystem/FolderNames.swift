internal import Glibc

/// The names in a folder.
///
/// Names are bytes to the system and text here; those that are no UTF-8 would be changed on the way, and then name nothing.
package struct FolderNames: Sendable, Hashable {
  /// Sorted, without `.` and `..`.
  package private(set) var names: [String] = []
  /// The names that are no UTF-8, with escapes such as `\xE9` for what is none.
  package private(set) var escaped: [String] = []

  /// Lists a folder; nil when that is impossible, which `errno` tells.
  package init?(_ path: String) {
    guard let stream = unsafe opendir(path.isEmpty ? "." : path) else { return nil }
    defer { _ = unsafe closedir(stream) }
    while let entry = unsafe readdir(stream) {
      let bytes = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { unsafe Array($0.prefix { $0 != 0 }) }
      if let name = String(validating: bytes, as: UTF8.self) {
        if name != ".", name != ".." { names.append(name) }
      } else {
        escaped.append(EscapedBytes.text(bytes))
      }
    }
    names.sort()
    escaped.sort()
  }
}

/// Bytes that should be UTF-8 as text, with escapes for those that are not.
package enum EscapedBytes {
  /// `caf\xE9.glsl`.
  package static func text(_ bytes: [UInt8]) -> String {
    var out = ""
    var rest = bytes[...]
    while let first = rest.first {
      // The longest character that begins here has four bytes.
      let length = (1...4).first { $0 <= rest.count && String(validating: rest.prefix($0), as: UTF8.self) != nil }
      if let length {
        out += String(decoding: rest.prefix(length), as: UTF8.self)
      } else {
        out += "\\x" + (first < 16 ? "0" : "") + String(first, radix: 16, uppercase: true)
      }
      rest = rest.dropFirst(length ?? 1)
    }
    return out
  }

  /// The words of the command line that are no UTF-8, escaped.
  package static var arguments: [String] {
    (0..<Int(CommandLine.argc)).compactMap { index in
      guard let word = unsafe CommandLine.unsafeArgv[index] else { return nil }
      let bytes = unsafe Array(UnsafeRawBufferPointer(start: word, count: strlen(word)))
      return String(validating: bytes, as: UTF8.self) == nil ? text(bytes) : nil
    }
  }
}
