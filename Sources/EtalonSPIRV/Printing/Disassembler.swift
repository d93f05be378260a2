/// Writes a module in the assembly language, with numbers for ids.
///
/// The text is that of `spirv-dis --no-color --raw-id`:
///
/// ```
///                OpEntryPoint GLCompute %4 "main" %9
///           %6 = OpTypeFloat 32
/// ```
package struct Disassembler: Sendable {
  private let module: SPIRVModule
  private static let resultColumn = 15

  package init(_ module: SPIRVModule) { self.module = module }

  /// The header and all instructions, ending in a newline.
  package func text() -> String {
    var text = header()
    var offset = 5
    while offset < module.words.count {
      text += line(at: offset) + "\n"
      offset += Int(module.words[offset] >> 16)
    }
    return text
  }

  /// One instruction, without the space before it.
  package func text(_ instruction: Instruction) -> String {
    String(line(at: instruction.start).drop { $0 == " " })
  }

  private func header() -> String {
    let header = module.header
    let tool = GeneratorNames.name(header.generator >> 16) ?? "Unknown(\(header.generator >> 16))"
    return """
      ; SPIR-V
      ; Version: \(header.majorVersion).\(header.minorVersion)
      ; Generator: \(tool); \(header.generator & 0xFFFF)
      ; Bound: \(header.idBound)
      ; Schema: \(header.schema)

      """
  }

  private func line(at offset: Int) -> String {
    let words = module.words
    guard let code = OpcodeTable.shared.code(words[offset] & 0xFFFF) else { return "" }
    let first = offset + code.firstOperand
    let result = code.hasResult ? "%\(words[first - 1]) = " : ""
    var text = String(repeating: " ", count: max(0, Self.resultColumn - result.count)) + result + "\(code.opcode)"
    if code.hasResultType { text += " %\(words[offset + 1])" }
    let literals = LiteralType(code, at: offset, in: module)
    var reader = OperandReader(words, from: first, to: offset + Int(words[offset] >> 16), selectorWords: literals.wordCount)
    _ = reader.read(OpcodeTable.shared.shape(code.opcode)) { kind, range in
      text += " " + operand(kind, words[range], literals)
    }
    return text
  }

  private func operand(_ kind: OperandKind, _ words: ArraySlice<UInt32>, _ literals: LiteralType) -> String {
    let word = words[words.startIndex]
    switch kind {
    case .id: return "%\(word)"
    case .string: return quoted(SPIRVString.decode(words).text)
    case .constantLiteral: return literals.text(words)
    case .constantOperation: return OpcodeTable.shared.code(word).map { String("\($0.opcode)".dropFirst(2)) } ?? "\(word)"
    case .extendedInstruction: return literals.instructionName(word) ?? "\(word)"
    default: return OperandNames.name(word, kind) ?? "\(word)"
    }
  }

  private func quoted(_ text: String) -> String {
    var quoted = "\""
    for character in text.unicodeScalars {
      if character == "\"" || character == "\\" { quoted += "\\" }
      quoted.unicodeScalars.append(character)
    }
    return quoted + "\""
  }
}

/// What the numbers of an instruction mean that depend on other instructions.
private struct LiteralType {
  private let type: ModuleType?
  private let instructionSet: String?

  init(_ code: OpcodeTable.Code, at offset: Int, in module: SPIRVModule) {
    let words = module.words
    switch code.opcode {
    case .OpConstant, .OpSpecConstant: type = module.typeIfAny(Id(words[offset + 1]))
    case .OpSwitch: type = module.typeOfValue(Id(words[offset + 1])).flatMap { module.typeIfAny($0) }
    default: type = nil
    }
    instructionSet = code.opcode == .OpExtInst ? module.extendedInstructionSets[Id(words[offset + 3])] : nil
  }

  /// The words of a literal of an `OpSwitch`.
  var wordCount: Int {
    if case .int(64, _) = type { 2 } else { 1 }
  }

  func text(_ words: ArraySlice<UInt32>) -> String {
    let bits = words.reversed().reduce(UInt64(0)) { $0 << 32 | UInt64($1) }
    switch type {
    case .int(64, true): return "\(Int64(bitPattern: bits))"
    case .int(_, true): return "\(Int32(truncatingIfNeeded: bits))"
    case .float(let width): return FloatText.text(bits, width: width)
    default: return "\(bits)"
    }
  }

  func instructionName(_ number: UInt32) -> String? {
    guard instructionSet == GLSLInstruction.setName else { return nil }
    return GLSLInstruction(rawValue: number).map { "\($0)" }
  }
}
