extension Program {
  /// Programs that give nothing but an expression of this one, or that run nothing but one of its statements.
  var isolatedParts: [Program] {
    var parts: [Program] = []
    for index in functions.indices {
      for expression in Set(expressions(inFunction: index)) { parts += isolating(expression) }
      Self.visit(functions[index].body) { block in
        for statement in block { parts += isolating(statement).map { [$0] } ?? [] }
      }
    }
    return parts
  }

  private var entry: Int { functions.count - 1 }

  /// Whether a variable has a value wherever the program begins.
  private func isKnownEverywhere(_ variable: Int) -> Bool {
    switch variables[variable].storage {
    case .global, .constant: true
    case .local, .scratch: false
    case .parameter: functions[entry].parameters.contains(variable)
    }
  }

  /// A value that follows from the place of an invocation.
  ///
  /// - Parameter number: the parameter of the entry that is taken next, so that neighbors are not alike.
  private func standIn(_ type: ProgramType, _ number: inout Int) -> Expression {
    guard case .vector(_, 1) = type else {
      return Expression(kind: .construct, type: type, operands: type.parts.map { standIn($0, &number) })
    }
    let parameters = functions[entry].parameters
    let place = Expression(kind: .variable(parameters[number % parameters.count]), type: .uint)
    number += 1
    return type == .uint ? place : Expression(kind: .convert, type: type, operands: [place])
  }

  private func isolating(_ expression: Expression) -> [Program] {
    // A number or a variable alone is wrong nowhere.
    guard !expression.operands.isEmpty else { return [] }
    var standIns: [Int: Expression] = [:], number = 0
    for case .variable(let variable) in expression.nodes.map(\.kind) where !isKnownEverywhere(variable) && standIns[variable] == nil {
      standIns[variable] = standIn(variables[variable].type, &number)
    }
    let closed = expression.replacing { if case .variable(let variable) = $0.kind { standIns[variable] } else { nil } }
    return closed.converted(to: .uint).map { word in
      var copy = self
      copy.functions[entry].body = []
      copy.functions[entry].requiredCount = 0
      copy.functions[entry].end = word
      return copy.tidied
    }
  }

  /// A statement over variables that are declared in front of it; the result is made of what they hold then.
  private func isolating(_ statement: Statement) -> Program? {
    var declared: Set<Int> = []
    func findDeclared(_ statement: Statement) {
      switch statement.kind {
      case .declare(let variable): declared.insert(variable)
      case .loop(_, let counter, _): declared.insert(counter)
      default: break
      }
      for block in statement.blocks { block.forEach(findDeclared) }
    }
    findDeclared(statement)
    var copy = self
    copy.functions[entry].body = [statement]
    copy.functions[entry].requiredCount = 0
    copy.functions[entry].end = nil
    var renamed: [Int: Int] = [:], number = 0, declarations: [Statement] = [], result: Expression?
    for case .variable(let variable) in copy.expressions(inFunction: entry).map(\.kind) where renamed[variable] == nil {
      guard !declared.contains(variable), !isKnownEverywhere(variable) else { continue }
      let type = variables[variable].type
      renamed[variable] = copy.variables.count
      copy.variables.append(.init(type: type, storage: .local))
      declarations.append(Statement(kind: .declare(copy.variables.count - 1), expressions: [standIn(type, &number)]))
    }
    // What is declared by the statement alone is gone behind it, unless it is the statement.
    var seen = Array(renamed.values).sorted()
    if case .declare(let variable) = statement.kind { seen.append(variable) }
    seen += copy.usedVariables.filter {
      if case .global = copy.variables[$0].storage { true } else { false }
    }.sorted()
    for variable in seen {
      guard let word = Expression(kind: .variable(variable), type: copy.variables[variable].type).firstWord else { continue }
      result = result.map { Expression(kind: .binary(.xor), type: .uint, operands: [$0, word]) } ?? word
    }
    guard let result else { return nil }
    copy.functions[entry].end = result
    let own = Self.leavingWithWords(statement)
    let renamedBlock = Self.mapped([own]) { expression in
      expression.replacing {
        guard case .variable(let variable) = $0.kind, let other = renamed[variable] else { return nil }
        return Expression(kind: .variable(other), type: $0.type)
      }
    }
    copy.functions[entry].body = declarations + renamedBlock
    return copy.tidied
  }

  /// The same statement as one of the entry, whose result is a word.
  private static func leavingWithWords(_ statement: Statement) -> Statement {
    var copy = statement
    if statement.kind == .leave { copy.expressions = [statement.expressions.first?.firstWord ?? .literal(UInt32(0))] }
    copy.blocks = statement.blocks.map { $0.map(leavingWithWords) }
    return copy
  }
}
