import EtalonDiagnostics
import EtalonPlan
import EtalonSPIRV
import EtalonTypes
import EtalonVulkan
import Testing

/// Plans that need more than a device has are refused before anything is made on it.
@Suite struct LimitTests {
  private static let size = Size(8, 8)

  /// A kernel that needs some of everything.
  private static func interface(
    textures: Int = 0, targets: Int = 0, buffers: Int = 0, uniforms: Int? = nil, pushConstants: Int = 24, shared: Int = 0,
    workgroup: [Int] = [256, 1, 1]
  ) -> KernelInterface {
    let kinds: [KernelInterface.Resource.Kind] =
      Array(repeating: .sampledTexture(.two), count: textures) + Array(repeating: .storageTexture(.two, format: nil), count: targets)
      + Array(repeating: .storageBuffer, count: buffers)
    return KernelInterface(
      entryPoint: "main", workgroupSize: workgroup, uniforms: uniforms.map { .init(name: "Uniforms", binding: 0, size: $0, members: []) },
      pushConstants: .init(name: "Region", binding: 0, size: pushConstants, members: []),
      resources: kinds.enumerated().map { .init(name: "r\($0)", binding: $0 + 1, kind: $1) }, usesSubgroups: false, sharedByteCount: shared)
  }

  private static func plan(
    _ interface: KernelInterface, textures: [Plan.Texture] = [], buffers: [Plan.Buffer] = [],
    coverage: Plan.Pass.Coverage = .pixels(LimitTests.size)
  ) -> Plan {
    Plan(
      textures: textures, buffers: buffers, outputs: [.init(name: "main", size: size, format: .rgba8, alpha: .straight)],
      kernels: [Kernel(name: "plasma.image", words: [], interface: interface)],
      passes: [.init(name: "image", kernel: 0, coverage: coverage, bindings: [:])])
  }

  private static func texture(_ shape: Plan.Texture.Shape) -> Plan.Texture {
    Plan.Texture(name: "picture", role: .transient, shape: shape, size: size, format: .rgba8, isMipmapped: false)
  }

  /// For each limit a plan that needs nine of it, or eight where `isFine`.
  private static func plan(exceeding limit: DeviceLimits.Name, _ count: Int) -> Plan {
    switch limit {
    case .maxPerStageDescriptorSamplers, .maxPerStageDescriptorSampledImages, .maxDescriptorSetSamplers, .maxDescriptorSetSampledImages:
      plan(interface(textures: count))
    case .maxPerStageDescriptorStorageImages, .maxDescriptorSetStorageImages: plan(interface(targets: count))
    case .maxPerStageDescriptorStorageBuffers, .maxDescriptorSetStorageBuffers: plan(interface(buffers: count))
    case .maxPerStageResources: plan(interface(textures: count - 4, targets: 1, buffers: 2, uniforms: 16))
    case .maxPerStageDescriptorUniformBuffers, .maxDescriptorSetUniformBuffers: plan(interface(uniforms: 16))
    case .maxUniformBufferRange: plan(interface(uniforms: count))
    case .maxPushConstantsSize: plan(interface(pushConstants: 16 + count))
    case .maxComputeSharedMemorySize: plan(interface(shared: count))
    case .maxComputeWorkGroupInvocations, .maxComputeWorkGroupSizeX: plan(interface(workgroup: [count, 1, 1]))
    case .maxComputeWorkGroupSizeY: plan(interface(workgroup: [1, count, 1]))
    case .maxComputeWorkGroupSizeZ: plan(interface(workgroup: [1, 1, count]))
    case .maxComputeWorkGroupCountX: plan(interface(), coverage: .workgroups(count, 1, 1))
    case .maxComputeWorkGroupCountY: plan(interface(), coverage: .workgroups(1, count, 1))
    case .maxComputeWorkGroupCountZ: plan(interface(), coverage: .workgroups(1, 1, count))
    case .maxStorageBufferRange: plan(interface(), buffers: [.init(name: "words", byteCount: count, isPersistent: false)])
    case .maxImageDimension2D: plan(interface(), textures: [texture(.flat)])
    case .maxImageDimension3D: plan(interface(), textures: [texture(.volume(depth: count))])
    case .maxImageDimensionCube: plan(interface(), textures: [texture(.cube)])
    }
  }

  /// The limit that is exceeded, and what of it is fine.
  private static func limit(of name: DeviceLimits.Name) -> (exceeded: Int, fine: Int) {
    switch name {
    case .maxPerStageDescriptorUniformBuffers, .maxDescriptorSetUniformBuffers: (0, 1)
    case .maxPushConstantsSize: (24, 25)
    case .maxImageDimension2D, .maxImageDimensionCube: (7, 8)
    default: (8, 9)
    }
  }

