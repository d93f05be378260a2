package import EtalonDiagnostics

/// Joins kernels: a host calls stages, which are kernels of their own that leave their results in variables.
///
/// ```swift
/// let linked = try KernelLinker.link(host: host, stages: [blur, tint])
/// ```
///
/// The host has an empty function `etalonStage0`, `etalonStage1` and so on for each stage, which the `main` of the stage replaces; it is
/// `main`, because compilers initialise global variables there. A private variable of a stage that has the name of one of the host's is
/// that variable; all others belong to the stage alone, and a kernel that is given twice gets two sets. Types and constants are shared. The
/// uniform blocks of the stages become members of one block at binding 0, and their textures and buffers get new bindings.
package enum KernelLinker {
  /// The beginning of the names of the host's empty functions.
  static let placeholder = "etalonStage"
  /// Variables of stages whose names begin so have to be the host's.
  static let sharedNames = ["etalonPixel", "etalonStageResult", "etalonArgument"]

  /// Links the host with its stages; the kernel has the name of the host.
  package static func link(host: Kernel, stages: [Kernel]) throws(DiagnosticsError) -> LinkedKernel {
    let outer = try LinkedModule(host)
    var linking = Linking(outer)
    try linking.addHost(stageCount: stages.count)
    var linked: [LinkedKernel.Stage] = []
    for (index, stage) in stages.enumerated() { linked.append(try linking.add(try LinkedModule(stage), as: index)) }
    let kernel = try Kernel(name: host.name, words: linking.words())
    return LinkedKernel(kernel: kernel, stages: linked)
  }

  /// Whether an invocation may call a stage several times, and it costs little: it has no loops, and no variables of its own that begin with a value,
  /// which they would have only the first time. (Those whose value is computed get it in `main`.)
  package static func canRepeat(_ stage: Kernel) throws(DiagnosticsError) -> Bool {
    let linked = try LinkedModule(stage), module = linked.module, use = linked.reflection.use
    let keeps = use.variables.contains { id in
      let variable = module.definition(id), storage = StorageClass(rawValue: variable[0])
      return storage == .Workgroup || storage == .Private && variable.operands.count > 1
    }
    let loops = use.functions.contains { id in
      module.function(id).blocks.contains { module[$0.phis.lowerBound..<$0.terminator + 1].contains { $0.opcode == .OpLoopMerge } }
    }
    return !keeps && !loops
  }
}

/// A kernel with its words taken apart.
struct LinkedModule {
  let name: String
  let module: SPIRVModule
  let reflection: Reflection

  init(_ kernel: Kernel) throws(DiagnosticsError) {
    name = kernel.name
    module = try SPIRVModule(kernel.words)
    reflection = try Reflection(module)
  }

  /// The function that the kernel begins with.
  var entry: Id { reflection.entryPoint.function }

  /// The addressing and memory model.
  var memoryModel: [UInt32] {
    module[0..<module.firstFunction].first { $0.opcode == .OpMemoryModel }.map { Array($0.operands) } ?? []
  }

  func error(_ id: String, _ message: String) -> DiagnosticsError { LinkDiagnostic.error(id, name, message) }
}

// MARK: - Joining

/// The work of joining kernels: what is made, and what the parts share.
private struct Linking {
  private let host: LinkedModule
  private var draft: ModuleDraft
  private var shared = SharedVariables()
  private var uniforms = NestedUniforms()
  private var bindings: FreshBindings
  /// The functions that call the stages, by the number of the stage.
  private var entries: [Id] = []
  private var main = Id(0)

  init(_ host: LinkedModule) {
    self.host = host
    draft = ModuleDraft(like: host.module)
    bindings = FreshBindings(besides: host.module)
  }

  // MARK: the host

  mutating func addHost(stageCount: Int) throws(DiagnosticsError) {
    let placeholders = try placeholders(stageCount)
    var copy = ModuleCopy(host)
    entries = placeholders.map { copy.newId($0, &draft) }
    for (placeholder, entry) in zip(placeholders, entries) { draft.name(entry, host.module.name(placeholder)) }
    for position in 0..<host.module.firstFunction {
      let instruction = host.module[position]
      if instruction.opcode == .OpVariable {
        let id = try copy.copyVariable(instruction, &draft)
        try shared.note(instruction, as: id, of: copy, host)
      } else {
        try copy.copyGlobal(instruction, &draft)
      }
    }
    let skipped = Set(placeholders)
    for function in host.module.functions where !skipped.contains(function.id) { try copy.copy(function, &draft) }
    try addExecutionModes(of: copy)
  }

  private mutating func addExecutionModes(of copy: ModuleCopy) throws(DiagnosticsError) {
    guard let main = copy.known(host.entry) else { preconditionFailure("the functions of the host are copied") }
    self.main = main
    for mode in host.module.executionModes(host.entry) {
      guard !mode.takesIds else { throw host.error("unsupported", "execution mode \(mode.number) is not supported") }
      draft.add(.OpExecutionMode, [main.rawValue, mode.number] + mode.operands, to: .executionModes)
    }
  }

  private func placeholders(_ count: Int) throws(DiagnosticsError) -> [Id] {
    var found: [Int: Id] = [:]
    for function in host.module.functions {
      let name = host.module.name(function.id).prefix { $0 != "(" }
      guard name.hasPrefix(KernelLinker.placeholder), let index = Int(name.dropFirst(KernelLinker.placeholder.count)) else { continue }
      found[index] = function.id
    }
    let all = (0..<count).compactMap { found[$0] }
    guard all.count == count, found.count == count else {
      throw host.error("stages", "it has functions for \(found.count) stages, and there are \(count)")
    }
    return all
  }

