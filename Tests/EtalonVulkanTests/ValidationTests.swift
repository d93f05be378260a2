import EtalonDiagnostics
import EtalonPlan
import EtalonSPIRV
import EtalonTypes
import Testing

@testable import EtalonVulkan

/// What stands between defects of Etalon and a driver.
@Suite struct ValidationTests {
  /// An interface that forgets the buffer which the kernel writes.
  @Test func theLayerIsHeard() throws {
    let kernel = try TestKernels.make(
      "wrong",
      """
      layout(std430, set = 0, binding = 1) writeonly buffer Output { uint pixels[]; };
      void main() { pixels[0] = 1; }
      """, resources: [])
    let plan = Plan(
      textures: [], outputs: [], kernels: [kernel], passes: [.init(name: "image", kernel: 0, size: Size(4, 4), bindings: [:])])
    let backend = try makeBackend()
    _ = try backend.prepare(PlanChecker().check(plan), imports: [], framesInFlight: 1)
    let error = #expect(throws: RenderError.self) { try backend.checkValidation() }
    #expect(error?.code == .internalError)
    #expect(error?.help.contains { $0.contains("VkComputePipelineCreateInfo") } == true)
  }

  /// Stores and reads far outside of the bound buffer and texture.
  @Test func accessOutsideIsHarmless() throws {
    let kernel = try TestKernels.make(
      "outside",
      """
      layout(set = 0, binding = 2) uniform sampler2D picture;
      layout(std430, set = 0, binding = 1) buffer Output { uint pixels[]; };
      void main() {
        ivec2 p = PIXEL;
        uint read = pixels[100000000 + p.x] + uint(texelFetch(picture, ivec2(100000), 0).r);
        pixels[50000000 + p.x * 1000] = 7u;
        if (isInside(p)) pixels[indexOf(p)] = read;
      }
      """, resources: [TestKernels.output(), TestKernels.texture("picture", 2)])
    let picture = PixelBuffer(Size(4, 4)) { _, _ in [0, 0, 0, 0] }
    let plan = Plan(
      textures: [.init(name: "picture", role: .imported(0), size: Size(4, 4), format: .rgba8, isMipmapped: false)],
      outputs: [.init(name: "main", size: Size(16, 16), format: .rgba8, alpha: .straight)], kernels: [kernel],
      passes: [
        .init(
          name: "image", kernel: 0, size: Size(16, 16), bindings: [1: .output(0), 2: .sampled(texture: 0, Sampler(.nearest))])
      ])
    #expect(try render(plan, imports: [picture]).bytes.allSatisfy { $0 == 0 })
  }
}
