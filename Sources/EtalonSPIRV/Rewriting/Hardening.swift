package import EtalonDiagnostics

/// Makes a module safe on drivers that execute undefined operations as they are written.
///
/// Robust buffer access protects buffers and images only. After this pass variables start at zero, shared memory too, indices into
/// composites stay inside, every division of integers has a result, nothing is fused or rearranged, and all floats have their full
/// precision, so that every driver rounds alike.
///
/// ```swift
/// let words = try Hardening.harden(SPIRVModule(kernel.words))
/// ```
package enum Hardening {
  /// The words of the hardened module, as valid as the module was.
  package static func harden(_ module: SPIRVModule) throws(DiagnosticsError) -> [UInt32] {
    var edit = ModuleEdit(module)
    NullInitializers().apply(to: &edit)
    try WorkgroupZeroing().apply(to: &edit)
    IndexClamping().apply(to: &edit)
    DivisionGuard().apply(to: &edit)
    ContractionBan().apply(to: &edit)
    FullPrecision().apply(to: &edit)
    return edit.words()
  }
}

extension Kernel {
  /// The kernel with hardened words; what it expects to be bound stays the same.
  package func hardened() throws(DiagnosticsError) -> Kernel {
    Kernel(name: name, words: try Hardening.harden(SPIRVModule(words)), interface: interface)
  }
}

// MARK: - Steps

/// Starts variables of functions and invocations at zero where the shader does not say how.
private struct NullInitializers {
  func apply(to edit: inout ModuleEdit) {
    let module = edit.module
    for position in module.globalVariables { initialize(module[position], isGlobal: true, &edit) }
    for function in module.functions {
      for instruction in module[function.blocks[0].body] where instruction.opcode == .OpVariable {
        initialize(instruction, isGlobal: false, &edit)
      }
    }
  }

  private func initialize(_ variable: Instruction, isGlobal: Bool, _ edit: inout ModuleEdit) {
    guard variable.operandCount == 1, let type = variable.resultType, case .pointer(let storageClass, let pointee) = edit.module.type(type),
      storageClass == .Function || storageClass == .Private, edit.module.hasNull(pointee)
    else { return }
    let null = edit.null(pointee, before: isGlobal ? variable.index : nil)
    edit.replace(variable, operands: [variable[0], null.rawValue])
  }
}

/// Keeps indices inside of arrays, matrices and vectors: what is negative or too large, seen as unsigned, becomes the last index.
///
/// Storage buffers are left alone: robust buffer access protects them.
private struct IndexClamping {
  private static let unsignedMinimum: UInt32 = 38

  func apply(to edit: inout ModuleEdit) {
    let module = edit.module
    for instruction in module[module.firstFunction..<module.instructionCount] {
      switch instruction.opcode {
      case .OpAccessChain, .OpInBoundsAccessChain: clamp(chain: instruction, &edit)
      case .OpVectorExtractDynamic: clamp(vector: instruction, index: 1, &edit)
      case .OpVectorInsertDynamic: clamp(vector: instruction, index: 2, &edit)
      default: break
      }
    }
  }

  private func clamp(chain: Instruction, _ edit: inout ModuleEdit) {
    let module = edit.module
    guard let base = module.typeOfValue(chain.id(0)), case .pointer(let storageClass, let pointee) = module.type(base),
      isProtected(storageClass)
    else { return }
    var operands = Array(chain.operands)
    var type = pointee
    for position in 1..<max(chain.operandCount, 1) {
      let isStructure = if case .structure = module.type(type) { true } else { false }
      if !isStructure, let count = module.type(type).partCount {
        operands[position] = clamped(chain.id(position), count: count, before: chain, &edit).rawValue
      }
      guard let part = module.type(type).part(isStructure ? Int(clamping: module.scalarConstant(chain.id(position)) ?? 0) : 0) else {
        return
      }
      type = part
    }
    if operands != Array(chain.operands) { edit.replace(chain, operands: operands) }
  }

  private func clamp(vector instruction: Instruction, index: Int, _ edit: inout ModuleEdit) {
    guard let type = edit.module.typeOfValue(instruction.id(0)), let count = edit.module.type(type).partCount else { return }
    var operands = Array(instruction.operands)
    operands[index] = clamped(instruction.id(index), count: count, before: instruction, &edit).rawValue
    if operands[index] != instruction[index] { edit.replace(instruction, operands: operands) }
  }

