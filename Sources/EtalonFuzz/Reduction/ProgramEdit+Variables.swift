extension Expression {
  /// The expression and all within it, each before its operands.
  var nodes: [Expression] { [self] + operands.flatMap(\.nodes) }

  /// The same expression with others in the place of parts; nil leaves a part as it is.
  func replacing(_ edit: (Expression) -> Expression?) -> Expression {
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
  func converted(to type: ProgramType) -> [Expression] {
    if self.type == type { return [self] }
    guard case .vector(let scalar, let count) = type, case .vector(let own, let length) = self.type else { return [] }
    func scalars(_ value: Expression, _ length: Int) -> Expression {
      if own == scalar { return value }
      // A float that no integer holds has bits.
      if own == .float, type == .uint { return Expression(kind: .unary(.bits), type: .uint, operands: [value]) }
      return Expression(kind: .convert, type: .vector(scalar, length), operands: [value])
    }
    func swizzle(_ components: [Int]) -> Expression {
      Expression(kind: .swizzle(components), type: .vector(own, components.count), operands: [self])
    }
    if length == count { return [scalars(self, count)] }
    if count == 1 { return (0..<length).map { scalars(swizzle([$0]), 1) } }
    if length == 1 { return [Expression(kind: .construct, type: type, operands: [scalars(self, 1)])] }
    return length > count ? [scalars(swizzle(Array(0..<count)), count)] : []
  }

  /// The first scalar of a value, as an unsigned number.
  var firstWord: Expression? {
    switch type {
    case .void: return nil
    case .vector: return converted(to: .uint).first
    case .structure(let structure):
      return structure.members.first.flatMap { Expression(kind: .member(0), type: $0, operands: [self]).firstWord }
    case .matrix, .array:
      return type.elements.flatMap { Expression(kind: .element, type: $0.type, operands: [self, .literal(UInt32(0))]).firstWord }
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

extension Program {
  /// The value that a variable begins with; nil where it has none, or where that is not known.
  func declaredValue(of variable: Int) -> Expression? {
    switch variables[variable].storage {
    case .global(let words), .constant(let words): return Expression(kind: .literal(words), type: variables[variable].type)
    case .parameter, .scratch: return nil
    case .local:
      var value: Expression?
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
  func removing(_ variable: Int, replacingReads value: Expression? = nil) -> Program? {
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
  var tidied: Program {
    let reachable = reachableFunctions
    let kept = functions.indices.filter(reachable.contains)
    let numbers = Dictionary(uniqueKeysWithValues: kept.enumerated().map { ($1, $0) })
    var copy = self
    copy.functions = kept.map { functions[$0] }
    copy = copy.replacingAll { expression in
      guard case .call(let callee) = expression.kind, let number = numbers[callee] else { return expression }
      return Expression(kind: .call(number), type: expression.type, operands: expression.operands)
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
