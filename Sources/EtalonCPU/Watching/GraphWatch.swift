internal import CLaneKernels
internal import EtalonSPIRV

/// Puts watches behind the operations of a graph that may have no defined result, or no finite one.
struct GraphWatch {
  var graph: ShaderGraph
  private var table: WatchTable
  private let module: SPIRVModule
  /// The sines that noise is made of: the noise is reported, its sine is not.
  private var hashed: Set<ValueId> = []
  /// The channels of texture reads that are used; nil where numbers that are read are not noted.
  private var parts: [ValueId: [ValueId]]?

  /// The graph with watches, and the sites that they stand for.
  ///
  /// - Parameters:
  ///   - counts: whether the operations that each lane takes are counted.
  ///   - notesReads: whether numbers that are read and not finite are noted.
  static func applied(
    to graph: ShaderGraph, _ table: WatchTable, _ module: SPIRVModule, counts: Bool, notesReads: Bool
  ) -> (graph: ShaderGraph, sites: [WatchSite]) {
    var watch = GraphWatch(graph: graph, table: table, module: module)
    if notesReads { watch.parts = usedParts(of: graph) }
    if counts { for region in watch.graph.regions.indices { watch.count(region) } }
    for region in graph.regions.indices { watch.findHashes(region) }
    for region in graph.regions.indices { watch.watch(region) }
    return (watch.graph, watch.table.sites)
  }

  /// Counts the operations between two branches together.
  private mutating func count(_ region: Int) {
    let items = graph.regions[region]
    graph.regions[region] = []
    var open: UInt32 = 0
    for item in items {
      if case .operation(let value) = item {
        open += graph[value].operation.isKernel && !graph[value].operation.watches ? 1 : 0
      } else {
        addCount(&open, in: region)
      }
      graph.regions[region].append(item)
    }
    addCount(&open, in: region)
  }

  private mutating func addCount(_ open: inout UInt32, in region: Int) {
    if open > 0 { _ = add(LANE_OP_watch_count, [constant(0)], in: region, number: open, isOrdered: true) }
    open = 0
  }

  private mutating func watch(_ region: Int) {
    let items = graph.regions[region]
    graph.regions[region] = []
    for item in items {
      guard case .operation(let value) = item, graph[value].operation.isKernel, !graph[value].operation.watches else {
        graph.regions[region].append(item)
        continue
      }
      if isExchange(value) { watchQuads(value, in: region) }
      graph.regions[region].append(item)
      watchOperands(of: value, in: region)
      watchHash(value, in: region)
      watchSine(value, in: region)
      if Self.makesFloats(graph[value].operation.kernel) { watchFiniteness(of: value, in: region) }
      if parts != nil { watchRead(value, in: region) }
    }
  }

  // MARK: Nodes

  private mutating func append(_ node: ShaderGraph.Node, origin: Int32) -> ValueId {
    graph.nodes.append(node)
    graph.origins.append(origin)
    return ValueId(graph.nodes.count - 1)
  }

  mutating func constant(_ word: UInt32) -> ValueId {
    append(ShaderGraph.Node(operation: .constant, arguments: SIMD8(repeating: -1), immediate: word, second: 0), origin: -1)
  }

  mutating func number(_ value: Float) -> ValueId { constant(value.bitPattern) }

  mutating func add(_ operation: lane_op, _ arguments: [ValueId], in region: Int, number: UInt32 = 0, isOrdered: Bool = false)
    -> ValueId
  {
    var packed = SIMD8<Int32>(repeating: -1)
    for (k, argument) in arguments.enumerated() { packed[k] = argument.index }
    let node = ShaderGraph.Node(
      operation: ShaderOperation(operation), arguments: packed, immediate: number, second: 0, isOrdered: isOrdered)
    let value = append(node, origin: -1)
    graph.regions[region].append(.operation(value))
    return value
  }

  /// A watch with the operands that are worth keeping.
  mutating func note(
    _ operation: lane_op, _ value: ValueId, site: Int, operands: [ValueId], in region: Int
  ) {
    _ = add(operation, [value] + operands.prefix(4), in: region, number: UInt32(site), isOrdered: true)
  }

  // MARK: Sites

  func instruction(of value: ValueId) -> Instruction? {
    let origin = Int(graph.origins[value.position])
    return origin >= 0 ? module[table.origins[origin].instruction] : nil
  }

  private func line(_ instruction: Int) -> Int? { module.location(instruction)?.line }

  mutating func site(
    _ kind: FindingKind, _ value: ValueId, _ names: [String], _ scalar: WatchSite.Scalar, result: WatchSite.Scalar?, isRead: Bool = false
  ) -> Int {
    let operands = names.map { WatchSite.Operand(name: $0, scalar: scalar) }
    let module = module
    return table.site(kind, origin: Int(graph.origins[value.position]), operands: operands, result: result, isRead: isRead) {
      module.location($0)?.line
    }
  }

