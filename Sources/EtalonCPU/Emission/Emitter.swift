internal import CLaneKernels

/// Which lanes run.
enum Mask: Equatable {
  /// All lanes that ran when the workgroup started.
  case all
  case register(Int32)
  /// No lane, but control goes on.
  case empty
  /// Control does not get here.
  case unreachable
}

/// Turns a graph into linear code: masks and selections where lanes differ, jumps where they agree.
struct Emitter {
  /// What encloses the item that is being emitted.
  enum Frame {
    case branch(isDivergent: Bool)
    case scope(Int)
  }

  /// The registers and labels of a scope that is being emitted.
  struct ScopeContext {
    let exitLabel: Int
    let continueLabel: Int
    /// Lanes that left through the scope to one around it.
    var left: Int32?
    /// Lanes that wait for the continuing region.
    var waiting: Int32?
    /// The mask where the continuing region starts.
    var continueMask: Int32?
    /// The number of loops around the scope, its own included.
    let loopDepth: Int
  }

  let graph: ShaderGraph
  let uniformity: Uniformity
  let traits: RegionTraits
  var code = LinearCode()
  var registerOf: [Int32]
  var constants: [UInt32: Int32] = [:]
  var workgroupRegisters: [Int32] = []
  /// The four parts of each texture read that are needed, by the node of the read.
  var parts: [Int32: [Int32]] = [:]
  var frames: [Frame] = []
  var contexts: [Int: ScopeContext] = [:]
  var loopDepth = 0
  /// Variables that have been assigned in code that cannot run again.
  var assigned: Set<Int32> = []
  /// A register for results that are not needed.
  var unneeded: Int32?

  init(_ original: ShaderGraph, within time: CompilationTime) throws(Unsupported) {
    uniformity = try Uniformity(original, within: time)
    graph = Fusion.applied(to: original, uniformity)
    traits = RegionTraits(graph, uniformity)
    registerOf = [Int32](repeating: -1, count: graph.nodes.count)
    for axis in 0..<6 { workgroupRegisters.append(code.register(.workgroup(axis))) }
    findParts()
  }

  /// Emits the whole graph for workgroups of some lanes.
  mutating func emit(lanes: Int) -> LinearCode {
    var start = Mask.all
    if lanes % Int(LANE_BATCH) != 0 {
      let index = code.register(.vector)
      var instruction = LinearCode.Instruction(LANE_OP_lane_index)
      instruction.write(.d, index)
      append(instruction)
      start = .register(binary(LANE_OP_ult, index, constantRegister(UInt32(lanes))))
    }
    _ = emitRegion(ShaderGraph.root, start)
    code.preamble.append(LinearCode.Instruction(LANE_OP_halt))
    code.body.append(LinearCode.Instruction(LANE_OP_halt))
    return code
  }

  // MARK: Registers

  /// The register that holds a value.
  mutating func register(_ value: ValueId) -> Int32 {
    let node = graph[value]
    switch node.operation {
    case .constant: return constantRegister(node.immediate)
    case .workgroup: return workgroupRegisters[Int(node.immediate)]
    case .part: return parts[node.arguments[0]]?[Int(node.immediate)] ?? -1
    default: break
    }
    if registerOf[value.position] < 0 {
      registerOf[value.position] = code.register(uniformity[value] == .lane ? .vector : .scalar)
    }
    return registerOf[value.position]
  }

  mutating func constantRegister(_ word: UInt32) -> Int32 {
    if let known = constants[word] { return known }
    let register = code.register(.constant(word))
    constants[word] = register
    return register
  }

  func isVector(_ register: Int32) -> Bool { code.registers[Int(register)].isVector }

  private mutating func findParts() {
    var needed: [Int32: [Bool]] = [:]
    graph.forEachUse { value in
      let node = graph[value]
      guard node.operation == .part else { return }
      needed[node.arguments[0], default: [false, false, false, false]][Int(node.immediate)] = true
    }
    for (read, channels) in needed.sorted(by: { $0.key < $1.key }) {
      let kind: LinearCode.Register = uniformity[ValueId(raw: read)] == .lane ? .vector : .scalar
      parts[read] = channels.map { $0 ? code.register(kind) : -1 }
    }
  }

  private mutating func unneededRegister() -> Int32 {
    if let unneeded { return unneeded }
    let register = code.register(.vector)
    unneeded = register
    return register
  }

  // MARK: Simple instructions

  mutating func append(_ instruction: LinearCode.Instruction) { code.body.append(instruction) }

