internal import EtalonDiagnostics

/// Inputs that an export marks as sRGB: the site's player makes them linear when it reads them.
struct ColorSpaceRule: PortabilityRule {
  func notes(on subject: PortabilitySubject) -> [Diagnostic] {
    guard subject.manifest.dialect == .shaderToy, let file = subject.file, ShaderToyExport.recognizes(file),
      let root = JSONReader(tolerating: Set(JSONSlip.allCases)).read(file).value
    else { return [] }
    return marks(in: root).map {
      subject.note("port.srgb", "an input is marked as sRGB; its numbers are used here as they are in the file", at: $0, "marked as sRGB")
    }
  }

  private func marks(in value: LocatedJSON) -> [SourceRange] {
    let own = value["srgb"].flatMap { $0.content == .string("true") || $0.content == .bool(true) ? $0.place : nil }
    let inner = (value.members?.map(\.value) ?? []) + (value.elements ?? [])
    return [own].compactMap(\.self) + inner.flatMap(marks)
  }
}
