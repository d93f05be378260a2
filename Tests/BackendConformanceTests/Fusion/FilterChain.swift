import EtalonCompiler
import EtalonDiagnostics
import EtalonDialects
import EtalonGLSL
import EtalonManifest
import EtalonPlan
import EtalonSPIRV
import EtalonTypes

/// Filters of one pass that read each other's results at the same pixel: as passes of their own, and fused into one kernel.
struct FilterChain {
  struct Node {
    /// The text of a filter.
    let text: String
    /// What an argument of its color kernel is: the result of an earlier node.
    var links: [Int: Int] = [:]
    /// The components of its uniforms by name; all others are zero.
    var values: [String: [Double]] = [:]
    /// What its result is stored in.
    var format = PixelFormat.rgba32f
    /// What happens to the color before it is stored, or handed to other nodes.
    var alpha = StoreVariant.Alpha.asReturned
  }

  /// What is rendered and with which values.
  struct Work {
    let plan: Plan
    let uniforms: [[UInt8]]
  }

  let nodes: [Node]
  let size: Size
  /// What is read by all inputs without a link.
  let picture: PixelBuffer
  var interpolation = Sampler.Interpolation.nearest
  /// Whether fused nodes change their alpha themselves, and not what takes the color to the next.
  var stagesChangeAlpha = false

  private static let pictureTexture = 0

  // MARK: the parts

  private func pass(_ node: Node) throws -> PassSource {
    var options = FilterReader.Options()
    if node.text.contains("mainImage") {
      options.dialect = .shaderToy
      options.samplers = ["iChannel0": .init(interpolation: interpolation)]
    }
    let reading = try FilterReader(files: NoFiles()).read(
      .text(SourceText(path: "node.glsl", text: node.text), named: "node"), options: options)
    return reading.manifest.passes[0]
  }

  private func compile(
    _ pass: PassSource, _ target: StoreVariant.Target, _ alpha: StoreVariant.Alpha = .asReturned
  ) throws -> Kernel {
    do throws(CompileError) {
      return try ShaderCompiler(cache: nil).compile(filter: "chain", pass: pass, variant: StoreVariant(target, alpha: alpha)).kernel
    } catch {
      guard case .diagnostics(let error) = error else { throw error }
      throw KernelTools.Failure(description: DiagnosticPrinter().text(error.diagnostics) + pass.source.text)
    }
  }

  private func uniforms(_ block: KernelInterface.Block?, _ node: Node) -> [UInt8] {
    var bytes = UniformBytes(block)
    var values = node.values
    values["RENDERSIZE"] = [Double(size.width), Double(size.height)]
    values["iResolution"] = [Double(size.width), Double(size.height), 1]
    for member in block?.members ?? [] {
      guard let type = ValueType(rawValue: member.type), let value = values[member.name] else { continue }
      bytes.write(value, perElement: value.count, as: type, to: member)
    }
    return bytes.bytes
  }

  private var sampler: Sampler { Sampler(interpolation, .clamp) }

  private var input: Plan.Texture {
    .init(
      name: "picture", role: .imported(0), size: picture.size, format: picture.format, isMipmapped: interpolation == .mipmap)
  }

  private var output: Plan.Output { .init(name: "main", size: size, format: .rgba32f, alpha: .straight) }

  /// What the textures of a kernel are bound to; `linked` says which texture of the plan stands for an argument.
  private func bindings(_ kernel: Kernel, _ pass: PassSource, linked: [Int: Int]) throws -> [Int: Plan.Binding] {
    var bindings: [Int: Plan.Binding] = [:]
    for resource in kernel.interface.resources {
      guard case .sampledTexture = resource.kind else { continue }
      let argument = pass.arguments.firstIndex(of: resource.name)
      let texture = argument.flatMap { linked[$0] }
      bindings[resource.binding] = .sampled(texture: texture ?? Self.pictureTexture, texture == nil ? sampler : Sampler(.nearest, .clamp))
    }
    return bindings
  }

  // MARK: both ways

  /// A pass and a texture for each node.
  func unfused() throws -> Work {
    var textures = [input]
    var kernels: [Kernel] = []
    var passes: [Plan.Pass] = []
    var uniforms: [[UInt8]] = []
    for (index, node) in nodes.enumerated() {
      let isLast = index == nodes.count - 1
      let pass = try pass(node)
      let kernel = try compile(pass, isLast ? .packedFloat : .texture, isLast ? .asReturned : node.alpha)
      var bindings = try bindings(kernel, pass, linked: node.links.mapValues { $0 + 1 })
      bindings[8] = isLast ? .output(0) : .storage(texture: index + 1)
      if !isLast { textures.append(.init(name: "t\(index)", role: .transient, size: size, format: node.format, isMipmapped: false)) }
      kernels.append(kernel)
      passes.append(.init(name: "node\(index)", kernel: index, size: size, bindings: bindings))
      uniforms.append(self.uniforms(kernel.interface.uniforms, node))
    }
    return Work(plan: Plan(textures: textures, outputs: [output], kernels: kernels, passes: passes), uniforms: uniforms)
  }

  /// One pass for all nodes.
  func fused() throws -> Work {
    let passes = try nodes.map(pass)
    let stages = try zip(nodes, passes).map { node, pass in
      try compile(pass, .stage(linked: Set(node.links.keys)), stagesChangeAlpha ? node.alpha : .asReturned)
    }
    let host = FusionHost(
      stages: nodes.map {
        .init(
          arguments: $0.links.mapValues { .init(stage: $0, alpha: stagesChangeAlpha ? .asReturned : nodes[$0].alpha) }, format: $0.format)
      },
      usesQuads: passes.contains(where: \.usesQuads))
    let linked = try KernelLinker.link(host: compile(host.pass, .packedFloat), stages: stages)
    var bindings: [Int: Plan.Binding] = [8: .output(0)]
    var uniforms = UniformBytes(linked.kernel.interface.uniforms).bytes
    for (index, stage) in linked.stages.enumerated() {
      for (old, binding) in try self.bindings(stages[index], passes[index], linked: [:]) { bindings[stage.bindings[old] ?? -1] = binding }
      let bytes = self.uniforms(stages[index].interface.uniforms, nodes[index])
      if let offset = stage.uniformOffset { uniforms.replaceSubrange(offset..<offset + bytes.count, with: bytes) }
    }
    let isRead = bindings.count > 1
    let plan = Plan(
      textures: isRead ? [input] : [], outputs: [output], kernels: [linked.kernel],
      passes: [.init(name: "fused", kernel: 0, size: size, bindings: bindings)])
    return Work(plan: plan, uniforms: [uniforms])
  }

  /// The kernel that all nodes become.
  func kernel() throws -> Kernel { try fused().plan.kernels[0] }

  /// The four words of every pixel.
  func words(_ work: Work, on executor: Executor) throws -> [[UInt32]] {
    let imports = work.plan.textures.contains { $0.role == .imported(0) } ? [picture] : []
    return try executor.backend().words(of: work.plan, imports: imports, uniforms: work.uniforms)
  }
}
