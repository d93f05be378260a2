extension Generator {
  /// Some statements with a scope of their own; the last one may be a jump.
  mutating func block(_ count: Int, _ context: inout Context, jumpPercent: Int = 0) -> [Statement] {
    var statements: [Statement] = []
    for _ in 0..<count {
      guard budget > 0 else { break }
      statements.append(statement(&context))
    }
    if dice.happens(jumpPercent), let jump = jump(context) { statements.append(jump) }
    return statements
  }

  private enum Choice {
    case assign, declare, branch, loop, choose, jump, call, block, exchange, gather
  }

  private mutating func statement(_ context: inout Context) -> Statement {
    budget -= 1
    let isDeep = context.depth >= 5
    let meets = context.isTogether && context.rounds <= 16
    let kind = dice.pick(weighted: [
      (30, Choice.assign), (10, .declare), (isDeep ? 0 : 22, .branch), (isDeep || context.rounds > 60 ? 0 : 12, .loop),
      (isDeep ? 0 : 8, .choose),
      (context.targets.isEmpty ? 1 : 7, .jump), (program.functions.isEmpty ? 0 : 14, .call), (2, .block), (meets ? 6 : 0, .exchange),
      (meets ? 4 : 0, .gather),
    ])
    switch kind {
    case .assign: return assignment(context)
    case .declare: return declaration(&context)
    case .branch: return branch(context)
    case .loop: return loop(context)
    case .choose: return choice(context)
    case .jump:
      guard let jump = jump(context) else { return assignment(context) }
      // Nothing runs behind a jump: put it behind a condition.
      return dice.happens(90) ? Statement(kind: .branch, expressions: [condition(of: context)], blocks: [[jump], []]) : jump
    case .call: return call(&context) ?? assignment(context)
    case .block:
      var inner = context
      inner.depth += 1
      return Statement(kind: .block, blocks: [block(dice.pick(1...3), &inner)])
    case .exchange:
      hasEffects = true
      program.sharedCount = max(program.sharedCount, program.workgroupSize)
      let target = place(.uint, context)
      guard let target else { return assignment(context) }
      return Statement(
        kind: .exchange(distance: dice.pick(1...40)), expressions: [target, expression(.uint, context, depth: 2)])
    case .gather:
      hasEffects = true
      program.sharedCount = max(program.sharedCount, program.workgroupSize, Statement.Gathering.wordCount)
      guard let target = place(.uint, context) else { return assignment(context) }
      return Statement(
        kind: .gather(dice.pick(from: Statement.Gathering.allCases)),
        expressions: [target] + (0..<3).map { _ in expression(.uint, context, depth: 2) })
    }
  }

  mutating func declaration(_ context: inout Context) -> Statement {
    let type = dice.pick(from: types)
    let value = expression(type, context, depth: 2)
    let number = add(type, .local)
    context.scope.append(number)
    return Statement(kind: .declare(number), expressions: [value])
  }

  private mutating func assignment(_ context: Context) -> Statement {
    let type = dice.pick(from: types.filter { if case .array = $0 { false } else { true } })
    guard let target = place(type, context) ?? place(.uint, context) ?? place(.int, context) else {
      return Statement(kind: .block, blocks: [[]])
    }
    var value = expression(target.type, context, depth: 3)
    // Most values depend on what was there.
    if case .vector(let scalar, _) = target.type, scalar == .int || scalar == .uint, dice.happens(60) {
      value = ProgramExpression(
        kind: .binary(dice.pick(from: [.add, .subtract, .xor, .multiply, .add])), type: target.type, operands: [target, value])
    }
    return Statement(kind: .assign, expressions: [target, value])
  }

  /// A condition, and whether all invocations that are here decide alike.
  private mutating func condition(of context: Context, isUniform: Bool? = nil) -> ProgramExpression {
    var context = context
    context.readsOnlyUniform = isUniform ?? (context.isTogether || dice.happens(35))
    context.isTogether = context.isTogether && !context.readsOnlyUniform
    return expression(.bool, context, depth: 2)
  }

  /// A condition that hangs on a uniform, so that it is not known before the program runs and is the same everywhere.
  private mutating func uniformCondition() -> ProgramExpression {
    // The first of each kind of uniform are small.
    let uniform = ProgramExpression(kind: .uniform(.uint, component: dice.pick(2) * 2), type: .uint)
    let operation = dice.pick(from: [ProgramExpression.Binary.less, .greater, .greaterEqual, .notEqual])
    return ProgramExpression(kind: .binary(operation), type: .bool, operands: [uniform, .literal(UInt32(dice.pick(12)))])
  }

  /// Something that takes long: it is skipped where no invocation is left.
  private mutating func costlyAssignment(_ context: Context) -> Statement? {
    guard let target = place(.int, context) else { return nil }
    var sum = ProgramExpression(kind: .binary(.add), type: .int, operands: [target, .literal(Int32(dice.pick(1...99)))])
    for _ in 0..<dice.pick(1...2) {
      let zero = ProgramExpression(kind: .costlyZero, type: .int, operands: [expression(.float, context, depth: 2)])
      sum = ProgramExpression(kind: .binary(.add), type: .int, operands: [sum, zero])
    }
    return Statement(kind: .assign, expressions: [target, sum])
  }

  /// An arm that some invocations leave in its middle, and all others at its end.
  private mutating func armThatIsLeft(_ context: Context) -> [Statement]? {
    guard var leaving = jump(context).map({ [$0] }), let end = jump(context), let costly = costlyAssignment(context) else { return nil }
    if dice.happens(60) { leaving = [Statement(kind: .branch, expressions: [uniformCondition()], blocks: [leaving, []])] }
    if dice.happens(30) { leaving.insert(assignment(context), at: 0) }
    let some = Statement(kind: .branch, expressions: [condition(of: context, isUniform: false)], blocks: [leaving, []])
    return [some, costly] + (dice.happens(70) ? [end] : [])
  }

  private mutating func branch(_ context: Context) -> Statement {
    if !context.isTogether, !context.targets.isEmpty, dice.happens(25), let arm = armThatIsLeft(context) {
      budget -= 3
      var other = context
      other.depth += 1
      let rest = dice.happens(30) ? block(1, &other, jumpPercent: 30) : []
      let condition = dice.happens(75) ? uniformCondition() : condition(of: context)
      return Statement(kind: .branch, expressions: [condition], blocks: dice.happens(75) ? [arm, rest] : [rest, arm])
    }
    var inner = context
    inner.depth += 1
    let staysTogether = context.isTogether && dice.happens(60)
    inner.isTogether = staysTogether
    let condition = condition(of: context, isUniform: context.isTogether ? staysTogether : nil)
    let jumps = context.targets.isEmpty ? 5 : 30
    var first = inner, second = inner
    let accepted = block(dice.pick(1...3), &first, jumpPercent: jumps)
    let rejected = dice.happens(40) ? block(dice.pick(1...3), &second, jumpPercent: jumps) : []
    return Statement(kind: .branch, expressions: [condition], blocks: [accepted, rejected])
  }

  private mutating func loop(_ context: Context) -> Statement {
    let staysTogether = context.isTogether && dice.happens(60)
    var outer = context
    outer.readsOnlyUniform = staysTogether || dice.happens(40)
    outer.isTogether = false
    let mask: UInt32 = context.rounds > 8 ? 3 : 7
    let limit = dice.happens(50) ? ProgramExpression.literal(UInt32(dice.pick(1...Int(mask)))) : expression(.uint, outer, depth: 1)
    let kind = dice.pick(from: Statement.Loop.allCases)
    let counter = add(.uint, .local)
    counters.insert(counter)
    var inner = context
    inner.depth += 1
    inner.rounds *= Int(mask)
    inner.isTogether = staysTogether
    inner.targets.append(.init(isLoop: true, mayPart: !staysTogether))
    inner.scope.append(counter)
    if outer.readsOnlyUniform { inner.uniform.insert(counter) }
    var head = outer
    head.scope.append(counter)
    if outer.readsOnlyUniform { head.uniform.insert(counter) }
    // A condition makes the counters of some invocations stop early, but all that are still there have the same.
    let condition = dice.happens(40) ? expression(.bool, head, depth: 2) : .literal(true)
    let body = block(dice.pick(1...4), &inner, jumpPercent: 15)
    return Statement(kind: .loop(kind, counter: counter, mask: mask), expressions: [limit, condition], blocks: [body])
  }

  private mutating func choice(_ context: Context) -> Statement {
    let staysTogether = context.isTogether && dice.happens(60)
    var outer = context
    outer.readsOnlyUniform = staysTogether || (!context.isTogether && dice.happens(30))
    outer.isTogether = false
    var selector = expression(.int, outer, depth: 2)
    if dice.happens(70) {
      selector = ProgramExpression(kind: .binary(.and), type: .int, operands: [selector, .literal(Int32(dice.pick(from: [3, 5, 7])))])
    }
    let count = dice.pick(1...4)
    var labels: [[Int32?]] = []
    var values = Array(Int32(-1)...8)
    let fallback = dice.happens(70) ? dice.pick(count) : -1
    for group in 0..<count {
      var own: [Int32?] = (0..<dice.pick(weighted: [(1, 0), (6, 1), (2, 2)])).map { _ in values.remove(at: dice.pick(values.count)) }
      if group == fallback { own.insert(nil, at: dice.pick(own.count + 1)) }
      if own.isEmpty { own.append(values.remove(at: 0)) }
      labels.append(own)
    }
    var blocks: [[Statement]] = []
    for _ in 0..<count {
      var inner = context
      inner.depth += 1
      inner.isTogether = staysTogether
      inner.targets.append(.init(isLoop: false, mayPart: !staysTogether))
      blocks.append(block(dice.pick(0...2), &inner, jumpPercent: 60))
    }
    return Statement(kind: .choose(labels), expressions: [selector], blocks: blocks)
  }

  /// A jump that may be made here.
  private mutating func jump(_ context: Context) -> Statement? {
    var kinds: [(Int, Statement.Kind)] = []
    if let target = context.targets.last, context.isTogether || target.mayPart { kinds.append((5, .leaveScope)) }
    if let loop = context.targets.last(where: \.isLoop), context.isTogether || loop.mayPart { kinds.append((4, .nextRound)) }
    if context.isTogether || context.mayReturnApart { kinds.append((2, .leave)) }
    guard !kinds.isEmpty else { return nil }
    let kind = dice.pick(weighted: kinds)
    guard kind == .leave, context.result != .void else { return Statement(kind: kind) }
    return Statement(kind: .leave, expressions: [expression(context.result, context, depth: 2)])
  }

  /// A call of a function that may change variables.
  private mutating func call(_ context: inout Context) -> Statement? {
    let callable = program.functions.indices.filter { !program.functions[$0].isUniform || context.isTogether }
    guard !callable.isEmpty, context.rounds <= 30 else { return nil }
    let number = dice.pick(from: callable)
    let function = program.functions[number]
    var used: Set<Int> = []
    var operands: [ProgramExpression] = []
    for parameter in function.parameters {
      let type = program.variables[parameter].type
      if program.variables[parameter].storage == .parameter(.copied) {
        operands.append(expression(type, context, depth: 2))
      } else {
        // No two of them may be the same variable, nor one that the function itself knows.
        var others = context
        others.scope.removeAll { used.contains($0) || globals.contains($0) }
        guard let place = place(type, others, isFixed: true), let root = root(of: place) else { return nil }
        used.insert(root)
        operands.append(place)
      }
    }
    if function.hasEffects { hasEffects = true }
    let call = ProgramExpression(kind: .call(number), type: function.result, operands: operands)
    guard function.result != .void else { return Statement(kind: .call, expressions: [call]) }
    // The place is a whole variable, so that nothing of it is worked out before or after the call.
    let places = context.scope.filter {
      if case .scratch = program.variables[$0].storage { return false }
      return program.variables[$0].type == function.result && isWritable($0) && !used.contains($0)
    }
    guard !places.isEmpty, dice.happens(60) else {
      let number = add(function.result, .local)
      context.scope.append(number)
      return Statement(kind: .declare(number), expressions: [call])
    }
    let target = dice.pick(from: places)
    if globals.contains(target) { hasEffects = true }
    return Statement(kind: .assign, expressions: [variable(target), call])
  }

  private func root(of place: ProgramExpression) -> Int? {
    if case .variable(let number) = place.kind { return number }
    return place.operands.first.flatMap { root(of: $0) }
  }
}
