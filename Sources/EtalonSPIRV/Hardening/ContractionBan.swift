/// Forbids drivers to fuse multiplications with additions, which changes noise of the `fract(sin(x) * 43758.5453)` kind into other noise.
struct ContractionBan {
  /// Whether functions may not be worked out beforehand either.
  var includesFunctions = false

  func apply(to edit: inout ModuleEdit) {
    let module = edit.module
    for instruction in module[module.firstFunction..<module.instructionCount] where isMeant(instruction.opcode) {
      guard let result = instruction.result, !module.has(.NoContraction, result) else { continue }
      edit.addAnnotation(.OpDecorate, [result.rawValue, Decoration.NoContraction.rawValue])
    }
  }

  private func isMeant(_ opcode: Opcode) -> Bool { isFloatArithmetic(opcode) || includesFunctions && opcode == .OpExtInst }

  private func isFloatArithmetic(_ opcode: Opcode) -> Bool {
    switch opcode {
    case .OpFNegate, .OpFAdd, .OpFSub, .OpFMul, .OpFDiv, .OpFRem, .OpFMod, .OpVectorTimesScalar, .OpMatrixTimesScalar,
      .OpVectorTimesMatrix, .OpMatrixTimesVector, .OpMatrixTimesMatrix, .OpOuterProduct, .OpDot:
      true
    default: false
    }
  }
}
