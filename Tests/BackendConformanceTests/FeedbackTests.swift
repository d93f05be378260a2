import EtalonPlan
import EtalonTypes
import Testing

/// Textures that outlive a frame.
@Suite struct FeedbackTests {
  private static let size = Size(64, 64)

  /// Adds a change to what the pixel to the left held one frame before, and shows the result.
  private func plan(_ format: PixelFormat = .rgba32f) throws -> Plan {
    Plan(
      textures: [
        .init(name: "buffer", role: .persistent, size: Self.size, format: format, isMipmapped: false),
        .init(name: "buffer before", role: .previous(of: 0), size: Self.size, format: format, isMipmapped: false),
      ], outputs: [.init(name: "main", size: Self.size, format: .rgba32f, alpha: .straight)],
      kernels: [try KernelFile("frames/feedback.comp").kernel(), try KernelFile("texture/formats.comp").kernel()],
      passes: [
        .init(name: "buffer", kernel: 0, size: Self.size, bindings: [2: .sampled(texture: 1, Sampler(.nearest)), 3: .storage(texture: 0)]),
        .init(name: "show", kernel: 1, size: Self.size, bindings: [1: .output(0), 2: .sampled(texture: 0, Sampler(.nearest))]),
      ])
  }

  private func values(_ frame: Int, startsState: Bool = false, writesOutputs: Bool = true) -> FrameValues {
    let change = littleEndian([Float(frame + 1), Float(2 * frame), 3, -1])
    return FrameValues(frame: frame, uniforms: [change, []], startsState: startsState, writesOutputs: writesOutputs)
  }

  /// What the rows hold after some frames since the state started; all rows are alike.
  private func expected(after frames: [Int], channels: Int = 4) -> [[Float]] {
    var row = [[Float]](repeating: [0, 0, 0, 0], count: 64)
    for frame in frames {
      let change = [Float(frame + 1), Float(2 * frame), 3, -1]
      row = (0..<64).map { x in
        (0..<4).map { $0 < channels ? row[(x + 63) % 64][$0] + change[$0] * Float(1 + x % 3) : $0 == 3 ? 1 : 0 }
      }
    }
    return row
  }

  private func check(_ words: [[UInt32]], _ row: [[Float]], _ what: String) {
    for (index, pixel) in words.enumerated() {
      #expect(pixel.map { Float(bitPattern: $0) } == row[index % 64], "\(what), pixel \(index)")
    }
  }

  @Test(arguments: Executor.allCases)
  func fiveFramesAndANewState(on executor: Executor) throws {
    let execution = try executor.backend().prepare(PlanChecker().check(plan()), imports: [], framesInFlight: 1)
    for frame in 0..<5 {
      check(try execution.submit(values(frame)).words(Self.size), expected(after: Array(0...frame)), "frame \(frame)")
    }
    for frame in 5..<8 {
      let words = try execution.submit(values(frame, startsState: frame == 5)).words(Self.size)
      check(words, expected(after: Array(5...frame)), "frame \(frame)")
    }
    try executor.checkValidation()
  }

  @Test(arguments: [PixelFormat.r32f, .rgba16f, .rg16f], Executor.allCases)
  func formats(_ format: PixelFormat, on executor: Executor) throws {
    let execution = try executor.backend().prepare(PlanChecker().check(plan(format)), imports: [], framesInFlight: 1)
    for frame in 0..<3 {
      let row = expected(after: Array(0...frame), channels: format.channelCount)
      check(try execution.submit(values(frame)).words(Self.size), row, "\(format), frame \(frame)")
    }
    try executor.checkValidation()
  }

  @Test(arguments: Executor.allCases)
  func threeFramesInFlight(on executor: Executor) throws {
    let execution = try executor.backend().prepare(PlanChecker().check(plan()), imports: [], framesInFlight: 3)
    for round in 0..<3 {
      let numbers = (0..<3).map { round * 3 + $0 }
      let frames = try numbers.map { try execution.submit(values($0)) }
      for (number, frame) in zip(numbers, frames) {
        try check(frame.words(Self.size), expected(after: Array(0...number)), "frame \(number)")
      }
    }
    try executor.checkValidation()
  }

  /// Frames whose outputs are not wanted still advance the state.
  @Test(arguments: Executor.allCases)
  func warmUpFrames(on executor: Executor) throws {
    let execution = try executor.backend().prepare(PlanChecker().check(plan()), imports: [], framesInFlight: 2)
    for frame in 0..<4 { try execution.submit(values(frame, writesOutputs: false)).release() }
    check(try execution.submit(values(4)).words(Self.size), expected(after: Array(0...4)), "frame 4")
    try executor.checkValidation()
  }

  /// A run that goes on from a state on either executor continues as if nothing had happened.
  @Test(arguments: Executor.allCases, Executor.allCases)
  func continuedElsewhere(_ first: Executor, _ second: Executor) throws {
    for count in 0..<4 {
      let before = try first.backend().prepare(PlanChecker().check(plan()), imports: [], framesInFlight: 2)
      for frame in 0..<count { try before.submit(values(frame)).release() }
      let state = try before.state()
      #expect(state.textures.map(\.size) == [Self.size] && state.buffers.isEmpty)
      let after = try second.backend().prepare(PlanChecker().check(plan()), imports: [], framesInFlight: 2)
      if count % 2 == 1 { try after.submit(values(7)).release() }
      try after.restore(state)
      #expect(try after.state() == state)
      for frame in count..<count + 2 {
        check(try after.submit(values(frame)).words(Self.size), expected(after: Array(0...frame)), "frame \(frame) after \(count)")
      }
      try check(before.submit(values(count)).words(Self.size), expected(after: Array(0...count)), "frame \(count) where it was")
    }
    try first.checkValidation()
    try second.checkValidation()
  }

  /// A persistent texture without a previous one keeps what no step writes.
  @Test(arguments: Executor.allCases)
  func partsThatAreNotWrittenStay(on executor: Executor) throws {
    let show = Plan.Pass(name: "show", kernel: 1, size: Self.size, bindings: [1: .output(0), 2: .sampled(texture: 0, Sampler(.nearest))])
    let blocks = Plan.Pass(name: "blocks", kernel: 0, coverage: .workgroups(4, 8, 1), bindings: [2: .storage(texture: 0)])
    for role in [Plan.Texture.Role.persistent, .transient] {
      let plan = Plan(
        textures: [.init(name: "picture", role: role, size: Self.size, format: .rgba32f, isMipmapped: false)],
        outputs: [.init(name: "main", size: Self.size, format: .rgba32f, alpha: .straight)],
        kernels: [try KernelFile("frames/blocks.comp").kernel(), try KernelFile("texture/formats.comp").kernel()],
        steps: (role == .transient ? [.clear(texture: 0)] : []) + [.dispatch(blocks), .dispatch(show)])
      let execution = try executor.backend().prepare(PlanChecker().check(plan), imports: [], framesInFlight: 1)
      for frame in 0..<2 {
        let words = try execution.submit(FrameValues(frame: frame, uniforms: [[], []])).words(Self.size)
        for (index, pixel) in words.enumerated() {
          let (x, y) = (index % 64, index / 64)
          let isWritten = x < 32 && y < 32
          #expect(pixel.map { Float(bitPattern: $0) } == (isWritten ? [Float(x), Float(y), Float(x / 8), 1] : [0, 0, 0, 0]))
        }
      }
    }
    try executor.checkValidation()
  }
}
