import EtalonDiagnostics
import EtalonPlan
import EtalonSPIRV
import EtalonTypes
import Testing

@testable import EtalonVulkan

/// Analytically known pictures, through outputs of every format, cut and uncut.
@Suite struct RenderTests {
  @Test(arguments: [Size(64, 64), Size(1, 1), Size(33, 17)])
  func gradientStartsAtTheBottomLeft(_ size: Size) throws {
    let picture = try render(TestKernels.generator("gradient", size: size, "color = vec4(vec2(p) / 255.0, 0.0, 1.0);"))
    for y in 0..<size.height {
      for x in 0..<size.width { #expect(picture.channels(x, y) == [x, y, 0, 255]) }
    }
  }

  /// 64 columns of four bytes: bands of 2, 6 and 64 rows.
  @Test(arguments: [512, 1700, 1 << 20])
  func bandsDoNotShow(_ maxBandByteCount: Int) throws {
    let plan = try TestKernels.generator("checker", size: Size(64, 37), "color = vec4(float((p.x / 8 + p.y / 8) % 2), p / 255.0, 1.0);")
    let picture = try render(plan, maxBandByteCount: maxBandByteCount)
    for y in 0..<37 {
      for x in 0..<64 { #expect(picture.channels(x, y) == [(x / 8 + y / 8) % 2 * 255, x, y, 255]) }
    }
  }

  /// Each band has a mark behind its pixels, and each frame starts without any.
  @Test func everyBandHasItsMark() throws {
    let size = Size(64, 37)
    let kernel = try TestKernels.make(
      "marked",
      """
      layout(std140, set = 0, binding = 0) uniform Values { int row; };
      layout(std430, set = 0, binding = 1) writeonly buffer Output { uint pixels[]; };
      void main() {
        ivec2 p = PIXEL;
        if (isInside(p)) pixels[indexOf(p)] = 0xffffffffu;
        if (isInside(p) && p == ivec2(9, row)) pixels[(etalonEnd.y - etalonOrigin.y) * (etalonEnd.x - etalonOrigin.x)] = 1u;
      }
      """, resources: [TestKernels.output()], uniformSize: 16)
    let plan = Plan(
      textures: [], outputs: [.init(name: "main", size: size, format: .rgba8, alpha: .straight)], kernels: [kernel],
      passes: [.init(name: "image", kernel: 0, size: size, bindings: [1: .output(0)])])
    // Bands of six rows.
    let backend = try makeBackend(maxBandByteCount: 64 * 4 * 6)
    let execution = try backend.prepare(PlanChecker().check(plan), imports: [], framesInFlight: 1)
    for (row, isMarked) in [(0, true), (-1, false), (18, true), (36, true), (99, false)] {
      let bytes = (0..<4).map { UInt8(truncatingIfNeeded: row >> (8 * $0)) } + [UInt8](repeating: 0, count: 12)
      let frame = try execution.submit(FrameValues(frame: 0, uniforms: [bytes]))
      try frame.wait()
      #expect(frame.holdsNaN(in: 0) == isMarked, "row \(row)")
      #expect(read(frame, plan.outputs[0]).bytes.allSatisfy { $0 == 255 })
      frame.release()
    }
    try #require(backend.validationLog).check()
  }

  /// The horizontal and the vertical partner in each quad, also at the edges, where the partner lies outside.
  @Test(arguments: [Size(32, 32), Size(17, 5)])
  func quadsAreTwoByTwo(_ size: Size) throws {
    let kernel = try TestKernels.make(
      "quads",
      """
      layout(std430, set = 0, binding = 1) writeonly buffer Output { uint pixels[]; };
      void main() {
        ivec2 p = PIXEL_IN_QUADS;
        ivec2 across = subgroupQuadSwapHorizontal(p);
        ivec2 above = subgroupQuadSwapVertical(p);
        if (isInside(p)) pixels[indexOf(p)] = packUnorm4x8(vec4(across, above) / 255.0);
      }
      """, resources: [TestKernels.output()], usesSubgroups: true)
    let plan = Plan(
      textures: [], outputs: [.init(name: "main", size: size, format: .rgba8, alpha: .straight)], kernels: [kernel],
      passes: [.init(name: "image", kernel: 0, size: size, bindings: [1: .output(0)])])
    let picture = try render(plan, maxBandByteCount: size.width * 4 * 6)
    for y in 0..<size.height {
      for x in 0..<size.width { #expect(picture.channels(x, y) == [x ^ 1, y, x, y ^ 1]) }
    }
  }

  @Test func sixteenBitOutput() throws {
    let kernel = try TestKernels.make(
      "wide",
      """
      layout(std430, set = 0, binding = 1) writeonly buffer Output { uvec2 pixels[]; };
      void main() {
        ivec2 p = PIXEL;
        vec4 color = vec4(vec2(p) * 1000.0, 65535.0, 0.0) / 65535.0;
        if (isInside(p)) pixels[indexOf(p)] = uvec2(packUnorm2x16(color.rg), packUnorm2x16(color.ba));
      }
      """, resources: [TestKernels.output()])
    let picture = try render(plan(kernel, .rgba16, Size(40, 20)))
    for y in 0..<20 {
      for x in 0..<40 { #expect(picture.channels(x, y) == [x * 1000, y * 1000, 65535, 0]) }
    }
  }

  @Test func floatOutput() throws {
    let kernel = try TestKernels.make(
      "float",
      """
      layout(std430, set = 0, binding = 1) writeonly buffer Output { vec4 pixels[]; };
      void main() {
        ivec2 p = PIXEL;
        if (isInside(p)) pixels[indexOf(p)] = vec4(positionOf(p), -1e30, float(p.x * p.y));
      }
      """, resources: [TestKernels.output()])
    let picture = try render(plan(kernel, .rgba32f, Size(18, 18)))
    for y in 0..<18 {
      for x in 0..<18 {
        #expect((0..<4).map { picture.float(x, y, $0) } == [Float(x) + 0.5, Float(y) + 0.5, -1e30, Float(x * y)])
      }
    }
  }

  private func plan(_ kernel: Kernel, _ format: PixelFormat, _ size: Size) -> Plan {
    Plan(
      textures: [], outputs: [.init(name: "main", size: size, format: format, alpha: .straight)], kernels: [kernel],
      passes: [.init(name: "image", kernel: 0, size: size, bindings: [1: .output(0)])])
  }

  /// A pass writes a texture, the next one reads its neighbours and writes two outputs.
  @Test func passesSeeWhatEarlierOnesWrote() throws {
    let size = Size(30, 22)
    let write = try TestKernels.make(
      "write",
      """
      layout(set = 0, binding = 3) writeonly uniform image2D target;
      void main() {
        ivec2 p = PIXEL;
        if (isInside(p)) imageStore(target, p, vec4(p, p.x + p.y, 255) / 255.0);
      }
      """, resources: [TestKernels.target("target", 3)])
    let read = try TestKernels.make(
      "read",
      """
      layout(set = 0, binding = 2) uniform sampler2D picture;
      layout(std430, set = 0, binding = 1) writeonly buffer Output { uint pixels[]; };
      layout(std430, set = 0, binding = 4) writeonly buffer Second { uint others[]; };
      void main() {
        ivec2 p = PIXEL;
        vec4 left = texelFetch(picture, ivec2(max(p.x - 1, 0), p.y), 0);
        vec4 above = texelFetch(picture, ivec2(p.x, min(p.y + 1, \(size.height - 1))), 0);
        if (isInside(p)) { pixels[indexOf(p)] = packUnorm4x8(left); others[indexOf(p)] = packUnorm4x8(above); }
      }
      """, resources: [TestKernels.output(), TestKernels.texture("picture", 2), TestKernels.output(4)])
    let plan = Plan(
      textures: [.init(name: "bufferA", role: .transient, size: size, format: .rgba16f, isMipmapped: false)],
      outputs: [
        .init(name: "main", size: size, format: .rgba8, alpha: .straight),
        .init(name: "second", size: size, format: .rgba8, alpha: .straight),
      ], kernels: [write, read],
      passes: [
        .init(name: "bufferA", kernel: 0, size: size, bindings: [3: .storage(texture: 0)]),
        .init(name: "image", kernel: 1, size: size, bindings: [1: .output(0), 2: .sampled(texture: 0, Sampler(.nearest)), 4: .output(1)]),
      ])
    for limit in [nil, 30 * 4 * 4] {
      let left = try render(plan, output: 0, maxBandByteCount: limit)
      let above = try render(plan, output: 1, maxBandByteCount: limit)
      for y in 0..<22 {
        for x in 0..<30 {
          let (l, a) = (max(x - 1, 0), min(y + 1, 21))
          #expect(left.channels(x, y) == [l, y, l + y, 255])
          #expect(above.channels(x, y) == [x, a, x + a, 255])
        }
      }
    }
  }
}
