package import EtalonGraph
internal import EtalonPlan
internal import EtalonSPIRV
package import EtalonTypes

/// What is known of a shot before any device is opened: which frames it has, and where they can be cut.
///
/// **Concurrency**: an immutable value.
package struct ShotOutline: Sendable {
  /// The name of the filter or graph.
  package let name: String
  /// The numbers of the wanted frames in the order in which they are rendered.
  package let frames: [Int]
  /// The first and the last frame of the shot, which the wanted ones are a part of.
  package let shot: ClosedRange<Int>
  /// With the rate and the numbers that follow from its pictures, where nothing else says them.
  package let clock: ShotClock
  /// The size of the result.
  package let size: Size
  /// Whether its frames are known only as they come.
  package let isLive: Bool
  /// How long what a frame leaves has an effect on later ones.
  package let memory: StateMemory
  /// The part of the work on a frame that the next one needs, from 0 to 1: an estimate from the instructions of kernels and the pixels that they run on.
  package let stateShare: Double
  /// Whether progress or duration count.
  package let dependsOnRange: Bool
  /// The names of the outputs, the result first.
  package let outputNames: [String]
  /// The files that it is made of: filters, includes, documents, pictures, videos, sounds.
  package let files: [String]

  package init(
    frames: [Int], shot: ClosedRange<Int>, clock: ShotClock, size: Size, isLive: Bool, name: String, files: [String], memory: StateMemory,
    stateShare: Double, dependsOnRange: Bool, outputNames: [String]
  ) {
    (self.frames, self.shot, self.clock, self.size, self.isLive, self.name) = (frames, shot, clock, size, isLive, name)
    (self.files, self.memory, self.stateShare) = (files, memory, stateShare)
    (self.dependsOnRange, self.outputNames) = (dependsOnRange, outputNames)
  }

  init(_ request: RenderRequest, _ built: BuiltGraph, _ animation: ShotAnimation, isLive: Bool) {
    let plan = animation.first.plan.plan.plan
    name = built.subject.name
    (frames, shot, clock, self.isLive) = (request.frameNumbers, request.shotRange, request.clock, isLive)
    size = animation.first.plan.resultSize
    memory = animation.first.plan.hasState ? built.image.memory.limited(to: request.warmUp) : .none
    stateShare = plan.stateShare
    dependsOnRange = built.image.dependsOnRange
    outputNames = plan.outputs.map(\.name)
    let times = request.frameNumbers.map { request.time(ofFrame: $0) }
    let shown = built.sources.sorted { $0.key < $1.key }.flatMap { $0.value.files(at: times) }
    var seen: Set<String> = []
    files = (built.subject.files + shown + [request.eventsFile].compactMap(\.self)).filter { seen.insert($0).inserted }
  }
}

extension ShotRenderer {
  /// What is known of the shot of a request; errors in it are thrown as diagnostics, no device is opened.
  package func outline(of request: RenderRequest) throws -> ShotOutline {
    let (request, built, animation, live) = try checked(request)
    return ShotOutline(request, built, animation, isLive: live != nil)
  }
}

extension Plan {
  /// The part of a frame's work that brings state forward.
  fileprivate var stateShare: Double {
    let costs = steps.map { step in step.pass.map { pass in Double(kernels[pass.kernel].words.count) * pass.coverage.invocationCount } ?? 0
    }
    let whole = costs.reduce(0, +)
    guard whole > 0 else { return 0 }
    return zip(costs, stepsForState).reduce(0) { $0 + ($1.1 ? $1.0 : 0) } / whole
  }
}

extension Plan.Pass.Coverage {
  /// How often the kernel runs; workgroups count as 64 invocations, which most have.
  fileprivate var invocationCount: Double {
    switch self {
    case .pixels(let size): Double(size.pixelCount)
    case .workgroups(let x, let y, let z): Double(x * y * z) * 64
    }
  }
}
