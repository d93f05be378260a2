/// Turns a program into steps: functions are put where they are called, and control flow becomes jumps.
struct StepCompiler {
  /// Where a jump out of a loop, a switch or a function leads, once that is known.
  private struct Target {
    var jumps: [Int] = []
  }

  private struct Scope {
    var leave = Target()
    /// Nil for a switch.
    var next: Target?
  }

  private struct Call {
    let result: Int
    var end = Target()
  }

  private let program: RandomProgram
  private var code = StepCode()
  private var used = 0
  /// Where each variable lies.
  var places: [Int: Int] = [:]
  private var scopes: [Scope] = []
  private var calls: [Call] = []
  private var rounds: [StepCode.Round] = []

  static func compile(_ program: RandomProgram) -> StepCode {
    var compiler = StepCompiler(program)
    return compiler.compile()
  }

  private init(_ program: RandomProgram) { self.program = program }

  private mutating func compile() -> StepCode {
    code.place = reserve(1)
    for word in program.uniforms { setStart(reserve(1), word) }
    for (index, variable) in program.variables.enumerated() {
      switch variable.storage {
      case .global(let words), .constant(let words):
        let place = reserve(words.count)
        places[index] = place
        for (offset, word) in words.enumerated() { setStart(place + offset, word) }
      case .scratch: places[index] = reserve(variable.type.wordCount)
      case .local, .parameter: break
      }
    }
    let entry = program.functions[program.functions.count - 1]
    code.arguments = (reserve(1), reserve(1))
    code.result = call(entry, arguments: [code.arguments.x, code.arguments.y])
    code.start += Array(repeating: 0, count: max(0, most - code.start.count))
    return code
  }

  var uniformsStart: Int { code.place + 1 }

  private mutating func setStart(_ place: Int, _ word: UInt32) {
    if code.start.count <= place { code.start += Array(repeating: 0, count: place + 1 - code.start.count) }
    code.start[place] = word
  }

  // MARK: Words and steps

  private var most = 0

  mutating func reserve(_ count: Int) -> Int {
    defer {
      used += count
      most = max(most, used)
    }
    return used
  }

  mutating func add(_ operation: Step.StepOperation, _ to: Int, _ x: Int = 0, _ y: Int = 0) {
    code.steps.append(Step(operation: operation, to: Int32(to), x: Int32(truncatingIfNeeded: x), y: Int32(truncatingIfNeeded: y)))
  }

  mutating func result(_ operation: Step.StepOperation, _ x: Int = 0, _ y: Int = 0) -> Int {
    let to = reserve(1)
    add(operation, to, x, y)
    return to
  }

  mutating func constant(_ word: UInt32) -> Int { result(.constant, Int(Int32(bitPattern: word))) }
  mutating func constant(float: Float) -> Int { constant(float.bitPattern) }

  mutating func move(_ count: Int, _ from: Int, to: Int) {
    for offset in 0..<count { add(.move, to + offset, from + offset) }
  }

  /// A step at which invocations wait for each other.
  mutating func wait(_ operation: Step.StepOperation, _ to: Int = 0, _ x: Int = 0, _ y: Int = 0) {
    code.rounds[code.steps.count] = rounds
    add(operation, to, x, y)
  }

  /// Adds a jump whose aim is not yet known.
  mutating func jump(_ operation: Step.StepOperation = .jump, testing word: Int = 0) -> Int {
    add(operation, 0, word)
    return code.steps.count - 1
  }

  mutating func land(_ jump: Int, at place: Int? = nil) {
    let step = code.steps[jump]
    code.steps[jump] = Step(operation: step.operation, to: Int32(place ?? code.steps.count), x: step.x, y: step.y)
  }

  private mutating func land(_ target: Target) { for jump in target.jumps { land(jump) } }

  // MARK: Calls

  /// Runs a function over arguments, and returns where its result lies.
  mutating func call(_ function: RandomProgram.Function, arguments: [Int]) -> Int {
    let result = reserve(function.result.wordCount)
    for (parameter, argument) in zip(function.parameters, arguments) {
      let count = program.variables[parameter].type.wordCount
      places[parameter] = reserve(count)
      move(count, argument, to: places[parameter] ?? 0)
    }
    calls.append(Call(result: result))
    let mark = used
    // The variables of the body are there still where the result is worked out.
    for statement in function.body { compile(statement) }
    if let end = function.end { move(function.result.wordCount, value(end), to: result) }
    if let call = calls.popLast() { land(call.end) }
    used = mark
    return result
  }

