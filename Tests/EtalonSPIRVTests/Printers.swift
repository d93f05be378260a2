@testable import EtalonSPIRV

/// Writes an interface as text that does not change unless the interface does.
///
/// ```
/// kernel main 8x8x1
/// uniforms 'Uniforms' at 0, 20 bytes
///   0 vec3 iResolution
///   12 float iTime
/// at 1: sampled 2D 'iChannel0'
/// ```
struct InterfacePrinter: Sendable {
  /// The text, ending in a newline.
  func text(_ interface: KernelInterface) -> String {
    let size = interface.workgroupSize.map(String.init).joined(separator: "x")
    var lines = ["kernel \(interface.entryPoint) \(size)\(interface.usesSubgroups ? " with subgroups" : "")"]
    if let block = interface.uniforms {
      lines.append("uniforms '\(block.name)' at \(block.binding), \(block.size) bytes")
      lines += block.members.map(text)
    }
    if let block = interface.pushConstants {
      lines.append("push constants '\(block.name)', \(block.size) bytes")
      lines += block.members.map(text)
    }
    lines += interface.resources.map { "at \($0.binding): \(text($0.kind)) '\($0.name)'" }
    return lines.joined(separator: "\n") + "\n"
  }

  private func text(_ member: KernelInterface.Member) -> String {
    var line = "  \(member.offset) \(member.type) \(member.name)"
    if let length = member.arrayLength { line += "[\(length)], one every \(member.arrayStride)" }
    if member.matrixStride > 0 { line += ", a \(member.isRowMajor ? "row" : "column") every \(member.matrixStride)" }
    return line
  }

  private func text(_ kind: KernelInterface.Resource.Kind) -> String {
    switch kind {
    case .sampledTexture(let dimension): "sampled \(dimension.rawValue)"
    case .storageTexture(let dimension, let format): "storage \(dimension.rawValue) \(format ?? "of any format")"
    case .storageBuffer: "buffer"
    }
  }
}

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
struct ControlFlowPrinter: Sendable {
  private typealias Tree = StructuredControlFlow
  private enum Item {
    case line(String)
    case region(Tree.RegionId, depth: Int)
  }
  private let function: Function

  init(_ function: Function) { self.function = function }

  /// The text, ending in a newline.
  func text(_ tree: StructuredControlFlow) -> String {
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
