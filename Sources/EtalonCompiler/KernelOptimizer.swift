package import EtalonDiagnostics
package import EtalonSPIRV

/// What the compiler is.
package enum CompilerFacts {
  /// Its parts with their versions: `glslang 12.0.0, SPIRV-Tools v2023.1`.
  package static let text = Shaderc.identity.split(separator: ";").prefix(2).map { part in
    part.split(separator: " ").prefix(2).joined(separator: " ")
  }.joined(separator: ", ")
}

/// Makes kernels shorter, as the compiler does at its highest level of optimization: functions are inlined, loops unrolled, what nobody needs goes.
///
/// Nothing is calculated beforehand and no multiplication is contracted, so that a kernel without undefined behavior stores the same bits as before.
///
/// **Concurrency**: may be used from any number of threads at once; a call blocks its thread.
package enum KernelOptimizer {
  package static func optimize(_ kernel: Kernel) throws(RenderError) -> Kernel {
    let module: SPIRVModule
    do { module = try SPIRVModule(kernel.words) } catch {
      throw RenderError(.internalError, "cannot read the SPIR-V of kernel '\(kernel.name)'", underlying: error.diagnostics.first?.message)
    }
    let words = Hardening.forbidArithmetic(module)
    guard case .done(let optimized?) = LargeStackThread.run(until: nil, { Shaderc.optimize(words) }) else {
      throw RenderError(.internalError, "cannot optimize kernel '\(kernel.name)'", operation: "spirv-opt")
    }
    return Kernel(name: kernel.name, words: optimized, interface: kernel.interface)
  }
}
