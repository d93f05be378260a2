internal import EtalonCompiler
internal import EtalonDiagnostics
internal import EtalonManifest
internal import EtalonSPIRV

/// Compiles all passes of a filter to see whether the compiler takes them.
struct FilterCompilation {
  let compiler: ShaderCompiler
  let deadline: ContinuousClock.Instant?
  /// The path to point to `etalon sanitize` with; nil says nothing of what has to be run to be known.
  var sanitizedPath: String?

  /// What the compiler warns about, and what is declared and used by nothing.
  func warnings(of manifest: FilterManifest) throws(CompileError) -> [Diagnostic] {
    let manifest = manifest.endingInPixels()
    var warnings: [Diagnostic] = []
    var mistakes: [Diagnostic] = []
    var kernels: [Kernel] = []
    var questions = OpenQuestions()
    for pass in manifest.passes {
      let isResult = pass.coverage == .pixels && pass.target == nil
      let variant = StoreVariant(isResult ? .packed8 : .texture, alpha: .asReturned)
      do throws(CompileError) {
        let compiled = try compiler.compile(filter: manifest.name, pass: pass, variant: variant, deadline: deadline)
        warnings += compiled.warnings + ConstantFaults.warnings(in: compiled)
        if sanitizedPath != nil { questions.add(compiled, sizes: Set(pass.uniforms.filter { $0.meaning == .targetSize }.map(\.name))) }
        kernels.append(compiled.kernel)
      } catch {
        guard case .diagnostics(let refusal) = error else { throw error }
        mistakes += refusal.diagnostics
      }
    }
    guard mistakes.isEmpty else { throw .diagnostics(DiagnosticsError((warnings + mistakes).uniqued)) }
    do { warnings += try InterfaceCheck(manifest).warnings(kernels) } catch { throw .diagnostics(error) }
    if let note = sanitizedPath.flatMap({ questions.note(path: $0) }) { warnings.append(note) }
    return warnings.uniqued
  }
}

extension [Diagnostic] {
  /// Each of them once: texts that passes share are compiled several times.
  fileprivate var uniqued: [Diagnostic] {
    var known: Set<Diagnostic> = []
    return filter { known.insert($0).inserted }
  }
}
