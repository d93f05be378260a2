internal import EtalonDiagnostics

/// Turns the structures `iCh0` to `iCh3` of the newer player, which hold samplers and so cannot exist, into what their members mean.
struct ShaderToyChannelStructs: Rewrite {
  let name = "channel structures"

  private static func member(_ name: String, of channel: Int) -> String? {
    switch name {
    case "sampler": "iChannel\(channel)"
    case "size": "iChannelResolution[\(channel)]"
    case "time": "iChannelTime[\(channel)]"
    case "loaded": "int(iChannelResolution[\(channel)].x > 0.0)"
    default: nil
    }
  }

  private static let channels = ["iCh0": 0, "iCh1": 1, "iCh2": 2, "iCh3": 3]

  func apply(to tokens: inout [Token]) {
    var edits: [(range: Range<Int>, tokens: [Token])] = []
    for index in tokens.indices where tokens[index].kind == .identifier {
      guard let channel = Self.channels[tokens[index].text], let dot = tokens.next(after: index), tokens[dot].isMark("."),
        let name = tokens.next(after: dot), let text = Self.member(tokens[name].text, of: channel)
      else { continue }
      let added = Lexer.tokens(ofAddedText: text).map {
        Token($0.kind, $0.text, origin: $0.isSignificant ? tokens[name].origin : nil, isInDirective: tokens[index].isInDirective)
      }
      edits.append((index..<name + 1, added))
    }
    tokens.apply(edits)
  }

  /// The uses that no member explains.
  static func diagnostics(in tokens: [Token]) -> [Diagnostic] {
    tokens.indices.filter { tokens[$0].kind == .identifier && channels[tokens[$0].text] != nil }.map { index in
      Diagnostic(
        "shadertoy.channel-structure", "'\(tokens[index].text)' can only be used through its members",
        labels: tokens.labels(at: [index], "used as a whole"), help: ["its members are sampler, size, time and loaded"])
    }
  }
}
