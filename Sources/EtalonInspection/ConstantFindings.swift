internal import EtalonCPU
internal import EtalonCompiler
internal import EtalonDiagnostics
internal import EtalonManifest
internal import EtalonSPIRV

/// Finds operations whose constant operands are outside what they are defined for: no run has to show it.
struct ConstantFindings {
  /// Operands of one component that have no defined result.
  struct Occurrence {
    let kind: FindingKind
    let operands: [(name: String, value: String)]
  }

  private let constants: ConstantNumbers
  private let module: SPIRVModule
  private let lines: TokenLines

  private init(_ module: SPIRVModule, _ lines: TokenLines) {
    self.module = module
    self.lines = lines
    constants = ConstantNumbers(module)
  }

  /// A warning for each line and kind that a comment does not allow; a note where every device does the same.
  static func warnings(in compiled: CompiledKernel) -> [Diagnostic] {
    guard let module = try? SPIRVModule(compiled.kernel.words) else { return [] }
    return ConstantFindings(module, compiled.lines).warnings
  }

  private struct Place: Hashable {
    let path: String
    let line: Int
    let kind: FindingKind
  }

  private var warnings: [Diagnostic] {
    var known: Set<Place> = []
    var warnings: [Diagnostic] = []
    for position in 0..<module.instructionCount {
      let instruction = module[position]
      guard let occurrence = occurrence(of: instruction), let line = module.location(position)?.line, let range = lines.origin(ofLine: line)
      else {
        continue
      }
      let place = range.wholeCall, number = place.source.position(at: place.range.lowerBound).line
      guard !Waivers.waive(occurrence.kind.findingId, at: place),
        known.insert(Place(path: place.source.path, line: number, kind: occurrence.kind)).inserted
      else { continue }
      warnings.append(Self.warning(occurrence, at: place))
    }
    return warnings
  }

  private static func warning(_ occurrence: Occurrence, at place: SourceRange) -> Diagnostic {
    let words = FindingWords(occurrence.kind)
    let values = occurrence.operands.map { "\($0.name) = \($0.value)" }.joined(separator: ", ")
    return Diagnostic(
      occurrence.kind.findingId, values.isEmpty ? words.title : "\(words.title): \(values)",
      severity: words.severity.isFolded ? .note : .warning,
      labels: [place.label("whenever it runs")], help: words.help, notes: [words.rule])
  }

  private func occurrence(of instruction: Instruction) -> Occurrence? {
    if let occurrence = occurrenceOfOperands(instruction) { return occurrence }
    // What the compiler computed from constants.
    guard instruction.opcode != .OpConstantComposite, module.location(instruction.index) != nil,
      let word = module.idOperands(instruction).lazy.compactMap({ constants.firstNotFinite(in: $0) }).first
    else { return nil }
    return Occurrence(kind: .notFinite, operands: [("constant", "\(word)")])
  }

  private func occurrenceOfOperands(_ instruction: Instruction) -> Occurrence? {
    switch instruction.opcode {
    case .OpExtInst:
      guard let function = GLSLInstruction(rawValue: instruction[1]) else { return nil }
      return occurrenceOfFunction(function, instruction.ids(from: 2))
    case .OpFDiv: return divisor(instruction, .divisionByZero) { $0 == 0 }
    case .OpFMod, .OpFRem: return divisor(instruction, .moduloByZero) { $0 == 0 }
    case .OpUDiv, .OpUMod: return divisor(instruction, .integerDivisionByZero) { $0 == 0 }
    case .OpSDiv: return divisor(instruction, .integerDivisionByZero) { $0 == 0 } ?? overflow(instruction)
    case .OpSMod, .OpSRem:
      return divisor(instruction, .integerDivisionByZero) { $0 == 0 } ?? overflow(instruction)
        ?? divisor(instruction, .negativeRemainder) { $0 < 0 } ?? dividend(instruction)
    case .OpBitFieldInsert, .OpBitFieldSExtract, .OpBitFieldUExtract:
      let field = instruction.ids(from: 1).suffix(2)
      guard field.count == 2, let offset = field.first, let count = field.last else { return nil }
      return two(offset, count, ("offset", "bits"), .bitfield) { $0 < 0 || $1 < 0 || $0 + $1 > 32 }
    case .OpShiftLeftLogical, .OpShiftRightLogical, .OpShiftRightArithmetic:
      guard let amount = constants[instruction.id(1)]?.first(where: { $0 < 0 || $0 >= 32 }) else { return nil }
      return Occurrence(kind: .shift, operands: [("amount", "\(Int(amount))")])
    default: return nil
    }
  }

  private func divisor(_ instruction: Instruction, _ kind: FindingKind, _ isOutside: (Double) -> Bool) -> Occurrence? {
    guard let value = constants[instruction.id(1)]?.first(where: isOutside) else { return nil }
    let text = kind == .divisionByZero || kind == .moduloByZero ? "\(Float(value))" : "\(Int(value))"
    return Occurrence(kind: kind, operands: [(kind == .moduloByZero ? "y" : "divisor", text)])
  }

  /// The smallest integer divided by -1.
  private func overflow(_ instruction: Instruction) -> Occurrence? {
    two(instruction.id(0), instruction.id(1), ("dividend", "divisor"), .divisionOverflow) { $0 == Double(Int32.min) && $1 == -1 }
  }

  private func dividend(_ instruction: Instruction) -> Occurrence? {
    constants[instruction.id(0)]?.first { $0 < 0 }.map { Occurrence(kind: .negativeRemainder, operands: [("dividend", "\(Int($0))")]) }
  }

