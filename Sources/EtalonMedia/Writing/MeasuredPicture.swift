package import EtalonDiagnostics
package import EtalonTypes

/// A picture that shows something about other pictures, such as where they differ; its file says so, and Etalon may replace it.
///
/// **Concurrency**: an immutable value.
package struct MeasuredPicture: Sendable {
  private let picture: PixelBuffer
  private let title: String
  private let version: String

  /// - Parameters:
  ///   - title: what the picture shows, as the `Title` text of the file.
  ///   - version: the version of Etalon.
  package init(_ picture: PixelBuffer, title: String, version: String) {
    self.picture = picture
    self.title = title
    self.version = version
  }

  /// Writes the PNG file, whole or not at all.
  package func write(to path: String, replacing policy: ReplacePolicy) throws(RenderError) {
    let settings = PNGSettings()
    let texts = [
      TextChunk("Software", "\(FrameProvenance.program) \(version) (\(settings.library.description))"), TextChunk("Title", title),
    ]
    let file = try AtomicFile(path, replacing: policy)
    try PNGEncoder(settings).encode(picture, text: texts, to: file)
    try file.commit()
  }
}
