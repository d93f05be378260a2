import EtalonPlan
import EtalonTestSupport
import EtalonTypes
import Glibc
import Testing

/// Reading textures: every kind of read, interpolation and address mode, and every format.
@Suite struct TextureTests {
  private static let size = Size(32, 32)
  private static let picture = PixelBuffer.noise(Size(13, 10), .rgba8)

  /// Positions around the picture, levels and steps: 1024 rows.
  ///
  /// None lies next to a border between pixels of the first level, where an executor
  /// may round to either side.
  private static let rows: [[Float]] = {
    var random = SeededNumbers(seed: 11)
    func number(_ range: ClosedRange<Float>) -> Float {
      range.lowerBound + (range.upperBound - range.lowerBound) * Float(random.next() >> 40) * 0x1p-24
    }
    func coordinate(_ count: Float) -> Float {
      let pixel = number(-1.5 * count...2.5 * count).rounded(.down)
      return (pixel + number(0.05...0.45) + (random.next() % 2 == 0 ? 0 : 0.5)) / count
    }
    return (0..<1024).map { _ in [coordinate(13), coordinate(10), number(-1...5), number(0.01...0.8)] }
  }()

  private static let interpolations = Sampler.Interpolation.allCases.flatMap { interpolation in
    Sampler.AddressMode.allCases.map { Sampler(interpolation, $0) }
  }

  private func texture(_ name: String, _ picture: PixelBuffer, import number: Int = 0, isMipmapped: Bool) -> Plan.Texture {
    .init(name: name, role: .imported(number), size: picture.size, format: picture.format, isMipmapped: isMipmapped)
  }

  /// Runs a kernel of the folder `texture` on the positions and compares every channel.
  private func check(
    _ name: String, _ sampler: Sampler, of picture: PixelBuffer = picture, isMipmapped: Bool = true, on executor: Executor,
    tolerance: Double,
    comparing channels: SIMD4<Double> = SIMD4(repeating: 1), _ expected: (TextureReference, [Float]) -> SIMD4<Double>
  ) throws {
    let kernel = try KernelFile("texture/\(name).comp").kernel()
    let plan = Plan(
      kernel, size: Self.size, textures: [texture("picture", picture, isMipmapped: isMipmapped)],
      bindings: [2: .sampled(texture: 0, sampler)])
    let results = try executor.backend().words(
      of: plan, imports: [picture], uniforms: [littleEndian(Self.rows.joined())])
    let reference = TextureReference(picture)
    var wrong: [String] = []
    for (row, result) in zip(Self.rows, results) {
      let actual = SIMD4(result.map { Double(Float(bitPattern: $0)) }), exact = expected(reference, row)
      let isClose = (0..<4).allSatisfy { (actual[$0] - exact[$0]).magnitude * channels[$0] <= tolerance }
      if !isClose { wrong.append("at \(row): \(actual), not \(exact)") }
    }
    #expect(wrong.isEmpty, "\(name) \(sampler): \(wrong.count) wrong, first\n\(wrong.prefix(3).joined(separator: "\n"))")
    try executor.checkValidation()
  }

  /// The CPU computes positions in single precision; Vulkan devices may use weights of 8 bits.
  private func tolerance(_ executor: Executor, _ sampler: Sampler) -> Double {
    switch (executor, sampler.interpolation) {
    case (_, .nearest): 1e-6
    case (.cpu, _): 2e-5
    case (.vulkan, .linear): 3.0 / 256
    case (.vulkan, .mipmap): 6.0 / 256
    }
  }

  @Test(arguments: interpolations, Executor.allCases)
  func samples(_ sampler: Sampler, on executor: Executor) throws {
    try check("sample", sampler, on: executor, tolerance: tolerance(executor, sampler)) { reference, row in
      reference.sampled(sampler, Double(row[0]), Double(row[1]), lod: Double(row[2]))
    }
    try check("projective", sampler, on: executor, tolerance: tolerance(executor, sampler)) { reference, row in
      reference.sampled(sampler, Double(row[0]), Double(row[1]), lod: Double(row[2]))
    }
  }

