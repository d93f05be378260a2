import CLaneKernels

/// One lane kernel with operands that it can be timed with.
struct LaneKernelCase {
  /// The operation and which of its operands are vectors, or what else tells the cases of an operation apart: `fadd vs`, `fetch levels`.
  let name: String
  /// The instruction and, where the kernel has more operands than fit, the entry after it.
  let code: [lane_code]
  /// Whether the program ends with the kernel, so that only one of them runs.
  var isLast = false

  var operation: lane_op { lane_op(rawValue: code[0].op) }

  /// Every kernel of the table: element-wise ones with all combinations of vector and scalar operands, and the others with one or more.
  static let all = (0..<LANE_OP_COUNT.rawValue).flatMap { cases(of: lane_op(rawValue: $0)) }

  /// Additions of two vectors are what all times are given in.
  static let unit = elementwise(LANE_OP_fadd, arity: 2)[0]

  private static func cases(of operation: lane_op) -> [LaneKernelCase] {
    let arity = lane_op_arity(CInt(bitPattern: operation.rawValue))
    return arity > 0 ? elementwise(operation, arity: Int(arity)) : special(operation)
  }

  static func name(of operation: lane_op) -> String {
    unsafe String(cString: lane_op_name(CInt(bitPattern: operation.rawValue)))
  }

  private static func elementwise(_ operation: lane_op, arity: Int) -> [LaneKernelCase] {
    let first: KernelOperand = operation == LANE_OP_acosh ? .aboveOne : .unit
    let vectors: [KernelOperand] = [first, .other, .third], scalars: [KernelOperand] = [.scalar, .otherScalar, .thirdScalar]
    return (0..<UInt32(1) << UInt32(arity)).map { forms in
      let isScalar = (0..<arity).map { forms & 1 << UInt32($0) != 0 }
      let operands = isScalar.enumerated().map { $1 ? scalars[$0].offset : vectors[$0].offset }
      let padded = operands + [0, 0]
      let kinds = isScalar.map { $0 ? "s" : "v" }.joined()
      let code = lane_code(
        op: operation.rawValue, forms: forms, d: KernelOperand.result.offset, a: padded[0], b: padded[1], c: padded[2], e: 0, f: 0)
      return LaneKernelCase(name: "\(name(of: operation)) \(kinds)", code: [code])
    }
  }
}

// MARK: special operations

extension LaneKernelCase {
  /// The cases of an operation that looks at other lanes, at memory or at the flow of control; empty for an operation that is not described here.
  private static func special(_ operation: lane_op) -> [LaneKernelCase] {
    let entry = Entry(operation)
    switch operation {
    case LANE_OP_halt, LANE_OP_barrier: return [entry.ending()]
    case LANE_OP_jump, LANE_OP_loop: return [entry(f: 1)]
    case LANE_OP_jump_if_false: return [entry(a: .one, f: 1)]
    case LANE_OP_jump_if_true: return [entry(a: .zero, f: 1)]
    case LANE_OP_jump_if_none, LANE_OP_loop_while_any: return [entry(d: .result, a: .mask, f: 1)]
    case LANE_OP_and_jump_if_none: return [entry(d: .result, a: .mask, b: .mask, f: 1)]
    case LANE_OP_andnot_jump_if_none: return [entry(d: .result, a: .mask, b: .noLanes, f: 1)]
    case LANE_OP_spread: return [entry(d: .result, a: .scalar)]
    case LANE_OP_extension, LANE_OP_results, LANE_OP_lane_index, LANE_OP_loop_limit: return [entry(d: .result)]
    case LANE_OP_watch, LANE_OP_watch_finite, LANE_OP_watch_quads:
      return [entry(a: operation == LANE_OP_watch ? .noLanes : .unit, c: operation == LANE_OP_watch_quads ? .one : .mask).with(a: 0)]
    case LANE_OP_watch_count, LANE_OP_watch_shared, LANE_OP_watch_stored, LANE_OP_watch_barrier, LANE_OP_watch_reach, LANE_OP_probe:
      return [entry(a: .zero, c: .mask).with(a: 0)]
    default: return memory(operation, entry) + textures(operation, entry) + neighbours(operation, entry)
    }
  }

  private static func memory(_ operation: lane_op, _ entry: Entry) -> [LaneKernelCase] {
    let rows = KernelOperand.rows, rowCount = KernelOperand.rowCount, words = rowCount * UInt32(LANE_BATCH)
    switch operation {
    case LANE_OP_load_word: return [entry(d: .zero)]
    case LANE_OP_load_buffer: return [entry(d: .result, a: .byteOffset)]
    case LANE_OP_store_buffer: return [entry(a: .byteOffset, b: .unit, c: .mask)]
    case LANE_OP_atomic_buffer: return [entry(d: .result, a: .byteOffset, b: .index, c: .mask).with(a: KernelOperand.index.offset)]
    case LANE_OP_buffer_length: return [entry(d: .zero, count: (.c, 4))]
    case LANE_OP_fill_rows: return [entry(count: (.b, UInt32(LANE_BATCH) * 4), f: rows)]
    case LANE_OP_load_row:
      return [
        entry("rows", d: .result, a: .index, count: (.b, rowCount), f: rows),
        entry("one-row", d: .result, a: .one, count: (.b, rowCount), f: rows),
      ]
    case LANE_OP_store_row: return [entry(a: .index, b: .unit, c: .mask, count: (.d, rowCount), f: rows)]
    case LANE_OP_load_constants: return [entry(d: .result, a: .index)]
    case LANE_OP_load_shared: return [entry(d: .result, a: .index, count: (.b, words), f: rows)]
    case LANE_OP_store_shared: return [entry(a: .index, b: .unit, c: .mask, count: (.d, words), f: rows)]
    case LANE_OP_atomic_shared:
      return [entry(d: .result, a: .index, b: .index, c: .mask, f: rows).with(a: KernelOperand.index.offset, b: words)]
    default: return []
    }
  }

