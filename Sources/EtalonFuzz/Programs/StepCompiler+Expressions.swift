/// Turns expressions into steps, and says where the words of their values lie.
extension StepCompiler {
  /// Where the words of a value lie.
  mutating func value(_ expression: ProgramExpression) -> Int {
    let count = expression.type.wordCount
    switch expression.kind {
    case .literal(let words):
      let to = reserve(count)
      for (offset, word) in words.enumerated() { add(.constant, to + offset, Int(Int32(bitPattern: word))) }
      return to
    case .variable(let variable): return places[variable] ?? 0
    case .uniform(let scalar, let component): return uniformsStart + (scalar == .int ? 0 : scalar == .uint ? 4 : 8) + component
    case .member(let member):
      return value(expression.operands[0]) + expression.operands[0].type.parts[..<member].reduce(0) { $0 + $1.wordCount }
    case .swizzle(let components):
      let from = value(expression.operands[0]), to = reserve(count)
      for (position, component) in components.enumerated() { add(.move, to + position, from + component) }
      return to
    case .element:
      guard let elements = expression.operands[0].type.elements else { preconditionFailure("an index into \(expression.operands[0].type)") }
      let base = value(expression.operands[0])
      let place = Place(first: base, offset: index(expression.operands[1], elements.count, scale: elements.type.wordCount))
      return load(place, count: count)
    case .construct:
      let parts = expression.operands.map { (value($0), $0.type.wordCount) }
      let to = reserve(count)
      var position = to
      for (from, count) in parts {
        move(count, from, to: position)
        position += count
      }
      // One scalar for all components.
      if parts.count == 1, parts[0].1 == 1 { for offset in 1..<max(count, 1) { add(.move, to + offset, to) } }
      return to
    case .convert: return converted(expression)
    case .unary(let unary): return self.unary(unary, expression)
    case .binary(let binary): return self.binary(binary, expression)
    case .select:
      let to = reserve(count)
      let otherwise = jump(.jumpIfZero, testing: value(expression.operands[0]))
      move(count, value(expression.operands[1]), to: to)
      let end = jump()
      land(otherwise)
      move(count, value(expression.operands[2]), to: to)
      land(end)
      return to
    case .mix:
      let condition = value(expression.operands[0]), yes = value(expression.operands[2]), no = value(expression.operands[1])
      let to = reserve(count)
      for offset in 0..<count {
        let otherwise = jump(.jumpIfZero, testing: condition + offset)
        add(.move, to + offset, yes + offset)
        let end = jump()
        land(otherwise)
        add(.move, to + offset, no + offset)
        land(end)
      }
      return to
    case .clamp: return clamped(expression)
    case .call(let function): return call(expression, function)
    case .texel:
      let x = value(expression.operands[0]), y = value(expression.operands[1]), to = reserve(4)
      add(.texel, to, x, y)
      return to
    case .costlyZero:
      _ = value(expression.operands[0])
      return constant(0)
    case .quadSwap(let direction):
      let from = value(expression.operands[0]), to = reserve(count)
      for offset in 0..<count { wait(.quadSwap, to + offset, from + offset, direction) }
      return to
    case .subgroup(let operation):
      let from = value(expression.operands[0]), to = reserve(count)
      let isSigned = expression.type.scalar == .int ? 1 : 0
      let number = ProgramExpression.Subgroup.allCases.firstIndex(of: operation) ?? 0
      for offset in 0..<count { wait(.subgroup, to + offset, from + offset, number << 1 | isSigned) }
      return to
    }
  }

  private mutating func converted(_ expression: ProgramExpression) -> Int {
    let operand = expression.operands[0], from = value(operand)
    let to = reserve(expression.type.wordCount)
    for offset in 0..<expression.type.wordCount {
      let operation: Step.StepOperation
      switch (operand.type.scalar, expression.type.scalar) {
      case (.float, .bool):
        let zero = constant(0)
        let isZero = result(.equalFloat, from + offset, zero)
        add(.not, to + offset, isZero)
        continue
      case (_, .bool): operation = .isNotZero
      case (.int, .float): operation = .floatFromSigned
      case (.uint, .float), (.bool, .float): operation = .floatFromUnsigned
      case (.float, .int): operation = .signedFromFloat
      case (.float, .uint): operation = .unsignedFromFloat
      default: operation = .move
      }
      add(operation, to + offset, from + offset)
    }
    return to
  }

