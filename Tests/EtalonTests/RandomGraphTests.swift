import EtalonCPU
import EtalonGraph
import EtalonPlan
import EtalonTypes
import Testing

@testable import Etalon

/// Graphs made by chance give the same bytes however they are planned, and in whatever parts they are rendered.
///
/// The number of a failed case is the seed of its graph.
@Suite struct RandomGraphTests {
  private static let graphs = TestGraphs(size: Size(24, 16))
  /// Shared, because kernels that several graphs have are compiled once.
  private static let backend = CPUBackend(.init(threadCount: 1))
  private static let count = 4

  @Test(arguments: 0..<2) func rendering(seed: Int) throws {
    let t0 = ContinuousClock.now
    var random = RandomGraph(seed: seed, of: Self.graphs)
    let graph = try random.graph()
    let t1 = ContinuousClock.now
    let run = try GraphRun(graph, of: Self.graphs, frames: Self.count)
    let t2 = ContinuousClock.now
    let ex = try execution(run)
    let t3 = ContinuousClock.now
    let whole = try bytes(run, 0..<Self.count, on: ex)
    let t4 = ContinuousClock.now
    print("TIMES", seed, t1-t0, t2-t1, t3-t2, t4-t3)

    let plain = try GraphRun(graph, of: Self.graphs, frames: Self.count, fuses: false, hoists: false)
    #expect(plain.plan.plan.plan.setup.isEmpty)
    #expect(try bytes(plain, 0..<Self.count, on: execution(plain)) == whole, "not fused, seed \(seed)")

    let middle = random.frame(below: Self.count)
    #expect(try continued(run, at: middle) == whole[middle...], "from a state at frame \(middle), seed \(seed)")
    #expect(try warmedUp(run, to: middle) == whole[middle...], "after frames without outputs, frame \(middle), seed \(seed)")
    let again = try execution(run)
    _ = try bytes(run, middle..<Self.count, on: again)
    #expect(try bytes(run, 0..<middle, on: again) == whole[..<middle], "the first part last, frame \(middle), seed \(seed)")
  }

  private func execution(_ run: GraphRun) throws -> any PlanExecution { try Self.backend.prepare(run.plan, framesInFlight: 1) }

  private func bytes(_ run: GraphRun, _ frames: Range<Int>, on execution: any PlanExecution) throws -> ArraySlice<[UInt8]> {
    try frames.map { try run.bytes($0, by: execution) }[...]
  }

  /// The frames from one on, by an execution that gets the state of another one.
  private func continued(_ run: GraphRun, at frame: Int) throws -> ArraySlice<[UInt8]> {
    let first = try execution(run), second = try execution(run)
    _ = try bytes(run, 0..<frame, on: first)
    try second.restore(first.state())
    return try bytes(run, frame..<Self.count, on: second)
  }

  /// The frames from one on, after those before it were done without outputs.
  private func warmedUp(_ run: GraphRun, to frame: Int) throws -> ArraySlice<[UInt8]> {
    let execution = try execution(run)
    for earlier in 0..<frame { try execution.submit(run.values(earlier, startsState: earlier == 0, writesOutputs: false)).release() }
    return try bytes(run, frame..<Self.count, on: execution)
  }
}
