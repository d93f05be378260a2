internal import EtalonGLSL
internal import EtalonTypes

/// Prints a manifest as text, stably, for tests and for `describe` commands.
package struct ManifestPrinter {
  package init() {}

  /// One fact a line, ending in a newline.
  package func text(_ manifest: FilterManifest) -> String {
    var lines = ["\(manifest.kind.rawValue) \(manifest.name) (\(manifest.dialect.rawValue))"]
    lines += manifest.inputs.map(input)
    lines += manifest.parameters.map(parameter)
    lines += manifest.constants.map { "constant \($0.name): \(value($0.value)) by \($0.form == .macro ? "#define" : "const")" }
    lines += manifest.constraints.map { "constraint \($0.text)" }
    lines += manifest.targets.map(target)
    lines += manifest.buffers.map { "buffer \($0.name): \($0.type.rawValue) \($0.count.text)\($0.isPersistent ? ", persistent" : "")" }
    lines += manifest.furtherOutputs.map { "output \($0)" }
    if manifest.extent != ResultExtent(of: manifest.kind) { lines.append("covers \(extent(manifest.extent))") }
    lines += manifest.passes.flatMap(pass)
    return lines.map { $0 + "\n" }.joined()
  }

  private func input(_ input: FilterInput) -> String {
    let shape = input.shape == .flat ? "" : "\(input.shape.rawValue), "
    return
      "input \(input.name): \(shape)\(sampler(input.sampler))\(input.isFlipped ? ", flipped" : "")\(meaning(of: input))\(origin(input.origin))\(sound(input.sound))\(frames(input.frames))"
  }

  private func meaning(of input: FilterInput) -> String {
    let space =
      switch input.space {
      case .working, .encoded: ""
      case .linear: ", linear light"
      case .data: ", data"
      }
    return space + (input.alpha == .straight ? "" : ", \(input.alpha.rawValue)")
  }

  private func extent(_ extent: ResultExtent) -> String {
    switch extent {
    case .input: "the input"
    case .grown: "the input and the reach around it"
    case .infinite: "everything"
    case .union: "all inputs"
    case .rectangle(let x, let y, let width, let height): "\(width.text) x \(height.text) at (\(x.text), \(y.text))"
    case .sized(let width, let height): "a size of its own, \(width.text) x \(height.text)"
    }
  }

  private func frames(_ window: FrameWindow?) -> String {
    window.map { window in
      let (first, last) = (FrameWindow.text(window.offsets.lowerBound), FrameWindow.text(window.offsets.upperBound))
      return ", frames \(first) to \(last), \(window.ends.rawValue) at the ends" + (window.distance.map { ", as many as \($0) says" } ?? "")
    } ?? ""
  }

  private func sound(_ sound: SoundPicture?) -> String { sound.map { ", \($0)" } ?? "" }

  private func origin(_ origin: FilterInput.Origin) -> String {
    switch origin {
    case .user: ""
    case .file(let path, _): ", from file \(path)"
    case .asset(let asset): ", from asset \(asset.id)"
    case .keyboard: ", the keyboard"
    case .nothing: ", nothing"
    case .data(let kind): ", \(kind.words)"
    }
  }

  private func parameter(_ parameter: FilterParameter) -> String {
    var text = "parameter \(parameter.name): \(parameter.kind.rawValue) = \(ValueConversion.text(of: parameter.defaultValue))"
    if case .matrix(let rows, let columns)? = parameter.list {
      text += ", \(rows.lowerBound) to \(rows.upperBound) rows of \(columns.lowerBound) to \(columns.upperBound)"
    }
    if case .text(let rules)? = parameter.list {
      text += ", at most \(rules.longest) characters"
      if !rules.allowed.isEmpty { text += " of \(rules.allowed.map(CharacterRules.text).joined(separator: " "))" }
      if let font = rules.font { text += ", or those of \(font)" }
    }
    if parameter.followsClock { text += ", or by the clock" }
    if let minimum = parameter.minimum { text += ", at least \(ValueConversion.plainText(minimum))" }
    if let maximum = parameter.maximum { text += ", at most \(ValueConversion.plainText(maximum))" }
    if let identity = parameter.identity {
      text += ", identity \(identity.text == nil ? ValueConversion.plainText(identity) : ValueConversion.text(of: identity))"
    }
    if let step = parameter.step { text += ", step \(ValueConversion.plainText(Value(.float, [step])))" }
    if let unit = parameter.unit { text += ", in \(unit.rawValue)" }
    if let label = parameter.label { text += ", label '\(label)'" }
    if let help = parameter.help { text += ", help '\(help)'" }
    if let group = parameter.group { text += ", group '\(group)'" }
    if !parameter.choices.isEmpty { text += ", choices " + parameter.choices.map { "\($0.value) '\($0.label)'" }.joined(separator: " ") }
    return text
  }

  private func target(_ target: FilterTarget) -> String {
    let shape = target.shape == .flat ? "" : ", \(target.shape.rawValue)"
    return "target \(target.name): \(target.format.rawValue), \(extent(target.extent))\(shape)\(target.isPersistent ? ", persistent" : "")"
  }

  private func extent(_ extent: FilterTarget.Extent) -> String {
    switch extent {
    case .output: "as large as the result"
    case .pixels(let size): "\(size)"
    case .scaled(let factor): "\(factor) of the result"
    case .expressions(let width, let height): "width (\(width?.text ?? "as the result")), height (\(height?.text ?? "as the result"))"
    }
  }

  private func pass(_ pass: PassSource) -> [String] {
    let target = pass.target.map { " to \($0)" } ?? ""
    var lines = ["pass \(pass.name)\(target)\(coverage(pass.coverage))\(pass.usesQuads ? " in quads" : "")"]
    lines[0] += kernel(pass)
    if pass.iterations > 1 { lines[0] += ", \(pass.iterations) times" }
    lines += pass.uniforms.map { uniform in
      "  uniform \(uniform.name): \(uniform.type.rawValue)\(uniform.arrayLength.map { "[\($0)]" } ?? "") = \(meaning(uniform.meaning))"
    }
    lines += pass.textures.map { "  texture \($0.name): \(source($0.source)), \(sampler($0.sampler))" }
    lines += pass.stores.map { "  store \($0.name): \($0.target ?? "the result")" }
    lines += pass.buffers.map { "  buffer \($0.name): \($0.buffer)" }
    if !pass.rewrites.isEmpty { lines.append("  rewrites: \(pass.rewrites.joined(separator: ", "))") }
    return lines
  }

  /// Nothing for the form that all dialects have.
  private func kernel(_ pass: PassSource) -> String {
    let form = pass.form == .image ? "" : ", a \(pass.form.rawValue) kernel"
    switch pass.reach {
    case .everywhere: return form
    case .none: return form
    case .pixels(let x, let y): return "\(form), reaches \(x.text) and \(y.text)"
    }
  }

  private func coverage(_ coverage: PassSource.Coverage) -> String {
    switch coverage {
    case .pixels: ""
    case .workgroups(let localSize, let extent):
      ", workgroups of \(localSize.map(String.init).joined(separator: "x")) over \(extent == .output ? "the result" : self.extent(extent))"
    case .dispatch(let localSize, let counts):
      ", \(counts.map(\.text).joined(separator: " x ")) workgroups of \(localSize.map(String.init).joined(separator: "x"))"
    }
  }

  private func source(_ source: PassTexture.Source) -> String {
    switch source {
    case .input(let name): name
    case .target(let name): "target \(name)"
    }
  }

  private func sampler(_ sampler: Sampler) -> String { "\(sampler.interpolation.rawValue), \(sampler.address.rawValue)" }

  private func value(_ value: Value) -> String { "\(value.type.rawValue) = \(ValueConversion.text(of: value))" }

  private func meaning(_ meaning: Uniform.Meaning) -> String {
    switch meaning {
    case .targetSize: "target size"
    case .targetAspect: "target width by height"
    case .time: "time"
    case .timeDelta(let first): "time since the last frame, \(first) on the first"
    case .frameRate: "frame rate"
    case .frameIndex: "frame number"
    case .progress: "progress"
    case .duration: "duration"
    case .mouse: "pointer"
    case .keys: "keys"
    case .date(let january): "date, January is \(january)"
    case .sampleRate: "sample rate"
    case .inputTimes: "times of the inputs"
    case .textureSizes(let sources): "sizes of \(sources.map { $0.map(source) ?? "nothing" }.joined(separator: ", "))"
    case .region(let texture): "region of \(source(texture))"
    case .cubeFace: "face of the cube"
    case .iteration: "iteration"
    case .parameter(let name): "parameter \(name)"
    case .parameterOr(let name, let clock): "parameter \(name), or \(self.meaning(clock))"
    case .list(let name, let part): "\(part) of \(name)"
    case .fixed(let components): "fixed \(components.map { "\($0)" }.joined(separator: " "))"
    }
  }
}