  /// Copies a value to a register of any kind.
  mutating func move(_ from: Int32, to: Int32) {
    guard from != to else { return }
    var instruction = LinearCode.Instruction(isVector(to) && !isVector(from) ? LANE_OP_spread : LANE_OP_move)
    instruction.read(.a, from)
    instruction.write(.d, to)
    append(instruction)
  }

  mutating func binary(_ operation: lane_op, _ a: Int32, _ b: Int32, to: Int32? = nil) -> Int32 {
    var instruction = LinearCode.Instruction(operation)
    let result = to ?? code.register(.vector)
    instruction.read(.a, a)
    instruction.read(.b, b)
    instruction.write(.d, result)
    append(instruction)
    return result
  }

  /// Copies the lanes of a mask from one register to another.
  mutating func blend(_ from: Int32, to: Int32, _ mask: Mask) {
    guard from != to else { return }
    switch mask {
    case .all: move(from, to: to)
    case .empty, .unreachable: return
    case .register(let mask):
      var instruction = LinearCode.Instruction(LANE_OP_select)
      instruction.read(.a, mask)
      instruction.read(.b, from)
      instruction.read(.c, to)
      instruction.write(.d, to)
      append(instruction)
    }
  }

  mutating func jump(_ operation: lane_op, to label: Int, testing register: Int32? = nil) {
    var instruction = LinearCode.Instruction(operation)
    if let register { instruction.read(.a, register) }
    instruction.label = label
    append(instruction)
  }

  /// The mask as a register, whatever it is.
  mutating func maskRegister(_ mask: Mask) -> Int32 {
    switch mask {
    case .all: constantRegister(UInt32.max)
    case .register(let register): register
    case .empty, .unreachable: constantRegister(0)
    }
  }
}

// MARK: - Operations

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
    case LANE_OP_sum_texels:
      emitTexelSum(value, node)
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
    append(instruction)
    append(channels(of: value, LANE_OP_extension))
  }

  /// The entry that names the registers of the four channels of a read.
  private mutating func channels(of read: ValueId, _ operation: lane_op) -> LinearCode.Instruction {
    var entry = LinearCode.Instruction(operation)
    let channels = parts[read.index] ?? [-1, -1, -1, -1]
    for (channel, field) in zip(channels, [LinearCode.Field.d, .a, .b, .c]) {
      entry.write(field, channel >= 0 ? channel : unneededRegister())
    }
    return entry
  }

  /// Emits a sum with the sums that are its links, the first one first.
  private mutating func emitTexelSum(_ value: ValueId, _ node: ShaderGraph.Node) {
    guard !node.texelSum.contains(.isLink) else { return }
    var sums = [node]
    while let link = link(before: sums[sums.count - 1]) { sums.append(link) }
    sums.reverse()
    var head = LinearCode.Instruction(LANE_OP_sum_texels)
    var flags = UInt32(sums.count)
    if sums[0].texelSum.contains(.isContinued) {
      flags |= UInt32(LANE_SUM_IS_CONTINUED)
      for (channel, field) in [LinearCode.Field.d, .a, .b, .c].enumerated() {
        let addend = sums[0].arguments[Fusion.texelSumChannels + channel]
        head.read(field, addend >= 0 ? register(ValueId(raw: addend)) : constantRegister(0))
      }
    }
    head.set(.f, flags)
    append(head)
    for sum in sums {
      var tap = LinearCode.Instruction(LANE_OP_extension)
      tap.read(.a, register(sum.argument(0)))
      tap.read(.b, register(sum.argument(1)))
      tap.set(.e, sum.immediate)
      if sum.texelSum.contains(.isWeighted) {
        tap.read(.c, register(sum.argument(Fusion.texelSumWeight)))
        tap.set(.f, UInt32(LANE_TAP_IS_WEIGHTED))
      }
      append(tap)
    }
    append(channels(of: value, LANE_OP_results))
  }

  private func link(before sum: ShaderGraph.Node) -> ShaderGraph.Node? {
    guard let addend = (0..<4).map({ sum.arguments[Fusion.texelSumChannels + $0] }).first(where: { $0 >= 0 }) else { return nil }
    let part = graph[ValueId(raw: addend)]
    guard part.operation == .part else { return nil }
    let read = graph[part.argument(0)]
    return read.operation == ShaderOperation(LANE_OP_sum_texels) && read.texelSum.contains(.isLink) ? read : nil
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