  /// Textures of one channel and one level lie in memory in another way than others.
  @Test(arguments: PixelFormat.allCases.filter { $0.channelCount == 1 }, Executor.allCases)
  func samplesOfOneChannel(_ format: PixelFormat, on executor: Executor) throws {
    let picture = PixelBuffer.noise(Self.picture.size, format)
    for sampler in Self.interpolations where sampler.interpolation != .mipmap {
      // What alpha is beyond the edges of a format without it differs between devices.
      let compared = sampler.address == .transparent ? SIMD4<Double>(1, 1, 1, 0) : SIMD4(repeating: 1)
      for name in ["sample", "offset"] {
        let offset = name == "offset" ? (2.0 / 13, -0.1) : (0, 0)
        try check(
          name, sampler, of: picture, isMipmapped: false, on: executor, tolerance: tolerance(executor, sampler), comparing: compared
        ) { reference, row in
          reference.sampled(sampler, Double(row[0]) + offset.0, Double(row[1]) + offset.1, lod: 0)
        }
      }
    }
  }

  @Test(arguments: Sampler.AddressMode.allCases, Executor.allCases)
  func offsets(_ mode: Sampler.AddressMode, on executor: Executor) throws {
    for interpolation in [Sampler.Interpolation.nearest, .linear] {
      let sampler = Sampler(interpolation, mode)
      try check("offset", sampler, on: executor, tolerance: tolerance(executor, sampler)) { reference, row in
        reference.sampled(sampler, Double(row[0]) + 2.0 / 13, Double(row[1]) - 0.1, lod: 0)
      }
    }
  }

  @Test(arguments: Sampler.AddressMode.allCases, Executor.allCases)
  func gathers(_ mode: Sampler.AddressMode, on executor: Executor) throws {
    try check("gather", Sampler(.linear, mode), on: executor, tolerance: 1e-6) { reference, row in
      let pixels = reference.corners(Double(row[0]), Double(row[1]), mode, level: 0).pixels.map { $0[1] }
      return SIMD4(pixels[2], pixels[3], pixels[1], pixels[0])
    }
  }

  /// An offset counts pixels of the level that is read, and of either one between two levels.
  @Test(arguments: interpolations, Executor.allCases)
  func offsetsInLevels(_ sampler: Sampler, on executor: Executor) throws {
    for name in ["offset-level", "offset-projective"] {
      try check(name, sampler, on: executor, tolerance: tolerance(executor, sampler)) { reference, row in
        reference.sampled(sampler, Double(row[0]), Double(row[1]), lod: Double(row[2]), offset: (3, -5))
      }
    }
    guard sampler.interpolation == .mipmap else { return }
    for name in ["offset-gradient", "offset-projective-gradient"] {
      try check(name, sampler, on: executor, tolerance: executor == .cpu ? 1e-4 : 0.06) { reference, row in
        reference.sampled(sampler, Double(row[0]), Double(row[1]), lod: log2(Double(row[3] * 13)), offset: (3, -5))
      }
    }
  }

  @Test(arguments: Sampler.AddressMode.allCases, Executor.allCases)
  func gathersWithOffsets(_ mode: Sampler.AddressMode, on executor: Executor) throws {
    func pixels(_ reference: TextureReference, _ row: [Float], _ offset: (Int, Int)) -> [Double] {
      reference.corners(Double(row[0]), Double(row[1]), mode, level: 0, offset: offset).pixels.map { $0[1] }
    }
    try check("gather-offset", Sampler(.linear, mode), on: executor, tolerance: 1e-6) { reference, row in
      let pixels = pixels(reference, row, (3, -5))
      return SIMD4(pixels[2], pixels[3], pixels[1], pixels[0])
    }
    try check("gather-offsets", Sampler(.linear, mode), on: executor, tolerance: 1e-6) { reference, row in
      SIMD4([(0, 1), (2, 3), (-4, 1), (5, -6)].map { pixels(reference, row, $0)[0] })
    }
  }

  /// Both steps are as long as w of a side: the longer one decides.
  @Test(arguments: Executor.allCases)
  func gradients(on executor: Executor) throws {
    let sampler = Sampler(.mipmap, .repeat)
    try check("gradient", sampler, on: executor, tolerance: executor == .cpu ? 1e-4 : 0.06) { reference, row in
      let lod = log2(Double(row[3] * 13))
      return reference.sampled(sampler, Double(row[0]), Double(row[1]), lod: lod)
    }
  }

