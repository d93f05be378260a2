internal import CLaneKernels
internal import EtalonSPIRV

extension KernelLowering {
  // MARK: Loads

  func load(_ pointer: LoweredPointer, at instruction: Int) throws(Unsupported) -> [ValueId] {
    let count = try scalarCount(pointer.type, at: instruction)
    switch pointer.root {
    case .slots(let first, let total):
      guard total > 0, pointer.dynamic != nil || pointer.offset + count <= total else { throw outside(instruction) }
      return loadSlots(first, total, pointer, count: count)
    case .rows(let first, let rows):
      return (0..<count).map { part in
        builder.add(LANE_OP_load_row, [index(pointer, part)], immediate: UInt32(first), second: UInt32(rows), effect: .reads)
      }
    case .constants(let table, _):
      return (0..<count).map { part in
        builder.add(LANE_OP_load_constants, [index(pointer, part)], immediate: UInt32(table))
      }
    case .shared(let first, let words):
      return (0..<count).map { part in
        watchShared(index(pointer, part), first: first, .reads, value: nil, at: instruction)
        return builder.add(LANE_OP_load_shared, [index(pointer, part)], immediate: UInt32(first), second: UInt32(words), effect: .reads)
      }
    case .buffer(let number, let isWritable):
      var scalars: [ValueId] = []
      try forEachWord(pointer, type: pointer.type, offset: pointer.offset, matrix: pointer.matrix, at: instruction) { offset in
        scalars.append(loadWord(number, offset: offset, dynamic: pointer.dynamic, isWritable: isWritable))
      }
      return scalars
    case .builtIn(let builtIn): return try load(builtIn, pointer, at: instruction)
    case .texture: throw Unsupported("a texture as a value", at: instruction)
    }
  }

  private func outside(_ instruction: Int) -> Unsupported { Unsupported("a pointer that leads out of its variable", at: instruction) }

  /// The number of a scalar among those of its root.
  private func index(_ pointer: LoweredPointer, _ part: Int) -> ValueId {
    guard let dynamic = pointer.dynamic else { return word(pointer.offset + part) }
    return pointer.offset + part == 0 ? dynamic : add(LANE_OP_iadd, dynamic, word(pointer.offset + part))
  }

  private func loadSlots(_ first: Int, _ total: Int, _ pointer: LoweredPointer, count: Int) -> [ValueId] {
    (0..<count).map { part in
      guard let dynamic = pointer.dynamic else { return slots[first + pointer.offset + part] }
      return select(among: (first..<first + total).map { slots[$0] }, dynamic, offset: pointer.offset + part)
    }
  }

  /// The one of some values that an index plus an offset names; the last where it names none.
  func select(among values: [ValueId], _ index: ValueId, offset: Int) -> ValueId {
    var chosen = values[values.count - 1]
    for position in (max(offset, 0)..<max(values.count - 1, max(offset, 0))).reversed() {
      let matches = add(LANE_OP_ieq, index, word(position - offset))
      chosen = add(LANE_OP_select, matches, values[position], chosen)
    }
    return chosen
  }

  private func loadWord(_ buffer: Int, offset: Int, dynamic: ValueId?, isWritable: Bool) -> ValueId {
    let effect: ShaderOperation.Effect = isWritable ? .reads : .pure
    let bytes = UInt32(truncatingIfNeeded: offset)
    guard let dynamic else { return builder.add(LANE_OP_load_word, [], immediate: UInt32(buffer), second: bytes, effect: effect) }
    return builder.add(LANE_OP_load_buffer, [dynamic], immediate: UInt32(buffer), second: bytes, effect: effect)
  }

  /// Calls back with the byte offset of each word of a type in a buffer, in the order of its scalars.
  private func forEachWord(
    _ pointer: LoweredPointer, type: Id, offset: Int, matrix: LoweredPointer.MatrixLayout?, at instruction: Int,
    _ body: (Int) throws(Unsupported) -> Void
  ) throws(Unsupported) {
    switch module.type(type) {
    case .bool, .int(32, _), .float(32): try body(offset)
    case .vector(let component, let count):
      let stride = matrix.map { $0.isRowMajor ? $0.stride : 4 } ?? 4
      for part in 0..<count {
        try forEachWord(pointer, type: component, offset: offset + part * stride, matrix: nil, at: instruction, body)
      }
    case .matrix(let column, let count):
      let stride = matrix.map { $0.isRowMajor ? 4 : $0.stride } ?? 16
      for part in 0..<count {
        try forEachWord(pointer, type: column, offset: offset + part * stride, matrix: matrix, at: instruction, body)
      }
    case .array(let element, let length):
      let stride = module.value(of: .ArrayStride, type).map(Int.init) ?? module.scalarCount(element) * 4
      for part in 0..<length {
        try forEachWord(pointer, type: element, offset: offset + part * stride, matrix: matrix, at: instruction, body)
      }
    case .structure(let members):
      for (member, memberType) in members.enumerated() {
        var layout: LoweredPointer.MatrixLayout?
        if let stride = module.value(of: .MatrixStride, type, member: member) {
          layout = LoweredPointer.MatrixLayout(stride: Int(stride), isRowMajor: module.has(.RowMajor, type, member: member))
        }
        let start = offset + Int(module.value(of: .Offset, type, member: member) ?? 0)
        try forEachWord(pointer, type: memberType, offset: start, matrix: layout, at: instruction, body)
      }
    default: throw Unsupported("numbers of this width in a buffer", at: instruction)
    }
  }

