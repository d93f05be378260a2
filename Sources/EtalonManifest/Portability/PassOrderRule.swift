internal import EtalonDiagnostics

/// Passes that read what a later pass writes: they see the frame before, or nothing where the target is not kept.
struct PassOrderRule: PortabilityRule {
  func notes(on subject: PortabilitySubject) -> [Diagnostic] {
    let passes = subject.manifest.passes
    return passes.indices.flatMap { reader in
      later(than: reader, passes).map { target in
        let written = subject.manifest.targets.first { $0.name == target }
        let seen = written?.isPersistent ?? true ? "the frame before" : "transparent black, because nothing keeps it"
        return subject.note(
          "port.pass-order",
          "'\(subject.title(ofPass: passes[reader]))' reads '\(subject.title(ofTarget: target))', which is written later: it sees \(seen)",
          at: written?.place,
          "runs later")
      }
    }
  }

  /// The targets that a pass reads and that only later passes write.
  private func later(than reader: Int, _ passes: [PassSource]) -> [String] {
    let read = passes[reader].textures.compactMap { if case .target(let name) = $0.source { name } else { nil } }
    let before = Set(passes[...reader].flatMap(writes))
    let after = Set(passes[(reader + 1)...].flatMap(writes))
    return Set(read).intersection(after).subtracting(before).sorted()
  }

  private func writes(_ pass: PassSource) -> [String] { [pass.target].compactMap(\.self) + pass.stores.compactMap(\.target) }
}
