internal import CLaneKernels

/// Builds a graph region by region; equal pure operations become one value.
struct ShaderGraphBuilder {
  private struct Key: Hashable {
    let operation: ShaderOperation
    let arguments: SIMD8<Int32>
    let immediate: UInt32
    let second: UInt32
  }

  private(set) var graph = ShaderGraph()
  /// The region that operations are added to.
  private(set) var region = ShaderGraph.root
  private var known: [Key: ValueId] = [:]
  /// What each open region added to `known`.
  private var added: [[Key]] = [[]]
  private var openRegions: [Int] = []
  /// The number of the origin of the nodes that are added next; nil in graphs that are not watched.
  var origin: Int32?

  // MARK: Values

  mutating func constant(_ word: UInt32) -> ValueId {
    node(.constant, SIMD8(repeating: -1), word, 0, placed: false)
  }

  mutating func constant(_ value: Float) -> ValueId { constant(value.bitPattern) }

  mutating func workgroup(_ axis: Int) -> ValueId {
    node(.workgroup, SIMD8(repeating: -1), UInt32(axis), 0, placed: false)
  }

  /// A value that branches and scopes assign.
  mutating func variable() -> ValueId {
    append(ShaderGraph.Node(operation: .variable, arguments: SIMD8(repeating: -1), immediate: 0, second: 0))
  }

  /// Adds an operation, or finds it where it was computed before.
  mutating func add(
    _ operation: lane_op, _ arguments: [ValueId], immediate: UInt32 = 0, second: UInt32 = 0, effect: ShaderOperation.Effect = .pure
  ) -> ValueId {
    var packed = SIMD8<Int32>(repeating: -1)
    for (k, argument) in arguments.enumerated() { packed[k] = argument.index }
    guard effect == .pure else {
      let value = append(
        ShaderGraph.Node(operation: ShaderOperation(operation), arguments: packed, immediate: immediate, second: second, isOrdered: true))
      graph.regions[region].append(.operation(value))
      return value
    }
    return node(ShaderOperation(operation), packed, immediate, second, placed: true)
  }

  mutating func add(_ operation: lane_op, _ a: ValueId) -> ValueId {
    let node = graph[a]
    let undoesItself = operation == LANE_OP_fneg || operation == LANE_OP_not
    if undoesItself, node.operation == ShaderOperation(operation) { return node.argument(0) }
    if operation == LANE_OP_u2f, hasClearTop(a) { return add(LANE_OP_i2f, [a]) }
    return add(operation, [a])
  }

  mutating func add(_ operation: lane_op, _ a: ValueId, _ b: ValueId) -> ValueId {
    if operation == LANE_OP_fdiv, let factor = reciprocal(of: b) { return add(LANE_OP_fmul, a, constant(factor)) }
    if operation == LANE_OP_fmod, let factor = reciprocal(of: b) {
      return factor == 1 ? add(LANE_OP_fract, a) : add(LANE_OP_fmod_known, a, b, constant(factor))
    }
    return identity(operation, a, b) ?? add(operation, [a, b])
  }

  mutating func add(_ operation: lane_op, _ a: ValueId, _ b: ValueId, _ c: ValueId) -> ValueId {
    if operation == LANE_OP_select, b == c { return b }
    return add(operation, [a, b, c])
  }

  /// The operand that an operation leaves as it is, bit by bit, because the other one is neutral.
  private func identity(_ operation: lane_op, _ a: ValueId, _ b: ValueId) -> ValueId? {
    let one = Float(1).bitPattern, minusZero = Float(-0.0).bitPattern
    let left = graph.constantWord(a), right = graph.constantWord(b)
    switch operation {
    case LANE_OP_fadd: return right == minusZero ? a : left == minusZero ? b : nil
    case LANE_OP_fsub: return right == 0 ? a : nil
    case LANE_OP_fmul: return right == one ? a : left == one ? b : nil
    case LANE_OP_fdiv: return right == one ? a : nil
    case LANE_OP_iadd, LANE_OP_or, LANE_OP_xor: return right == 0 ? a : left == 0 ? b : nil
    case LANE_OP_isub, LANE_OP_shl, LANE_OP_shr, LANE_OP_sar, LANE_OP_andnot: return right == 0 ? a : nil
    case LANE_OP_imul: return right == 1 ? a : left == 1 ? b : nil
    case LANE_OP_and: return right == UInt32.max || a == b ? a : left == UInt32.max ? b : nil
    default: return nil
    }
  }

