internal import EtalonTypes

/// Makes programs by chance: the same for the same seed.
struct Generator {
  /// What surrounds a statement.
  struct Context {
    /// A loop or a switch.
    struct Target {
      let isLoop: Bool
      /// Whether invocations may leave it apart from each other.
      let mayPart: Bool
    }

    /// The variables that can be read.
    var scope: [Int]
    /// Those of them that are the same in all invocations of a workgroup.
    var uniform: Set<Int> = []
    /// Whether all invocations of the workgroup are here, and what follows has to keep it so.
    var isTogether: Bool
    var mayReturnApart: Bool
    var targets: [Target] = []
    var depth = 0
    /// How often the statements around this run, at most.
    var rounds = 1
    let result: ProgramType
    /// Whether the expression is an index, in which others are constants.
    var isIndex = false
    /// Whether only what is the same in all invocations may be read.
    var readsOnlyUniform = false
  }

  var dice: Dice
  var program: RandomProgram
  /// How many more statements and nodes of expressions there may be.
  var budget: Int
  let synchronizes: Bool
  private let isStage: Bool
  /// Whether the function that is being made changes what is not its own.
  var hasEffects = false
  var types: [ProgramType] = []
  /// What every function sees.
  var globals: [Int] = []
  /// The counters of loops, which nothing else changes.
  var counters: Set<Int> = []

  /// The program of a seed.
  static func program(seed: UInt64) -> RandomProgram {
    var generator = Generator(seed: seed)
    generator.generate()
    return generator.program
  }

  /// The chain of filters of a seed.
  static func chain(seed: UInt64) -> FilterChain {
    var dice = Dice(seed: seed)
    let stages = (0..<dice.pick(2...4)).map { _ in
      var generator = Generator(seed: dice.next(), isStage: true)
      generator.generate()
      let uniforms = generator.program.uniforms
      return generator.program.replacingAll { expression in
        guard case .uniform(let scalar, let component) = expression.kind else { return expression }
        return ProgramExpression(
          kind: .literal([uniforms[(scalar == .int ? 0 : scalar == .uint ? 4 : 8) + component]]), type: expression.type)
      }
    }
    return FilterChain(stages: stages, width: dice.pick(3...24), height: dice.pick(3...18))
  }

  /// - Parameter isStage: whether it becomes a filter of a chain, where invocations see nothing but their color.
  private init(seed: UInt64, isStage: Bool = false) {
    var dice = Dice(seed: seed)
    let isPicture = isStage || dice.happens(75)
    synchronizes = !isStage && dice.happens(isPicture ? 40 : 75)
    self.isStage = isStage
    let coverage: RandomProgram.Coverage =
      isPicture
      ? .picture(width: dice.pick(3...30), height: dice.pick(3...20), isInQuads: synchronizes && dice.happens(70))
      : .workgroups(size: dice.pick(from: [1, 5, 32, 64, 100, 200, 256, 257, 300, 512]), count: dice.pick(1...2))
    program = RandomProgram(coverage: coverage)
    budget = 0
    self.dice = dice
  }

  // MARK: Parts

  private mutating func generate() {
    program.uniforms = (0..<8).map { $0 % 2 == 0 ? UInt32(dice.pick(12)) : UInt32(truncatingIfNeeded: dice.next()) }
    program.uniforms += (0..<4).map { _ in exactFloat().bitPattern }
    program.features.usesTexture = !isStage && dice.happens(25)
    if program.features.usesTexture {
      program.texture = (0..<RandomProgram.textureSide * RandomProgram.textureSide * 4).map { _ in exactFloat().bitPattern }
    }
    if synchronizes {
      if case .picture(_, _, let isInQuads) = program.coverage {
        program.features.usesQuads = isInQuads
        program.features.usesSubgroups = dice.happens(50)
      } else {
        program.features.usesSubgroups = dice.happens(40)
      }
    }
    makeTypes()
    makeGlobals()
    for _ in 0..<dice.pick(weighted: [(4, 0), (3, 1), (2, 2), (1, 3)]) { makeFunction() }
    makeEntry()
    program.features.seesWorkgroup = program.sharedCount > 0 || program.features.usesSubgroups
  }

