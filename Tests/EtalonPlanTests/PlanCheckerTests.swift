import EtalonDiagnostics
import EtalonPlan
import EtalonSPIRV
import EtalonTypes
import Testing

/// A plan with one error each, and what is said about it.
@Suite struct PlanCheckerTests {
  private let size = Size(8, 8)

  private func check(
    _ bindings: [Int: Plan.Binding], role: Plan.Texture.Role = .transient, targetSize: Size = Size(8, 8)
  ) -> String? {
    let interface = KernelInterface(
      entryPoint: "main", workgroupSize: [256, 1, 1], uniforms: nil, pushConstants: nil,
      resources: [
        .init(name: "Output", binding: 1, kind: .storageBuffer), .init(name: "picture", binding: 2, kind: .sampledTexture(.two)),
        .init(name: "target", binding: 3, kind: .storageTexture(.two, format: nil)),
      ], usesSubgroups: false)
    let plan = Plan(
      textures: [
        .init(name: "picture", role: .imported(0), size: size, format: .rgba8, isMipmapped: false),
        .init(name: "target", role: role, size: targetSize, format: .rgba8, isMipmapped: false),
      ], outputs: [.init(name: "main", size: size, format: .rgba8, alpha: .straight)],
      kernels: [Kernel(name: "kernel", words: [], interface: interface)],
      passes: [.init(name: "image", kernel: 0, size: size, bindings: bindings)])
    do throws(RenderError) {
      _ = try PlanChecker().check(plan)
      return nil
    } catch {
      #expect(error.code == .internalError)
      return error.message
    }
  }

  @Test func aConsistentPlan() {
    #expect(check([1: .output(0), 2: .sampled(texture: 0, Sampler()), 3: .storage(texture: 1)]) == nil)
  }

  @Test func everyViolationIsNamed() {
    #expect(
      check([1: .output(4), 3: .sampled(texture: 0, Sampler()), 7: .output(0)])
        == "inconsistent plan: pass 'image', 'Output': no output 4; pass 'image' leaves 'picture' unbound; "
        + "pass 'image', 'target': the kernel expects another kind of resource; pass 'image' binds 7, which its kernel does not have")
  }

  @Test func aMipmapSamplerNeedsMipmaps() {
    #expect(
      check([1: .output(0), 2: .sampled(texture: 0, Sampler(.mipmap)), 3: .storage(texture: 1)])
        == "inconsistent plan: pass 'image', 'picture': a mipmap sampler on a texture without mipmaps")
  }

  @Test func aPassMayNotSampleWhatItWrites() {
    #expect(
      check([1: .output(0), 2: .sampled(texture: 1, Sampler()), 3: .storage(texture: 1)])
        == "inconsistent plan: pass 'image' samples its own target 1")
  }

  @Test func picturesAreNotWritten() {
    #expect(
      check([1: .output(0), 2: .sampled(texture: 0, Sampler()), 3: .storage(texture: 1)], role: .imported(1))
        == "inconsistent plan: pass 'image', 'target': an imported texture as target")
  }

  @Test func targetsAreAsLargeAsTheirPass() {
    #expect(
      check([1: .output(0), 2: .sampled(texture: 0, Sampler()), 3: .storage(texture: 1)], targetSize: Size(9, 8))
        == "inconsistent plan: pass 'image', 'target': a target of another size than the pass")
  }
}
