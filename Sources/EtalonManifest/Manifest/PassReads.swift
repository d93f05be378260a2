internal import EtalonDiagnostics

/// What the code of a pass that runs reads of its textures: a text may have functions that nobody calls.
struct PassReads {
  private let pass: PassSource
  private let mentioned: Set<String>

  init(_ pass: PassSource) {
    self.pass = pass
    mentioned = FunctionUse(Lexer.tokens(ofAddedText: pass.source.text)).names(mentionedBy: "main")
  }

  /// The textures that are read.
  var textures: [PassTexture] { pass.textures.filter { mentioned.contains($0.name) } }

  /// Where the author's text mentions a texture first.
  static func place(of texture: PassTexture, in pass: PassSource) -> SourceRange? {
    pass.source.pieces.lazy.filter { $0.text == texture.name }.compactMap(\.origin).first
  }
}
