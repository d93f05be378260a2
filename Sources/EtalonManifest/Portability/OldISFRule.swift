internal import EtalonDiagnostics

/// Keys and names of the first version of ISF.
struct OldISFRule: PortabilityRule {
  private static let oldNames = ["vv_FragNormCoord": "isf_FragNormCoord", "vv_vertShaderInit": "isf_vertShaderInit"]

  func notes(on subject: PortabilitySubject) -> [Diagnostic] {
    guard subject.manifest.dialect == .isf else { return [] }
    return keys(subject) + names(subject)
  }

  private func keys(_ subject: PortabilitySubject) -> [Diagnostic] {
    guard let header = subject.isfHeader else { return [] }
    var notes: [Diagnostic] = []
    if let old = header.members?.first(where: { $0.key == "PERSISTENT_BUFFERS" }) {
      notes.append(
        subject.note(
          "port.isf-old-key", "'PERSISTENT_BUFFERS' belongs to the first version of ISF", at: old.keyPlace, "an old key",
          help: ["write \"PERSISTENT\": true into the pass that has the target"]))
    }
    let version = header["ISFVSN"]
    if version == nil || version?.content == .string("1") {
      notes.append(
        subject.note(
          "port.isf-version", "the header says that this is ISF 1, the version that hosts take for missing",
          at: version?.place ?? start(header),
          version == nil ? "no 'ISFVSN'" : "ISF 1", help: ["write \"ISFVSN\": \"2\""]))
    }
    return notes
  }

  private func start(_ header: LocatedJSON) -> SourceRange {
    let start = header.place.range.lowerBound
    return SourceRange(header.place.source, start..<start + 1)
  }

  private func names(_ subject: PortabilitySubject) -> [Diagnostic] {
    Self.oldNames.sorted { $0.key < $1.key }.compactMap { old, new in
      subject.firstUse(of: old).map {
        subject.note(
          "port.isf-old-name", "'\(old)' is a name of the first version of ISF", at: $0, "an old name", help: ["write '\(new)'"])
      }
    }
  }
}
