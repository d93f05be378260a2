package import EtalonDiagnostics
package import EtalonMedia
internal import EtalonPlan
internal import Synchronization

/// Renders frames of a shot and writes them while the next ones are rendered.
///
/// **Concurrency**: `run` blocks its thread; events come from several threads, one at a time.
package struct SequenceExport: Sendable {
  /// Where the frames of a shot go.
  package struct Destination: Sendable {
    /// The names of the frames; nil when only a contact sheet is wanted.
    package var pattern: FramePattern?
    package var contactSheet: String?
    package var policy: ReplacePolicy = .ownFrames
    /// Whether frames that are there already, whole and of the same recipe, are kept.
    package var resumes = false
    /// Whether other frames are still rendered after one failed.
    package var keepsGoing = false

    package init(pattern: FramePattern?, contactSheet: String?) {
      self.pattern = pattern
      self.contactSheet = contactSheet
    }
  }

  private let shot: Shot
  private let destination: Destination
  private let observe: @Sendable (RenderEvent) -> Void
  private let isInterrupted: @Sendable () -> Bool

  package init(
    _ shot: Shot, to destination: Destination, observe: @escaping @Sendable (RenderEvent) -> Void,
    isInterrupted: @escaping @Sendable () -> Bool
  ) {
    self.shot = shot
    self.destination = destination
    self.observe = observe
    self.isInterrupted = isInterrupted
  }

  /// Renders and writes all frames; throws the first failure unless it was told to keep going.
  package func run() throws(RenderError) -> RenderSummary {
    let frames = shot.frames
    let kept = try keptFrames(frames)
    let wanted = frames.filter { !kept.contains($0) }
    observe(.started(frames: wanted.count, kept: kept.count, size: shot.size, device: shot.deviceName))
    let progress = ExportProgress(observe: observe, stopsAtFailure: !destination.keepsGoing)
    let sheet = destination.contactSheet.map { _ in SheetCollector(frames: frames) }
    let pool = FrameWriterPool(threads: shot.writerThreads, queueLength: Shot.framesInFlight, settings: PNGSettings(shot.compression))
    for frame in wanted where !progress.isStopped && !isInterrupted() {
      export(frame, pool: pool, progress: progress, sheet: sheet)
    }
    if progress.isStopped { pool.cancel() } else { pool.finish() }
    if let failure = progress.stoppingFailure { throw failure }
    let done = progress.written
    if let pattern = destination.pattern, pattern.hasNumber, !(done.isEmpty && kept.isEmpty) {
      try shot.writeSidecar(for: pattern, frames: frames.filter { done.contains($0) || kept.contains($0) }, policy: destination.policy)
    }
    if let sheet, let path = destination.contactSheet {
      try finish(sheet, at: path, kept: kept)
    }
    return RenderSummary(
      written: done.count, kept: kept.count, failed: progress.failureCount,
      wasInterrupted: done.count + progress.failureCount < wanted.count)
  }

  /// The frames that need not be rendered; refuses files that may not be replaced before anything is rendered.
  private func keptFrames(_ frames: [Int]) throws(RenderError) -> Set<Int> {
    guard let pattern = destination.pattern else {
      if let sheet = destination.contactSheet { try destination.policy.check(sheet) }
      return []
    }
    let check = ResumeCheck(size: shot.size, bits: shot.bits)
    var kept: Set<Int> = []
    for frame in frames {
      let path = pattern.path(frame: frame)
      // A picture that cannot be read is reported when its frame is rendered.
      if destination.resumes, let recipe = try? shot.recipe(of: frame), check.state(of: path, recipe: recipe) == .complete {
        kept.insert(frame)
      } else {
        try destination.policy.check(path)
      }
    }
    if pattern.hasNumber { try SequenceSidecar.check(SequenceSidecar.path(for: pattern), destination.policy) }
    if let sheet = destination.contactSheet { try destination.policy.check(sheet) }
    return kept
  }

  private func export(_ frame: Int, pool: FrameWriterPool, progress: ExportProgress, sheet: SheetCollector?) {
    let pending: any PendingFrame
    do throws(RenderError) {
      guard let submitted = try shot.submit(frame, isInterrupted: isInterrupted) else { return }
      pending = submitted
    } catch {
      return progress.fail(frame, error)
    }
    guard let pattern = destination.pattern else {
      defer { pending.release() }
      do throws(RenderError) {
        try pending.wait()
        sheet?.add(frame, PendingRows(pending, shot.output))
        progress.succeed(frame, path: nil)
      } catch {
        progress.fail(frame, error)
      }
      return
    }
    let path = pattern.path(frame: frame)
    let output = shot.output
    let provenance: FrameProvenance
    do throws(RenderError) {
      provenance = try shot.provenance(of: frame)
    } catch {
      pending.release()
      return progress.fail(frame, error)
    }
    pool.submit(
      FrameJob(path: path, policy: destination.policy, provenance: provenance) { () throws(RenderError) in
        try pending.wait()
        let rows = PendingRows(pending, output)
        sheet?.add(frame, rows)
        return rows
      } completion: { result in
        // A frame that was dropped from the queue may still be worked on; its memory is not free before that has ended.
        if case .failure = result { try? pending.wait() }
        pending.release()
        switch result {
        case .success: progress.succeed(frame, path: path)
        case .failure(let error): progress.fail(frame, error)
        }
      })
  }

  private func finish(_ sheet: SheetCollector, at path: String, kept: Set<Int>) throws(RenderError) {
    for frame in sheet.frames where kept.contains(frame) {
      guard let pattern = destination.pattern else { continue }
      sheet.add(frame, try PictureReader().read(path: pattern.path(frame: frame)))
    }
    guard let picture = sheet.compose() else { return }
    try shot.write(picture, to: path, policy: destination.policy)
    observe(.sheetWritten(path: path))
  }
}
