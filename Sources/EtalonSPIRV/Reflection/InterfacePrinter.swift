/// Writes an interface as text that does not change unless the interface does.
///
/// ```
/// kernel main 8x8x1
/// uniforms 'Uniforms' at 0, 20 bytes
///   0 vec3 iResolution
///   12 float iTime
/// at 1: sampled 2D 'iChannel0'
/// ```
package struct InterfacePrinter: Sendable {
  package init() {}

  /// The text, ending in a newline.
  package func text(_ interface: KernelInterface) -> String {
    let size = interface.workgroupSize.map(String.init).joined(separator: "x")
    var lines = ["kernel \(interface.entryPoint) \(size)\(interface.usesSubgroups ? " with subgroups" : "")"]
    if let block = interface.uniforms {
      lines.append("uniforms '\(block.name)' at \(block.binding), \(block.size) bytes")
      lines += block.members.map(text)
    }
    if let block = interface.pushConstants {
      lines.append("push constants '\(block.name)', \(block.size) bytes")
      lines += block.members.map(text)
    }
    lines += interface.resources.map { "at \($0.binding): \(text($0.kind)) '\($0.name)'" }
    return lines.joined(separator: "\n") + "\n"
  }

  private func text(_ member: KernelInterface.Member) -> String {
    var line = "  \(member.offset) \(member.type) \(member.name)"
    if let length = member.arrayLength { line += "[\(length)], one every \(member.arrayStride)" }
    if member.matrixStride > 0 { line += ", a \(member.isRowMajor ? "row" : "column") every \(member.matrixStride)" }
    return line
  }

  private func text(_ kind: KernelInterface.Resource.Kind) -> String {
    switch kind {
    case .sampledTexture(let dimension): "sampled \(dimension.rawValue)"
    case .storageTexture(let dimension, let format): "storage \(dimension.rawValue) \(format ?? "of any format")"
    case .storageBuffer: "buffer"
    }
  }
}
