import EtalonDiagnostics

extension Reflection {
  /// What a global variable stands for.
  enum Binding {
    case uniforms(KernelInterface.Block)
    case pushConstants(KernelInterface.Block)
    case resource(KernelInterface.Resource)
    case builtIn(BuiltIn)
    /// Memory of the shader's own.
    case nothing
  }

  func binding(_ id: Id) throws(DiagnosticsError) -> Binding {
    guard let type = module.typeOfValue(id), case .pointer(let storageClass, let pointee) = module.type(type) else { return .nothing }
    switch storageClass {
    case .Private, .Workgroup: return .nothing
    case .Input: return .builtIn(try builtIn(id, pointee))
    case .PushConstant: return .pushConstants(try BlockLayout(module, name: blockName(id, pointee)).block(pointee, binding: 0))
    case .Uniform where module.has(.Block, pointee):
      return .uniforms(try BlockLayout(module, name: blockName(id, pointee)).block(pointee, binding: bindingNumber(id)))
    case .Uniform, .StorageBuffer:
      guard case .structure = module.type(pointee) else {
        throw Self.refusal("buffer", "arrays of buffers, as '\(name(id))', are not supported")
      }
      return .resource(
        KernelInterface.Resource(name: blockName(id, pointee), binding: try bindingNumber(id), kind: .storageBuffer))
    case .UniformConstant:
      return .resource(KernelInterface.Resource(name: name(id), binding: try bindingNumber(id), kind: try texture(id, pointee)))
    default: throw Self.refusal("variable", "'\(name(id))' is a \(storageClass) variable, which compute shaders here cannot have")
    }
  }

  private func builtIn(_ id: Id, _ type: Id) throws(DiagnosticsError) -> BuiltIn {
    guard let number = module.value(of: .BuiltIn, id), let builtIn = BuiltIn(rawValue: number) else {
      throw Self.refusal("variable", "the input '\(name(id))' is none that a compute shader has")
    }
    // Devices and evaluators fill it in by what it stands for, and do not look at its type again.
    guard isInteger(type, count: builtIn.componentCount) else {
      let wanted = builtIn.componentCount == 1 ? "one integer" : "\(builtIn.componentCount) integers"
      throw Self.refusal("variable", "the input '\(name(id))' has another type than '\(builtIn)', which is \(wanted) of 32 bits")
    }
    return builtIn
  }

  private func isInteger(_ type: Id, count: Int) -> Bool {
    switch module.type(type) {
    case .int(width: 32, _): count == 1
    case .vector(let component, count): isInteger(component, count: 1)
    default: false
    }
  }

  private func bindingNumber(_ id: Id) throws(DiagnosticsError) -> Int {
    let set = module.value(of: .DescriptorSet, id) ?? 0
    guard set == 0 else { throw Self.refusal("binding", "'\(name(id))' is in descriptor set \(set); only set 0 is used") }
    guard let binding = module.value(of: .Binding, id) else { throw Self.refusal("binding", "'\(name(id))' has no binding") }
    return Int(binding)
  }

  private func texture(_ id: Id, _ type: Id) throws(DiagnosticsError) -> KernelInterface.Resource.Kind {
    switch module.type(type) {
    case .sampledImage(let image):
      guard case .image(let shape) = module.type(image) else { break }
      if shape.isDepth { throw Self.refusal("texture", "'\(name(id))' compares depths, which is not supported") }
      return .sampledTexture(try dimension(id, shape))
    case .image(let shape) where shape.isStorage:
      return .storageTexture(try dimension(id, shape), format: try ImageFormat.glslName(shape.format, of: name(id)))
    case .image, .sampler: throw Self.refusal("texture", "'\(name(id))': textures and samplers have to be combined, as in 'sampler2D'")
    case .array, .runtimeArray: throw Self.refusal("texture", "arrays of textures, as '\(name(id))', are not supported")
    default: break
    }
    throw Self.refusal("texture", "'\(name(id))' is no texture")
  }

  private func dimension(_ id: Id, _ shape: ImageType) throws(DiagnosticsError) -> KernelInterface.Resource.Dimension {
    if shape.isArrayed { throw Self.refusal("texture", "'\(name(id))' is an array texture, which is not supported") }
    if shape.isMultisampled { throw Self.refusal("texture", "'\(name(id))' is a multisampled texture, which is not supported") }
    switch shape.dim {
    case .two: return .two
    case .three: return .three
    case .cube: return .cube
    default: throw Self.refusal("texture", "'\(name(id))' is neither a 2D, a 3D nor a cube texture")
    }
  }

  /// The name of a variable, or of its type when it has none of its own, or its number.
  func name(_ id: Id) -> String {
    let own = module.name(id)
    if !own.isEmpty { return own }
    if let type = module.typeOfValue(id), case .pointer(_, let pointee) = module.type(type), !module.name(pointee).isEmpty {
      return module.name(pointee)
    }
    return id.description
  }

  private func blockName(_ id: Id, _ structure: Id) -> String {
    let own = module.name(structure)
    return own.isEmpty ? name(id) : own
  }
}

/// The names of image formats in GLSL.
private enum ImageFormat {
  private static let names = [
    "rgba32f", "rgba16f", "r32f", "rgba8", "rgba8_snorm", "rg32f", "rg16f", "r11f_g11f_b10f", "r16f", "rgba16", "rgb10_a2", "rg16", "rg8",
    "r16", "r8", "rgba16_snorm", "rg16_snorm", "rg8_snorm", "r16_snorm", "r8_snorm", "rgba32i", "rgba16i", "rgba8i", "r32i", "rg32i",
    "rg16i", "rg8i", "r16i", "r8i", "rgba32ui", "rgba16ui", "rgba8ui", "r32ui", "rgb10_a2ui", "rg32ui", "rg16ui", "rg8ui", "r16ui", "r8ui",
  ]

  /// The name of a format, nil when the shader leaves it open.
  static func glslName(_ format: UInt32, of texture: String) throws(DiagnosticsError) -> String? {
    if format == 0 { return nil }
    guard format <= names.count else { throw Reflection.refusal("texture", "'\(texture)' has the unknown format \(format)") }
    return names[Int(format) - 1]
  }
}
