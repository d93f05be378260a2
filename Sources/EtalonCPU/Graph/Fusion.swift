internal import CLaneKernels

/// Replaces groups of operations by single instructions that do the same, each step rounded as before.
///
/// An operation becomes part of another where no other operation needs its result, where both run equally often, and where both are in
/// one region.
struct Fusion {
  var graph: ShaderGraph
  let uniformity: Uniformity
  var uses: [Int32]
  private let regionOf: [Int32]

  /// The graph with superinstructions.
  static func applied(to graph: ShaderGraph, _ uniformity: Uniformity) -> ShaderGraph {
    var fusion = Fusion(graph, uniformity)
    fusion.run { $0.fuseProduct($1) }
    fusion.fuseTexelSums()
    fusion.run { $0.fuseIdiom($1) }
    fusion.run { $0.fuseIdiom($1) }
    fusion.run { $0.fusePair($1) }
    var graph = fusion.graph
    graph.dropDeadItems()
    return graph
  }

  private init(_ graph: ShaderGraph, _ uniformity: Uniformity) {
    self.graph = graph
    self.uniformity = uniformity
    var uses = [Int32](repeating: 0, count: graph.nodes.count)
    graph.forEachUse { uses[$0.position] += 1 }
    self.uses = uses
    var regionOf = [Int32](repeating: -1, count: graph.nodes.count)
    for (region, items) in graph.regions.enumerated() {
      for case .operation(let value) in items { regionOf[value.position] = Int32(region) }
    }
    self.regionOf = regionOf
  }

  private mutating func run(_ step: (inout Fusion, ValueId) -> Void) {
    for region in graph.regions.indices {
      for item in graph.regions[region] {
        guard case .operation(let value) = item, uses[value.position] > 0 else { continue }
        step(&self, value)
      }
    }
  }

  // MARK: Looking and replacing

  private func `is`(_ value: ValueId, _ operation: lane_op) -> Bool { graph[value].operation == ShaderOperation(operation) }

  /// Whether a value is the result of an operation that may become part of `user`.
  private func isFree(_ value: ValueId, _ operation: lane_op, for user: ValueId, uses count: Int32 = 1) -> Bool {
    self.is(value, operation) && uses[value.position] == count && regionOf[value.position] == regionOf[user.position]
      && uniformity[value] == uniformity[user]
  }

  private mutating func replace(_ value: ValueId, _ operation: lane_op, _ arguments: [ValueId]) {
    for argument in graph[value].argumentIds { uses[argument.position] -= 1 }
    var packed = SIMD8<Int32>(repeating: -1)
    for (k, argument) in arguments.enumerated() {
      packed[k] = argument.index
      uses[argument.position] += 1
    }
    graph.nodes[value.position] = ShaderGraph.Node(operation: ShaderOperation(operation), arguments: packed, immediate: 0, second: 0)
  }

  /// Makes `inner` part of `value`: its arguments count as used by `value` from now on.
  private mutating func absorb(_ inner: ValueId, into value: ValueId, _ operation: lane_op, _ arguments: [ValueId]) {
    replace(value, operation, arguments)
    release(inner)
  }

  /// A value that has no uses left no longer counts as a use of its arguments.
  private mutating func release(_ value: ValueId) {
    guard uses[value.position] == 0, graph[value].operation.isKernel else { return }
    for argument in graph[value].argumentIds {
      uses[argument.position] -= 1
      release(argument)
    }
  }

  // MARK: Products in sums

  private mutating func fuseProduct(_ value: ValueId) {
    let isSum = self.is(value, LANE_OP_fadd), isDifference = self.is(value, LANE_OP_fsub)
    guard isSum || isDifference else { return }
    let a = graph[value].argument(0), b = graph[value].argument(1)
    if isFree(a, LANE_OP_fmul, for: value) {
      absorb(a, into: value, isSum ? LANE_OP_fmadd : LANE_OP_fmsub, graph[a].argumentIds + [b])
    } else if isFree(b, LANE_OP_fmul, for: value) {
      absorb(b, into: value, isSum ? LANE_OP_fmadd : LANE_OP_fnmadd, graph[b].argumentIds + [a])
    }
  }

  // MARK: Idioms

