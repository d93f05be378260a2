internal import CLaneKernels

/// What a node of a graph computes: an operation of the lane kernels, or one of a few that become no instruction.
struct Operation: Hashable, Sendable {
  let rawValue: UInt16

  init(_ operation: lane_op) { rawValue = UInt16(truncatingIfNeeded: operation.rawValue) }
  private init(pseudo: UInt16) { rawValue = pseudo }

  /// The word in the node's immediate.
  static let constant = Operation(pseudo: 0xffff)
  /// Channel `immediate` of the texture read in the first argument.
  static let part = Operation(pseudo: 0xfffe)
  /// What a branch, a loop or a scope assigns on its ways.
  static let variable = Operation(pseudo: 0xfffd)
  /// A coordinate of the workgroup: x, y or z for 0, 1, 2.
  static let workgroup = Operation(pseudo: 0xfffc)

  /// Whether a lane kernel carries it out.
  var isKernel: Bool { rawValue < UInt16(truncatingIfNeeded: LANE_OP_COUNT.rawValue) }

  /// The operation of the kernels.
  var kernel: lane_op { lane_op(rawValue: lane_op.RawValue(rawValue)) }

  /// The number of operands of an element-wise kernel, 0 for all others.
  var arity: Int { isKernel ? Int(lane_op_arity(CInt(rawValue))) : 0 }
}

extension Operation {
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
  var overwritesEarly: Bool { isKernel && arity == 0 }

  /// Roughly how many additions it takes as long as.
  var cost: Int {
    guard isKernel else { return 0 }
    switch kernel {
    case LANE_OP_sin, LANE_OP_cos, LANE_OP_sine_hash, LANE_OP_fmadd_sin, LANE_OP_fmadd_cos, LANE_OP_exp, LANE_OP_exp2, LANE_OP_log,
      LANE_OP_log2, LANE_OP_atan, LANE_OP_asin, LANE_OP_acos:
      return 6
    case LANE_OP_pow, LANE_OP_tan, LANE_OP_atan2, LANE_OP_sinh, LANE_OP_cosh, LANE_OP_tanh: return 12
    case LANE_OP_sample_2d, LANE_OP_sample_3d, LANE_OP_sample_cube, LANE_OP_gather_2d: return 40
    case LANE_OP_fetch, LANE_OP_load_buffer, LANE_OP_load_row, LANE_OP_load_constants, LANE_OP_load_shared: return 15
    case LANE_OP_inversesqrt, LANE_OP_sqrt, LANE_OP_fdiv, LANE_OP_smoothstep, LANE_OP_fmod: return 2
    default: return 1
    }
  }
}
