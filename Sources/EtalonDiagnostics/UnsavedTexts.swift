internal import Foundation

/// Texts that are being edited and were not saved: while they are set, reading a file gives the text in its place.
///
/// ```swift
/// try UnsavedTexts.reading([path: bytes]) { try renderer.prepare(request) }
/// ```
///
/// **Concurrency**: counts for the task, or the thread, that sets it, and for its calls.
package enum UnsavedTexts {
  /// By paths without links.
  @TaskLocal private static var texts: [String: [UInt8]] = [:]

  /// Does something that reads files, with texts in the place of some of them, by their paths.
  package static func reading<Result>(_ texts: [String: [UInt8]], _ body: () throws -> Result) rethrows -> Result {
    if texts.isEmpty { return try body() }
    let real = Dictionary(texts.map { (realPath($0.key), $0.value) }) { _, last in last }
    return try $texts.withValue(real, operation: body)
  }

  /// The text that stands in for a file; nil where there is none.
  package static func bytes(of path: String) -> [UInt8]? {
    let texts = texts
    return texts.isEmpty ? nil : texts[realPath(path)]
  }

  private static func realPath(_ path: String) -> String { URL(filePath: path).resolvingSymlinksInPath().standardizedFileURL.path }
}
