internal import EtalonSystem

/// What the passes of one frame read and write, by the indices of the plan.
struct FrameMemory: Sendable {
  let textures: [TextureMemory]
  let buffers: [ByteBlock]
  let outputs: [ByteBlock]
}

/// When a pass is given up, and what to call it then.
struct PassLimits: Sendable {
  /// The number of the frame.
  let frame: Int
  /// When to give up, on the clock of the lane kernels; 0 for never.
  let deadline: Int64
  let timeout: Duration?
  /// Back edges that one workgroup may take in all.
  let stepLimit: Int
  /// Asks for the end before the pass is done.
  let cancellation: Cancellation?
}