  private mutating func fuseIdiom(_ value: ValueId) {
    let node = graph[value]
    switch node.operation {
    case ShaderOperation(LANE_OP_fmadd): fuseSquares(value)
    case ShaderOperation(LANE_OP_sqrt):
      let inner = node.argument(0)
      if isFree(inner, LANE_OP_squares3, for: value) { absorb(inner, into: value, LANE_OP_length3, graph[inner].argumentIds) }
      if isFree(inner, LANE_OP_squares2, for: value) { absorb(inner, into: value, LANE_OP_length2, graph[inner].argumentIds) }
    case ShaderOperation(LANE_OP_fmul): fuseHermite(value)
    case ShaderOperation(LANE_OP_fmin):
      let inner = node.argument(0)
      guard isFree(inner, LANE_OP_fmax, for: value) else { return }
      absorb(inner, into: value, LANE_OP_fclamp, graph[inner].argumentIds + [node.argument(1)])
    case ShaderOperation(LANE_OP_xor): fuseXorshift(value)
    case ShaderOperation(LANE_OP_ult): fuseNaNTest(value)
    case ShaderOperation(LANE_OP_f2u): fuseUnorm(value)
    case ShaderOperation(LANE_OP_fract):
      let product = node.argument(0)
      guard isFree(product, LANE_OP_fmul, for: value) else { return }
      for (sine, factor) in [(0, 1), (1, 0)] where isFree(graph[product].argument(sine), LANE_OP_sin, for: product) {
        let inner = graph[product].argument(sine), scale = graph[product].argument(factor)
        absorb(product, into: value, LANE_OP_sine_hash, [graph[inner].argument(0), scale])
        return
      }
    case ShaderOperation(LANE_OP_sin), ShaderOperation(LANE_OP_cos):
      let inner = node.argument(0)
      guard isFree(inner, LANE_OP_fmadd, for: value) else { return }
      let fused = node.operation == ShaderOperation(LANE_OP_sin) ? LANE_OP_fmadd_sin : LANE_OP_fmadd_cos
      absorb(inner, into: value, fused, graph[inner].argumentIds)
    default: break
    }
  }

  /// Finds `x x + y y`, and `z z` added to that.
  private mutating func fuseSquares(_ value: ValueId) {
    let node = graph[value]
    guard node.arguments[0] == node.arguments[1] else { return }
    let rest = node.argument(2)
    if isFree(rest, LANE_OP_fmul, for: value), graph[rest].arguments[0] == graph[rest].arguments[1] {
      absorb(rest, into: value, LANE_OP_squares2, [node.argument(0), graph[rest].argument(0)])
    } else if isFree(rest, LANE_OP_squares2, for: value) {
      absorb(rest, into: value, LANE_OP_squares3, graph[rest].argumentIds + [node.argument(0)])
    }
  }

  /// Finds `f f (3 - 2 f)`.
  private mutating func fuseHermite(_ value: ValueId) {
    let two = Float(2).bitPattern, three = Float(3).bitPattern
    for (left, right) in [(0, 1), (1, 0)] {
      let square = graph[value].argument(left), line = graph[value].argument(right)
      guard isFree(square, LANE_OP_fmul, for: value), graph[square].arguments[0] == graph[square].arguments[1],
        isFree(line, LANE_OP_fnmadd, for: value), graph.constantWord(graph[line].argument(2)) == three
      else { continue }
      let f = graph[square].argument(0)
      let factors = [graph[line].argument(0), graph[line].argument(1)]
      guard factors.contains(f), factors.contains(where: { graph.constantWord($0) == two }) else { continue }
      absorb(square, into: value, LANE_OP_hermite, [f])
      return
    }
  }

  /// Finds `x ^ (x >> n)`.
  private mutating func fuseXorshift(_ value: ValueId) {
    for (whole, shifted) in [(0, 1), (1, 0)] {
      let x = graph[value].argument(whole), inner = graph[value].argument(shifted)
      guard isFree(inner, LANE_OP_shr, for: value), graph[inner].argument(0) == x else { continue }
      absorb(inner, into: value, LANE_OP_xorshift, graph[inner].argumentIds)
      return
    }
  }

  /// Finds a float on its way to 8 or 16 bits: `uint(roundEven(clamp(isNaN(x) ? 0 : x, 0, 1) * scale))`, where NaN is looked for in the bits.
  private mutating func fuseUnorm(_ value: ValueId) {
    let rounded = graph[value].argument(0)
    guard isFree(rounded, LANE_OP_round, for: value) else { return }
    let product = graph[rounded].argument(0)
    guard isFree(product, LANE_OP_fmul, for: value) else { return }
    let clamped = graph[product].argument(0), scale = graph[product].argument(1)
    guard isFree(clamped, LANE_OP_fclamp, for: value), [255, 65535].map({ Float($0).bitPattern }).contains(graph.constantWord(scale)),
      graph.constantWord(graph[clamped].argument(1)) == 0, graph.constantWord(graph[clamped].argument(2)) == Float(1).bitPattern
    else { return }
    let chosen = graph[clamped].argument(0)
    guard isFree(chosen, LANE_OP_select, for: value), graph.constantWord(graph[chosen].argument(1)) == 0 else { return }
    let x = graph[chosen].argument(2)
    let test = graph[chosen].argument(0)
    guard graph[test].operation == ShaderOperation(LANE_OP_isnan), graph[test].argument(0) == x else { return }
    absorb(rounded, into: value, LANE_OP_to_unorm, [x, scale])
  }

