internal import EtalonDiagnostics

/// `fract(sin(x) * 43758.5453)`: noise that every driver computes differently, because it magnifies the error of the sine.
struct SineHashRule: PortabilityRule {
  /// A factor above it makes the error of a sine as large as the result.
  private static let largestFactor = 1000.0

  func notes(on subject: PortabilitySubject) -> [Diagnostic] {
    for (text, tokens) in subject.texts.enumerated() {
      for index in tokens.indices where tokens[index].isName("fract") && hashes(index, tokens) {
        return [
          subject.note(
            "port.sine-hash", "noise from a magnified sine differs from driver to driver", at: .init(text: text, token: index),
            "hashes here",
            notes: ["'--device cpu' gives the same noise on every machine"])
        ]
      }
    }
    return []
  }

  /// Whether the argument has a sine and multiplies by a large number.
  private func hashes(_ index: Int, _ tokens: [Token]) -> Bool {
    guard let open = tokens.next(after: index), tokens[open].isMark("("), let argument = tokens.arguments(openedAt: open)?.first else {
      return false
    }
    let hasSine = argument.contains { ["sin", "cos"].contains(tokens[$0].text) && tokens.isCalled(at: $0) }
    let hasFactor = argument.contains { place in
      guard tokens[place].kind == .float, let value = Double(tokens[place].text.prefix { $0.isNumber || $0 == "." }) else { return false }
      return value > Self.largestFactor
    }
    return hasSine && hasFactor
  }
}
