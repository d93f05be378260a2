internal import EtalonTypes

/// Prints a manifest as text, stably, for tests and for `describe` commands.
package struct ManifestPrinter {
  package init() {}

  /// One fact a line, ending in a newline.
  package func text(_ manifest: FilterManifest) -> String {
    var lines = ["filter \(manifest.name) (\(manifest.dialect.rawValue))"]
    lines += manifest.inputs.map { "input \($0.name): \(sampler($0.sampler, isFlipped: $0.isFlipped))" }
    lines += manifest.parameters.map { "parameter \($0.name): \(value($0.value))" }
    lines += manifest.constants.map { "constant \($0.name): \(value($0.value)) by \($0.form == .macro ? "#define" : "const")" }
    lines += manifest.passes.flatMap(pass)
    return lines.map { $0 + "\n" }.joined()
  }

  private func pass(_ pass: PassSource) -> [String] {
    var lines = ["pass \(pass.name)\(pass.usesQuads ? " in quads" : "")"]
    lines += pass.uniforms.map { uniform in
      "  uniform \(uniform.name): \(uniform.type.rawValue)\(uniform.arrayLength.map { "[\($0)]" } ?? "") = \(meaning(uniform.meaning))"
    }
    lines += pass.textures.map { "  texture \($0.name): \($0.input), \(sampler($0.sampler, isFlipped: $0.isFlipped))" }
    if !pass.rewrites.isEmpty { lines.append("  rewrites: \(pass.rewrites.joined(separator: ", "))") }
    return lines
  }

  private func sampler(_ sampler: Sampler, isFlipped: Bool) -> String {
    "\(sampler.interpolation.rawValue), \(sampler.address.rawValue)\(isFlipped ? ", flipped" : "")"
  }

  private func value(_ value: Value) -> String { "\(value.type.rawValue) = \(ValueConversion.text(of: value))" }

  private func meaning(_ meaning: Uniform.Meaning) -> String {
    switch meaning {
    case .targetSize: "target size"
    case .time: "time"
    case .timeDelta: "time since the last frame"
    case .frameRate: "frame rate"
    case .frameIndex: "frame number"
    case .mouse: "pointer"
    case .date: "date"
    case .sampleRate: "sample rate"
    case .inputTimes: "times of the inputs"
    case .inputSizes: "sizes of the inputs"
    case .fixed(let components): "fixed \(components.map { "\($0)" }.joined(separator: " "))"
    }
  }
}
