package import EtalonDiagnostics
package import EtalonTypes

/// What happens while frames are rendered, for whoever shows progress.
package enum RenderEvent: Sendable {
  /// Rendering begins: how many frames will be rendered, how many are there already and are kept, and how many others are rendered only because some of
  /// the wanted ones depend on them.
  case started(frames: Int, kept: Int, warmUp: Int, size: Size, device: String)
  /// A frame is rendered that others depend on, and that is not wanted for itself.
  case warmedUp
  /// The files of a frame are in their places.
  case written(frame: Int, paths: [String])
  /// A picture was rendered that gets no file of its own, but a place on a contact sheet.
  case rendered(label: String)
  /// A frame could not be rendered or written; only under `keepsGoing` do others follow.
  case failed(frame: Int, RenderError)
  /// A contact sheet is in its place.
  case sheetWritten(path: String)
}

/// How rendering ended.
package struct RenderSummary: Sendable, Hashable {
  /// Frames that were rendered and written.
  package let written: Int
  /// Frames that were there already.
  package let kept: Int
  /// Frames that failed.
  package let failed: Int
  /// Whether an interruption ended it before the last frame.
  package let wasInterrupted: Bool

  package init(written: Int, kept: Int, failed: Int, wasInterrupted: Bool) {
    self.written = written
    self.kept = kept
    self.failed = failed
    self.wasInterrupted = wasInterrupted
  }
}