  /// Whether the highest bit of a value is known to be 0.
  private func hasClearTop(_ value: ValueId) -> Bool {
    let node = graph[value]
    guard node.operation == ShaderOperation(LANE_OP_shr), let amount = graph.constantWord(node.argument(1)) else { return false }
    return amount & 31 != 0
  }

  /// The factor whose product has the same bits as the quotient: the reciprocal of a power of two, where both are normal numbers.
  private func reciprocal(of divisor: ValueId) -> Float? {
    guard let word = graph.constantWord(divisor), word & 0x7f_ffff == 0 else { return nil }
    let number = Float(bitPattern: word)
    return number.isNormal && (1 / number).isNormal ? 1 / number : nil
  }

  /// The four channels of a texture read.
  mutating func parts(of read: ValueId) -> [ValueId] {
    (0..<4).map { channel in
      var arguments = SIMD8<Int32>(repeating: -1)
      arguments[0] = read.index
      return node(.part, arguments, UInt32(channel), 0, placed: false)
    }
  }

  private mutating func append(_ node: ShaderGraph.Node) -> ValueId {
    graph.nodes.append(node)
    if let origin { graph.origins.append(origin) }
    return ValueId(graph.nodes.count - 1)
  }

  private mutating func node(
    _ operation: ShaderOperation, _ arguments: SIMD8<Int32>, _ immediate: UInt32, _ second: UInt32, placed: Bool
  ) -> ValueId {
    let key = Key(operation: operation, arguments: arguments, immediate: immediate, second: second)
    if let value = known[key] { return value }
    let value = append(ShaderGraph.Node(operation: operation, arguments: arguments, immediate: immediate, second: second))
    known[key] = value
    if placed { graph.regions[region].append(.operation(value)) }
    if operation != .constant && operation != .workgroup { added[added.count - 1].append(key) }
    return value
  }

  // MARK: Regions

  /// Starts a region inside the present one and returns its number.
  mutating func openRegion() -> Int {
    graph.regions.append([])
    openRegions.append(region)
    added.append([])
    region = graph.regions.count - 1
    return region
  }

  /// Goes back to the region around; values of the closed one are not found again.
  mutating func closeRegion() {
    for key in added.removeLast() { known[key] = nil }
    region = openRegions.removeLast()
  }

  mutating func addBranch(_ branch: ShaderGraph.Branch) {
    graph.branches.append(branch)
    graph.regions[region].append(.branch(graph.branches.count - 1))
  }

  /// Reserves the number of a scope whose body is built next.
  mutating func reserveScope(isLoop: Bool) -> Int {
    graph.scopes.append(ShaderGraph.Scope(isLoop: isLoop, body: 0))
    return graph.scopes.count - 1
  }

  mutating func addScope(_ number: Int, _ scope: ShaderGraph.Scope) {
    graph.scopes[number] = scope
    graph.regions[region].append(.scope(number))
  }

  mutating func addExit(scope: Int, isContinue: Bool) -> Int {
    graph.exits.append(ShaderGraph.Exit(scope: scope, isContinue: isContinue, assignments: []))
    graph.regions[region].append(.exit(graph.exits.count - 1))
    return graph.exits.count - 1
  }

  mutating func setAssignments(_ assignments: [ShaderGraph.Assignment], ofExit exit: Int) {
    graph.exits[exit].assignments = assignments
  }
}
