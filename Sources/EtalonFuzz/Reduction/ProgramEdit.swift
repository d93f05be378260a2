extension Program {
  /// The number of blocks of statements: the bodies of functions, and the blocks of statements, each before those within it.
  var blockCount: Int {
    var count = 0
    for function in functions { Self.visit(function.body) { _ in count += 1 } }
    return count
  }

  /// The statements of a block.
  func block(_ number: Int) -> [Statement] {
    var found: [Statement] = []
    var count = 0
    for function in functions {
      Self.visit(function.body) {
        if count == number { found = $0 }
        count += 1
      }
    }
    return found
  }

  /// How many of the first statements of a block must stay.
  func requiredCount(inBlock number: Int) -> Int {
    var count = 0
    for function in functions {
      if count == number { return function.requiredCount }
      Self.visit(function.body) { _ in count += 1 }
    }
    return 0
  }

  static func visit(_ block: [Statement], _ body: ([Statement]) -> Void) {
    body(block)
    for statement in block { for inner in statement.blocks { visit(inner, body) } }
  }

  /// The same program with another block.
  func replacingBlock(_ number: Int, _ edit: ([Statement]) -> [Statement]) -> Program {
    var copy = self
    var left = number
    for index in copy.functions.indices { copy.functions[index].body = Self.edited(copy.functions[index].body, &left, edit) }
    return copy
  }

  private static func edited(_ block: [Statement], _ left: inout Int, _ edit: ([Statement]) -> [Statement]) -> [Statement] {
    guard left >= 0 else { return block }
    left -= 1
    if left < 0 { return edit(block) }
    return block.map { statement in
      var copy = statement
      copy.blocks = statement.blocks.map { edited($0, &left, edit) }
      return copy
    }
  }

  // MARK: Expressions

  /// The number of expressions, each before its operands.
  var expressionCount: Int {
    var count = 0
    _ = mappingExpressions { expression in
      count += expression.nodeCount
      return expression
    }
    return count
  }

  /// The same program with another expression in the place of one; nil where the edit gives none.
  func replacingExpression(_ number: Int, _ edit: (Expression) -> Expression?) -> Program? {
    var left = number
    var isEdited = false
    let copy = mappingExpressions { expression in
      guard left >= 0 else { return expression }
      let count = expression.nodeCount
      guard left < count else {
        left -= count
        return expression
      }
      return Self.edited(expression, &left) { old in
        guard let new = edit(old) else { return old }
        isEdited = true
        return new
      }
    }
    return isEdited ? copy : nil
  }

  private static func edited(_ expression: Expression, _ left: inout Int, _ edit: (Expression) -> Expression) -> Expression {
    guard left >= 0 else { return expression }
    left -= 1
    if left < 0 { return edit(expression) }
    var copy = expression
    copy.operands = expression.operands.map { edited($0, &left, edit) }
    return copy
  }

  /// The same program with every expression replaced, those within others first.
  func replacingAll(_ edit: (Expression) -> Expression) -> Program {
    func replaced(_ expression: Expression) -> Expression {
      var copy = expression
      copy.operands = expression.operands.map(replaced)
      return edit(copy)
    }
    return mappingExpressions(replaced)
  }

  /// The same program with each expression of a statement, and each result of a function, replaced.
  private func mappingExpressions(_ edit: (Expression) -> Expression) -> Program {
    var copy = self
    for index in copy.functions.indices {
      copy.functions[index].body = Self.mapped(copy.functions[index].body, edit)
      copy.functions[index].end = copy.functions[index].end.map(edit)
    }
    return copy
  }

  /// The same statements with each of their expressions replaced.
  static func mapped(_ block: [Statement], _ edit: (Expression) -> Expression) -> [Statement] {
    block.map { statement in
      var copy = statement
      copy.expressions = statement.expressions.map(edit)
      copy.blocks = statement.blocks.map { mapped($0, edit) }
      return copy
    }
  }

  // MARK: What is used

  /// The functions that the entry reaches.
  var reachableFunctions: Set<Int> {
    var reached: Set<Int> = [functions.count - 1]
    // Functions call only those before them.
    for index in functions.indices.reversed() where reached.contains(index) {
      for case .call(let callee) in kinds(inFunction: index) { reached.insert(callee) }
    }
    return reached
  }

  /// The variables that these functions name.
  var usedVariables: Set<Int> {
    var used: Set<Int> = []
    for index in reachableFunctions {
      used.formUnion(functions[index].parameters)
      for case .variable(let variable) in kinds(inFunction: index) { used.insert(variable) }
    }
    return used
  }

  private func kinds(inFunction index: Int) -> [Expression.Kind] { expressions(inFunction: index).map(\.kind) }

  /// The expressions of a function, each before its operands.
  func expressions(inFunction index: Int) -> [Expression] {
    var found: [Expression] = []
    Self.visit(functions[index].body) { block in
      for statement in block { for expression in statement.expressions { found += expression.nodes } }
    }
    return found + (functions[index].end?.nodes ?? [])
  }
}