  @Test(arguments: Executor.allCases)
  func fetches(on executor: Executor) throws {
    try check("fetch", Sampler(.mipmap), on: executor, tolerance: 1e-6) { reference, row in
      let level = Int(row[2])
      if executor == .vulkan, !(0..<reference.levelCount).contains(level) { return .zero }
      return reference.fetched(Int((row[0] * 13).rounded(.down)), Int((row[1] * 10).rounded(.down)), level: level)
    }
  }

  @Test(arguments: Executor.allCases)
  func fetchesWithOffsets(on executor: Executor) throws {
    try check("fetch-offset", Sampler(.mipmap), on: executor, tolerance: 1e-6) { reference, row in
      let (x, y) = (Int((row[0] * 13).rounded(.down)) + 3, Int((row[1] * 10).rounded(.down)) - 5)
      return reference.fetched(x, y, level: Int(row[2]))
    }
  }

  @Test(arguments: Executor.allCases)
  func sizes(on executor: Executor) throws {
    let kernel = try KernelFile("texture/sizes.comp").kernel()
    let plan = Plan(
      kernel, size: Self.size, textures: [texture("picture", Self.picture, isMipmapped: true)],
      bindings: [2: .sampled(texture: 0, Sampler(.mipmap))])
    let results = try executor.backend().words(of: plan, imports: [Self.picture], uniforms: [littleEndian(Self.rows.joined())])
    #expect(results.allSatisfy { $0 == [6, 5, 4, 13] })
  }

  @Test(arguments: Executor.allCases)
  func parameters(on executor: Executor) throws {
    let pictures = [PixelBuffer.noise(Size(16, 16), .rgba8, seed: 4), .noise(Size(16, 16), .rgba8, seed: 5)]
    let kernel = try KernelFile("texture/parameters.comp").kernel()
    let plan = Plan(
      kernel, size: Self.size,
      textures: [texture("first", pictures[0], isMipmapped: false), texture("second", pictures[1], import: 1, isMipmapped: false)],
      bindings: [2: .sampled(texture: 0, Sampler(.nearest)), 3: .sampled(texture: 1, Sampler(.nearest))])
    let results = try executor.backend().words(of: plan, imports: pictures, uniforms: [littleEndian(Self.rows.joined())])
    let references = pictures.map(TextureReference.init)
    func at(_ number: Int, _ x: Float, _ y: Float) -> SIMD4<Double> {
      references[number].fetched(Int(x.magnitude * 4), Int(y.magnitude * 4), level: 0)
    }
    for (row, result) in zip(Self.rows, results) {
      let expected = at(0, row[0], row[1]) * 2 + at(1, row[1], row[0]) - (at(1, row[1], row[0]) * 2 + at(0, row[0], row[1]))
      for channel in 0..<4 { #expect((Double(Float(bitPattern: result[channel])) - expected[channel]).magnitude < 1e-6) }
    }
  }

  /// Whole pixels are read exactly, whatever the format.
  @Test(arguments: PixelFormat.allCases, Executor.allCases)
  func formats(_ format: PixelFormat, on executor: Executor) throws {
    let picture = PixelBuffer.noise(Size(16, 16), format)
    let plan = Plan(
      try KernelFile("texture/formats.comp").kernel(), size: picture.size, textures: [texture("picture", picture, isMipmapped: false)],
      bindings: [2: .sampled(texture: 0, Sampler(.nearest))])
    let results = try executor.backend().words(of: plan, imports: [picture])
    let reference = TextureReference(picture)
    for (index, result) in results.enumerated() {
      let expected = reference.pixel(index % 16, index / 16)
      for channel in 0..<4 {
        let distance = (Double(Float(bitPattern: result[channel])) - expected[channel]).magnitude
        #expect(distance <= (executor == .cpu ? 0 : 2 * ulp(expected[channel])), "\(format), pixel \(index), channel \(channel)")
      }
    }
  }
}
