/// Forbids drivers to fuse multiplications with additions, which changes noise of the `fract(sin(x) * 43758.5453)` kind into other noise.
struct ContractionBan {
  func apply(to edit: inout ModuleEdit) {
    let module = edit.module
    for instruction in module[module.firstFunction..<module.instructionCount] where isFloatArithmetic(instruction.opcode) {
      guard let result = instruction.result, !module.has(.NoContraction, result) else { continue }
      edit.addAnnotation(.OpDecorate, [result.rawValue, Decoration.NoContraction.rawValue])
    }
  }

  private func isFloatArithmetic(_ opcode: Opcode) -> Bool {
    switch opcode {
    case .OpFNegate, .OpFAdd, .OpFSub, .OpFMul, .OpFDiv, .OpFRem, .OpFMod, .OpVectorTimesScalar, .OpMatrixTimesScalar,
      .OpVectorTimesMatrix, .OpMatrixTimesVector, .OpMatrixTimesMatrix, .OpOuterProduct, .OpDot:
      true
    default: false
    }
  }
}
