internal import Foundation

/// The files of the page, which are part of the program.
enum PageFiles {
  /// The bytes of a file of the page; nil where there is none of this name.
  static func bytes(of name: String) -> Data? {
    if let folder = ProcessInfo.processInfo.environment["ETALON_PREVIEW_PAGE"], !name.contains("/") {
      return FileManager.default.contents(atPath: "\(folder)/\(name)")
    }
    return nil
  }

  /// What a file is, by the ending of its name.
  static func type(of name: String) -> String {
    switch name.split(separator: ".").last {
    case "html": "text/html; charset=utf-8"
    case "js": "text/javascript; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "svg": "image/svg+xml"
    default: "application/octet-stream"
    }
  }
}
