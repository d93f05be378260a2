package import EtalonDiagnostics
package import EtalonTypes

/// Something that executes plans: the Vulkan executor, the CPU executor.
package protocol Backend: Sendable {
  /// What a person would call the device, such as `llvmpipe (LLVM 15.0.6, 256 bits)`.
  var deviceName: String { get }
  /// The executor, driver and their versions: part of every recipe hash, because pixels may depend on them.
  var identity: String { get }
  /// Compiles the kernels of a plan and allocates what its frames need.
  ///
  /// - Parameter imports: the pictures of the plan's imported textures, each of its texture's `pictureSize` and format.
  /// - Parameter setupUniforms: the bytes of the uniform block of each pass of the plan's setup.
  /// - Parameter framesInFlight: how many frames may be submitted and not yet released.
  func prepare(
    _ plan: CheckedPlan, imports: [PixelBuffer], setupUniforms: [[UInt8]], framesInFlight: Int
  ) throws(RenderError) -> any PlanExecution
}

extension Backend {
  /// Compiles the kernels of a plan that has no setup, and allocates what its frames need.
  package func prepare(_ plan: CheckedPlan, imports: [PixelBuffer], framesInFlight: Int) throws(RenderError) -> any PlanExecution {
    try prepare(plan, imports: imports, setupUniforms: [], framesInFlight: framesInFlight)
  }
}

/// A plan whose kernels are compiled and whose resources are allocated on a device.
///
/// Frames that are submitted one after the other share the plan's persistent textures and buffers. After a frame that failed these are
/// undefined, and the next has to start its state.
///
/// **Concurrency**: `submit`, `state` and `restore` are called by one thread at a time; frames may be waited for and released on any thread.
package protocol PlanExecution: Sendable {
  /// How many frames may be submitted and not yet released: as many as were asked for, or fewer when their memory would be too much.
  var framesInFlight: Int { get }
  /// Starts a frame, the first one after the setup of the plan; blocks while `framesInFlight` frames are not released.
  func submit(_ values: FrameValues) throws(RenderError) -> any PendingFrame
  /// Waits for the frames that were submitted and returns what they leave to the next.
  func state() throws(RenderError) -> PlanState
  /// Lets the next frame go on from a state of the same plan, unless it starts one.
  func restore(_ state: PlanState) throws(RenderError)
}

/// A frame that a device works on or has finished.
///
/// **Concurrency**: used by one thread at a time; dropping it without `release()` is an error.
package protocol PendingFrame: Sendable {
  /// Waits until all outputs are complete; throws when the device was lost or took too long.
  func wait() throws(RenderError)
  /// Hands out the packed pixels of an output where they lie, in bands of whole rows from the top of the picture down; call after `wait()`, for
  /// frames whose outputs were wanted.
  ///
  /// The body gets the row of the band's first pixels, counted from the top, the number of rows, and the rows without padding.
  func withBands<Failure: Error>(
    of output: Int, _ body: (_ firstRow: Int, _ rowCount: Int, _ bytes: RawSpan) throws(Failure) -> Void
  ) throws(Failure)
  /// Whether a number of an output was not one when it was stored; call where `withBands` may be called.
  func holdsNaN(in output: Int) -> Bool
  /// The passes whose targets have mipmaps that held NaN in the frame or in the setup before it, by name; call after `wait()`.
  func passesWithNaNInMipmaps() throws(RenderError) -> Set<String>
  /// Gives the memory of the frame back for a later frame.
  func release()
}