  private mutating func makeTypes() {
    types =
      [.int, .uint, .bool, .float, .int, .uint]
      + (0..<3).map { _ in .vector(dice.pick(from: [.int, .uint, .float, .bool]), dice.pick(2...4)) }
    if dice.happens(30) { types.append(.matrix(columns: dice.pick(2...3), rows: dice.pick(2...3))) }
    for number in 0..<dice.pick(3) {
      let members = (0..<dice.pick(1...3)).map { _ in dice.happens(20) ? array() : dice.pick(from: types) }
      let structure = ProgramType.Structure(number: number, members: members)
      program.structures.append(structure)
      types.append(.structure(structure))
    }
    if dice.happens(60) { types.append(array()) }
    if dice.happens(30) { types.append(array()) }
  }

  private mutating func array() -> ProgramType {
    let element = dice.pick(from: types)
    if case .array = element { return element }
    return .array(element, element.wordCount > 4 ? 2 : dice.pick(weighted: [(4, 2), (4, 3), (3, 5), (1, 9), (1, 20)]))
  }

  mutating func exactFloat() -> Float { Float(dice.pick(-40...40)) * 0.5 }

  mutating func words(_ type: ProgramType) -> [UInt32] {
    switch type {
    case .vector(let scalar, let count):
      return (0..<count).map { _ in
        switch scalar {
        case .float: exactFloat().bitPattern
        case .bool: UInt32(dice.pick(2))
        case .int: UInt32(bitPattern: dice.happens(70) ? Int32(dice.pick(-4...12)) : Int32(truncatingIfNeeded: dice.next()))
        case .uint: dice.happens(70) ? UInt32(dice.pick(16)) : UInt32(truncatingIfNeeded: dice.next())
        }
      }
    case .matrix: return (0..<type.wordCount).map { _ in Float(dice.pick(-2...2)).bitPattern }
    default: return type.parts.flatMap { words($0) }
    }
  }

  mutating func add(_ type: ProgramType, _ storage: RandomProgram.Variable.Storage) -> Int {
    program.variables.append(.init(type: type, storage: storage))
    return program.variables.count - 1
  }

  private mutating func makeGlobals() {
    for _ in 0..<dice.pick(3) {
      let type = dice.pick(from: types)
      globals.append(add(type, .global(words(type))))
    }
    if dice.happens(50) {
      let type = ProgramType.array(
        .vector(dice.pick(from: [.int, .uint, .float]), dice.pick(weighted: [(3, 1), (1, 3)])), dice.pick(2...9))
      globals.append(add(type, .constant(words(type))))
    }
    if !isStage, dice.happens(25) {
      let count = dice.pick(1...6)
      globals.append(add(.array(.uint, count), .scratch(first: 0)))
      program.scratchCount = count
    }
  }

  private mutating func makeFunction() {
    budget = dice.pick(4...14)
    let isUniform = synchronizes && dice.happens(40)
    let result = dice.happens(12) ? ProgramType.void : dice.pick(from: types)
    let parameters = (0..<dice.pick(1...3)).map { _ in
      add(dice.pick(from: types), .parameter(dice.pick(weighted: [(6, .copied), (2, .changed), (1, .result)])))
    }
    let outputs = parameters.filter { program.variables[$0].storage != .parameter(.copied) }
    hasEffects = !outputs.isEmpty || isUniform || result == .void
    var context = Context(
      scope: globals + parameters, isTogether: isUniform, mayReturnApart: !isUniform, depth: 1, rounds: 4, result: result)
    var body: [Statement] = []
    // A result has no value before it is given one.
    for output in parameters where program.variables[output].storage == .parameter(.result) {
      let type = program.variables[output].type
      var others = context
      others.scope.removeAll { program.variables[$0].storage == .parameter(.result) }
      body.append(Statement(kind: .assign, expressions: [variable(output), expression(type, others, depth: 2)]))
    }
    let requiredCount = body.count
    body += block(dice.pick(1...5), &context)
    let end = result == .void ? nil : expression(result, context, depth: 2)
    program.functions.append(
      .init(
        result: result, parameters: parameters, body: body, end: end, isUniform: isUniform, hasEffects: hasEffects,
        requiredCount: requiredCount))
  }

