internal import CLaneKernels
package import EtalonSPIRV

/// Turns the entry point of a module into a graph: calls are inlined, composites taken apart, local variables become values.
final class KernelLowering {
  let module: SPIRVModule
  let workgroupSize: (x: Int, y: Int, z: Int)
  let perturbations: [Perturbation]
  /// What becomes of sums and products; nil where they stay as they are.
  var rearrangement: Rearrangement?
  var builder = ShaderGraphBuilder()
  var slots = SlotStore()
  var resources = KernelResources()
  /// What the ids stand for; ids of a function are set anew wherever it is inlined.
  var bindings: [Binding]
  var constantScalars: [Id: [ValueId]] = [:]
  /// The structured control flow of functions by id.
  var controlFlows: [Id: StructuredControlFlow] = [:]
  var summaries: VariableSummaries
  /// The numbers of constant arrays by the constants they hold.
  var tables: [Id: Int] = [:]
  /// The scopes that exits can leave, from the outside in.
  var scopes: [OpenScope] = []
  /// The id of a value that is used outside the loop that defines it, and the slots that carry it.
  var carriers: [Id: Int] = [:]
  /// The ids of such values by function.
  var carrierIds: [Id: [Id]] = [:]
  var nesting = 0
  /// How much was lowered: instructions, once for each time that their function is inlined, and the numbers that they have as results.
  var work = 0
  private let time: CompilationTime
  /// The number of the call that is being inlined, the entry point's own being 0, and how many there were.
  var call = 0
  var callCount = 0
  /// What is known of the watches; nil in kernels that are not watched.
  var watch: LoweringWatch?
  /// What is known of the probe, which keeps assignments; nil in kernels that are not probed.
  var probe: LoweringProbe?

  init(
    module: SPIRVModule, entryPoint: SPIRVModule.EntryPoint, perturbations: [Perturbation] = [], within time: CompilationTime = .unlimited
  ) throws(Unsupported) {
    self.module = module
    self.time = time
    // Denormals come last: results are flushed after all other changes.
    self.perturbations = Perturbation.Kind.allCases.compactMap { perturbations[$0] }
    rearrangement = Rearrangement(perturbations)
    bindings = [Binding](repeating: .nothing, count: module.header.idBound)
    workgroupSize = try Self.workgroupSize(of: entryPoint, in: module)
    summaries = VariableSummaries(module)
  }

  /// Watches what is lowered from now on.
  func watchFindings(_ watch: LoweringWatch) {
    self.watch = watch
    builder.origin = -1
  }

  /// Lowers the entry point.
  func lower(_ entryPoint: SPIRVModule.EntryPoint) throws(Unsupported) -> (graph: ShaderGraph, resources: KernelResources) {
    try bindGlobals()
    let function = module.function(entryPoint.function)
    _ = try inline(function, arguments: [])
    return (builder.graph, resources)
  }

  /// Counts work; throws when there was too much, or when the time is over.
  func spend(_ count: Int, at instruction: Int) throws(Unsupported) {
    let before = work
    work += count
    guard work <= Limits.work else { throw Unsupported("more than \(Limits.work) numbers after inlining every call", at: instruction) }
    if before / Limits.workBetweenLooksAtClock != work / Limits.workBetweenLooksAtClock { try time.check() }
  }

  private static func workgroupSize(
    of entryPoint: SPIRVModule.EntryPoint, in module: SPIRVModule
  ) throws(Unsupported) -> (x: Int, y: Int, z: Int) {
    var size = (x: 1, y: 1, z: 1)
    let localSize: UInt32 = 17
    if let mode = module.executionModes(entryPoint.function).first(where: { $0.number == localSize }), mode.operands.count == 3 {
      size = (Int(mode.operands[0]), Int(mode.operands[1]), Int(mode.operands[2]))
    }
    for record in module.globalWorkgroupSize() where record.count == 3 { size = (record[0], record[1], record[2]) }
    let (xy, overflow) = size.x.multipliedReportingOverflow(by: size.y)
    guard !overflow, size.x > 0, size.y > 0, size.z > 0, xy <= 1 << 20, size.z <= 1 << 10, xy * size.z <= Limits.workgroupInvocations else {
      throw Unsupported("workgroups of \(size.x)×\(size.y)×\(size.z) invocations (at most \(Limits.workgroupInvocations))")
    }
    return size
  }

