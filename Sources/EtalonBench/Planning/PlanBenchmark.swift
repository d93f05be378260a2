import ArgumentParser
import Etalon
import EtalonGraph
import EtalonPlan
import EtalonTypes
import Foundation
import Glibc

/// Times how a large graph becomes a plan, and what a frame costs that has next to nothing to render.
struct PlanBenchmark: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan", abstract: "Planning a graph of 200 nodes, and what frames cost outside of their passes: CPU time.",
    discussion: """
      Planning begins with the recipe and ends with the checked plan: values are evaluated and checked, sizes and conversions laid out, passes fused \
      and joined, textures shared, the plan checked. CPU is user and system time of all threads. Ends with 1 when a bar is missed.
      """)

  @Option(help: "Plans, of which the median counts.") var plans = 20
  @Option(help: "Rounds of frames, of which the fastest counts.") var rounds = 3
  @Flag(help: "Plans only, over and over for some seconds: for profilers.") var profile = false

  private static let size = Size(1280, 720)
  private static let tiny = Size(16, 16)
  private static let groups = 10
  private static let edits = ["mono", "vignette", "gamma", "brightness-contrast", "hue-rotate"]

  func run() throws {
    let pictures = (0..<2).map { _ in BenchmarkPicture.newPath() }
    defer { for path in pictures { try? FileManager.default.removeItem(atPath: path) } }
    for (frame, path) in zip([SyntheticFrame.photo, .plasma], pictures) { try BenchmarkPicture.write(frame, to: path, Self.size) }
    var verdict = Verdict()
    try timePlans(pictures, &verdict)
    if profile { return }
    // Read when the driver is opened.
    unsafe _ = setenv("LP_NUM_THREADS", "1", 1)
    for device in ["cpu", "llvmpipe"] { try timeFrames(pictures, device, &verdict) }
    if !verdict.passes { throw ExitCode(1) }
  }

  // MARK: plans

  private func timePlans(_ pictures: [String], _ verdict: inout Verdict) throws {
    let request = try PlanningGraph(groupCount: Self.groups, pictures: pictures).request(Self.size)
    print("planning a graph of \(Self.groups * PlanningGraph.nodesPerGroup) nodes, \(Self.size)")
    for (planner, kernels) in [(ShotPlanner(usesDisk: false), "compiled"), (ShotPlanner(), "read from the cache on disk")] {
      let (reading, planning) = try costsOfFirstPlan(request, planner)
      print("  first plan, every kernel \(kernels): \(text(planning)) ms, and \(text(reading)) ms for reading and checking the filters")
    }
    let planner = ShotPlanner()
    let graph = try planner.graph(of: request)
    let plan = try planner.plan(graph, of: request).plan.plan
    print("  \(plan.passes.count + plan.setupPasses.count) dispatches, \(plan.kernels.count) kernels, \(plan.textures.count) textures")
    if profile {
      let end = ContinuousClock.now + .seconds(8)
      while ContinuousClock.now < end { _ = try planner.plan(graph, of: request) }
    }
    let changed = (1...plans).map { PlanningGraph(groupCount: Self.groups, pictures: pictures, variation: $0) }
    verdict.check("median of \(plans) plans, each with other values and sizes", try median(changed, planner), atMost: 20, unit: " ms")
    let edited = Self.edits.map { PlanningGraph(groupCount: Self.groups, pictures: pictures, edit: $0) }
    report("median of \(edited.count) plans, each with another filter in a chain", try median(edited, planner))
  }

  private func costsOfFirstPlan(_ request: RenderRequest, _ planner: ShotPlanner) throws -> (reading: Double, planning: Double) {
    var graph: ImageGraph?
    let reading = try CPUClock.cost { graph = try planner.graph(of: request) }
    let planning = try CPUClock.cost { if let graph { _ = try planner.plan(graph, of: request) } }
    return (reading, planning)
  }

  private func median(_ graphs: [PlanningGraph], _ planner: ShotPlanner) throws -> Double {
    let prepared = try graphs.map { graph in
      let request = try graph.request(Self.size)
      return (graph: try planner.graph(of: request), request: request)
    }
    return try prepared.map { one in try CPUClock.cost { _ = try planner.plan(one.graph, of: one.request) } }.median
  }

  private func report(_ what: String, _ milliseconds: Double) { print("  \(what): \(String(format: "%.1f", milliseconds)) ms") }

  // MARK: frames

  private func timeFrames(_ pictures: [String], _ device: String, _ verdict: inout Verdict) throws {
    print("frames of \(Self.tiny) on '\(device)', CPU ms a frame, best of \(rounds) rounds")
    for (count, stages) in [(1, Self.one(pictures)), (10, Self.ten(pictures))] {
      var request = try BenchmarkGraph.request(stages)
      request.size = Self.tiny
      request.device = device
      // The photo never changes, and passes that are done once cannot be repeated.
      request.planOptions = PlanOptions(hoists: false)
      let costs = try FrameOverhead(of: request, rounds: rounds)
      print("  \(count == 1 ? "1 node" : "\(count) nodes"): \(parts(of: costs))")
      verdict.check("outside of the passes", costs.overhead, atMost: 0.3, unit: " ms")
    }
  }

  private func parts(of costs: FrameOverhead) -> String {
    let passes = costs.passes.map { "its passes \(text($0))" } ?? "the thread that asks \(text(costs.asking))"
    return "a frame \(text(costs.frame)), of that \(passes), values \(text(costs.values)); evaluated beforehand \(text(costs.animation))"
  }

  private func text(_ milliseconds: Double) -> String { String(format: "%.3f", milliseconds) }

  private static func one(_ pictures: [String]) -> [String] { [pictures[0], "hue-rotate angle=(2*time)"] }

  /// Ten nodes, some of which become one pass.
  private static func ten(_ pictures: [String]) -> [String] {
    [
      "photo: \(pictures[0])", "brightness-contrast brightness=(0.1*sin(time))", "hue-rotate angle=(2*time)",
      "soft: gaussian-blur sigma=2",
      "pixellate inputImage=@photo scale=2", "turned: affine angle=(time)", "circle: radial-gradient radius=(0.3 + 0.1*sin(time))",
      "mixed: blend-with-mask inputImage=@turned backgroundImage=@soft maskImage=@circle", "noise animated=on",
      "source-over backgroundImage=@mixed opacity=0.2", "vignette amount=(0.5 + 0.2*cos(time))",
    ]
  }
}
