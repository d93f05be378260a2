internal import EtalonCPU
package import EtalonCompiler
internal import EtalonDiagnostics
internal import EtalonManifest
package import EtalonPlan
internal import EtalonSPIRV
internal import EtalonSystem
package import EtalonTypes
internal import Synchronization

/// Evaluates GLSL expressions with the compiler and the executor that shaders have, so that they mean the same.
///
/// ```swift
/// let compiled = try GLSLExpressionEvaluator(cache: .user).compile([Expression("4 + 2*sin(time)", as: .float, place: nil)], names: ["time": .float])
/// let values = try compiled.values(["time": Value(.float, [0.5])])
/// ```
///
/// Copies share what they compiled, and compile the same expressions over the same names once.
///
/// **Concurrency**: usable from every thread; compiling blocks.
package struct GLSLExpressionEvaluator: ExpressionEvaluator {
  private let compiler: ShaderCompiler
  private let known = BoundedCache<ExpressionKey, ExpressionKernel>(limit: 4096)

  /// - Parameter cache: where compiled expressions are kept; nil compiles every time.
  package init(cache: KernelCache?) { compiler = ShaderCompiler(cache: cache) }

  package func compile(_ expressions: [GLSLExpression], names: [String: ValueType]) throws -> any CompiledExpressions {
    if let constants = ConstantExpressions(expressions) { return constants }
    let key = ExpressionKey(texts: expressions.map(\.text), types: expressions.map(\.type), names: names)
    return try known.value(for: key) { try kernel(expressions, names: names) }
  }

  private func kernel(_ expressions: [GLSLExpression], names: [String: ValueType]) throws -> ExpressionKernel {
    let items = expressions.map { expression in
      ExpressionProgram.Item(
        ExpressionText(expression.text, place: expression.place.map { SourceRange($0.source, $0.range) }), as: expression.type)
    }
    let pass = try ExpressionProgram(items, names: names).pass()
    let compiled: CompiledKernel
    do throws(CompileError) {
      compiled = try compiler.compile(filter: "graph", pass: pass, variant: StoreVariant(.packedFloat, alpha: .asReturned))
    } catch {
      switch error {
      case .diagnostics(let error): throw Self.explained(error, names)
      case .failure(let failure): throw failure
      }
    }
    return try ExpressionKernel(compiled.kernel, pass: pass, types: expressions.map(\.type))
  }

  /// The errors with the names that there are, where none is near to an unknown one.
  private static func explained(_ error: DiagnosticsError, _ names: [String: ValueType]) -> DiagnosticsError {
    let all = names.keys.sorted { ($0.first?.isUppercase ?? false ? 1 : 0, $0) < ($1.first?.isUppercase ?? false ? 1 : 0, $1) }
    return DiagnosticsError(
      error.diagnostics.map { found in
        guard found.id == "glsl.undeclared-identifier", found.help.isEmpty, !all.isEmpty else { return found }
        return Diagnostic(
          found.id, found.message, severity: found.severity, labels: found.labels, help: found.help,
          notes: found.notes + ["expressions know \(all.joined(separator: ", "))"])
      })
  }
}

/// What expressions say and mean, wherever they stand.
private struct ExpressionKey: Hashable {
  let texts: [String]
  let types: [ValueType]
  let names: [String: ValueType]

  /// Leaves out what is long to hash and seldom differs.
  func hash(into hasher: inout Hasher) { hasher.combine(texts) }
}

// MARK: compiled expressions

/// Expressions that were compiled to one kernel, ready on the reference executor.
private final class ExpressionKernel: CompiledExpressions {
  private let execution: Mutex<any PlanExecution>
  private let block: KernelInterface.Block?
  private let uniforms: [Uniform]
  private let types: [ValueType]

  init(_ kernel: Kernel, pass: PassSource, types: [ValueType]) throws {
    let size = Size(types.count, ExpressionProgram.setsPerRun)
    let output = kernel.interface.resources.first { $0.kind == .storageBuffer }
    let plan = Plan(
      textures: [], outputs: [.init(name: "values", size: size, format: .rgba32f, alpha: .straight)], kernels: [kernel],
      passes: [.init(name: pass.name, kernel: 0, size: size, bindings: output.map { [$0.binding: .output(0)] } ?? [:])])
    let backend = CPUBackend(.init(threadCount: 1))
    execution = Mutex(try backend.prepare(PlanChecker().check(plan), imports: [], framesInFlight: 1))
    block = kernel.interface.uniforms
    uniforms = pass.uniforms
    self.types = types
  }

  func values(_ names: [String: Value]) throws(RenderError) -> [Value] { try values([names])[0] }

  func values(_ sets: [[String: Value]]) throws(RenderError) -> [[Value]] {
    var results: [[Value]] = []
    for start in stride(from: 0, to: sets.count, by: ExpressionProgram.setsPerRun) {
      results += try run(sets[start..<min(start + ExpressionProgram.setsPerRun, sets.count)])
    }
    return results
  }

  private func run(_ sets: ArraySlice<[String: Value]>) throws(RenderError) -> [[Value]] {
    let words = try words(for: uniformBytes(sets))
    return sets.indices.map { set in
      types.enumerated().map { index, type in
        let first = 4 * ((set - sets.startIndex) * types.count + index)
        return Value(type, words[first..<first + type.componentCount].map { Self.number($0, type) })
      }
    }
  }

  /// Four words for each expression, set after set.
  private func words(for bytes: [UInt8]) throws(RenderError) -> [UInt32] {
    try execution.withLock { execution throws(RenderError) in
      let frame = try execution.submit(FrameValues(frame: 0, uniforms: [bytes]))
      defer { frame.release() }
      try frame.wait()
      var words: [UInt32] = []
      frame.withBands(of: 0) { _, _, band in
        for offset in stride(from: 0, to: band.byteCount, by: 4) {
          unsafe words.append(band.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self))
        }
      }
      return words
    }
  }

  /// Sets that are not there have zeros for all names; their values are not used.
  private func uniformBytes(_ sets: ArraySlice<[String: Value]>) -> [UInt8] {
    var bytes = UniformBytes(block)
    for member in block?.members ?? [] {
      guard let uniform = uniforms.first(where: { $0.name == member.name }), case .parameter(let name) = uniform.meaning else { continue }
      let components = sets.flatMap { names in
        guard let value = names[name] else { preconditionFailure("no value for '\(name)'") }
        return value.components
      }
      bytes.write(components, perElement: uniform.type.componentCount, as: uniform.type, to: member)
    }
    return bytes.bytes
  }

  private static func number(_ word: UInt32, _ type: ValueType) -> Double {
    switch type {
    case .int, .ivec2, .ivec3, .ivec4: Double(Int32(bitPattern: word))
    case .uint, .bool: Double(word)
    default: Double(Float(bitPattern: word))
    }
  }
}

/// Expressions that are all plain numbers, which need no kernel.
private struct ConstantExpressions: CompiledExpressions {
  private let constants: [Value]

  /// Nil when one of the expressions is anything else than a literal of its type.
  init?(_ expressions: [GLSLExpression]) {
    var constants: [Value] = []
    for expression in expressions {
      guard let value = ValueText.value(expression.text, as: expression.type), !expression.text.hasPrefix("#") else { return nil }
      constants.append(value)
    }
    self.constants = constants
  }

  func values(_ names: [String: Value]) throws(RenderError) -> [Value] { constants }
}
