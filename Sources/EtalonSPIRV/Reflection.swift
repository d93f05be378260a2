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
      throw Self.error("entry-point", "expected one entry point\(name.map { " '\($0)'" } ?? ""), found \(names.isEmpty ? "none" : names)")
    }
    guard entryPoint.executionModel == SPIRVModule.EntryPoint.glCompute else {
      throw Self.error("entry-point", "entry point '\(entryPoint.name)' is no compute shader")
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
        if let uniforms { throw Self.error("uniforms", "two uniform blocks, '\(uniforms.name)' and '\(block.name)'; one is possible") }
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
      throw Self.error("workgroup-size", "a workgroup of \(text) invocations; 1 to \(Self.mostInvocations) are possible")
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
    throw Self.error("workgroup-size", "entry point '\(entryPoint.name)' does not say how large a workgroup is")
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
        throw Self.error("binding", "'\(other)' and '\(resource.name)' have the same binding \(resource.binding)")
      }
    }
  }

  static func error(_ id: String, _ message: String) -> DiagnosticsError {
    DiagnosticsError(Diagnostic("kernel.\(id)", message))
  }
}

// MARK: - Bindings

extension Reflection {
  /// What a global variable stands for.
  enum Binding {
    case uniforms(KernelInterface.Block)
    case pushConstants(KernelInterface.Block)
    case resource(KernelInterface.Resource)
    case builtIn(BuiltIn)
    /// Memory of the shader's own.
    case nothing
  }

  func binding(_ id: Id) throws(DiagnosticsError) -> Binding {
    guard let type = module.typeOfValue(id), case .pointer(let storageClass, let pointee) = module.type(type) else { return .nothing }
    switch storageClass {
    case .Private, .Workgroup: return .nothing
    case .Input: return .builtIn(try builtIn(id, pointee))
    case .PushConstant: return .pushConstants(try BlockLayout(module, name: blockName(id, pointee)).block(pointee, binding: 0))
    case .Uniform where module.has(.Block, pointee):
      return .uniforms(try BlockLayout(module, name: blockName(id, pointee)).block(pointee, binding: bindingNumber(id)))
    case .Uniform, .StorageBuffer:
      guard case .structure = module.type(pointee) else {
        throw Self.error("buffer", "arrays of buffers, as '\(name(id))', are not supported")
      }
      return .resource(
        KernelInterface.Resource(name: blockName(id, pointee), binding: try bindingNumber(id), kind: .storageBuffer))
    case .UniformConstant:
      return .resource(KernelInterface.Resource(name: name(id), binding: try bindingNumber(id), kind: try texture(id, pointee)))
    default: throw Self.error("variable", "'\(name(id))' is a \(storageClass) variable, which compute shaders here cannot have")
    }
  }

  private func builtIn(_ id: Id, _ type: Id) throws(DiagnosticsError) -> BuiltIn {
    guard let number = module.value(of: .BuiltIn, id), let builtIn = BuiltIn(rawValue: number) else {
      throw Self.error("variable", "the input '\(name(id))' is none that a compute shader has")
    }
    // Devices and evaluators fill it in by what it stands for, and do not look at its type again.
    guard isInteger(type, count: builtIn.componentCount) else {
      let wanted = builtIn.componentCount == 1 ? "one integer" : "\(builtIn.componentCount) integers"
      throw Self.error("variable", "the input '\(name(id))' has another type than '\(builtIn)', which is \(wanted) of 32 bits")
    }
    return builtIn
  }

  private func isInteger(_ type: Id, count: Int) -> Bool {
    switch module.type(type) {
    case .int(width: 32, _): count == 1
    case .vector(let component, count): isInteger(component, count: 1)
    default: false
    }
  }

  private func bindingNumber(_ id: Id) throws(DiagnosticsError) -> Int {
    let set = module.value(of: .DescriptorSet, id) ?? 0
    guard set == 0 else { throw Self.error("binding", "'\(name(id))' is in descriptor set \(set); only set 0 is used") }
    guard let binding = module.value(of: .Binding, id) else { throw Self.error("binding", "'\(name(id))' has no binding") }
    return Int(binding)
  }

