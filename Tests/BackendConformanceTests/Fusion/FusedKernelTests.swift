import EtalonManifest
import EtalonPlan
import EtalonTypes
import Testing

/// Filters fused into one kernel give what they give one after the other.
@Suite struct FusedKernelTests {
  private static let size = Size(40, 34)
  private static let picture = PixelBuffer.noise(size, .rgba32f)

  private static let tint = """
    /*{ "ETALON": 1, "INPUTS": [{ "NAME": "inputImage", "TYPE": "image" }, { "NAME": "tint", "TYPE": "vec4", "DEFAULT": [1, 1, 1, 1] },
      { "NAME": "amount", "TYPE": "float", "DEFAULT": 1 }] }*/
    vec4 colorKernel(vec4 color) { return mix(color, color * tint, amount); }
    """
  private static let vignette = """
    /*{ "ETALON": 1, "INPUTS": [{ "NAME": "inputImage", "TYPE": "image" }, { "NAME": "amount", "TYPE": "float", "DEFAULT": 1 }] }*/
    vec2 middle = RENDERSIZE / 2.0;
    float distanceToMiddle = length(POSITION - middle) / length(middle);
    vec4 colorKernel(vec4 color) { return color * (1.0 - amount * distanceToMiddle); }
    """
  private static let blend = """
    /*{ "ETALON": 1, "INPUTS": [{ "NAME": "front", "TYPE": "image" }, { "NAME": "back", "TYPE": "image" },
      { "NAME": "amount", "TYPE": "float", "DEFAULT": 1 }] }*/
    vec4 colorKernel(vec4 front, vec4 back) { return mix(front, back, amount) + front * back; }
    """
  private static let stripes = """
    void mainImage(out vec4 fragColor, in vec2 fragCoord) {
      vec2 p = fragCoord / iResolution.xy;
      p.x += 0.02 * sin(40.0 * p.y);
      fragColor = texture(iChannel0, p * 3.0) + dFdx(p.x) * 5.0;
    }
    """

  private func check(
    _ nodes: [FilterChain.Node], on executor: Executor, interpolation: Sampler.Interpolation = .nearest, tolerance: Float = 0,
    stagesChangeAlpha: Bool = false
  ) throws {
    let chain = FilterChain(
      nodes: nodes, size: Self.size, picture: Self.picture, interpolation: interpolation, stagesChangeAlpha: stagesChangeAlpha)
    let fused = try chain.words(chain.fused(), on: executor)
    let unfused = try chain.words(chain.unfused(), on: executor)
    let wrong = fused.indices.filter { pixel in
      !zip(fused[pixel], unfused[pixel]).allSatisfy { $0 == $1 || abs(Float(bitPattern: $0) - Float(bitPattern: $1)) <= tolerance }
    }
    #expect(
      wrong.isEmpty,
      "\(wrong.count) pixels differ, the first \(wrong[0]): \(fused[wrong[0]].map(Float.init(bitPattern:))), not \(unfused[wrong[0]].map(Float.init(bitPattern:)))"
    )
    #expect(Set(fused).count > fused.count / 4, "the picture hardly depends on the filters")
    try executor.checkValidation()
  }

  @Test(arguments: Executor.allCases) func chain(on executor: Executor) throws {
    try check(
      [
        .init(text: Self.tint, values: ["tint": [0.3, 1.5, 0.7, 1], "amount": [0.75]]),
        .init(text: Self.vignette, links: [0: 0], values: ["amount": [0.6]]),
        .init(text: Self.tint, links: [0: 1], values: ["tint": [1.25, 0.5, 2, 1], "amount": [0.5]]),
      ], on: executor, tolerance: executor == .cpu ? 0 : 1e-5)
  }

  @Test(arguments: Executor.allCases) func sameFilterTwice(on executor: Executor) throws {
    try check(
      [
        .init(text: Self.vignette, values: ["amount": [0.25]]), .init(text: Self.vignette, links: [0: 0], values: ["amount": [0.9]]),
      ], on: executor, tolerance: executor == .cpu ? 0 : 1e-5)
  }

  @Test(arguments: Executor.allCases) func twoArguments(on executor: Executor) throws {
    try check(
      [
        .init(text: Self.vignette, values: ["amount": [0.4]]),
        .init(text: Self.tint, links: [0: 0], values: ["tint": [0.5, 0.25, 2, 1], "amount": [1]]),
        .init(text: Self.blend, links: [0: 1], values: ["amount": [0.3]]),
        .init(text: Self.blend, links: [0: 2, 1: 0], values: ["amount": [0.7]]),
      ], on: executor, tolerance: executor == .cpu ? 0 : 1e-5)
  }

  @Test(arguments: Executor.allCases) func headThatReadsMipmaps(on executor: Executor) throws {
    try check(
      [
        .init(text: Self.stripes), .init(text: Self.tint, links: [0: 0], values: ["tint": [0.5, 0.25, 2, 1], "amount": [1]]),
      ], on: executor, interpolation: .mipmap, tolerance: executor == .cpu ? 0 : 1e-5)
  }

  @Test(arguments: [PixelFormat.r8, .rg8, .rgba8, .r16, .rgba16, .r32f, .rg32f])
  func keepsTheRangeOfTheFormat(_ format: PixelFormat) throws {
    try check(
      [
        .init(text: Self.tint, values: ["tint": [0.3, 1.5, 0.7, 1], "amount": [0.75]], format: format),
        .init(text: Self.vignette, links: [0: 0], values: ["amount": [0.6]]),
      ], on: .cpu)
  }

  @Test(arguments: [StoreVariant.Alpha.opaque, .multiply, .divide], [false, true])
  func changesAlphaOnTheWay(_ alpha: StoreVariant.Alpha, _ inStage: Bool) throws {
    try check(
      [
        .init(text: Self.tint, values: ["tint": [0.3, 1.5, 0.7, 1], "amount": [0.75]], format: inStage ? .rgba8 : .rgba32f, alpha: alpha),
        .init(text: Self.vignette, links: [0: 0], values: ["amount": [0.6]]),
      ], on: .cpu, stagesChangeAlpha: inStage)
  }
}
