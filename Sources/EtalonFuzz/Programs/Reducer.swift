/// Takes out of a program what it can do without: what remains still differs.
///
/// A part that differs alone takes the place of the whole. Else variables and parameters go with all that writes them; statements go in halves of
/// blocks first and one by one then; branches and loops become what is in them; expressions become constants or parts of themselves; the picture
/// becomes smaller. That is repeated until nothing can be taken out any more.
struct Reducer {
  private let differs: (RandomProgram) -> Bool
  private var program: RandomProgram
  /// How many more programs may be tried.
  private var triesLeft: Int
  /// Programs that were tried and were not wrong, so that no round tries them again.
  private var refused: Set<RandomProgram> = []

  /// - Parameters:
  ///   - differs: whether a program is wrong in the same way; it is asked about programs that are refused or undefined, too.
  ///   - mostTries: how many programs are tried at most.
  static func reduce(_ program: RandomProgram, mostTries: Int = 4000, while differs: (RandomProgram) -> Bool) -> RandomProgram {
    withoutActuallyEscaping(differs) { differs in
      var reducer = Reducer(differs: differs, program: program, triesLeft: mostTries)
      reducer.reduce()
      return reducer.program
    }
  }

  /// The same for what a seed makes: of a chain, filters go first.
  static func reduce(_ specimen: Specimen, mostTries: Int = 4000, while differs: (Specimen) -> Bool) -> Specimen {
    switch specimen {
    case .program(let program): return .program(reduce(program, mostTries: mostTries) { differs(.program($0)) })
    case .chain(var chain):
      var index = 0
      while index < chain.stages.count {
        var shorter = chain
        shorter.stages.remove(at: index)
        if !shorter.stages.isEmpty, differs(.chain(shorter)) { chain = shorter } else { index += 1 }
      }
      for index in chain.stages.indices {
        chain.stages[index] = reduce(chain.stages[index], mostTries: mostTries / chain.stages.count) { stage in
          var other = chain
          other.stages[index] = stage
          return differs(.chain(other))
        }
      }
      return .chain(chain)
    }
  }

  private mutating func reduce() {
    var size = 0
    repeat {
      size = program.weight
      isolate()
      _ = keep(program.tidied)
      reduceVariables()
      reduceStatements()
      reduceCalls()
      reduceExpressions()
      reduceCoverage()
    } while program.weight < size && triesLeft > 0
  }

  /// Goes on with a program if it is wrong in the same way.
  private mutating func keep(_ candidate: RandomProgram?) -> Bool {
    guard let candidate, candidate != program, triesLeft > 0, candidate.jumpsAreEnclosed, !refused.contains(candidate) else { return false }
    triesLeft -= 1
    guard differs(candidate) else {
      refused.insert(candidate)
      return false
    }
    program = candidate
    return true
  }

  private mutating func keepIfSmaller(_ candidate: RandomProgram?) -> Bool {
    guard let candidate, candidate.weight < program.weight else { return false }
    return keep(candidate)
  }

  // MARK: Parts

  /// Goes on with the smallest part that is wrong by itself, with numbers that follow from the place in the place of variables.
  private mutating func isolate() {
    // Where each try is a process, few tries are spent on parts.
    var left = triesLeft / 4
    let parts = program.isolatedParts.map { ($0.weight, $0) }.sorted { $0.0 < $1.0 }
    for (_, part) in parts where left > 0 {
      left -= 1
      if keepIfSmaller(part) { return }
    }
  }

  /// Takes out variables and parameters with all that writes them; reads become what they were declared with, or zero.
  private mutating func reduceVariables() {
    for variable in program.usedVariables.sorted(by: >) {
      if keepIfSmaller(program.removing(variable)) { continue }
      if let value = program.declaredValue(of: variable) { _ = keepIfSmaller(program.removing(variable, replacingReads: value)) }
    }
  }

  /// Puts the results of functions in the place of their calls.
  private mutating func reduceCalls() {
    var number = 0
    while number < program.expressionCount {
      let functions = program.functions
      let candidate = program.replacingExpression(number) { call in
        guard case .call(let callee) = call.kind, let end = functions[callee].end else { return nil }
        let operands = Dictionary(uniqueKeysWithValues: zip(functions[callee].parameters, call.operands))
        return end.replacing { if case .variable(let variable) = $0.kind { operands[variable] } else { nil } }
      }
      if !keepIfSmaller(candidate?.tidied) { number += 1 }
    }
    // A program that ends with a jump ends with its value.
    for index in program.functions.indices where index < program.functions.count {
      let function = program.functions[index]
      guard let last = function.body.last, last.kind == .leave, function.body.count > function.requiredCount else { continue }
      var copy = program
      copy.functions[index].body.removeLast()
      copy.functions[index].end = last.expressions.first
      _ = keep(copy)
    }
  }

  // MARK: Statements

  private mutating func reduceStatements() {
    var number = 0
    while number < program.blockCount {
      removeChunks(of: number)
      unwrapStatements(of: number)
      number += 1
    }
  }

