import EtalonPlan
import EtalonTypes
import Testing

/// Textures of other sizes and formats that take turns in blocks of memory: they hold what they would in memory of their own.
@Suite struct SharedMemoryTests {
  private static let size = Size(64, 64)
  private static let small = Size(32, 16)

  /// A picture goes through two blocks in four formats, and comes back to the first of them.
  private func plan(shares: Bool) throws -> Plan {
    func texture(_ name: String, _ size: Size, _ format: PixelFormat, block: Int, isMipmapped: Bool = false) -> Plan.Texture {
      .init(name: name, role: .transient, size: size, format: format, isMipmapped: isMipmapped, block: shares ? block : nil)
    }
    func move(_ source: Int, _ target: Int, _ size: Size) -> Plan.Step {
      .dispatch(
        .init(
          name: "to \(target)", kernel: 0, size: size,
          bindings: [2: .sampled(texture: source, Sampler(.nearest)), 3: .storage(texture: target)]))
    }
    func show(_ texture: Int, _ output: Int, _ size: Size) -> Plan.Step {
      .dispatch(
        .init(
          name: "show \(texture)", kernel: 1, size: size,
          bindings: [1: .output(output), 2: .sampled(texture: texture, Sampler(.nearest))]))
    }
    return Plan(
      textures: [
        .init(name: "photo", role: .imported(0), size: Self.size, format: .rgba32f, isMipmapped: false),
        texture("whole", Self.size, .rgba32f, block: 0), texture("half", Self.size, .rgba16f, block: 1),
        texture("bytes", Size(40, 30), .rgba8, block: 0, isMipmapped: true), texture("red", Self.small, .r32f, block: 1),
      ],
      outputs: [
        .init(name: "main", size: Self.size, format: .rgba32f, alpha: .straight),
        .init(name: "red", size: Self.small, format: .rgba32f, alpha: .straight),
      ], kernels: [try KernelFile("frames/feedback.comp").kernel(), try KernelFile("texture/formats.comp").kernel()],
      setup: [],
      steps: [
        move(0, 1, Self.size), move(1, 2, Self.size), move(2, 3, Size(40, 30)), .makeMipmaps(texture: 3), move(3, 4, Self.small),
        show(4, 1, Self.small), move(0, 1, Self.size), show(1, 0, Self.size),
      ])
  }

  private var photo: PixelBuffer {
    var pixels: [Float] = []
    for y in 0..<64 {
      for x in 0..<64 { pixels += [Float(x) / 64, Float(y) / 64, 0.25, 0.5] }
    }
    return PixelBuffer(size: Self.size, format: .rgba32f, alpha: .straight, bytes: littleEndian(pixels))
  }

  private func values(_ frame: Int) -> FrameValues {
    let change = littleEndian([Float(frame) / 16, 1 / 8, 0, Float(frame) / 32])
    return FrameValues(frame: frame, uniforms: [change, change, change, change, [], change, []])
  }

  /// Both outputs of some frames, three of which are in flight.
  private func frames(shares: Bool, on executor: Executor) throws -> [[UInt8]] {
    let execution = try executor.backend().prepare(PlanChecker().check(plan(shares: shares)), imports: [photo], framesInFlight: 3)
    return try (0..<2).flatMap { round in
      try (0..<3).map { try execution.submit(values(round * 3 + $0)) }.flatMap { frame in
        defer { frame.release() }
        return [try frame.bytes(of: 0), try frame.bytes(of: 1)]
      }
    }
  }

  @Test(arguments: Executor.allCases)
  func theSameAsInMemoryOfTheirOwn(on executor: Executor) throws {
    let shared = try frames(shares: true, on: executor)
    #expect(try shared == frames(shares: false, on: executor))
    #expect(Set(shared).count == 12)
    try executor.checkValidation()
  }

  @Test func theyNeedTheMemoryOfTheLargest() throws {
    #expect(try plan(shares: true).workingBlocks == [[1, 3], [2, 4]])
    #expect(try plan(shares: true).workingByteCount == 64 * 64 * (16 + 8))
    #expect(try plan(shares: false).workingBlocks.count == 4)
  }
}
