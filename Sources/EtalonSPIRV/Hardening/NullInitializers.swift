/// Starts variables of functions and invocations at zero where the shader does not say how.
struct NullInitializers {
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
