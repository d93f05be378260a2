package import EtalonSystem

/// What changes from frame to frame: the bytes of each pass's uniform block, the pictures of streamed textures, and where state begins.
package struct FrameValues: Sendable, Hashable {
  /// The number of the frame, for messages.
  package let frame: Int
  /// One array for each pass of the plan, laid out as the kernel's interface says; empty for a kernel without uniforms.
  package let uniforms: [[UInt8]]
  /// The pictures of the plan's streamed textures, by the index in their role.
  package let pictures: [FramePicture]
  /// Whether persistent textures and buffers are zeroed before this frame; the first frame of an execution always does so.
  package let startsState: Bool
  /// Whether the outputs are wanted; a frame that only has to bring state forward leaves them undefined, and skips passes that only feed them.
  package let writesOutputs: Bool
  /// Asks for the end of the work on the frame before it is done.
  package var cancellation: Cancellation?

  package init(
    frame: Int, uniforms: [[UInt8]], pictures: [FramePicture] = [], startsState: Bool = false, writesOutputs: Bool = true
  ) {
    self.frame = frame
    self.uniforms = uniforms
    self.pictures = pictures
    self.startsState = startsState
    self.writesOutputs = writesOutputs
  }
}
