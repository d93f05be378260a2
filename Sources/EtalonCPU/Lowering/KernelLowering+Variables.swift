internal import CLaneKernels
internal import EtalonSPIRV

/// What an id of the module stands for while a function is lowered.
enum Binding {
  /// The scalars of a value, composites taken apart in order.
  case value([ValueId])
  case pointer(LoweredPointer)
  /// A texture, with its sampler or as a storage image: the position in `KernelResources.textures`.
  case texture(Int)
  case nothing
}

/// A place in memory: a root and how far into it.
struct LoweredPointer {
  enum Root {
    /// Scalar variables that are values of the graph; the number is the first slot.
    case slots(first: Int, count: Int)
    /// A local array: one row of lanes for each scalar, from a number of rows on.
    case rows(first: Int, count: Int)
    /// A constant array, by its number.
    case constants(Int, count: Int)
    /// A block in a buffer, by the buffer's number; offsets are bytes.
    case buffer(Int, isWritable: Bool)
    /// Shared words, from a word on.
    case shared(first: Int, count: Int)
    /// A texture by its binding; it gets a number where it is read first.
    case texture(binding: Int)
    case builtIn(BuiltIn)
  }

  /// How a matrix lies in a buffer.
  struct MatrixLayout {
    let stride: Int
    let isRowMajor: Bool
  }

  let root: Root
  /// What it points to.
  var type: Id
  /// Scalars, words or bytes from the start of the root, as the root counts.
  var offset = 0
  /// A further distance that is only known when the shader runs.
  var dynamic: ValueId?
  var matrix: MatrixLayout?
}

/// What a kernel wants to have bound, in the order in which the lane kernels number it.
struct KernelResources: Sendable {
  enum Buffer: Hashable, Sendable {
    case pushConstants
    case bound(Int)
  }

  /// The buffers by number.
  var buffers: [Buffer] = []
  /// The bindings of the textures by number.
  var textures: [Int] = []
  /// The constant arrays by number.
  var constants: [[UInt32]] = []
  /// Rows of local arrays, each of which holds one word for each lane.
  var rowCount = 0
  var sharedWordCount = 0
  /// Whether it finds its pixel by the number of its subgroup, quad by quad.
  var readsSubgroupNumber = false

  mutating func number(of buffer: Buffer) -> Int {
    if let number = buffers.firstIndex(of: buffer) { return number }
    buffers.append(buffer)
    return buffers.count - 1
  }

  mutating func number(ofTexture binding: Int) -> Int {
    if let number = textures.firstIndex(of: binding) { return number }
    textures.append(binding)
    return textures.count - 1
  }
}

// MARK: - Variables

extension KernelLowering {
  /// Arrays and matrices of at most this many numbers that are indexed while the shader runs stay values: the index selects among all.
  static let selectableScalars = 9

  // MARK: Globals

  func bindGlobals() throws(Unsupported) {
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
  ) throws(Unsupported) -> LoweredPointer? {
    switch storage {
    case .UniformConstant:
      if case .array = module.type(pointee) { throw Unsupported("arrays of textures", at: instruction.index) }
      return LoweredPointer(root: .texture(binding: try binding(id, instruction)), type: pointee)
    case .Input:
      guard let number = module.value(of: .BuiltIn, id), let builtIn = BuiltIn(rawValue: number) else { return nil }
      return LoweredPointer(root: .builtIn(builtIn), type: pointee)
    case .PushConstant: return LoweredPointer(root: .buffer(resources.number(of: .pushConstants), isWritable: false), type: pointee)
    case .Uniform, .StorageBuffer:
      if case .array = module.type(pointee) { throw Unsupported("arrays of buffers", at: instruction.index) }
      let isWritable = storage == .StorageBuffer || module.has(.BufferBlock, pointee)
      let number = resources.number(of: .bound(try binding(id, instruction)))
      return LoweredPointer(root: .buffer(number, isWritable: isWritable && !module.has(.NonWritable, id)), type: pointee)
    case .Workgroup:
      let count = try scalarCount(pointee, at: instruction.index)
      let first = resources.sharedWordCount
      resources.sharedWordCount += count
      guard resources.sharedWordCount <= Limits.sharedWords else {
        throw Unsupported("more than \(Limits.sharedWords * 4) bytes of shared memory", at: instruction.index)
      }
      watch?.sharedNames[first] = module.name(id)
      return LoweredPointer(root: .shared(first: first, count: count), type: pointee)
    case .Private:
      let isIndexed = summaries.isIndexedAnywhere(id)
      let initializer = instruction.operandCount > 1 ? instruction.id(1) : nil
      let isConstant = initializer != nil && !summaries.isWrittenAnywhere(id)
      let variable = try variable(
        pointee: pointee, isIndexed: isIndexed, initial: initializer, constant: isConstant ? initializer : nil, instruction)
      if let flag = watch?.discardFlag, module.name(id) == flag, case .slots(let first, _) = variable.root { watch?.discardSlot = first }
      return variable
    case .Output:
      return LoweredPointer(root: .slots(first: slots.allocate(try zeros(pointee, at: instruction.index)), count: 1), type: pointee)
    default: throw Unsupported("variables of the storage class \(storage)", at: instruction.index)
    }
  }

