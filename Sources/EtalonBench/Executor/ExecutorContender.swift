import Etalon
import EtalonCPU
import EtalonPlan
import EtalonVulkan
import Glibc

/// An executor that renders the benchmark shaders with one thread.
struct ExecutorContender {
  let name: String
  let backend: any Backend

  /// The CPU executor with an instruction set and a number of threads.
  static func cpu(_ set: InstructionSet, threads: Int = 1) -> ExecutorContender {
    ExecutorContender(name: set.rawValue, backend: CPUBackend(.init(threadCount: threads, instructionSet: set)))
  }

  /// Mesa's software driver with one thread, which reads its number of threads from the environment when it is opened.
  static func lavapipe() throws -> ExecutorContender {
    unsafe _ = setenv("LP_NUM_THREADS", "1", 1)
    return ExecutorContender(name: "lavapipe", backend: try VulkanBackend(DeviceChoice("llvmpipe")))
  }
}

/// One shader on one executor, ready to be timed.
struct ContenderRun {
  private let shot: Shot
  private let execution: any PlanExecution
  /// How many frames are timed at once: enough for a fifth of a second.
  private let frameCount: Int

  /// Compiles, and renders a frame to get everything warm.
  init(_ shot: Shot, on contender: ExecutorContender) throws {
    self.shot = shot
    execution = try shot.execution(on: contender.backend)
    try Self.render(shot, execution, frame: 0)
    let start = CPUClock.milliseconds().user
    for frame in 1...2 { try Self.render(shot, execution, frame: frame) }
    let frame = (CPUClock.milliseconds().user - start) / 2
    frameCount = max(2, min(100, Int((200 / max(frame, 1)).rounded(.up))))
  }

  private static func render(_ shot: Shot, _ execution: any PlanExecution, frame: Int) throws {
    let pending = try execution.submit(try shot.values(of: frame))
    defer { pending.release() }
    try pending.wait()
  }

  /// User milliseconds a frame.
  func userTime() throws -> Double {
    let start = CPUClock.milliseconds().user
    try renderAll()
    return (CPUClock.milliseconds().user - start) / Double(frameCount)
  }

  /// Milliseconds a frame on the wall.
  func wallTime() throws -> Double {
    let time = try ContinuousClock().measure { try renderAll() }
    return time / .milliseconds(1) / Double(frameCount)
  }

  private func renderAll() throws {
    for frame in 0..<frameCount { try Self.render(shot, execution, frame: 60 + frame) }
  }

  /// The bytes of a frame.
  func bytes(ofFrame frame: Int) throws -> [UInt8] {
    let pending = try execution.submit(try shot.values(of: frame))
    defer { pending.release() }
    try pending.wait()
    var bytes: [UInt8] = []
    pending.withBands(of: 0) { _, _, band in unsafe band.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) } }
    return bytes
  }
}
