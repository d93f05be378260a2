import EtalonCPU
import EtalonPlan
import EtalonSPIRV
import EtalonTypes
import Testing

/// Whatever the machine and however it is used, the CPU executor gives the same bytes.
@Suite struct IdentityTests {
  private static let kernels = KernelFile.names.filter {
    name in !["refused/", "limits/", "uniform/", "frames/"].contains { name.hasPrefix($0) }
  }

  @Test(arguments: kernels)
  func everyThreadCountAndInstructionSet(_ name: String) throws {
    let kernel = try KernelFile(name).kernel()
    let expected = try bytes(of: kernel, Size(40, 34), CPUBackend(.init(threadCount: 1, instructionSet: .baseline)))
    for set in InstructionSet.allCases where set.isSupported {
      for threads in 1...3 {
        let backend = CPUBackend(.init(threadCount: threads, instructionSet: set))
        #expect(try bytes(of: kernel, Size(40, 34), backend) == expected, "\(name) with \(threads) threads of \(set)")
      }
    }
  }

  private func bytes(of kernel: Kernel, _ size: Size, _ backend: CPUBackend) throws -> [UInt8] {
    try KernelInputs(kernel, size: size).bytes(on: backend)
  }
}

/// Something to bind to every resource of a kernel.
struct KernelInputs {
  let plan: Plan
  let imports: [PixelBuffer]
  let uniforms: [UInt8]

  init(_ kernel: Kernel, size: Size) {
    var textures: [Plan.Texture] = [], bindings: [Int: Plan.Binding] = [:], imports: [PixelBuffer] = []
    var outputs: [Plan.Output] = []
    for resource in kernel.interface.resources {
      switch resource.kind {
      case .storageBuffer:
        bindings[resource.binding] = .output(outputs.count)
        outputs.append(.init(name: resource.name, size: size, format: .rgba32f, alpha: .straight))
      case .sampledTexture(let dimension):
        bindings[resource.binding] = .sampled(texture: textures.count, Sampler(.mipmap, .mirror))
        let (shape, size): (Plan.Texture.Shape, Size) =
          switch dimension {
          case .two: (.flat, Size(13, 10))
          case .three: (.volume(depth: 5), Size(13, 10))
          case .cube: (.cube, Size(11, 11))
          }
        textures.append(
          .init(name: resource.name, role: .imported(imports.count), shape: shape, size: size, format: .rgba8, isMipmapped: true))
        imports.append(.noise(textures[textures.count - 1].pictureSize, .rgba8, seed: UInt64(resource.binding)))
      case .storageTexture:
        bindings[resource.binding] = .storage(texture: textures.count)
        textures.append(.init(name: resource.name, role: .transient, size: size, format: .rgba32f, isMipmapped: false))
      }
    }
    let operands = (try? KernelFile(kernel.name))?.header["operands"].flatMap(OperandSet.init) ?? .small
    let words = littleEndian(operands.rows.joined()), byteCount = kernel.interface.uniforms?.size ?? 0
    uniforms = (0..<min(byteCount, 1 << 16)).map { words[$0 % words.count] }
    self.imports = imports
    plan = Plan(
      textures: textures, outputs: outputs, kernels: [kernel],
      passes: [.init(name: "image", kernel: 0, size: size, bindings: bindings)])
  }

  /// Renders one frame; all outputs one after the other.
  func bytes(on backend: CPUBackend) throws -> [UInt8] {
    let execution = try backend.prepare(PlanChecker().check(plan), imports: imports, framesInFlight: 1)
    let frame = try execution.submit(FrameValues(frame: 0, uniforms: [uniforms]))
    try frame.wait()
    var bytes: [UInt8] = []
    for output in plan.outputs.indices {
      frame.withBands(of: output) { _, _, span in unsafe span.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) } }
    }
    frame.release()
    return bytes
  }
}
