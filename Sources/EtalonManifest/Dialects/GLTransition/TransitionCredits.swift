internal import EtalonDiagnostics

/// Who wrote a transition and what others may do with it: `// Author: …`, `// License: …`, both of which the collection demands.
struct TransitionCredits {
  let about: FilterManifest.About
  let diagnostics: [Diagnostic]

  init(_ tokens: [Token], _ source: SourceText) {
    let comments = tokens.lazy.filter { $0.kind == .comment }.compactMap(\.origin).flatMap(Self.lines)
    func text(of key: String) -> String? { comments.lazy.compactMap { Self.value(of: key, in: $0) }.first }
    let (author, license) = (text(of: "author"), text(of: "license"))
    about = FilterManifest.About(credit: author, license: license)
    diagnostics = [("Author", author), ("License", license)].filter { $1 == nil }.map { key, _ in
      Diagnostic(
        "gl-transition.no-\(key.lowercased())", "the file has no '// \(key): …'", severity: .warning, labels: [.init(source, 0..<0)],
        help: ["gl-transitions asks for a comment '// \(key): …' in every file"])
    }
  }

  /// The lines of a comment as the author wrote them, without the marks of the comment.
  private static func lines(of comment: SourceRange) -> [String] {
    String(decoding: comment.source.bytes[comment.range], as: UTF8.self).split(whereSeparator: \.isNewline).map { line in
      String(line.drop { $0 == "/" || $0 == "*" || $0.isWhitespace })
    }
  }

  /// What stands behind `key:`; nil when the line begins otherwise.
  private static func value(of key: String, in line: String) -> String? {
    guard line.lowercased().hasPrefix(key) else { return nil }
    let rest = line.dropFirst(key.count).drop(while: \.isWhitespace)
    guard rest.first == ":" else { return nil }
    let value = rest.dropFirst().drop(while: \.isWhitespace)
    let end = value.lastIndex { !$0.isWhitespace && $0 != "*" && $0 != "/" }
    return end.map { String(value[...$0]) }
  }
}
