package import EtalonManifest
package import EtalonSPIRV

/// Compiles the passes of the filters of a graph.
package protocol KernelSource {
  /// The kernel of a pass that stores in some way.
  ///
  /// - Parameter filter: the name of its filter, or of those that are fused in it.
  func kernel(of pass: PassSource, in filter: String, storing variant: StoreVariant) throws -> Kernel

  /// The kernel that several passes are joined in.
  func kernel(joining passes: FusedPasses) throws -> FusedKernel
}

extension KernelSource {
  /// Compiles the passes and joins them, every time.
  package func kernel(joining passes: FusedPasses) throws -> FusedKernel { try FusedKernel(passes, from: self) }
}
