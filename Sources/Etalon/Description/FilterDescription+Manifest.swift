package import EtalonGraph
package import EtalonManifest
internal import EtalonTypes

extension FilterDescription {
  /// Describes what was read from a path.
  package init(_ manifest: FilterManifest, path: String) {
    self.init(manifest, path: path, dialect: manifest.dialect.rawValue, description: manifest.about.description)
  }

  /// Describes an image operation, which is no filter of a library but a stage and a node like one.
  package init(_ operation: ImageOperation) {
    self.init(
      operation.filter.manifest, path: "as a stage: '\(operation.form)'", name: operation.rawValue, dialect: "image operation",
      description: operation.summary)
  }

  private init(_ manifest: FilterManifest, path: String, name: String? = nil, dialect: String, description: String?) {
    self.init(
      name: name ?? manifest.name, path: path, kind: manifest.kind.rawValue, dialect: dialect,
      description: description, credit: manifest.about.credit, license: manifest.about.license,
      categories: manifest.about.categories, inputs: manifest.inputs.map(Input.init), parameters: manifest.parameters.map { Parameter($0) },
      constants: manifest.constants.map { Constant(name: $0.name, type: $0.value.type.rawValue, value: DescribedValue($0.value)) },
      constraints: manifest.constraints.map(\.text), targets: manifest.targets.map(Target.init), buffers: manifest.buffers.map(Buffer.init),
      passes: manifest.passes.map(Pass.init), outputs: [manifest.mainOutput] + manifest.furtherOutputs, alpha: manifest.alpha.rawValue)
  }
}

extension FilterDescription.Input {
  fileprivate init(_ input: FilterInput) {
    let (origin, source) = input.isRead ? input.sound.map { ("sound", "\($0)" as String?) } ?? Self.origin(input.origin) : ("unread", nil)
    self.init(
      name: input.name, label: input.label, shape: input.shape.rawValue, interpolation: input.sampler.interpolation.rawValue,
      address: input.sampler.address.rawValue, isFlipped: input.isFlipped, origin: origin, source: source,
      title: Self.title(input.origin))
  }

  private static func title(_ origin: FilterInput.Origin) -> String? {
    if case .asset(let asset) = origin { asset.title } else { nil }
  }

  private static func origin(_ origin: FilterInput.Origin) -> (String, String?) {
    switch origin {
    case .user: ("user", nil)
    case .file(let path, _): ("file", path)
    case .asset(let asset): ("asset", asset.id)
    case .keyboard: ("keyboard", nil)
    case .nothing: ("nothing", nil)
    }
  }
}

extension FilterDescription.Parameter {
  /// - Parameter name: what it is called from outside, where that is something else.
  init(_ parameter: FilterParameter, named name: String? = nil) {
    self.init(
      name: name ?? parameter.name, label: parameter.label, help: parameter.help, group: parameter.group, kind: parameter.kind.rawValue,
      type: parameter.kind.valueType.rawValue, default: DescribedValue(parameter.defaultValue), followsClock: parameter.followsClock,
      minimum: parameter.minimum.map(DescribedValue.init), maximum: parameter.maximum.map(DescribedValue.init),
      identity: parameter.identity.map(DescribedValue.init), step: parameter.step, unit: parameter.unit?.rawValue,
      choices: parameter.choices.isEmpty ? nil : parameter.choices.map { Choice(value: $0.value, label: $0.label) })
  }
}

extension FilterDescription.Target {
  fileprivate init(_ target: FilterTarget) {
    self.init(
      name: target.name, format: target.format.rawValue, shape: target.shape.rawValue, extent: Self.text(target.extent),
      isPersistent: target.isPersistent)
  }

  private static func text(_ extent: FilterTarget.Extent) -> String {
    switch extent {
    case .output: "as the result"
    case .pixels(let size): "\(size)"
    case .scaled(let factor): "\(factor) of the result"
    case .expressions(let width, let height): "(\(width?.text ?? "width")) x (\(height?.text ?? "height"))"
    }
  }
}

extension FilterDescription.Buffer {
  fileprivate init(_ buffer: FilterBuffer) {
    self.init(name: buffer.name, type: buffer.type.rawValue, count: buffer.count.text, isPersistent: buffer.isPersistent)
  }
}

extension FilterDescription.Pass {
  fileprivate init(_ pass: PassSource) {
    let sources = pass.textures.map { texture in
      switch texture.source {
      case .input(let name), .target(let name): name
      }
    }
    let isPixelPass = pass.coverage == .pixels
    self.init(
      name: pass.name, writes: [pass.target].compactMap(\.self) + pass.stores.compactMap(\.target),
      writesResult: isPixelPass ? pass.target == nil : pass.stores.contains { $0.target == nil }, buffers: pass.buffers.map(\.buffer),
      reads: sources, iterations: pass.iterations)
  }
}
