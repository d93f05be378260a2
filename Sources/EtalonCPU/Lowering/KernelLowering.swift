internal import CLaneKernels
internal import EtalonSPIRV

/// Turns the entry point of a module into a graph: calls are inlined, composites taken apart, local variables become values.
final class KernelLowering {
  let module: SPIRVModule
  let workgroupSize: (x: Int, y: Int, z: Int)
  let perturbations: [Perturbation]
  /// What becomes of sums and products; nil where they stay as they are.
  var rearrangement: Rearrangement?
  var builder = GraphBuilder()
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
  /// What is being watched; nil in kernels that nobody watches.
  var watch: LoweringWatch?
  /// Whose assignments are kept; nil in kernels that nobody probes.
  var probe: LoweringProbe?

  init(
    module: SPIRVModule, entryPoint: SPIRVModule.EntryPoint, perturbations: [Perturbation] = [], within time: CompilationTime = .unlimited
  ) throws(Refusal) {
    self.module = module
    self.time = time
    // What becomes zero is looked at last.
    self.perturbations = Perturbation.Kind.allCases.compactMap { perturbations[$0] }
    rearrangement = Rearrangement(perturbations)
    bindings = [Binding](repeating: .nothing, count: module.header.idBound)
    workgroupSize = try Self.workgroupSize(of: entryPoint, in: module)
    summaries = VariableSummaries(module)
  }

  /// Watches what is lowered from now on.
  func watchFaults(_ watch: LoweringWatch) {
    self.watch = watch
    builder.origin = -1
  }

  /// Lowers the entry point.
  func lower(_ entryPoint: SPIRVModule.EntryPoint) throws(Refusal) -> (graph: ShaderGraph, resources: KernelResources) {
    try bindGlobals()
    let function = module.function(entryPoint.function)
    _ = try inline(function, arguments: [])
    return (builder.graph, resources)
  }

  /// Counts work; throws when there was too much, or when the time is over.
  func spend(_ count: Int, at instruction: Int) throws(Refusal) {
    let before = work
    work += count
    guard work <= Limits.work else { throw Refusal("more than \(Limits.work) numbers after inlining every call", at: instruction) }
    if before / Limits.workBetweenLooksAtClock != work / Limits.workBetweenLooksAtClock { try time.check() }
  }

  private static func workgroupSize(
    of entryPoint: SPIRVModule.EntryPoint, in module: SPIRVModule
  ) throws(Refusal) -> (x: Int, y: Int, z: Int) {
    var size = (x: 1, y: 1, z: 1)
    let localSize: UInt32 = 17
    if let mode = module.executionModes(entryPoint.function).first(where: { $0.number == localSize }), mode.operands.count == 3 {
      size = (Int(mode.operands[0]), Int(mode.operands[1]), Int(mode.operands[2]))
    }
    for record in module.globalWorkgroupSize() where record.count == 3 { size = (record[0], record[1], record[2]) }
    let (xy, overflow) = size.x.multipliedReportingOverflow(by: size.y)
    guard !overflow, size.x > 0, size.y > 0, size.z > 0, xy <= 1 << 20, size.z <= 1 << 10, xy * size.z <= Limits.workgroupInvocations else {
      throw Refusal("workgroups of \(size.x)×\(size.y)×\(size.z) invocations (at most \(Limits.workgroupInvocations))")
    }
    return size
  }

  // MARK: Ids

  subscript(id: Id) -> Binding {
    get { bindings[id.index] }
    set { bindings[id.index] = newValue }
  }

  /// The scalars of a value.
  func scalars(_ id: Id, at instruction: Int? = nil) throws(Refusal) -> [ValueId] {
    let scalars = try scalarsAsTheyAre(id, at: instruction)
    return rearrangement?.flushesOperands ?? false ? flushed(scalars, of: id) : scalars
  }

  private func scalarsAsTheyAre(_ id: Id, at instruction: Int?) throws(Refusal) -> [ValueId] {
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
    throw Refusal("\(definition.opcode) as a value", at: instruction)
  }

  /// The scalars of some operands, all the same number and at least one.
  func alike(_ instruction: Instruction, _ positions: Range<Int>) throws(Refusal) -> [[ValueId]] {
    let operands = try positions.map { (position) throws(Refusal) in try scalars(instruction.id(position), at: instruction.index) }
    guard let count = operands.first?.count, count > 0, operands.allSatisfy({ $0.count == count }) else { throw misfit(instruction) }
    return operands
  }

  /// The scalars of an operand, at least some number.
  func scalars(_ id: Id, atLeast count: Int, _ instruction: Instruction) throws(Refusal) -> [ValueId] {
    let scalars = try scalars(id, at: instruction.index)
    guard scalars.count >= count else { throw misfit(instruction) }
    return scalars
  }

  /// The only scalar of a value.
  func scalar(_ id: Id, at instruction: Int? = nil) throws(Refusal) -> ValueId {
    guard let first = try scalars(id, at: instruction).first else { throw Refusal("an empty value", at: instruction) }
    return first
  }

  func pointer(_ id: Id, at instruction: Int? = nil) throws(Refusal) -> Pointer {
    guard case .pointer(let pointer) = bindings[id.index] else {
      throw Refusal("\(module.definition(id).opcode) as a pointer", at: instruction)
    }
    return pointer
  }

  func texture(_ id: Id, at instruction: Int? = nil) throws(Refusal) -> Int {
    guard case .texture(let number) = bindings[id.index] else {
      throw Refusal("\(module.definition(id).opcode) as a texture", at: instruction)
    }
    return number
  }

  /// The scalars of a constant.
  func constant(_ id: Id, at instruction: Int? = nil) throws(Refusal) -> [ValueId] {
    if let known = constantScalars[id] { return known }
    let words = try constantWords(id, at: instruction)
    guard let type = module.typeOfValue(id), words.count == module.scalarCount(type) else {
      throw Refusal("a constant whose parts do not fit its type", at: instruction)
    }
    let scalars = words.map { builder.constant($0) }
    constantScalars[id] = scalars
    return scalars
  }

  /// The words of a constant as the lanes hold them.
  func constantWords(_ id: Id, at instruction: Int? = nil) throws(Refusal) -> [UInt32] {
    guard let type = module.typeOfValue(id) else { throw Refusal("a constant without a type", at: instruction) }
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
        guard words.count <= Limits.rows else { throw Refusal("a constant of more than \(Limits.rows) numbers", at: instruction) }
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
