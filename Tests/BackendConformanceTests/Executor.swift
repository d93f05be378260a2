import EtalonCPU
import EtalonDiagnostics
import EtalonPlan
import EtalonSPIRV
import EtalonTypes
import EtalonVulkan
import Testing

/// The executors that every kernel runs on.
enum Executor: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case cpu, vulkan

  var testDescription: String { rawValue }

  /// The Vulkan device, which the validation layer watches.
  private static let vulkanDevice = Result { try VulkanBackend(options: .init(validates: true, timeout: nil, cacheFolder: nil)) }

  func backend() throws -> any Backend {
    switch self {
    case .cpu: CPUBackend(.init(threadCount: 2))
    case .vulkan: try Self.vulkanDevice.get()
    }
  }

  /// Throws when the validation layer complained.
  func checkValidation() throws {
    if self == .vulkan { try Self.vulkanDevice.get().validationLog?.check() }
  }
}

extension Backend {
  /// Renders one frame and returns the bytes of its first output, the top row first.
  func bytes(of plan: Plan, imports: [PixelBuffer] = [], uniforms: [[UInt8]]? = nil) throws -> [UInt8] {
    let execution = try prepare(PlanChecker().check(plan), imports: imports, framesInFlight: 1)
    let frame = try execution.submit(FrameValues(frame: 0, uniforms: uniforms ?? plan.passes.map { _ in [] }))
    let bytes = try frame.bytes()
    frame.release()
    return bytes
  }

  /// The same as rows of words: for each pixel four, the pixel at the bottom left first.
  func words(of plan: Plan, imports: [PixelBuffer] = [], uniforms: [[UInt8]]? = nil) throws -> [[UInt32]] {
    pixelWords(try bytes(of: plan, imports: imports, uniforms: uniforms), plan.outputs[0].size)
  }
}

extension PendingFrame {
  /// The bytes of an output once it is complete, the top row first.
  func bytes(of output: Int = 0) throws -> [UInt8] {
    try wait()
    var bytes: [UInt8] = []
    withBands(of: output) { _, _, span in unsafe span.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) } }
    return bytes
  }

  /// The same as rows of words, of an output of some size; gives the frame back.
  func words(_ size: Size) throws -> [[UInt32]] {
    defer { release() }
    return pixelWords(try bytes(), size)
  }
}

/// Packed pixels as rows of words: for each pixel four, the pixel at the bottom left first.
private func pixelWords(_ bytes: [UInt8], _ size: Size) -> [[UInt32]] {
  (0..<size.height).reversed().flatMap { row in
    (0..<size.width).map { column in
      let place = (row * size.width + column) * 16
      return Array(bytes[place..<place + 16]).words
    }
  }
}

extension Plan {
  /// One pass that writes four words for each pixel.
  init(_ kernel: Kernel, size: Size, textures: [Texture] = [], bindings: [Int: Binding] = [:]) {
    self.init(
      textures: textures, outputs: [.init(name: "main", size: size, format: .rgba32f, alpha: .straight)], kernels: [kernel],
      passes: [.init(name: "image", kernel: 0, size: size, bindings: bindings.merging([1: .output(0)]) { old, _ in old })])
  }
}

/// Words in memory.
func littleEndian(_ words: some Sequence<UInt32>) -> [UInt8] { [UInt8](words: Array(words)) }

/// Floats in memory.
func littleEndian(_ floats: some Sequence<Float>) -> [UInt8] { [UInt8](floats: Array(floats)) }
