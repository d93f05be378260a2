/// Changes to a module, collected and then written in one go.
///
/// New types, constants and functions go to the end of their sections, code goes before an instruction, and instructions can be replaced.
struct ModuleEdit {
  let module: SPIRVModule
  private var nextId: UInt32
  private var imports: [UInt32] = []
  private var annotations: [UInt32] = []
  private var globals: [UInt32] = []
  private var functions: [UInt32] = []
  /// By the position of the instruction that they come before.
  private var insertions: [Int: [UInt32]] = [:]
  /// By the position of the instruction that they stand for.
  private var replacements: [Int: [UInt32]] = [:]
  /// Types and constants by their words without the result.
  private var known: [[UInt32]: Id] = [:]

  init(_ module: SPIRVModule) {
    self.module = module
    nextId = UInt32(module.header.idBound)
    for instruction in module[0..<module.firstFunction] {
      let opcode = instruction.opcode
      guard let result = instruction.result, opcode.definesType || opcode == .OpConstant || opcode == .OpConstantNull else { continue }
      let key = Self.key(opcode, instruction.resultType, Array(instruction.operands))
      if known[key] == nil { known[key] = result }
    }
  }

  /// The most words that an instruction can have after its first.
  static let mostOperands = 0xFFFE

  /// The words of an instruction, of which there are at most `mostOperands` after the first.
  static func words(_ opcode: Opcode, _ operands: [UInt32]) -> [UInt32] {
    [UInt32(operands.count + 1) << 16 | UInt32(opcode.rawValue)] + operands
  }

  mutating func newId() -> Id {
    defer { nextId += 1 }
    return Id(nextId)
  }

  // MARK: Finding or making

  /// A type with these operands.
  mutating func type(_ opcode: Opcode, _ operands: [UInt32]) -> Id {
    let key = Self.key(opcode, nil, operands)
    if let id = known[key] { return id }
    let id = newId()
    globals += Self.words(opcode, [id.rawValue] + operands)
    known[key] = id
    return id
  }

  mutating func unsignedType() -> Id { type(.OpTypeInt, [32, 0]) }

  /// A constant of a 32-bit integer type.
  mutating func constant(_ value: UInt32, type: Id) -> Id { constant(.OpConstant, [value], type: type) }

  private mutating func constant(_ opcode: Opcode, _ operands: [UInt32], type: Id) -> Id {
    let key = Self.key(opcode, type, operands)
    if let id = known[key] { return id }
    let id = newId()
    globals += Self.words(opcode, [type.rawValue, id.rawValue] + operands)
    known[key] = id
    return id
  }

  /// An integer of any width, or a vector of which every part is that; the lowest bits of the value count.
  mutating func constant(_ value: Int64, ofIntegers type: Id) -> Id {
    switch module.type(type) {
    case .vector(let component, let count):
      let part = constant(value, ofIntegers: component)
      return constant(.OpConstantComposite, Array(repeating: part.rawValue, count: count), type: type)
    case .int(let width, let isSigned):
      let bits = isSigned ? UInt64(bitPattern: value) : UInt64(bitPattern: value) & .max >> UInt64(64 - width)
      let words = [UInt32(truncatingIfNeeded: bits), UInt32(truncatingIfNeeded: bits >> 32)]
      return constant(.OpConstant, Array(words.prefix(width > 32 ? 2 : 1)), type: type)
    default: preconditionFailure("\(type) is no type of integers")
    }
  }

  /// The type of what a comparison of two values of a type gives: a truth value, or a vector of them.
  mutating func truthType(like type: Id) -> Id {
    let bool = self.type(.OpTypeBool, [])
    guard case .vector(_, let count) = module.type(type) else { return bool }
    return self.type(.OpTypeVector, [bool.rawValue, UInt32(count)])
  }

