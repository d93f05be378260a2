package import EtalonDiagnostics
internal import EtalonMedia
package import EtalonPlan
package import EtalonTypes

extension Shot {
  /// Renders one frame, as its files would have it.
  package func pixels(of frame: Int) throws(RenderError) -> PixelBuffer {
    guard let pending = try submit(frame) else { preconditionFailure("interrupted without a request to be") }
    defer { pending.release() }
    try pending.wait()
    return pixels(of: pending)
  }

  /// The pixels of a finished frame, as its files would have them.
  package func pixels(of frame: any PendingFrame) -> PixelBuffer { PixelBuffer(copying: PendingRows(frame, output)) }
}

/// The rows of a finished frame, read where the device put them.
struct PendingRows: RowSource {
  private let frame: any PendingFrame
  private let output: Plan.Output
  private let index: Int

  /// - Parameter index: the place of the output in the plan.
  init(_ frame: any PendingFrame, _ output: Plan.Output, at index: Int = 0) {
    self.frame = frame
    self.output = output
    self.index = index
  }

  var size: Size { output.size }
  var format: PixelFormat { output.format }
  var alpha: AlphaMode { output.alpha }

  func withBands<Failure: Error>(
    _ body: (_ firstRow: Int, _ rowCount: Int, _ bytes: RawSpan) throws(Failure) -> Void
  ) throws(Failure) {
    try frame.withBands(of: index, body)
  }
}
