import EtalonDiagnostics
import EtalonGLSL
import EtalonManifest
import EtalonPlan
import EtalonSPIRV
import EtalonTypes
import Foundation
import Synchronization
import Testing

@testable import EtalonGraph

/// How passes that write and read targets become steps of a plan.
@Suite struct GraphPlanTests {
  private static let state = KernelInterface.Resource(
    name: "iChannel0", binding: 1, kind: .sampledTexture(.two))
  private static let target = KernelInterface.Resource(
    name: PassSource.targetName, binding: 8, kind: .storageTexture(.two, format: nil))
  private static let output = KernelInterface.Resource(name: PassSource.outputName, binding: 8, kind: .storageBuffer)

  private let kernel: @Sendable ([KernelInterface.Resource]) -> Kernel = { resources in
    Kernel(
      name: "test", words: [],
      interface: KernelInterface(
        entryPoint: "main", workgroupSize: [256, 1, 1], uniforms: nil, pushConstants: nil, resources: resources, usesSubgroups: false))
  }

  private func pass(_ name: String, reads: String, writes: String?, mipmapped: Bool = false, iterations: Int = 1) -> PassSource {
    PassSource(
      name: name, target: writes, source: GeneratedSource([Token]()), uniforms: [],
      textures: [PassTexture(name: "iChannel0", source: .target(reads), sampler: Sampler(mipmapped ? .mipmap : .nearest, .clamp))],
      iterations: iterations)
  }

  private func plan(_ targets: [FilterTarget], _ passes: [PassSource]) throws -> Plan {
    let manifest = FilterManifest(
      name: "test", dialect: .native, kind: .generator, inputs: [], targets: targets, passes: passes)
    let use = FilterUse(GraphFilter(manifest), inputs: [:], values: ParameterValues(defaultsOf: manifest))
    let graph = ImageGraph(
      outputs: [ImageGraph.Output(image: ImageRecipe(.filter(use), label: "test"), alpha: .opaque)], size: Size(8, 4))
    return try GraphPlan(graph, source: TestKernels(kernel: kernel), evaluator: NoExpressions()).plan.plan
  }

  /// Kernels without code that have the resources that their passes name.
  private struct TestKernels: KernelSource {
    let kernel: @Sendable ([KernelInterface.Resource]) -> Kernel

    func kernel(of pass: PassSource, in filter: String, storing variant: StoreVariant) -> Kernel {
      kernel([GraphPlanTests.state, pass.target == nil ? GraphPlanTests.output : GraphPlanTests.target])
    }
  }

  private struct NoExpressions: ExpressionEvaluator {
    func compile(_ expressions: [GLSLExpression], names: [String: ValueType]) throws -> any CompiledExpressions {
      throw DiagnosticsError(Diagnostic("test", "no expression is expected here"))
    }
  }

  /// One line a step: what it reads and writes.
  private func text(_ plan: Plan) -> [String] {
    func name(_ texture: Int) -> String {
      let role =
        switch plan.textures[texture].role {
        case .imported: "imported"
        case .streamed: "streamed"
        case .transient: "passing"
        case .setup: "setup"
        case .persistent: "kept"
        case .previous(let of): "before \(of)"
        }
      return "\(texture) \(plan.textures[texture].name) \(role)"
    }
    return plan.steps.map { step in
      switch step {
      case .clear(let texture): "clear \(name(texture))"
      case .makeMipmaps(let texture): "mipmaps \(name(texture))"
      case .dispatch(let pass):
        "\(pass.name): "
          + pass.bindings.sorted { $0.key < $1.key }.map { _, binding in
            switch binding {
            case .sampled(let texture, _): "reads \(name(texture))"
            case .storage(let texture, let layer): "writes \(name(texture))\(layer > 0 ? " layer \(layer)" : "")"
            case .output(let output): "gives \(output)"
            case .buffer(let buffer): "buffer \(buffer)"
            }
          }.joined(separator: ", ")
      }
    }
  }

  private let kept = FilterTarget(name: "A", format: .rgba32f, isPersistent: true)
  private let passing = FilterTarget(name: "B", format: .rgba8, isPersistent: false)

