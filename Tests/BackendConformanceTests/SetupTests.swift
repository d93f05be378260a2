import EtalonPlan
import EtalonTypes
import Testing

/// What is done once before the first frame, and what frames find of it.
@Suite struct SetupTests {
  private static let size = Size(64, 64)

  /// The setup moves and changes a picture twice; every frame moves and changes what that left, through a texture that the setup used too.
  private func plan() throws -> Plan {
    func shift(_ name: String, _ source: Int, _ target: Int) -> Plan.Pass {
      .init(
        name: name, kernel: 0, size: Self.size, bindings: [2: .sampled(texture: source, Sampler(.nearest)), 3: .storage(texture: target)])
    }
    return Plan(
      textures: [
        .init(name: "photo", role: .imported(0), size: Self.size, format: .rgba32f, isMipmapped: false),
        .init(name: "between", role: .transient, size: Self.size, format: .rgba32f, isMipmapped: false),
        .init(name: "kept", role: .setup, size: Self.size, format: .rgba32f, isMipmapped: true),
        .init(name: "sum", role: .persistent, size: Self.size, format: .rgba32f, isMipmapped: false),
        .init(name: "sum before", role: .previous(of: 3), size: Self.size, format: .rgba32f, isMipmapped: false),
      ], outputs: [.init(name: "main", size: Self.size, format: .rgba32f, alpha: .straight)],
      kernels: [try KernelFile("frames/feedback.comp").kernel(), try KernelFile("texture/formats.comp").kernel()],
      setup: [.dispatch(shift("first", 0, 1)), .dispatch(shift("second", 1, 2)), .makeMipmaps(texture: 2)],
      steps: [
        .dispatch(shift("state", 4, 3)), .dispatch(shift("frame", 2, 1)),
        .dispatch(
          .init(name: "show", kernel: 1, size: Self.size, bindings: [1: .output(0), 2: .sampled(texture: 1, Sampler(.nearest))])),
      ])
  }

  private static func change(_ number: Int) -> [Float] { [Float(number + 1), Float(2 * number), 3, -1] }

  private var photo: PixelBuffer {
    let pixels: [Float] = (0..<64 * 64).flatMap { [Float($0 % 64), 1, 0, 2] as [Float] }
    return PixelBuffer(size: Self.size, format: .rgba32f, alpha: .straight, bytes: littleEndian(pixels))
  }

  /// The row of the photo after some moves; all rows are alike.
  private func expected(_ numbers: [Int]) -> [[Float]] {
    numbers.reduce((0..<64).map { [Float($0), 1, 0, 2] }) { row, number in
      (0..<64).map { x in (0..<4).map { row[(x + 63) % 64][$0] + Self.change(number)[$0] * Float(1 + x % 3) } }
    }
  }

  private func prepare(on executor: Executor, framesInFlight: Int) throws -> any PlanExecution {
    try executor.backend().prepare(
      PlanChecker().check(plan()), imports: [photo], setupUniforms: [10, 20].map { littleEndian(Self.change($0)) },
      framesInFlight: framesInFlight)
  }

  private func values(_ frame: Int, startsState: Bool = false, writesOutputs: Bool = true) -> FrameValues {
    let change = littleEndian(Self.change(frame))
    return FrameValues(frame: frame, uniforms: [change, change, []], startsState: startsState, writesOutputs: writesOutputs)
  }

  private func check(_ frame: any PendingFrame, _ number: Int) throws {
    let row = expected([10, 20, number])
    for (index, pixel) in try frame.words(Self.size).enumerated() {
      #expect(pixel.map { Float(bitPattern: $0) } == row[index % 64], "frame \(number), pixel \(index)")
    }
  }

  @Test(arguments: Executor.allCases)
  func framesInFlightShareIt(on executor: Executor) throws {
    let execution = try prepare(on: executor, framesInFlight: 3)
    for round in 0..<2 {
      let numbers = (0..<3).map { round * 3 + $0 }
      let frames = try numbers.map { try execution.submit(values($0)) }
      for (number, frame) in zip(numbers, frames) { try check(frame, number) }
    }
    try executor.checkValidation()
  }

  /// Neither a new state nor a restored one touches it, and frames without outputs need it no less.
  @Test(arguments: Executor.allCases)
  func statesLeaveItAlone(on executor: Executor) throws {
    let first = try prepare(on: executor, framesInFlight: 1)
    try first.submit(values(0, writesOutputs: false)).release()
    try check(first.submit(values(1, startsState: true)), 1)
    let state = try first.state()
    #expect(state.textures.count == 1)
    let second = try prepare(on: executor, framesInFlight: 2)
    try second.restore(state)
    try check(second.submit(values(2)), 2)
    try first.restore(state)
    try check(first.submit(values(3)), 3)
    try executor.checkValidation()
  }
}