  private mutating func makeEntry() {
    let parameters = [add(.uint, .parameter(.copied)), add(.uint, .parameter(.copied))]
    var context = Context(scope: globals + parameters, isTogether: synchronizes, mayReturnApart: !synchronizes, result: .uint)
    var body: [Statement] = []
    for scratch in globals {
      guard case .scratch = program.variables[scratch].storage, case .array(_, let count) = program.variables[scratch].type else {
        continue
      }
      // What an earlier dispatch left there does not matter.
      for index in 0..<count {
        let place = ProgramExpression(kind: .element, type: .uint, operands: [variable(scratch), .literal(UInt32(index))])
        body.append(Statement(kind: .assign, expressions: [place, expression(.uint, contextOf(parameters), depth: 1)]))
      }
    }
    let requiredCount = body.count
    for _ in 0..<dice.pick(2...4) { body.append(declaration(&context)) }
    budget = dice.pick(10...40)
    body += block(budget / 3, &context)
    program.functions.append(
      .init(
        result: .uint, parameters: parameters, body: body, end: digest(context), isUniform: synchronizes, hasEffects: true,
        requiredCount: requiredCount))
  }

  private func contextOf(_ variables: [Int]) -> Context {
    Context(scope: variables, isTogether: false, mayReturnApart: true, result: .uint)
  }

  /// A number that hangs on every variable.
  private mutating func digest(_ context: Context) -> ProgramExpression {
    var sum = ProgramExpression.literal(UInt32(dice.pick(1000)))
    for number in context.scope {
      for scalar in scalars(of: variable(number)).prefix(6) {
        let shifted = ProgramExpression(kind: .binary(.multiply), type: .uint, operands: [sum, .literal(UInt32(31))])
        sum = ProgramExpression(kind: .binary(.add), type: .uint, operands: [shifted, bits(scalar)])
      }
    }
    return sum
  }

  /// All scalars in a value, one by one.
  private func scalars(of value: ProgramExpression) -> [ProgramExpression] {
    switch value.type {
    case .void: return []
    case .vector(_, 1): return [value]
    case .structure(let structure):
      return structure.members.enumerated().flatMap { scalars(of: ProgramExpression(kind: .member($0), type: $1, operands: [value])) }
    default:
      guard let elements = value.type.elements else { return [] }
      return (0..<elements.count).flatMap {
        scalars(of: ProgramExpression(kind: .element, type: elements.type, operands: [value, .literal(UInt32($0))]))
      }
    }
  }

  /// A scalar as an unsigned number.
  func bits(_ value: ProgramExpression) -> ProgramExpression {
    switch value.type.scalar {
    case .uint: value
    case .float: ProgramExpression(kind: .unary(.bits), type: .uint, operands: [value])
    default: ProgramExpression(kind: .convert, type: .uint, operands: [value])
    }
  }

  func variable(_ number: Int) -> ProgramExpression { ProgramExpression(kind: .variable(number), type: program.variables[number].type) }
}

/// Numbers that are random enough and the same on every machine and in every run.
struct Dice: Sendable {
  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func next() -> UInt64 { generator.next() }

  /// One of `0..<count`.
  mutating func pick(_ count: Int) -> Int { Int((next() >> 33) % UInt64(max(count, 1))) }
  mutating func pick(_ range: ClosedRange<Int>) -> Int { range.lowerBound + pick(range.count) }
  mutating func pick<Element>(from all: [Element]) -> Element { all[pick(all.count)] }
  /// True in so many of a hundred cases.
  mutating func happens(_ percent: Int) -> Bool { pick(100) < percent }

  /// One of several choices by their weights; choices with a weight of 0 never come.
  mutating func pick<Choice>(weighted choices: [(Int, Choice)]) -> Choice {
    var number = pick(choices.reduce(0) { $0 + $1.0 })
    for (weight, choice) in choices {
      number -= weight
      if number < 0 { return choice }
    }
    return choices[choices.count - 1].1
  }
}