  // MARK: Stores

  func store(_ scalars: [ValueId], to pointer: LoweredPointer, at instruction: Int) throws(Unsupported) {
    let always = builder.constant(UInt32.max)
    guard scalars.count == module.scalarCount(pointer.type) else { throw Unsupported("a store of what does not fit", at: instruction) }
    switch pointer.root {
    case .slots(let first, let total):
      guard pointer.dynamic != nil || pointer.offset + scalars.count <= total else { throw outside(instruction) }
      storeSlots(scalars, first, total, pointer)
    case .rows(let first, let rows):
      for (part, scalar) in scalars.enumerated() {
        _ = builder.add(
          LANE_OP_store_row, [index(pointer, part), scalar, always], immediate: UInt32(first), second: UInt32(rows), effect: .writes)
      }
    case .shared(let first, let words):
      for (part, scalar) in scalars.enumerated() {
        watchShared(index(pointer, part), first: first, .writes, value: scalar, at: instruction)
        _ = builder.add(
          LANE_OP_store_shared, [index(pointer, part), scalar, always], immediate: UInt32(first), second: UInt32(words),
          effect: .writes)
      }
    case .buffer(let number, _):
      var part = 0
      let isFloat = try scalarKind(pointer.type, at: instruction).isFloat
      try forEachWord(pointer, type: pointer.type, offset: pointer.offset, matrix: pointer.matrix, at: instruction) { offset in
        let value = isFloat ? add(LANE_OP_canonical, scalars[part]) : scalars[part]
        let start = pointer.dynamic ?? word(0)
        _ = builder.add(
          LANE_OP_store_buffer, [start, value, always], immediate: UInt32(number), second: UInt32(truncatingIfNeeded: offset),
          effect: .writes)
        part += 1
      }
    case .constants: break  // The one store of the constant that the array holds already.
    case .builtIn, .texture: throw Unsupported("a store to what cannot be written", at: instruction)
    }
  }

  private func storeSlots(_ scalars: [ValueId], _ first: Int, _ total: Int, _ pointer: LoweredPointer) {
    for (part, scalar) in scalars.enumerated() {
      guard let dynamic = pointer.dynamic else {
        slots[first + pointer.offset + part] = scalar
        continue
      }
      let offset = pointer.offset + part
      for position in max(offset, 0)..<max(total, max(offset, 0)) {
        let matches = add(LANE_OP_ieq, dynamic, word(position - offset))
        slots[first + position] = add(LANE_OP_select, matches, scalar, slots[first + position])
      }
    }
  }

  // MARK: Built-ins

  private func load(_ builtIn: BuiltIn, _ pointer: LoweredPointer, at instruction: Int) throws(Unsupported) -> [ValueId] {
    let all = try scalars(of: builtIn, at: instruction)
    if let dynamic = pointer.dynamic { return [select(among: all, dynamic, offset: pointer.offset)] }
    guard pointer.offset + module.scalarCount(pointer.type) <= all.count else { throw outside(instruction) }
    return Array(all[pointer.offset..<pointer.offset + module.scalarCount(pointer.type)])
  }

  private func scalars(of builtIn: BuiltIn, at instruction: Int) throws(Unsupported) -> [ValueId] {
    let lane = builder.add(LANE_OP_lane_index, [])
    let size = workgroupSize
    let inSubgroup = add(LANE_OP_and, lane, word(Int(LANE_SUBGROUP) - 1))
    switch builtIn {
    case .WorkgroupId: return (0..<3).map { builder.workgroup($0) }
    case .WorkgroupSize: return [word(size.x), word(size.y), word(size.z)]
    case .LocalInvocationIndex: return [lane]
    case .LocalInvocationId: return localId()
    case .GlobalInvocationId:
      let local = localId()
      return zip([size.x, size.y, size.z], 0..<3).map { size, axis in
        add(LANE_OP_iadd, add(LANE_OP_imul, builder.workgroup(axis), word(size)), local[axis])
      }
    case .SubgroupSize: return [word(Int(LANE_SUBGROUP))]
    case .NumSubgroups: return [word((size.x * size.y * size.z + Int(LANE_SUBGROUP) - 1) / Int(LANE_SUBGROUP))]
    case .SubgroupId:
      resources.readsSubgroupNumber = true
      return [add(LANE_OP_shr, lane, word(Int(LANE_SUBGROUP).trailingZeroBitCount))]
    case .SubgroupLocalInvocationId: return [inSubgroup]
    case .SubgroupEqMask: return laneMask(add(LANE_OP_shl, word(1), inSubgroup))
    case .SubgroupGeMask: return laneMask(add(LANE_OP_shl, word(-1), inSubgroup))
    case .SubgroupGtMask: return laneMask(add(LANE_OP_shl, word(-2), inSubgroup))
    case .SubgroupLtMask: return laneMask(add(LANE_OP_not, add(LANE_OP_shl, word(-1), inSubgroup)))
    case .SubgroupLeMask: return laneMask(add(LANE_OP_not, add(LANE_OP_shl, word(-2), inSubgroup)))
    case .NumWorkgroups: return (0..<3).map { builder.workgroup(3 + $0) }
    }
  }

