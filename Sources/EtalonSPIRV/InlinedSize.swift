/// How many instructions functions have once every call is replaced by the body of the function that it calls, as compilers for devices do.
///
/// ```swift
/// let sizes = InlinedSize(module)
/// if sizes[module.entryPoints[0].function] > InlinedSize.most { … }
/// ```
///
/// **Concurrency**: an immutable value.
package struct InlinedSize: Sendable {
  /// What a kernel may have: larger ones take minutes to compile.
  package static let most = 1 << 22
  /// Where counting ends, because functions that call others twice double at every level.
  package static let largest = 1 << 40

  /// A call, and how much it adds.
  package struct Call: Sendable, Hashable {
    /// The position of the instruction.
    package let position: Int
    package let caller: Id
    package let callee: Id
    /// The instructions of the callee with everything that it calls.
    package let size: Int
  }

  private let module: SPIRVModule
  private let calls: [Id: [Call]]
  private let sizes: [Id: Int]

  package init(_ module: SPIRVModule) {
    self.module = module
    var callees: [Id: [(position: Int, callee: Id)]] = [:]
    var own: [Id: Int] = [:]
    for function in module.functions {
      own[function.id] = (function.blocks.last?.terminator ?? function.instruction) - function.instruction
      for block in function.blocks {
        for instruction in module[block.body] where instruction.opcode == .OpFunctionCall {
          callees[function.id, default: []].append((instruction.index, instruction.id(0)))
        }
      }
    }
    sizes = Self.sizes(own, callees.mapValues { $0.map(\.callee) })
    calls = callees.reduce(into: [:]) { [sizes] calls, item in
      calls[item.key] = item.value.map { Call(position: $0.position, caller: item.key, callee: $0.callee, size: sizes[$0.callee] ?? 0) }
    }
  }

  /// Adds up from the functions that call nothing; functions do not call themselves.
  private static func sizes(_ own: [Id: Int], _ callees: [Id: [Id]]) -> [Id: Int] {
    var sizes: [Id: Int] = [:]
    for start in own.keys where sizes[start] == nil {
      var open = [start]
      while let function = open.last {
        let missing = sizes[function] == nil ? Set(callees[function, default: []].filter { sizes[$0] == nil }) : []
        guard missing.isEmpty else {
          open += missing
          continue
        }
        open.removeLast()
        if sizes[function] != nil { continue }
        sizes[function] = callees[function, default: []].reduce(own[function] ?? 0) { min($0 + (sizes[$1] ?? 0), largest) }
      }
    }
    return sizes
  }

  /// The instructions of a function with everything that it calls, at most `largest`.
  package subscript(function: Id) -> Int { sizes[function] ?? 0 }

  /// The call that makes a function larger than a limit: the heaviest one in the innermost function that is larger; nil where there is none.
  package func heaviestCall(from entry: Id, above limit: Int) -> Call? {
    var function = entry
    while let heaviest = calls[function]?.max(by: { $0.size < $1.size }) {
      guard heaviest.size > limit else { return heaviest }
      function = heaviest.callee
    }
    return nil
  }
}
