package import EtalonManifest
package import EtalonPlan
package import EtalonSPIRV
package import EtalonTypes

/// What the uniforms of one dispatch come from, beside what changes from frame to frame.
package struct PassState: Sendable, Hashable {
  package var targetSize: Size
  /// Width, height and depth of what the pass reads.
  package var textureSizes: [PassTexture.Source: [Double]]
  /// Where the textures that the pass reads begin in their pictures, and the sizes of these.
  package var regions: [PassTexture.Source: PictureRegion] = [:]
  package var cubeFace = 0
  package var iteration = 0
  package var values: ParameterValues
  /// The streams that inputs of the filter show, by the names of the inputs.
  package var streams: [String: String] = [:]
  /// The parameters that are colors and arrive decoded, proportional to light.
  var lightColors: Set<String> = []
  /// How much smaller than said everything is, and the parameters that measure pixels.
  var proxy = ProxyScale.whole
  var pixels: [FilterParameter] = []

  package init(targetSize: Size, textureSizes: [PassTexture.Source: [Double]] = [:], values: ParameterValues) {
    self.targetSize = targetSize
    self.textureSizes = textureSizes
    self.values = values
  }
}

extension PassState {
  /// The components of a uniform, array elements one after the other; nil for one that frames decide.
  func components(of meaning: Uniform.Meaning) -> [Double]? {
    switch meaning {
    case .targetSize: [Double(targetSize.width), Double(targetSize.height), 1]
    case .targetAspect: [Double(targetSize.width) / Double(targetSize.height)]
    case .textureSizes(let sources): sources.flatMap { $0.flatMap { textureSizes[$0] } ?? [0, 0, 0] }
    case .region(let source): regions[source]?.components ?? [0, 0, 0, 0]
    case .cubeFace: [Double(cubeFace)]
    case .iteration: [Double(iteration)]
    case .parameter(let name): parameter(name) ?? []
    case .parameterOr(let name, let other): parameter(name) ?? components(of: other)
    case .list(let name, let part): values[name].map(part.components) ?? []
    case .fixed(let components): components
    case .time, .timeDelta, .frameRate, .frameIndex, .progress, .duration, .mouse, .keys, .date, .sampleRate, .inputTimes: nil
    }
  }
}

extension PassState {
  /// The same with other values of the filter, as they were said.
  func having(_ values: ParameterValues) -> PassState {
    var state = self
    state.values = proxy.values(values, of: pixels)
    return state
  }

  private func parameter(_ name: String) -> [Double]? {
    guard let components = values[name]?.components, lightColors.contains(name) else { return values[name]?.components }
    return components.prefix(3).map(TransferFunction.linear) + components.dropFirst(3)
  }
}

extension Uniform.Meaning {
  /// Whether it is the same in all frames of a filter whose parameters have these values.
  func isStill(for values: ParameterValues) -> Bool {
    PassState(targetSize: Size(1, 1), values: values).components(of: self) != nil
  }
}

extension PictureRegion {
  fileprivate var components: [Double] { [extent.x, extent.y, whole.width, whole.height].map(Double.init) }
}

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
    case .keys, .list(_, .points), .list(_, .entries), .list(_, .characters): 4
    case .targetSize, .targetAspect, .time, .timeDelta, .frameRate, .frameIndex, .progress, .duration, .mouse, .date, .sampleRate,
      .cubeFace, .region, .iteration, .parameter, .parameterOr, .list, .fixed:
      nil
    }
  }
}