  // MARK: Results

  private static let arithmetic: Set<UInt32> = Set(
    [
      LANE_OP_fadd, LANE_OP_fsub, LANE_OP_fmul, LANE_OP_fdiv, LANE_OP_frem, LANE_OP_fmod, LANE_OP_fmod_known, LANE_OP_fmadd, LANE_OP_fmix,
      LANE_OP_ldexp, LANE_OP_tan, LANE_OP_asin, LANE_OP_acos, LANE_OP_sinh, LANE_OP_cosh, LANE_OP_acosh, LANE_OP_atanh, LANE_OP_pow,
      LANE_OP_exp, LANE_OP_log, LANE_OP_exp2, LANE_OP_log2, LANE_OP_sqrt, LANE_OP_inversesqrt, LANE_OP_degrees, LANE_OP_round_to_half,
    ].map(\.rawValue))

  /// Whether finite operands may give NaN or infinity.
  private static func makesFloats(_ operation: lane_op) -> Bool { arithmetic.contains(operation.rawValue) }

  private mutating func watchFiniteness(of value: ValueId, in region: Int) {
    // How levels and positions of a texture are worked out is not what its author wrote, and what is not finite there is limited.
    guard let instruction = instruction(of: value), !instruction.opcode.readsTexture else { return }
    let operands = graph[value].argumentIds.filter { graph.constantWord($0) == nil || graph[value].argumentIds.count > 1 }
    let names = ["a", "b", "c"].prefix(operands.count)
    let number = site(.notFinite, value, Array(names), .float, result: .float)
    note(LANE_OP_watch_finite, value, site: number, operands: operands, in: region)
  }

  // MARK: Reads

  /// The channels of each texture read that are used in a computation or stored.
  private static func usedParts(of graph: ShaderGraph) -> [ValueId: [ValueId]] {
    var used: [ValueId] = []
    for case .operation(let value) in graph.regions.joined() where !graph[value].operation.watches { used += graph[value].argumentIds }
    for branch in graph.branches { used += branch.merges.flatMap { [$0.accepted, $0.rejected] } + [branch.condition] }
    for scope in graph.scopes {
      used += scope.carried.flatMap { [$0.initial, $0.next] } + (scope.bodyEnd + scope.end).map(\.value)
    }
    for exit in graph.exits { used += exit.assignments.map(\.value) }
    let parts = Set(used.filter { graph[$0].operation == .part }).sorted { $0.index < $1.index }
    return Dictionary(grouping: parts) { graph[$0].argument(0) }
  }

  /// Notes what was read of a texture or a buffer and is not finite: it is reported in the pass or frame that computed it.
  private mutating func watchRead(_ value: ValueId, in region: Int) {
    let operation = graph[value].operation
    var read: [ValueId] = []
    if operation.hasParts {
      read = parts?[value] ?? []
    } else if operation == ShaderOperation(LANE_OP_load_buffer) || operation == ShaderOperation(LANE_OP_load_word) {
      if let instruction = instruction(of: value), instruction.opcode == .OpLoad, isFloat(instruction.resultType) { read = [value] }
    }
    guard !read.isEmpty, instruction(of: value) != nil else { return }
    let number = site(.notFinite, value, [], .float, result: .float, isRead: true)
    for part in read { note(LANE_OP_watch_finite, part, site: number, operands: [], in: region) }
  }

  /// Whether all numbers of a type are floats of 32 bits.
  private func isFloat(_ type: Id?) -> Bool {
    guard let type else { return false }
    return switch module.type(type) {
    case .float(32): true
    case .vector(let part, _), .matrix(let part, _), .array(let part, _): isFloat(part)
    default: false
    }
  }

  // MARK: Hashes

  /// A factor above it makes the error of a sine as large as what is left of the product.
  private static let largestFactor: Float = 1000

  /// The sine, or cosine, whose magnified value a fraction is; nil for other fractions.
  private func hashedSine(_ value: ValueId) -> ValueId? {
    let node = graph[value]
    guard node.operation == ShaderOperation(LANE_OP_fract), instruction(of: value) != nil else { return nil }
    let product = graph[node.argument(0)]
    guard product.operation == ShaderOperation(LANE_OP_fmul) else { return nil }
    for (sine, factor) in [(0, 1), (1, 0)] {
      let inner = graph[product.argument(sine)]
      guard inner.operation == ShaderOperation(LANE_OP_sin) || inner.operation == ShaderOperation(LANE_OP_cos),
        let word = graph.constantWord(product.argument(factor)), Float(bitPattern: word).magnitude >= Self.largestFactor
      else { continue }
      return product.argument(sine)
    }
    return nil
  }

