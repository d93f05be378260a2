import EtalonDiagnostics

/// Reads what stands outside functions: types, constants and variables.
struct GlobalReader {
  private(set) var types: TypeTable
  private let instructions: InstructionTable
  /// The positions of the variables.
  private(set) var variables: [Int] = []

  init(_ instructions: InstructionTable, idBound: Int) {
    self.instructions = instructions
    types = TypeTable(idBound: idBound)
  }

  /// Takes one instruction; instructions of other sections are left alone.
  mutating func read(_ instruction: Instruction) throws(DiagnosticsError) {
    if instruction.opcode.definesType {
      try addType(instruction)
    } else if instruction.opcode.definesConstant || instruction.opcode == .OpUndef {
      let value = try ConstantReader().value(instruction, types, instructions)
      if let id = instruction.result { types.addConstant(id, value) }
    } else if instruction.opcode == .OpVariable {
      try add(variable: instruction)
    }
  }

  private mutating func addType(_ instruction: Instruction) throws(DiagnosticsError) {
    guard let id = instruction.result else { return }
    let entry = try TypeReader(types: types, instructions: instructions).read(instruction)
    types.add(id, entry)
  }

  private mutating func add(variable: Instruction) throws(DiagnosticsError) {
    guard let type = variable.resultType, case .pointer(let storageClass, _) = types[type], storageClass.rawValue == variable[0],
      storageClass != .Function
    else { throw ModuleDiagnostic.error("type", "the type of the variable does not fit its storage class", variable) }
    variables.append(variable.index)
  }
}

// MARK: - Types

/// Gives types their meaning and checks that they are made of the right things.
///
/// Types come before their use, so they cannot contain themselves.
private struct TypeReader {
  let types: TypeTable
  let instructions: InstructionTable

  /// What one type means.
  func read(_ instruction: Instruction) throws(DiagnosticsError) -> TypeTable.Entry {
    let type = try meaning(instruction)
    let entry = TypeTable.Entry(type: type, scalarCount: scalarCount(type), depth: depth(type), hasNull: hasNull(type))
    guard entry.scalarCount <= ModuleLimits.scalarsPerType else {
      throw ModuleDiagnostic.error("limit", "a type of more than \(ModuleLimits.scalarsPerType) numbers", instruction)
    }
    guard entry.depth <= ModuleLimits.typeDepth else {
      throw ModuleDiagnostic.error("limit", "a type that is nested deeper than \(ModuleLimits.typeDepth)", instruction)
    }
    return entry
  }

  private func meaning(_ instruction: Instruction) throws(DiagnosticsError) -> ModuleType {
    switch instruction.opcode {
    case .OpTypeVoid: return .void
    case .OpTypeBool: return .bool
    case .OpTypeSampler: return .sampler
    case .OpTypeInt: return try integer(instruction)
    case .OpTypeFloat: return try float(instruction)
    case .OpTypeVector: return try vector(instruction)
    case .OpTypeMatrix: return try matrix(instruction)
    case .OpTypeArray: return .array(element: try element(instruction), length: try arrayLength(instruction))
    case .OpTypeRuntimeArray: return .runtimeArray(element: try element(instruction))
    case .OpTypeStruct: return try structure(instruction)
    case .OpTypePointer: return try pointer(instruction)
    case .OpTypeFunction: return try function(instruction)
    case .OpTypeImage: return try image(instruction)
    case .OpTypeSampledImage: return try sampledImage(instruction)
    default: throw ModuleDiagnostic.error("type", "the type is not known", instruction)
    }
  }

  private func integer(_ instruction: Instruction) throws(DiagnosticsError) -> ModuleType {
    guard [8, 16, 32, 64].contains(instruction[0]), instruction[1] <= 1 else {
      throw ModuleDiagnostic.error("type", "\(instruction[0]) bits are not possible", instruction)
    }
    return .int(width: Int(instruction[0]), isSigned: instruction[1] == 1)
  }

  private func float(_ instruction: Instruction) throws(DiagnosticsError) -> ModuleType {
    guard [16, 32, 64].contains(instruction[0]) else {
      throw ModuleDiagnostic.error("type", "\(instruction[0]) bits are not possible", instruction)
    }
    return .float(width: Int(instruction[0]))
  }

