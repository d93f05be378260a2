internal import EtalonManifest
internal import EtalonSPIRV

/// Passes that are computed as one kernel: what that kernel follows from.
///
/// **Concurrency**: an immutable value.
package struct FusedPasses: Sendable, Hashable {
  /// A pass that leaves its color to the one behind it.
  struct Stage: Sendable, Hashable {
    /// The name of its filter.
    let filter: String
    let pass: PassSource
    /// A stage, with the arguments that others give and what becomes of alpha.
    let variant: StoreVariant
  }

  /// The names of the filters, for messages.
  let name: String
  let host: FusionHost
  /// Whether the texture that the last one stores into is a region of a picture.
  let storesRegion: Bool
  /// How the last one stores.
  let variant: StoreVariant
  /// In the order in which they run.
  let stages: [Stage]
}

/// Passes that were joined.
///
/// **Concurrency**: an immutable value.
package struct FusedKernel: Sendable {
  let linked: LinkedKernel
  /// The passes by themselves, in the order in which they run.
  let stages: [Kernel]

  /// Compiles passes and joins them.
  package init(_ passes: FusedPasses, from source: some KernelSource) throws {
    stages = try passes.stages.map { try source.kernel(of: $0.pass, in: $0.filter, storing: $0.variant) }
    let text = passes.storesRegion ? passes.host.pass.storingRegion : passes.host.pass
    let host = try source.kernel(of: text, in: passes.name, storing: passes.variant)
    linked = try KernelLinker.link(host: host, stages: stages)
  }
}