  private func binding(_ id: Id, _ instruction: Instruction) throws(Unsupported) -> Int {
    guard let binding = module.value(of: .Binding, id) else { throw Unsupported("a resource without a binding", at: instruction.index) }
    return Int(binding)
  }

  // MARK: Variables

  /// Makes the memory of a local variable of a function that is being inlined.
  func allocateVariable(_ instruction: Instruction, summary: VariableSummaries.Summary) throws(Unsupported) {
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
  ) throws(Unsupported) -> LoweredPointer {
    let count = module.scalarCount(pointee)
    guard isIndexed, count > Self.selectableScalars else {
      var start = try zeros(pointee, at: instruction.index)
      if let initial { start = try scalars(initial, at: instruction.index) }
      let first = slots.allocate(start + shadowsOfVariable(count: count, isInitialized: initial != nil))
      noteShadows(ofSlots: first, count: count)
      return LoweredPointer(root: .slots(first: first, count: count), type: pointee)
    }
    if let constant { return LoweredPointer(root: .constants(try table(constant, instruction), count: count), type: pointee) }
    let first = resources.rowCount
    guard count <= Limits.rows - first else {
      throw Unsupported("local arrays of more than \(Limits.rows) numbers in all", at: instruction.index)
    }
    resources.rowCount += count
    _ = builder.add(
      LANE_OP_fill_rows, [], immediate: UInt32(first), second: UInt32(count), effect: .writes)
    let pointer = LoweredPointer(root: .rows(first: first, count: count), type: pointee)
    if initial == nil { makeShadows(ofRows: first, count: count) }
    if let initial { try store(try scalars(initial, at: instruction.index), to: pointer, at: instruction.index) }
    return pointer
  }

  /// The number of the constant array with the words of a constant.
  private func table(_ constant: Id, _ instruction: Instruction) throws(Unsupported) -> Int {
    if let known = tables[constant] { return known }
    let words = try constantWords(constant, at: instruction.index)
    guard resources.constants.reduce(words.count, { $0 + $1.count }) <= Limits.constantNumbers else {
      throw Unsupported("constant arrays of more than \(Limits.constantNumbers) numbers in all", at: instruction.index)
    }
    resources.constants.append(words)
    tables[constant] = resources.constants.count - 1
    return resources.constants.count - 1
  }
}

// MARK: - What functions do to variables

/// What the functions of a module do to variables, found out before anything is lowered: which they write, and which they index with
/// a value that is no constant.
struct VariableSummaries {
  /// What one function does to the variables that it can name: its own, its parameters, and globals.
  struct Summary {
    var written: Set<Id> = []
    var indexed: Set<Id> = []
    /// Variables whose address goes somewhere other than a load, a store of a whole constant, or an index.
    var escaping: Set<Id> = []
    /// The constants that are stored to whole variables; nil for a variable with any other store.
    var stores: [Id: Id?] = [:]
    /// Variables that each block writes.
    var writtenByBlock: [Set<Id>] = []
  }

  private let module: SPIRVModule
  private(set) var summaries: [Id: Summary] = [:]

  init(_ module: SPIRVModule) {
    self.module = module
    for function in module.functions { _ = summary(function.id) }
  }

  subscript(function: Id) -> Summary { summaries[function] ?? Summary() }

  private mutating func summary(_ id: Id) -> Summary {
    if let known = summaries[id] { return known }
    let function = module.function(id)
    var summary = Summary()
    for block in function.blocks {
      var written: Set<Id> = []
      for instruction in module[block.body] { add(instruction, to: &summary, written: &written) }
      summary.written.formUnion(written)
      summary.writtenByBlock.append(written)
    }
    summaries[id] = summary
    return summary
  }

