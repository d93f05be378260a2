package import EtalonDiagnostics

/// Makes a module harmless for drivers that do what the code says, however undefined that is.
///
/// Robust buffer access protects buffers and images only. Behind this pass variables start at zero, shared memory too, indices into
/// composites stay inside, every division of integers has a result, nothing is fused or rearranged, and all floats have their full
/// precision, so that every driver rounds alike.
///
/// ```swift
/// let words = try Hardening.harden(SPIRVModule(kernel.words))
/// ```
package enum Hardening {
  /// The words of the hardened module, as valid as the module was.
  package static func harden(_ module: SPIRVModule) throws(DiagnosticsError) -> [UInt32] {
    var edit = ModuleEdit(module)
    NullInitializers().apply(to: &edit)
    try WorkgroupZeroing().apply(to: &edit)
    IndexClamping().apply(to: &edit)
    DivisionGuard().apply(to: &edit)
    ContractionBan().apply(to: &edit)
    FullPrecision().apply(to: &edit)
    return edit.words()
  }
}

extension Kernel {
  /// The kernel with hardened words; what it expects to be bound stays the same.
  package func hardened() throws(DiagnosticsError) -> Kernel {
    Kernel(name: name, words: try Hardening.harden(SPIRVModule(words)), interface: interface)
  }
}
