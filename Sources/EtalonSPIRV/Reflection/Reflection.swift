package import EtalonDiagnostics

/// Finds out what a module expects to be bound.
///
/// ```swift
/// let interface = try Reflection(module).interface()
/// ```
///
/// **Concurrency**: an immutable value.
package struct Reflection: Sendable {
  private static let mostInvocations = 65_536

  let module: SPIRVModule
  let entryPoint: SPIRVModule.EntryPoint
  let use: StaticUse

  /// Picks an entry point: the one with a name, or the only one.
  package init(_ module: SPIRVModule, entryPoint name: String? = nil) throws(DiagnosticsError) {
    let candidates = module.entryPoints.filter { name == nil || $0.name == name }
    guard let entryPoint = candidates.first, candidates.count == 1 else {
      let names = module.entryPoints.map { "'\($0.name)'" }.joined(separator: ", ")
      throw Self.refusal("entry-point", "expected one entry point\(name.map { " '\($0)'" } ?? ""), found \(names.isEmpty ? "none" : names)")
    }
    guard entryPoint.executionModel == SPIRVModule.EntryPoint.glCompute else {
      throw Self.refusal("entry-point", "entry point '\(entryPoint.name)' is no compute shader")
    }
    self.module = module
    self.entryPoint = entryPoint
    use = StaticUse(module, from: entryPoint.function)
  }

  /// What has to be bound: only what the code behind the entry point uses.
  package func interface() throws(DiagnosticsError) -> KernelInterface {
    var uniforms: KernelInterface.Block?
    var pushConstants: KernelInterface.Block?
    var resources: [KernelInterface.Resource] = []
    var usesSubgroups = use.exchangesValues
    for id in use.variables.sorted() {
      switch try binding(id) {
      case .uniforms(let block):
        if let uniforms { throw Self.refusal("uniforms", "two uniform blocks, '\(uniforms.name)' and '\(block.name)'; one is possible") }
        uniforms = block
      case .pushConstants(let block): pushConstants = block
      case .resource(let resource): resources.append(resource)
      case .builtIn(let builtIn): usesSubgroups = usesSubgroups || builtIn.isAboutSubgroups
      case .nothing: break
      }
    }
    resources.sort { $0.binding < $1.binding }
    try checkBindings(uniforms, resources)
    return KernelInterface(
      entryPoint: entryPoint.name, workgroupSize: try workgroupSize(), uniforms: uniforms, pushConstants: pushConstants,
      resources: resources, usesSubgroups: usesSubgroups, sharedByteCount: SharedMemoryLayout(module).byteCount(of: use.variables.sorted()))
  }

  /// The names of the members of the uniform block that the code really reads.
  package func usedUniforms() throws(DiagnosticsError) -> [String] {
    for id in use.variables {
      guard case .uniforms = try binding(id), let type = module.typeOfValue(id), case .pointer(_, let structure) = module.type(type) else {
        continue
      }
      return usedMembers(ofBlock: id).sorted().map { module.memberName(structure, $0) }
    }
    return []
  }

  /// The members of the uniform block that the code really reads, by their position in the block's structure.
  package func usedMembers(ofBlock variable: Id) -> Set<Int> {
    var used: Set<Int> = []
    for function in use.functions {
      for block in module.function(function).blocks {
        for instruction in module[block.body] where module.idOperands(instruction).contains(variable) {
          used.formUnion(members(instruction, of: variable))
        }
      }
    }
    return used
  }

  private func members(_ instruction: Instruction, of variable: Id) -> [Int] {
    let isAccess = instruction.opcode == .OpAccessChain || instruction.opcode == .OpInBoundsAccessChain
    if isAccess, instruction.operandCount > 1, let member = module.scalarConstant(instruction.id(1)) {
      return [Int(clamping: member)]
    }
    guard let type = module.typeOfValue(variable), case .pointer(_, let structure) = module.type(type) else { return [] }
    return Array(0..<(module.type(structure).partCount ?? 0))
  }

  func workgroupSize() throws(DiagnosticsError) -> [Int] {
    let size = try statedWorkgroupSize()
    // No product of sides that were looked at before overflows.
    guard size.allSatisfy({ (1...Self.mostInvocations).contains($0) }), size.reduce(1, *) <= Self.mostInvocations else {
      let text = size.map(String.init).joined(separator: " x ")
      throw Self.refusal("workgroup-size", "a workgroup of \(text) invocations; 1 to \(Self.mostInvocations) are possible")
    }
    return size
  }

  private func statedWorkgroupSize() throws(DiagnosticsError) -> [Int] {
    if let size = declaredWorkgroupSize() { return size }
    for mode in module.executionModes(entryPoint.function) where mode.operands.count == 3 {
      switch mode.number {
      case 17: return mode.operands.map { Int($0) }
      case 38:
        let sizes = mode.operands.compactMap { module.scalarConstant(Id($0)) }
        if sizes.count == 3 { return sizes.map { Int(clamping: $0) } }
      default: break
      }
    }
    throw Self.refusal("workgroup-size", "entry point '\(entryPoint.name)' does not say how large a workgroup is")
  }

  /// The constant that is decorated as the workgroup size; it wins over execution modes.
  private func declaredWorkgroupSize() -> [Int]? {
    for position in 0..<module.firstFunction where module[position].opcode.definesConstant {
      guard let id = module[position].result, module.value(of: .BuiltIn, id) == BuiltIn.WorkgroupSize.rawValue,
        case .composite(let parts) = module.constant(id)
      else { continue }
      let sizes = parts.compactMap { module.scalarConstant($0) }
      if sizes.count == 3 { return sizes.map { Int(clamping: $0) } }
    }
    return nil
  }

  private func checkBindings(_ uniforms: KernelInterface.Block?, _ resources: [KernelInterface.Resource]) throws(DiagnosticsError) {
    var names: [Int: String] = [:]
    if let uniforms { names[uniforms.binding] = uniforms.name }
    for resource in resources {
      if let other = names.updateValue(resource.name, forKey: resource.binding) {
        throw Self.refusal("binding", "'\(other)' and '\(resource.name)' have the same binding \(resource.binding)")
      }
    }
  }

  static func refusal(_ id: String, _ message: String) -> DiagnosticsError {
    DiagnosticsError(Diagnostic("kernel.\(id)", message))
  }
}

extension KernelInterface {
  /// Reflects the only entry point of a module, or the one with a name.
  package init(_ module: SPIRVModule, entryPoint: String? = nil) throws(DiagnosticsError) {
    self = try Reflection(module, entryPoint: entryPoint).interface()
  }
}

extension Kernel {
  /// A kernel from the words of a module with one entry point.
  package init(name: String, words: [UInt32]) throws(DiagnosticsError) {
    self.init(name: name, words: words, interface: try KernelInterface(SPIRVModule(words)))
  }
}