  private mutating func findHashes(_ region: Int) {
    for case .operation(let value) in graph.regions[region] where graph[value].operation.isKernel {
      if let sine = hashedSine(value) { hashed.insert(sine) }
    }
  }

  private mutating func watchHash(_ value: ValueId, in region: Int) {
    guard let sine = hashedSine(value) else { return }
    let number = site(.sineHash, value, ["x"], .float, result: nil)
    note(LANE_OP_watch, constant(.max), site: number, operands: [graph[sine].argument(0)], in: region)
  }

  // MARK: Sines

  /// Beyond it neighboring floats are 2^-8 apart, so that the last bit of a number moves its sine by a level of 255.
  private static let largestAngle: Float = 0x1p15

  private mutating func watchSine(_ value: ValueId, in region: Int) {
    let operation = graph[value].operation
    guard
      operation == ShaderOperation(LANE_OP_sin) || operation == ShaderOperation(LANE_OP_cos) || operation == ShaderOperation(LANE_OP_tan),
      !hashed.contains(value), instruction(of: value) != nil
    else { return }
    let x = graph[value].argument(0)
    let magnitude = add(LANE_OP_fabs, [x], in: region)
    // Infinity is reported where it arises.
    let isFinite = add(LANE_OP_flt, [magnitude, number(.infinity)], in: region)
    let isLarge = add(LANE_OP_and, [add(LANE_OP_flt, [number(Self.largestAngle), magnitude], in: region), isFinite], in: region)
    note(LANE_OP_watch, isLarge, site: site(.largeSine, value, ["x"], .float, result: nil), operands: [x], in: region)
  }

  // MARK: Quads

  private func isExchange(_ value: ValueId) -> Bool {
    let operation = graph[value].operation
    return (operation == ShaderOperation(LANE_OP_quad_swap) || operation == ShaderOperation(LANE_OP_quad_broadcast))
      && instruction(of: value) != nil
  }

  private mutating func watchQuads(_ value: ValueId, in region: Int) {
    let number = site(.divergentQuad, value, [], .float, result: nil)
    note(LANE_OP_watch_quads, graph[value].argument(0), site: number, operands: [], in: region)
  }
}

// MARK: - Operands

/// Operands outside of what an operation is defined for.
extension GraphWatch {
  mutating func watchOperands(of value: ValueId, in region: Int) {
    guard let instruction = instruction(of: value) else { return }
    let node = graph[value]
    let x = node.argumentIds
    let function = instruction.opcode == .OpExtInst ? GLSLInstruction(rawValue: instruction[1]) : nil
    guard let rule = rule(node.operation.kernel, instruction.opcode, function) else { return }
    let condition = self.condition(rule.kind, node.operation.kernel, x, in: region)
    let number = site(rule.kind, value, rule.names, rule.scalar, result: nil)
    note(LANE_OP_watch, condition, site: number, operands: Array(x.suffix(rule.names.count)), in: region)
    guard let other = Self.others[rule.kind] else { return }
    let isOther = self.condition(other, node.operation.kernel, x, in: region)
    note(LANE_OP_watch, isOther, site: site(other, value, rule.names, rule.scalar, result: nil), operands: x, in: region)
  }

  /// What else the operands of an operation are watched for.
  private static let others: [FindingKind: FindingKind] = [
    .negativeRemainder: .integerDivisionByZero, .smoothstepEdges: .reversedSmoothstep,
  ]

  private struct Rule {
    let kind: FindingKind
    let names: [String]
    var scalar = WatchSite.Scalar.float
  }

  /// What an operation is watched for where the author wrote it, not where it is a step of another operation.
  private func rule(_ operation: lane_op, _ opcode: Opcode, _ function: GLSLInstruction?) -> Rule? {
    switch (operation, function) {
    case (LANE_OP_sqrt, .Sqrt): return Rule(kind: .squareRoot, names: ["x"])
    case (LANE_OP_inversesqrt, .InverseSqrt): return Rule(kind: .inverseSquareRoot, names: ["x"])
    case (LANE_OP_inversesqrt, .Normalize): return Rule(kind: .normalizeOfZero, names: ["dot(v, v)"])
    case (LANE_OP_log, .Log), (LANE_OP_log2, .Log2): return Rule(kind: .logarithm, names: ["x"])
    case (LANE_OP_asin, .Asin), (LANE_OP_acos, .Acos): return Rule(kind: .arc, names: ["x"])
    case (LANE_OP_pow, .Pow): return Rule(kind: .power, names: ["x", "y"])
    case (LANE_OP_atan2, .Atan2): return Rule(kind: .angleOfZero, names: ["y", "x"])
    case (LANE_OP_smoothstep, .SmoothStep): return Rule(kind: .smoothstepEdges, names: ["edge0", "edge1", "x"])
    case (LANE_OP_fdiv, .MatrixInverse): return Rule(kind: .singularInverse, names: ["determinant"])
    case (LANE_OP_fclamp, .FClamp): return Rule(kind: .clampLimits, names: ["x", "minimum", "maximum"])
    default: return rule(operation, opcode)
    }
  }