  // MARK: stages

  mutating func add(_ stage: LinkedModule, as index: Int) throws(DiagnosticsError) -> LinkedKernel.Stage {
    try check(stage)
    var copy = ModuleCopy(stage)
    copy.replace(entries[index], with: stage.entry)
    let block = try UniformBlock(of: stage)
    copy.leaveOut(block)
    var moved: [Int: Int] = [:]
    for position in 0..<stage.module.firstFunction {
      let instruction = stage.module[position]
      if instruction.opcode == .OpVariable {
        try addVariable(instruction, &copy, stage, &moved, block)
      } else {
        try copy.copyGlobal(instruction, &draft)
      }
    }
    let offset = try block.map { (block) throws(DiagnosticsError) in
      guard uniforms.hasSpace(for: block) else { throw stage.error("uniforms", "its uniforms are too large") }
      let place = uniforms.add(block, structure: copy.newId(block.structure, &draft), named: "\(KernelLinker.placeholder)\(index)", &draft)
      copy.uniforms = place
      return place.offset
    }
    let used = Set(stage.reflection.use.functions)
    for function in stage.module.functions where used.contains(function.id) { try copy.copy(function, &draft) }
    return LinkedKernel.Stage(bindings: moved, uniformOffset: offset)
  }

  private func check(_ stage: LinkedModule) throws(DiagnosticsError) {
    let (own, wanted) = (try stage.reflection.workgroupSize(), try host.reflection.workgroupSize())
    guard own == wanted else { throw stage.error("workgroup-size", "its workgroups have the size \(own), those of the host \(wanted)") }
    guard stage.module.header.minorVersion == host.module.header.minorVersion else {
      throw stage.error("version", "it is for another version of SPIR-V than the host")
    }
    guard stage.memoryModel == host.memoryModel else { throw stage.error("memory-model", "it has another memory model than the host") }
  }

  private mutating func addVariable(
    _ variable: Instruction, _ copy: inout ModuleCopy, _ stage: LinkedModule, _ moved: inout [Int: Int], _ block: UniformBlock?
  ) throws(DiagnosticsError) {
    guard let id = variable.result, stage.reflection.use.variables.contains(id) else {
      copy.leaveOut(variable.result)
      return
    }
    switch StorageClass(rawValue: variable[0]) {
    case .Private, .Input:
      if let known = try shared.variable(variable, of: copy, stage) {
        copy.assign(id, known)
      } else {
        try shared.note(variable, as: try copy.copyVariable(variable, &draft), of: copy, stage, isHost: false)
      }
    case .Workgroup: _ = try copy.copyVariable(variable, &draft)
    case .Uniform where id == block?.variable: break
    case .Uniform, .StorageBuffer, .UniformConstant:
      let binding = bindings.next()
      if let old = stage.module.value(of: .Binding, id) { moved[Int(old)] = binding }
      _ = try copy.copyVariable(variable, binding: binding, &draft)
    case .PushConstant: throw stage.error("push-constants", "a stage has no push constants, and this one uses '\(stage.module.name(id))'")
    default: throw stage.error("variable", "'\(stage.module.name(id))' is a variable that compute shaders here cannot have")
    }
  }

  // MARK: the result

  /// The words of the whole module; to be asked for once, at the end.
  consuming func words() -> [UInt32] {
    uniforms.finish(&draft)
    // From version 1.4 on entry points name all that they use, before only what comes from outside of the shader.
    let interface = draft.variables(onlyInputs: host.module.header.minorVersion < 4)
    let entryPoint = host.reflection.entryPoint
    let start = [entryPoint.executionModel, main.rawValue] + SPIRVString.encode(entryPoint.name)
    draft.add(.OpEntryPoint, start + interface, to: .entryPoints)
    return draft.words()
  }
}

// MARK: - Results and errors

/// A kernel made of several, and where what its stages expect to be bound went.
///
/// **Concurrency**: an immutable value.
package struct LinkedKernel: Sendable, Hashable {
  /// What became of the interface of one stage.
  package struct Stage: Sendable, Hashable {
    /// From the bindings of the stage's textures and buffers to those of the kernel.
    package let bindings: [Int: Int]
    /// Bytes from the start of the kernel's uniform block to where the stage's block lies; nil when the stage has none.
    package let uniformOffset: Int?

    package init(bindings: [Int: Int], uniformOffset: Int?) {
      self.bindings = bindings
      self.uniformOffset = uniformOffset
    }
  }

  package let kernel: Kernel
  /// In the order in which they were given.
  package let stages: [Stage]

  package init(kernel: Kernel, stages: [Stage]) {
    self.kernel = kernel
    self.stages = stages
  }
}

/// Makes the error for modules that cannot be linked, which is an error in Etalon and not in the shaders.
private enum LinkDiagnostic {
  static func error(_ id: String, _ kernel: String, _ message: String) -> DiagnosticsError {
    DiagnosticsError(
      Diagnostic(
        "link.\(id)", "cannot fuse '\(kernel)': \(message)",
        help: ["this is a mistake of etalon: please report it together with the shaders"]))
  }
}