  private mutating func removeChunks(of number: Int) {
    let first = program.requiredCount(inBlock: number)
    var length = program.block(number).count - first
    while length > 0 {
      var start = first
      while start < program.block(number).count {
        let end = min(start + length, program.block(number).count)
        let candidate = program.replacingBlock(number) { Array($0[..<start] + $0[end...]) }
        if !keep(candidate) { start += length }
      }
      length /= 2
    }
  }

  /// Puts what is in statements in their places.
  private mutating func unwrapStatements(of number: Int) {
    var index = 0
    while index < program.block(number).count {
      let statement = program.block(number)[index]
      let isReplaced = Self.contents(of: statement).contains { content in
        keep(program.replacingBlock(number) { Array($0[..<index] + content + $0[(index + 1)...]) })
      }
      if !isReplaced { index += 1 }
    }
  }

  private static func contents(of statement: Statement) -> [[Statement]] {
    switch statement.kind {
    case .branch, .block: return statement.blocks
    case .choose(let labels):
      guard labels.count > 1 else { return statement.blocks }
      // Without one of its groups.
      return statement.blocks
        + labels.indices.map { group in
          var copy = statement
          var rest = labels
          rest.remove(at: group)
          copy.kind = .choose(rest)
          copy.blocks.remove(at: group)
          return [copy]
        }
    case .loop(let loop, let counter, let mask):
      let counted = Statement(kind: .declare(counter), expressions: [.literal(UInt32(0))])
      let simple =
        loop == .counted
        ? []
        : [Statement(kind: .loop(.counted, counter: counter, mask: mask), expressions: statement.expressions, blocks: statement.blocks)]
      return [statement.blocks[0], [Statement(kind: .block, blocks: [[counted] + statement.blocks[0]])]] + (simple.isEmpty ? [] : [simple])
    default: return []
    }
  }

  // MARK: Expressions

  private mutating func reduceExpressions() {
    var number = 0
    while number < program.expressionCount {
      if !simplify(number) { number += 1 }
    }
  }

  /// Replaces an expression by a constant or by a part of itself.
  private mutating func simplify(_ number: Int) -> Bool {
    var expression: ProgramExpression?
    _ = program.replacingExpression(number) {
      expression = $0
      return nil
    }
    guard let expression else { return false }
    if case .literal(let words) = expression.kind {
      return words.contains { $0 != 0 } && keep(program.replacingExpression(number) { .zero($0.type) })
    }
    guard case .vector(let scalar, let count) = expression.type else {
      return keep(program.replacingExpression(number) { .zero($0.type) }) || replaceByOperand(number, expression)
    }
    let one = scalar == .float ? Float(1).bitPattern : 1
    let ones = ProgramExpression(kind: .literal(Array(repeating: one, count: count)), type: expression.type)
    return keep(program.replacingExpression(number) { .zero($0.type) }) || keep(program.replacingExpression(number) { _ in ones })
      || replaceByOperand(number, expression)
  }

  private mutating func replaceByOperand(_ number: Int, _ expression: ProgramExpression) -> Bool {
    let parts = expression.operands + expression.operands.flatMap(\.operands)
    return parts.contains { part in
      part.converted(to: expression.type).contains { smaller in
        smaller.nodeCount < expression.nodeCount && keep(program.replacingExpression(number) { _ in smaller })
      }
    }
  }

  // MARK: The picture

  private mutating func reduceCoverage() {
    var isSmaller = true
    while isSmaller { isSmaller = program.coverage.smaller.contains { keep(program.with(coverage: $0)) } }
    for index in program.uniforms.indices where program.uniforms[index] != 0 {
      var copy = program
      copy.uniforms[index] = 0
      _ = keep(copy)
    }
  }
}

extension RandomProgram {
  /// What is to become smaller.
  var weight: Int { statementCount * 100 + expressionCount + invocationCount + nonzeroCount }

  fileprivate func with(coverage: Coverage) -> RandomProgram {
    var copy = self
    copy.coverage = coverage
    if copy.sharedCount > 0 { copy.sharedCount = max(copy.workgroupSize, Statement.Gathering.wordCount) }
    return copy
  }

  /// How many words of literals and uniforms are not zero.
  private var nonzeroCount: Int {
    var count = uniforms.count { $0 != 0 }
    for index in functions.indices {
      for case .literal(let words) in expressions(inFunction: index).map(\.kind) { count += words.count { $0 != 0 } }
    }
    return count
  }
}

extension RandomProgram.Coverage {
  /// The same, a little smaller in one way or another.
  fileprivate var smaller: [RandomProgram.Coverage] {
    switch self {
    case .picture(let width, let height, let isInQuads):
      [(1, 1), (2, 2), (width / 2, height), (width, height / 2), (width - 1, height), (width, height - 1)].filter {
        $0.0 > 0 && $0.1 > 0 && $0.0 * $0.1 < width * height
      }.map { .picture(width: $0.0, height: $0.1, isInQuads: isInQuads) }
    case .workgroups(let size, let count):
      [(1, count), (size / 2, count), (size - 1, count), (size, 1)].filter { $0.0 > 0 && $0.1 > 0 && $0.0 * $0.1 < size * count }.map {
        .workgroups(size: $0.0, count: $0.1)
      }
    }
  }
}
