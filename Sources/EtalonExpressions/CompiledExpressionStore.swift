internal import EtalonPlan
internal import EtalonTypes
internal import Synchronization

/// Expressions that were compiled before, by what they say and mean, wherever they stand.
///
/// **Concurrency**: usable from every thread.
final class CompiledExpressionStore: Sendable {
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
