internal import CLaneKernels

extension Emitter {
  /// Emits one operation, into the preamble when once for a frame is enough.
  mutating func emitOperation(_ value: ValueId, _ mask: Mask) {
    let node = graph[value]
    let isInPreamble = uniformity[value] == .frame && !node.isOrdered
    let before = code.body.count
    if node.operation.arity > 0 {
      emitElementwise(value, node)
    } else {
      emitSpecial(value, node, mask)
    }
    guard isInPreamble else { return }
    code.preamble += code.body[before...]
    code.body.removeLast(code.body.count - before)
  }

  private mutating func emitElementwise(_ value: ValueId, _ node: ShaderGraph.Node) {
    var instruction = LinearCode.Instruction(node.operation.kernel)
    for (k, field) in [LinearCode.Field.a, .b, .c].prefix(node.operation.arity).enumerated() {
      instruction.read(field, register(node.argument(k)))
    }
    instruction.write(.d, register(value))
    append(instruction)
  }

  // MARK: Special operations

  private mutating func emitSpecial(_ value: ValueId, _ node: ShaderGraph.Node, _ mask: Mask) {
    var instruction = LinearCode.Instruction(node.operation.kernel)
    instruction.isResultScalar = uniformity[value] != .lane
    instruction.set(.e, node.immediate)
    switch node.operation.kernel {
    case LANE_OP_barrier: break
    case LANE_OP_lane_index, LANE_OP_loop_limit: instruction.write(.d, register(value))
    case LANE_OP_load_word:
      instruction.write(.d, register(value))
      instruction.set(.f, node.second)
    case LANE_OP_buffer_length:
      instruction.write(.d, register(value))
      instruction.set(.c, graph.constantWord(node.argument(0)) ?? 4)
      instruction.set(.f, node.second)
    case LANE_OP_load_buffer, LANE_OP_load_constants, LANE_OP_texture_size:
      instruction.write(.d, register(value))
      instruction.read(.a, register(node.argument(0)))
      instruction.set(.f, node.second)
    case LANE_OP_store_buffer:
      readPlaceAndValue(&instruction, node, mask)
      instruction.set(.f, node.second)
    case LANE_OP_atomic_buffer, LANE_OP_atomic_shared:
      emitAtomic(value, node, mask)
      return
    case LANE_OP_fill_rows, LANE_OP_load_row, LANE_OP_store_row, LANE_OP_load_shared, LANE_OP_store_shared:
      emitLocalMemory(&instruction, value, node, mask)
    case LANE_OP_gradient_level:
      instruction.write(.d, register(value))
      for (k, field) in [LinearCode.Field.a, .b, .c, .f].enumerated() { instruction.read(field, register(node.argument(k))) }
    case LANE_OP_sample_2d, LANE_OP_sample_3d, LANE_OP_sample_cube, LANE_OP_gather_2d, LANE_OP_fetch:
      emitTextureRead(&instruction, value, node)
      return
    case LANE_OP_store_texel:
      emitTexelStore(&instruction, node, mask)
      return
    case LANE_OP_watch, LANE_OP_watch_finite, LANE_OP_watch_quads, LANE_OP_watch_count, LANE_OP_watch_shared,
      LANE_OP_watch_stored, LANE_OP_watch_barrier, LANE_OP_watch_reach, LANE_OP_probe:
      emitWatch(&instruction, node, mask)
      return
    default: emitNeighbour(&instruction, value, node, mask)
    }
    append(instruction)
  }

  private mutating func readPlaceAndValue(_ instruction: inout LinearCode.Instruction, _ node: ShaderGraph.Node, _ mask: Mask) {
    instruction.read(.a, register(node.argument(0)))
    instruction.read(.b, register(node.argument(1)))
    instruction.read(.c, maskRegister(mask))
  }