  private static func textures(_ operation: lane_op, _ entry: Entry) -> [LaneKernelCase] {
    let channels = (
      a: KernelOperand.result2.offset, b: KernelOperand.result3.offset, c: KernelOperand.result4.offset, d: KernelOperand.result.offset
    )
    func read(_ call: LaneKernelCase) -> LaneKernelCase { call.with(a: channels.a, b: channels.b, c: channels.c, d: channels.d) }
    switch operation {
    case LANE_OP_sample_2d:
      return KernelTexture.all.map { read(entry($0.name, a: .u, b: .v, c: .zero, e: $0.number)) }
    case LANE_OP_sample_3d: return [read(entry(a: .u, b: .v, c: .u, e: KernelTexture.linear))]
    case LANE_OP_sample_cube: return [read(entry(a: .u, b: .v, c: .unit, e: KernelTexture.linear))]
    case LANE_OP_gather_2d: return [read(entry(a: .u, b: .v, e: KernelTexture.linear))]
    case LANE_OP_fetch:
      return [
        read(entry("one-level", d: .zero, a: .x, b: .y, c: .zero, e: KernelTexture.linear)),
        read(entry("levels", d: .noLanes, a: .x, b: .y, c: .noLanes, e: KernelTexture.linear)),
      ]
    case LANE_OP_sum_texels:
      let tap = lane_code(
        op: LANE_OP_extension.rawValue, forms: 0, d: 0, a: KernelOperand.x.offset, b: KernelOperand.y.offset, c: KernelOperand.unit.offset,
        e: KernelTexture.linear, f: UInt32(LANE_TAP_IS_WEIGHTED))
      let results = lane_code(
        op: LANE_OP_results.rawValue, forms: 0, d: channels.d, a: channels.a, b: channels.b, c: channels.c, e: 0, f: 0)
      return [2, 6].map { count in
        let sum = entry(
          "of \(count)", d: .unit, a: .other, b: .third, c: .unit, f: UInt32(count | LANE_SUM_IS_CONTINUED))
        return LaneKernelCase(name: sum.name, code: sum.code + [lane_code](repeating: tap, count: count) + [results])
      }
    case LANE_OP_gradient_level: return [entry(d: .result, a: .unit, b: .other, c: .third, f: KernelOperand.unit.offset)]
    case LANE_OP_store_texel:
      let (unit, other, third) = (KernelOperand.unit.offset, KernelOperand.other.offset, KernelOperand.third.offset)
      return KernelTexture.stored.map {
        entry($0.name, d: .mask, a: .x, b: .y, c: .zero, e: $0.number).with(a: unit, b: other, c: third, d: unit)
      }
    case LANE_OP_texture_size: return [entry(d: .result, a: .noLanes)]
    default: return []
    }
  }

  private static func neighbours(_ operation: lane_op, _ entry: Entry) -> [LaneKernelCase] {
    switch operation {
    case LANE_OP_quad_swap, LANE_OP_quad_broadcast: return [entry(d: .result, a: .unit, f: 1)]
    case LANE_OP_subgroup_shuffle: return [entry(d: .result, a: .unit, b: .index, f: 1)]
    case LANE_OP_subgroup_first, LANE_OP_subgroup_ballot, LANE_OP_subgroup_elect, LANE_OP_subgroup_vote:
      return [entry(d: .result, a: .unit, b: .mask)]
    case LANE_OP_subgroup_arithmetic: return [entry("fadd", d: .result, a: .unit, b: .mask, f: 1)]
    default: return []
    }
  }

  /// The kernel with an entry after it that holds further operands.
  private func with(a: UInt32, b: UInt32 = 0, c: UInt32 = 0, d: UInt32 = 0) -> LaneKernelCase {
    LaneKernelCase(name: name, code: code + [lane_code(op: LANE_OP_extension.rawValue, forms: 0, d: d, a: a, b: b, c: c, e: 0, f: 0)])
  }
}

/// Writes the code of a special operation as its kernel reads it.
private struct Entry {
  enum Field { case b, c, d }

  private let operation: lane_op

  init(_ operation: lane_op) { self.operation = operation }

  /// - Parameter count: a number in the place of an operand.
  func callAsFunction(
    _ detail: String = "", d: KernelOperand? = nil, a: KernelOperand? = nil, b: KernelOperand? = nil, c: KernelOperand? = nil,
    count: (field: Field, value: UInt32)? = nil, e: UInt32 = 0, f: UInt32 = 0
  ) -> LaneKernelCase {
    var forms: UInt32 = 0
    for (bit, operand) in [a, b, c, d].enumerated() where operand?.isScalar == true { forms |= 1 << UInt32(bit) }
    var code = lane_code(
      op: operation.rawValue, forms: forms, d: d?.offset ?? 0, a: a?.offset ?? 0, b: b?.offset ?? 0, c: c?.offset ?? 0, e: e, f: f)
    switch count?.field {
    case .b: code.b = count?.value ?? 0
    case .c: code.c = count?.value ?? 0
    case .d: code.d = count?.value ?? 0
    case nil: break
    }
    let name = LaneKernelCase.name(of: operation)
    return LaneKernelCase(name: detail.isEmpty ? name : "\(name) \(detail)", code: [code])
  }

  /// The operation as the end of a program.
  func ending() -> LaneKernelCase {
    var ending = self()
    ending.isLast = true
    return ending
  }
}