  /// The index, or a new value that is never `count` or more.
  private func clamped(_ index: Id, count: Int, before instruction: Instruction, _ edit: inout ModuleEdit) -> Id {
    guard let type = edit.module.typeOfValue(index), case .int(let width, _) = edit.module.type(type) else { return index }
    if let constant = edit.module.scalarConstant(index) {
      return constant < UInt64(count) ? index : edit.constant(UInt32(count - 1), type: edit.unsignedType())
    }
    var index = index
    var indexType = type
    if width != 32 {
      indexType = edit.unsignedType()
      let widened = edit.newId()
      edit.insert(ModuleEdit.words(.OpUConvert, [indexType.rawValue, widened.rawValue, index.rawValue]), before: instruction.index)
      index = widened
    }
    let last = edit.constant(UInt32(count - 1), type: indexType)
    let result = edit.newId()
    let operands = [
      indexType.rawValue, result.rawValue, edit.glslInstructions().rawValue, Self.unsignedMinimum, index.rawValue, last.rawValue,
    ]
    edit.insert(ModuleEdit.words(.OpExtInst, operands), before: instruction.index)
    return result
  }

  private func isProtected(_ storageClass: StorageClass) -> Bool {
    switch storageClass {
    case .Function, .Private, .Workgroup, .Uniform, .PushConstant, .Input: true
    default: false
    }
  }
}

/// Gives every division of integers a result: by zero it is 0, and the least integer divided by -1 is itself, with the remainder 0.
///
/// Drivers divide with the processor's instruction where they know both operands or run on the processor. It ends the process in both cases.
/// The results are those of the CPU executor.
///
/// ```
/// isZero = y == 0;  wraps = x == lowest && y == -1;
/// result = isZero ? 0 : x / (isZero || wraps ? 1 : y);
/// ```
private struct DivisionGuard {
  func apply(to edit: inout ModuleEdit) {
    let module = edit.module
    for instruction in module[0..<module.firstFunction] where instruction.opcode == .OpSpecConstantOp {
      foldDivision(of: instruction, &edit)
    }
    for instruction in module[module.firstFunction..<module.instructionCount] {
      switch instruction.opcode {
      case .OpUDiv, .OpUMod: protect(instruction, isSigned: false, &edit)
      case .OpSDiv, .OpSRem, .OpSMod: protect(instruction, isSigned: true, &edit)
      default: break
      }
    }
  }

  /// Works out a division of specialisation constants, which always have their default values.
  private func foldDivision(of constant: Instruction, _ edit: inout ModuleEdit) {
    let divisions: [Opcode] = [.OpUDiv, .OpUMod, .OpSDiv, .OpSRem, .OpSMod]
    guard divisions.contains(where: { UInt32($0.rawValue) == constant[0] }), let result = constant.result,
      let value = edit.module.scalarConstant(result)
    else { return }
    edit.replace(constant, by: .OpConstant, operands: [UInt32(truncatingIfNeeded: value)])
  }

