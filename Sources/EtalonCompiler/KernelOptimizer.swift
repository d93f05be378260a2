package import EtalonDiagnostics
package import EtalonSPIRV
internal import EtalonSystem

/// What the compiler is.
package enum CompilerFacts {
  /// Its parts with their versions: `glslang 12.0.0, SPIRV-Tools v2023.1`.
  package static let text = Shaderc.identity.split(separator: ";").prefix(2).map { part in
    part.split(separator: " ").prefix(2).joined(separator: " ")
  }.joined(separator: ", ")
}

/// Makes kernels shorter, as the compiler does at its highest level of optimization: functions are inlined, loops unrolled, what nobody needs goes.
///
/// No float is worked out beforehand and no multiplication is contracted, so that a kernel without undefined behavior stores the same bits as before.
///
/// **Concurrency**: may be used from any number of threads at once; a call blocks its thread.
package enum KernelOptimizer {
  private static let headerLength = 5
  /// What makes the optimizer leave floats alone: `OpCapability SignedZeroInfNanPreserve`.
  ///
  /// Decorations would not do, because it forgets those of instructions that it copies.
  private static let capability: [UInt32] = [2 << 16 | 17, 4466]

  package static func optimize(_ kernel: Kernel) throws(RenderError) -> Kernel {
    var words = kernel.words
    words.insert(contentsOf: capability, at: min(headerLength, words.count))
    let task = try ThreadTask(.deep) { [words] in Result { () throws(Shaderc.OutOfMemory) in try Shaderc.optimize(words) } }
    let result: [UInt32]?
    do throws(Shaderc.OutOfMemory) { result = try task.wait().get() } catch {
      throw RenderError(.outOfMemory, "cannot optimize kernel '\(kernel.name)'", operation: "spirv-opt", underlying: "out of memory")
    }
    guard let optimized = result else {
      throw RenderError(.internalError, "cannot optimize kernel '\(kernel.name)'", operation: "spirv-opt")
    }
    return Kernel(name: kernel.name, words: withoutCapability(optimized), interface: kernel.interface)
  }

  private static func withoutCapability(_ words: [UInt32]) -> [UInt32] {
    let places = stride(from: headerLength, to: words.count - 1, by: 1)
    guard let start = places.first(where: { words[$0] == capability[0] && words[$0 + 1] == capability[1] }) else { return words }
    return Array(words[..<start] + words[(start + capability.count)...])
  }
}
