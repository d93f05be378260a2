/// A kernel made of several, and where what its stages expect to be bound went.
///
/// **Concurrency**: an immutable value.
package struct LinkedKernel: Sendable, Hashable {
  /// What became of the interface of one stage.
  package struct Stage: Sendable, Hashable {
    /// From the bindings of the stage's textures and buffers to those of the kernel.
    package let bindings: [Int: Int]
    /// Bytes from the start of the kernel's uniform block to where the stage's block lies; nil when the stage has none.
    package let uniformOffset: Int?

    package init(bindings: [Int: Int], uniformOffset: Int?) {
      self.bindings = bindings
      self.uniformOffset = uniformOffset
    }
  }

  package let kernel: Kernel
  /// In the order in which they were given.
  package let stages: [Stage]

  package init(kernel: Kernel, stages: [Stage]) {
    self.kernel = kernel
    self.stages = stages
  }
}
