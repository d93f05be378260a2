import EtalonDiagnostics
import EtalonPlan
import EtalonSPIRV
import EtalonTestSupport
import EtalonTypes
import Foundation
import Synchronization
import Testing

@testable import EtalonVulkan

/// GLSL compute shaders for tests, compiled by the reference compiler.
enum TestKernels {
  /// What every pixel kernel starts with; `pixel` is the invocation's pixel, in quads, and `isInside` whether it lies in the region.
  static let prologue = """
    #version 450
    #extension GL_KHR_shader_subgroup_basic : require
    #extension GL_KHR_shader_subgroup_quad : require
    layout(local_size_x = 256) in;
    layout(push_constant) uniform EtalonRegion { ivec2 etalonOrigin; ivec2 etalonEnd; };
    ivec2 pixelOf(uint index) {
      uint quad = index >> 2;
      return etalonOrigin + 16 * ivec2(gl_WorkGroupID.xy) + ivec2(2u * (quad & 7u) + (index & 1u), 2u * (quad >> 3) + ((index >> 1) & 1u));
    }
    #define PIXEL_IN_QUADS pixelOf(gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID)
    #define PIXEL pixelOf(gl_LocalInvocationIndex)
    bool isInside(ivec2 p) { return all(lessThan(p, etalonEnd)); }
    int indexOf(ivec2 p) { return (etalonEnd.y - 1 - p.y) * (etalonEnd.x - etalonOrigin.x) + p.x - etalonOrigin.x; }
    vec2 positionOf(ivec2 p) { return vec2(p) + 0.5; }

    """

  private static let known = Mutex<[String: [UInt32]]>([:])

  /// The words of a kernel whose text follows the prologue.
  static func words(_ body: String) throws -> [UInt32] {
    if let words = known.withLock({ $0[body] }) { return words }
    let words = try ShaderText.words(of: prologue + body)
    known.withLock { $0[body] = words }
    return words
  }

  /// A kernel with the interface that its text has; `uniformSize` is the size of the block at binding 0.
  static func make(
    _ name: String, _ body: String, resources: [KernelInterface.Resource], uniformSize: Int? = nil, usesSubgroups: Bool = false
  ) throws -> Kernel {
    let interface = KernelInterface(
      entryPoint: "main", workgroupSize: [256, 1, 1],
      uniforms: uniformSize.map { KernelInterface.Block(name: "Uniforms", binding: 0, size: $0, members: []) },
      pushConstants: KernelInterface.Block(name: "EtalonRegion", binding: 0, size: 16, members: []), resources: resources,
      usesSubgroups: usesSubgroups)
    return Kernel(name: name, words: try words(body), interface: interface)
  }

  static func output(_ binding: Int = 1) -> KernelInterface.Resource { .init(name: "Output", binding: binding, kind: .storageBuffer) }

  static func texture(_ name: String, _ binding: Int) -> KernelInterface.Resource {
    .init(name: name, binding: binding, kind: .sampledTexture(.two))
  }

  static func target(_ name: String, _ binding: Int) -> KernelInterface.Resource {
    .init(name: name, binding: binding, kind: .storageTexture(.two, format: nil))
  }

  /// A generator that writes `rgba8`; the text assigns `vec4 color` from `vec2 position`.
  static func generator(_ name: String, size: Size, _ text: String, uniforms: String = "", uniformSize: Int? = nil) throws -> Plan {
    let kernel = try make(
      name,
      """
      \(uniforms)
      layout(std430, set = 0, binding = 1) writeonly buffer Output { uint pixels[]; };
      void main() {
        ivec2 p = PIXEL;
        vec2 position = positionOf(p);
        vec4 color = vec4(0);
        \(text)
        if (isInside(p)) pixels[indexOf(p)] = packUnorm4x8(color);
      }
      """, resources: [output()], uniformSize: uniformSize)
    return Plan(
      textures: [], outputs: [.init(name: "main", size: size, format: .rgba8, alpha: .straight)], kernels: [kernel],
      passes: [.init(name: "image", kernel: 0, size: size, bindings: [1: .output(0)])])
  }
}