  private func occurrenceOfFunction(_ function: GLSLInstruction, _ operands: [Id]) -> Occurrence? {
    switch function {
    case .Sqrt: one(operands, .squareRoot) { $0 < 0 }
    case .InverseSqrt: one(operands, .inverseSquareRoot) { $0 <= 0 }
    case .Log, .Log2: one(operands, .logarithm) { $0 <= 0 }
    case .Asin, .Acos: one(operands, .arc) { abs($0) > 1 }
    case .Pow: one(operands, .power) { $0 < 0 }
    case .Atan2: two(operands[0], operands[1], ("y", "x"), .angleOfZero) { $0 == 0 && $1 == 0 }
    case .SmoothStep:
      two(operands[0], operands[1], ("edge0", "edge1"), .smoothstepEdges) { $0 == $1 }
        ?? two(operands[0], operands[1], ("edge0", "edge1"), .reversedSmoothstep) { $0 > $1 }
    case .Acosh: one(operands, .hyperbolicArc) { $0 < 1 }
    case .Atanh: one(operands, .hyperbolicArc) { abs($0) >= 1 }
    case .FClamp, .SClamp, .UClamp: two(operands[1], operands[2], ("minimum", "maximum"), .clampLimits) { $0 > $1 }
    case .Ldexp: constants[operands[1]]?.first { $0 > 128 }.map { Occurrence(kind: .exponent, operands: [("exp", "\(Int($0))")]) }
    default: nil
    }
  }

  private func one(_ operands: [Id], _ kind: FindingKind, _ isOutside: (Double) -> Bool) -> Occurrence? {
    constants[operands[0]]?.first(where: isOutside).map { Occurrence(kind: kind, operands: [("x", "\(Float($0))")]) }
  }

  private func two(
    _ a: Id, _ b: Id, _ names: (String, String), _ kind: FindingKind, _ isOutside: (Double, Double) -> Bool
  ) -> Occurrence? {
    guard let first = constants[a], let second = constants[b], let pair = zip(first, second).first(where: isOutside) else { return nil }
    return Occurrence(kind: kind, operands: [(names.0, "\(Float(pair.0))"), (names.1, "\(Float(pair.1))")])
  }
}

/// The numbers that constants of a module are made of.
struct ConstantNumbers {
  private let module: SPIRVModule

  init(_ module: SPIRVModule) { self.module = module }

  /// The components of a constant number or vector, also of one that is put together while the shader runs; nil for anything else.
  subscript(id: Id) -> [Double]? {
    if let made = module.definitionIfAny(id), made.opcode == .OpCompositeConstruct {
      return made.ids(from: 0).reduce([]) { sum, part in sum.flatMap { sum in self[part].map { sum + $0 } } }
    }
    guard let constant = module.constant(id), let type = module.typeOfValue(id) else { return nil }
    switch (constant, module.type(type)) {
    case (.scalar(let bits), .float(32)): return [Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))]
    case (.scalar(let bits), .int(32, let isSigned)):
      let word = UInt32(truncatingIfNeeded: bits)
      return [isSigned ? Double(Int32(bitPattern: word)) : Double(word)]
    case (.composite(let parts), .vector): return parts.reduce([]) { sum, part in sum.flatMap { sum in self[part].map { sum + $0 } } }
    case (.null, .float), (.null, .int), (.null, .vector): return [Double](repeating: 0, count: module.scalarCount(type))
    default: return nil
    }
  }

  /// A component that is NaN or infinite; nil where all are finite.
  func firstNotFinite(in id: Id) -> Float? { self[id]?.first { !$0.isFinite }.map { Float($0) } }
}

// MARK: what stays open

/// What has to be run to be known of a filter: operations that are defined for some operands only.
struct OpenQuestions {
  /// How many places there are of each kind, by the author's lines.
  private var places: [String: Set<String>] = [:]
  private static let order = ["division", "remainder", "index", "conversion to an integer", "shift", "bit field"]

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
    "division": "divisions", "remainder": "remainders", "index": "indices", "conversion to an integer": "conversions to integers",
    "shift": "shifts",
    "bit field": "bit fields",
  ]

  private static func kind(_ instruction: Instruction, _ module: SPIRVModule, _ constants: ConstantNumbers) -> String? {
    switch instruction.opcode {
    case .OpFDiv, .OpFMod, .OpFRem, .OpUDiv, .OpUMod: return constants[instruction.id(1)] == nil ? "division" : nil
    case .OpSDiv:
      // Only by -1 can a quotient be too large.
      return constants[instruction.id(1)]?.allSatisfy { $0 != -1 } ?? false ? nil : "division"
    case .OpSMod, .OpSRem:
      guard let divisor = constants[instruction.id(1)] else { return "remainder" }
      // What is told of the divisor alone is not asked again.
      return divisor.contains { $0 <= 0 } || constants[instruction.id(0)] != nil ? nil : "remainder"
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
    case .Ldexp: "'ldexp'"
    case .Pow: constants[operands[0]]?.allSatisfy { $0 > 0 } ?? false ? nil : "'pow'"
    case .Atan2: "'atan'"
    case .Normalize: "'normalize'"
    case .SmoothStep: constants[operands[0]] != nil && constants[operands[1]] != nil ? nil : "'smoothstep'"
    case .FClamp, .SClamp, .UClamp: constants[operands[1]] != nil && constants[operands[2]] != nil ? nil : "'clamp'"
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
