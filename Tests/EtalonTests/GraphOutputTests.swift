import EtalonGraph
import EtalonPlan
import EtalonTypes
import Testing

@testable import Etalon

/// What is computed where a graph has several outputs.
@Suite struct GraphOutputTests {
  private let graphs = TestGraphs(size: Size(32, 32))

  /// A picture that leaves the graph and is read by others is computed once.
  @Test func whatIsKeptIsCopied() throws {
    let noise = try graphs.use("noise", [:])
    let soft = try graphs.use("gaussian-blur", ["inputImage": noise], ["sigma": "2"])
    var graph = graphs.graph(soft)
    graph.outputs.append(ImageGraph.Output(name: "raw", image: noise, format: .rgba8, alpha: .straight))
    let run = try GraphRun(graph, of: graphs, frames: 1)
    let names = (run.plan.plan.plan.setup + run.plan.plan.plan.steps).compactMap(\.pass?.name)
    #expect(names.count { $0.hasPrefix("noise.") && !$0.contains("copy") } == 1, "\(names)")
    #expect(names.count { $0.contains("copy") } == 1, "\(names)")
  }
}
