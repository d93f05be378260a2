import EtalonDiagnostics

/// Fills shared memory with zeros before a kernel starts: the invocations of a workgroup share the elements, then wait for each other.
struct WorkgroupZeroing {
  func apply(to edit: inout ModuleEdit) throws(DiagnosticsError) {
    for entryPoint in edit.module.entryPoints {
      let reflection = try Reflection(edit.module, entryPoint: entryPoint.name)
      let variables = reflection.use.variables.sorted().filter { isZeroable($0, edit.module) }
      if variables.isEmpty { continue }
      let size = try reflection.workgroupSize().reduce(1, *)
      let index = try localInvocationIndex(entryPoint, &edit)
      let function = ZeroingFunction(&edit, workgroupSize: UInt32(truncatingIfNeeded: size), index: index).write(variables, to: &edit)
      let void = edit.type(.OpTypeVoid, [])
      let result = edit.newId()
      let call = ModuleEdit.words(.OpFunctionCall, [void.rawValue, result.rawValue, function.rawValue])
      edit.insert(call, before: firstCode(edit.module.function(entryPoint.function), edit.module))
    }
  }

  private func isZeroable(_ variable: Id, _ module: SPIRVModule) -> Bool {
    guard let type = module.typeOfValue(variable), case .pointer(.Workgroup, let pointee) = module.type(type) else { return false }
    return module.hasNull(pointee)
  }

  /// The position of the first instruction behind the variables of a function.
  private func firstCode(_ function: Function, _ module: SPIRVModule) -> Int {
    let body = function.blocks[0].body
    return body.first { module[$0].opcode != .OpVariable } ?? body.upperBound
  }

  /// The variable with the number of the invocation; added to the interface of the entry point if it is not there.
  private func localInvocationIndex(_ entryPoint: SPIRVModule.EntryPoint, _ edit: inout ModuleEdit) throws(DiagnosticsError) -> Id {
    let module = edit.module
    let wanted = BuiltIn.LocalInvocationIndex.rawValue
    let existing = module.globalVariables.compactMap { module[$0].result }.first { module.value(of: .BuiltIn, $0) == wanted }
    let variable = existing ?? addLocalInvocationIndex(&edit)
    if !entryPoint.interface.contains(variable),
      let declaration = module[0..<module.firstFunction].first(where: { $0.opcode == .OpEntryPoint && $0.id(1) == entryPoint.function })
    {
      guard declaration.operandCount < ModuleEdit.mostOperands else {
        throw ModuleMistake.error("limit", "the interface has no room for another variable", declaration)
      }
      edit.replace(declaration, operands: Array(declaration.operands) + [variable.rawValue])
    }
    return variable
  }

  private func addLocalInvocationIndex(_ edit: inout ModuleEdit) -> Id {
    let input = StorageClass.Input.rawValue
    let pointer = edit.type(.OpTypePointer, [input, edit.unsignedType().rawValue])
    let variable = edit.newId()
    edit.addGlobal(.OpVariable, [pointer.rawValue, variable.rawValue, input])
    edit.addAnnotation(.OpDecorate, [variable.rawValue, Decoration.BuiltIn.rawValue, BuiltIn.LocalInvocationIndex.rawValue])
    return variable
  }
}
