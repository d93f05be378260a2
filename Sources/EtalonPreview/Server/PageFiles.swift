internal import CPreviewPage
internal import Foundation

/// The files of the page, which are part of the program.
enum PageFiles {
  /// Names a folder that the page is read from instead of the program, anew for each request.
  ///
  /// Those who work on the page set it, as `Tests/Preview/driver.py` does, which looks at the page of its source tree without a new build.
  private static let folderVariable = "ETALON_PREVIEW_PAGE"

  /// The bytes of a file of the page; nil where there is none of this name.
  static func bytes(of name: String) -> Data? {
    if let folder = ProcessInfo.processInfo.environment[folderVariable], !name.contains("/") {
      return FileManager.default.contents(atPath: "\(folder)/\(name)")
    }
    let file = unsafe cpreview_file_named(name)
    return unsafe file.bytes.map { unsafe Data(bytes: $0, count: file.count) }
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
