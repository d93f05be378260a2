/// Reads images that a compute shader only reads as textures: `imageLoad(image, p)` becomes `texelFetch(image, p, 0)`.
struct ImageReads: Rewrite {
  let name = "image reads"

  /// The names of the images.
  let images: Set<String>

  private static let functions = ["imageLoad": "texelFetch", "imageSize": "textureSize"]

  func apply(to tokens: inout [Token]) {
    var edits: [(range: Range<Int>, tokens: [Token])] = []
    for index in tokens.indices where tokens[index].kind == .identifier {
      guard let function = Self.functions[tokens[index].text], let open = tokens.next(after: index), tokens[open].isMark("("),
        let image = tokens.next(after: open), images.contains(tokens[image].text), let close = tokens.closing(of: open)
      else { continue }
      tokens[index].text = function
      edits.append((close..<close, Lexer.tokens(ofAddedText: ", 0")))
    }
    tokens.apply(edits.sorted { $0.range.lowerBound < $1.range.lowerBound })
  }
}