  /// The variable or parameter that a pointer leads to.
  func root(_ pointer: Id) -> Id {
    var id = pointer
    while let definition = module.definitionIfAny(id) {
      switch definition.opcode {
      case .OpAccessChain, .OpInBoundsAccessChain, .OpCopyObject: id = definition.id(0)
      default: return id
      }
    }
    return id
  }

  private mutating func add(_ instruction: Instruction, to summary: inout Summary, written: inout Set<Id>) {
    switch instruction.opcode {
    case .OpStore:
      let target = instruction.id(0), source = instruction.id(1)
      let variable = root(target)
      written.insert(variable)
      let isWhole = target == variable && module.constant(source) != nil && summary.stores[variable] == nil
      summary.stores[variable] = .some(isWhole ? source : nil)
    case .OpCopyMemory:
      let variable = root(instruction.id(0))
      written.insert(variable)
      summary.stores[variable] = .some(nil)
    case .OpAccessChain, .OpInBoundsAccessChain:
      let isConstant = instruction.ids(from: 1).allSatisfy { module.constant($0) != nil }
      if !isConstant { summary.indexed.insert(root(instruction.id(0))) }
    case .OpFunctionCall: addCall(instruction, to: &summary, written: &written)
    case .OpExtInst:
      // Modf and Frexp write through a pointer.
      for operand in instruction.ids(from: 2) {
        guard let definition = module.definitionIfAny(operand), let type = definition.resultType, case .pointer? = module.typeIfAny(type)
        else { continue }
        written.insert(root(operand))
        summary.stores[root(operand)] = .some(nil)
      }
    default: break
    }
  }

  private mutating func addCall(_ call: Instruction, to summary: inout Summary, written: inout Set<Id>) {
    let callee = module.function(call.id(0))
    let inner = self.summary(callee.id)
    for (parameter, argument) in zip(callee.parameters, call.ids(from: 1)) {
      let variable = root(argument)
      if inner.indexed.contains(parameter) { summary.indexed.insert(variable) }
      if inner.written.contains(parameter) {
        written.insert(variable)
        summary.stores[variable] = .some(nil)
      }
    }
    let globals = inner.written.filter { module.definitionIfAny($0)?.opcode == .OpVariable && isGlobal($0) }
    written.formUnion(globals)
    summary.indexed.formUnion(inner.indexed.filter { isGlobal($0) })
    for variable in globals { summary.stores[variable] = .some(nil) }
  }

  private func isGlobal(_ id: Id) -> Bool {
    guard let definition = module.definitionIfAny(id), definition.opcode == .OpVariable else { return false }
    return StorageClass(rawValue: definition[0]) != .Function
  }

  /// Whether any function indexes a global with a value that is no constant.
  func isIndexedAnywhere(_ global: Id) -> Bool { summaries.values.contains { $0.indexed.contains(global) } }

  /// Whether any function writes a global.
  func isWrittenAnywhere(_ global: Id) -> Bool { summaries.values.contains { $0.written.contains(global) } }
}

// MARK: - Slots

/// The present values of all scalar variables, and which of them changed since a point in the control flow.
struct SlotStore {
  /// Which slots a piece of control flow changed, and what they are at its end.
  typealias Changes = [Int: ValueId]

  private(set) var values: [ValueId] = []
  /// For each open level the values from before it of the slots that it changed.
  private var levels: [[Int: ValueId]] = []

  var count: Int { values.count }

  /// Adds slots and returns the first.
  mutating func allocate(_ initial: [ValueId]) -> Int {
    values.append(contentsOf: initial)
    return values.count - initial.count
  }

  /// Drops the slots from one on: their function has returned, and with it every level that it opened.
  mutating func release(from first: Int) { values.removeLast(values.count - first) }

  subscript(slot: Int) -> ValueId {
    get { values[slot] }
    set {
      if let last = levels.indices.last, levels[last][slot] == nil { levels[last][slot] = values[slot] }
      values[slot] = newValue
    }
  }

  /// The number of the level that `open` adds next.
  var depth: Int { levels.count }

  mutating func open() { levels.append([:]) }

  /// What changed since a level was opened.
  func changes(since level: Int) -> Changes {
    var changes: Changes = [:]
    for open in levels[level...] {
      for slot in open.keys where slot < values.count { changes[slot] = values[slot] }
    }
    return changes
  }

  /// Takes the last level back and returns what it had changed.
  mutating func close() -> Changes {
    let before = levels.removeLast()
    var changes: Changes = [:]
    for (slot, old) in before where slot < values.count {
      changes[slot] = values[slot]
      values[slot] = old
    }
    return changes
  }
}
