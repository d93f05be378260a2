import EtalonDiagnostics
import EtalonPlan
import EtalonSPIRV
import EtalonTypes
import Testing

/// Plans of several steps with one error each, and what is said about it.
@Suite struct PlanOrderTests {
  private let size = Size(8, 8)

  /// Reads the texture at binding 2 and writes the one at binding 3, and a buffer at binding 4.
  private func kernel(_ workgroupSize: [Int] = [256, 1, 1], dimension: KernelInterface.Resource.Dimension = .two) -> Kernel {
    Kernel(
      name: "kernel", words: [],
      interface: KernelInterface(
        entryPoint: "main", workgroupSize: workgroupSize, uniforms: nil, pushConstants: nil,
        resources: [
          .init(name: "picture", binding: 2, kind: .sampledTexture(dimension)),
          .init(name: "target", binding: 3, kind: .storageTexture(.two, format: "rgba8")),
          .init(name: "words", binding: 4, kind: .storageBuffer),
        ], usesSubgroups: false))
  }

  private func texture(_ name: String, _ role: Plan.Texture.Role, _ shape: Plan.Texture.Shape = .flat, isMipmapped: Bool = false)
    -> Plan.Texture
  {
    .init(name: name, role: role, shape: shape, size: size, format: .rgba8, isMipmapped: isMipmapped)
  }

  private func pass(
    reading source: Int, _ sampler: Sampler = Sampler(), writing target: Int, layer: Int = 0, _ coverage: Plan.Pass.Coverage? = nil
  ) -> Plan.Step {
    .dispatch(
      .init(
        name: "pass", kernel: 0, coverage: coverage ?? .pixels(size),
        bindings: [2: .sampled(texture: source, sampler), 3: .storage(texture: target, layer: layer), 4: .buffer(0)]))
  }

  private func violations(
    _ textures: [Plan.Texture], setup: [Plan.Step] = [], _ steps: [Plan.Step], kernel: Kernel? = nil, byteCount: Int = 16
  ) -> String? {
    let plan = Plan(
      textures: textures, buffers: [.init(name: "words", byteCount: byteCount, isPersistent: false)], outputs: [],
      kernels: [kernel ?? self.kernel()], setup: setup, steps: steps)
    do throws(RenderError) {
      _ = try PlanChecker().check(plan)
      return nil
    } catch {
      #expect(error.message.hasPrefix("inconsistent plan: "))
      return String(error.message.dropFirst("inconsistent plan: ".count))
    }
  }

