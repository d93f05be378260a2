internal import CLaneKernels
internal import EtalonSPIRV

extension KernelLowering {
  /// Lowers the instructions of a block into the present region.
  func lowerBlock(_ block: Block, in activation: Activation) throws(Refusal) {
    for phi in module[block.phis] {
      guard let id = phi.result, let type = phi.resultType, let first = activation.phiSlots[id] else { continue }
      bind(id, (0..<module.scalarCount(type)).map { slots[first + $0] })
    }
    for position in block.body {
      let instruction = module[position]
      try lower(instruction)
      try spend(1, at: position)
      guard builder.graph.nodes.count <= Limits.nodes else {
        throw Refusal("more than \(Limits.nodes) operations after inlining every call", at: position)
      }
    }
  }

  /// Sets what a result is; a value that travels in slots is stored there too.
  func bind(_ id: Id, _ scalars: [ValueId]) {
    self[id] = .value(scalars)
    guard let first = carriers[id] else { return }
    for (offset, scalar) in scalars.enumerated() { slots[first + offset] = scalar }
  }

  private static let supported = Set(SupportedInstructions.opcodes)

  func lower(_ instruction: Instruction) throws(Refusal) {
    guard Self.supported.contains(instruction.opcode) || instruction.opcode == .OpNop else {
      throw Refusal("\(instruction.opcode)", at: instruction.index)
    }
    try watchOperands(of: instruction)
    guard let result = instruction.result else {
      try lowerEffect(instruction)
      return
    }
    if try lowerPointer(instruction, result: result) { return }
    guard let type = instruction.resultType else { return }
    if instruction.opcode == .OpFunctionCall {
      let arguments = try instruction.ids(from: 1).map { (id) throws(Refusal) in try argument(id, at: instruction.index) }
      let returned = try watchingCall(instruction) { () throws(Refusal) in
        try inline(module.function(instruction.id(0)), arguments: arguments)
      }
      if !returned.isEmpty { try bindChecked(result, returned, type: type, instruction) }
      return
    }
    rearrangement?.begin(instruction, place: place(of: instruction), in: module)
    guard let scalars = try value(of: instruction, type: type) else {
      throw Refusal("\(instruction.opcode)", at: instruction.index)
    }
    rearrangement?.end(scalars)
    try watchOpenBehavior(of: instruction, scalars)
    try bindChecked(result, try perturbed(scalars, of: instruction, type: type), type: type, instruction)
    try watchResult(of: instruction, type: type)
  }

  /// Sets what a result is, if there are as many scalars as its type asks for: damaged modules have operands that do not fit.
  private func bindChecked(_ id: Id, _ scalars: [ValueId], type: Id, _ instruction: Instruction) throws(Refusal) {
    try spend(scalars.count, at: instruction.index)
    guard scalars.count == module.scalarCount(type) else { throw misfit(instruction) }
    bind(id, scalars)
  }

  func misfit(_ instruction: Instruction) -> Refusal {
    Refusal("\(instruction.opcode) with operands that do not fit its type", at: instruction.index)
  }

  private func argument(_ id: Id, at instruction: Int) throws(Refusal) -> Binding {
    switch self[id] {
    case .pointer, .texture: return self[id]
    case .value, .nothing: return .value(try scalars(id, at: instruction))
    }
  }

  /// The scalars that an instruction computes, nil when no part of the executor knows it.
  private func value(of instruction: Instruction, type: Id) throws(Refusal) -> [ValueId]? {
    if let scalars = try arithmetic(instruction, type: type) { return scalars }
    if let scalars = try composite(instruction, type: type) { return scalars }
    if let scalars = try conversion(instruction, type: type) { return scalars }
    if let scalars = try matrixProduct(instruction, type: type) { return scalars }
    if let scalars = try extended(instruction, type: type) { return scalars }
    if let scalars = try textureRead(instruction, type: type) { return scalars }
    if let scalars = try atomic(instruction, type: type) { return scalars }
    return try subgroup(instruction, type: type)
  }

  /// Instructions without a result.
  private func lowerEffect(_ instruction: Instruction) throws(Refusal) {
    switch instruction.opcode {
    case .OpStore:
      let target = try pointer(instruction.id(0))
      try store(try scalars(instruction.id(1), at: instruction.index), to: target, at: instruction.index)
      try storeShadows(of: instruction, to: target)
      try probeStore(instruction, to: target)
    case .OpCopyMemory:
      let from = try pointer(instruction.id(1)), to = try pointer(instruction.id(0))
      try store(try load(from, at: instruction.index), to: to, at: instruction.index)
      try markWritten(to, at: instruction.index)
    case .OpImageWrite: try writeTexel(instruction)
    case .OpAtomicStore: try atomicStore(instruction)
    case .OpControlBarrier:
      watchBarrier(instruction)
      // The lanes of a batch run in step: only several batches have to wait for each other.
      if workgroupSize.x * workgroupSize.y * workgroupSize.z > Int(LANE_BATCH) {
        _ = builder.add(LANE_OP_barrier, [], effect: .writes)
      }
    case .OpMemoryBarrier, .OpNop: break
    default: throw Refusal("\(instruction.opcode)", at: instruction.index)
    }
  }

  /// Instructions whose result is no value: variables, pointers, textures; and loads; says whether it was one.
  private func lowerPointer(_ instruction: Instruction, result: Id) throws(Refusal) -> Bool {
    switch instruction.opcode {
    case .OpVariable: break  // Made when the function was entered.
    case .OpAccessChain, .OpInBoundsAccessChain:
      self[result] = .pointer(try accessChain(instruction))
    case .OpLoad:
      let pointer = try pointer(instruction.id(0), at: instruction.index)
      if case .texture(let binding) = pointer.root {
        self[result] = .texture(resources.number(ofTexture: binding))
      } else {
        try bindChecked(result, try load(pointer, at: instruction.index), type: instruction.resultType ?? pointer.type, instruction)
        loadShadows(of: result, from: pointer, root: summaries.root(instruction.id(0)))
      }
    case .OpCopyObject:
      switch self[instruction.id(0)] {
      case .pointer, .texture: self[result] = self[instruction.id(0)]
      case .value, .nothing:
        try bindChecked(
          result, try scalars(instruction.id(0), at: instruction.index), type: instruction.resultType ?? result, instruction)
      }
    case .OpSampledImage, .OpImage: self[result] = .texture(try texture(instruction.id(0), at: instruction.index))
    case .OpImageTexelPointer: throw Refusal("atomic operations on images", at: instruction.index)
    default: return false
    }
    return true
  }
}