  private mutating func clamped(_ expression: ProgramExpression) -> Int {
    let x = value(expression.operands[0]), low = value(expression.operands[1]), high = value(expression.operands[2])
    let to = reserve(expression.type.wordCount)
    let (ordered, minimum, maximum): (Step.StepOperation, Step.StepOperation, Step.StepOperation) =
      switch expression.type.scalar {
      case .int: (.orderedSigned, .minSigned, .maxSigned)
      case .float: (.orderedFloat, .minFloat, .maxFloat)
      default: (.orderedUnsigned, .minUnsigned, .maxUnsigned)
      }
    for offset in 0..<expression.type.wordCount {
      add(ordered, 0, low + offset, high + offset)
      let atLeast = result(maximum, x + offset, low + offset)
      add(minimum, to + offset, atLeast, high + offset)
    }
    return to
  }

  private mutating func unary(_ unary: ProgramExpression.Unary, _ expression: ProgramExpression) -> Int {
    let operand = expression.operands[0], from = value(operand)
    let count = operand.type.wordCount, isFloat = operand.type.scalar == .float, isSigned = operand.type.scalar == .int
    if unary == .any || unary == .all {
      let to = result(.move, from)
      for offset in 1..<max(count, 1) { add(unary == .any ? .or : .and, to, to, from + offset) }
      return to
    }
    if unary == .transpose, case .matrix(let columns, let rows) = operand.type {
      let to = reserve(count)
      for column in 0..<columns { for row in 0..<rows { add(.move, to + row * columns + column, from + column * rows + row) } }
      return to
    }
    let to = reserve(count)
    for offset in 0..<count {
      let x = from + offset, target = to + offset
      switch unary {
      case .negate:
        if isFloat { add(.multiplyFloat, target, x, constant(float: -1)) } else { add(.subtract, target, constant(0), x) }
      case .complement: add(.xor, target, x, constant(UInt32.max))
      case .not: add(.not, target, x)
      case .abs: add(.absFloat, target, x)
      case .sign: add(isFloat ? .signFloat : .signSigned, target, x)
      case .floor: add(.floorFloat, target, x)
      case .fract: add(.subtractFloat, target, x, result(.floorFloat, x))
      case .bitCount: add(.bitCount, target, x)
      case .findLSB: add(.findLSB, target, x)
      case .findMSB: add(isSigned ? .findMSBSigned : .findMSBUnsigned, target, x)
      case .bitfieldReverse: add(.reverse, target, x)
      case .bits: add(.addFloat, target, x, constant(float: 0))
      case .reduce:
        let whole = result(.signedFromFloat, result(.floorFloat, x))
        let small = result(.subtract, result(.and, whole, constant(511)), constant(256))
        add(.multiplyFloat, target, result(.floatFromSigned, small), constant(float: 0.5))
      case .any, .all, .transpose: break
      }
    }
    return to
  }

  private mutating func binary(_ binary: ProgramExpression.Binary, _ expression: ProgramExpression) -> Int {
    let left = expression.operands[0], right = expression.operands[1]
    if binary == .logicalAnd || binary == .logicalOr {
      let to = result(.move, value(left))
      let end = jump(binary == .logicalAnd ? .jumpIfZero : .jumpIfNotZero, testing: to)
      add(.move, to, value(right))
      land(end)
      return to
    }
    let x = value(left), y = value(right)
    if binary == .multiply, let product = product(left.type, x, right.type, y) { return product }
    if binary == .dot {
      var sum = result(.multiplyFloat, x, y)
      for offset in 1..<max(left.type.wordCount, 1) { sum = result(.addFloat, sum, result(.multiplyFloat, x + offset, y + offset)) }
      return sum
    }
    let count = max(left.type.wordCount, right.type.wordCount)
    let to = reserve(count)
    for offset in 0..<count {
      scalar(
        binary, left.type.scalar ?? .uint, to + offset, left.type.wordCount == 1 ? x : x + offset,
        right.type.wordCount == 1 ? y : y + offset)
    }
    guard expression.type == .bool, count > 1 else { return to }
    // Whole vectors are equal, or not.
    for offset in 1..<count { add(binary == .equal ? .and : .or, to, to, to + offset) }
    return to
  }

