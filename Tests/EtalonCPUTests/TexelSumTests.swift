import EtalonCPU
import EtalonPlan
import EtalonSPIRV
import EtalonTypes
import Testing

/// Sums of whole texels give what their products and sums give one by one, with every instruction set.
@Suite struct TexelSumTests {
  private static let size = Size(70, 35)

  // MARK: what is summed

  /// A picture with numbers of its own in every channel; its first row is the last of the texture.
  private static func picture(_ format: PixelFormat) -> PixelBuffer {
    let size = Size(61, 29)
    let bytes = (0..<size.pixelCount * format.bytesPerPixel).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 13) }
    return PixelBuffer(size: size, format: format, alpha: .straight, bytes: bytes)
  }

  /// The texel in a column and a row from the bottom, as `texelFetch` reads it; zeros outside.
  private struct Texels {
    let picture: PixelBuffer

    subscript(x: Int, y: Int) -> SIMD4<Float> {
      guard (0..<picture.size.width).contains(x), (0..<picture.size.height).contains(y) else { return .zero }
      let pixel = (picture.size.height - 1 - y) * picture.size.width + x
      func channel(_ number: Int) -> Float { Float(picture.bytes[pixel * picture.format.channelCount + number]) / 255 }
      return picture.format == .r8
        ? SIMD4(channel(0), 0, 0, 1) : SIMD4(channel(0), channel(1), channel(2), channel(3))
    }
  }

  private static func run(_ text: String, _ picture: PixelBuffer, _ set: InstructionSet) throws -> (words: [UInt32], listing: String) {
    let plain = GLSL.interface
    let interface = KernelInterface(
      entryPoint: plain.entryPoint, workgroupSize: plain.workgroupSize, uniforms: nil, pushConstants: plain.pushConstants,
      resources: plain.resources + [KernelInterface.Resource(name: "picture", binding: 2, kind: .sampledTexture(.two))],
      usesSubgroups: plain.usesSubgroups)
    let whole = """
      layout(set = 0, binding = 2) uniform sampler2D picture;
      vec4 at(int x, int y) { return texelFetch(picture, ivec2(x, y), 0); }
      uint all(vec4 sum) { uvec4 b = floatBitsToUint(sum); return b.x ^ (b.y << 7 | b.y >> 25) ^ (b.z * 5u) ^ (b.w * 11u); }

      """ + text
    let kernel = Kernel(name: "sums", words: try GLSL.kernel("sums", whole).words, interface: interface)
    let texture = Plan.Texture(name: "picture", role: .imported(0), size: picture.size, format: picture.format, isMipmapped: false)
    let output = Plan.Output(name: "main", size: size, format: .rgba8, alpha: .straight)
    let pass = Plan.Pass(
      name: "image", kernel: 0, size: size, bindings: [1: .output(0), 2: .sampled(texture: 0, Sampler(.linear, .clamp))])
    let plan = try PlanChecker().check(Plan(textures: [texture], outputs: [output], kernels: [kernel], passes: [pass]))
    let frame = try CPUBackend(.init(threadCount: 1, instructionSet: set)).prepare(plan, imports: [picture], framesInFlight: 1)
      .submit(FrameValues(frame: 0, uniforms: [[]]))
    defer { frame.release() }
    return (try GLSL.words(of: frame), try ProgramListing.text(of: kernel))
  }

  /// Compares every pixel with a function of its column and its row, for pictures of four channels and of one.
  ///
  /// - Parameter sums: how many texels each instruction is expected to sum, in the order of the program.
  private static func compare(_ text: String, sums: [Int], with expected: (_ at: (Int, Int) -> SIMD4<Float>, Int, Int) -> SIMD4<Float>)
    throws
  {
    for format in [PixelFormat.rgba8, .r8] {
      let picture = picture(format), texels = Texels(picture: picture)
      for set in InstructionSet.allCases where set.isSupported {
        let (words, listing) = try run(text, picture, set)
        let counts = listing.split(separator: "\n").compactMap { line -> Int? in
          let words = line.split(separator: " ")
          return words.first == "sum_texels" ? words.last.flatMap { Int($0) }.map { $0 & 15 } : nil
        }
        #expect(counts == sums, "other texels became sums:\n\(listing)")
        for (place, word) in words.enumerated() {
          let x = place % size.width, y = size.height - 1 - place / size.width
          let wanted = all(expected({ texels[$0, $1] }, x, y))
          guard word != wanted else { continue }
          Issue.record("pixel (\(x), \(y)) of \(format) with \(set): \(String(word, radix: 16)), expected \(String(wanted, radix: 16))")
          break
        }
      }
    }
  }

  private static func all(_ sum: SIMD4<Float>) -> UInt32 {
    func bits(_ channel: Int) -> UInt32 { sum[channel].isNaN ? 0x7fc0_0000 : sum[channel].bitPattern }
    return bits(0) ^ (bits(1) << 7 | bits(1) >> 25) ^ (bits(2) &* 5) ^ (bits(3) &* 11)
  }

  // MARK: forms of sums

  @Test func texelsOfAllKinds() throws {
    let text = """
      uint result(uint x, uint y) {
        int i = int(x), j = int(y);
        float w = float(x) * 0.125 - float(y) * 0.3;
        vec4 sum = at(i, j);
        sum += w * at(i + 1, j);
        sum += at(i, j - 2) * 0.3;
        sum += at(i - 3, j + 1);
        sum = w * w * at(3 * j, i) + sum;
        return all(sum);
      }
      """
    try Self.compare(text, sums: [5]) { at, x, y in
      let w = Float(x) * 0.125 - Float(y) * 0.3
      var sum = at(x, y)
      sum += w * at(x + 1, y)
      sum += at(x, y - 2) * 0.3
      sum += at(x - 3, y + 1)
      return w * w * at(3 * y, x) + sum
    }
  }

  @Test func sumsThatBeginWithProducts() throws {
    let text = """
      uint result(uint x, uint y) {
        float w = 1.0 / (float(x) - 9.0);
        return all(w * at(int(x), int(y)) + (0.5 - w) * at(int(x) + 1, int(y)));
      }
      """
    // The weight of column 9 is infinite, and NaN is what it makes of zeros.
    try Self.compare(text, sums: [2]) { at, x, y in
      let w = 1 / (Float(x) - 9)
      return w * at(x, y) + (0.5 - w) * at(x + 1, y)
    }
  }

  @Test func loopsOverBothSides() throws {
    let text = """
      uint result(uint x, uint y) {
        vec4 sum = vec4(0.25);
        float w = 0.7;
        for (int i = 1; i <= 4; i++) {
          w *= 0.3 + 0.01 * float(x);
          sum += w * at(int(x), clamp(int(y) + i, 0, 28));
          sum += w * at(int(x), clamp(int(y) - i, 0, 28));
        }
        return all(sum / 3.0);
      }
      """
    try Self.compare(text, sums: [2]) { at, x, y in
      var sum = SIMD4<Float>(repeating: 0.25)
      var w: Float = 0.7
      for i in 1...4 {
        w *= 0.3 + 0.01 * Float(x)
        sum += w * at(x, min(max(y + i, 0), 28))
        sum += w * at(x, min(max(y - i, 0), 28))
      }
      return sum / 3
    }
  }

  @Test func columnsInAnyOrder() throws {
    let text = """
      uint result(uint x, uint y) {
        int i = int(x), j = int(y);
        vec4 sum = at(60 - i, j) + at(4 * i, j) + at(8 * i - 3, j) + at(i / 2, j) + at(i * 7 % 61, j) + at(5, j) + at(i, i);
        return all(sum);
      }
      """
    try Self.compare(text, sums: [7]) { at, i, j in
      let first = at(60 - i, j) + at(4 * i, j) + at(8 * i - 3, j)
      return first + at(i / 2, j) + at(i * 7 % 61, j) + at(5, j) + at(i, i)
    }
  }

  @Test func moreTexelsThanFitAnInstruction() throws {
    let terms = (1...20).map { "sum += \(Float($0) / 32) * at(int(x) + \($0), int(y));" }.joined(separator: "\n  ")
    let text = "uint result(uint x, uint y) {\n  vec4 sum = vec4(float(y));\n  \(terms)\n  return all(sum);\n}"
    try Self.compare(text, sums: [15, 5]) { at, x, y in
      (1...20).reduce(SIMD4(repeating: Float(y))) { $0 + Float($1) / 32 * at(x + $1, y) }
    }
  }

  @Test func channelsThatNothingNeeds() throws {
    let text = """
      uint result(uint x, uint y) {
        vec3 sum = vec3(0.5);
        for (int i = 0; i < 3; i++) sum += float(i) * at(int(x) + i, int(y)).rgb + 0.1 * at(int(x) - i, int(y)).rgb;
        return all(vec4(sum, 2.0));
      }
      """
    try Self.compare(text, sums: [2]) { at, x, y in
      var sum = SIMD4<Float>(repeating: 0.5)
      for i in 0..<3 { sum += Float(i) * at(x + i, y) + 0.1 * at(x - i, y) }
      sum.w = 2
      return sum
    }
  }

  @Test func underBranchesOfSomeLanes() throws {
    let text = """
      uint result(uint x, uint y) {
        vec4 sum = vec4(float(x));
        if ((x + y) % 3u != 0u) {
          sum += 0.5 * at(int(x), int(y));
          sum += 0.25 * at(int(y), int(x));
        }
        return all(sum);
      }
      """
    try Self.compare(text, sums: [2]) { at, x, y in
      var sum = SIMD4(repeating: Float(x))
      if (x + y) % 3 != 0 {
        sum += 0.5 * at(x, y)
        sum += 0.25 * at(y, x)
      }
      return sum
    }
  }

  @Test func whatIsNoSumStaysAsItIs() throws {
    let text = """
      uint result(uint x, uint y) {
        vec4 one = at(int(x), int(y)), two = at(int(x) + 1, int(y)), three = at(int(x) + 2, int(y));
        vec4 sum = vec4(1.0) + one * 0.5;
        // Weights that differ, a texel that is needed once more, products that nothing is added to, another level.
        vec4 other = sum + vec4(0.1, 0.2, 0.3, 0.4) * two + three;
        return all(other * sum + three * 0.5 + texelFetch(picture, ivec2(x, y), 1));
      }
      """
    try Self.compare(text, sums: []) { at, x, y in
      let one = at(x, y), two = at(x + 1, y), three = at(x + 2, y)
      let sum = SIMD4<Float>(repeating: 1) + one * 0.5
      let other = sum + SIMD4<Float>(0.1, 0.2, 0.3, 0.4) * two + three
      return other * sum + three * 0.5 + SIMD4<Float>.zero
    }
  }

  @Test func sumsThatAreNeededOnceMore() throws {
    let text = """
      uint result(uint x, uint y) {
        vec4 start = vec4(float(x)) + 0.5 * at(int(x), int(y));
        vec4 sum = start + 0.25 * at(int(y), int(x));
        vec4 plain = at(int(x) + 2, int(y)), both = plain + 0.3 * at(int(x) + 3, int(y));
        return all(sum * start + both * plain);
      }
      """
    try Self.compare(text, sums: []) { at, x, y in
      let start = SIMD4<Float>(repeating: Float(x)) + 0.5 * at(x, y)
      let sum = start + 0.25 * at(y, x)
      let plain = at(x + 2, y), both = plain + 0.3 * at(x + 3, y)
      return sum * start + both * plain
    }
  }

  @Test func channelsThatNeedOneAnother() throws {
    let text = """
      uint result(uint x, uint y) {
        vec4 one = at(int(x), int(y)), two = at(int(x) + 1, int(y));
        float r = 0.5 * one.r + float(x);
        float g = 0.5 * one.g + r * r;
        float b = 0.5 * one.b + g;
        return all(vec4(r, g, b, 1.0) + 0.25 * two);
      }
      """
    try Self.compare(text, sums: []) { at, x, y in
      let one = at(x, y)
      let r = 0.5 * one.x + Float(x)
      let g = 0.5 * one.y + r * r
      return SIMD4(r, g, 0.5 * one.z + g, 1) + 0.25 * at(x + 1, y)
    }
  }

  // MARK: textures of bytes

  /// Rows of bytes are read at once where lanes read every, every second, fourth or eighth one.
  @Test(arguments: [1, 2, 4, 8]) func rowsOfBytes(step: Int) throws {
    let text = """
      uint result(uint x, uint y) {
        vec2 place = vec2(float(x) * \(step).0 + 1.0, float(y) - 1.0) / vec2(\(Self.wide.width).0, \(Self.wide.height).0);
        vec4 four = textureGather(picture, place, 0);
        return all(four + at(int(x) * \(step), int(y)) + 0.5 * at(\(Self.wide.width - 1) - int(x), int(y)).rrra);
      }
      """
    let bytes = (0..<Self.wide.pixelCount).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 13) }
    let picture = PixelBuffer(size: Self.wide, format: .r8, alpha: .straight, bytes: bytes)
    let reference = try Self.run(text, picture, .baseline).words
    #expect(Set(reference).count > 200, "a picture that says little proves little")
    for set in InstructionSet.allCases where set.isSupported {
      let words = try Self.run(text, picture, set).words
      #expect(words == reference, "\(zip(words, reference).count { $0 != $1 }) pixels differ with \(set)")
    }
  }

  /// Whole vectors of lanes lie inside of it at every step.
  private static let wide = Size(600, 29)

  @Test func everyByteIsItsFraction() throws {
    let size = Size(61, 29)
    let picture = PixelBuffer(
      size: size, format: .r8, alpha: .straight, bytes: (0..<size.pixelCount).map { UInt8(truncatingIfNeeded: $0) })
    let texels = Texels(picture: picture)
    for set in InstructionSet.allCases where set.isSupported {
      let words = try Self.run("uint result(uint x, uint y) { return floatBitsToUint(at(int(x), int(y)).r); }", picture, set).words
      for (place, word) in words.enumerated() {
        let x = place % Self.size.width, y = Self.size.height - 1 - place / Self.size.width
        #expect(word == texels[x, y].x.bitPattern, "byte at (\(x), \(y)) with \(set)")
      }
    }
  }
}