  private mutating func emitLocalMemory(
    _ instruction: inout LinearCode.Instruction, _ value: ValueId, _ node: ShaderGraph.Node, _ mask: Mask
  ) {
    instruction.set(.e, 0)
    instruction.set(.f, node.immediate)
    switch node.operation.kernel {
    case LANE_OP_fill_rows: instruction.set(.b, node.second * UInt32(LANE_BATCH * 4))
    case LANE_OP_load_row, LANE_OP_load_shared:
      instruction.write(.d, register(value))
      instruction.read(.a, register(node.argument(0)))
      instruction.set(.b, node.second)
    default:
      readPlaceAndValue(&instruction, node, mask)
      instruction.set(.d, node.second)
    }
  }

  private mutating func emitAtomic(_ value: ValueId, _ node: ShaderGraph.Node, _ mask: Mask) {
    let isShared = node.operation.kernel == LANE_OP_atomic_shared
    var instruction = LinearCode.Instruction(node.operation.kernel)
    readPlaceAndValue(&instruction, node, mask)
    instruction.write(.d, register(value))
    var further = LinearCode.Instruction(LANE_OP_extension)
    further.read(.a, register(node.argument(3)))
    further.set(.f, node.second)
    if isShared {
      instruction.set(.f, node.immediate >> 16)
      further.set(.b, (node.immediate & 0xffff) + 1)
    } else {
      instruction.set(.e, node.immediate)
    }
    append(instruction)
    append(further)
  }

  // MARK: Textures

  private mutating func emitTextureRead(_ instruction: inout LinearCode.Instruction, _ value: ValueId, _ node: ShaderGraph.Node) {
    for (k, field) in [LinearCode.Field.a, .b, .c, .d].enumerated() where node.arguments[k] >= 0 {
      instruction.read(field, register(node.argument(k)))
    }
    instruction.set(.f, node.second)
    var further = LinearCode.Instruction(LANE_OP_extension)
    let channels = parts[value.index] ?? [-1, -1, -1, -1]
    for (channel, field) in zip(channels, [LinearCode.Field.d, .a, .b, .c]) {
      further.write(field, channel >= 0 ? channel : unneededRegister())
    }
    append(instruction)
    append(further)
  }

  private mutating func emitTexelStore(_ instruction: inout LinearCode.Instruction, _ node: ShaderGraph.Node, _ mask: Mask) {
    for (k, field) in [LinearCode.Field.a, .b, .c].enumerated() { instruction.read(field, register(node.argument(k))) }
    instruction.read(.d, maskRegister(mask))
    var further = LinearCode.Instruction(LANE_OP_extension)
    for (k, field) in [LinearCode.Field.a, .b, .c, .d].enumerated() { further.read(field, register(node.argument(4 + k))) }
    append(instruction)
    append(further)
  }

  // MARK: Watches

  private mutating func emitWatch(_ instruction: inout LinearCode.Instruction, _ node: ShaderGraph.Node, _ mask: Mask) {
    instruction.read(.a, register(node.argument(0)))
    instruction.read(.c, maskRegister(mask))
    var further = LinearCode.Instruction(LANE_OP_extension)
    var count: UInt32 = 0
    for field in [LinearCode.Field.a, .b, .c, .d] {
      let argument = node.arguments[1 + Int(count)]
      guard argument >= 0 else { break }
      further.read(field, register(ValueId(raw: argument)))
      count += 1
    }
    further.set(.f, count)
    append(instruction)
    append(further)
  }

  // MARK: Neighbours

  private mutating func emitNeighbour(
    _ instruction: inout LinearCode.Instruction, _ value: ValueId, _ node: ShaderGraph.Node, _ mask: Mask
  ) {
    instruction.set(.e, 0)
    instruction.set(.f, node.immediate)
    instruction.read(.a, vector(register(node.argument(0))))
    if node.operation.needsMask {
      instruction.read(.b, vector(maskRegister(mask)))
    } else if node.arguments[1] >= 0 {
      instruction.read(.b, vector(register(node.argument(1))))
    }
    if node.operation.kernel == LANE_OP_subgroup_arithmetic { instruction.set(.c, node.second) }
    instruction.write(.d, register(value))
  }

  /// A vector with the value of a register.
  private mutating func vector(_ from: Int32) -> Int32 {
    guard !isVector(from) else { return from }
    let copy = code.register(.vector)
    move(from, to: copy)
    return copy
  }
}
