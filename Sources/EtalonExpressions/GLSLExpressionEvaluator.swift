internal import EtalonCPU
package import EtalonCompiler
internal import EtalonDiagnostics
internal import EtalonManifest
package import EtalonPlan
internal import EtalonSPIRV
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
  private let known = CompiledExpressionStore()

  /// - Parameter cache: where compiled expressions are kept; nil compiles every time.
  package init(cache: KernelCache?) { compiler = ShaderCompiler(cache: cache) }

  package func compile(_ expressions: [Expression], names: [String: ValueType]) throws -> any CompiledExpressions {
    if let constants = ConstantExpressions(expressions) { return constants }
    return try known.expressions(expressions, names: names) { try kernel(expressions, names: names) }
  }

  private func kernel(_ expressions: [Expression], names: [String: ValueType]) throws -> ExpressionKernel {
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
      case .diagnostics(let mistakes): throw mistakes
      case .failure(let failure): throw failure
      }
    }
    return try ExpressionKernel(compiled.kernel, pass: pass, types: expressions.map(\.type))
  }
}

/// Expressions that were compiled before, by what they say and mean, wherever they stand.
///
/// **Concurrency**: usable from every thread.
private final class CompiledExpressionStore: Sendable {
  private struct Key: Hashable {
    let texts: [String]
    let types: [ValueType]
    let names: [String: ValueType]
  }

  private let known = Mutex<[Key: ExpressionKernel]>([:])

  /// The expressions as they were compiled before, or as they are compiled now; mistakes are found anew each time.
  func expressions(
    _ expressions: [Expression], names: [String: ValueType], compile: () throws -> ExpressionKernel
  ) throws -> ExpressionKernel {
    let key = Key(texts: expressions.map(\.text), types: expressions.map(\.type), names: names)
    if let compiled = known.withLock({ $0[key] }) { return compiled }
    let compiled = try compile()
    known.withLock { $0[key] = compiled }
    return compiled
  }
}