  mutating func call(_ expression: ProgramExpression, _ number: Int) -> Int {
    let function = program.functions[number]
    var destinations: [(Place, Int, Int)] = []
    var arguments: [Int] = []
    for (operand, parameter) in zip(expression.operands, function.parameters) {
      let variable = program.variables[parameter]
      if case .parameter(.copied) = variable.storage {
        arguments.append(value(operand))
      } else {
        let place = place(operand)
        destinations.append((place, parameter, variable.type.wordCount))
        arguments.append(load(place, count: variable.type.wordCount))
      }
    }
    let result = call(function, arguments: arguments)
    for (place, parameter, count) in destinations { store(places[parameter] ?? 0, count: count, at: place) }
    return result
  }

  // MARK: Places

  /// A place in memory: words, and a word that says how far behind them it begins.
  struct Place {
    var first: Int
    var offset: Int?
    /// The components of a vector that are meant; nil for all.
    var components: [Int]?
  }

  private mutating func place(_ expression: ProgramExpression) -> Place {
    switch expression.kind {
    case .variable(let variable): return Place(first: places[variable] ?? 0)
    case .member(let member):
      var place = place(expression.operands[0])
      place.first += expression.operands[0].type.parts[..<member].reduce(0) { $0 + $1.wordCount }
      return place
    case .swizzle(let components):
      var place = place(expression.operands[0])
      place.components = components
      return place
    case .element:
      var place = place(expression.operands[0])
      guard let elements = expression.operands[0].type.elements else { preconditionFailure("an index into \(expression.operands[0].type)") }
      let index = index(expression.operands[1], elements.count, scale: elements.type.wordCount)
      place.offset = place.offset.map { result(.add, $0, index) } ?? index
      return place
    default: preconditionFailure("no place: \(expression.kind)")
    }
  }

  mutating func index(_ expression: ProgramExpression, _ count: Int, scale: Int) -> Int {
    result(.index, value(expression), count | scale << 16)
  }

  mutating func load(_ place: Place, count: Int) -> Int {
    if place.offset == nil && place.components == nil { return place.first }
    let to = reserve(count)
    for position in 0..<count {
      let word = place.first + (place.components?[position] ?? position)
      if let offset = place.offset { add(.load, to + position, word, offset) } else { add(.move, to + position, word) }
    }
    return to
  }

  private mutating func store(_ from: Int, count: Int, at place: Place) {
    for position in 0..<count {
      let word = place.first + (place.components?[position] ?? position)
      if let offset = place.offset { add(.store, word, from + position, offset) } else { add(.move, word, from + position) }
    }
  }

  // MARK: Statements

  private mutating func compile(_ statements: [Statement]) {
    let mark = used
    for statement in statements { compile(statement) }
    used = mark
  }

  private mutating func compile(_ statement: Statement) {
    let expressions = statement.expressions
    switch statement.kind {
    case .declare(let variable):
      let count = program.variables[variable].type.wordCount
      let place = reserve(count)
      places[variable] = place
      move(count, value(expressions[0]), to: place)
    case .assign: assign(value(expressions[1]), to: expressions[0])
    case .call: _ = value(expressions[0])
    case .branch:
      let otherwise = jump(.jumpIfZero, testing: value(expressions[0]))
      compile(statement.blocks[0])
      let end = jump()
      land(otherwise)
      compile(statement.blocks[1])
      land(end)
    case .loop(let loop, let counter, let mask): compile(loop, statement, counter, mask)
    case .choose(let labels): compile(choice: statement, labels)
    case .leaveScope: scopes[scopes.count - 1].leave.jumps.append(jump())
    case .nextRound:
      guard let loop = scopes.lastIndex(where: { $0.next != nil }) else { preconditionFailure("continue outside of a loop") }
      let jump = jump()
      scopes[loop].next?.jumps.append(jump)
    case .leave:
      if let result = expressions.first { move(result.type.wordCount, value(result), to: calls[calls.count - 1].result) }
      let jump = jump()
      calls[calls.count - 1].end.jumps.append(jump)
    case .block: compile(statement.blocks[0])
    case .exchange(let distance):
      let stored = value(expressions[1])
      wait(.barrier)
      add(.storeShared, 0, code.place, stored)
      wait(.barrier)
      let sum = result(.add, code.place, constant(UInt32(distance)))
      let other = result(.remainderUnsigned, sum, constant(UInt32(program.workgroupSize)))
      assign(result(.loadShared, other), to: expressions[0])
    case .gather(let gathering): compile(gathering, statement)
    }
  }

