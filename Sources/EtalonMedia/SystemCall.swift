import EtalonDiagnostics
import Glibc

/// What the system said about the last call of this thread that failed, such as `No space left on device`.
func lastSystemError() -> String { systemErrorText(errno) }

/// The text of an `errno` value.
func systemErrorText(_ code: Int32) -> String { unsafe String(cString: strerror(code)) }

/// The kind of thing that a path names.
enum FileKind {
  case missing, regular, folder, device

  /// Follows links; a path that cannot be looked at counts as missing, and opening it says why.
  init(path: String) {
    var information = stat()
    guard unsafe stat(path, &information) == 0 else {
      self = .missing
      return
    }
    switch information.st_mode & S_IFMT {
    case S_IFREG: self = .regular
    case S_IFDIR: self = .folder
    default: self = .device
    }
  }
}

/// The folder of a path without a final slash, `.` for a bare name, and the last part of the path.
func splitPath(_ path: String) -> (folder: String, name: String) {
  guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
  let folder = String(path[..<slash])
  return (folder.isEmpty ? "/" : folder, String(path[path.utf8.index(after: slash)...]))
}
