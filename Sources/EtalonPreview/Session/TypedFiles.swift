internal import Etalon
internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonTypes
internal import Foundation
internal import Synchronization

/// The files that typed values and inputs name, as they are read by what opens the files.
enum TypedFiles {
  /// The track that a value names; nil for a value without one.
  static func track(ofValue text: String) -> String? {
    let source = SourceText(path: "<value>", text: text)
    let tracks = NotedTracks()
    // Which file is opened does not depend on the type of the parameter.
    let parameter = FilterParameter(name: "value", kind: .float, defaultValue: Value(.float, [0]))
    _ = try? AnimatedValue.parse(text: text, at: SourceRange(source, 0..<source.bytes.count), for: parameter, tracks: tracks)
    return tracks.path
  }

  /// The path of a picture, a video or a sound, or the pattern of a sequence; nil for a name of no file, which is refused, or stands for something else.
  static func path(ofInput text: String) throws(DiagnosticsError) -> String? {
    let picture = try InputText.picture(text, for: nil, option: "--input")
    let isName = picture.sequence == nil && picture.video == nil && !text.contains("/")
    return isName && !FileManager.default.fileExists(atPath: picture.path) ? nil : picture.path
  }
}

/// Notes which table is asked for, and opens none.
///
/// **Concurrency**: usable from every thread.
private final class NotedTracks: TrackFiles {
  private let noted = Mutex<String?>(nil)

  var path: String? { noted.withLock(\.self) }

  func table(_ path: String, from base: String?, at place: SourceRange) throws(AnimatedValue.ReadingError) -> TrackTable {
    noted.withLock { $0 = path }
    throw .diagnostics(DiagnosticsError(Diagnostic("preview.track", "a track that is not opened")))
  }
}
