internal import EtalonCompiler
internal import EtalonDiagnostics
internal import EtalonManifest
internal import EtalonSPIRV

/// What has to be run to be known of a filter: operations that are defined for some operands only.
struct OpenQuestions {
  /// How many places there are of each kind, by the author's lines.
  private var places: [String: Set<String>] = [:]
  private static let order = ["division", "index", "conversion to an integer", "shift", "bit field"]

  /// Takes the operations of a kernel.
  ///
  /// - Parameter sizes: the uniforms that are sizes of pictures, and never 0.
  mutating func add(_ compiled: CompiledKernel, sizes: Set<String>) {
    guard let module = try? SPIRVModule(compiled.kernel.words) else { return }
    let constants = ConstantNumbers(module)
    var known = KnownSizes(module, names: sizes)
    for position in 0..<module.instructionCount {
      let instruction = module[position]
      known.add(instruction)
      if instruction.opcode == .OpFDiv, known.contains(instruction.id(1)) { continue }
      guard let kind = Self.kind(instruction, module, constants), let line = module.location(position)?.line,
        let place = compiled.lines.origin(ofLine: line)
      else { continue }
      places[kind, default: []].insert("\(place.source.path):\(place.range)")
    }
  }

  /// One note for the whole filter; nil where everything is known.
  ///
  /// - Parameter path: what `etalon sanitize` is to be called with.
  func note(path: String) -> Diagnostic? {
    guard !places.isEmpty else { return nil }
    let functions = places.keys.filter { Self.plurals[$0] == nil }.sorted()
    let parts = (Self.order.filter { places[$0] != nil } + functions).map { kind in
      let count = places[kind]?.count ?? 0
      return "\(count) \(count == 1 ? kind : Self.plurals[kind] ?? kind)"
    }
    return Diagnostic(
      "check.needs-run", "only a run can tell whether these stay within what GLSL defines: \(parts.joined(separator: ", "))",
      severity: .note, help: ["type 'etalon sanitize \(path)'"])
  }

  private static let plurals = [
    "division": "divisions", "index": "indices", "conversion to an integer": "conversions to integers", "shift": "shifts",
    "bit field": "bit fields",
  ]

  private static func kind(_ instruction: Instruction, _ module: SPIRVModule, _ constants: ConstantNumbers) -> String? {
    switch instruction.opcode {
    case .OpFDiv, .OpFMod, .OpFRem, .OpSDiv, .OpUDiv, .OpSMod, .OpSRem, .OpUMod:
      return constants[instruction.id(1)] == nil ? "division" : nil
    case .OpAccessChain, .OpInBoundsAccessChain:
      return instruction.ids(from: 1).allSatisfy { module.constant($0) != nil } ? nil : "index"
    case .OpVectorExtractDynamic, .OpVectorInsertDynamic: return "index"
    case .OpConvertFToS, .OpConvertFToU: return "conversion to an integer"
    case .OpShiftLeftLogical, .OpShiftRightLogical, .OpShiftRightArithmetic: return constants[instruction.id(1)] == nil ? "shift" : nil
    case .OpBitFieldInsert, .OpBitFieldSExtract, .OpBitFieldUExtract:
      return instruction.ids(from: 1).suffix(2).allSatisfy { constants[$0] != nil } ? nil : "bit field"
    case .OpExtInst:
      guard let function = GLSLInstruction(rawValue: instruction[1]) else { return nil }
      return name(of: function, instruction.ids(from: 2), constants)
    default: return nil
    }
  }

  private static func name(of function: GLSLInstruction, _ operands: [Id], _ constants: ConstantNumbers) -> String? {
    switch function {
    case .Sqrt: "'sqrt'"
    case .InverseSqrt: "'inversesqrt'"
    case .Log, .Log2: "'log'"
    case .Asin: "'asin'"
    case .Acos: "'acos'"
    case .Acosh: "'acosh'"
    case .Atanh: "'atanh'"
    case .MatrixInverse: "'inverse'"
    case .Ldexp: constants[operands[1]] == nil ? "'ldexp'" : nil
    case .Pow: constants[operands[0]]?.allSatisfy { $0 > 0 } ?? false ? nil : "'pow'"
    case .Atan2: "'atan'"
    case .Normalize: "'normalize'"
    case .SmoothStep: constants[operands[0]] != nil && constants[operands[1]] != nil ? nil : "'smoothstep'"
    case .FClamp: constants[operands[1]] != nil && constants[operands[2]] != nil ? nil : "'clamp'"
    default: nil
    }
  }
}

/// The values of a module that are sizes of pictures.
private struct KnownSizes {
  private let module: SPIRVModule
  private let names: Set<String>
  private var ids: Set<Id> = []

  init(_ module: SPIRVModule, names: Set<String>) {
    self.module = module
    self.names = names
  }

  func contains(_ id: Id) -> Bool { ids.contains(id) }

  /// Takes an instruction that follows those that were taken.
  mutating func add(_ instruction: Instruction) {
    guard let result = instruction.result else { return }
    switch instruction.opcode {
    case .OpAccessChain, .OpInBoundsAccessChain: if isSize(instruction) { ids.insert(result) }
    case .OpLoad, .OpCompositeExtract, .OpVectorShuffle, .OpCompositeConstruct:
      if !module.idOperands(instruction).isEmpty, module.idOperands(instruction).allSatisfy(ids.contains) { ids.insert(result) }
    default: break
    }
  }

  private func isSize(_ chain: Instruction) -> Bool {
    guard let pointer = module.typeOfValue(chain.id(0)), case .pointer(_, let block) = module.type(pointer), chain.operandCount > 1,
      let member = module.scalarConstant(chain.id(1))
    else { return false }
    return names.contains(module.memberName(block, Int(member)))
  }
}
