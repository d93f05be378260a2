/// Writes a control-flow tree as indented text; blocks are named by their labels.
///
/// ```
/// block %5
/// loop
///   block %10
///   if %14
///     block %11
///   else
///     leave loop
///   continuing
///     block %13
/// ```
package struct ControlFlowPrinter: Sendable {
  private typealias Tree = StructuredControlFlow
  private enum Item {
    case line(String)
    case region(Tree.RegionId, depth: Int)
  }
  private let function: Function

  package init(_ function: Function) { self.function = function }

  /// The text, ending in a newline.
  package func text(_ tree: StructuredControlFlow) -> String {
    var text = ""
    var stack: [Item] = [.region(tree.root, depth: 0)]
    while let item = stack.popLast() {
      switch item {
      case .line(let line): text += line + "\n"
      case .region(let region, let depth): stack += tree[region].flatMap { items($0, depth: depth) }.reversed()
      }
    }
    return text
  }

  private func items(_ statement: StructuredControlFlow.Statement, depth: Int) -> [Item] {
    switch statement {
    case .block(let block): return [line("block \(label(block))", depth)]
    case .edge(let from, let to): return [line("edge \(label(from)) to \(label(to))", depth)]
    case .exit(let exit): return [line(text(exit), depth)]
    case .selection(let selection):
      return [
        line("if \(selection.condition)", depth), .region(selection.accept, depth: depth + 1), line("else", depth),
        .region(selection.reject, depth: depth + 1),
      ]
    case .loop(let loop):
      return [
        line("loop", depth), .region(loop.body, depth: depth + 1), line("continuing", depth + 1),
        .region(loop.continuing, depth: depth + 2),
      ]
    case .switching(let choice):
      return [line("switch \(choice.selector)", depth)] + choice.cases.flatMap { items($0, depth: depth) }
    }
  }

  private func items(_ choice: StructuredControlFlow.Case, depth: Int) -> [Item] {
    let names = choice.literals.map { "\($0)" } + (choice.isDefault ? ["default"] : [])
    let title = "case \(names.joined(separator: ", "))\(choice.fallsThrough ? ", falls through" : "")"
    return [line(title, depth), .region(choice.body, depth: depth + 1)]
  }

  private func line(_ text: String, _ depth: Int) -> Item { .line(String(repeating: "  ", count: depth) + text) }

  private func label(_ block: Int) -> Id { function.blocks[block].label }

  private func text(_ exit: StructuredControlFlow.Exit) -> String {
    switch exit {
    case .leaveLoop: "leave loop"
    case .continueLoop: "continue loop"
    case .leaveSwitch: "leave switch"
    case .return: "return"
    case .returnValue(let value): "return \(value)"
    case .kill: "kill"
    case .unreachable: "unreachable"
    }
  }
}
