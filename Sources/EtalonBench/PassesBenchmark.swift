import ArgumentParser
import Etalon
import EtalonCPU
import EtalonPlan
import EtalonVulkan
import Foundation

/// Holds a frame of a filter with several passes against the sum of what its passes cost alone.
struct PassesBenchmark: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "passes", abstract: "What a frame of several passes costs over the sum of its passes, on both executors.",
    discussion: """
      What a pass costs alone is what a frame costs more in which it is done several times; a frame's own work (submitting, waiting, \
      barriers, values) is therefore in no pass. Frames are timed after some that compile and warm up, all kinds of frames in turn; the \
      fastest of several rounds counts. Ends with 1 when a bar is missed.
      """)

  @Argument(help: "The filter: a folder or a file.") var filter = "samples/coral"
  @Option(help: "Width and height in pixels.") var size = "1280x720"
  @Option(help: "Rounds, of which the fastest counts.") var rounds = 5

  /// How much more than all its passes a frame may cost.
  private static let limit = 1.05

  func run() throws {
    let shot = try BenchmarkShader(path: filter, size: size, picture: nil).shot
    var verdict = BenchVerdict()
    let executors: [(String, any Backend)] = [
      ("the CPU executor", CPUBackend()), ("lavapipe", try VulkanBackend(DeviceChoice("llvmpipe"))),
    ]
    for (name, backend) in executors {
      let costs = try PassCosts(of: shot, on: backend, rounds: rounds)
      print("\(name): CPU ms a frame of \(size), user and system, best of \(rounds) rounds")
      print(costs.table)
      verdict.check("a frame, of the sum of its passes", costs.frame / costs.sum, atMost: Self.limit)
    }
    if !verdict.passes { throw ExitCode(1) }
  }
}

/// What a frame costs on an executor, and each of its steps alone: CPU milliseconds of all threads.
struct PassCosts {
  let frame: Double
  let steps: [(name: String, cost: Double)]

  /// How often a step is done more, in frames that show what it costs.
  private static let repetitions = 4

  var sum: Double { steps.map(\.cost).reduce(0, +) }

  /// - Parameter frames: how many are timed at once.
  init(of shot: Shot, on backend: any Backend, rounds: Int, frames: Int = 8) throws {
    let plan = shot.plan.plan
    let whole = try TimedFrames(shot, RepeatedStep(of: plan, step: nil, times: 0), on: backend, count: frames)
    let repeated = try plan.steps.indices.map {
      try TimedFrames(shot, RepeatedStep(of: plan, step: $0, times: Self.repetitions), on: backend, count: frames)
    }
    var best = [Double](repeating: .infinity, count: 1 + repeated.count)
    for _ in 0..<rounds {
      for (index, frames) in ([whole] + repeated).enumerated() { best[index] = min(best[index], try frames.cost()) }
    }
    frame = best[0]
    steps = zip(plan.steps, best.dropFirst()).map { step, cost in
      (step.name(in: plan), (cost - best[0]) / Double(Self.repetitions))
    }
  }

  /// A line for each step, the sum and the frame.
  var table: String {
    (steps + [("all passes", sum), ("a frame", frame)]).map { name, cost in
      "  \(name.padding(toLength: 20, withPad: " ", startingAt: 0)) \(String(format: "%8.2f", cost))"
    }.joined(separator: "\n")
  }
}

/// A plan in which one step is done several times more, each time with the same result.
private struct RepeatedStep {
  let plan: Plan
  /// The number of the pass whose values are repeated; nil for a step that takes no values.
  private let pass: Int?
  private let times: Int

  init(of plan: Plan, step: Int?, times: Int) {
    self.times = times
    let more = step.map { Array(repeating: plan.steps[$0], count: times) } ?? []
    let place = step ?? plan.steps.count
    self.plan = Plan(
      textures: plan.textures, buffers: plan.buffers, outputs: plan.outputs, kernels: plan.kernels,
      steps: plan.steps[..<place] + more + plan.steps[place...])
    pass = if let step, case .dispatch = plan.steps[step] { plan.steps[..<step].count { $0.isDispatch } } else { nil }
  }

  /// The values of a frame of the plan as it was, for this one.
  func values(_ values: FrameValues) -> FrameValues {
    guard let pass else { return values }
    var uniforms = values.uniforms
    uniforms.insert(contentsOf: repeatElement(uniforms[pass], count: times), at: pass)
    return FrameValues(
      frame: values.frame, uniforms: uniforms, pictures: values.pictures, startsState: values.startsState,
      writesOutputs: values.writesOutputs)
  }
}

/// Frames of a plan on an executor, ready to be timed.
private final class TimedFrames {
  private let shot: Shot
  private let repeated: RepeatedStep
  private let execution: any PlanExecution
  private var next = 0

  private static let warmUpFrames = 4
  /// How many frames are timed at once.
  private let count: Int

  init(_ shot: Shot, _ repeated: RepeatedStep, on backend: any Backend, count: Int) throws {
    self.shot = shot
    self.count = count
    self.repeated = repeated
    execution = try backend.prepare(try PlanChecker().check(repeated.plan), imports: shot.imports, framesInFlight: 1)
    try render(Self.warmUpFrames)
  }

  /// CPU milliseconds a frame.
  func cost() throws -> Double {
    try CPUClock.cost { try render(count) } / Double(count)
  }

  private func render(_ count: Int) throws {
    for frame in next..<next + count {
      let pending = try execution.submit(repeated.values(try shot.values(of: frame, startsState: frame == 0)))
      defer { pending.release() }
      try pending.wait()
    }
    next += count
  }
}

extension Plan.Step {
  fileprivate var isDispatch: Bool { if case .dispatch = self { true } else { false } }

  fileprivate func name(in plan: Plan) -> String {
    switch self {
    case .dispatch(let pass): pass.name
    case .clear(let texture): "clear \(plan.textures[texture].name)"
    case .makeMipmaps(let texture): "mipmaps of \(plan.textures[texture].name)"
    }
  }
}
