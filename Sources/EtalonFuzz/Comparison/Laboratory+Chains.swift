import EtalonCPU
import EtalonCompiler
import EtalonDiagnostics
import EtalonManifest
import EtalonPlan
import EtalonSPIRV
import EtalonTypes

/// A filter that the reader or the compiler refuses.
private struct Refused: Error {
  let text: String
}

extension Laboratory {
  /// What a device gives for a chain of filters; a refusal where a filter does not become a kernel.
  func run(_ chain: FilterChain, on subject: Subject) -> Result<Answer, CompilerRefusal> {
    do {
      let isFused = if case .unfused = subject { false } else { true }
      let (plan, uniforms) = try isFused ? fused(chain) : unfused(chain)
      return .success(.words(try words(plan, uniforms, of: chain, on: subject)))
    } catch let error as Refused {
      return .failure(CompilerRefusal(text: error.text))
    } catch {
      return .success(.error("\(error)"))
    }
  }

  private func words(_ plan: Plan, _ uniforms: [[UInt8]], of chain: FilterChain, on subject: Subject) throws -> [UInt32] {
    let size = Size(chain.width, chain.height)
    let rows = (0..<chain.height).reversed().flatMap { y in chain.picture[y * chain.width..<(y + 1) * chain.width] }
    let picture = PixelBuffer(
      size: size, format: .rgba32f, alpha: .straight, bytes: Self.bytes(rows.joined().map { Float($0).bitPattern }))
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
