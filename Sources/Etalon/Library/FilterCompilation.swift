package import EtalonCompiler
package import EtalonDiagnostics
package import EtalonManifest
internal import EtalonSPIRV

/// Compiles all passes of a filter to see whether the compiler takes them.
package struct FilterCompilation {
  private let compiler: ShaderCompiler
  private let deadline: ContinuousClock.Instant?

  /// - Parameter deadline: when compiling is given up.
  package init(compiler: ShaderCompiler, deadline: ContinuousClock.Instant?) {
    self.compiler = compiler
    self.deadline = deadline
  }

  /// What the compiler warns about, and what is declared and used by nothing; each of them once, because texts that passes share are compiled several times.
  ///
  /// - Parameter examine: is given each pass that the compiler took, and returns what else is to be said about it.
  package func warnings(
    of manifest: FilterManifest, examine: (CompiledKernel, PassSource) -> [Diagnostic] = { _, _ in [] }
  ) throws(CompileError) -> [Diagnostic] {
    let manifest = manifest.endingInPixels()
    var warnings: [Diagnostic] = []
    var diagnostics: [Diagnostic] = []
    var kernels: [Kernel] = []
    for pass in manifest.passes {
      let isResult = pass.coverage == .pixels && pass.target == nil
      let variant = StoreVariant(isResult ? .packed8 : .texture, alpha: .asReturned)
      do throws(CompileError) {
        let compiled = try compiler.compile(filter: manifest.name, pass: pass, variant: variant, deadline: deadline)
        warnings += compiled.warnings + examine(compiled, pass)
        kernels.append(compiled.kernel)
      } catch {
        guard case .diagnostics(let found) = error else { throw error }
        diagnostics += found.diagnostics
      }
    }
    guard diagnostics.isEmpty else { throw .diagnostics(DiagnosticsError((warnings + diagnostics).uniqued)) }
    do { warnings += try InterfaceCheck(manifest).warnings(kernels) } catch { throw .diagnostics(error) }
    return warnings.uniqued
  }
}

extension [Diagnostic] {
  /// Each of them once.
  fileprivate var uniqued: [Diagnostic] {
    var known: Set<Diagnostic> = []
    return filter { known.insert($0).inserted }
  }
}
