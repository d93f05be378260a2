import EtalonPlan
import EtalonTestSupport
import EtalonTypes
import Glibc
import Testing

/// Reading textures of three dimensions, imported and rendered.
@Suite struct VolumeTests {
  private static let size = Size(32, 32)
  private static let sides = [12, 7, 9]
  private static let picture = PixelBuffer.noise(Size(12, 7 * 9), .rgba8)

  /// Positions around the volume and levels: 1024 rows, none next to a border between pixels of the first level.
  private static let rows: [[Float]] = {
    var random = SeededNumbers(seed: 31)
    func number(_ range: ClosedRange<Float>) -> Float {
      range.lowerBound + (range.upperBound - range.lowerBound) * Float(random.next() >> 40) * 0x1p-24
    }
    func coordinate(_ side: Int) -> Float {
      let pixel = number(-1.5 * Float(side)...2.5 * Float(side)).rounded(.down)
      return (pixel + number(0.05...0.45) + (random.next() % 2 == 0 ? 0 : 0.5)) / Float(side)
    }
    return (0..<1024).map { _ in sides.map(coordinate) + [number(-1...4)] }
  }()

  private static let samplers = Sampler.Interpolation.allCases.flatMap { interpolation in
    Sampler.AddressMode.allCases.map { Sampler(interpolation, $0) }
  }

  private func plan(_ name: String, _ sampler: Sampler, size: Size = Self.size) throws -> Plan {
    let volume = Plan.Texture(
      name: "volume", role: .imported(0), shape: .volume(depth: Self.sides[2]), size: Size(Self.sides[0], Self.sides[1]), format: .rgba8,
      isMipmapped: true)
    return Plan(
      try KernelFile("texture/\(name).comp").kernel(), size: size, textures: [volume], bindings: [2: .sampled(texture: 0, sampler)])
  }

  private func check(
    _ name: String, _ sampler: Sampler, on executor: Executor, tolerance: Double, _ expected: (VolumeReference, [Double]) -> SIMD4<Double>
  ) throws {
    let plan = try plan(name, sampler)
    let results = try executor.backend().words(of: plan, imports: [Self.picture], uniforms: [littleEndian(Self.rows.joined())])
    let reference = VolumeReference(Self.picture, plan.textures[0])
    var wrong: [String] = []
    for (row, result) in zip(Self.rows, results) {
      let actual = SIMD4(result.map { Double(Float(bitPattern: $0)) }), exact = expected(reference, row.map(Double.init))
      let isClose = (0..<4).allSatisfy { (actual[$0] - exact[$0]).magnitude <= tolerance }
      if !isClose { wrong.append("at \(row): \(actual), not \(exact)") }
    }
    #expect(wrong.isEmpty, "\(name) \(sampler): \(wrong.count) wrong, first\n\(wrong.prefix(3).joined(separator: "\n"))")
    try executor.checkValidation()
  }

  @Test(arguments: samplers, Executor.allCases)
  func samples(_ sampler: Sampler, on executor: Executor) throws {
    let isExact = executor == .cpu || sampler.interpolation == .nearest
    try check("volume", sampler, on: executor, tolerance: isExact ? 4e-5 : sampler.interpolation == .linear ? 4.0 / 256 : 8.0 / 256) {
      $0.sampled(sampler, $1, lod: $1[3])
    }
  }

  /// An offset counts pixels of the level that is read.
  @Test(arguments: samplers, Executor.allCases)
  func offsets(_ sampler: Sampler, on executor: Executor) throws {
    let isExact = executor == .cpu || sampler.interpolation == .nearest
    try check(
      "volume-offset", sampler, on: executor, tolerance: isExact ? 4e-5 : sampler.interpolation == .linear ? 4.0 / 256 : 8.0 / 256
    ) {
      $0.sampled(sampler, $1, lod: $1[3], offset: [3, -5, 2])
    }
  }

  @Test(arguments: Executor.allCases)
  func gradients(on executor: Executor) throws {
    let sampler = Sampler(.mipmap, .repeat)
    try check("volume-gradient", sampler, on: executor, tolerance: executor == .cpu ? 1e-3 : 0.06) { reference, row in
      let first = row[3].magnitude * 9, second = hypot(0.5 * row[3] * 12, 0.25 * row[3] * 7)
      return reference.sampled(sampler, row, lod: log2(max(first, second)))
    }
  }

