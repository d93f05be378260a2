internal import Dispatch
internal import EtalonDiagnostics
package import EtalonMedia
internal import EtalonPlan
internal import EtalonSystem
internal import EtalonTypes
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
    if case .planes(let form) = format { precondition(shot.planes == form, "a shot of other planes") }
    self.shot = shot
    self.format = format
    self.write = write
    self.isInterrupted = isInterrupted
  }

  /// Renders and writes all frames; stops at the first failure, because a stream cannot lack a frame.
  package func run() throws -> RenderSummary {
    let writer = try PipeWriter(write)
    defer { writer.end() }
    let size = shot.planes == nil ? shot.output.size : shot.size
    writer.write { format.header(size: size, rate: shot.rate) }
    var written = 0
    repeat {
      for frame in shot.frames where !isInterrupted() && !writer.hasFailed {
        guard let pending = try shot.submit(frame, isInterrupted: isInterrupted) else { break }
        defer { pending.release() }
        do throws(RenderError) { try pending.wait() } catch {
          if error.code == .interrupted { break }
          throw error
        }
        shot.look(at: pending, frame)
        if case .planes(let form) = format {
          for output in shot.outputs.indices.dropFirst() { shot.look(at: pending, frame, output: output) }
          let planes = planes(pending, form, size)
          writer.write { planes }
        } else {
          let picture = format.pixels(of: PendingRows(pending, shot.output))
          writer.write { format.frame(picture) }
        }
        written += 1
      }
    } while try !isInterrupted() && !writer.hasFailed && shot.advance()
    shot.keepState()
    try writer.finish()
    return RenderSummary(written: written, kept: 0, failed: 0, wasInterrupted: shot.isLive ? isInterrupted() : written < shot.frames.count)
  }

  /// The planes of a frame, without what fills their rows up.
  private func planes(_ pending: any PendingFrame, _ form: PlaneForm, _ size: Size) -> [UInt8] {
    var bytes = FrameStreamFormat.frameHeader
    for (output, plane) in form.planes.enumerated() {
      let rowBytes = form.size(of: plane, in: size).width * (form.bits > 8 ? 2 : 1)
      let stride = shot.outputs[output].byteCount(ofRows: 1)
      pending.withBands(of: output) { _, count, band in
        unsafe band.withUnsafeBytes { rows in
          for row in 0..<count { unsafe bytes.append(contentsOf: rows[row * stride..<row * stride + rowBytes]) }
        }
      }
    }
    return bytes
  }
}

/// Makes bytes and writes them on another thread, in order; at most two frames wait.
private final class PipeWriter: Sendable {
  private let thread: SerialThread
  private let room = DispatchSemaphore(value: 0)
  private let failure = Mutex<RenderError?>(nil)
  private let isEnded = Mutex(false)
  private let output: @Sendable ([UInt8]) throws(RenderError) -> Void

  init(_ output: @escaping @Sendable ([UInt8]) throws(RenderError) -> Void) throws(RenderError) {
    self.output = output
    thread = try SerialThread()
    for _ in 0..<2 { room.signal() }
  }

  var hasFailed: Bool { failure.withLock { $0 != nil } }

  func write(_ bytes: @escaping @Sendable () -> [UInt8]) {
    room.wait()
    thread.add { [self] in
      defer { room.signal() }
      guard !hasFailed else { return }
      do throws(RenderError) { try output(bytes()) } catch { failure.withLock { $0 = error } }
    }
  }

  /// Waits for everything.
  func end() {
    let wasEnded = isEnded.withLock { isEnded in
      defer { isEnded = true }
      return isEnded
    }
    if !wasEnded { thread.finish() }
  }

  /// Waits for everything; throws what went wrong.
  func finish() throws(RenderError) {
    end()
    if let failure = failure.withLock({ $0 }) { throw failure }
  }
}
