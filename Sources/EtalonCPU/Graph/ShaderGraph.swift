internal import CLaneKernels

/// The number of a node in a graph.
struct ValueId: Hashable, Sendable {
  let index: Int32

  init(_ index: Int) { self.index = Int32(index) }
  init(raw: Int32) { index = raw }

  var position: Int { Int(index) }
}

/// A shader as scalar operations in nested regions: every call inlined, every vector taken apart, every local variable a value.
///
/// ```
/// %12 = flt %9 %3
/// branch %12
///   %13 = fmul %9 %9
/// else
///   %14 = sqrt %9
/// %15 = variable        (%13 after the first arm, %14 after the second)
/// ```
///
/// Lanes are only masked when the graph is emitted; here control flow is as the author wrote it.
struct ShaderGraph: Sendable {
  /// One value and how it comes about.
  struct Node: Sendable {
    let operation: ShaderOperation
    /// The values it is computed from; -1 beyond the last, and in place of those that a sum of texels does not need.
    var arguments: SIMD8<Int32>
    /// Constants of the operation: a number, an offset, a kind.
    let immediate: UInt32
    let second: UInt32
    /// Whether it keeps its place among others that read and write.
    var isOrdered = false
  }

  enum Item: Sendable {
    case operation(ValueId)
    case branch(Int)
    case scope(Int)
    /// The last item of its region.
    case exit(Int)
  }

  struct Assignment: Sendable {
    let variable: ValueId
    var value: ValueId
  }

  /// `if (condition) accept else reject`.
  struct Branch: Sendable {
    var condition: ValueId
    let accept: Int
    let reject: Int
    /// What each variable is after either arm.
    var merges: [Merge] = []
    /// Whether control can reach the end of the arms.
    var acceptFallsThrough = true
    var rejectFallsThrough = true
  }

  struct Merge: Sendable {
    let variable: ValueId
    var accepted: ValueId
    var rejected: ValueId
  }

  /// A region that can be left from within: the body of a loop, an inlined function, a switch.
  struct Scope: Sendable {
    struct Carried: Sendable {
      let variable: ValueId
      var initial: ValueId
      var next: ValueId
      /// The variable that continues it after the loop.
      var after: ValueId?
    }
    let isLoop: Bool
    let body: Int
    /// What runs between the rounds of a loop, nil where no exit goes there: then it is the end of the body.
    var continuing: Int?
    /// The variables that a round hands to the next.
    var carried: [Carried] = []
    /// What the variables of the continuing region are when control reaches the end of the body.
    var bodyEnd: [Assignment] = []
    /// What the variables after a scope that is no loop are when control reaches the end of the body.
    var end: [Assignment] = []
    var bodyFallsThrough = true
    var continuingFallsThrough = true
  }

  /// A jump to the end of a scope, or to its continuing region.
  struct Exit: Sendable {
    let scope: Int
    let isContinue: Bool
    var assignments: [Assignment]
  }

  var nodes: [Node] = []
  /// For each node the number of its origin, -1 for none; empty unless the graph is watched.
  var origins: [Int32] = []
  var regions: [[Item]] = [[]]
  var branches: [Branch] = []
  var scopes: [Scope] = []
  var exits: [Exit] = []

  subscript(value: ValueId) -> Node { nodes[value.position] }

  /// The word of a constant, nil for any other value.
  func constantWord(_ value: ValueId) -> UInt32? {
    let node = self[value]
    return node.operation == .constant ? node.immediate : nil
  }

  /// Where control ends where no exit is taken.
  static let root = 0
  /// The argument of a watch that names the value without which it is of no interest.
  static let watchedPosition = 7
}

extension ShaderGraph.Node {
  /// The arguments that there are.
  var argumentIds: [ValueId] {
    var ids: [ValueId] = []
    for k in 0..<8 where arguments[k] >= 0 { ids.append(ValueId(raw: arguments[k])) }
    return ids
  }

  func argument(_ position: Int) -> ValueId { ValueId(raw: arguments[position]) }
}

// MARK: - Operations

/// What a node of a graph computes: an operation of the lane kernels, or one of a few that become no instruction.
struct ShaderOperation: Hashable, Sendable {
  let rawValue: UInt16

  init(_ operation: lane_op) { rawValue = UInt16(truncatingIfNeeded: operation.rawValue) }
  private init(pseudo: UInt16) { rawValue = pseudo }

  /// The word in the node's immediate.
  static let constant = ShaderOperation(pseudo: 0xffff)
  /// Channel `immediate` of the texture read in the first argument.
  static let part = ShaderOperation(pseudo: 0xfffe)
  /// What a branch, a loop or a scope assigns on its ways.
  static let variable = ShaderOperation(pseudo: 0xfffd)
  /// A coordinate of the workgroup: x, y or z for 0, 1, 2.
  static let workgroup = ShaderOperation(pseudo: 0xfffc)

