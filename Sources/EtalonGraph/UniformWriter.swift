package import EtalonManifest
internal import EtalonPlan
package import EtalonSPIRV
internal import EtalonTypes

/// Lays the values of a pass's uniforms out in the bytes that its kernel reads.
package struct UniformWriter: Sendable {
  private struct Field {
    let uniform: Uniform
    let member: KernelInterface.Member
  }

  private let block: KernelInterface.Block?
  private let fields: [Field]

  /// Joins what the manifest declares with where the compiled kernel has it; uniforms that the kernel dropped are left out.
  package init(uniforms: [Uniform], block: KernelInterface.Block?) {
    self.block = block
    let declared = Dictionary(uniforms.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    fields = (block?.members ?? []).compactMap { member in declared[member.name].map { Field(uniform: $0, member: member) } }
  }

  /// The bytes of the uniform block for one frame.
  ///
  /// - Parameter components: the components of a uniform, array elements one after the other.
  package func bytes(_ components: (Uniform.Meaning) -> [Double]) -> [UInt8] {
    var bytes = UniformBytes(block)
    for field in fields {
      let values = components(field.uniform.meaning)
      let perElement = field.uniform.meaning.componentsPerElement ?? values.count
      bytes.write(values, perElement: perElement, as: field.uniform.type, to: field.member)
    }
    return bytes.bytes
  }
}

extension Uniform.Meaning {
  /// How many components belong to one array element; nil for meanings that are no array.
  fileprivate var componentsPerElement: Int? {
    switch self {
    case .textureSizes: 3
    case .inputTimes: 1
    case .keys: 4
    case .targetSize, .targetAspect, .time, .timeDelta, .frameRate, .frameIndex, .progress, .duration, .mouse, .date, .sampleRate,
      .cubeFace, .region, .iteration, .parameter, .parameterOr, .fixed:
      nil
    }
  }
}
