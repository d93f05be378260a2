extension RandomProgram {
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

  fileprivate static func visit(_ block: [Statement], _ body: ([Statement]) -> Void) {
    body(block)
    for statement in block { for inner in statement.blocks { visit(inner, body) } }
  }

  /// The same program with another block.
  func replacingBlock(_ number: Int, _ edit: ([Statement]) -> [Statement]) -> RandomProgram {
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
  func replacingExpression(_ number: Int, _ edit: (ProgramExpression) -> ProgramExpression?) -> RandomProgram? {
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

  private static func edited(_ expression: ProgramExpression, _ left: inout Int, _ edit: (ProgramExpression) -> ProgramExpression)
    -> ProgramExpression
  {
    guard left >= 0 else { return expression }
    left -= 1
    if left < 0 { return edit(expression) }
    var copy = expression
    copy.operands = expression.operands.map { edited($0, &left, edit) }
    return copy
  }

  /// The same program with every expression replaced, those within others first.
  func replacingAll(_ edit: (ProgramExpression) -> ProgramExpression) -> RandomProgram {
    func replaced(_ expression: ProgramExpression) -> ProgramExpression {
      var copy = expression
      copy.operands = expression.operands.map(replaced)
      return edit(copy)
    }
    return mappingExpressions(replaced)
  }

  /// The same program with each expression of a statement, and each result of a function, replaced.
  private func mappingExpressions(_ edit: (ProgramExpression) -> ProgramExpression) -> RandomProgram {
    var copy = self
    for index in copy.functions.indices {
      copy.functions[index].body = Self.mapped(copy.functions[index].body, edit)
      copy.functions[index].end = copy.functions[index].end.map(edit)
    }
    return copy
  }

  /// The same statements with each of their expressions replaced.
  fileprivate static func mapped(_ block: [Statement], _ edit: (ProgramExpression) -> ProgramExpression) -> [Statement] {
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

  private func kinds(inFunction index: Int) -> [ProgramExpression.Kind] { expressions(inFunction: index).map(\.kind) }

  /// The expressions of a function, each before its operands.
  func expressions(inFunction index: Int) -> [ProgramExpression] {
    var found: [ProgramExpression] = []
    Self.visit(functions[index].body) { block in
      for statement in block { for expression in statement.expressions { found += expression.nodes } }
    }
    return found + (functions[index].end?.nodes ?? [])
  }
}

// MARK: variables

extension ProgramExpression {
  /// The expression and all within it, each before its operands.
  var nodes: [ProgramExpression] { [self] + operands.flatMap(\.nodes) }

  /// The same expression with others in the place of parts; nil leaves a part as it is.
  func replacing(_ edit: (ProgramExpression) -> ProgramExpression?) -> ProgramExpression {
    if let other = edit(self) { return other }
    var copy = self
    copy.operands = operands.map { $0.replacing(edit) }
    return copy
  }

  /// The variable of which a place is a part.
  var root: Int? {
    if case .variable(let number) = kind { return number }
    return operands.first?.root
  }

  /// Ways to make a value of another type of this one; both are scalars or vectors.
  func converted(to type: ProgramType) -> [ProgramExpression] {
    if self.type == type { return [self] }
    guard case .vector(let scalar, let count) = type, case .vector(let own, let length) = self.type else { return [] }
    func scalars(_ value: ProgramExpression, _ length: Int) -> ProgramExpression {
      if own == scalar { return value }
      // A float may be too large for an integer; its bits are taken instead.
      if own == .float, type == .uint { return ProgramExpression(kind: .unary(.bits), type: .uint, operands: [value]) }
      return ProgramExpression(kind: .convert, type: .vector(scalar, length), operands: [value])
    }
    func swizzle(_ components: [Int]) -> ProgramExpression {
      ProgramExpression(kind: .swizzle(components), type: .vector(own, components.count), operands: [self])
    }
    if length == count { return [scalars(self, count)] }
    if count == 1 { return (0..<length).map { scalars(swizzle([$0]), 1) } }
    if length == 1 { return [ProgramExpression(kind: .construct, type: type, operands: [scalars(self, 1)])] }
    return length > count ? [scalars(swizzle(Array(0..<count)), count)] : []
  }

  /// The first scalar of a value, as an unsigned number.
  fileprivate var firstWord: ProgramExpression? {
    switch type {
    case .void: return nil
    case .vector: return converted(to: .uint).first
    case .structure(let structure):
      return structure.members.first.flatMap { ProgramExpression(kind: .member(0), type: $0, operands: [self]).firstWord }
    case .matrix, .array:
      return type.elements.flatMap { ProgramExpression(kind: .element, type: $0.type, operands: [self, .literal(UInt32(0))]).firstWord }
    }
  }
}

extension Statement {
  /// The variable that it gives a value; nil where it gives none, or several.
  var writtenVariable: Int? {
    switch kind {
    case .declare(let variable): variable
    case .assign, .exchange, .gather: expressions[0].root
    default: nil
    }
  }
}

extension RandomProgram {
  /// The value that a variable begins with; nil where it has none, or where that is not known.
  func declaredValue(of variable: Int) -> ProgramExpression? {
    switch variables[variable].storage {
    case .global(let words), .constant(let words): return ProgramExpression(kind: .literal(words), type: variables[variable].type)
    case .parameter, .scratch: return nil
    case .local:
      var value: ProgramExpression?
      for function in functions {
        Self.visit(function.body) { block in
          for statement in block where statement.kind == .declare(variable) { value = statement.expressions[0] }
        }
      }
      return value
    }
  }

  /// The same program without a variable and the statements that write it; nil for what the entry is given, and for what is not defined then.
  ///
  /// - Parameter value: what stands where it was read; zero if it is left out.
  func removing(_ variable: Int, replacingReads value: ProgramExpression? = nil) -> RandomProgram? {
    guard let entry = functions.last, !entry.parameters.contains(variable) else { return nil }
    let value = value ?? .zero(variables[variable].type)
    var copy = self
    for index in copy.functions.indices {
      let required = copy.functions[index].body.prefix(copy.functions[index].requiredCount)
      copy.functions[index].requiredCount -= required.count { $0.writtenVariable == variable }
      copy.functions[index].body = Self.without(variable, copy.functions[index].body)
      copy.functions[index].parameters.removeAll { $0 == variable }
    }
    let parameters = functions.map(\.parameters)
    return copy.replacingAll { expression in
      switch expression.kind {
      case .variable(variable): return value
      case .call(let callee):
        guard let place = parameters[callee].firstIndex(of: variable) else { return expression }
        var call = expression
        call.operands.remove(at: place)
        return call
      default: return expression
      }
    }.tidied
  }

  private static func without(_ variable: Int, _ block: [Statement]) -> [Statement] {
    block.filter { $0.writtenVariable != variable }.map { statement in
      var copy = statement
      copy.blocks = statement.blocks.map { without(variable, $0) }
      return copy
    }
  }

  // MARK: What is not used

  /// The same program without the functions, structures and memory that nothing uses.
  var tidied: RandomProgram {
    let reachable = reachableFunctions
    let kept = functions.indices.filter(reachable.contains)
    let numbers = Dictionary(uniqueKeysWithValues: kept.enumerated().map { ($1, $0) })
    var copy = self
    copy.functions = kept.map { functions[$0] }
    copy = copy.replacingAll { expression in
      guard case .call(let callee) = expression.kind, let number = numbers[callee] else { return expression }
      return ProgramExpression(kind: .call(number), type: expression.type, operands: expression.operands)
    }
    var types = copy.usedVariables.map { variables[$0].type } + copy.functions.map(\.result)
    var usesTexture = false, synchronizes = false
    for index in copy.functions.indices {
      let expressions = copy.expressions(inFunction: index)
      types += expressions.map(\.type)
      usesTexture = usesTexture || expressions.contains { $0.kind == .texel }
      Self.visit(copy.functions[index].body) { block in
        synchronizes =
          synchronizes
          || block.contains {
            switch $0.kind {
            case .exchange, .gather: true
            default: false
            }
          }
      }
    }
    let used = types.reduce(into: Set<Int>()) { $0.formUnion($1.structureNumbers) }
    copy.structures.removeAll { !used.contains($0.number) }
    copy.features.usesTexture = copy.features.usesTexture && usesTexture
    if !synchronizes { copy.sharedCount = 0 }
    if !copy.usesScratch { copy.scratchCount = 0 }
    return copy
  }

  private var usesScratch: Bool {
    usedVariables.contains { if case .scratch = variables[$0].storage { true } else { false } }
  }
}

extension ProgramType {
  /// The structures that values of it are made of.
  fileprivate var structureNumbers: Set<Int> {
    switch self {
    case .void, .vector, .matrix: []
    case .array(let element, _): element.structureNumbers
    case .structure(let structure): structure.members.reduce(into: [structure.number]) { $0.formUnion($1.structureNumbers) }
    }
  }
}

// MARK: parts alone

extension RandomProgram {
  /// Programs that give nothing but an expression of this one, or that run nothing but one of its statements.
  var isolatedParts: [RandomProgram] {
    var parts: [RandomProgram] = []
    for index in functions.indices {
      for expression in Set(expressions(inFunction: index)) { parts += isolating(expression) }
      Self.visit(functions[index].body) { block in
        for statement in block { parts += isolating(statement).map { [$0] } ?? [] }
      }
    }
    return parts
  }

  /// Whether every `break` and `continue` stands in what it leaves; a part of a loop need not.
  var jumpsAreEnclosed: Bool {
    func fits(_ block: [Statement], inLoop: Bool, inScope: Bool) -> Bool {
      block.allSatisfy { statement in
        switch statement.kind {
        case .nextRound: inLoop
        case .leaveScope: inScope
        case .loop: statement.blocks.allSatisfy { fits($0, inLoop: true, inScope: true) }
        case .choose: statement.blocks.allSatisfy { fits($0, inLoop: inLoop, inScope: true) }
        default: statement.blocks.allSatisfy { fits($0, inLoop: inLoop, inScope: inScope) }
        }
      }
    }
    return functions.allSatisfy { fits($0.body, inLoop: false, inScope: false) }
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
  private func standIn(_ type: ProgramType, _ number: inout Int) -> ProgramExpression {
    guard case .vector(_, 1) = type else {
      return ProgramExpression(kind: .construct, type: type, operands: type.parts.map { standIn($0, &number) })
    }
    let parameters = functions[entry].parameters
    let place = ProgramExpression(kind: .variable(parameters[number % parameters.count]), type: .uint)
    number += 1
    return type == .uint ? place : ProgramExpression(kind: .convert, type: type, operands: [place])
  }

  private func isolating(_ expression: ProgramExpression) -> [RandomProgram] {
    // A number or a variable alone gives no wrong result, so that it is left out.
    guard !expression.operands.isEmpty else { return [] }
    var standIns: [Int: ProgramExpression] = [:], number = 0
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
  private func isolating(_ statement: Statement) -> RandomProgram? {
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
    var renamed: [Int: Int] = [:], number = 0, declarations: [Statement] = [], result: ProgramExpression?
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
      guard let word = ProgramExpression(kind: .variable(variable), type: copy.variables[variable].type).firstWord else { continue }
      result = result.map { ProgramExpression(kind: .binary(.xor), type: .uint, operands: [$0, word]) } ?? word
    }
    guard let result else { return nil }
    copy.functions[entry].end = result
    let own = Self.leavingWithWords(statement)
    let renamedBlock = Self.mapped([own]) { expression in
      expression.replacing {
        guard case .variable(let variable) = $0.kind, let other = renamed[variable] else { return nil }
        return ProgramExpression(kind: .variable(other), type: $0.type)
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
