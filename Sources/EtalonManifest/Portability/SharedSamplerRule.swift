internal import EtalonDiagnostics
internal import EtalonTypes

/// Channels that read one buffer in different ways, which the site's player cannot.
struct SharedSamplerRule: PortabilityRule {
  func notes(on subject: PortabilitySubject) -> [Diagnostic] {
    guard subject.manifest.dialect == .shaderToy else { return [] }
    return subject.manifest.targets.compactMap { target in
      let readers = subject.manifest.passes.flatMap { pass in
        pass.textures.filter { $0.source == .target(target.name) }.map {
          (name: subject.title(ofPass: pass) + "." + $0.name, sampler: $0.sampler)
        }
      }
      guard Set(readers.map(\.sampler)).count > 1 else { return nil }
      return subject.note(
        "port.shared-sampler",
        "'\(subject.title(ofTarget: target.name))' is read in several ways; the site's player keeps one sampler with each buffer",
        at: target.place, "read by \(readers.map(\.name).joined(separator: ", "))")
    }
  }
}
