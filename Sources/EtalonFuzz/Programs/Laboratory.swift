import EtalonCPU
import EtalonCompiler
import EtalonDiagnostics
import EtalonDialects
import EtalonGLSL
import EtalonManifest
import EtalonPlan
import EtalonSPIRV
import EtalonTypes
import EtalonVulkan

/// One way to run a program that has to give what the evaluator gives.
enum Subject: Hashable, Sendable, Codable {
  /// The CPU executor with an instruction set; `tile` cuts the picture into squares of this side.
  case cpu(String, threads: Int, tile: Int?)
  /// The CPU executor while it watches for what is undefined: it must find nothing.
  case watched(String)
  case vulkan
  /// The CPU executor with a chain of filters as one kernel, and as a kernel for each.
  case fused(String)
  case unfused(String)

  /// All ways to use the CPU executor of this machine.
  static let executor: [Subject] = {
    let sets = InstructionSet.allCases.filter(\.isSupported)
    return sets.enumerated().map { .cpu($1.rawValue, threads: $0 % 2 + 1, tile: nil) }
      + [.cpu(InstructionSet.best.rawValue, threads: 2, tile: 10), .cpu(sets[0].rawValue, threads: 1, tile: 4)]
      + [.watched(InstructionSet.best.rawValue)] + sets.map { .fused($0.rawValue) } + [.unfused(InstructionSet.best.rawValue)]
  }()

  var name: String {
    switch self {
    case .cpu(let set, let threads, let tile):
      "cpu \(set), \(threads) \(threads == 1 ? "thread" : "threads")" + (tile.map { ", tiles of \($0)x\($0)" } ?? "")
    case .watched(let set): "cpu \(set), watched"
    case .vulkan: "vulkan"
    case .fused(let set): "cpu \(set), fused"
    case .unfused(let set): "cpu \(set), not fused"
    }
  }

  /// Whether it runs chains of filters.
  var takesChains: Bool {
    switch self {
    case .fused, .unfused, .vulkan: true
    case .cpu, .watched: false
    }
  }

  /// Whether a program is defined there.
  func takes(_ program: RandomProgram) -> Bool {
    let features = program.features
    switch self {
    case .cpu(_, _, nil), .watched: return true
    case .cpu:
      // Where pieces begin elsewhere, other pixels share a workgroup.
      guard case .picture = program.coverage else { return false }
      return !features.seesWorkgroup
    case .vulkan:
      // Only whole subgroups are the same everywhere, and Vulkan 1.1 does not say when invocations meet again.
      return !features.hasDivergentSubgroups && (!features.usesSubgroups || program.workgroupSize % 32 == 0)
    case .fused, .unfused: return false
    }
  }
}

/// Compiles programs, and runs them on the devices.
struct Laboratory: Sendable {
  /// What a device gave.
  enum Answer: Sendable {
    case words([UInt32])
    /// What a watched run found, though there is nothing to find.
    case findings([String])
    case error(String)
  }

  private let vulkan: VulkanBackend?
  let compiler = ShaderCompiler(cache: nil)

  /// - Parameter usesVulkan: whether to open the preferred Vulkan device, with the validation layer where there is one.
  init(usesVulkan: Bool = false) throws {
    vulkan = usesVulkan ? try VulkanBackend(options: .init(validates: true, timeout: .seconds(60), cacheFolder: nil)) : nil
  }

  /// How many invocations a subgroup has there.
  func subgroupSize(of subject: Subject) -> Int {
    if subject == .vulkan { vulkan?.description.subgroupSize ?? 0 } else { 32 }
  }

  /// The name of the Vulkan device.
  var vulkanName: String? { vulkan.map { "\($0.deviceName), \($0.identity)" } }

  /// What the compiler makes of a program, or what it says about it.
  func kernel(of program: RandomProgram) -> Result<Kernel, CompilerError> {
    let source = GeneratedSource([.init(.token, ProgramPrinter.kernel(program))])
    let pass = PassSource(name: "program", source: source, uniforms: [], textures: [])
    do throws(CompileError) {
      return .success(try compiler.compile(filter: "fuzz", pass: pass, variant: StoreVariant(.packedFloat, alpha: .asReturned)).kernel)
    } catch {
      guard case .diagnostics(let error) = error else { return .failure(CompilerError(text: "\(error)")) }
      return .failure(CompilerError(text: DiagnosticPrinter().text(error.diagnostics)))
    }
  }

  /// What a device gives for a program.
  func run(_ program: RandomProgram, _ kernel: Kernel, on subject: Subject) -> Answer {
    do {
      let log = WatchLog { _, _ in false }
      let words = try words(program, kernel, backend(subject, watch: log))
      if subject == .vulkan { try vulkan?.checkValidation() }
      return log.entries.isEmpty ? .words(words) : .findings(log.entries.map(Self.text))
    } catch {
      return .error("\(error)")
    }
  }