  private func laneMask(_ low: ValueId) -> [ValueId] { [low, word(0), word(0), word(0)] }

  private func localId() -> [ValueId] {
    let lane = builder.add(LANE_OP_lane_index, [])
    let size = workgroupSize
    if size.y == 1 && size.z == 1 { return [lane, word(0), word(0)] }
    let rows = add(LANE_OP_udiv, lane, word(size.x))
    return [
      add(LANE_OP_umod, lane, word(size.x)), size.z == 1 ? rows : add(LANE_OP_umod, rows, word(size.y)),
      size.z == 1 ? word(0) : add(LANE_OP_udiv, rows, word(size.y)),
    ]
  }
}

// MARK: - Pointers

extension KernelLowering {
  /// The place that an access chain leads to.
  func accessChain(_ instruction: Instruction) throws(Unsupported) -> LoweredPointer {
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

  private func step(_ pointer: inout LoweredPointer, _ index: Id, at instruction: Int) throws(Unsupported) {
    let type = module.type(pointer.type)
    if let bits = module.scalarConstant(index) {
      let limit = (type.partCount ?? 1) - 1
      let position = min(Int(truncatingIfNeeded: bits & 0xffff_ffff), max(limit, 0))
      guard let part = type.part(position) else { throw Unsupported("an index into what has no parts", at: instruction) }
      pointer.offset += scalarOffset(of: position, in: pointer.type)
      pointer.type = part
      return
    }
    guard let part = type.part(0), let count = type.partCount, count > 0 else {
      throw Unsupported("an index into what has no parts", at: instruction)
    }
    if case .structure = type { throw Unsupported("a member that is chosen while the shader runs", at: instruction) }
    let wanted = try scalar(index, at: instruction)
    watchIndex(wanted, limit: count, at: instruction)
    addDistance(&pointer, add(LANE_OP_umin, wanted, word(count - 1)), stride: module.scalarCount(part))
    pointer.type = part
  }

  private func addDistance(_ pointer: inout LoweredPointer, _ index: ValueId, stride: Int) {
    let distance = stride == 1 ? index : add(LANE_OP_imul, index, word(stride))
    pointer.dynamic = pointer.dynamic.map { add(LANE_OP_iadd, $0, distance) } ?? distance
  }

  // MARK: Buffers, which count bytes

  private func stepInBuffer(_ pointer: inout LoweredPointer, _ index: Id, at instruction: Int) throws(Unsupported) {
    switch module.type(pointer.type) {
    case .structure(let members):
      guard let bits = module.scalarConstant(index), bits < UInt64(members.count) else {
        throw Unsupported("a member that is chosen while the shader runs", at: instruction)
      }
      let member = Int(bits)
      pointer.offset += Int(module.value(of: .Offset, pointer.type, member: member) ?? 0)
      if let stride = module.value(of: .MatrixStride, pointer.type, member: member) {
        pointer.matrix = LoweredPointer.MatrixLayout(
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
    default: throw Unsupported("an index into what has no parts", at: instruction)
    }
  }

  private func arrayStride(_ type: Id, element: Id) -> Int {
    module.value(of: .ArrayStride, type).map(Int.init) ?? module.scalarCount(element) * 4
  }

  private func stepBytes(
    _ pointer: inout LoweredPointer, _ index: Id, stride: Int, limit: Int?, at instruction: Int
  ) throws(Unsupported) {
    if let bits = module.scalarConstant(index) {
      var position = Int(truncatingIfNeeded: bits & 0xffff_ffff)
      if let limit { position = min(position, max(limit - 1, 0)) }
      let (distance, overflow) = position.multipliedReportingOverflow(by: stride)
      guard !overflow, distance <= Int(UInt32.max) else { throw Unsupported("a buffer offset beyond 4 GiB", at: instruction) }
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