  // MARK: Ids

  subscript(id: Id) -> Binding {
    get { bindings[id.index] }
    set { bindings[id.index] = newValue }
  }

  /// The scalars of a value.
  func scalars(_ id: Id, at instruction: Int? = nil) throws(Unsupported) -> [ValueId] {
    let scalars = try scalarsAsTheyAre(id, at: instruction)
    return rearrangement?.flushesOperands ?? false ? flushed(scalars, of: id) : scalars
  }

  private func scalarsAsTheyAre(_ id: Id, at instruction: Int?) throws(Unsupported) -> [ValueId] {
    if watch?.moved != nil { return try movedScalars(id, at: instruction) }
    if let first = carriers[id], let type = module.typeOfValue(id) {
      return (0..<module.scalarCount(type)).map { slots[first + $0] }
    }
    if case .value(let scalars) = bindings[id.index] { return scalars }
    if module.constant(id) != nil { return try constant(id, at: instruction) }
    let definition = module.definition(id)
    if definition.opcode == .OpUndef, let type = definition.resultType {
      if let perturbation = perturbations[.undefined] {
        return try unwrittenResults(type, perturbation.choice(at: place(of: definition)), at: instruction)
      }
      return [ValueId](repeating: builder.constant(UInt32(0)), count: try scalarCount(type, at: instruction))
    }
    throw Unsupported("\(definition.opcode) as a value", at: instruction)
  }

  /// The scalars of some operands, all the same number and at least one.
  func alike(_ instruction: Instruction, _ positions: Range<Int>) throws(Unsupported) -> [[ValueId]] {
    let operands = try positions.map { (position) throws(Unsupported) in try scalars(instruction.id(position), at: instruction.index) }
    guard let count = operands.first?.count, count > 0, operands.allSatisfy({ $0.count == count }) else { throw misfit(instruction) }
    return operands
  }

  /// The scalars of an operand, at least some number.
  func scalars(_ id: Id, atLeast count: Int, _ instruction: Instruction) throws(Unsupported) -> [ValueId] {
    let scalars = try scalars(id, at: instruction.index)
    guard scalars.count >= count else { throw misfit(instruction) }
    return scalars
  }

  /// The only scalar of a value.
  func scalar(_ id: Id, at instruction: Int? = nil) throws(Unsupported) -> ValueId {
    guard let first = try scalars(id, at: instruction).first else { throw Unsupported("an empty value", at: instruction) }
    return first
  }

  func pointer(_ id: Id, at instruction: Int? = nil) throws(Unsupported) -> LoweredPointer {
    guard case .pointer(let pointer) = bindings[id.index] else {
      throw Unsupported("\(module.definition(id).opcode) as a pointer", at: instruction)
    }
    return pointer
  }

  func texture(_ id: Id, at instruction: Int? = nil) throws(Unsupported) -> Int {
    guard case .texture(let number) = bindings[id.index] else {
      throw Unsupported("\(module.definition(id).opcode) as a texture", at: instruction)
    }
    return number
  }

  /// The scalars of a constant.
  func constant(_ id: Id, at instruction: Int? = nil) throws(Unsupported) -> [ValueId] {
    if let known = constantScalars[id] { return known }
    let words = try constantWords(id, at: instruction)
    guard let type = module.typeOfValue(id), words.count == module.scalarCount(type) else {
      throw Unsupported("a constant whose parts do not fit its type", at: instruction)
    }
    let scalars = words.map { builder.constant($0) }
    constantScalars[id] = scalars
    return scalars
  }

  /// The words of a constant as the lanes hold them.
  func constantWords(_ id: Id, at instruction: Int? = nil) throws(Unsupported) -> [UInt32] {
    guard let type = module.typeOfValue(id) else { throw Unsupported("a constant without a type", at: instruction) }
    switch module.constant(id) {
    case .scalar(let bits):
      switch try scalarKind(type, at: instruction) {
      case .bool: return [bits == 0 ? 0 : UInt32.max]
      case .half: return [Float(Float16(bitPattern: UInt16(truncatingIfNeeded: bits))).bitPattern]
      case .float, .int: return [UInt32(truncatingIfNeeded: bits)]
      }
    case .composite(let parts):
      var words: [UInt32] = []
      for part in parts {
        words += try constantWords(part, at: instruction)
        guard words.count <= Limits.rows else { throw Unsupported("a constant of more than \(Limits.rows) numbers", at: instruction) }
      }
      return words
    default: return [UInt32](repeating: 0, count: try scalarCount(type, at: instruction))
    }
  }