  private func texture(_ id: Id, _ type: Id) throws(DiagnosticsError) -> KernelInterface.Resource.Kind {
    switch module.type(type) {
    case .sampledImage(let image):
      guard case .image(let shape) = module.type(image) else { break }
      if shape.isDepth { throw Self.error("texture", "'\(name(id))' compares depths, which is not supported") }
      return .sampledTexture(try dimension(id, shape))
    case .image(let shape) where shape.isStorage:
      return .storageTexture(try dimension(id, shape), format: try ImageFormat.glslName(shape.format, of: name(id)))
    case .image, .sampler: throw Self.error("texture", "'\(name(id))': textures and samplers have to be combined, as in 'sampler2D'")
    case .array, .runtimeArray: throw Self.error("texture", "arrays of textures, as '\(name(id))', are not supported")
    default: break
    }
    throw Self.error("texture", "'\(name(id))' is no texture")
  }

  private func dimension(_ id: Id, _ shape: ImageType) throws(DiagnosticsError) -> KernelInterface.Resource.Dimension {
    if shape.isArrayed { throw Self.error("texture", "'\(name(id))' is an array texture, which is not supported") }
    if shape.isMultisampled { throw Self.error("texture", "'\(name(id))' is a multisampled texture, which is not supported") }
    switch shape.dim {
    case .two: return .two
    case .three: return .three
    case .cube: return .cube
    default: throw Self.error("texture", "'\(name(id))' is neither a 2D, a 3D nor a cube texture")
    }
  }

  /// The name of a variable, or of its type when it has none of its own, or its number.
  func name(_ id: Id) -> String {
    let own = module.name(id)
    if !own.isEmpty { return own }
    if let type = module.typeOfValue(id), case .pointer(_, let pointee) = module.type(type), !module.name(pointee).isEmpty {
      return module.name(pointee)
    }
    return id.description
  }

  private func blockName(_ id: Id, _ structure: Id) -> String {
    let own = module.name(structure)
    return own.isEmpty ? name(id) : own
  }
}

/// The names of image formats in GLSL.
private enum ImageFormat {
  private static let names = [
    "rgba32f", "rgba16f", "r32f", "rgba8", "rgba8_snorm", "rg32f", "rg16f", "r11f_g11f_b10f", "r16f", "rgba16", "rgb10_a2", "rg16", "rg8",
    "r16", "r8", "rgba16_snorm", "rg16_snorm", "rg8_snorm", "r16_snorm", "r8_snorm", "rgba32i", "rgba16i", "rgba8i", "r32i", "rg32i",
    "rg16i", "rg8i", "r16i", "r8i", "rgba32ui", "rgba16ui", "rgba8ui", "r32ui", "rgb10_a2ui", "rg32ui", "rg16ui", "rg8ui", "r16ui", "r8ui",
  ]

  /// The name of a format, nil when the shader leaves it open.
  static func glslName(_ format: UInt32, of texture: String) throws(DiagnosticsError) -> String? {
    if format == 0 { return nil }
    guard format <= names.count else { throw Reflection.error("texture", "'\(texture)' has the unknown format \(format)") }
    return names[Int(format) - 1]
  }
}

// MARK: - What is used

/// What the code behind an entry point can get to: functions, global variables and the instructions that exchange values.
struct StaticUse {
  /// The functions of the call tree; the entry point's comes first.
  private(set) var functions: [Id] = []
  /// The global variables that some instruction of these functions names.
  private(set) var variables: Set<Id> = []
  /// Whether some instruction exchanges values with other invocations of a subgroup.
  private(set) var exchangesValues = false

  init(_ module: SPIRVModule, from entry: Id) {
    let globals = Set(module.globalVariables.compactMap { module[$0].result })
    var seen: Set<Id> = [entry]
    functions = [entry]
    var next = 0
    while next < functions.count {
      for block in module.function(functions[next]).blocks {
        for instruction in module[block.phis.lowerBound..<block.terminator + 1] {
          for id in module.idOperands(instruction) where globals.contains(id) { variables.insert(id) }
          if instruction.opcode == .OpFunctionCall, seen.insert(instruction.id(0)).inserted { functions.append(instruction.id(0)) }
          if instruction.opcode.exchangesValues { exchangesValues = true }
        }
      }
      next += 1
    }
  }
}

// MARK: - Kernels from their words

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