  @Test(arguments: DeviceLimits.Name.allCases) func everyLimitIsLookedAt(_ name: DeviceLimits.Name) throws {
    let plan = Self.plan(exceeding: name, 9), (exceeded, fine) = Self.limit(of: name)
    try PlanLimits(DeviceLimits([name: fine]), device: "small").check(plan)
    let error = try #require(throws: RenderError.self) { try PlanLimits(DeviceLimits([name: exceeded]), device: "small").check(plan) }
    #expect(error.message.contains("'small'") && error.message.contains(" at most \(exceeded)"), "\(error.message)")
    #expect(error.message.contains(name.rawValue) && error.help.contains { $0.contains("--device cpu") }, "\(error)")
  }

  @Test func everythingThatIsTooMuchIsToldAtOnce() throws {
    let limits = DeviceLimits([
      .maxPerStageDescriptorSampledImages: 16, .maxDescriptorSetSampledImages: 96, .maxPerStageDescriptorSamplers: 16,
      .maxComputeSharedMemorySize: 16_384,
    ])
    let plan = Self.plan(Self.interface(textures: 36, shared: 32_768))
    let error = try #require(throws: RenderError.self) { try PlanLimits(limits, device: "small").check(plan) }
    #expect(
      ([error] + error.others).map(\.message) == [
        "pass 'image' ('plasma.image') needs 36 sampled textures, and 'small' has at most 16 (maxPerStageDescriptorSampledImages)",
        "pass 'image' ('plasma.image') needs 36 samplers, and 'small' has at most 16 (maxPerStageDescriptorSamplers)",
        "pass 'image' ('plasma.image') needs 32768 bytes of shared memory, and 'small' has at most 16384 (maxComputeSharedMemorySize)",
      ])
    #expect(error.code == .noDevice)
  }

  /// More pictures than a device can bind end in a message, and as many as it can are read.
  @Test func moreTexturesThanTheDeviceHas() throws {
    let backend = try makeBackend()
    let most = backend.limits[.maxPerStageDescriptorSamplers]
    guard most < 1000 else { return }
    let error = try #require(throws: RenderError.self) { _ = try Self.sum(of: most + 1, on: backend) }
    #expect(error.message.contains("needs \(most + 1) samplers"), "\(error.message)")
    #expect(try Self.sum(of: min(most, 24), on: backend) == min(most, 24) * 5)
  }

  /// The red of a pixel that adds up some pictures.
  private static func sum(of count: Int, on backend: VulkanBackend) throws -> Int {
    let pictures = (0..<count).map { _ in PixelBuffer(Size(1, 1)) { _, _ in [5, 0, 0, 255] } }
    let declarations = (0..<count).map { "layout(set = 0, binding = \($0 + 2)) uniform sampler2D p\($0);" }.joined(separator: "\n")
    let reads = (0..<count).map { "texelFetch(p\($0), ivec2(0), 0)" }.joined(separator: " + ")
    let kernel = try TestKernels.make(
      "many.image",
      """
      \(declarations)
      layout(std430, set = 0, binding = 1) writeonly buffer Output { uint pixels[]; };
      void main() { ivec2 p = PIXEL; if (isInside(p)) pixels[indexOf(p)] = packUnorm4x8(\(reads)); }
      """, resources: [TestKernels.output()] + (0..<count).map { TestKernels.texture("p\($0)", $0 + 2) })
    var bindings: [Int: Plan.Binding] = [1: .output(0)]
    for index in 0..<count { bindings[index + 2] = .sampled(texture: index, Sampler(.nearest)) }
    let plan = Plan(
      textures: (0..<count).map { .init(name: "p\($0)", role: .imported($0), size: Size(1, 1), format: .rgba8, isMipmapped: false) },
      outputs: [.init(name: "main", size: Size(1, 1), format: .rgba8, alpha: .straight)], kernels: [kernel],
      passes: [.init(name: "image", kernel: 0, size: Size(1, 1), bindings: bindings)])
    let execution = try backend.prepare(PlanChecker().check(plan), imports: pictures, framesInFlight: 1)
    let frame = try execution.submit(FrameValues(frame: 0, uniforms: [[]]))
    try frame.wait()
    defer { frame.release() }
    return read(frame, plan.outputs[0]).channels(0, 0)[0]
  }
}
