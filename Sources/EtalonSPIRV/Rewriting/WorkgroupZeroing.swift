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
        throw ModuleDiagnostic.error("limit", "the interface has no room for another variable", declaration)
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

// MARK: - The function

/// Writes the function that fills shared variables with zeros.
///
/// ```
/// for (uint i = gl_LocalInvocationIndex; i < length; i += workgroupSize) variable[i] = 0;     for each variable
/// barrier();
/// ```
private struct ZeroingFunction {
  private let workgroupSize: Id
  private let zero: Id
  private let index: Id
  private let uint: Id
  private let bool: Id
  private var words: [UInt32] = []
  /// The block that is being written.
  private var block = Id(0)

  init(_ edit: inout ModuleEdit, workgroupSize size: UInt32, index: Id) {
    self.index = index
    uint = edit.unsignedType()
    bool = edit.type(.OpTypeBool, [])
    workgroupSize = edit.constant(size, type: uint)
    zero = edit.constant(0, type: uint)
  }

  /// Adds the function and returns its id.
  consuming func write(_ variables: [Id], to edit: inout ModuleEdit) -> Id {
    let void = edit.type(.OpTypeVoid, [])
    let type = edit.type(.OpTypeFunction, [void.rawValue])
    let function = edit.newId()
    let first = edit.newId()
    let own = edit.newId()
    add(.OpFunction, void, function, 0, type)
    add(.OpLabel, first)
    add(.OpLoad, uint, own, index)
    block = first
    for variable in variables { addLoop(variable, from: own, &edit) }
    // Workgroup scope; acquire and release, of workgroup memory.
    let scope = edit.constant(2, type: uint)
    let semantics = edit.constant(0x108, type: uint)
    add(.OpControlBarrier, scope, scope, semantics)
    add(.OpReturn)
    add(.OpFunctionEnd)
    edit.addFunction(words)
    return function
  }

  private mutating func addLoop(_ variable: Id, from own: Id, _ edit: inout ModuleEdit) {
    let (element, lengths) = edit.module.elements(ofPointer: variable)
    let count = edit.constant(UInt32(lengths.reduce(1, *)), type: uint)
    let (header, body, next, merge) = (edit.newId(), edit.newId(), edit.newId(), edit.newId())
    let (position, isInside, following) = (edit.newId(), edit.newId(), edit.newId())
    add(.OpBranch, header)
    add(.OpLabel, header)
    add(.OpPhi, uint, position, own, block, following, next)
    add(.OpULessThan, bool, isInside, position, count)
    add(.OpLoopMerge, merge, next, 0)
    add(.OpBranchConditional, isInside, body, merge)
    add(.OpLabel, body)
    addStore(variable, element, lengths, position, &edit)
    add(.OpBranch, next)
    add(.OpLabel, next)
    add(.OpIAdd, uint, following, position, workgroupSize)
    add(.OpBranch, header)
    add(.OpLabel, merge)
    block = merge
  }

  private mutating func addStore(_ variable: Id, _ element: Id, _ lengths: [Int], _ position: Id, _ edit: inout ModuleEdit) {
    let null = edit.null(element)
    if lengths.isEmpty {
      add(.OpStore, variable, null)
      return
    }
    var indices: [Id] = []
    var rest = position
    for length in lengths.reversed() {
      let (index, quotient) = (edit.newId(), edit.newId())
      let size = edit.constant(UInt32(length), type: uint)
      add(.OpUMod, uint, index, rest, size)
      add(.OpUDiv, uint, quotient, rest, size)
      indices.insert(index, at: 0)
      rest = quotient
    }
    let pointer = edit.type(.OpTypePointer, [StorageClass.Workgroup.rawValue, element.rawValue])
    let place = edit.newId()
    words += ModuleEdit.words(.OpAccessChain, [pointer.rawValue, place.rawValue, variable.rawValue] + indices.map(\.rawValue))
    add(.OpStore, place, null)
  }

  private mutating func add(_ opcode: Opcode, _ operands: any Operand...) {
    words += ModuleEdit.words(opcode, operands.map(\.word))
  }
}

/// An id or a number in the words of an instruction.
private protocol Operand {
  var word: UInt32 { get }
}

extension Id: Operand {
  fileprivate var word: UInt32 { rawValue }
}

extension Int: Operand {
  fileprivate var word: UInt32 { UInt32(self) }
}

extension SPIRVModule {
  /// What a variable of arrays is made of, and the lengths of the arrays from the outermost on.
  fileprivate func elements(ofPointer variable: Id) -> (element: Id, lengths: [Int]) {
    guard let type = typeOfValue(variable), case .pointer(_, var element) = self.type(type) else { return (variable, []) }
    var lengths: [Int] = []
    while case .array(let part, let length) = self.type(element) {
      lengths.append(length)
      element = part
    }
    return (element, lengths)
  }
}
