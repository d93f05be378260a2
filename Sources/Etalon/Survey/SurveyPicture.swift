package import EtalonDiagnostics
internal import EtalonPlan
package import EtalonTypes

/// A rendered frame as a survey looks at it: the levels that a file would have, and how many pixels were no numbers before.
struct SurveyPicture {
  /// Eight bits a channel.
  let levels: PixelBuffer
  /// How many pixels have a channel that is no number, or infinite.
  let notFinite: Int

  /// Converts floats as files are written: no number becomes 0, halves round to even.
  init(floats: PixelBuffer) {
    precondition(floats.format == .rgba32f, "a picture of \(floats.format)")
    var bytes = [UInt8](repeating: 0, count: floats.bytes.count / 4)
    var notFinite = 0
    unsafe floats.bytes.withUnsafeBytes { raw in
      for pixel in 0..<floats.size.pixelCount {
        var isFinite = true
        for channel in 4 * pixel..<4 * pixel + 4 {
          let value = unsafe raw.loadUnaligned(fromByteOffset: 4 * channel, as: Float.self)
          isFinite = isFinite && value.isFinite
          bytes[channel] = value.isNaN ? 0 : UInt8((min(max(value, 0), 1) * 255).rounded(.toNearestOrEven))
        }
        if !isFinite { notFinite += 1 }
      }
    }
    levels = PixelBuffer(size: floats.size, format: .rgba8, alpha: floats.alpha, bytes: bytes)
    self.notFinite = notFinite
  }
}

extension Shot {
  /// Renders one frame of a shot of floats.
  func surveyPicture(of frame: Int) throws(RenderError) -> SurveyPicture { SurveyPicture(floats: try pixels(of: frame)) }

  /// Renders one frame, as its files would have it.
  package func pixels(of frame: Int) throws(RenderError) -> PixelBuffer {
    guard let pending = try submit(frame) else { preconditionFailure("nobody interrupts this") }
    defer { pending.release() }
    try pending.wait()
    return PixelBuffer(copying: PendingRows(pending, output))
  }

  /// The levels of one frame of a shot of floats.
  func picture(of frame: Int) throws(RenderError) -> PixelBuffer { try surveyPicture(of: frame).levels }
}
