package import EtalonTypes

/// Pixels to be written, handed out in bands of whole rows from the top of the picture down.
///
/// The bands may be asked for more than once: an encoder looks for transparent pixels before it decides on a color type.
package protocol RowSource {
  /// Width and height in pixels.
  var size: Size { get }
  /// `rgba8` or `rgba16`.
  var format: PixelFormat { get }
  /// `opaque` when the fourth channel is to be ignored.
  var alpha: AlphaMode { get }
  /// Calls the body with the row of each band's first pixels, the number of rows, and the rows without padding.
  func withBands<Failure: Error>(
    _ body: (_ firstRow: Int, _ rowCount: Int, _ bytes: RawSpan) throws(Failure) -> Void
  ) throws(Failure)
}

extension PixelBuffer: RowSource {
  /// Hands out the whole picture as one band.
  package func withBands<Failure: Error>(
    _ body: (_ firstRow: Int, _ rowCount: Int, _ bytes: RawSpan) throws(Failure) -> Void
  ) throws(Failure) {
    unsafe try body(0, size.height, bytes.span.bytes)
  }
}

/// Whether every pixel of a source is fully covered; looks at the pixels unless the source says so.
func isOpaque(_ rows: some RowSource) -> Bool {
  guard rows.alpha != .opaque else { return true }
  var result = true
  rows.withBands { _, _, bytes in
    if result { result = OpacityTest.passes(bytes, rows.format) }
  }
  return result
}