  /// - Parameter log: where a watched run tells what it finds.
  func backend(_ subject: Subject, watch log: WatchLog? = nil) throws -> any Backend {
    switch subject {
    case .cpu(let set, let threads, let tile):
      return CPUBackend(Self.options(set, threads, tile.map { DispatchTiles(width: $0, height: $0) }))
    case .watched(let set): return CPUBackend(Self.options(set, 1), watch: log)
    case .fused(let set), .unfused(let set): return CPUBackend(Self.options(set, 1))
    case .vulkan:
      guard let vulkan else { throw RenderError(.internalError, "no Vulkan device was opened") }
      return vulkan
    }
  }

  private static func options(_ set: String, _ threads: Int, _ tiles: DispatchTiles? = nil) -> CPUBackend.Options {
    .init(threadCount: threads, instructionSet: InstructionSet(rawValue: set) ?? .baseline, timeout: .seconds(60), tiles: tiles)
  }

  private static func text(_ entry: WatchLog.Entry) -> String {
    let operands = zip(entry.site.operands, entry.operands).map { " \($0.name)=\($1)" }.joined()
    return "\(entry.site.kind.rawValue) \(entry.site.variable ?? "")\(operands), \(entry.count) times"
  }

  private func words(_ program: RandomProgram, _ kernel: Kernel, _ backend: any Backend) throws -> [UInt32] {
    let binding = ProgramPrinter.Binding.self
    var all: [Int: Plan.Binding] = [binding.texture: .sampled(texture: 0, Sampler(.nearest)), binding.scratch: .buffer(1)]
    let side = Size(RandomProgram.textureSide, RandomProgram.textureSide)
    let coverage: Plan.Pass.Coverage
    var outputs: [Plan.Output] = []
    switch program.coverage {
    case .picture(let width, let height, _):
      let size = Size(width, height)
      coverage = .pixels(size)
      outputs = [.init(name: "main", size: size, format: .rgba8, alpha: .straight)]
      all[binding.output] = .output(0)
    case .workgroups(_, let count):
      coverage = .workgroups(count, 1, 1)
      all[binding.output] = .buffer(0)
    }
    let used = Set(kernel.interface.resources.map(\.binding))
    let isSampled = used.contains(binding.texture)
    let plan = Plan(
      textures: isSampled ? [.init(name: "picture", role: .imported(0), size: side, format: .rgba32f, isMipmapped: false)] : [],
      buffers: [
        .init(name: "words", byteCount: program.invocationCount * 4, isPersistent: true),
        .init(name: "scratch", byteCount: max(program.scratchByteCount, 4), isPersistent: false),
      ],
      outputs: outputs, kernels: [kernel],
      passes: [.init(name: "program", kernel: 0, coverage: coverage, bindings: all.filter { used.contains($0.key) })])
    let execution = try backend.prepare(
      PlanChecker().check(plan), imports: isSampled ? [program.textureBuffer] : [], framesInFlight: 1)
    let uniforms = kernel.interface.uniforms == nil ? [] : [UInt8](words: program.uniforms)
    if outputs.isEmpty {
      try execution.submit(FrameValues(frame: 0, uniforms: [uniforms])).release()
      return try execution.state().buffers[0].words
    }
    return try words(of: execution, [uniforms])
  }

  /// The words of the output of a frame.
  func words(of execution: any PlanExecution, _ uniforms: [[UInt8]]) throws -> [UInt32] {
    let frame = try execution.submit(FrameValues(frame: 0, uniforms: uniforms))
    defer { frame.release() }
    try frame.wait()
    var bytes: [UInt8] = []
    frame.withBands(of: 0) { _, _, span in unsafe span.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) } }
    return bytes.words
  }
}

/// The compiler's complaint about a program.
struct CompilerError: Error {
  let text: String
}

extension RandomProgram {
  /// The picture that the texture is filled from: its top row is the last one of the texture.
  fileprivate var textureBuffer: PixelBuffer {
    let rowCount = Self.textureSide, rowLength = rowCount * 4
    let rows = (0..<rowCount).reversed().flatMap { texture[$0 * rowLength..<($0 + 1) * rowLength] }
    return PixelBuffer(size: Size(rowCount, rowCount), format: .rgba32f, alpha: .straight, bytes: [UInt8](words: Array(rows)))
  }
}

// MARK: chains

/// A filter that the reader or the compiler refuses.
private struct Refused: Error {
  let text: String
}

extension Laboratory {
  /// What a device gives for a chain of filters; an error where a filter does not become a kernel.
  func run(_ chain: FilterChain, on subject: Subject) -> Result<Answer, CompilerError> {
    do {
      let isFused = if case .unfused = subject { false } else { true }
      let (plan, uniforms) = try isFused ? fused(chain) : unfused(chain)
      return .success(.words(try words(plan, uniforms, of: chain, on: subject)))
    } catch let error as Refused {
      return .failure(CompilerError(text: error.text))
    } catch {
      return .success(.error("\(error)"))
    }
  }

  private func words(_ plan: Plan, _ uniforms: [[UInt8]], of chain: FilterChain, on subject: Subject) throws -> [UInt32] {
    let size = Size(chain.width, chain.height)
    let rows = (0..<chain.height).reversed().flatMap { y in chain.picture[y * chain.width..<(y + 1) * chain.width] }
    let picture = PixelBuffer(
      size: size, format: .rgba32f, alpha: .straight, bytes: [UInt8](floats: rows.joined().map { Float($0) }))
    let isRead = !plan.textures.isEmpty
    let execution = try backend(subject).prepare(
      PlanChecker().check(plan), imports: isRead ? [picture] : [], framesInFlight: 1)
    return try words(of: execution, uniforms)
  }

