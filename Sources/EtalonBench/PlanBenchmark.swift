import ArgumentParser
import Etalon
import EtalonCPU
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
    var verdict = BenchVerdict()
    try withPictures(Self.size) { try timePlans($0, &verdict) }
    if profile { return }
    // Read when the driver is opened.
    unsafe _ = setenv("LP_NUM_THREADS", "1", 1)
    // A graph is laid out by its pictures, whatever the size of the result.
    try withPictures(Self.tiny) { pictures in
      for device in ["cpu", "llvmpipe"] { try timeFrames(pictures, device, &verdict) }
    }
    if !verdict.passes { throw ExitCode(1) }
  }

  private func withPictures(_ size: Size, _ body: ([String]) throws -> Void) throws {
    let pictures = (0..<2).map { _ in BenchmarkPicture.newPath() }
    defer { for path in pictures { try? FileManager.default.removeItem(atPath: path) } }
    for (frame, path) in zip([SyntheticFrame.photo, .plasma], pictures) { try BenchmarkPicture.write(frame, to: path, size) }
    try body(pictures)
  }

  // MARK: plans

  private func timePlans(_ pictures: [String], _ verdict: inout BenchVerdict) throws {
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
      // Plans are kept, so each is another one.
      let graphs = try (1...64).map { variation in
        let request = try PlanningGraph(groupCount: Self.groups, pictures: pictures, variation: variation).request(Self.size)
        return (graph: try planner.graph(of: request), request: request)
      }
      let end = ContinuousClock.now + .seconds(8)
      while ContinuousClock.now < end { for one in graphs { _ = try planner.plan(one.graph, of: one.request) } }
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

  private func timeFrames(_ pictures: [String], _ device: String, _ verdict: inout BenchVerdict) throws {
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

/// What a frame of a graph costs beside its passes, on pictures so small that the passes cost nearly nothing.
///
/// A frame is everything from asking a shot for it to giving its memory back: the choice of the plan, values, uniforms, submitting, waiting. The evaluation
/// of values that change, which a shot does for all frames before the first one, counts as well. A driver of Vulkan works on passes in threads of its
/// own, so that there the thread that asks is what counts; the CPU executor's passes are measured by themselves and left out.
private struct FrameOverhead {
  /// CPU milliseconds of a whole frame, all threads.
  private(set) var frame = Double.infinity
  /// What of it the thread took that asked for the frame.
  private(set) var asking = Double.infinity
  /// What of it putting the values of a frame together took.
  private(set) var values = Double.infinity
  /// What of it passes took, starting them included; nil where a driver works on them in threads of its own.
  private(set) var passes: Double?
  /// What evaluating and checking the values of a frame took beforehand.
  private(set) var animation = 0.0

  /// What counts.
  var overhead: Double { (passes.map { frame - $0 } ?? asking) + animation }

  private static let frameCount = 400
  private static let warmUpFrames = 20

  /// - Parameter request: of a graph; which frames it asks for does not count.
  init(of request: RenderRequest, rounds: Int) throws {
    let request = request.asking(for: Self.frameCount * rounds + Self.warmUpFrames)
    let shot = try ShotRenderer().prepare(request)
    try Self.render(0..<Self.warmUpFrames, of: shot)
    for round in 0..<rounds {
      let first = Self.warmUpFrames + round * Self.frameCount
      let (all, own) = (CPUClock.total(), CPUClock.ofThread())
      try Self.render(first..<first + Self.frameCount, of: shot)
      frame = min(frame, (CPUClock.total() - all) / Double(Self.frameCount))
      asking = min(asking, (CPUClock.ofThread() - own) / Double(Self.frameCount))
      let valuesOnly = try CPUClock.cost { for number in 0..<Self.frameCount { _ = try shot.values(of: number) } }
      values = min(values, valuesOnly / Double(Self.frameCount))
    }
    if request.device == "cpu" { passes = try PassCosts(of: shot, on: CPUBackend(), rounds: rounds, frames: Self.frameCount / 2).sum }
    animation = try Self.animation(request, rounds: rounds)
  }

  private static func render(_ frames: Range<Int>, of shot: Shot) throws {
    for frame in frames {
      guard let pending = try shot.submit(frame) else { preconditionFailure("frames of the benchmark are not interrupted") }
      defer { pending.release() }
      try pending.wait()
    }
  }

  /// What a frame more costs while a shot is planned.
  private static func animation(_ request: RenderRequest, rounds: Int) throws -> Double {
    let planner = ShotPlanner()
    let (one, many) = (request.asking(for: 1), request.asking(for: frameCount))
    let graph = try planner.graph(of: one)
    var (first, all) = (Double.infinity, Double.infinity)
    for _ in 0...rounds {
      first = min(first, try CPUClock.cost { _ = try planner.plan(graph, of: one) })
      all = min(all, try CPUClock.cost { _ = try planner.plan(graph, of: many) })
    }
    return max(0, all - first) / Double(frameCount - 1)
  }
}

extension RenderRequest {
  /// The same for so many frames.
  fileprivate func asking(for count: Int) -> RenderRequest {
    var request = self
    if let range = FrameRange(0...count - 1) { request.frames = .range(range) }
    return request
  }
}

/// A graph of shipped filters as large as wanted: chains of point-wise filters, blurs, masks, branches, several pictures, values that change over
/// time, and one picture of the frame before.
///
/// It is made of groups of twenty nodes, each of which reads the one before it.
private struct PlanningGraph {
  static let nodesPerGroup = 20

  private let groupCount: Int
  /// A number that changes the values, those among them that sizes are made of.
  private let variation: Int
  /// The filter that stands in the chain of one group in the middle; nil for the one that all others have.
  private let edit: String?
  /// The pictures that the groups read in turn.
  private let pictures: [String]

  init(groupCount: Int, pictures: [String], variation: Int = 0, edit: String? = nil) {
    self.groupCount = groupCount
    self.pictures = pictures
    self.edit = edit
    self.variation = variation
  }

  /// What a person would type.
  var stages: [String] {
    pictures.enumerated().map { "picture\($0): \($1)" } + (0..<groupCount).flatMap(group)
  }

  /// The request for some frames of the graph.
  func request(_ size: Size, frames: ClosedRange<Int> = 0...0) throws -> RenderRequest {
    var request = try BenchmarkGraph.request(stages)
    request.size = size
    if let range = FrameRange(frames) { request.frames = .range(range) }
    return request
  }

  private func group(_ index: Int) -> [String] {
    let given = index == 0 ? "picture0" : "result\(index - 1)"
    let picture = "picture\(index % pictures.count)"
    let amount = Double(variation % 50) / 1000
    return [
      // A chain of point-wise filters, then a blur.
      "base\(index): brightness-contrast inputImage=@\(given) brightness=\(0.01 + amount)",
      index == groupCount / 2 ? edit ?? "saturation" : "saturation",
      "hue-rotate angle=(2*time + \(10 * index))",
      "gamma gamma=\(1.1 + amount)",
      "soft\(index): gaussian-blur sigma=\(3 + Double(index % 5) + amount)",
      // Two branches: squares of the base, and the blurred picture turned.
      "pixellate inputImage=@base\(index) scale=\(4 + index % 3)",
      "blocks\(index): mono amount=(0.5 + 0.4*sin(time))",
      "affine inputImage=@soft\(index) angle=(time)",
      "turned\(index): vignette amount=0.3",
      // A mask of two shapes joins them.
      "circle\(index): radial-gradient radius=\(0.3 + 0.01 * Double(index) + amount)",
      "ramp\(index): linear-gradient curve=smooth endPoint=0.\(50 + index),0.5",
      "mask\(index): dissolve startImage=@circle\(index) endImage=@ramp\(index) progress=0.3",
      "mixed\(index): blend-with-mask inputImage=@blocks\(index) backgroundImage=@turned\(index) maskImage=@mask\(index)",
      // A picture with grain is laid over.
      "kaleidoscope inputImage=@\(picture) count=\(3 + index % 4) angle=\(5 * index)",
      "shapes\(index): minimum radius=\(1 + index % 3)",
      "noise seed=\(index + variation) animated=on",
      "grain\(index): gamma gamma=1.2",
      "source-over inputImage=@grain\(index) backgroundImage=@shapes\(index) opacity=0.1",
      "source-over backgroundImage=@mixed\(index) opacity=(0.5 + 0.2*cos(time))",
      "result\(index): " + (index == 0 ? "dissolve endImage=before(result0) progress=0.2" : "vignette"),
    ]
  }
}