  private func protect(_ division: Instruction, isSigned: Bool, _ edit: inout ModuleEdit) {
    let module = edit.module
    let (dividend, divisor) = (division.id(0), division.id(1))
    guard let resultType = division.resultType, let dividendType = module.typeOfValue(dividend), let type = module.typeOfValue(divisor),
      let width = integerWidth(type, module), integerWidth(dividendType, module) == width
    else { return }
    let lowest = Int64.min >> Int64(64 - width)
    let mayBeZero = mayBe(0, divisor, width, module)
    let mayWrap = isSigned && mayBe(-1, divisor, width, module) && mayBe(lowest, dividend, width, module)
    guard mayBeZero || mayWrap else { return }

    let bool = edit.truthType(like: type)
    func insert(_ opcode: Opcode, _ type: Id, _ operands: Id...) -> Id {
      let result = edit.newId()
      edit.insert(ModuleEdit.words(opcode, [type.rawValue, result.rawValue] + operands.map(\.rawValue)), before: division.index)
      return result
    }
    var isZero: Id?
    var hasNone: Id?
    if mayBeZero {
      isZero = insert(.OpIEqual, bool, divisor, edit.null(type))
      hasNone = isZero
    }
    if mayWrap {
      let isLowest = insert(.OpIEqual, bool, dividend, edit.constant(lowest, ofIntegers: dividendType))
      let isMinusOne = insert(.OpIEqual, bool, divisor, edit.constant(-1, ofIntegers: type))
      let wraps = insert(.OpLogicalAnd, bool, isLowest, isMinusOne)
      hasNone = isZero.map { insert(.OpLogicalOr, bool, $0, wraps) } ?? wraps
    }
    guard let hasNone else { return }
    let safe = insert(.OpSelect, type, hasNone, edit.constant(1, ofIntegers: type), divisor)
    guard let isZero else {
      edit.replace(division, operands: [dividend.rawValue, safe.rawValue])
      return
    }
    let quotient = insert(division.opcode, resultType, dividend, safe)
    edit.replace(division, by: .OpSelect, operands: [isZero, edit.null(resultType), quotient].map(\.rawValue))
  }

  /// The bits of an integer, or of each of a vector of them.
  private func integerWidth(_ type: Id, _ module: SPIRVModule) -> Int? {
    switch module.type(type) {
    case .int(let width, _): width
    case .vector(let component, _): integerWidth(component, module)
    default: nil
    }
  }

  /// Whether an integer, or one of a vector, may have some value: only constants are known not to.
  private func mayBe(_ value: Int64, _ id: Id, _ width: Int, _ module: SPIRVModule) -> Bool {
    switch module.constant(id) {
    case .scalar(let bits): (bits ^ UInt64(bitPattern: value)) << UInt64(64 - width) == 0
    case .composite(let parts): parts.contains { mayBe(value, $0, width, module) }
    case .null: value == 0
    case .undefined, nil: true
    }
  }
}

/// Forbids drivers to fuse or rearrange what computes floats, which changes noise of the `fract(sin(x) * 43758.5453)` kind into other noise.
///
/// Vulkan lets devices rearrange whatever is not decorated `NoContraction`. That holds for functions, too: `mix` of `mix` is a sum of four products.
private struct ContractionBan {
  func apply(to edit: inout ModuleEdit) {
    let module = edit.module
    for instruction in module[module.firstFunction..<module.instructionCount] where isFloatArithmetic(instruction, module) {
      guard let result = instruction.result, !module.has(.NoContraction, result) else { continue }
      edit.addAnnotation(.OpDecorate, [result.rawValue, Decoration.NoContraction.rawValue])
    }
  }

  private func isFloatArithmetic(_ instruction: Instruction, _ module: SPIRVModule) -> Bool {
    switch instruction.opcode {
    case .OpFNegate, .OpFAdd, .OpFSub, .OpFMul, .OpFDiv, .OpFRem, .OpFMod, .OpVectorTimesScalar, .OpMatrixTimesScalar,
      .OpVectorTimesMatrix, .OpMatrixTimesVector, .OpMatrixTimesMatrix, .OpOuterProduct, .OpDot:
      true
    case .OpExtInst:
      module.extendedInstructionSets[instruction.id(0)] == GLSLInstruction.setName
        && instruction.resultType.map { isFloat($0, module) } ?? false
    default: false
    }
  }

  private func isFloat(_ type: Id, _ module: SPIRVModule) -> Bool {
    switch module.type(type) {
    case .float: true
    case .vector(let part, _), .matrix(let part, _): isFloat(part, module)
    default: false
    }
  }
}

/// Removes the permission to compute with less than single precision, which `mediump` and `lowp` give: every number is a float of 32 bits on every device.
private struct FullPrecision {
  func apply(to edit: inout ModuleEdit) {
    let module = edit.module
    for instruction in module[0..<module.firstFunction] {
      switch instruction.opcode {
      case .OpDecorate where instruction[1] == Decoration.RelaxedPrecision.rawValue: edit.remove(instruction)
      case .OpMemberDecorate where instruction[2] == Decoration.RelaxedPrecision.rawValue: edit.remove(instruction)
      default: break
      }
    }
  }
}
