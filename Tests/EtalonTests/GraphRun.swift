import EtalonGraph
import EtalonPlan
import EtalonTypes

@testable import Etalon

/// A graph over some frames: its plan, and the values of its filters on each of them.
struct GraphRun {
  let plan: GraphPlan
  private let animation: GraphAnimation
  private let clock = ShotClock(rate: FrameRate(Rational(12)) ?? .sixty)

  /// - Parameter frames: how many frames there are, from 0 on.
  init(_ graph: ImageGraph, of graphs: TestGraphs, frames: Int, fuses: Bool = true, hoists: Bool = true, crops: Bool = true) throws {
    let readings = (0..<frames).map { [clock] in ClockReading(frame: $0, clock: clock) }
    animation = try GraphAnimation(graph, at: readings, clock: clock, evaluator: graphs.evaluator)
    plan = try graphs.plan(graph, values: animation.values(onFrame: 0), fuses: fuses, hoists: hoists, crops: crops)
  }

  func prepare(on device: TestDevice) throws -> any PlanExecution {
    try DeviceSelection(device.rawValue, timeout: nil).backend.prepare(plan, framesInFlight: 1)
  }

  func values(_ frame: Int, startsState: Bool = false, writesOutputs: Bool = true) -> FrameValues {
    let state = FrameState(frame: frame, clock: clock, pointer: nil, date: .fixed)
    return plan.values(
      frame: frame, state: state, parameters: animation.values(onFrame: frame), startsState: startsState, writesOutputs: writesOutputs)
  }

  /// The bytes of the first output on a frame, the next one for the execution.
  func bytes(_ frame: Int, by execution: any PlanExecution) throws -> [UInt8] {
    let pending = try execution.submit(values(frame, startsState: frame == 0))
    defer { pending.release() }
    try pending.wait()
    var bytes: [UInt8] = []
    pending.withBands(of: 0) { _, _, band in unsafe band.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) } }
    return bytes
  }

  /// The bytes of the first output on all of some frames, in one go.
  func bytes(_ frames: Range<Int>, on device: TestDevice = .cpu) throws -> [[UInt8]] {
    let execution = try prepare(on: device)
    return try frames.map { try bytes($0, by: execution) }
  }
}