  /// Finds NaN that is looked for in the bits: `(floatBitsToUint(x) & 0x7FFFFFFF) > 0x7F800000`.
  private mutating func fuseNaNTest(_ value: ValueId) {
    // A watched graph keeps these operations: the watches look at what becomes of the bits.
    guard graph.origins.isEmpty else { return }
    let magnitude = graph[value].argument(1)
    guard graph.constantWord(graph[value].argument(0)) == 0x7f80_0000, graph[magnitude].operation == ShaderOperation(LANE_OP_and),
      graph.constantWord(graph[magnitude].argument(1)) == 0x7fff_ffff
    else { return }
    let bits = graph[magnitude].argument(0)
    absorb(
      magnitude, into: value, LANE_OP_isnan, [graph[bits].operation == ShaderOperation(LANE_OP_canonical) ? graph[bits].argument(0) : bits])
  }

  // MARK: Pairs

  private mutating func fusePair(_ value: ValueId) {
    let node = graph[value]
    guard node.operation.isKernel else { return }
    for position in 0..<node.operation.arity {
      let inner = node.argument(position)
      guard graph[inner].operation.isKernel, isFree(inner, graph[inner].operation.kernel, for: value) else { continue }
      let key = OperationPairs.Key(first: graph[inner].operation, second: node.operation, position: position)
      guard let fused = OperationPairs.known[key] else { continue }
      let others = node.argumentIds.enumerated().filter { $0.offset != position }.map(\.element)
      absorb(inner, into: value, fused, graph[inner].argumentIds + others)
      return
    }
  }
}

// MARK: - Pairs

/// Which two operations have an instruction that does both.
private enum OperationPairs {
  struct Key: Hashable {
    let first: ShaderOperation
    let second: ShaderOperation
    /// Which operand of the second is the result of the first.
    let position: Int
  }

  static let known = Dictionary(
    uniqueKeysWithValues: list.map {
      (Key(first: ShaderOperation($0.first), second: ShaderOperation($0.second), position: $0.position), $0.fused)
    })