  /// Whether a lane kernel carries it out.
  var isKernel: Bool { rawValue < UInt16(truncatingIfNeeded: LANE_OP_COUNT.rawValue) }

  /// The operation of the kernels.
  var kernel: lane_op { lane_op(rawValue: lane_op.RawValue(rawValue)) }

  /// The number of operands of an element-wise kernel, 0 for all others.
  var arity: Int { isKernel ? Int(lane_op_arity(CInt(rawValue))) : 0 }
}

extension ShaderOperation {
  /// What an operation depends on besides its arguments, and what depends on it.
  enum Effect: Sendable {
    /// The same arguments give the same result, whenever it runs.
    case pure
    /// Reads what other operations write, or the mask of active lanes: keeps its place, but may be dropped.
    case reads
    /// Writes: is never dropped.
    case writes
  }

  /// How many of its results the operation has for itself: a texture read has four parts.
  var hasParts: Bool {
    switch kernel {
    case LANE_OP_sample_2d, LANE_OP_sample_3d, LANE_OP_sample_cube, LANE_OP_gather_2d, LANE_OP_fetch: true
    default: false
    }
  }

  /// Whether the kernel takes the mask of active lanes as a register.
  var needsMask: Bool {
    switch kernel {
    case LANE_OP_store_buffer, LANE_OP_atomic_buffer, LANE_OP_store_row, LANE_OP_store_shared, LANE_OP_atomic_shared,
      LANE_OP_store_texel, LANE_OP_subgroup_first, LANE_OP_subgroup_ballot, LANE_OP_subgroup_elect, LANE_OP_subgroup_vote,
      LANE_OP_subgroup_arithmetic, LANE_OP_watch, LANE_OP_watch_finite, LANE_OP_watch_quads, LANE_OP_watch_count, LANE_OP_watch_shared,
      LANE_OP_watch_stored, LANE_OP_watch_barrier, LANE_OP_watch_reach, LANE_OP_probe:
      true
    default: false
    }
  }

  /// Whether it takes note of what lanes do.
  var watches: Bool {
    switch kernel {
    case LANE_OP_watch, LANE_OP_watch_finite, LANE_OP_watch_quads, LANE_OP_watch_count, LANE_OP_watch_shared,
      LANE_OP_watch_stored, LANE_OP_watch_barrier, LANE_OP_watch_reach, LANE_OP_probe:
      true
    default: false
    }
  }

  /// Whether the result differs from lane to lane even where the arguments do not.
  var isVarying: Bool {
    switch kernel {
    case LANE_OP_lane_index, LANE_OP_load_row, LANE_OP_load_shared, LANE_OP_atomic_buffer, LANE_OP_atomic_shared, LANE_OP_quad_swap,
      LANE_OP_quad_broadcast, LANE_OP_subgroup_shuffle, LANE_OP_subgroup_first, LANE_OP_subgroup_ballot, LANE_OP_subgroup_elect,
      LANE_OP_subgroup_vote, LANE_OP_subgroup_arithmetic:
      true
    default: false
    }
  }

  /// Whether the kernel may write a result before it has read all operands.
  var overwritesEarly: Bool { isKernel && arity == 0 && kernel != LANE_OP_results }

  /// Roughly how many additions it takes as long as.
  var cost: Int {
    guard isKernel else { return 0 }
    switch kernel {
    case LANE_OP_sin, LANE_OP_cos, LANE_OP_sine_hash, LANE_OP_fmadd_sin, LANE_OP_fmadd_cos, LANE_OP_exp, LANE_OP_exp2, LANE_OP_log,
      LANE_OP_log2, LANE_OP_atan, LANE_OP_asin, LANE_OP_acos:
      return 6
    case LANE_OP_pow, LANE_OP_tan, LANE_OP_atan2, LANE_OP_sinh, LANE_OP_cosh, LANE_OP_tanh: return 12
    case LANE_OP_sample_2d, LANE_OP_sample_3d, LANE_OP_sample_cube, LANE_OP_gather_2d: return 40
    case LANE_OP_fetch, LANE_OP_sum_texels, LANE_OP_load_buffer, LANE_OP_load_row, LANE_OP_load_constants, LANE_OP_load_shared: return 15
    case LANE_OP_inversesqrt, LANE_OP_sqrt, LANE_OP_fdiv, LANE_OP_smoothstep, LANE_OP_fmod: return 2
    default: return 1
    }
  }
}
