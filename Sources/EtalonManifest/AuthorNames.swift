internal import EtalonDiagnostics

extension GeneratedSource {
  /// What the author wrote for the names that a rewrite changed, for messages of the compiler: `etalon_half` was `half`.
  package var authorNames: [String: String] {
    var names: [String: String] = [:]
    for piece in pieces where piece.kind == .token && piece.text.hasPrefix("etalon") {
      guard let origin = piece.origin, names[piece.text] == nil else { continue }
      names[piece.text] = String(decoding: origin.source.bytes[origin.range], as: UTF8.self)
    }
    return names
  }
}
