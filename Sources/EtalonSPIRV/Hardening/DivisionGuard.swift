/// Gives divisions of integers that have no result one: those by zero are 0, and the least integer by -1 is itself, with the remainder 0.
///
/// Drivers divide with the instruction of the processor where they know both operands, or run on it, and that ends the process at both.
/// The results are those of the CPU executor.
///
/// ```
/// isZero = y == 0;  wraps = x == lowest && y == -1;
/// result = isZero ? 0 : x / (isZero || wraps ? 1 : y);
/// ```
struct DivisionGuard {
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

  /// Works out a division of specialisation constants, which nothing but their defaults is ever given to.
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
