/// Forbids drivers to fuse or rearrange what computes floats, which changes noise of the `fract(sin(x) * 43758.5453)` kind into other noise.
///
/// Vulkan lets devices rearrange whatever is not decorated `NoContraction`. That holds for functions, too: `mix` of `mix` is a sum of four products.
struct ContractionBan {
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

/// Takes away the leave to compute with less than single precision, which `mediump` and `lowp` give: every number is a float of 32 bits on every device.
struct FullPrecision {
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
