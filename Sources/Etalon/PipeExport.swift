internal import Dispatch
package import EtalonDiagnostics
package import EtalonMedia
internal import EtalonPlan
internal import Synchronization

/// Renders frames of a shot and hands them out in their order, while the next ones are rendered.
///
/// **Concurrency**: `run` blocks its thread.
package struct PipeExport: Sendable {
  private let shot: Shot
  private let format: FrameStreamFormat
  private let write: @Sendable ([UInt8]) throws(RenderError) -> Void
  private let isInterrupted: @Sendable () -> Bool

  /// - Parameter write: takes all bytes, or throws.
  package init(
    _ shot: Shot, as format: FrameStreamFormat, write: @escaping @Sendable ([UInt8]) throws(RenderError) -> Void,
    isInterrupted: @escaping @Sendable () -> Bool
  ) {
    self.shot = shot
    self.format = format
    self.write = write
    self.isInterrupted = isInterrupted
  }

  /// Renders and writes all frames; stops at the first failure, because a stream cannot lack a frame.
  package func run() throws(RenderError) -> RenderSummary {
    let writer = PipeWriter(write)
    writer.write { format.header(size: shot.output.size, rate: shot.rate) }
    var written = 0
    for frame in shot.frames where !isInterrupted() && !writer.hasFailed {
      guard let pending = try shot.submit(frame, isInterrupted: isInterrupted) else { break }
      defer { pending.release() }
      try pending.wait()
      shot.look(at: pending, frame)
      let picture = format.pixels(of: PendingRows(pending, shot.output))
      writer.write { format.frame(picture) }
      written += 1
    }
    shot.keepState()
    try writer.finish()
    return RenderSummary(written: written, kept: 0, failed: 0, wasInterrupted: written < shot.frames.count)
  }
}

/// Makes bytes and writes them on another thread, in order; at most two frames wait.
private final class PipeWriter: Sendable {
  private let queue = DispatchQueue(label: "etalon.pipe")
  private let room = DispatchSemaphore(value: 2)
  private let failure = Mutex<RenderError?>(nil)
  private let output: @Sendable ([UInt8]) throws(RenderError) -> Void

  init(_ output: @escaping @Sendable ([UInt8]) throws(RenderError) -> Void) { self.output = output }

  var hasFailed: Bool { failure.withLock { $0 != nil } }

  func write(_ bytes: @escaping @Sendable () -> [UInt8]) {
    room.wait()
    queue.async { [self] in
      defer { room.signal() }
      guard !hasFailed else { return }
      do throws(RenderError) { try output(bytes()) } catch { failure.withLock { $0 = error } }
    }
  }

  /// Waits for everything; throws what went wrong.
  func finish() throws(RenderError) {
    queue.sync {}
    if let failure = failure.withLock({ $0 }) { throw failure }
  }
}