  @Test func aBufferThatReadsItselfReadsTheFrameBefore() throws {
    #expect(
      try text(plan([kept], [pass("A", reads: "A", writes: "A"), pass("image", reads: "A", writes: nil)]))
        == ["A: reads 1 A before 0, writes 0 A kept", "image: reads 0 A kept, gives 0"])
  }

  @Test func readersBeforeTheWriteSeeTheFrameBefore() throws {
    let second = FilterTarget(name: "B", format: .rgba32f, isPersistent: true)
    #expect(
      try text(
        plan(
          [kept, second], [pass("A", reads: "B", writes: "A"), pass("B", reads: "A", writes: "B"), pass("image", reads: "B", writes: nil)]))
        == ["A: reads 1 B before 0, writes 2 A kept", "B: reads 2 A kept, writes 0 B kept", "image: reads 0 B kept, gives 0"])
  }

  @Test func repeatedWritesTakeTurns() throws {
    #expect(
      try text(plan([kept], [pass("A", reads: "A", writes: "A", iterations: 4), pass("image", reads: "A", writes: nil)])) == [
        "A: reads 1 A before 0, writes 2 A passing", "A: reads 2 A passing, writes 3 A passing", "A: reads 3 A passing, writes 2 A passing",
        "A: reads 2 A passing, writes 0 A kept", "image: reads 0 A kept, gives 0",
      ])
  }

  @Test func whatIsReadBeforeItIsWrittenAndNotKeptIsTransparent() throws {
    #expect(
      try text(plan([passing], [pass("B", reads: "B", writes: "B"), pass("image", reads: "B", writes: nil)]))
        == ["clear 0 B passing", "B: reads 0 B passing, writes 1 B passing", "image: reads 1 B passing, gives 0"])
  }

  @Test func mipmapsFollowEveryWrite() throws {
    #expect(
      try text(plan([passing, kept], [pass("B", reads: "A", writes: "B"), pass("image", reads: "B", writes: nil, mipmapped: true)])) == [
        "clear 0 A passing", "B: reads 0 A passing, writes 1 B passing", "mipmaps 1 B passing", "image: reads 1 B passing, gives 0",
      ])
  }

  @Test func cubesAreWrittenFaceByFace() throws {
    let cube = FilterTarget(name: "C", extent: .pixels(Size(4, 4)), shape: .cube, format: .rgba16f, isPersistent: true)
    let steps = try text(plan([cube, passing], [pass("C", reads: "B", writes: "C"), pass("image", reads: "B", writes: nil)]))
    #expect(steps.count == 8)
    #expect(steps[1] == "C face 0: reads 1 B passing, writes 0 C kept")
    #expect(steps[6] == "C face 5: reads 1 B passing, writes 0 C kept layer 5")
  }

  // MARK: long chains

  /// Filters one behind the other.
  private func chain(_ count: Int) throws -> ImageRecipe {
    let flip = BuiltInKernels.flip, values = ParameterValues(defaultsOf: flip.manifest)
    var image = ImageRecipe(.before("loop"), label: "loop")
    for number in 1...count {
      image = try ImageRecipe.result(of: FilterUse(flip, inputs: ["inputImage": .init(image)], values: values), label: "flip \(number)")
    }
    return image
  }

  @Test func oneFilterMoreThanMayStandBehindAnotherIsRefused() throws {
    #expect(try chain(ImageRecipe.mostDepth).depth == ImageRecipe.mostDepth)
    let error = #expect(throws: DiagnosticsError.self) { try chain(ImageRecipe.mostDepth + 1) }
    #expect(error?.diagnostics.map(\.id) == ["limit.depth"])
  }

  /// Recipes that the thread of a test has seen: giving a long chain back takes more stack, and the thread may be the last that holds one.
  private static let kept = Mutex<[ImageRecipe]>([])

  /// The stack of the thread has half a kilobyte for each filter, which is less than any recursion takes.
  @Test func walksOfLongChainsDoNotRecur() throws {
    let chain = try chain(ImageRecipe.mostDepth)
    var graph = ImageGraph(outputs: [ImageGraph.Output(image: chain)], feedback: ["loop": chain])
    graph.format = .rgba8
    let found = Mutex<[Int]>([])
    let isDone = DispatchSemaphore(value: 0)
    let thread = Thread { [graph] in
      let renamed = chain.renamingFeedback(["loop": "other"])
      let replaced = graph.replacing(filters: [BuiltInKernels.flip])
      Self.kept.withLock { $0 = [renamed, replaced.outputs[0].image, chain] + replaced.feedback.values }
      let extent = try? graph.extent(NoExpressions())
      let counts = [renamed.depth, replaced.outputs[0].image.depth, GraphOutline(graph).members.count, graph.uses.count]
      found.withLock { $0 = counts + [graph.imagesOfState.count, graph.nominalSize.width, extent?.size.width ?? 0] }
      isDone.signal()
    }
    thread.stackSize = ImageRecipe.mostDepth * 512
    thread.start()
    isDone.wait()
    let most = ImageRecipe.mostDepth, width = ImageGraph.usualSize.width
    #expect(found.withLock(\.self) == [most, most, most, most, most + 1, width, width])
    #expect(Self.kept.withLock { $0[0] != $0[1] && $0[1] == chain })
  }
}
