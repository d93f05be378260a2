import EtalonCPU
import EtalonDiagnostics
import EtalonPlan
import EtalonSPIRV
import EtalonTestSupport
import EtalonTypes

/// Compute shaders for tests, compiled by the reference compiler without optimisation.
enum GLSL {
  /// Text in front of every shader: `x` and `y` are the pixel, `place` its number in the output.
  private static let prologue = """
    #version 450
    #extension GL_KHR_shader_subgroup_basic : require
    #extension GL_KHR_shader_subgroup_ballot : require
    #extension GL_KHR_shader_subgroup_vote : require
    #extension GL_KHR_shader_subgroup_arithmetic : require
    #extension GL_KHR_shader_subgroup_shuffle : require
    #extension GL_KHR_shader_subgroup_quad : require
    layout(local_size_x = 256) in;
    layout(push_constant) uniform EtalonRegion { ivec2 etalonOrigin; ivec2 etalonEnd; };
    layout(std430, binding = 1) buffer Output { uint words[]; };
    ivec2 pixel() { return etalonOrigin + 16 * ivec2(gl_WorkGroupID.xy) + ivec2(gl_LocalInvocationIndex & 15u, gl_LocalInvocationIndex >> 4); }

    """
  private static let epilogue = """

    void main() {
      ivec2 p = pixel();
      uint value = result(uint(p.x), uint(p.y));
      if (p.x < etalonEnd.x && p.y < etalonEnd.y) words[(etalonEnd.y - 1 - p.y) * etalonEnd.x + p.x] = value;
    }
    """

  /// A kernel that writes `uint result(uint x, uint y)` for every pixel.
  static func kernel(_ name: String, _ text: String) throws -> Kernel {
    Kernel(name: name, words: try ShaderText.words(of: prologue + text + epilogue), interface: interface)
  }

  static let interface = KernelInterface(
    entryPoint: "main", workgroupSize: [256, 1, 1], uniforms: nil,
    pushConstants: KernelInterface.Block(name: "EtalonRegion", binding: 0, size: 16, members: []),
    resources: [KernelInterface.Resource(name: "Output", binding: 1, kind: .storageBuffer)], usesSubgroups: true)

  static func plan(_ kernel: Kernel, size: Size) throws -> CheckedPlan {
    let output = Plan.Output(name: "main", size: size, format: .rgba8, alpha: .straight)
    let pass = Plan.Pass(name: "image", kernel: 0, size: size, bindings: [1: .output(0)])
    return try PlanChecker().check(Plan(textures: [], outputs: [output], kernels: [kernel], passes: [pass]))
  }

  /// The words that a kernel writes, the top row first.
  static func run(_ kernel: Kernel, size: Size = Size(33, 18), options: CPUBackend.Options = .init(threadCount: 2)) throws -> [UInt32] {
    try run(kernel, size: size, on: CPUBackend(options))
  }

  /// The words that a kernel writes on a backend, the top row first.
  static func run(_ kernel: Kernel, size: Size = Size(33, 18), on backend: CPUBackend) throws -> [UInt32] {
    let execution = try backend.prepare(plan(kernel, size: size), imports: [], framesInFlight: 1)
    let frame = try execution.submit(FrameValues(frame: 0, uniforms: [[]]))
    defer { frame.release() }
    return try words(of: frame)
  }

  /// The words of the first output of a frame, the top row first.
  static func words(of frame: any PendingFrame) throws -> [UInt32] {
    try frame.wait()
    var words: [UInt32] = []
    frame.withBands(of: 0) { _, _, bytes in
      for offset in stride(from: 0, to: bytes.byteCount, by: 4) {
        words.append(unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self))
      }
    }
    return words
  }
}