  /// A product with a matrix; nil for any other.
  private mutating func product(_ left: ProgramType, _ x: Int, _ right: ProgramType, _ y: Int) -> Int? {
    func sum(_ compiler: inout StepCompiler, _ count: Int, _ term: (Int) -> (Int, Int)) -> Int {
      var sum: Int?
      for number in 0..<count {
        let product = compiler.result(.multiplyFloat, term(number).0, term(number).1)
        sum = sum.map { compiler.result(.addFloat, $0, product) } ?? product
      }
      return sum ?? 0
    }
    switch (left, right) {
    case (.matrix(let columns, let rows), .vector(_, let count)) where count == columns:
      let words = (0..<rows).map { row in sum(&self, columns) { (x + $0 * rows + row, y + $0) } }
      return gathered(words)
    case (.vector(_, let count), .matrix(let columns, let rows)) where count == rows:
      let words = (0..<columns).map { column in sum(&self, rows) { (x + $0, y + column * rows + $0) } }
      return gathered(words)
    default: return nil
    }
  }

  private mutating func gathered(_ words: [Int]) -> Int {
    let to = reserve(words.count)
    for (offset, word) in words.enumerated() { add(.move, to + offset, word) }
    return to
  }

  private mutating func scalar(_ binary: ProgramExpression.Binary, _ kind: ProgramType.Scalar, _ to: Int, _ x: Int, _ y: Int) {
    let isFloat = kind == .float, isSigned = kind == .int
    let less: Step.StepOperation = isFloat ? .lessFloat : isSigned ? .lessSigned : .lessUnsigned
    switch binary {
    case .add: add(isFloat ? .addFloat : .add, to, x, y)
    case .subtract: add(isFloat ? .subtractFloat : .subtract, to, x, y)
    case .multiply: add(isFloat ? .multiplyFloat : .multiply, to, x, y)
    case .divide, .remainder:
      let divisor = result(.add, result(.and, y, constant(15)), constant(1))
      let dividend = binary == .remainder && isSigned ? result(.and, x, constant(UInt32(Int32.max))) : x
      if binary == .divide {
        add(isSigned ? .divideSigned : .divideUnsigned, to, dividend, divisor)
      } else {
        add(isSigned ? .remainderSigned : .remainderUnsigned, to, dividend, divisor)
      }
    case .and: add(.and, to, x, y)
    case .or: add(.or, to, x, y)
    case .xor, .logicalXor: add(.xor, to, x, y)
    case .shiftLeft: add(.shiftLeft, to, x, result(.and, y, constant(31)))
    case .shiftRight: add(isSigned ? .shiftRightSigned : .shiftRightUnsigned, to, x, result(.and, y, constant(31)))
    case .less: add(less, to, x, y)
    case .greater: add(less, to, y, x)
    case .lessEqual: add(.not, to, result(less, y, x))
    case .greaterEqual: add(.not, to, result(less, x, y))
    case .equal: add(isFloat ? .equalFloat : .equal, to, x, y)
    case .notEqual: add(.not, to, result(isFloat ? .equalFloat : .equal, x, y))
    case .min: add(isFloat ? .minFloat : isSigned ? .minSigned : .minUnsigned, to, x, y)
    case .max: add(isFloat ? .maxFloat : isSigned ? .maxSigned : .maxUnsigned, to, x, y)
    case .step:
      // 0 where the second one is smaller than the first, else 1.
      let isAtLeast = result(.not, result(.lessFloat, y, x))
      add(.floatFromUnsigned, to, isAtLeast)
    case .logicalAnd, .logicalOr, .dot: break
    }
  }
}
