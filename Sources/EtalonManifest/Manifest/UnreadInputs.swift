internal import EtalonDiagnostics

extension FilterReading {
  /// The same with a mark at the inputs that nothing reads which runs, so that nobody has to give a picture for them.
  ///
  /// The texts of ShaderToys and ISF files are warned about here; what kernels of the other dialects read is known when they are compiled.
  var markingUnreadInputs: FilterReading {
    guard !manifest.inputs.isEmpty else { return self }
    var read: Set<String> = []
    for pass in manifest.passes where !pass.textures.allSatisfy({ Self.input($0).map(read.contains) ?? true }) {
      read.formUnion(PassReads(pass).textures.compactMap(Self.input))
    }
    var manifest = manifest
    for index in manifest.inputs.indices { manifest.inputs[index].isRead = read.contains(manifest.inputs[index].name) }
    let unread = manifest.inputs.filter { !$0.isRead && ![.nothing, .keyboard].contains($0.origin) }
    let isWarned = [.shaderToy, .isf].contains(manifest.dialect)
    return FilterReading(manifest: manifest, warnings: warnings + (isWarned ? unread.compactMap(warning) : []))
  }

  private static func input(_ texture: PassTexture) -> String? {
    if case .input(let name) = texture.source { name } else { nil }
  }

  /// Nothing for an input that no text mentions at all, which its dialect may allow.
  private func warning(_ input: FilterInput) -> Diagnostic? {
    for pass in manifest.passes {
      guard let texture = pass.textures.first(where: { $0.source == .input(input.name) }) else { continue }
      let place = PassReads.place(of: texture, in: pass) ?? input.place
      return Diagnostic(
        "manifest.unused-input", "nothing that runs reads the image '\(input.name)', so it needs no picture", severity: .warning,
        labels: place.map { [.init($0.source, $0.range, "in a function that nobody calls")] } ?? [])
    }
    return nil
  }
}
