import Etalon
import EtalonDiagnostics
import EtalonMedia
import EtalonRegression
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
    try TextFile.makeFolder(of: file)
    try frame.write(to: file, overwriting: true)
  }
}
