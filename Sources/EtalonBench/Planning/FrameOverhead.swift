import Etalon
import EtalonCPU
import EtalonPlan
import EtalonTypes

/// What a frame of a graph costs beside its passes, on pictures so small that the passes cost nearly nothing.
///
/// A frame is everything from asking a shot for it to giving its memory back: the choice of the plan, values, uniforms, submitting, waiting. The evaluation
/// of values that change, which a shot does for all frames before the first one, counts as well. A driver of Vulkan works on passes in threads of its
/// own, so that there the thread that asks is what counts; the CPU executor's passes are measured by themselves and left out.
struct FrameOverhead {
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
      guard let pending = try shot.submit(frame) else { preconditionFailure("nobody interrupts") }
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