  private func rule(_ operation: lane_op, _ opcode: Opcode) -> Rule? {
    switch (operation, opcode) {
    case (LANE_OP_fdiv, .OpFDiv): Rule(kind: .divisionByZero, names: ["dividend", "divisor"])
    case (LANE_OP_fdiv, .OpImageSampleProjImplicitLod), (LANE_OP_fdiv, .OpImageSampleProjExplicitLod):
      Rule(kind: .divisionByZero, names: ["dividend", "divisor"])
    case (LANE_OP_fmod, .OpFMod), (LANE_OP_frem, .OpFRem): Rule(kind: .moduloByZero, names: ["x", "y"])
    case (LANE_OP_sdiv, .OpSDiv): Rule(kind: .integerDivisionByZero, names: ["dividend", "divisor"], scalar: .signed)
    case (LANE_OP_udiv, .OpUDiv), (LANE_OP_umod, .OpUMod):
      Rule(kind: .integerDivisionByZero, names: ["dividend", "divisor"], scalar: .unsigned)
    case (LANE_OP_smod, .OpSMod), (LANE_OP_srem, .OpSRem):
      Rule(kind: .negativeRemainder, names: ["dividend", "divisor"], scalar: .signed)
    case (LANE_OP_shl, .OpShiftLeftLogical), (LANE_OP_shr, .OpShiftRightLogical), (LANE_OP_sar, .OpShiftRightArithmetic):
      Rule(kind: .shift, names: ["value", "amount"], scalar: .signed)
    case (LANE_OP_f2i, .OpConvertFToS), (LANE_OP_f2u, .OpConvertFToU): Rule(kind: .conversion, names: ["x"])
    default: nil
    }
  }

  /// The lanes in which operands are outside what an operation is defined for.
  private mutating func condition(_ kind: FindingKind, _ operation: lane_op, _ x: [ValueId], in region: Int) -> ValueId {
    let zero = number(0)
    switch kind {
    case .squareRoot: return add(LANE_OP_flt, [x[0], zero], in: region)
    case .inverseSquareRoot, .logarithm: return add(LANE_OP_fle, [x[0], zero], in: region)
    case .normalizeOfZero: return add(LANE_OP_feq, [x[0], zero], in: region)
    case .arc: return add(LANE_OP_flt, [number(1), add(LANE_OP_fabs, [x[0]], in: region)], in: region)
    case .power:
      let isZero = add(LANE_OP_feq, [x[0], zero], in: region)
      let isNoPower = add(LANE_OP_and, [isZero, add(LANE_OP_fle, [x[1], zero], in: region)], in: region)
      return add(LANE_OP_or, [add(LANE_OP_flt, [x[0], zero], in: region), isNoPower], in: region)
    case .angleOfZero:
      return add(LANE_OP_and, [add(LANE_OP_feq, [x[0], zero], in: region), add(LANE_OP_feq, [x[1], zero], in: region)], in: region)
    case .smoothstepEdges: return add(LANE_OP_feq, [x[1], x[0]], in: region)
    case .reversedSmoothstep: return add(LANE_OP_flt, [x[1], x[0]], in: region)
    case .clampLimits: return add(LANE_OP_flt, [x[2], x[1]], in: region)
    case .divisionByZero, .moduloByZero, .singularInverse: return add(LANE_OP_feq, [x[1], zero], in: region)
    case .integerDivisionByZero: return add(LANE_OP_ieq, [x[1], constant(0)], in: region)
    case .negativeRemainder:
      let isNegative = add(LANE_OP_slt, [x[0], constant(0)], in: region)
      return add(LANE_OP_or, [isNegative, add(LANE_OP_slt, [x[1], constant(0)], in: region)], in: region)
    case .shift: return add(LANE_OP_ule, [constant(32), x[1]], in: region)
    default:
      guard operation == LANE_OP_f2u else {
        let fits = add(LANE_OP_flt, [add(LANE_OP_fabs, [x[0]], in: region), number(0x1p31)], in: region)
        return add(LANE_OP_not, [fits], in: region)
      }
      let fits = add(
        LANE_OP_and, [add(LANE_OP_flt, [number(-1), x[0]], in: region), add(LANE_OP_flt, [x[0], number(0x1p32)], in: region)],
        in: region)
      return add(LANE_OP_not, [fits], in: region)
    }
  }
}
