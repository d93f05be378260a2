import EtalonGraph
import EtalonPlan
import EtalonTypes
import Foundation
import Testing

@testable import Etalon

/// Graphs made by chance give the same bytes however they are planned, and in whatever parts they are rendered.
///
/// The number of a failed case is the seed of its graph.
@Suite struct RandomGraphTests {
  private static let graphs = TestGraphs(size: Size(16, 16))
  private static let count = 5
  private static let seeds = 0..<24

  @Test(arguments: seeds) func rendering(seed: Int) throws {
    var random = RandomGraph(seed: seed, of: Self.graphs)
    var graph = try random.graph()
    if seed % 2 == 1 { graph.workingSpace = .linear }
    let shots = try GraphShots(graph, of: Self.graphs, frames: Self.count)
    let whole = try shots.bytes(Array(0..<Self.count))

    let plain = try GraphShots(graph, of: Self.graphs, frames: Self.count, isPlain: true)
    #expect(plain.plan.setup.isEmpty)
    #expect(try plain.bytes(Array(0..<Self.count)) == whole, "not fused: \(graph.text)")

    let parts = random.parts(of: Self.count)
    #expect(try shots.bytes(inParts: parts) == whole, "in the parts \(parts): \(graph.text)")
    let folder = try TemporaryFolder()
    let checkpoints = CheckpointFolder(path: folder.url.path, interval: random.isHeads() ? .zero : .seconds(10))
    #expect(try shots.bytes(inParts: parts, checkpoints) == whole, "in the parts \(parts) with checkpoints: \(graph.text)")
    let again = random.some(of: Self.count)
    #expect(
      try shots.bytes(again, checkpoints) == whole.filter { again.contains($0.key) }, "again the frames \(again) of \(parts): \(graph.text)"
    )
  }

  /// The seeds make graphs of both kinds: what they show about state is worth nothing without state.
  @Test func someGraphsKeepState() throws {
    let kept = try Self.seeds.filter { seed in
      var random = RandomGraph(seed: seed, of: Self.graphs)
      return try random.graph().keepsState
    }
    #expect(kept.count >= 12 && kept.count < Self.seeds.count, "\(kept)")
  }

  /// A rectangle that is computed alone shows what the whole picture shows there.
  @Test(arguments: 0..<6) func cropping(seed: Int) throws {
    var random = RandomGraph(seed: seed, of: Self.graphs)
    let graph = try random.cropped(random.graph())
    let alone = try GraphShots(graph, of: Self.graphs, frames: Self.count)
    let whole = try GraphShots(graph, of: Self.graphs, frames: Self.count, crops: false)
    #expect(alone.plan.passes.contains { $0.region != nil })
    #expect(try alone.bytes(Array(0..<Self.count)) == whole.bytes(Array(0..<Self.count)), "seed \(seed)")
  }
}

extension ImageGraph {
  /// The graph as a text, for failures.
  fileprivate var text: String {
    let loops = feedback.map { " where \($0.key) = \($0.value.text)" }.joined()
    return outputs[0].image.text + loops
  }
}

extension ImageRecipe {
  fileprivate var text: String {
    guard case .filter(let use) = operation else { return label }
    let inputs = use.inputs.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.image.text)" }
    let values = use.animated.keys.sorted().map { "\($0) changes" }
    return "\(label)(\((inputs + values).joined(separator: ", ")))"
  }
}
