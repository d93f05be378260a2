internal import CLaneKernels
internal import EtalonSPIRV

extension KernelLowering {
  /// Arrays and matrices of at most this many numbers that are indexed while the shader runs stay values: the index selects among all.
  static let selectableScalars = 9

  // MARK: Globals

  func bindGlobals() throws(Refusal) {
    for position in module.globalVariables {
      let instruction = module[position]
      guard let id = instruction.result, let pointerType = instruction.resultType,
        case .pointer(let storage, let pointee) = module.type(pointerType)
      else { continue }
      if let pointer = try global(id, storage: storage, pointee: pointee, instruction) { self[id] = .pointer(pointer) }
    }
  }

  private func global(
    _ id: Id, storage: StorageClass, pointee: Id, _ instruction: Instruction
  ) throws(Refusal) -> Pointer? {
    switch storage {
    case .UniformConstant:
      if case .array = module.type(pointee) { throw Refusal("arrays of textures", at: instruction.index) }
      return Pointer(root: .texture(binding: try binding(id, instruction)), type: pointee)
    case .Input:
      guard let number = module.value(of: .BuiltIn, id), let builtIn = BuiltIn(rawValue: number) else { return nil }
      return Pointer(root: .builtIn(builtIn), type: pointee)
    case .PushConstant: return Pointer(root: .buffer(resources.number(of: .pushConstants), isWritable: false), type: pointee)
    case .Uniform, .StorageBuffer:
      if case .array = module.type(pointee) { throw Refusal("arrays of buffers", at: instruction.index) }
      let isWritable = storage == .StorageBuffer || module.has(.BufferBlock, pointee)
      let number = resources.number(of: .bound(try binding(id, instruction)))
      return Pointer(root: .buffer(number, isWritable: isWritable && !module.has(.NonWritable, id)), type: pointee)
    case .Workgroup:
      let count = try scalarCount(pointee, at: instruction.index)
      let first = resources.sharedWordCount
      resources.sharedWordCount += count
      guard resources.sharedWordCount <= Limits.sharedWords else {
        throw Refusal("more than \(Limits.sharedWords * 4) bytes of shared memory", at: instruction.index)
      }
      watch?.sharedNames[first] = module.name(id)
      return Pointer(root: .shared(first: first, count: count), type: pointee)
    case .Private:
      let isIndexed = summaries.isIndexedAnywhere(id)
      let initializer = instruction.operandCount > 1 ? instruction.id(1) : nil
      let isConstant = initializer != nil && !summaries.isWrittenAnywhere(id)
      let variable = try variable(
        pointee: pointee, isIndexed: isIndexed, initial: initializer, constant: isConstant ? initializer : nil, instruction)
      if let flag = watch?.discardFlag, module.name(id) == flag, case .slots(let first, _) = variable.root { watch?.discardSlot = first }
      return variable
    case .Output: return Pointer(root: .slots(first: slots.allocate(try zeros(pointee, at: instruction.index)), count: 1), type: pointee)
    default: throw Refusal("variables of the storage class \(storage)", at: instruction.index)
    }
  }

  private func binding(_ id: Id, _ instruction: Instruction) throws(Refusal) -> Int {
    guard let binding = module.value(of: .Binding, id) else { throw Refusal("a resource without a binding", at: instruction.index) }
    return Int(binding)
  }

  // MARK: Variables

  /// Makes the memory of a local variable of a function that is being inlined.
  func allocateVariable(_ instruction: Instruction, summary: VariableSummaries.Summary) throws(Refusal) {
    guard let id = instruction.result, let pointerType = instruction.resultType,
      case .pointer(_, let pointee) = module.type(pointerType)
    else { return }
    let initial = instruction.operandCount > 1 ? instruction.id(1) : nil
    var constant: Id?
    if initial == nil, case .some(.some(let stored)) = summary.stores[id] { constant = stored }
    if initial != nil, !summary.written.contains(id) { constant = initial }
    let pointer = try variable(
      pointee: pointee, isIndexed: summary.indexed.contains(id), initial: initial, constant: constant, instruction)
    self[id] = .pointer(pointer)
  }

  private func variable(
    pointee: Id, isIndexed: Bool, initial: Id?, constant: Id?, _ instruction: Instruction
  ) throws(Refusal) -> Pointer {
    let count = module.scalarCount(pointee)
    guard isIndexed, count > Self.selectableScalars else {
      var start = try zeros(pointee, at: instruction.index)
      if let initial { start = try scalars(initial, at: instruction.index) }
      let first = slots.allocate(start + shadowsOfVariable(count: count, isInitialized: initial != nil))
      noteShadows(ofSlots: first, count: count)
      return Pointer(root: .slots(first: first, count: count), type: pointee)
    }
    if let constant { return Pointer(root: .constants(try table(constant, instruction), count: count), type: pointee) }
    let first = resources.rowCount
    guard count <= Limits.rows - first else {
      throw Refusal("local arrays of more than \(Limits.rows) numbers in all", at: instruction.index)
    }
    resources.rowCount += count
    _ = builder.add(
      LANE_OP_fill_rows, [], immediate: UInt32(first), second: UInt32(count), effect: .writes)
    let pointer = Pointer(root: .rows(first: first, count: count), type: pointee)
    if initial == nil { makeShadows(ofRows: first, count: count) }
    if let initial { try store(try scalars(initial, at: instruction.index), to: pointer, at: instruction.index) }
    return pointer
  }

  /// The number of the constant array with the words of a constant.
  private func table(_ constant: Id, _ instruction: Instruction) throws(Refusal) -> Int {
    if let known = tables[constant] { return known }
    let words = try constantWords(constant, at: instruction.index)
    guard resources.constants.reduce(words.count, { $0 + $1.count }) <= Limits.constantNumbers else {
      throw Refusal("constant arrays of more than \(Limits.constantNumbers) numbers in all", at: instruction.index)
    }
    resources.constants.append(words)
    tables[constant] = resources.constants.count - 1
    return resources.constants.count - 1
  }
}
