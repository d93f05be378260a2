import EtalonCPU
import EtalonPlan
import EtalonSPIRV
import EtalonTypes
import Testing

/// The same bits of texture reads, whole vectors of stores and loads from every instruction set.
@Suite struct TextureDeterminismTests {
  private static let size = Size(70, 50)

  private static let text = """
    layout(set = 0, binding = 2) uniform sampler2D picture;
    uint result(uint x, uint y) {
      vec2 uv = (vec2(x, y) - 20.0) * 0.0371 + 0.001 * vec2(y, x);
      vec4 c = textureLod(picture, uv, 0.07 * float(x) - 0.5) + textureLod(picture, uv.yx, 0.0) * 0.7;
      c += texelFetch(picture, ivec2(x % 15u, y % 12u), 0) + texelFetch(picture, ivec2(x, y) / 7, int(x % 3u));
      c += textureGather(picture, uv, 1) * 0.3;
      c += textureLodOffset(picture, uv, 0.05 * float(y), ivec2(-7, 5)) * 0.2 + textureGatherOffset(picture, uv, ivec2(x % 9u, -3), 2) * 0.1;
      return floatBitsToUint(c.x + 3.0 * c.y) ^ floatBitsToUint(c.z * 5.0 - c.w) ^ uint(textureSize(picture, int(x % 2u)).x);
    }
    """

  private static func picture() -> PixelBuffer {
    let size = Size(13, 10)
    let bytes = (0..<size.pixelCount * 4).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) }
    return PixelBuffer(size: size, format: .rgba8, alpha: .straight, bytes: bytes)
  }

  private static func words(
    _ kernel: Kernel, _ sampler: Sampler, _ set: InstructionSet, _ perturbation: Perturbation? = nil
  ) throws -> [UInt8] {
    let picture = picture()
    let texture = Plan.Texture(name: "picture", role: .imported(0), size: picture.size, format: .rgba8, isMipmapped: true)
    let output = Plan.Output(name: "main", size: size, format: .rgba8, alpha: .straight)
    let pass = Plan.Pass(name: "image", kernel: 0, size: size, bindings: [1: .output(0), 2: .sampled(texture: 0, sampler)])
    let plan = try PlanChecker().check(Plan(textures: [texture], outputs: [output], kernels: [kernel], passes: [pass]))
    let frame = try CPUBackend(.init(threadCount: 1, instructionSet: set, perturbations: [perturbation].compactMap(\.self)))
      .prepare(plan, imports: [picture], framesInFlight: 1).submit(FrameValues(frame: 0, uniforms: [[]]))
    defer { frame.release() }
    try frame.wait()
    var bytes: [UInt8] = []
    frame.withBands(of: 0) { _, _, span in unsafe span.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) } }
    return bytes
  }

  private static let samplers = Sampler.Interpolation.allCases.flatMap { interpolation in
    Sampler.AddressMode.allCases.map { Sampler(interpolation, $0) }
  }

  private static func kernel(_ text: String) throws -> Kernel {
    let plain = GLSL.interface
    let interface = KernelInterface(
      entryPoint: plain.entryPoint, workgroupSize: plain.workgroupSize, uniforms: nil, pushConstants: plain.pushConstants,
      resources: plain.resources + [KernelInterface.Resource(name: "picture", binding: 2, kind: .sampledTexture(.two))],
      usesSubgroups: plain.usesSubgroups)
    return Kernel(name: "textures", words: try GLSL.kernel("textures", text).words, interface: interface)
  }

  @Test(arguments: samplers) func instructionSetsAgree(sampler: Sampler) throws {
    let kernel = try Self.kernel(Self.text)
    let reference = try Self.words(kernel, sampler, .baseline)
    #expect(Set(reference).count > 200, "a picture that says little proves little")
    for set in InstructionSet.allCases where set.isSupported {
      let words = try Self.words(kernel, sampler, set)
      let differing = zip(words, reference).filter { $0 != $1 }.count
      #expect(words.count == reference.count && differing == 0, "\(differing) bytes differ with \(set)")
    }
  }

  @Test(arguments: ["sampling=1", "sampling=2"]) func perturbedSamplingIsOffByALittle(perturbation: Substring) throws {
    let kernel = try Self.kernel(
      """
      layout(set = 0, binding = 2) uniform sampler2D picture;
      uint result(uint x, uint y) { return floatBitsToUint(textureLod(picture, vec2(x, y) * 0.0371, 0.1 * float(y)).x); }
      """)
    func values(_ perturbation: Perturbation?) throws -> [Float] {
      try Self.words(kernel, Sampler(.mipmap, .clamp), .baseline, perturbation).floats
    }
    let distances = zip(try values(nil), try values(Perturbation(perturbation))).map { ($0 - $1).magnitude }
    // One of 255 levels, and a part in 256 of a texel along two axes and of a level.
    let bound: Float = 1 / 255 + 3.01 / 256
    #expect(distances.allSatisfy { $0 <= bound })
    #expect(distances.count { $0 > 0 } > distances.count / 2)
  }
}
