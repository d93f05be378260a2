import EtalonPlan
import EtalonTypes
import Testing

/// Mipmaps of what a frame renders: the same bits as those of imported pictures, on every executor.
@Suite struct MipmapTests {
  private static let sizes = [Size(64, 64), Size(37, 23), Size(64, 1), Size(5, 50), Size(1, 1)]

  /// Renders a copy of a picture, makes its levels and shows them all.
  private func plan(_ size: Size, _ format: PixelFormat, role: Plan.Texture.Role = .transient) throws -> Plan {
    let shown = Size(size.width + max(1, size.width / 2), 64)
    return Plan(
      textures: [
        .init(name: "picture", role: .imported(0), size: size, format: format, isMipmapped: false),
        .init(name: "copy", role: role, size: size, format: format, isMipmapped: true),
      ] + (role == .persistent ? [.init(name: "before", role: .previous(of: 1), size: size, format: format, isMipmapped: true)] : []),
      outputs: [.init(name: "main", size: shown, format: .rgba32f, alpha: .straight)],
      kernels: [try KernelFile("frames/write.comp").kernel(), try KernelFile("frames/show-levels.comp").kernel()],
      steps: [
        .dispatch(
          .init(name: "copy", kernel: 0, size: size, bindings: [2: .sampled(texture: 0, Sampler(.nearest)), 3: .storage(texture: 1)])),
        .makeMipmaps(texture: 1),
        .dispatch(
          .init(
            name: "show", kernel: 1, size: shown,
            bindings: [1: .output(0), 2: .sampled(texture: role == .persistent ? 2 : 1, Sampler(.mipmap))])),
      ])
  }

  private func check(_ words: [[UInt32]], _ reference: TextureReference, _ plan: Plan, on executor: Executor) {
    let width = plan.outputs[0].size.width, columns = reference.size(0).width
    var firstRow = 0
    for level in 0..<reference.levelCount {
      let size = reference.size(level)
      for y in 0..<size.height {
        for x in 0..<size.width {
          let actual = words[(firstRow + y) * width + (level == 0 ? 0 : columns) + x].map { Double(Float(bitPattern: $0)) }
          let expected = reference.pixel(x, y, level: level)
          // Drivers may turn whole numbers into fractions with an error of their own; pixels are never taken for others.
          let tolerance = executor == .vulkan && !plan.textures[1].format.isFloat ? 1e-6 : 0
          let isSame = (0..<4).allSatisfy { (actual[$0] - expected[$0]).magnitude <= tolerance }
          #expect(isSame, "level \(level), (\(x), \(y)): \(actual), not \(expected)")
        }
      }
      if level > 0 { firstRow += size.height }
    }
  }

  @Test(arguments: PixelFormat.allCases, Executor.allCases)
  func rendered(_ format: PixelFormat, on executor: Executor) throws {
    for size in Self.sizes {
      let picture = PixelBuffer.noise(size, format), plan = try plan(size, format)
      let words = try executor.backend().words(of: plan, imports: [picture])
      check(words, TextureReference(picture), plan, on: executor)
    }
    try executor.checkValidation()
  }

  /// The levels of a persistent texture are those of its previous one a frame later.
  @Test(arguments: Executor.allCases)
  func ofTheFrameBefore(on executor: Executor) throws {
    let picture = PixelBuffer.noise(Size(20, 31), .rgba16f), plan = try plan(Size(20, 31), .rgba16f, role: .persistent)
    let execution = try executor.backend().prepare(PlanChecker().check(plan), imports: [picture], framesInFlight: 2)
    for frame in 0..<4 {
      let words = try execution.submit(FrameValues(frame: frame, uniforms: [[], []], startsState: frame == 2)).words(plan.outputs[0].size)
      if frame % 2 == 0 {
        #expect(words.joined().allSatisfy { $0 == 0 })
      } else {
        check(words, TextureReference(picture), plan, on: executor)
      }
    }
    try executor.checkValidation()
  }
}