  @Test func texturesThatShareMemoryTakeTurns() {
    func textures(_ role: Plan.Texture.Role = .transient, block: Int = 0) -> [Plan.Texture] {
      [texture("photo", .imported(0)), texture("between", .transient)]
        + ["small", "large"].map { .init(name: $0, role: role, size: size, format: .rgba8, isMipmapped: false, block: block) }
    }
    let turns = [pass(reading: 0, writing: 2), pass(reading: 2, writing: 1), pass(reading: 1, writing: 3), pass(reading: 3, writing: 1)]
    #expect(violations(textures(), turns) == nil)
    #expect(violations(textures(), turns + [pass(reading: 2, writing: 1)]) == "pass 'pass' samples texture 'small' before it is written")
    #expect(
      violations(textures(), [pass(reading: 0, writing: 2), pass(reading: 2, writing: 3)])
        == "pass 'pass' uses 'small' and 'large', which share memory")
    #expect(violations(textures(.persistent), turns)?.hasPrefix("texture 'small': it shares memory, and its content is kept") == true)
    #expect(violations(textures(block: -1), turns)?.hasPrefix("texture 'small': it lies in block -1") == true)
  }

  @Test func whatTheSetupLeavesIsReadByFrames() {
    let textures = [texture("photo", .imported(0)), texture("blur", .setup), texture("result", .transient)]
    #expect(violations(textures, setup: [pass(reading: 0, writing: 1)], [pass(reading: 1, writing: 2)]) == nil)
    #expect(
      violations(textures, setup: [pass(reading: 0, writing: 2), pass(reading: 2, writing: 1)], [pass(reading: 1, writing: 2)]) == nil)
    #expect(violations(textures, [pass(reading: 1, writing: 2)]) == "pass 'pass' samples texture 'blur' before it is written")
    #expect(
      violations(textures, setup: [pass(reading: 0, writing: 2)], [pass(reading: 2, writing: 2)])
        == "pass 'pass' samples its own target 2")
    #expect(
      violations(textures + [texture("other", .transient)], setup: [pass(reading: 0, writing: 2)], [pass(reading: 2, writing: 3)])
        == "pass 'pass' samples texture 'result' before it is written")
  }

  @Test func framesDoNotWriteWhatTheSetupLeaves() {
    let textures = [texture("photo", .imported(0)), texture("blur", .setup)]
    #expect(
      violations(textures, setup: [pass(reading: 0, writing: 1)], [pass(reading: 0, writing: 1), .clear(texture: 1)])
        == "frames write texture 'blur', which the setup keeps for all of them; "
        + "frames write texture 'blur', which the setup keeps for all of them")
  }

  @Test func theSetupDependsOnNoFrame() {
    let textures = [texture("frame", .streamed(0)), texture("blur", .setup), texture("now", .persistent)]
    #expect(
      violations(textures, setup: [pass(reading: 0, writing: 1)], [])
        == "the setup uses texture 'frame', which changes from frame to frame")
    #expect(
      violations(textures, setup: [pass(reading: 2, writing: 1)], [])
        == "the setup uses texture 'now', which changes from frame to frame")
  }

  @Test func mipmapsThatTheSetupDoesNotMake() {
    let textures = [
      texture("photo", .imported(0)), texture("blur", .setup, isMipmapped: true), texture("result", .transient),
    ]
    let frame = [pass(reading: 1, Sampler(.mipmap), writing: 2)]
    #expect(violations(textures, setup: [pass(reading: 0, writing: 1), .makeMipmaps(texture: 1)], frame) == nil)
    #expect(
      violations(textures, setup: [pass(reading: 0, writing: 1)], frame)
        == "pass 'pass' samples mipmaps of texture 'blur' that are not made yet")
  }

  @Test func feedback() {
    let textures = [texture("now", .persistent), texture("before", .previous(of: 0))]
    #expect(violations(textures, [pass(reading: 1, writing: 0)]) == nil)
    #expect(
      violations(textures, [pass(reading: 1, writing: 0), pass(reading: 0, writing: 1)])
        == "pass 'pass', 'target': the previous of a texture as target")
  }

  @Test func nothingIsReadBeforeItIsWritten() {
    #expect(
      violations([texture("a", .transient), texture("b", .transient)], [pass(reading: 0, writing: 1)])
        == "pass 'pass' samples texture 'a' before it is written")
    #expect(violations([texture("a", .transient), texture("b", .transient)], [.clear(texture: 0), pass(reading: 0, writing: 1)]) == nil)
    #expect(violations([texture("a", .persistent), texture("b", .transient)], [pass(reading: 0, writing: 1)]) == nil)
    let swapped = [texture("a", .persistent), texture("b", .transient), texture("c", .previous(of: 0))]
    #expect(
      violations(swapped, [pass(reading: 0, writing: 1)])
        == "pass 'pass' samples texture 'a' before it is written; nothing writes texture 'a', which has a previous one")
  }

  @Test func previousTexturesAreLikeTheirs() {
    let steps = [Plan.Step.clear(texture: 0)]
    #expect(
      violations([texture("a", .transient), texture("b", .previous(of: 0))], steps)
        == "texture 'b': the previous of 'a', which is not persistent")
    #expect(
      violations([texture("a", .persistent), texture("b", .previous(of: 7))], steps)
        == "texture 'b': the previous of texture 7, which is not there")
    #expect(
      violations([texture("a", .persistent), texture("b", .previous(of: 0), isMipmapped: true)], steps)
        == "texture 'b': the previous of 'a', which is made differently")
    #expect(
      violations([texture("a", .persistent), texture("b", .previous(of: 0)), texture("c", .previous(of: 0))], steps)
        == "texture 'a' has 2 previous ones")
  }

  @Test func mipmapsAreMadeBeforeTheyAreRead() {
    let textures = [texture("in", .imported(0)), texture("a", .transient, isMipmapped: true), texture("b", .transient)]
    let write = pass(reading: 0, writing: 1), read = pass(reading: 1, Sampler(.mipmap), writing: 2)
    #expect(violations(textures, [write, .makeMipmaps(texture: 1), read]) == nil)
    #expect(violations(textures, [write, read]) == "pass 'pass' samples mipmaps of texture 'a' that are not made yet")
    #expect(violations(textures, [.makeMipmaps(texture: 1)]) == "the mipmaps of 'a' are made before it is written")
    #expect(
      violations(textures, [write, .makeMipmaps(texture: 0)])
        == "mipmaps of texture 'in', which frames do not write; mipmaps of texture 'in', which has one level")
    #expect(violations(textures, [.clear(texture: 5)]) == "no texture 5")
    let kept = [texture("a", .persistent, isMipmapped: true), texture("b", .previous(of: 0), isMipmapped: true)]
    #expect(
      violations(kept, [pass(reading: 1, Sampler(.mipmap), writing: 0)]) == "pass 'pass' samples mipmaps of texture 'b' that no frame makes"
    )
  }

  @Test func shapes() {
    let textures = [texture("cube", .persistent, .cube), texture("volume", .persistent, .volume(depth: 4)), texture("flat", .persistent)]
    #expect(
      violations(textures, [pass(reading: 0, writing: 2)]) == "pass 'pass', 'picture': the kernel expects a 2D texture, and 'cube' is cube")
    #expect(violations(textures, [pass(reading: 0, writing: 2)], kernel: kernel(dimension: .cube)) == nil)
    #expect(violations(textures, [pass(reading: 2, writing: 0, layer: 5)]) == nil)
    #expect(violations(textures, [pass(reading: 2, writing: 0, layer: 6)]) == "pass 'pass', 'target': 'cube' has no layer 6")
    #expect(
      violations(textures, [pass(reading: 2, writing: 1)]) == "pass 'pass', 'target': the kernel writes a 2D texture, and 'volume' takes 3D"
    )
    let oblong = Plan.Texture(name: "cube", role: .persistent, shape: .cube, size: Size(4, 8), format: .rgba8, isMipmapped: false)
    #expect(
      violations([oblong, texture("empty", .persistent, .volume(depth: 0))], [])
        == "texture 'cube': its faces are no squares; texture 'empty': it has no slice")
  }

  @Test func coverage() {
    let textures = [texture("a", .persistent), texture("b", .persistent)]
    #expect(violations(textures, [pass(reading: 0, writing: 1, .workgroups(2, 3, 4))], kernel: kernel([8, 4, 2])) == nil)
    #expect(
      violations(textures, [pass(reading: 0, writing: 1)], kernel: kernel([8, 4, 2]))
        == "pass 'pass' covers pixels with workgroups of [8, 4, 2], not [256, 1, 1]")
    #expect(
      violations(textures, [pass(reading: 0, writing: 1, .workgroups(0, 70_000, 1))])
        == "pass 'pass' has 0×70000×1 workgroups (1 to 65535 along each axis)")
    #expect(
      violations(textures, [pass(reading: 0, writing: 1)], byteCount: 6) == "buffer 'words' has 6 bytes (4 to 134217728, in whole words)")
  }

  @Test func stepsForState() {
    let textures = [texture("kept", .persistent), texture("a", .transient), texture("b", .transient), texture("before", .previous(of: 0))]
    let plan = Plan(
      textures: textures, buffers: [.init(name: "words", byteCount: 4, isPersistent: false)], outputs: [], kernels: [kernel()],
      steps: [
        .clear(texture: 1), .clear(texture: 2),
        .dispatch(.init(name: "state", kernel: 0, size: size, bindings: [2: .sampled(texture: 1, Sampler()), 3: .storage(texture: 0)])),
        .dispatch(.init(name: "shown", kernel: 0, size: size, bindings: [2: .sampled(texture: 0, Sampler()), 3: .storage(texture: 2)])),
      ])
    #expect(plan.stepsForState == [true, false, true, false])
    #expect(plan.memory(isSwapped: false) == [0, 1, 2, 3])
    #expect(plan.memory(isSwapped: true) == [3, 1, 2, 0])
  }
}