  private func vector(_ instruction: Instruction) throws(DiagnosticsError) -> ModuleType {
    switch types[instruction.id(0)] {
    case .bool, .int, .float: break
    default: throw ModuleDiagnostic.error("type", "a vector of \(instruction.id(0)), which is no scalar", instruction)
    }
    guard (2...4).contains(instruction[1]) else {
      throw ModuleDiagnostic.error("type", "\(instruction[1]) components are not possible", instruction)
    }
    return .vector(component: instruction.id(0), count: Int(instruction[1]))
  }

  private func matrix(_ instruction: Instruction) throws(DiagnosticsError) -> ModuleType {
    guard case .vector(let component, _) = types[instruction.id(0)], case .float = types[component],
      (2...4).contains(instruction[1])
    else { throw ModuleDiagnostic.error("type", "a matrix has 2 to 4 columns of float vectors", instruction) }
    return .matrix(column: instruction.id(0), count: Int(instruction[1]))
  }

  private func element(_ instruction: Instruction) throws(DiagnosticsError) -> Id {
    guard isStorable(instruction.id(0)) else {
      throw ModuleDiagnostic.error("type", "an array of \(instruction.id(0)), which cannot be stored", instruction)
    }
    return instruction.id(0)
  }

  private func arrayLength(_ instruction: Instruction) throws(DiagnosticsError) -> Int {
    let length = instruction.id(1)
    guard case .scalar(let bits) = types.constants[length], let type = instructions.typeOfValue(length),
      case .int = types[type]
    else { throw ModuleDiagnostic.error("type", "the length is no integer constant", instruction) }
    guard bits >= 1, bits <= ModuleLimits.scalarsPerType else {
      throw ModuleDiagnostic.error("limit", "an array of \(bits) elements; 1 to \(ModuleLimits.scalarsPerType) are possible", instruction)
    }
    return Int(bits)
  }

  private func structure(_ instruction: Instruction) throws(DiagnosticsError) -> ModuleType {
    let members = instruction.ids(from: 0)
    guard members.count <= ModuleLimits.structureMembers else {
      throw ModuleDiagnostic.error("limit", "\(members.count) members; the most are \(ModuleLimits.structureMembers)", instruction)
    }
    for member in members where !isStorable(member) {
      throw ModuleDiagnostic.error("type", "\(member) cannot be a member", instruction)
    }
    return .structure(members: members)
  }

  private func pointer(_ instruction: Instruction) throws(DiagnosticsError) -> ModuleType {
    guard let storageClass = StorageClass(rawValue: instruction[0]) else {
      throw ModuleDiagnostic.error("type", "storage class \(instruction[0]) is not one of compute shaders", instruction)
    }
    switch types[instruction.id(1)] {
    case nil, .void, .function: throw ModuleDiagnostic.error("type", "a pointer to \(instruction.id(1))", instruction)
    default: return .pointer(storageClass, pointee: instruction.id(1))
    }
  }

  private func function(_ instruction: Instruction) throws(DiagnosticsError) -> ModuleType {
    let parameters = instruction.ids(from: 1)
    guard parameters.count <= ModuleLimits.functionParameters else {
      throw ModuleDiagnostic.error("limit", "\(parameters.count) parameters; the most are \(ModuleLimits.functionParameters)", instruction)
    }
    for type in instruction.ids(from: 0) where !isValue(type) && type != instruction.id(0) {
      throw ModuleDiagnostic.error("type", "\(type) cannot be a parameter", instruction)
    }
    guard types[instruction.id(0)] == .void || isValue(instruction.id(0)) else {
      throw ModuleDiagnostic.error("type", "\(instruction.id(0)) cannot be returned", instruction)
    }
    return .function(result: instruction.id(0), parameters: parameters)
  }

  private func image(_ instruction: Instruction) throws(DiagnosticsError) -> ModuleType {
    guard let dim = ImageType.Dim(rawValue: instruction[1]), instruction[2] <= 2, instruction[3] <= 1, instruction[4] <= 1,
      instruction[5] <= 2
    else { throw ModuleDiagnostic.error("type", "the numbers of the image are not possible", instruction) }
    switch types[instruction.id(0)] {
    case .void, .int, .float: break
    default: throw ModuleDiagnostic.error("type", "an image of \(instruction.id(0))", instruction)
    }
    return .image(
      ImageType(
        sampledType: instruction.id(0), dim: dim, isDepth: instruction[2] == 1, isArrayed: instruction[3] == 1,
        isMultisampled: instruction[4] == 1, isStorage: instruction[5] == 2, format: instruction[6]))
  }

