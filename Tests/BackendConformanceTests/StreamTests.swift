import EtalonPlan
import EtalonTypes
import Testing

/// Textures that are filled from a picture of each frame.
@Suite struct StreamTests {
  private static let size = Size(37, 23)

  private func values(_ frame: Int, _ pictures: [FramePicture], passes: Int = 1) -> FrameValues {
    FrameValues(frame: frame, uniforms: [[UInt8]](repeating: [], count: passes), pictures: pictures)
  }

  private func texture(_ format: PixelFormat, stream: Int = 0, isMipmapped: Bool = false, shape: Plan.Texture.Shape = .flat) -> Plan.Texture
  {
    .init(name: "plate \(stream)", role: .streamed(stream), shape: shape, size: Self.size, format: format, isMipmapped: isMipmapped)
  }

  /// Shows the pixels of a texture.
  private func plan(_ format: PixelFormat) throws -> Plan {
    Plan(
      try KernelFile("texture/formats.comp").kernel(), size: Self.size, textures: [texture(format)],
      bindings: [2: .sampled(texture: 0, Sampler(.nearest))])
  }

  private func check(_ words: [[UInt32]], _ picture: PixelBuffer, _ what: String, on executor: Executor) {
    let reference = TextureReference(picture), width = picture.size.width
    var wrong = 0
    for (index, pixel) in words.enumerated() {
      let expected = reference.pixel(index % width, index / width)
      for channel in 0..<4 {
        let distance = (Double(Float(bitPattern: pixel[channel])) - expected[channel]).magnitude
        if distance > (executor == .cpu || picture.format.isFloat ? 0 : 1e-6) { wrong += 1 }
      }
    }
    #expect(wrong == 0, "\(what): \(wrong) channels differ")
  }

  /// Every frame shows its own picture, whether it is finished before the next is submitted or not.
  @Test(arguments: PixelFormat.allCases, Executor.allCases)
  func everyFrameShowsItsPicture(_ format: PixelFormat, on executor: Executor) throws {
    let plan = try plan(format)
    let pictures = (0..<4).map { PixelBuffer.noise(Self.size, format, seed: UInt64($0) + 20) }
    let streamed = pictures.map { FramePicture($0) }
    let order = [0, 1, 1, 2, 0, 0, 3, 2, 1]
    let execution = try executor.backend().prepare(PlanChecker().check(plan), imports: [], framesInFlight: 3)
    for round in stride(from: 0, to: order.count, by: 3) {
      let frames = try order[round..<round + 3].enumerated().map { try execution.submit(values(round + $0, [streamed[$1]])) }
      for (offset, frame) in frames.enumerated() {
        try check(frame.words(Self.size), pictures[order[round + offset]], "\(format), frame \(round + offset)", on: executor)
      }
    }
    try executor.checkValidation()
  }

  /// A picture is told from another by where it comes from, and a texture that holds it is left alone.
  @Test(arguments: Executor.allCases)
  func whatChangesIsFilled(on executor: Executor) throws {
    let pictures = [5, 6].map { PixelBuffer.noise(Self.size, .rgba8, seed: $0) }
    let plan = Plan(
      textures: [texture(.rgba8), texture(.rgba8, stream: 1)],
      outputs: [.init(name: "main", size: Self.size, format: .rgba32f, alpha: .straight)],
      kernels: [try KernelFile("texture/formats.comp").kernel()],
      passes: [0, 1].map {
        .init(name: "show", kernel: 0, size: Self.size, bindings: [1: .output(0), 2: .sampled(texture: $0, Sampler(.nearest))])
      })
    let execution = try executor.backend().prepare(PlanChecker().check(plan), imports: [], framesInFlight: 2)
    let still = FramePicture(pictures[0])
    #expect(still != FramePicture(pictures[0]))
    for frame in 0..<5 {
      let moving = FramePicture(pictures[frame % 2])
      try check(
        execution.submit(values(frame, [still, moving], passes: 2)).words(Self.size), pictures[frame % 2], "frame \(frame)", on: executor)
    }
    try executor.checkValidation()
  }

  /// The levels of a picture of a frame have the bits of those of an imported picture.
  @Test(arguments: [PixelFormat.rgba8, .rgba16, .rgba16f, .r8], Executor.allCases)
  func mipmaps(_ format: PixelFormat, on executor: Executor) throws {
    let shown = Size(Self.size.width + Self.size.width / 2, 64)
    let kernel = try KernelFile("frames/show-levels.comp").kernel()
    func plan(_ role: Plan.Texture.Role) -> Plan {
      Plan(
        kernel, size: shown, textures: [.init(name: "plate", role: role, size: Self.size, format: format, isMipmapped: true)],
        bindings: [2: .sampled(texture: 0, Sampler(.mipmap))])
    }
    let backend = try executor.backend()
    let execution = try backend.prepare(PlanChecker().check(plan(.streamed(0))), imports: [], framesInFlight: 2)
    for frame in 0..<3 {
      let picture = PixelBuffer.noise(Self.size, format, seed: UInt64(frame) + 40)
      let streamed = try execution.submit(values(frame, [FramePicture(picture)])).words(shown)
      let imported = try backend.words(of: plan(.imported(0)), imports: [picture])
      #expect(streamed == imported, "frame \(frame)")
    }
    try executor.checkValidation()
  }

  /// What a persistent texture gathers from the pictures is the same whether frames are shown or only bring the state forward.
  @Test(arguments: Executor.allCases)
  func picturesOfWarmUpFrames(on executor: Executor) throws {
    let plan = Plan(
      textures: [
        texture(.rgba32f), .init(name: "kept", role: .persistent, size: Self.size, format: .rgba32f, isMipmapped: false),
        .init(name: "before", role: .previous(of: 1), size: Self.size, format: .rgba32f, isMipmapped: false),
      ], outputs: [.init(name: "main", size: Self.size, format: .rgba32f, alpha: .straight)],
      kernels: [try KernelFile("frames/write.comp").kernel(), try KernelFile("texture/formats.comp").kernel()],
      passes: [
        .init(name: "keep", kernel: 0, size: Self.size, bindings: [2: .sampled(texture: 0, Sampler(.nearest)), 3: .storage(texture: 1)]),
        .init(name: "show", kernel: 1, size: Self.size, bindings: [1: .output(0), 2: .sampled(texture: 2, Sampler(.nearest))]),
      ])
    let pictures = (0..<3).map { PixelBuffer.noise(Self.size, .rgba32f, seed: UInt64($0) + 60) }
    let execution = try executor.backend().prepare(PlanChecker().check(plan), imports: [], framesInFlight: 2)
    for frame in 0..<2 {
      let values = FrameValues(frame: frame, uniforms: [[], []], pictures: [FramePicture(pictures[frame])], writesOutputs: false)
      try execution.submit(values).release()
    }
    let frame = try execution.submit(values(2, [FramePicture(pictures[2])], passes: 2))
    try check(frame.words(Self.size), pictures[1], "frame 2 shows what frame 1 kept", on: executor)
    try executor.checkValidation()
  }
}
