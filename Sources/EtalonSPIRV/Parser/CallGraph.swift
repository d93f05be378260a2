import EtalonDiagnostics

/// Who calls whom.
struct CallGraph {
  private let callees: [Id: [Id]]

  init(_ callees: [Id: [Id]]) { self.callees = callees }

  /// Makes sure that no function gets back to itself through calls.
  func checkAcyclic(_ functions: [Function], names: [Id: String]) throws(DiagnosticsError) {
    var isDone: [Id: Bool] = [:]
    for function in functions where isDone[function.id] == nil {
      var stack: [(id: Id, next: Int)] = [(function.id, 0)]
      isDone[function.id] = false
      while let (id, next) = stack.last {
        let calls = callees[id] ?? []
        if next == calls.count {
          isDone[id] = true
          stack.removeLast()
          continue
        }
        stack[stack.count - 1].next += 1
        switch isDone[calls[next]] {
        case nil:
          isDone[calls[next]] = false
          stack.append((calls[next], 0))
        case false?: throw recursion(stack.map(\.id), calls[next], names)
        case true?: break
        }
      }
    }
  }

  private func recursion(_ path: [Id], _ callee: Id, _ names: [Id: String]) -> DiagnosticsError {
    let cycle = path.drop { $0 != callee } + [callee]
    let text = cycle.prefix(8).map { names[$0].map { "'\($0)'" } ?? $0.description }.joined(separator: " calls ")
    return DiagnosticsError(
      Diagnostic("spirv.recursion", "a function calls itself: \(text)", help: ["shaders cannot recurse: write a loop instead"]))
  }
}
