internal import Dispatch
internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonMedia
internal import EtalonPlan
internal import EtalonSystem
internal import Foundation
internal import Synchronization

/// Renders images on a device; made once and used for all of them.
///
/// ```swift
/// let context = try RenderContext()
/// try await context.render(photo.applying(library["vignette"])).write(to: "out.png")
/// ```
///
/// A context keeps what the next image may need: compiled kernels, plans, and the memory of the last few. An image that differs from one before only
/// in values that no size depends on costs neither compiling nor planning.
///
/// **Concurrency**: an actor with a thread of its own, because waiting for a device blocks. Tasks that share a context take turns, frame by frame.
public actor RenderContext {
  /// What renders.
  public enum Device: Sendable, Hashable {
    /// A graphics unit when there is one, else the CPU device.
    case automatic
    /// Etalon's own executor: the same bits on every machine.
    case cpu
    /// A Vulkan device by its number in the list of `etalon devices`.
    case vulkan(index: Int)

    /// What `--device` would say.
    fileprivate var text: String? {
      switch self {
      case .automatic: nil
      case .cpu: DeviceSelection.cpuName
      case .vulkan(let index): "\(index)"
      }
    }
  }

  private let executor = BlockingExecutor()
  let engine: RenderEngine

  /// The thread of the context.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  /// Opens a device; throws `RenderError` when there is none of this kind, with those that there are.
  ///
  /// - Parameter checkpoints: where the state that frames leave to the next is kept, so that later runs need not begin with the first frame.
  public init(device: Device = .automatic, checkpoints: Checkpoints = .off) throws(RenderError) {
    try self.init(device: device, checkpoints: checkpoints.folder)
  }

  /// - Parameter checkpoints: a folder with limits of its own.
  package init(device: Device, checkpoints: CheckpointFolder?) throws(RenderError) {
    engine = try RenderEngine(device: device.text, checkpoints: checkpoints)
  }

  /// What there is to say about checkpoints since it was asked last: those that were damaged, and why none could be kept.
  ///
  /// Frames are right all the same; only more of them had to be rendered first.
  public nonisolated func takeNotes() -> [Diagnostic] { engine.takeNotes() }

  /// What a person would call the device, such as `llvmpipe (LLVM 15.0.6, 256 bits)`.
  public nonisolated var deviceName: String { engine.backend.deviceName }

  /// Renders one frame.
  ///
  /// Where the image depends on earlier frames, and no checkpoint stands for them, those are rendered first that this context did not render before. Throws `DiagnosticsError` for what
  /// is wrong with filters, values on this frame, and sizes; `RenderError` for what the device or the files did; `CancellationError` when the task is
  /// cancelled: on the CPU device in the middle of a frame, on others between two frames.
  ///
  /// - Parameter time: which frame; a time between two frames is rendered as it is.
  public func render(_ image: Image, at time: ShotTime? = nil, settings: RenderSettings = RenderSettings()) async throws -> Frame {
    try Task.checkCancellation()
    let run = try ImageRun(image, settings, try frames(at: time, settings), on: engine)
    defer { run.finish() }
    guard let frame = try await nextFrame(of: run) else { preconditionFailure("a run without frames") }
    return frame
  }

  private func frames(at time: ShotTime?, _ settings: RenderSettings) throws(DiagnosticsError) -> RenderRequest.Frames {
    switch time {
    case .seconds(let seconds): .single(time: seconds)
    case .frame(let number): .range(try FrameNumbers.range([number]))
    case nil: .single(time: nil)
    }
  }

  /// Copies the next frame of a run; nil behind the last.
  func nextFrame(of run: ImageRun) async throws -> Frame? {
    try await stopping(run) {
      guard let (number, pending) = try run.next(isInterrupted: { Task.isCancelled }) else { return nil }
      defer { pending.release() }
      return Frame(pending, run.output, try run.provenance(of: number))
    }
  }

  /// Does a part of a run, which the task's cancellation ends early.
  ///
  /// Never inlined: the optimizer of Swift 6.3 crashes where it splits functions that this was inlined into.
  @inline(never)
  func stopping<Result>(_ run: ImageRun, _ body: () throws -> Result) async rethrows -> Result {
    try await withTaskCancellationHandler(operation: { try body() }, onCancel: { run.cancellation.cancel() })
  }
}

extension RenderContext {
  /// How many plans were made since the context is there.
  package nonisolated var planCount: Int { engine.plans.madeCount }

  /// How many kernels were compiled, or read from the user's cache, since the context is there.
  package nonisolated var kernelCount: Int { engine.kernelCount }

  /// How many frames were rendered since the context is there, those with them that others depend on.
  package nonisolated var frameCount: Int { engine.frameCount }

  /// Throws when a validation layer that was asked for had anything to say.
  package nonisolated func checkValidation() throws(RenderError) { try engine.checkValidation() }
}

/// Reads the numbers of frames that a program wants.
enum FrameNumbers {
  /// The numbers as a range; none at all, too many, or too large ones are refused.
  static func range(_ numbers: some Sequence<Int>) throws(DiagnosticsError) -> FrameRange {
    if let range = FrameRange(numbers) { return range }
    throw DiagnosticsError(
      Diagnostic(
        "frames.range", "there are no frames in this range, or too many",
        help: ["give from one to \(FrameRange.mostFrames) numbers between -\(FrameRange.largestFrame) and \(FrameRange.largestFrame)"]))
  }
}

// MARK: writing files

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

// MARK: checkpoints

extension RenderContext {
  /// Where a context keeps what frames leave to the next, for images whose frames depend on those before.
  ///
  /// ```swift
  /// let context = try RenderContext(checkpoints: .folder("checkpoints"))
  /// try await context.write(trail, frames: 0..<500, rate: 24, to: "out/trail.####.png")
  /// // Another process goes on with frame 500, and renders none of those before.
  /// try await context.write(trail, frames: 500..<1000, rate: 24, to: "out/trail.####.png")
  /// ```
  /// Frames are the same with and without. A checkpoint counts for the same image, clock, device and program only.
  ///
  /// **Concurrency**: an immutable value; several contexts and processes may use one folder.
  public enum Checkpoints: Sendable, Hashable {
    /// Nothing is kept: a new context begins with the first frame.
    case off
    /// In the folder of the user, `~/.cache/etalon/checkpoints`, which takes 4 GiB at most.
    case user
    /// In a folder, which is made when something is kept and takes 4 GiB at most.
    case folder(String)

    var folder: CheckpointFolder? {
      switch self {
      case .off: nil
      case .user: .user
      case .folder(let path): CheckpointFolder(path: path)
      }
    }
  }
}

// MARK: its thread

/// Runs the jobs of one actor on a thread of their own, one after the other, so that waiting for a device blocks no other thread.
///
/// **Concurrency**: usable from every thread.
private final class BlockingExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "etalon.render")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = unsafe asUnownedSerialExecutor()
    queue.async { unsafe job.runSynchronously(on: executor) }
  }
}
