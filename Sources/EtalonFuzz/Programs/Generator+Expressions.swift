extension Generator {
  /// A float expression, and what is known of its values: they are multiples of 2^−fraction, and at most 2^magnitude.
  private struct Exact {
    let expression: ProgramExpression
    var magnitude = 8
    var fraction = 1
  }

  /// What variables hold, and functions take and return: multiples of a half that are at most 256.
  private static let magnitude = 8
  private static let fraction = 1
  /// The bits of a float's mantissa, less one.
  private static let mostBits = 22

  /// A value of a type.
  mutating func expression(_ type: ProgramType, _ context: Context, depth: Int) -> ProgramExpression {
    budget -= depth == 0 ? 0 : dice.pick(12) == 0 ? 1 : 0
    switch type {
    case .void: preconditionFailure("no value is void")
    case .vector(.float, _): return fitted(exact(type, context, depth: depth))
    case .vector(let scalar, let count):
      if depth <= 0 || dice.happens(12) { return leaf(type, context) }
      return scalar == .bool ? boolean(count, context, depth) : integer(scalar, count, context, depth)
    case .matrix(let columns, let rows):
      if dice.happens(40), let read = read(type, context) { return read }
      if columns == rows, depth > 0, dice.happens(25) {
        return ProgramExpression(kind: .unary(.transpose), type: type, operands: [expression(type, context, depth: depth - 1)])
      }
      return construct(type, context, depth: min(depth, 1))
    case .structure, .array:
      if dice.happens(50), let read = read(type, context) { return read }
      if depth > 0, let call = pureCall(type, context, depth) { return call }
      if type.wordCount > 12 { return ProgramExpression(kind: .literal(words(type)), type: type) }
      return construct(type, context, depth: min(depth, 1))
    }
  }

  private mutating func construct(_ type: ProgramType, _ context: Context, depth: Int) -> ProgramExpression {
    ProgramExpression(kind: .construct, type: type, operands: type.parts.map { expression($0, context, depth: depth - 1) })
  }

  // MARK: Leaves

  private mutating func leaf(_ type: ProgramType, _ context: Context) -> ProgramExpression {
    if dice.happens(65), let read = read(type, context) { return read }
    if case .vector(let scalar, 1) = type, scalar != .bool, dice.happens(35) {
      return ProgramExpression(kind: .uniform(scalar, component: dice.pick(4)), type: type)
    }
    if case .vector(_, let count) = type, count > 1, dice.happens(50) { return construct(type, context, depth: 1) }
    return ProgramExpression(kind: .literal(words(type)), type: type)
  }

  /// A part of a variable.
  private mutating func read(_ type: ProgramType, _ context: Context) -> ProgramExpression? {
    var candidates = context.scope
    if context.readsOnlyUniform {
      candidates = candidates.filter {
        if case .constant = program.variables[$0].storage { true } else { context.uniform.contains($0) }
      }
    }
    return part(of: candidates, type, context)
  }

  /// A place that may be assigned to.
  ///
  /// - Parameter isFixed: whether it must not depend on an index that is no constant.
  mutating func place(_ type: ProgramType, _ context: Context, isFixed: Bool = false) -> ProgramExpression? {
    let place = part(of: context.scope.filter { isWritable($0) }, type, context, isPlace: true, isFixed: isFixed)
    if let place, case .variable(let root)? = root(place)?.kind, globals.contains(root) { hasEffects = true }
    return place
  }

  private func root(_ place: ProgramExpression) -> ProgramExpression? {
    if case .variable = place.kind { return place }
    return place.operands.first.flatMap { root($0) }
  }

  func isWritable(_ variable: Int) -> Bool {
    if case .constant = program.variables[variable].storage { return false }
    return !counters.contains(variable)
  }

  private mutating func part(
    of candidates: [Int], _ type: ProgramType, _ context: Context, isPlace: Bool = false, isFixed: Bool = false
  ) -> ProgramExpression? {
    guard !candidates.isEmpty else { return nil }
    for _ in 0..<6 {
      var value = variable(dice.pick(from: candidates))
      if case .variable(let number) = value.kind, case .scratch = program.variables[number].storage, type != .uint { continue }
      while value.type != type {
        guard let next = step(into: value, towards: type, context, isPlace: isPlace, isFixed: isFixed) else { break }
        value = next
      }
      if value.type == type { return value }
    }
    return nil
  }

  private mutating func step(
    into value: ProgramExpression, towards type: ProgramType, _ context: Context, isPlace: Bool, isFixed: Bool
  ) -> ProgramExpression? {
    if case .structure(let structure) = value.type {
      let member = dice.pick(structure.members.count)
      return ProgramExpression(kind: .member(member), type: structure.members[member], operands: [value])
    }
    if case .vector(let scalar, let count) = value.type, count > 1, case .vector(scalar, let wanted) = type, wanted > 1 || dice.happens(50)
    {
      if isPlace && wanted > count { return nil }
      var all = Array(0..<count)
      let components = (0..<wanted).map { _ in isPlace ? all.remove(at: dice.pick(all.count)) : dice.pick(count) }
      return ProgramExpression(kind: .swizzle(components), type: type, operands: [value])
    }
    guard let elements = value.type.elements else { return nil }
    var index = ProgramExpression.literal(UInt32(dice.pick(elements.count)))
    if !isFixed, !context.isIndex, dice.happens(60) {
      var inner = context
      inner.isIndex = true
      index = expression(.uint, inner, depth: 1)
    }
    return ProgramExpression(kind: .element, type: elements.type, operands: [value, index])
  }

  // MARK: Calls and choices

  /// A call of a function that changes nothing.
  private mutating func pureCall(_ type: ProgramType, _ context: Context, _ depth: Int) -> ProgramExpression? {
    guard !context.readsOnlyUniform, context.rounds <= 60 else { return nil }
    let callable = program.functions.indices.filter {
      let function = program.functions[$0]
      return function.result == type && !function.hasEffects && !function.isUniform
    }
    guard !callable.isEmpty else { return nil }
    let number = dice.pick(from: callable)
    let operands = program.functions[number].parameters.map { expression(program.variables[$0].type, context, depth: depth - 1) }
    return ProgramExpression(kind: .call(number), type: type, operands: operands)
  }

  private mutating func select(_ type: ProgramType, _ context: Context, _ depth: Int) -> ProgramExpression {
    let condition = expression(.bool, context, depth: depth - 1)
    var apart = context
    apart.isTogether = false
    return ProgramExpression(
      kind: .select, type: type,
      operands: [condition, expression(type, apart, depth: depth - 1), expression(type, apart, depth: depth - 1)])
  }

  /// What other invocations have, where all are here.
  private mutating func exchanged(_ type: ProgramType, _ context: Context, _ depth: Int) -> ProgramExpression? {
    guard !context.readsOnlyUniform else { return nil }
    let isInteger = type.scalar == .int || type.scalar == .uint
    if program.features.usesQuads, context.isTogether, dice.happens(20) {
      return ProgramExpression(kind: .quadSwap(dice.pick(1...3)), type: type, operands: [expression(type, context, depth: depth - 1)])
    }
    guard program.features.usesSubgroups, isInteger, dice.happens(context.isTogether ? 15 : 4) else { return nil }
    if !context.isTogether { program.features.hasDivergentSubgroups = true }
    return ProgramExpression(
      kind: .subgroup(dice.pick(from: ProgramExpression.Subgroup.allCases)), type: type,
      operands: [expression(type, context, depth: depth - 1)])
  }

  // MARK: Integers

  private mutating func integer(_ scalar: ProgramType.Scalar, _ count: Int, _ context: Context, _ depth: Int) -> ProgramExpression {
    let type = ProgramType.vector(scalar, count)
    if let exchanged = exchanged(type, context, depth) { return exchanged }
    if dice.happens(10), let call = pureCall(type, context, depth) { return call }
    if count > 1, dice.happens(30) { return construct(type, context, depth: depth) }
    func operand(_ type: ProgramType, _ generator: inout Generator) -> ProgramExpression {
      generator.expression(type, context, depth: depth - 1)
    }
    switch dice.pick(20) {
    case 0...9:
      let operations: [ProgramExpression.Binary] = [
        .add, .subtract, .multiply, .and, .or, .xor, .add, .subtract, .divide, .remainder, .shiftLeft, .shiftRight, .min, .max,
      ]
      return ProgramExpression(
        kind: .binary(dice.pick(from: operations)), type: type, operands: [operand(type, &self), operand(type, &self)])
    case 10, 11:
      let operations: [ProgramExpression.Unary] =
        [.negate, .complement, .bitCount, .findLSB, .findMSB, .bitfieldReverse] + (scalar == .int ? [.sign] : [])
      return ProgramExpression(kind: .unary(dice.pick(from: operations)), type: type, operands: [operand(type, &self)])
    case 12, 13: return select(type, context, depth)
    case 14:
      return ProgramExpression(
        kind: .mix, type: type,
        operands: [operand(.vector(.bool, count), &self), operand(type, &self), operand(type, &self)])
    case 15:
      let limits = [Int32(dice.pick(8)), Int32(dice.pick(8...90))].map { value in
        ProgramExpression(kind: .literal(Array(repeating: UInt32(bitPattern: value), count: count)), type: type)
      }
      return ProgramExpression(kind: .clamp, type: type, operands: [operand(type, &self)] + limits)
    case 16:
      let other: ProgramType.Scalar = scalar == .int ? .uint : .int
      return ProgramExpression(kind: .convert, type: type, operands: [operand(.vector(other, count), &self)])
    case 17: return ProgramExpression(kind: .convert, type: type, operands: [operand(.vector(.bool, count), &self)])
    case 18:
      if scalar == .int { return ProgramExpression(kind: .convert, type: type, operands: [operand(.vector(.float, count), &self)]) }
      return count == 1 ? bits(operand(.float, &self)) : leaf(type, context)
    default:
      guard type == .int else { return leaf(type, context) }
      return ProgramExpression(kind: .costlyZero, type: .int, operands: [operand(.float, &self)])
    }
  }

  // MARK: Booleans

  private mutating func boolean(_ count: Int, _ context: Context, _ depth: Int) -> ProgramExpression {
    let type = ProgramType.vector(.bool, count)
    if count > 1, dice.happens(25) { return construct(type, context, depth: depth) }
    func operand(_ type: ProgramType, _ generator: inout Generator) -> ProgramExpression {
      generator.expression(type, context, depth: depth - 1)
    }
    switch dice.pick(10) {
    case 0...5:
      let compared = ProgramType.vector(dice.pick(from: [.int, .uint, .float, .int, .uint]), count)
      let operations: [ProgramExpression.Binary] = [.less, .lessEqual, .greater, .greaterEqual, .equal, .notEqual]
      return ProgramExpression(
        kind: .binary(dice.pick(from: operations)), type: type, operands: [operand(compared, &self), operand(compared, &self)])
    case 6 where count == 1:
      let left = operand(type, &self)
      var apart = context
      apart.isTogether = false
      return ProgramExpression(
        kind: .binary(dice.pick(from: [.logicalAnd, .logicalOr])), type: type, operands: [left, expression(type, apart, depth: depth - 1)])
    case 7 where count == 1:
      let vector = ProgramType.vector(.bool, dice.pick(2...4))
      return ProgramExpression(kind: .unary(dice.pick(from: [.any, .all])), type: type, operands: [operand(vector, &self)])
    case 8 where count == 1:
      let compared = ProgramType.vector(dice.pick(from: [.int, .uint, .float]), dice.pick(2...4))
      return ProgramExpression(
        kind: .binary(dice.pick(from: [.equal, .notEqual])), type: type, operands: [operand(compared, &self), operand(compared, &self)])
    default:
      if count == 1, dice.happens(40) {
        return ProgramExpression(kind: .binary(.logicalXor), type: type, operands: [operand(type, &self), operand(type, &self)])
      }
      return ProgramExpression(kind: .unary(.not), type: type, operands: [operand(type, &self)])
    }
  }

  // MARK: Floats

  /// The same, as what variables hold.
  private func fitted(_ exact: Exact) -> ProgramExpression {
    guard exact.magnitude > Self.magnitude || exact.fraction > Self.fraction else { return exact.expression }
    return ProgramExpression(kind: .unary(.reduce), type: exact.expression.type, operands: [exact.expression])
  }

  private mutating func exact(_ type: ProgramType, _ context: Context, depth: Int) -> Exact {
    guard depth > 0, case .vector(_, let count) = type, !dice.happens(12) else { return Exact(expression: leaf(type, context)) }
    if let exchanged = exchanged(type, context, depth) { return Exact(expression: exchanged) }
    if dice.happens(8), let call = pureCall(type, context, depth) { return Exact(expression: call) }
    switch dice.pick(14) {
    case 0...2:
      let (x, y) = pair(type, context, depth, mostBits: Self.mostBits - 1)
      let kind = ProgramExpression.Kind.binary(dice.pick(from: [.add, .subtract]))
      return Exact(
        expression: ProgramExpression(kind: kind, type: type, operands: [x.expression, y.expression]),
        magnitude: max(x.magnitude, y.magnitude) + 1, fraction: max(x.fraction, y.fraction))
    case 3, 4: return product(type, context, depth)
    case 5:
      let (x, y) = pair(type, context, depth, mostBits: Self.mostBits)
      return Exact(
        expression: ProgramExpression(kind: .binary(dice.pick(from: [.min, .max])), type: type, operands: [x.expression, y.expression]),
        magnitude: max(x.magnitude, y.magnitude), fraction: max(x.fraction, y.fraction))
    case 6:
      let x = exact(type, context, depth: depth - 1)
      let (operation, magnitude, fraction): (ProgramExpression.Unary, Int, Int) = dice.pick(from: [
        (.negate, x.magnitude, x.fraction), (.abs, x.magnitude, x.fraction), (.floor, x.magnitude + 1, 0), (.fract, 0, x.fraction),
        (.sign, 0, 0),
      ])
      return Exact(
        expression: ProgramExpression(kind: .unary(operation), type: type, operands: [x.expression]), magnitude: magnitude,
        fraction: fraction)
    case 7:
      let x = expression(.vector(.int, count), context, depth: depth - 1)
      let mask = ProgramExpression(kind: .literal(Array(repeating: 255, count: count)), type: x.type)
      let small = ProgramExpression(kind: .binary(.and), type: x.type, operands: [x, mask])
      return Exact(expression: ProgramExpression(kind: .convert, type: type, operands: [small]), fraction: 0)
    case 8:
      let x = expression(.vector(.bool, count), context, depth: depth - 1)
      return Exact(expression: ProgramExpression(kind: .convert, type: type, operands: [x]), magnitude: 0, fraction: 0)
    case 9: return Exact(expression: select(type, context, depth))
    case 10:
      let condition = expression(.vector(.bool, count), context, depth: depth - 1)
      let (x, y) = pair(type, context, depth, mostBits: Self.mostBits)
      return Exact(
        expression: ProgramExpression(kind: .mix, type: type, operands: [condition, x.expression, y.expression]),
        magnitude: max(x.magnitude, y.magnitude), fraction: max(x.fraction, y.fraction))
    case 11:
      let (x, y) = pair(type, context, depth, mostBits: Self.mostBits)
      return Exact(
        expression: ProgramExpression(kind: .binary(.step), type: type, operands: [x.expression, y.expression]), magnitude: 0, fraction: 0)
    case 12:
      guard program.features.usesTexture else { return Exact(expression: leaf(type, context)) }
      let texel = ProgramExpression(
        kind: .texel, type: .vector(.float, 4),
        operands: (0..<2).map { _ in expression(.uint, context, depth: depth - 1) })
      let components = (0..<count).map { _ in dice.pick(4) }
      return Exact(expression: ProgramExpression(kind: .swizzle(components), type: type, operands: [texel]))
    default: return count > 1 ? Exact(expression: construct(type, context, depth: depth)) : dot(context, depth)
    }
  }

  /// Two operands whose sum or product is exact in so many bits.
  private mutating func pair(_ type: ProgramType, _ context: Context, _ depth: Int, mostBits: Int) -> (Exact, Exact) {
    var pair = (0..<2).map { _ in exact(type, context, depth: depth - 1) }
    let magnitude = max(pair[0].magnitude, pair[1].magnitude), fraction = max(pair[0].fraction, pair[1].fraction)
    if magnitude + fraction > mostBits { pair = pair.map { Exact(expression: fitted($0)) } }
    return (pair[0], pair[1])
  }

  private mutating func product(_ type: ProgramType, _ context: Context, _ depth: Int) -> Exact {
    if case .vector(_, let count) = type, count > 1, count < 4, dice.happens(40) {
      let matrices = types.filter { if case .matrix(let columns, let rows) = $0 { columns == count || rows == count } else { false } }
      if !matrices.isEmpty, case .matrix(let columns, let rows) = dice.pick(from: matrices) {
        // Both have at most 8 bits before the point and one behind it.
        let matrix = expression(.matrix(columns: columns, rows: rows), context, depth: depth - 1)
        let isLeft = rows == count
        let vector = expression(.vector(.float, isLeft ? columns : rows), context, depth: depth - 1)
        let product = ProgramExpression(kind: .binary(.multiply), type: type, operands: isLeft ? [matrix, vector] : [vector, matrix])
        return Exact(expression: product, magnitude: 18, fraction: 2)
      }
    }
    var x = exact(type, context, depth: depth - 1)
    var y = exact(dice.happens(30) ? .float : type, context, depth: depth - 1)
    if x.magnitude + y.magnitude + x.fraction + y.fraction > Self.mostBits {
      (x, y) = (Exact(expression: fitted(x)), Exact(expression: fitted(y)))
    }
    return Exact(
      expression: ProgramExpression(kind: .binary(.multiply), type: type, operands: [x.expression, y.expression]),
      magnitude: x.magnitude + y.magnitude, fraction: x.fraction + y.fraction)
  }

  private mutating func dot(_ context: Context, _ depth: Int) -> Exact {
    let type = ProgramType.vector(.float, dice.pick(2...4))
    let operands = (0..<2).map { _ in expression(type, context, depth: depth - 1) }
    return Exact(expression: ProgramExpression(kind: .binary(.dot), type: .float, operands: operands), magnitude: 18, fraction: 2)
  }
}
