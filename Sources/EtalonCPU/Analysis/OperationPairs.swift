internal import CLaneKernels

/// Which two operations have an instruction that does both.
enum OperationPairs {
  struct Key: Hashable {
    let first: Operation
    let second: Operation
    /// Which operand of the second is the result of the first.
    let position: Int
  }

  static let known = Dictionary(
    uniqueKeysWithValues: list.map { (Key(first: Operation($0.first), second: Operation($0.second), position: $0.position), $0.fused) })

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
  ]
}
