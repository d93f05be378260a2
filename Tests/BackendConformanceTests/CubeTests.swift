import EtalonPlan
import EtalonTestSupport
import EtalonTypes
import Testing

/// Reading cubes: every face, over edges and around corners, imported and rendered.
@Suite struct CubeTests {
  private static let size = Size(32, 32)
  private static let side = 16
  private static let picture = PixelBuffer.noise(Size(side, 6 * side), .rgba8)

  /// 1024 directions and levels: a third anywhere on the faces, a third around edges, a third around corners; none leads next to the border
  /// between two pixels, or to where the faces meet.
  private static let rows: [[Float]] = {
    var random = SeededNumbers(seed: 21)
    func number(_ range: ClosedRange<Double>) -> Double {
      range.lowerBound + (range.upperBound - range.lowerBound) * Double(random.next() >> 11) * 0x1p-53
    }
    func position(isOuter: Bool) -> Double {
      let pixel = isOuter ? (random.next() % 2 == 0 ? 0 : side - 1) : Int(random.next() % UInt64(side))
      return ((Double(pixel) + number(0.05...0.45) + (random.next() % 2 == 0 ? 0 : 0.5)) / Double(side)) * 2 - 1
    }
    return (0..<1024).map { row in
      let direction = CubeReference.direction(row % 6, position(isOuter: row / 6 % 3 > 0), position(isOuter: row / 6 % 3 > 1))
      let scaled = direction * number(0.1...8)
      return [Float(scaled.x), Float(scaled.y), Float(scaled.z), Float(number(-1...5))]
    }
  }()

  private func check(
    _ name: String, _ interpolation: Sampler.Interpolation, on executor: Executor, tolerance: Double,
    _ expected: (CubeReference, SIMD3<Double>, Double) -> SIMD4<Double>
  ) throws {
    let cube = Plan.Texture(
      name: "cube", role: .imported(0), shape: .cube, size: Size(Self.side, Self.side), format: .rgba8, isMipmapped: true)
    let plan = Plan(
      try KernelFile("texture/\(name).comp").kernel(), size: Self.size, textures: [cube],
      bindings: [2: .sampled(texture: 0, Sampler(interpolation))])
    let results = try executor.backend().words(of: plan, imports: [Self.picture], uniforms: [littleEndian(Self.rows.joined())])
    let reference = CubeReference(Self.picture)
    var wrong: [String] = []
    for (row, result) in zip(Self.rows, results) {
      let actual = SIMD4(result.map { Double(Float(bitPattern: $0)) })
      let exact = expected(reference, SIMD3(Double(row[0]), Double(row[1]), Double(row[2])), Double(row[3]))
      let isClose = (0..<4).allSatisfy { (actual[$0] - exact[$0]).magnitude <= tolerance }
      if !isClose { wrong.append("at \(row): \(actual), not \(exact)") }
    }
    #expect(wrong.isEmpty, "\(name) \(interpolation): \(wrong.count) wrong, first\n\(wrong.prefix(3).joined(separator: "\n"))")
    try executor.checkValidation()
  }

  @Test(arguments: Executor.allCases)
  func wholePixels(on executor: Executor) throws {
    try check("cube", .nearest, on: executor, tolerance: 1e-6) { reference, direction, _ in reference.nearest(direction) }
  }

  @Test(arguments: Executor.allCases)
  func overEdgesAndCorners(on executor: Executor) throws {
    try check("cube", .linear, on: executor, tolerance: executor == .cpu ? 2e-5 : 3.0 / 256) { reference, direction, _ in
      reference.linear(direction, level: 0)
    }
  }

  @Test(arguments: Executor.allCases)
  func levels(on executor: Executor) throws {
    try check("cube", .mipmap, on: executor, tolerance: executor == .cpu ? 4e-5 : 6.0 / 256) { reference, direction, lod in
      reference.mipmapped(direction, lod: lod)
    }
  }

  @Test(arguments: Executor.allCases)
  func gradients(on executor: Executor) throws {
    try check("cube-gradient", .mipmap, on: executor, tolerance: executor == .cpu ? 1e-3 : 0.06) { reference, direction, w in
      let steps = [SIMD3(w, 0, 0.25 * w), SIMD3(0, w, -0.5 * w)]
      return reference.mipmapped(direction, lod: reference.lod(direction, steps))
    }
  }

  // MARK: Rendered

  /// Six passes write a face each; then the cube of the frame before and its levels are read, also by another execution.
  @Test(arguments: [false, true], Executor.allCases)
  func facesAreRendered(goesOnElsewhere: Bool, on executor: Executor) throws {
    let faceSize = Size(Self.side, Self.side)
    let faces = (0..<6).map { face in
      Plan.Pass(name: "face \(face)", kernel: 0, size: faceSize, bindings: [2: .storage(texture: 0, layer: face)])
    }
    let show = Plan.Pass(name: "show", kernel: 1, size: Self.size, bindings: [1: .output(0), 2: .sampled(texture: 1, Sampler(.mipmap))])
    let cubes = ["cube": Plan.Texture.Role.persistent, "before": .previous(of: 0)].sorted { $0.key > $1.key }.map { name, role in
      Plan.Texture(name: name, role: role, shape: .cube, size: faceSize, format: .rgba32f, isMipmapped: true)
    }
    let plan = Plan(
      textures: cubes, outputs: [.init(name: "main", size: Self.size, format: .rgba32f, alpha: .straight)],
      kernels: [try KernelFile("frames/cube-face.comp").kernel(), try KernelFile("texture/cube.comp").kernel()],
      steps: faces.map { .dispatch($0) } + [.makeMipmaps(texture: 0), .dispatch(show)])
    var execution = try executor.backend().prepare(PlanChecker().check(plan), imports: [], framesInFlight: 2)
    for frame in 0..<3 {
      let uniforms = (0..<6).map { littleEndian([Float(frame * 10 + $0)]) } + [littleEndian(Self.rows.joined())]
      let words = try execution.submit(FrameValues(frame: frame, uniforms: uniforms)).words(Self.size)
      let reference = CubeReference(picture(of: frame - 1))
      for (row, result) in zip(Self.rows, words) {
        let exact = reference.mipmapped(SIMD3(Double(row[0]), Double(row[1]), Double(row[2])), lod: Double(row[3]))
        for channel in 0..<4 {
          let distance = (Double(Float(bitPattern: result[channel])) - exact[channel]).magnitude
          #expect(distance <= (executor == .cpu ? 1e-3 : 0.5), "frame \(frame), at \(row), channel \(channel)")
        }
      }
      guard goesOnElsewhere else { continue }
      let state = try execution.state()
      #expect(state.textures == [picture(of: frame)])
      execution = try executor.backend().prepare(PlanChecker().check(plan), imports: [], framesInFlight: 1)
      try execution.restore(state)
    }
    try executor.checkValidation()
  }

  /// What the faces of a frame hold; transparent black before the first.
  private func picture(of frame: Int) -> PixelBuffer {
    var floats: [Float] = []
    for face in 0..<6 {
      for pixel in 0..<Self.side * Self.side {
        let channels = [Float(frame * 10 + face), Float(pixel % Self.side), Float(pixel / Self.side), 1]
        floats += frame < 0 ? [0, 0, 0, 0] : channels
      }
    }
    return PixelBuffer(size: Size(Self.side, 6 * Self.side), format: .rgba32f, alpha: .straight, bytes: littleEndian(floats))
  }
}
