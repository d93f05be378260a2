internal import CLaneKernels
internal import EtalonSPIRV

extension KernelLowering {
  /// The place that an access chain leads to.
  func accessChain(_ instruction: Instruction) throws(Refusal) -> Pointer {
    var pointer = try pointer(instruction.id(0), at: instruction.index)
    for index in instruction.ids(from: 1) {
      switch pointer.root {
      case .buffer: try stepInBuffer(&pointer, index, at: instruction.index)
      default: try step(&pointer, index, at: instruction.index)
      }
    }
    return pointer
  }

  // MARK: Places that count scalars

  private func step(_ pointer: inout Pointer, _ index: Id, at instruction: Int) throws(Refusal) {
    let type = module.type(pointer.type)
    if let bits = module.scalarConstant(index) {
      let limit = (type.partCount ?? 1) - 1
      let position = min(Int(truncatingIfNeeded: bits & 0xffff_ffff), max(limit, 0))
      guard let part = type.part(position) else { throw Refusal("an index into what has no parts", at: instruction) }
      pointer.offset += scalarOffset(of: position, in: pointer.type)
      pointer.type = part
      return
    }
    guard let part = type.part(0), let count = type.partCount, count > 0 else {
      throw Refusal("an index into what has no parts", at: instruction)
    }
    if case .structure = type { throw Refusal("a member that is chosen while the shader runs", at: instruction) }
    let wanted = try scalar(index, at: instruction)
    watchIndex(wanted, limit: count, at: instruction)
    addDistance(&pointer, add(LANE_OP_umin, wanted, word(count - 1)), stride: module.scalarCount(part))
    pointer.type = part
  }

  private func addDistance(_ pointer: inout Pointer, _ index: ValueId, stride: Int) {
    let distance = stride == 1 ? index : add(LANE_OP_imul, index, word(stride))
    pointer.dynamic = pointer.dynamic.map { add(LANE_OP_iadd, $0, distance) } ?? distance
  }

  // MARK: Buffers, which count bytes

  private func stepInBuffer(_ pointer: inout Pointer, _ index: Id, at instruction: Int) throws(Refusal) {
    switch module.type(pointer.type) {
    case .structure(let members):
      guard let bits = module.scalarConstant(index), bits < UInt64(members.count) else {
        throw Refusal("a member that is chosen while the shader runs", at: instruction)
      }
      let member = Int(bits)
      pointer.offset += Int(module.value(of: .Offset, pointer.type, member: member) ?? 0)
      if let stride = module.value(of: .MatrixStride, pointer.type, member: member) {
        pointer.matrix = Pointer.MatrixLayout(
          stride: Int(stride), isRowMajor: module.has(.RowMajor, pointer.type, member: member))
      }
      pointer.type = members[member]
    case .array(let element, let length):
      try stepBytes(&pointer, index, stride: arrayStride(pointer.type, element: element), limit: length, at: instruction)
      pointer.type = element
    case .runtimeArray(let element):
      try stepBytes(&pointer, index, stride: arrayStride(pointer.type, element: element), limit: nil, at: instruction)
      pointer.type = element
    case .matrix(let column, let count):
      let stride = pointer.matrix.map { $0.isRowMajor ? 4 : $0.stride } ?? 16
      try stepBytes(&pointer, index, stride: stride, limit: count, at: instruction)
      pointer.type = column
    case .vector(let component, let count):
      let stride = pointer.matrix.map { $0.isRowMajor ? $0.stride : 4 } ?? 4
      try stepBytes(&pointer, index, stride: stride, limit: count, at: instruction)
      pointer.type = component
    default: throw Refusal("an index into what has no parts", at: instruction)
    }
  }

  private func arrayStride(_ type: Id, element: Id) -> Int {
    module.value(of: .ArrayStride, type).map(Int.init) ?? module.scalarCount(element) * 4
  }

  private func stepBytes(
    _ pointer: inout Pointer, _ index: Id, stride: Int, limit: Int?, at instruction: Int
  ) throws(Refusal) {
    if let bits = module.scalarConstant(index) {
      var position = Int(truncatingIfNeeded: bits & 0xffff_ffff)
      if let limit { position = min(position, max(limit - 1, 0)) }
      let (distance, overflow) = position.multipliedReportingOverflow(by: stride)
      guard !overflow, distance <= Int(UInt32.max) else { throw Refusal("a buffer offset beyond 4 GiB", at: instruction) }
      pointer.offset += distance
      return
    }
    var chosen = try scalar(index, at: instruction)
    if let limit {
      watchIndex(chosen, limit: limit, at: instruction)
      chosen = add(LANE_OP_umin, chosen, word(max(limit - 1, 0)))
    }
    addDistance(&pointer, chosen, stride: stride)
  }
}