  // MARK: Operations on whole values

  func add(_ operation: lane_op, _ a: ValueId) -> ValueId { builder.add(operation, a) }
  func add(_ operation: lane_op, _ a: ValueId, _ b: ValueId) -> ValueId {
    rearrangement == nil ? builder.add(operation, a, b) : rearranged(operation, a, b)
  }
  func add(_ operation: lane_op, _ a: ValueId, _ b: ValueId, _ c: ValueId) -> ValueId { builder.add(operation, a, b, c) }

  func word(_ value: Int) -> ValueId { builder.constant(UInt32(truncatingIfNeeded: value)) }
  func number(_ value: Float) -> ValueId { builder.constant(value) }
}

extension SPIRVModule {
  /// The sizes that a constant with the decoration `BuiltIn WorkgroupSize` asks for.
  func globalWorkgroupSize() -> [[Int]] {
    var sizes: [[Int]] = []
    for position in 0..<instructionCount {
      let instruction = self[position]
      if instruction.opcode == .OpFunction { break }
      guard instruction.opcode.definesConstant, let id = instruction.result,
        value(of: .BuiltIn, id) == EtalonSPIRV.BuiltIn.WorkgroupSize.rawValue, case .composite(let parts)? = constant(id)
      else { continue }
      sizes.append(parts.map { Int(truncatingIfNeeded: scalarConstant($0) ?? 0) })
    }
    return sizes
  }
}

// MARK: - Blocks and instructions