  // MARK: Both ways

  private func pass(_ chain: FilterChain, _ index: Int) throws -> PassSource {
    do throws(DiagnosticsError) {
      let text = SourceText(path: "stage\(index).glsl", text: chain.text(ofStage: index))
      return try FilterReader(files: NoFiles()).read(.text(text, named: "stage\(index)"), options: FilterReader.Options()).manifest.passes[
        0]
    } catch {
      throw Refused(text: DiagnosticPrinter().text(error.diagnostics))
    }
  }

  private func compile(_ pass: PassSource, _ target: StoreVariant.Target) throws -> Kernel {
    do throws(CompileError) {
      return try compiler.compile(filter: "chain", pass: pass, variant: StoreVariant(target, alpha: .asReturned)).kernel
    } catch {
      guard case .diagnostics(let error) = error else { throw error }
      throw Refused(text: DiagnosticPrinter().text(error.diagnostics))
    }
  }

  private func picture(_ chain: FilterChain) -> Plan.Texture {
    .init(name: "picture", role: .imported(0), size: Size(chain.width, chain.height), format: .rgba32f, isMipmapped: false)
  }

  private func output(_ chain: FilterChain) -> Plan.Output {
    .init(name: "main", size: Size(chain.width, chain.height), format: .rgba32f, alpha: .straight)
  }

  /// What the textures of a kernel are bound to: all the same one.
  private func bindings(_ kernel: Kernel, _ texture: Int) -> [Int: Plan.Binding] {
    var bindings: [Int: Plan.Binding] = [:]
    for resource in kernel.interface.resources {
      if case .sampledTexture = resource.kind { bindings[resource.binding] = .sampled(texture: texture, Sampler(.nearest)) }
    }
    return bindings
  }

  /// The uniforms of a filter: the size of the picture, and zeros.
  private func uniforms(_ block: KernelInterface.Block?, _ chain: FilterChain) -> [UInt8] {
    var bytes = UniformBytes(block)
    for member in block?.members ?? [] where member.name == "RENDERSIZE" {
      bytes.write([Double(chain.width), Double(chain.height)], perElement: 2, as: .vec2, to: member)
    }
    return bytes.bytes
  }

  /// Where kernels of filters store their pixels.
  private static let storeBinding = 8

  /// A pass and a texture for each filter.
  private func unfused(_ chain: FilterChain) throws -> (Plan, [[UInt8]]) {
    let size = Size(chain.width, chain.height)
    var textures = [picture(chain)], kernels: [Kernel] = [], passes: [Plan.Pass] = []
    for index in chain.stages.indices {
      let isLast = index == chain.stages.count - 1
      let kernel = try compile(pass(chain, index), isLast ? .packedFloat : .texture)
      var bindings = bindings(kernel, index)
      bindings[Self.storeBinding] = isLast ? .output(0) : .storage(texture: index + 1)
      if !isLast { textures.append(.init(name: "t\(index)", role: .transient, size: size, format: .rgba32f, isMipmapped: false)) }
      kernels.append(kernel)
      passes.append(.init(name: "stage\(index)", kernel: index, size: size, bindings: bindings))
    }
    let plan = Plan(textures: textures, outputs: [output(chain)], kernels: kernels, passes: passes)
    return (plan, kernels.map { uniforms($0.interface.uniforms, chain) })
  }

  /// One pass for all filters.
  private func fused(_ chain: FilterChain) throws -> (Plan, [[UInt8]]) {
    let stages = try chain.stages.indices.map { try compile(pass(chain, $0), .stage(linked: $0 == 0 ? [] : [0])) }
    let host = FusionHost(
      stages: chain.stages.indices.map {
        .init(arguments: $0 == 0 ? [:] : [0: .init(stage: $0 - 1, alpha: .asReturned)], format: .rgba32f)
      }, usesQuads: false)
    let linked = try KernelLinker.link(host: compile(host.pass, .packedFloat), stages: stages)
    var bindings: [Int: Plan.Binding] = [Self.storeBinding: .output(0)]
    for (index, stage) in linked.stages.enumerated() {
      for (old, binding) in self.bindings(stages[index], 0) { bindings[stage.bindings[old] ?? -1] = binding }
    }
    var bytes = UniformBytes(linked.kernel.interface.uniforms).bytes
    for (index, stage) in linked.stages.enumerated() {
      let own = uniforms(stages[index].interface.uniforms, chain)
      if let offset = stage.uniformOffset { bytes.replaceSubrange(offset..<offset + own.count, with: own) }
    }
    let plan = Plan(
      textures: bindings.count > 1 ? [picture(chain)] : [], outputs: [output(chain)], kernels: [linked.kernel],
      passes: [.init(name: "fused", kernel: 0, size: Size(chain.width, chain.height), bindings: bindings)])
    return (plan, [bytes])
  }
}
