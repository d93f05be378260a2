package import EtalonManifest
package import EtalonSPIRV
internal import EtalonTypes

/// Lays the values of a pass's uniforms out in the bytes that its kernel reads.
package struct UniformWriter: Sendable {
  private struct Field {
    let uniform: Uniform
    let member: KernelInterface.Member
  }

  private let size: Int
  private let fields: [Field]

  /// Joins what the manifest declares with where the compiled kernel has it; uniforms that the kernel dropped are left out.
  package init(uniforms: [Uniform], block: KernelInterface.Block?) {
    size = block?.size ?? 0
    let declared = Dictionary(uniforms.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    fields = (block?.members ?? []).compactMap { member in declared[member.name].map { Field(uniform: $0, member: member) } }
  }

  /// The bytes of the uniform block for one frame.
  ///
  /// - Parameter components: the components of a uniform, array elements one after the other.
  package func bytes(_ components: (Uniform.Meaning) -> [Double]) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: size)
    for field in fields {
      let values = components(field.uniform.meaning)
      let perElement = field.uniform.meaning.componentsPerElement ?? max(values.count, 1)
      for (index, value) in values.enumerated() {
        let (element, component) = index.quotientAndRemainder(dividingBy: perElement)
        guard element < field.member.arrayLength ?? 1, component < field.uniform.type.componentCount else { continue }
        let offset = field.member.offset + element * field.member.arrayStride + Self.offset(of: component, in: field)
        Self.write(value, isFloat: field.uniform.type.isFloat, at: offset, in: &bytes)
      }
    }
    return bytes
  }

  /// The bytes from the start of an element to one of its components; matrices lie column by column.
  private static func offset(of component: Int, in field: Field) -> Int {
    guard field.member.matrixStride > 0 else { return component * 4 }
    let rows = Int(Double(field.uniform.type.componentCount).squareRoot())
    return component / rows * field.member.matrixStride + component % rows * 4
  }

  private static func write(_ value: Double, isFloat: Bool, at offset: Int, in bytes: inout [UInt8]) {
    let word = isFloat ? Float(value).bitPattern : UInt32(truncatingIfNeeded: Int64(value))
    for byte in 0..<4 { bytes[offset + byte] = UInt8(truncatingIfNeeded: word >> UInt32(8 * byte)) }
  }
}

extension Uniform.Meaning {
  /// How many components belong to one array element; nil for meanings that are no array.
  fileprivate var componentsPerElement: Int? {
    switch self {
    case .textureSizes: 3
    case .inputTimes: 1
    case .targetSize, .time, .timeDelta, .frameRate, .frameIndex, .progress, .duration, .mouse, .date, .sampleRate, .cubeFace, .iteration,
      .parameter, .fixed:
      nil
    }
  }
}
