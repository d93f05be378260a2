internal import Dispatch
internal import EtalonDiagnostics
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
      case .cpu: DeviceList.cpuName
      case .vulkan(let index): "\(index)"
      }
    }
  }

  private let executor = BlockingExecutor()
  private nonisolated let renderer: ShotRenderer
  private nonisolated let checkpoints: CheckpointFolder?
  private nonisolated let timeout: Double?
  private nonisolated let notes = Mutex<[Diagnostic]>([])

  /// What a person would call the device, such as `llvmpipe (LLVM 15.0.6, 256 bits)`.
  public nonisolated let deviceName: String

  /// The thread of the context.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  /// Opens a device; throws `RenderError` when there is none of this kind, with those that there are.
  ///
  /// - Parameter checkpoints: where the state that frames leave to the next is kept, so that later runs need not begin with the first frame.
  /// - Parameter timeout: seconds that compiling an image, and each of its frames, may take; nil means no limit.
  public init(device: Device = .automatic, checkpoints: Checkpoints = .off, timeout: Double? = nil) throws(RenderError) {
    try self.init(device: device, checkpoints: checkpoints.folder, timeout: timeout)
  }

  /// - Parameter checkpoints: a folder with limits of its own.
  package init(device: Device, checkpoints: CheckpointFolder?, timeout: Double? = nil) throws(RenderError) {
    let opened = try DeviceSelection(device.text, timeout: timeout.map { .seconds($0) })
    (self.checkpoints, self.timeout) = (checkpoints, timeout)
    deviceName = opened.backend.deviceName
    renderer = ShotRenderer(on: opened, keeping: .plans)
  }

  /// What there is to say about checkpoints since it was asked last: those that were damaged, and why none could be kept.
  ///
  /// Frames are right all the same; only more of them had to be rendered first.
  public nonisolated func takeNotes() -> [Diagnostic] {
    notes.withLock { notes in
      defer { notes = [] }
      return notes
    }
  }

  /// Renders one frame.
  ///
  /// Where the image depends on earlier frames, and no checkpoint stands for them, those are rendered first that this context did not render before. Throws `DiagnosticsError` for what
  /// is wrong with filters, values on this frame, and sizes; `RenderError` for what the device or the files did; `CancellationError` when the task is
  /// cancelled: on the CPU device in the middle of a frame, on others between two frames.
  ///
  /// - Parameter time: which frame; a time between two frames is rendered as it is.
  public func render(_ image: Image, at time: ShotTime? = nil, settings: RenderSettings = RenderSettings()) async throws -> Frame {
    try Task.checkCancellation()
    let queue = try FrameQueue(shot([image], try frames(at: time, settings), settings))
    defer { queue.finish() }
    guard let frame = try await nextFrame(of: queue) else { preconditionFailure("a shot without frames") }
    return frame
  }

  private func frames(at time: ShotTime?, _ settings: RenderSettings) throws(DiagnosticsError) -> RenderRequest.Frames {
    switch time {
    case .seconds(let seconds): .single(time: seconds)
    case .frame(let number): .range(try FrameNumbers.range([number]))
    case nil: .single(time: nil)
    }
  }

  /// Prepares frames of images, the first of which is the result.
  func shot(
    _ images: [Image], _ frames: RenderRequest.Frames, _ settings: RenderSettings, compression: CompressionPreset = .fast
  ) throws -> (shot: Shot, cancellation: Cancellation) {
    var request = try settings.request(for: images, frames)
    let cancellation = Cancellation()
    (request.checkpoints, request.timeout, request.cancellation) = (checkpoints, timeout, cancellation)
    request.compression = compression
    return (try renderer.prepare(request), cancellation)
  }

  /// Copies the next frame of a queue; nil behind the last.
  func nextFrame(of queue: FrameQueue) async throws -> Frame? {
    defer { take(notesOf: queue.shot) }
    return try await stopping(queue.cancellation) {
      guard let (number, pending) = try queue.next(isInterrupted: { Task.isCancelled }) else { return nil }
      defer { pending.release() }
      return Frame(pending, queue.shot.output, try queue.shot.provenance(of: number))
    }
  }

  nonisolated func take(notesOf shot: Shot) {
    let new = shot.takeNotes()
    if !new.isEmpty { notes.withLock { known in known += new.filter { !known.contains($0) } } }
  }

  /// Does a part of a shot, which the task's cancellation ends early.
  ///
  /// Never inlined: the optimizer of Swift 6.3 crashes where it splits functions that this was inlined into.
  @inline(never)
  private func stopping<Result>(_ cancellation: Cancellation, _ body: () throws -> Result) async rethrows -> Result {
    try await withTaskCancellationHandler(operation: { try body() }, onCancel: { cancellation.cancel() })
  }
}

extension RenderContext {
  /// How many plans were made since the context is there.
  package nonisolated var planCount: Int { renderer.planCount }

  /// How many kernels were compiled, or read from the user's cache, since the context is there.
  package nonisolated var kernelCount: Int { renderer.kernelCount }

  /// How many frames were rendered since the context is there, those with them that others depend on.
  package nonisolated var frameCount: Int { renderer.frameCount }

  /// Throws when a validation layer that was asked for had anything to say.
  package nonisolated func checkValidation() throws(RenderError) { try renderer.checkValidation() }
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