  /// The zero of a type; defined before the instruction at a position, if one is given, else before all functions.
  mutating func null(_ type: Id, before position: Int? = nil) -> Id {
    let key = Self.key(.OpConstantNull, type, [])
    if let id = known[key], isDefined(id, before: position) { return id }
    let id = newId()
    let words = Self.words(.OpConstantNull, [type.rawValue, id.rawValue])
    if let position { insert(words, before: position) } else { globals += words }
    known[key] = id
    return id
  }

  /// The GLSL.std.450 instruction set.
  mutating func glslInstructions() -> Id {
    let name = "GLSL.std.450"
    if let id = module.extendedInstructionSets.filter({ $0.value == name }).keys.min() { return id }
    let key: [UInt32] = [UInt32(Opcode.OpExtInstImport.rawValue)]
    if let id = known[key] { return id }
    let id = newId()
    imports += Self.words(.OpExtInstImport, [id.rawValue] + SPIRVString.encode(name))
    known[key] = id
    return id
  }

  private static func key(_ opcode: Opcode, _ type: Id?, _ operands: [UInt32]) -> [UInt32] {
    [UInt32(opcode.rawValue), type?.rawValue ?? 0] + operands
  }

  private func isDefined(_ id: Id, before position: Int?) -> Bool {
    guard let position, let definition = module.definitionIfAny(id) else { return true }
    return definition.index < position
  }

  // MARK: Changing

  mutating func insert(_ words: [UInt32], before position: Int) { insertions[position, default: []] += words }

  /// Gives an instruction other operands, and another opcode if one is given; its result and the type of that stay.
  mutating func replace(_ instruction: Instruction, by opcode: Opcode? = nil, operands: [UInt32]) {
    let leading = [instruction.resultType, instruction.result].compactMap { $0?.rawValue }
    replacements[instruction.index] = Self.words(opcode ?? instruction.opcode, leading + operands)
  }

  /// Takes out an instruction whose result is not used.
  mutating func remove(_ instruction: Instruction) { replacements[instruction.index] = [] }

  mutating func addAnnotation(_ opcode: Opcode, _ operands: [UInt32]) { annotations += Self.words(opcode, operands) }

  mutating func addGlobal(_ opcode: Opcode, _ operands: [UInt32]) { globals += Self.words(opcode, operands) }

  mutating func addFunction(_ words: [UInt32]) { functions += words }

  /// The changed module.
  func words() -> [UInt32] {
    var pieces = insertions
    pieces[endOfImports, default: []] = imports + (pieces[endOfImports] ?? [])
    pieces[endOfAnnotations, default: []] = annotations + (pieces[endOfAnnotations] ?? [])
    pieces[module.firstFunction, default: []] += globals
    let old = module.words
    var new: [UInt32] = []
    new.reserveCapacity(old.count + annotations.count + globals.count + functions.count + insertions.count * 16)
    var copied = 0
    for position in Set(pieces.keys).union(replacements.keys).sorted() where position < module.instructionCount {
      let instruction = module[position]
      let start = position == module.firstFunction || position == endOfAnnotations ? end(position - 1) : instruction.start
      new += old[copied..<start]
      new += pieces[position] ?? []
      copied = start
      if let replacement = replacements[position] {
        new += old[copied..<instruction.start] + replacement
        copied = end(position)
      }
    }
    new += old[copied...]
    new += functions
    new[3] = nextId
    return new
  }

  /// The offset behind an instruction; the words between it and the next one are the debug lines of the next.
  private func end(_ position: Int) -> Int {
    position < 0 ? 5 : module[position].start + Int(module.words[module[position].start] >> 16)
  }

  private var endOfImports: Int { module[0..<module.firstFunction].first { $0.opcode == .OpMemoryModel }?.index ?? 0 }

  private var endOfAnnotations: Int {
    let first = module[0..<module.firstFunction].first {
      $0.opcode.definesType || $0.opcode.definesConstant || $0.opcode == .OpVariable || $0.opcode == .OpUndef || $0.opcode == .OpExtInst
    }
    return first?.index ?? module.firstFunction
  }
}
