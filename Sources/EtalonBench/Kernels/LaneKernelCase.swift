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
