package import EtalonDiagnostics
internal import EtalonGLSL
package import EtalonManifest

/// What the pictures of a filter depend on beside its text: things that other players do in another way, or that the user should check.
///
/// All of it is known before a frame is rendered, and none of it is an error: the diagnostics are notes whose ids begin with `port.`.
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

/// One thing that pictures may depend on.
protocol PortabilityRule: Sendable {
  func notes(on subject: PortabilitySubject) -> [Diagnostic]
}

/// A filter as the rules of the portability report see it.
struct PortabilitySubject {
  /// A token of one of the author's texts.
  struct Place {
    let text: Int
    let token: Int
  }

  let manifest: FilterManifest
  /// The text of the filter's file, which is JSON for an export; nil for a project in a folder.
  let file: SourceText?
  /// The author's tokens, text by text: the file, what it includes, the texts of a project.
  let texts: [[Token]]

  init(_ manifest: FilterManifest, _ file: SourceText?) {
    self.manifest = manifest
    self.file = file
    var sources: [String: SourceText] = [:]
    for pass in manifest.passes {
      for piece in pass.source.pieces {
        if let source = piece.origin?.source, sources[source.path] == nil { sources[source.path] = source }
      }
    }
    texts = sources.sorted { $0.key < $1.key }.map { Lexer.tokens(of: $0.value) }
  }

  /// The first mention of a name.
  func firstUse(of name: String) -> Place? {
    for (text, tokens) in texts.enumerated() {
      if let token = tokens.firstIndex(where: { $0.isName(name) }) { return Place(text: text, token: token) }
    }
    return nil
  }

  /// What a person calls a pass: the file of its text where that has a name of its own, as `trail.glsl` that a loose file names.
  func title(ofPass pass: PassSource) -> String {
    guard manifest.dialect == .shaderToy, let path = pass.source.pieces.last(where: { $0.origin != nil })?.origin?.source.path,
      let file = path.split(separator: "/").last, !file.contains("#"), file != "\(pass.name).glsl"
    else { return pass.name }
    return String(file)
  }

  /// What a person calls a target: the pass that writes it.
  func title(ofTarget target: String) -> String {
    guard manifest.dialect == .shaderToy, let pass = manifest.passes.first(where: { $0.target == target }) else { return target }
    return title(ofPass: pass)
  }

  /// A note at a token.
  func note(_ id: String, _ message: String, at place: Place?, _ label: String, help: [String] = [], notes: [String] = []) -> Diagnostic {
    let labels = place.map { texts[$0.text].labels(at: [$0.token], label) } ?? []
    return Diagnostic(id, message, severity: .note, labels: labels, help: help, notes: notes)
  }

  /// A note at a place that the manifest knows.
  func note(_ id: String, _ message: String, at place: SourceRange?, _ label: String, help: [String] = []) -> Diagnostic {
    let labels = place.map { [$0.label(label)] } ?? []
    return Diagnostic(id, message, severity: .note, labels: labels, help: help)
  }

  /// The uniforms of all passes that have one of some meanings, each name once.
  func uniforms(_ isWanted: (Uniform.Meaning) -> Bool) -> [Uniform] {
    var known: Set<String> = []
    return manifest.passes.flatMap(\.uniforms).filter { isWanted($0.meaning) && known.insert($0.name).inserted }
  }
}

extension PortabilitySubject {
  /// The header of an ISF file; nil for other files.
  var isfHeader: LocatedJSON? {
    guard manifest.dialect == .isf, let file, let header = HeaderComment(in: file, mustComeFirst: false) else { return nil }
    return JSONReader(tolerating: Set(JSONSlip.allCases)).read(file, within: header.json).value
  }
}
