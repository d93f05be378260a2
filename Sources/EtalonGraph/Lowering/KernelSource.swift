package import EtalonManifest
package import EtalonSPIRV

/// Compiles the passes of the filters of a graph.
package protocol KernelSource {
  /// The kernel of a pass that stores in some way.
  func kernel(of pass: PassSource, in filter: FilterManifest, storing variant: StoreVariant) throws -> Kernel
}
