import Etalon
import EtalonDiagnostics
import EtalonMedia
import EtalonTypes
import Foundation

/// A picture beside a test.
struct StoredReference {
  /// As the test names it.
  let path: String
  private let file: String

  init(_ path: String, besides testFile: String) {
    self.path = path
    file = path.hasPrefix("/") ? path : URL(filePath: testFile).deletingLastPathComponent().appending(path: path).path
  }

  /// The picture; nil when there is no file.
  func read() throws(RenderError) -> PixelBuffer? {
    guard FileManager.default.fileExists(atPath: file) else { return nil }
    return try PictureReader().read(path: file)
  }

  /// Stores a frame, also in place of a picture that is there.
  func write(_ frame: Frame) throws(RenderError) {
    let folder = URL(filePath: file).deletingLastPathComponent().path
    do { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) } catch {
      throw RenderError(.cannotWrite, "cannot make the folder '\(folder)'", underlying: error.localizedDescription)
    }
    try frame.write(to: file, overwriting: true)
  }
}
