import EtalonCPU
import EtalonPlan
import EtalonTypes
import Testing

/// Buffers, and workgroups of any size that share memory.
@Suite struct BufferTests {
  private static let size = Size(64, 64)

  /// Runs kernels over a buffer at their binding 2 or 3 and shows its words, four for each pixel.
  private func plan(
    _ passes: [(name: String, x: Int, y: Int, z: Int)], byteCount: Int, isPersistent: Bool = false, buffer: Int = 2,
    bindings: [Int: Plan.Binding] = [:], textures: [Plan.Texture] = []
  ) throws -> Plan {
    let kernels = try passes.map { try KernelFile("frames/\($0.name).comp").kernel() } + [KernelFile("frames/show-words.comp").kernel()]
    let dispatches = passes.enumerated().map { index, pass in
      Plan.Pass(
        name: pass.name, kernel: index, coverage: .workgroups(pass.x, pass.y, pass.z),
        bindings: bindings.merging([buffer: .buffer(0)]) { old, _ in old })
    }
    let show = Plan.Pass(name: "show", kernel: passes.count, size: Self.size, bindings: [1: .output(0), 2: .buffer(0)])
    return Plan(
      textures: textures, buffers: [.init(name: "words", byteCount: byteCount, isPersistent: isPersistent)],
      outputs: [.init(name: "main", size: Self.size, format: .rgba32f, alpha: .straight)], kernels: kernels, passes: dispatches + [show])
  }

  private func words(of plan: Plan, imports: [PixelBuffer] = [], on executor: Executor) throws -> [UInt32] {
    let words = try executor.backend().words(of: plan, imports: imports)
    try executor.checkValidation()
    return Array(words.joined())
  }

  // MARK: Frames

  @Test(arguments: [false, true], Executor.allCases)
  func counters(isPersistent: Bool, on executor: Executor) throws {
    let plan = try plan([("counter", 3, 5, 2), ("counter", 1, 1, 1)], byteCount: 8, isPersistent: isPersistent)
    let execution = try executor.backend().prepare(PlanChecker().check(plan), imports: [], framesInFlight: 3)
    for frame in 0..<4 {
      let values = FrameValues(frame: frame, uniforms: [[], [], []], startsState: frame == 2)
      let count = UInt32(isPersistent ? frame % 2 + 1 : 1)
      #expect(try execution.submit(values).words(Self.size)[0] == [124 * count, 31 * count, 0, 0])
    }
    try executor.checkValidation()
  }

  @Test(arguments: Executor.allCases)
  func countersGoOnElsewhere(on executor: Executor) throws {
    let plan = try PlanChecker().check(plan([("counter", 2, 1, 1)], byteCount: 8, isPersistent: true))
    let values = FrameValues(frame: 0, uniforms: [[], []])
    let first = try executor.backend().prepare(plan, imports: [], framesInFlight: 1)
    #expect(try first.state() == PlanState(startOf: plan.plan))
    for _ in 0..<3 { try first.submit(values).release() }
    let state = try first.state()
    #expect(state == PlanState(textures: [], buffers: [[24, 0, 0, 0, 6, 0, 0, 0]]))
    for other in Executor.allCases {
      let second = try other.backend().prepare(plan, imports: [], framesInFlight: 1)
      try second.restore(state)
      #expect(try second.submit(values).words(Self.size)[0] == [32, 8, 0, 0])
      #expect(try second.submit(FrameValues(frame: 1, uniforms: [[], []], startsState: true)).words(Self.size)[0] == [8, 2, 0, 0])
    }
    try executor.checkValidation()
  }

  // MARK: Workgroups

  @Test(arguments: Executor.allCases)
  func histogram(on executor: Executor) throws {
    let picture = PixelBuffer.noise(Size(61, 50), .rgba8)
    let plan = try plan(
      [("histogram", 4, 7, 1)], byteCount: 256, buffer: 3, bindings: [2: .sampled(texture: 0, Sampler(.nearest))],
      textures: [.init(name: "picture", role: .imported(0), size: picture.size, format: .rgba8, isMipmapped: false)])
    var bins = [UInt32](repeating: 0, count: 64)
    for pixel in 0..<picture.size.pixelCount { bins[Int(picture.bytes[pixel * 4]) / 4] += 1 }
    #expect(try words(of: plan, imports: [picture], on: executor).prefix(64) == bins[...])
  }

  @Test(arguments: Executor.allCases)
  func runningSums(on executor: Executor) throws {
    let found = try words(of: plan([("scan", 3, 1, 1)], byteCount: 3 * 4096), on: executor)
    var sum: UInt32 = 0
    for index in 0..<3072 {
      sum = (index % 1024 == 0 ? 0 : sum) + UInt32(index % 7 + 1)
      #expect(found[index] == sum, "invocation \(index)")
    }
  }

  @Test(arguments: Executor.allCases)
  func places(on executor: Executor) throws {
    let found = try words(of: plan([("places", 2, 3, 2)], byteCount: 10 * 21 * 18 * 4), on: executor)
    for z in 0..<18 {
      for y in 0..<21 {
        for x in 0..<10 {
          let local = z % 9 * 35 + y % 7 * 5 + x % 5, group = x / 5 * 1000 + y / 7 * 10_000 + z / 9 * 100_000
          #expect(found[(z * 21 + y) * 10 + x] == UInt32(local + group), "invocation (\(x), \(y), \(z))")
        }
      }
    }
  }

  @Test(arguments: Executor.allCases)
  func sharedMemoryStartsAtZero(on executor: Executor) throws {
    let found = try words(of: plan([("leftovers", 64, 1, 1)], byteCount: 64 * 64 * 4), on: executor)
    #expect(found.prefix(4096).allSatisfy { $0 == 0 })
  }

  /// Every number of threads and every instruction set gives the same words.
  @Test(arguments: [("scan", 3, 1, 1, 3 * 4096), ("places", 2, 3, 2, 15_120)])
  func identity(_ name: String, _ x: Int, _ y: Int, _ z: Int, _ byteCount: Int) throws {
    let plan = try plan([(name, x, y, z)], byteCount: byteCount)
    let expected = try CPUBackend(.init(threadCount: 1, instructionSet: .baseline)).bytes(of: plan)
    for set in InstructionSet.allCases where set.isSupported {
      for threads in 1...3 {
        #expect(
          try CPUBackend(.init(threadCount: threads, instructionSet: set)).bytes(of: plan) == expected, "\(threads) threads of \(set)")
      }
    }
  }
}
