internal import EtalonPlan

/// What the commands of a frame depend on; everything else about it is in its uniforms.
struct FrameVariant: Hashable {
  /// Whether persistent textures lie in the memory of their previous ones.
  let isSwapped: Bool
  /// Whether persistent textures and buffers are zeroed first.
  let startsState: Bool
  /// Whether the passes that only feed outputs run.
  let writesOutputs: Bool
  /// The streamed textures that hold another picture than the frame's and are filled first.
  let filled: Set<Int>
}
