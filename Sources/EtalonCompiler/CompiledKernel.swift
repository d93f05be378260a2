package import EtalonDiagnostics
package import EtalonSPIRV

/// A kernel and what was learned while making it.
///
/// **Concurrency**: an immutable value.
package struct CompiledKernel: Sendable {
  package let kernel: Kernel
  /// What the compiler warned about, at its places in the author's text.
  package let warnings: [Diagnostic]
  /// Finds the author's text for the line numbers in the kernel's debug lines.
  package let lines: TokenLines
}
