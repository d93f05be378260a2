internal import EtalonDiagnostics
internal import EtalonManifest

/// One message together with everything that a rule may want to look at.
struct MessageContext {
  let message: CompilerMessage
  let tokens: TokenListing
  let macros: MacroTable
  let names: NameListing
  /// The token that the compiler points at; the use of the macro when the mistake is inside an expansion; nil when it points nowhere.
  let token: Int?
  /// The part of a directive that it points at.
  let directive: SourceRange?
  /// The macro whose expansion has the mistake.
  let expansion: MacroTable.Macro?

  /// The text of the token that the compiler points at.
  var tokenText: String { token.flatMap { tokens.text($0) } ?? "" }

  /// A name as the author wrote it: generated texts may rename.
  func spelled(_ index: Int) -> String {
    guard tokens.tokens.indices.contains(index) else { return "" }
    guard let origin = tokens.tokens[index].origin, tokens.tokens[index].isName else { return tokens.tokens[index].text }
    return String(decoding: origin.source.bytes[origin.range], as: UTF8.self)
  }

  /// The subject of the message as the author wrote it, if a token has that name.
  func spelledSubject(near index: Int?) -> String {
    guard let index, tokens.text(index) == message.subject else { return message.subject }
    return spelled(index)
  }

  /// The call whose closing bracket the compiler points at.
  var call: Call? {
    guard expansion == nil, let close = token, tokenText == ")", let open = tokens.partner(of: close), open > 0 else { return nil }
    return Call(name: open - 1, open: open, close: close)
  }

  struct Call {
    let name: Int
    let open: Int
    let close: Int
  }
}