  private func sampledImage(_ instruction: Instruction) throws(DiagnosticsError) -> ModuleType {
    guard case .image = types[instruction.id(0)] else {
      throw ModuleDiagnostic.error("type", "\(instruction.id(0)) is no image", instruction)
    }
    return .sampledImage(image: instruction.id(0))
  }

  /// Whether values of a type exist.
  private func isValue(_ type: Id) -> Bool {
    switch types[type] {
    case nil, .void, .function, .runtimeArray: false
    default: true
    }
  }

  /// Whether a composite may be made of a type.
  private func isStorable(_ type: Id) -> Bool {
    switch types[type] {
    case .runtimeArray: true
    default: isValue(type)
    }
  }

  /// The scalars in a type, at least one, so that arrays of empty structures have a limit too.
  private func scalarCount(_ type: ModuleType) -> Int {
    switch type {
    case .vector(let part, let count), .matrix(let part, let count), .array(let part, let count):
      let (product, overflow) = scalarCount(part).multipliedReportingOverflow(by: count)
      return overflow ? .max : product
    case .runtimeArray(let element): return scalarCount(element)
    case .structure(let members): return max(1, members.reduce(0) { min($0 + scalarCount($1), ModuleLimits.scalarsPerType + 1) })
    default: return 1
    }
  }

  private func scalarCount(_ type: Id) -> Int { types.entry(type)?.scalarCount ?? 1 }

  private func depth(_ type: ModuleType) -> Int {
    switch type {
    case .vector(let part, _), .matrix(let part, _), .array(let part, _), .runtimeArray(let part), .pointer(_, let part):
      depth(part) + 1
    case .structure(let members): (members.map { depth($0) }.max() ?? 0) + 1
    default: 0
    }
  }

  private func depth(_ type: Id) -> Int { types.entry(type)?.depth ?? 0 }

  private func hasNull(_ type: ModuleType) -> Bool {
    switch type {
    case .bool, .int, .float, .vector, .matrix: true
    case .array(let element, _): types.entry(element)?.hasNull ?? false
    case .structure(let members): members.allSatisfy { types.entry($0)?.hasNull ?? false }
    default: false
    }
  }
}

// MARK: - Annotations

/// Collects what stands before the types.
struct AnnotationReader {
  private(set) var annotations = Annotations()

  /// Takes one instruction; instructions of other sections are left alone.
  mutating func read(_ instruction: Instruction) throws(DiagnosticsError) {
    switch instruction.opcode {
    case .OpCapability: annotations.capabilities.append(instruction[0])
    case .OpExtension: annotations.extensions.append(instruction.string(0))
    case .OpExtInstImport: if let id = instruction.result { annotations.extendedInstructionSets[id] = instruction.string(0) }
    case .OpString: if let id = instruction.result { annotations.files[id] = instruction.string(0) }
    case .OpEntryPoint: annotations.entryPoints.append(entryPoint(instruction))
    case .OpExecutionMode, .OpExecutionModeId:
      let mode = SPIRVModule.ExecutionMode(number: instruction[1], operands: Array(instruction.operands.dropFirst(2)))
      annotations.executionModes[instruction.id(0), default: []].append(mode)
    case .OpName: annotations.names[instruction.id(0)] = instruction.string(1)
    case .OpMemberName: annotations.memberNames[instruction.id(0), default: [:]][Int(instruction[1])] = instruction.string(2)
    case .OpDecorate, .OpDecorateId: decorate(instruction, member: nil)
    case .OpMemberDecorate: decorate(instruction, member: Int(instruction[1]))
    case .OpGroupDecorate, .OpGroupMemberDecorate:
      throw ModuleDiagnostic.error("unsupported", "groups of decorations are not supported", instruction)
    default: break
    }
  }

  private func entryPoint(_ instruction: Instruction) -> SPIRVModule.EntryPoint {
    let (name, words) = SPIRVString.decode(instruction.operands.dropFirst(2))
    return SPIRVModule.EntryPoint(
      executionModel: instruction[0], function: instruction.id(1), name: name, interface: instruction.ids(from: 2 + words))
  }

  private mutating func decorate(_ instruction: Instruction, member: Int?) {
    let skipped = member == nil ? 1 : 2
    let record = SPIRVModule.DecorationRecord(
      decoration: Decoration(rawValue: instruction[skipped]), member: member, operands: Array(instruction.operands.dropFirst(skipped + 1)))
    annotations.decorations[instruction.id(0), default: []].append(record)
  }
}
