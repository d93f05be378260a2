internal import EtalonDiagnostics
internal import EtalonPlan
internal import EtalonTypes

/// What an image input shows when that changes over time: it has a picture for every time of the shot.
///
/// **Concurrency**: usable from every thread.
protocol PictureSource: Sendable {
  /// A picture of the size and the format that all of them have.
  var model: PixelBuffer { get }
  /// Fails when some time has no picture; asked before anything is rendered.
  func check(_ time: Rational, ofFrame frame: Int) throws(RenderError)
  /// The picture that shows at a time, in seconds of the shot's clock; the same one for as long as it shows.
  func picture(at time: Rational) throws(RenderError) -> FramePicture
  /// What identifies the content of the picture that shows at a time, so that frames are rendered again when it changes.
  func digest(at time: Rational) throws(RenderError) -> String
  /// The files that show at some times.
  func files(at times: [Rational]) -> [String]
  /// The same for another shot.
  func opened(for request: RenderRequest) throws(RenderError) -> any PictureSource
}
