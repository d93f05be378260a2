import EtalonDiagnostics
import EtalonGraph
import EtalonManifest
import EtalonPlan
import EtalonTypes
import Testing

@testable import Etalon

/// How often graphs are planned, and kernels made for them.
@Suite struct PlanningTests {
  private let graphs = TestGraphs()
  private var kernels: KernelStore { graphs.kernels }

  /// A blur between two turns of the hue.
  private func graph(angle: String, sigma: String) throws -> ImageGraph {
    let first = try graphs.use("hue-rotate", ["inputImage": graphs.photo], animated: ["angle": angle])
    let blurred = try graphs.use("gaussian-blur", ["inputImage": first], animated: ["sigma": sigma])
    let second = try graphs.use("hue-rotate", ["inputImage": blurred], animated: ["angle": "2*(\(angle))"])
    return try graphs.graph(graphs.use("vignette", ["inputImage": second]))
  }

  /// What changes in a graph over two seconds.
  private func animation(_ graph: ImageGraph) throws -> ShotAnimation {
    var request = RenderRequest(filter: .file("none"))
    request.clock = ShotClock(rate: try #require(FrameRate("24")))
    request.frames = .range(try #require(FrameRange(0...47)))
    return try ShotAnimation(graph, of: request, plans: graphs.plans)
  }

  @Test func valuesThatNoSizeDependsOnCostNoPlan() throws {
    let animation = try animation(graph(angle: "30*time", sigma: "3"))
    #expect(animation.planCount == 1)
    #expect(Set((0...47).map { animation.planKey(onFrame: $0) }).count == 1)
    let frame = FrameState(frame: 0, clock: ShotClock(), pointer: nil, date: .fixed)
    let uniforms = Set(
      (0...47).map { animation.first.plan.values(frame: 0, state: frame, parameters: animation.values(onFrame: $0)).uniforms })
    #expect(uniforms.count == 48)
  }

  @Test func sizesCostOnePlanEach() throws {
    #expect(try animation(graph(angle: "30*time", sigma: "time < 1 ? 3 : 6")).planCount == 2)
  }

  @Test func kernelsAreMadeOnce() throws {
    _ = try animation(graph(angle: "30*time", sigma: "3"))
    let (compiled, joined) = (kernels.count, kernels.joinedCount)
    #expect(compiled > 0 && joined > 0)
    _ = try animation(graph(angle: "10*time", sigma: "time < 1 ? 4 : 8"))
    #expect(kernels.count == compiled && kernels.joinedCount == joined)
    // Another filter in the chain is another kernel.
    let other = try graphs.use("gamma", ["inputImage": graphs.use("hue-rotate", ["inputImage": graphs.photo])])
    _ = try animation(graphs.graph(other))
    #expect(kernels.joinedCount == joined + 1)
  }
}
