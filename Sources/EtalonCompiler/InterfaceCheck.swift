package import EtalonDiagnostics
internal import EtalonGLSL
package import EtalonManifest
package import EtalonSPIRV

/// Compares what a manifest declares with what the kernels of its passes really use.
///
/// ```swift
/// let warnings = InterfaceCheck(manifest).warnings(kernels)
/// ```
/// A parameter or an image that no kernel uses is a warning at its declaration: the text may mention it, and yet nothing depends on it. ShaderToy
/// and ISF texts are left alone: their readers know what those dialects let pass.
package struct InterfaceCheck: Sendable {
  private let manifest: FilterManifest

  package init(_ manifest: FilterManifest) { self.manifest = manifest }

  /// - Parameter kernels: one for each pass.
  package func warnings(_ kernels: [Kernel]) throws(DiagnosticsError) -> [Diagnostic] {
    guard [.native, .glTransition, .compute].contains(manifest.dialect) else { return [] }
    var parameters: Set<String> = []
    var inputs: Set<String> = []
    for (pass, kernel) in zip(manifest.passes, kernels) {
      parameters.formUnion(try self.parameters(of: pass, usedBy: kernel))
      let resources = Set(kernel.interface.resources.map(\.name))
      for texture in pass.textures where resources.contains(texture.name) {
        if let name = texture.source.input { inputs.insert(name) }
      }
    }
    for text in expressions { parameters.formUnion(manifest.parameters.map(\.name).filter { Self.mentions($0, text.text) }) }
    let unused = manifest.parameters.filter { !parameters.contains($0.name) && !$0.followsClock }
    let unread = manifest.inputs.filter { !inputs.contains($0.name) }
    return unused.compactMap { warning("unused-parameter", "nothing depends on the parameter '\($0.name)'", $0.place) }
      + unread.compactMap { warning("unused-input", "nothing reads the image '\($0.name)'", $0.place) }
  }

  /// The parameters that the code of a kernel reads.
  private func parameters(of pass: PassSource, usedBy kernel: Kernel) throws(DiagnosticsError) -> [String] {
    let used = Set(try Reflection(SPIRVModule(kernel.words)).usedUniforms())
    return pass.uniforms.filter { used.contains($0.name) }.compactMap { uniform in
      switch uniform.meaning {
      case .parameter(let name), .parameterOr(let name, _), .list(let name, _): name
      default: nil
      }
    }
  }

  /// Everything that parameters may steer beside kernels.
  private var expressions: [ExpressionText] {
    var texts = manifest.buffers.map(\.count)
    for target in manifest.targets {
      if case .expressions(let width, let height) = target.extent { texts += [width, height].compactMap { $0 } }
    }
    for pass in manifest.passes {
      if case .dispatch(_, let counts) = pass.coverage { texts += counts }
    }
    if case .rectangle(let x, let y, let width, let height) = manifest.extent { texts += [x, y, width, height] }
    if case .sized(let width, let height) = manifest.extent { texts += [width, height] }
    return texts
  }

  private static func mentions(_ name: String, _ text: String) -> Bool {
    Lexer.tokens(of: SourceText(path: "<expression>", text: text)).contains { $0.isName(name) }
  }

  /// Nothing for a parameter that the author did not declare.
  private func warning(_ id: String, _ message: String, _ place: SourceRange?) -> Diagnostic? {
    place.map { place in
      Diagnostic(
        "manifest.\(id)", message, severity: .warning, labels: [place.label("declared here")],
        help: ["remove it, or use it"])
    }
  }
}
