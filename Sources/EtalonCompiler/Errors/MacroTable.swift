internal import EtalonDiagnostics
internal import EtalonManifest

/// The macros that a text defines, for saying where the tokens of an expansion come from.
struct MacroTable {
  struct Macro {
    let name: String
    let takesArguments: Bool
    /// What it is replaced by.
    let body: String
    /// Where the author wrote the directive.
    let origin: SourceRange?

    /// The place of a name in the body, as the author wrote it.
    func place(of name: String) -> SourceRange? {
      guard let origin else { return nil }
      let bytes = origin.source.bytes
      let wanted = Array(name.utf8)
      guard !wanted.isEmpty else { return nil }
      var start = origin.range.lowerBound + 1
      // The first occurrence is past the macro's own name, which may contain or equal it.
      if let own = Self.find(Array(self.name.utf8), in: bytes, origin.range) { start = own + self.name.utf8.count }
      return Self.find(wanted, in: bytes, start..<max(start, origin.range.upperBound)).map {
        SourceRange(origin.source, $0..<$0 + wanted.count)
      }
    }

    /// The offset of a word that is not part of a longer one.
    private static func find(_ word: [UInt8], in bytes: [UInt8], _ range: Range<Int>) -> Int? {
      guard range.count >= word.count else { return nil }
      return (range.lowerBound...range.upperBound - word.count).first { start in
        bytes[start..<start + word.count].elementsEqual(word)
          && !(isNamePart(word[0]) && start > 0 && isNamePart(bytes[start - 1]))
          && !(isNamePart(word[word.count - 1]) && start + word.count < bytes.count && isNamePart(bytes[start + word.count]))
      }
    }
  }

  private let macros: [String: Macro]

  init(_ directives: [TokenListing.Directive]) {
    var macros: [String: Macro] = [:]
    for directive in directives {
      if let macro = Self.parse(directive) { macros[macro.name] = macro }
    }
    self.macros = macros
  }

  subscript(name: String) -> Macro? { macros[name] }

  var names: [String] { Array(macros.keys) }

  /// The macro whose body has a name in it: the given one, or one that it uses.
  func definition(of name: String, startingAt macro: Macro) -> (macro: Macro, place: SourceRange)? {
    var seen: Set<String> = []
    var waiting = [macro]
    while let next = waiting.popLast() {
      guard seen.insert(next.name).inserted else { continue }
      if let place = next.place(of: name) { return (next, place) }
      waiting += Self.words(next.body).compactMap { macros[$0] }
    }
    return nil
  }

  private static func parse(_ directive: TokenListing.Directive) -> Macro? {
    let joined = directive.text.replacing("\\\r\n", with: " ").replacing("\\\n", with: " ")
    var rest = joined.drop { $0 != "#" }.dropFirst().drop { $0 == " " || $0 == "\t" }
    guard rest.hasPrefix("define") else { return nil }
    rest = rest.dropFirst("define".count).drop { $0 == " " || $0 == "\t" }
    let name = rest.prefix { $0.utf8.count == 1 && isNamePart($0.utf8.first ?? 0) }
    guard !name.isEmpty else { return nil }
    rest = rest.dropFirst(name.count)
    let takesArguments = rest.hasPrefix("(")
    if takesArguments { rest = rest.drop { $0 != ")" }.dropFirst() }
    return Macro(name: String(name), takesArguments: takesArguments, body: String(rest), origin: directive.origin)
  }

  private static func words(_ text: String) -> [String] {
    text.split { !($0.utf8.count == 1 && isNamePart($0.utf8.first ?? 0)) }.map(String.init)
  }
}

/// Whether a byte can be inside a name of GLSL.
private func isNamePart(_ byte: UInt8) -> Bool {
  byte == UInt8(ascii: "_") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
}
