package import EtalonDiagnostics
internal import EtalonGLSL
package import EtalonManifest
package import EtalonSPIRV
internal import EtalonSystem

/// Turns the GLSL of a pass into a kernel: unoptimised SPIR-V 1.3 that the validator has passed, with names and debug lines.
///
/// Nothing is optimised because optimisers contract multiplications and additions, which turns hashes of the `fract(sin(x) * 43758.5453)` kind
/// into different noise.
///
/// ```swift
/// let compiled = try ShaderCompiler(cache: .user).compile(filter: "plasma", pass: pass, variant: StoreVariant(.packed8, alpha: .opaque))
/// ```
///
/// **Concurrency**: may be used from any number of threads at once; a call blocks its thread.
package struct ShaderCompiler: Sendable {
  /// Texts longer than this are refused: 4 MiB.
  package static let maximumTextLength = 4 << 20

  private let cache: KernelCache?
  private let macros: [String: String]

  /// The macros that let the rules of GLSL be watched: parameters that are `out` begin without a value.
  package static let watchedMacros = ["ETALON_OUT": "out"]

  /// Makes a compiler; without a cache it compiles every time.
  ///
  /// - Parameter macros: further macros for every text.
  package init(cache: KernelCache?, macros: [String: String] = [:]) {
    self.cache = cache
    self.macros = macros
  }

  /// Compiles a pass, or loads what an earlier run compiled.
  ///
  /// After the deadline the call fails, and the work goes on in its thread; a process that wants to end then must do so without running its
  /// exit handlers (`_exit`).
  package func compile(
    filter: String, pass: PassSource, variant: StoreVariant, deadline: ContinuousClock.Instant? = nil
  ) throws(CompileError) -> CompiledKernel {
    let lines = TokenLines(pass.source)
    let name = "\(filter).\(pass.name)"
    guard lines.bytes.count <= Self.maximumTextLength else { throw .diagnostics(Self.tooLong(pass.source)) }
    let key = CacheKey(lines: lines, macros: variant.macros.merging(macros) { first, _ in first }, name: name)
    // An entry that the compiler cannot have written counts as missing, too: it is no reason to doubt the author's text.
    if let stored = cache?.entry(for: key), let compiled = try? compiled(stored, key, pass),
      !compiled.warnings.contains(where: { $0.severity == .error })
    {
      return compiled
    }
    return try compiled(made(key, filter: filter, pass: pass, deadline: deadline), key, pass)
  }

  private func compiled(_ entry: CacheEntry, _ key: CacheKey, _ pass: PassSource) throws(CompileError) -> CompiledKernel {
    let lines = key.lines
    let interface: KernelInterface
    do {
      let module = try SPIRVModule(entry.words)
      interface = try Reflection(module).interface()
      try InliningLimit(module, lines, pass).check()
    } catch { throw .diagnostics(ModulePlaces(entry.words, lines: lines).placed(error)) }
    return CompiledKernel(
      kernel: Kernel(name: key.name, words: entry.words, interface: interface),
      warnings: ErrorMapper(pass: pass, lines: lines, fileName: key.fileName).diagnostics(of: entry.log), lines: lines)
  }

  private func made(
    _ key: CacheKey, filter: String, pass: PassSource, deadline: ContinuousClock.Instant?
  ) throws(CompileError) -> CacheEntry {
    var outcome: Outcome?
    // Past the deadline the work is not started.
    if deadline.map({ $0 > .now }) ?? true {
      do throws(RenderError) {
        outcome = try ThreadTask(.deep) { Self.compileAndValidate(key, pass) }.wait(until: deadline)
      } catch { throw .failure(error.while("compiling pass '\(pass.name)' of '\(filter)'")) }
    }
    switch outcome {
    case nil:
      throw .failure(
        RenderError(
          .timedOut, "compiling pass '\(pass.name)' of '\(filter)' took longer than allowed", help: ["allow more time with --timeout"]))
    case .outOfMemory:
      throw .failure(
        RenderError(.outOfMemory, "cannot compile pass '\(pass.name)' of '\(filter)'", operation: "glslang", underlying: "out of memory"))
    case .refused(let error):
      throw .diagnostics(error)
    case .invalid(let words, let message):
      throw .diagnostics(InvalidModule.error(message, words: words, lines: key.lines, pass: pass))
    case .compiled(let entry):
      cache?.store(entry, for: key)
      return entry
    }
  }

  private enum Outcome: Sendable {
    case compiled(CacheEntry)
    case refused(DiagnosticsError)
    case invalid(words: [UInt32], Glslang.ValidatorMessage)
    case outOfMemory
  }

  private static func compileAndValidate(_ key: CacheKey, _ pass: PassSource) -> Outcome {
    if let diagnostic = structDiagnostic(key) { return .refused(DiagnosticsError(diagnostic)) }
    let output = Glslang.compile(key.lines.bytes, fileName: key.fileName, macros: key.macros)
    guard !output.ranOut else { return .outOfMemory }
    guard let compiled = output.words else {
      // Here, so that a log of many errors cannot outlast the deadline.
      return .refused(ErrorMapper(pass: pass, lines: key.lines, fileName: key.fileName).error(of: output.log))
    }
    let stripped = SourceStripper.strip(compiled)
    // The validator tells what is wrong with a module that cannot be taken apart.
    let words = (try? CompositeSelection.takenApart(stripped)) ?? stripped
    do throws(Glslang.OutOfMemory) {
      if let message = try Glslang.validate(words) { return .invalid(words: words, message) }
    } catch { return .outOfMemory }
    return .compiled(CacheEntry(words: words, log: output.log))
  }

  /// What is wrong with structs that macros make: the compiler would walk through all of their members.
  private static func structDiagnostic(_ key: CacheKey) -> Diagnostic? {
    guard key.lines.bytes.contains(Array("struct".utf8)), key.lines.bytes.contains(Array("define".utf8)),
      let text = Glslang.preprocess(key.lines.bytes, fileName: key.fileName, macros: key.macros)
    else { return nil }
    var line = 1
    let tokens = Lexer.tokens(ofAddedText: text).map { token in
      defer { line += token.kind == .lineEnd ? 1 : 0 }
      return Token(token.kind, token.text, origin: key.lines.origin(ofLine: line), isInDirective: token.isInDirective)
    }
    return LimitCheck(TextLimits()).memberDiagnostic(tokens)
  }

  private static func tooLong(_ source: GeneratedSource) -> DiagnosticsError {
    let first = source.pieces.lazy.compactMap(\.origin).first
    return DiagnosticsError(
      Diagnostic(
        "glsl.too-long", "the shader is longer than \(maximumTextLength >> 20) MiB",
        labels: first.map { [.init($0.source, $0.range.lowerBound..<$0.range.lowerBound, "starts here")] } ?? []))
  }
}

// MARK: Results

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

/// Why a pass did not become a kernel.
package enum CompileError: Error, Sendable, Hashable {
  /// The author's text is wrong, or, with an id that starts with `internal.`, Etalon's text around it.
  case diagnostics(DiagnosticsError)
  /// The world did not let it be compiled: it took too long, or memory ran out.
  case failure(RenderError)
}
