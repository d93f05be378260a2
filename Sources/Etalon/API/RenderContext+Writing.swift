internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonMedia
internal import EtalonPlan
internal import Foundation
internal import Synchronization

extension RenderContext {
  /// Writes frames of an image as numbered PNG files.
  ///
  /// ```swift
  /// try await context.write(glow, frames: 0..<48, rate: 24, to: "out/glow.####.png")
  /// ```
  /// Files are encoded on all cores while the next frames are rendered; each appears completely or not at all. Beside them a JSON file says what a
  /// sequence of pictures cannot say by itself, such as the rate. Throws like ``render(_:at:settings:)``, but a cancelled task ends between two frames,
  /// and `RenderError` for the first file that cannot be written; the files before stay.
  ///
  /// - Parameter frames: the numbers of the frames, such as `0..<48`.
  /// - Parameter rate: frames a second; the rate of the settings does not count.
  /// - Parameter pattern: the name of the files, with `####` or `%04d` for the number.
  /// - Parameter overwriting: whether files that Etalon did not write may be replaced.
  public nonisolated func write(
    _ image: Image, frames: some Sequence<Int>, rate: FrameRate, to pattern: String, settings: RenderSettings = RenderSettings(),
    overwriting: Bool = false
  ) async throws {
    guard settings.depth != .float else { throw Frame.floatsInFile(pattern) }
    let files = try FramePattern(pattern, option: "to")
    let numbers = try FrameNumbers.range(frames)
    guard files.hasNumber || numbers.count == 1 else { throw FrameFileWriter.noNumber(pattern) }
    var settings = settings
    settings.rate = rate
    let writer = try await writer(of: image, numbers, settings, files, overwriting ? .anything : .ownFrames)
    do {
      while try await step(writer) {}
      try await finish(writer)
    } catch {
      await cancel(writer)
      throw error
    }
  }

  // None of these is inlined: the optimizer of Swift 6.3 crashes when it splits `write`, which calls them.

  @inline(never)
  private func writer(
    of image: Image, _ numbers: FrameRange, _ settings: RenderSettings, _ files: FramePattern, _ policy: ReplacePolicy
  ) throws -> FrameFileWriter {
    let run = try ImageRun(image, settings, .range(numbers), on: engine)
    do {
      let pool = try FrameWriterPool(threads: max(1, ProcessInfo.processInfo.activeProcessorCount), queueLength: 1)
      return FrameFileWriter(run, files, policy, pool)
    } catch {
      run.finish()
      throw error
    }
  }

  @inline(never)
  private func step(_ writer: FrameFileWriter) throws -> Bool {
    try Task.checkCancellation()
    return try writer.step { Task.isCancelled }
  }

  @inline(never)
  private func finish(_ writer: FrameFileWriter) throws(RenderError) { try writer.finish() }

  @inline(never)
  private func cancel(_ writer: FrameFileWriter) { writer.cancel() }
}

/// Hands the frames of a run to the threads that encode them.
///
/// **Concurrency**: used by one thread at a time.
private final class FrameFileWriter: Sendable {
  private let run: ImageRun
  private let files: FramePattern
  private let policy: ReplacePolicy
  private let pool: FrameWriterPool
  private let failure = Mutex<RenderError?>(nil)

  init(_ run: ImageRun, _ files: FramePattern, _ policy: ReplacePolicy, _ pool: FrameWriterPool) {
    self.run = run
    self.files = files
    self.policy = policy
    self.pool = pool
  }

  /// Renders the next frame and hands it over; false behind the last.
  func step(isInterrupted: () -> Bool) throws -> Bool {
    if let failure = failure.withLock(\.self) { throw failure }
    guard let (number, pending) = try run.next(isInterrupted: isInterrupted) else { return false }
    let output = run.output
    let provenance: FrameProvenance
    do throws(RenderError) { provenance = try run.provenance(of: number) } catch {
      pending.release()
      throw error
    }
    let file = FrameJob.File(path: files.path(frame: number), provenance: provenance) { PendingRows(pending, output) }
    pool.submit(
      FrameJob(files: [file], policy: policy) { [self] result in
        pending.release()
        if case .failure(let error) = result { failure.withLock { $0 = $0 ?? error } }
      })
    return true
  }

  /// Waits for all files, and writes what is beside them.
  func finish() throws(RenderError) {
    pool.finish()
    run.finish()
    if let failure = failure.withLock(\.self) { throw failure }
    guard files.hasNumber, let range = FrameRange(run.frames.sorted()) else { return }
    let provenance = try run.provenance(of: range.first)
    let sidecar = SequenceSidecar(
      pattern: files.fileName, rate: provenance.rate, first: run.request.clock.first, frames: range, size: run.output.size,
      bits: run.request.bits, alpha: run.output.alpha, filter: provenance.filter, values: provenance.values, recipe: run.recipe,
      version: EtalonVersion.current, scale: run.request.proxy.factor)
    try sidecar.write(to: SequenceSidecar.path(for: files), replacing: policy)
  }

  /// Lets the files that are being written finish, and drops the others.
  func cancel() {
    pool.cancel()
    run.finish()
  }

  static func noNumber(_ pattern: String) -> DiagnosticsError {
    let source = SourceText(path: "to", text: pattern)
    return DiagnosticsError(
      Diagnostic(
        "pattern.no-number", "'\(pattern)' has no place for the frame number", labels: [.init(source, 0..<source.bytes.count, "one file")],
        help: ["write '####' before the extension, as in 'name.####.png'"]))
  }
}