  private mutating func compile(_ gathering: Statement.Gathering, _ statement: Statement) {
    let count = Statement.Gathering.wordCount, expressions = statement.expressions
    let added = value(expressions[1]), at = index(expressions[2], count, scale: 1)
    wait(.barrier)
    let skip = jump(.jumpIfNotZero, testing: code.place)
    let start = constant(gathering.start)
    for word in 0..<count { add(.storeShared, 0, constant(UInt32(word)), start) }
    land(skip)
    wait(.barrier)
    add(.gather, Statement.Gathering.allCases.firstIndex(of: gathering) ?? 0, at, added)
    wait(.barrier)
    let from = index(expressions[3], count, scale: 1)
    assign(result(.loadShared, from), to: expressions[0])
  }

  private mutating func assign(_ from: Int, to target: ProgramExpression) {
    let count = target.type.wordCount
    // What is assigned may lie where it goes: `v = v.yx`.
    let copy = reserve(count)
    move(count, from, to: copy)
    store(copy, count: count, at: place(target))
  }

  private mutating func compile(_ loop: Statement.Loop, _ statement: Statement, _ counter: Int, _ mask: UInt32) {
    let mark = used
    let place = reserve(1), rounds = reserve(1), one = constant(1)
    places[counter] = place
    add(.constant, place)
    add(.constant, rounds)
    let start = code.steps.count
    self.rounds.append(.init(start: start, counter: rounds))
    scopes.append(Scope(next: Target()))
    func countUp(_ compiler: inout StepCompiler) { compiler.add(.add, place, place, one) }
    if loop != .whileLast {
      let jump = jump(.jumpIfZero, testing: condition(of: statement, counter: place, mask))
      scopes[scopes.count - 1].leave.jumps.append(jump)
    }
    if loop == .whileFirst || loop == .whileLast { countUp(&self) }
    compile(statement.blocks[0])
    if let next = scopes[scopes.count - 1].next { land(next) }
    if loop == .counted || loop == .endless { countUp(&self) }
    if loop == .whileLast {
      let jump = jump(.jumpIfZero, testing: condition(of: statement, counter: place, mask))
      scopes[scopes.count - 1].leave.jumps.append(jump)
    }
    add(.add, rounds, rounds, one)
    land(jump(), at: start)
    if let scope = scopes.popLast() { land(scope.leave) }
    self.rounds.removeLast()
    used = mark
  }

  /// Whether a loop goes on.
  private mutating func condition(of statement: Statement, counter: Int, _ mask: UInt32) -> Int {
    let limit = result(.and, value(statement.expressions[0]), constant(mask))
    let goesOn = result(.lessUnsigned, counter, limit)
    let condition = reserve(1)
    add(.move, condition, goesOn)
    let end = jump(.jumpIfZero, testing: goesOn)
    add(.move, condition, value(statement.expressions[1]))
    land(end)
    return condition
  }

  private mutating func compile(choice statement: Statement, _ labels: [[Int32?]]) {
    let selector = value(statement.expressions[0])
    var entries: [[Int]] = []
    var fallback: Int?
    for (group, labels) in labels.enumerated() {
      entries.append([])
      for label in labels {
        guard let label else {
          fallback = group
          continue
        }
        let isChosen = result(.equal, selector, constant(UInt32(bitPattern: label)))
        entries[group].append(jump(.jumpIfNotZero, testing: isChosen))
      }
    }
    let otherwise = jump()
    scopes.append(Scope())
    for (group, block) in statement.blocks.enumerated() {
      for entry in entries[group] { land(entry) }
      if fallback == group { land(otherwise) }
      compile(block)
    }
    if fallback == nil { land(otherwise) }
    if let scope = scopes.popLast() { land(scope.leave) }
  }
}
