internal import EtalonDiagnostics
internal import EtalonMedia
internal import EtalonTypes
internal import Synchronization

/// Reads pictures, each file once.
///
/// **Concurrency**: usable from every thread.
final class PictureFolder: Sendable {
  private let known = Mutex<[String: PixelBuffer]>([:])

  init() {}

  func picture(_ path: String) throws(RenderError) -> PixelBuffer {
    if let picture = known.withLock({ $0[path] }) { return picture }
    let picture = try PictureReader().read(path: path)
    known.withLock { $0[path] = picture }
    return picture
  }

  /// The files that were read.
  var files: [String] { known.withLock { $0.keys.sorted() } }
}