  private static let list: [(first: lane_op, second: lane_op, position: Int, fused: lane_op)] = [
    (LANE_OP_fadd, LANE_OP_fadd, 0, LANE_OP_fadd_fadd),
    (LANE_OP_fadd, LANE_OP_fadd, 1, LANE_OP_fadd_fadd),
    (LANE_OP_fadd, LANE_OP_fsub, 0, LANE_OP_fadd_fsub),
    (LANE_OP_fadd, LANE_OP_fsub, 1, LANE_OP_fadd_rfsub),
    (LANE_OP_fadd, LANE_OP_fmul, 0, LANE_OP_fadd_fmul),
    (LANE_OP_fadd, LANE_OP_fmul, 1, LANE_OP_fadd_fmul),
    (LANE_OP_fadd, LANE_OP_fmin, 0, LANE_OP_fadd_fmin),
    (LANE_OP_fadd, LANE_OP_fmin, 1, LANE_OP_fadd_rfmin),
    (LANE_OP_fadd, LANE_OP_fmax, 0, LANE_OP_fadd_fmax),
    (LANE_OP_fadd, LANE_OP_fmax, 1, LANE_OP_fadd_rfmax),
    (LANE_OP_fsub, LANE_OP_fadd, 0, LANE_OP_fsub_fadd),
    (LANE_OP_fsub, LANE_OP_fadd, 1, LANE_OP_fsub_fadd),
    (LANE_OP_fsub, LANE_OP_fsub, 0, LANE_OP_fsub_fsub),
    (LANE_OP_fsub, LANE_OP_fsub, 1, LANE_OP_fsub_rfsub),
    (LANE_OP_fsub, LANE_OP_fmul, 0, LANE_OP_fsub_fmul),
    (LANE_OP_fsub, LANE_OP_fmul, 1, LANE_OP_fsub_fmul),
    (LANE_OP_fsub, LANE_OP_fmin, 0, LANE_OP_fsub_fmin),
    (LANE_OP_fsub, LANE_OP_fmin, 1, LANE_OP_fsub_rfmin),
    (LANE_OP_fsub, LANE_OP_fmax, 0, LANE_OP_fsub_fmax),
    (LANE_OP_fsub, LANE_OP_fmax, 1, LANE_OP_fsub_rfmax),
    (LANE_OP_fmin, LANE_OP_fadd, 0, LANE_OP_fmin_fadd),
    (LANE_OP_fmin, LANE_OP_fadd, 1, LANE_OP_fmin_fadd),
    (LANE_OP_fmin, LANE_OP_fsub, 0, LANE_OP_fmin_fsub),
    (LANE_OP_fmin, LANE_OP_fsub, 1, LANE_OP_fmin_rfsub),
    (LANE_OP_fmin, LANE_OP_fmul, 0, LANE_OP_fmin_fmul),
    (LANE_OP_fmin, LANE_OP_fmul, 1, LANE_OP_fmin_fmul),
    (LANE_OP_fmin, LANE_OP_fmin, 0, LANE_OP_fmin_fmin),
    (LANE_OP_fmin, LANE_OP_fmin, 1, LANE_OP_fmin_rfmin),
    (LANE_OP_fmin, LANE_OP_fmax, 0, LANE_OP_fmin_fmax),
    (LANE_OP_fmin, LANE_OP_fmax, 1, LANE_OP_fmin_rfmax),
    (LANE_OP_fmax, LANE_OP_fadd, 0, LANE_OP_fmax_fadd),
    (LANE_OP_fmax, LANE_OP_fadd, 1, LANE_OP_fmax_fadd),
    (LANE_OP_fmax, LANE_OP_fsub, 0, LANE_OP_fmax_fsub),
    (LANE_OP_fmax, LANE_OP_fsub, 1, LANE_OP_fmax_rfsub),
    (LANE_OP_fmax, LANE_OP_fmul, 0, LANE_OP_fmax_fmul),
    (LANE_OP_fmax, LANE_OP_fmul, 1, LANE_OP_fmax_fmul),
    (LANE_OP_fmax, LANE_OP_fmin, 0, LANE_OP_fmax_fmin),
    (LANE_OP_fmax, LANE_OP_fmin, 1, LANE_OP_fmax_rfmin),
    (LANE_OP_fmax, LANE_OP_fmax, 0, LANE_OP_fmax_fmax),
    (LANE_OP_fmax, LANE_OP_fmax, 1, LANE_OP_fmax_rfmax),
    (LANE_OP_fmul, LANE_OP_fmul, 0, LANE_OP_fmul_fmul),
    (LANE_OP_fmul, LANE_OP_fmul, 1, LANE_OP_fmul_fmul),
    (LANE_OP_fmul, LANE_OP_fmin, 0, LANE_OP_fmul_fmin),
    (LANE_OP_fmul, LANE_OP_fmin, 1, LANE_OP_fmul_rfmin),
    (LANE_OP_fmul, LANE_OP_fmax, 0, LANE_OP_fmul_fmax),
    (LANE_OP_fmul, LANE_OP_fmax, 1, LANE_OP_fmul_rfmax),
    (LANE_OP_fadd, LANE_OP_fabs, 0, LANE_OP_fadd_fabs),
    (LANE_OP_fsub, LANE_OP_fabs, 0, LANE_OP_fsub_fabs),
    (LANE_OP_fmul, LANE_OP_fabs, 0, LANE_OP_fmul_fabs),
    (LANE_OP_fadd, LANE_OP_floor, 0, LANE_OP_fadd_floor),
    (LANE_OP_fsub, LANE_OP_floor, 0, LANE_OP_fsub_floor),
    (LANE_OP_fmul, LANE_OP_floor, 0, LANE_OP_fmul_floor),
    (LANE_OP_fadd, LANE_OP_fract, 0, LANE_OP_fadd_fract),
    (LANE_OP_fsub, LANE_OP_fract, 0, LANE_OP_fsub_fract),
    (LANE_OP_fmul, LANE_OP_fract, 0, LANE_OP_fmul_fract),
    (LANE_OP_fadd, LANE_OP_sin, 0, LANE_OP_fadd_sin),
    (LANE_OP_fsub, LANE_OP_sin, 0, LANE_OP_fsub_sin),
    (LANE_OP_fmul, LANE_OP_sin, 0, LANE_OP_fmul_sin),
    (LANE_OP_fadd, LANE_OP_cos, 0, LANE_OP_fadd_cos),
    (LANE_OP_fsub, LANE_OP_cos, 0, LANE_OP_fsub_cos),
    (LANE_OP_fmul, LANE_OP_cos, 0, LANE_OP_fmul_cos),
    (LANE_OP_fabs, LANE_OP_fadd, 0, LANE_OP_fabs_fadd),
    (LANE_OP_fabs, LANE_OP_fadd, 1, LANE_OP_fabs_fadd),
    (LANE_OP_fabs, LANE_OP_fsub, 0, LANE_OP_fabs_fsub),
    (LANE_OP_fabs, LANE_OP_fsub, 1, LANE_OP_fabs_rfsub),
    (LANE_OP_fabs, LANE_OP_fmul, 0, LANE_OP_fabs_fmul),
    (LANE_OP_fabs, LANE_OP_fmul, 1, LANE_OP_fabs_fmul),
    (LANE_OP_sin, LANE_OP_fmul, 0, LANE_OP_sin_fmul),
    (LANE_OP_sin, LANE_OP_fmul, 1, LANE_OP_sin_fmul),
    (LANE_OP_cos, LANE_OP_fmul, 0, LANE_OP_cos_fmul),
    (LANE_OP_cos, LANE_OP_fmul, 1, LANE_OP_cos_fmul),
    (LANE_OP_xor, LANE_OP_xor, 0, LANE_OP_xor_xor),
    (LANE_OP_xor, LANE_OP_xor, 1, LANE_OP_xor_xor),
    (LANE_OP_iadd, LANE_OP_iadd, 0, LANE_OP_iadd_iadd),
    (LANE_OP_iadd, LANE_OP_iadd, 1, LANE_OP_iadd_iadd),
    (LANE_OP_iadd, LANE_OP_imul, 0, LANE_OP_iadd_imul),
    (LANE_OP_iadd, LANE_OP_imul, 1, LANE_OP_iadd_imul),
    (LANE_OP_imul, LANE_OP_iadd, 0, LANE_OP_imul_iadd),
    (LANE_OP_imul, LANE_OP_iadd, 1, LANE_OP_imul_iadd),
    (LANE_OP_imul, LANE_OP_xor, 0, LANE_OP_imul_xor),
    (LANE_OP_imul, LANE_OP_xor, 1, LANE_OP_imul_xor),
    (LANE_OP_xorshift, LANE_OP_imul, 0, LANE_OP_xorshift_imul),
    (LANE_OP_xorshift, LANE_OP_imul, 1, LANE_OP_xorshift_imul),
    (LANE_OP_iadd, LANE_OP_xorshift, 0, LANE_OP_iadd_xorshift),
    (LANE_OP_imul, LANE_OP_xorshift, 0, LANE_OP_imul_xorshift),
    (LANE_OP_xor, LANE_OP_xorshift, 0, LANE_OP_xor_xorshift),
    (LANE_OP_shl, LANE_OP_or, 0, LANE_OP_shl_or),
    (LANE_OP_shl, LANE_OP_or, 1, LANE_OP_shl_or),
    (LANE_OP_shr, LANE_OP_and, 0, LANE_OP_shr_and),
    (LANE_OP_shr, LANE_OP_and, 1, LANE_OP_shr_and),
    (LANE_OP_smax, LANE_OP_smin, 0, LANE_OP_smax_smin),
    (LANE_OP_smax, LANE_OP_smin, 1, LANE_OP_smax_smin),
    (LANE_OP_smin, LANE_OP_smax, 0, LANE_OP_smin_smax),
    (LANE_OP_smin, LANE_OP_smax, 1, LANE_OP_smin_smax),
    (LANE_OP_shr, LANE_OP_i2f, 0, LANE_OP_shr_i2f),
    (LANE_OP_shr_i2f, LANE_OP_fmul, 0, LANE_OP_shr_i2f_fmul),
    (LANE_OP_shr_i2f, LANE_OP_fmul, 1, LANE_OP_shr_i2f_fmul),
    (LANE_OP_i2f, LANE_OP_fadd, 0, LANE_OP_i2f_fadd),
    (LANE_OP_i2f, LANE_OP_fadd, 1, LANE_OP_i2f_fadd),
    (LANE_OP_i2f, LANE_OP_fmul, 0, LANE_OP_i2f_fmul),
    (LANE_OP_i2f, LANE_OP_fmul, 1, LANE_OP_i2f_fmul),
  ]
}
