internal import EtalonGraph
internal import EtalonPlan
internal import EtalonSystem

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
  /// - Parameter checkpoints: where it is kept what frames leave to the next, so that later ones need not begin with the first.
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