extension KernelLowering {
  /// Lowers the instructions of a block into the present region.
  func lowerBlock(_ block: Block, in activation: Activation) throws(Unsupported) {
    for phi in module[block.phis] {
      guard let id = phi.result, let type = phi.resultType, let first = activation.phiSlots[id] else { continue }
      bind(id, (0..<module.scalarCount(type)).map { slots[first + $0] })
    }
    for position in block.body {
      let instruction = module[position]
      try lower(instruction)
      try spend(1, at: position)
      guard builder.graph.nodes.count <= Limits.nodes else {
        throw Unsupported("more than \(Limits.nodes) operations after inlining every call", at: position)
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

  func lower(_ instruction: Instruction) throws(Unsupported) {
    guard Self.supported.contains(instruction.opcode) || instruction.opcode == .OpNop else {
      throw Unsupported("\(instruction.opcode)", at: instruction.index)
    }
    try watchOperands(of: instruction)
    guard let result = instruction.result else {
      try lowerEffect(instruction)
      return
    }
    if try lowerPointer(instruction, result: result) { return }
    guard let type = instruction.resultType else { return }
    if instruction.opcode == .OpFunctionCall {
      let arguments = try instruction.ids(from: 1).map { (id) throws(Unsupported) in try argument(id, at: instruction.index) }
      let returned = try watchingCall(instruction) { () throws(Unsupported) in
        try inline(module.function(instruction.id(0)), arguments: arguments)
      }
      if !returned.isEmpty { try bindChecked(result, returned, type: type, instruction) }
      return
    }
    rearrangement?.begin(instruction, place: place(of: instruction), in: module)
    guard let scalars = try value(of: instruction, type: type) else {
      throw Unsupported("\(instruction.opcode)", at: instruction.index)
    }
    rearrangement?.end(scalars)
    try watchOpenBehavior(of: instruction, scalars)
    try bindChecked(result, try perturbed(scalars, of: instruction, type: type), type: type, instruction)
    try watchResult(of: instruction, type: type)
  }

  /// Sets what a result is, if there are as many scalars as its type asks for: damaged modules have operands that do not fit.
  private func bindChecked(_ id: Id, _ scalars: [ValueId], type: Id, _ instruction: Instruction) throws(Unsupported) {
    try spend(scalars.count, at: instruction.index)
    guard scalars.count == module.scalarCount(type) else { throw misfit(instruction) }
    bind(id, scalars)
  }

  func misfit(_ instruction: Instruction) -> Unsupported {
    Unsupported("\(instruction.opcode) with operands that do not fit its type", at: instruction.index)
  }

  private func argument(_ id: Id, at instruction: Int) throws(Unsupported) -> Binding {
    switch self[id] {
    case .pointer, .texture: return self[id]
    case .value, .nothing: return .value(try scalars(id, at: instruction))
    }
  }

  /// The scalars that an instruction computes, nil when no part of the executor knows it.
  private func value(of instruction: Instruction, type: Id) throws(Unsupported) -> [ValueId]? {
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
  private func lowerEffect(_ instruction: Instruction) throws(Unsupported) {
    switch instruction.opcode {
    case .OpStore:
      let target = try pointer(instruction.id(0))
      try store(try scalars(instruction.id(1), at: instruction.index), to: target, at: instruction.index)
      try storeShadows(of: instruction, to: target)
      try watchCopy(by: instruction)
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
    default: throw Unsupported("\(instruction.opcode)", at: instruction.index)
    }
  }

  /// Instructions whose result is no value: variables, pointers, textures; and loads; says whether it was one.
  private func lowerPointer(_ instruction: Instruction, result: Id) throws(Unsupported) -> Bool {
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
    case .OpImageTexelPointer: throw Unsupported("atomic operations on images", at: instruction.index)
    default: return false
    }
    return true
  }
}

// MARK: - Types

/// What kind of number a scalar is.
enum ScalarKind {
  case bool
  case float
  case half
  case int(isSigned: Bool)

  var isFloat: Bool {
    switch self {
    case .float, .half: true
    case .bool, .int: false
    }
  }
}

extension KernelLowering {
  /// The position of a part among the scalars of a composite.
  func scalarOffset(of part: Int, in type: Id) -> Int {
    switch module.type(type) {
    case .structure(let members): members[..<part].reduce(0) { $0 + module.scalarCount($1) }
    case .vector: part
    case .matrix(let column, _): part * module.scalarCount(column)
    case .array(let element, _), .runtimeArray(let element): part * module.scalarCount(element)
    default: 0
    }
  }

  /// The number of scalars, refusing types that no value may have.
  func scalarCount(_ type: Id, at instruction: Int? = nil) throws(Unsupported) -> Int {
    let count = module.scalarCount(type)
    guard count <= Limits.scalarsPerValue else { throw Unsupported("a value of \(count) numbers", at: instruction) }
    return count
  }

  /// The kind of the numbers that a scalar, vector or matrix is made of.
  func scalarKind(_ type: Id, at instruction: Int? = nil) throws(Unsupported) -> ScalarKind {
    switch module.type(type) {
    case .bool: return .bool
    case .int(32, let isSigned): return .int(isSigned: isSigned)
    case .float(32): return .float
    case .float(16): return .half
    case .vector(let part, _), .matrix(let part, _), .array(let part, _), .runtimeArray(let part):
      return try scalarKind(part, at: instruction)
    case .structure(let members):
      guard let first = members.first else { return .int(isSigned: false) }
      return try scalarKind(first, at: instruction)
    case .int(let width, _): throw Unsupported("\(width)-bit integers", at: instruction)
    case .float(let width): throw Unsupported("\(width)-bit floats", at: instruction)
    default: throw Unsupported("a value of this type", at: instruction)
    }
  }
}

// MARK: - What is supported

/// The instructions of SPIR-V that the CPU executor carries out inside functions; a kernel with any other is refused.
///
/// Branches, merges, labels and returns are taken care of before, by `StructuredControlFlow`.
package enum SupportedInstructions {
  /// In the order of their numbers.
  package static let opcodes = Opcode.allCases.filter { names.contains("\($0)") }

  /// Names in the list that are no instructions: errors in the list.
  package static let unknownNames = names.subtracting(opcodes.map { "\($0)" }).sorted()

  private static let names = Set(list.split { $0 == " " || $0 == "\n" }.map(String.init))

  private static let list = """
    OpUndef OpExtInst OpFunctionCall OpVariable OpLoad OpStore OpCopyMemory OpAccessChain OpInBoundsAccessChain OpArrayLength OpCopyObject
    OpVectorExtractDynamic OpVectorInsertDynamic OpVectorShuffle OpCompositeConstruct OpCompositeExtract OpCompositeInsert OpTranspose
    OpCopyLogical
    OpSampledImage OpImage OpImageSampleImplicitLod OpImageSampleExplicitLod OpImageSampleProjImplicitLod OpImageSampleProjExplicitLod
    OpImageFetch OpImageGather OpImageRead OpImageWrite OpImageQuerySizeLod OpImageQuerySize OpImageQueryLevels
    OpConvertFToU OpConvertFToS OpConvertSToF OpConvertUToF OpUConvert OpSConvert OpFConvert OpQuantizeToF16 OpBitcast
    OpSNegate OpFNegate OpIAdd OpFAdd OpISub OpFSub OpIMul OpFMul OpUDiv OpSDiv OpFDiv OpUMod OpSRem OpSMod OpFRem OpFMod
    OpVectorTimesScalar OpMatrixTimesScalar OpVectorTimesMatrix OpMatrixTimesVector OpMatrixTimesMatrix OpOuterProduct OpDot
    OpIAddCarry OpISubBorrow OpUMulExtended OpSMulExtended OpAny OpAll OpIsNan OpIsInf OpUnordered
    OpLogicalEqual OpLogicalNotEqual OpLogicalOr OpLogicalAnd OpLogicalNot OpSelect
    OpIEqual OpINotEqual OpUGreaterThan OpSGreaterThan OpUGreaterThanEqual OpSGreaterThanEqual OpULessThan OpSLessThan OpULessThanEqual
    OpSLessThanEqual OpFOrdEqual OpFUnordEqual OpFOrdNotEqual OpFUnordNotEqual OpFOrdLessThan OpFUnordLessThan OpFOrdGreaterThan
    OpFUnordGreaterThan OpFOrdLessThanEqual OpFUnordLessThanEqual OpFOrdGreaterThanEqual OpFUnordGreaterThanEqual
    OpShiftRightLogical OpShiftRightArithmetic OpShiftLeftLogical OpBitwiseOr OpBitwiseXor OpBitwiseAnd OpNot
    OpBitFieldInsert OpBitFieldSExtract OpBitFieldUExtract OpBitReverse OpBitCount OpSDot OpUDot OpSUDot
    OpControlBarrier OpMemoryBarrier OpAtomicLoad OpAtomicStore OpAtomicExchange OpAtomicCompareExchange OpAtomicIIncrement
    OpAtomicIDecrement OpAtomicIAdd OpAtomicISub OpAtomicSMin OpAtomicUMin OpAtomicSMax OpAtomicUMax OpAtomicAnd OpAtomicOr OpAtomicXor
    OpGroupNonUniformElect OpGroupNonUniformAll OpGroupNonUniformAny OpGroupNonUniformAllEqual OpGroupNonUniformBroadcast
    OpGroupNonUniformBroadcastFirst OpGroupNonUniformBallot OpGroupNonUniformInverseBallot OpGroupNonUniformBallotBitExtract
    OpGroupNonUniformBallotBitCount OpGroupNonUniformBallotFindLSB OpGroupNonUniformBallotFindMSB OpGroupNonUniformShuffle
    OpGroupNonUniformShuffleXor OpGroupNonUniformShuffleUp OpGroupNonUniformShuffleDown OpGroupNonUniformIAdd OpGroupNonUniformFAdd
    OpGroupNonUniformIMul OpGroupNonUniformFMul OpGroupNonUniformSMin OpGroupNonUniformUMin OpGroupNonUniformFMin
    OpGroupNonUniformSMax OpGroupNonUniformUMax OpGroupNonUniformFMax OpGroupNonUniformBitwiseAnd OpGroupNonUniformBitwiseOr
    OpGroupNonUniformBitwiseXor OpGroupNonUniformLogicalAnd OpGroupNonUniformLogicalOr OpGroupNonUniformLogicalXor
    OpGroupNonUniformQuadBroadcast OpGroupNonUniformQuadSwap
    """
}
