package import EtalonDiagnostics

/// What the pictures of a filter rely on beside its text: things that other players do differently, or that a picture may get wrong.
///
/// All of it is known before anything is rendered, and none of it is a mistake: the diagnostics are notes whose ids begin with `port.`.
///
/// **Concurrency**: an immutable value.
package struct PortabilityReport: Sendable {
  /// In the order of their places.
  package let notes: [Diagnostic]

  private static let rules: [any PortabilityRule] = [
    ClockRule(), PointerRule(), InputRule(), SharedSamplerRule(), PassOrderRule(), ColorSpaceRule(), AudioRule(), AlphaRule(),
    EvaluationOrderRule(), SineHashRule(), OldISFRule(),
  ]

  /// Looks at a filter that was read; `file` is the text of its file, nil for a project in a folder.
  package init(_ manifest: FilterManifest, text file: SourceText?) {
    let subject = PortabilitySubject(manifest, file)
    notes = Self.rules.flatMap { $0.notes(on: subject) }.inOrderOfPlaces
  }
}

/// One thing that pictures may rely on.
protocol PortabilityRule: Sendable {
  func notes(on subject: PortabilitySubject) -> [Diagnostic]
}