  @Test(arguments: Executor.allCases)
  func wholePixels(on executor: Executor) throws {
    let plan = try plan("volume-pixels", Sampler(.mipmap), size: Size(13, 63))
    let reference = VolumeReference(Self.picture, plan.textures[0])
    for (index, result) in try executor.backend().words(of: plan, imports: [Self.picture]).enumerated() {
      let (x, y) = (index % 13, index / 13)
      let expected = x == 12 ? SIMD4(12, 7, 9, 4) : reference.pixel(x, y % 7, y / 7)
      for channel in 0..<4 { #expect((Double(Float(bitPattern: result[channel])) - expected[channel]).magnitude < 1e-6) }
    }
    try executor.checkValidation()
  }

  @Test(arguments: Executor.allCases)
  func rendered(on executor: Executor) throws {
    let plan = Plan(
      textures: [
        .init(name: "volume", role: .transient, shape: .volume(depth: 6), size: Size(12, 8), format: .rgba16f, isMipmapped: false)
      ],
      outputs: [.init(name: "main", size: Size(13, 48), format: .rgba32f, alpha: .straight)],
      kernels: [try KernelFile("frames/volume.comp").kernel(), try KernelFile("texture/volume-pixels.comp").kernel()],
      passes: [
        .init(name: "write", kernel: 0, coverage: .workgroups(3, 2, 3), bindings: [2: .storage(texture: 0)]),
        .init(name: "show", kernel: 1, size: Size(13, 48), bindings: [1: .output(0), 2: .sampled(texture: 0, Sampler(.linear))]),
      ])
    for (index, result) in try executor.backend().words(of: plan).enumerated() {
      let (x, y) = (index % 13, index / 13)
      let expected: [Float] = x == 12 ? [12, 8, 6, 1] : [Float(x), Float(y % 8), Float(y / 8), 1]
      #expect(result.map { Float(bitPattern: $0) } == expected)
    }
    try executor.checkValidation()
  }
}

/// Reads textures of three dimensions as samplers are documented to, in double precision.
struct VolumeReference {
  private let levels: [[PixelBuffer]]

  init(_ picture: PixelBuffer, _ texture: Plan.Texture) { levels = TextureLevels(of: picture, for: texture).levels }

  func pixel(_ x: Int, _ y: Int, _ z: Int, level: Int = 0) -> SIMD4<Double> {
    let slice = levels[level][z]
    return SIMD4((0..<4).map { Double(slice.channel(x, slice.size.height - 1 - y, $0)) })
  }

  private func sides(_ level: Int) -> [Int] { [levels[level][0].size.width, levels[level][0].size.height, levels[level].count] }

  private func addressed(_ place: [Int], _ mode: Sampler.AddressMode, level: Int) -> SIMD4<Double> {
    let found = zip(place, sides(level)).map { i, count -> Int? in
      switch mode {
      case .clamp: return min(max(i, 0), count - 1)
      case .repeat: return (i % count + count) % count
      case .mirror:
        let wrapped = (i % (2 * count) + 2 * count) % (2 * count)
        return wrapped < count ? wrapped : 2 * count - 1 - wrapped
      case .transparent: return (0..<count).contains(i) ? i : nil
      }
    }.compactMap(\.self)
    return found.count < 3 ? .zero : pixel(found[0], found[1], found[2], level: level)
  }

  private func linear(_ position: [Double], _ mode: Sampler.AddressMode, level: Int, _ offset: [Int]) -> SIMD4<Double> {
    let places = zip(position, sides(level)).map { $0 * Double($1) - 0.5 }
    var sum = SIMD4<Double>.zero
    for corner in 0..<8 {
      var weight = 1.0
      let place = (0..<3).map { axis -> Int in
        let fraction = places[axis] - places[axis].rounded(.down), isSecond = corner >> axis & 1 == 1
        weight *= isSecond ? fraction : 1 - fraction
        return Int(places[axis].rounded(.down)) + offset[axis] + (isSecond ? 1 : 0)
      }
      sum += addressed(place, mode, level: level) * weight
    }
    return sum
  }

  /// The offset is one of pixels of each level that is read.
  func sampled(_ sampler: Sampler, _ position: [Double], lod: Double, offset: [Int] = [0, 0, 0]) -> SIMD4<Double> {
    switch sampler.interpolation {
    case .nearest:
      let places = zip(position, sides(0)).map { Int(($0 * Double($1)).rounded(.down)) }
      return addressed(zip(places, offset).map { $0 + $1 }, sampler.address, level: 0)
    case .linear: return linear(position, sampler.address, level: 0, offset)
    case .mipmap:
      let level = min(max(lod, 0), Double(levels.count - 1)), whole = Int(level.rounded(.down))
      let near = linear(position, sampler.address, level: whole, offset)
      let far = linear(position, sampler.address, level: min(whole + 1, levels.count - 1), offset)
      return near + (far - near) * (level - level.rounded(.down))
    }
  }
}
