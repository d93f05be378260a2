/// Gives a compute shader what only fragment shaders have: `gl_FragCoord` and its kin as variables, and `discard`.
///
/// `discard` notes that the pixel is dropped and returns from the function it is in; the pixel then becomes transparent black.
struct FragmentNames: Rewrite {
  let name = "fragment names"

  static let discardFlag = PixelDiscard.flag

  private static let names = [
    "gl_FragCoord": "etalon_FragCoord", "gl_FragColor": "etalon_FragColor", "gl_FragData": "etalon_FragData",
    "gl_FragDepth": "etalon_FragDepth", "gl_FrontFacing": "etalon_FrontFacing", "gl_PointCoord": "etalon_PointCoord",
  ]

  /// The declarations of the variables, by name; `etalonPixel` is the pixel of the invocation.
  static let declarations = [
    "etalon_FragCoord": "vec4 etalon_FragCoord = vec4(vec2(etalonPixel) + 0.5, 0.0, 1.0);",
    "etalon_FragColor": "vec4 etalon_FragColor = vec4(0.0);",
    "etalon_FragData": "vec4 etalon_FragData[4];",
    "etalon_FragDepth": "float etalon_FragDepth = 0.0;",
    "etalon_FrontFacing": "const bool etalon_FrontFacing = true;",
    "etalon_PointCoord": "const vec2 etalon_PointCoord = vec2(0.0);",
    discardFlag: "bool \(discardFlag) = false;",
  ]

  func apply(to tokens: inout [Token]) {
    tokens.rename(Self.names)
    let places = tokens.indices.filter { tokens[$0].isName("discard") }
    guard !places.isEmpty else { return }
    let scope = FileScope(tokens)
    tokens.apply(places.map { edit(ofDiscardAt: $0, in: scope.function(containing: $0), tokens) })
  }

  private func edit(ofDiscardAt place: Int, in function: FileScope.Function?, _ tokens: [Token]) -> (range: Range<Int>, tokens: [Token]) {
    let flag = tokens[place].replaced(by: Self.discardFlag)
    func added(_ text: String) -> [Token] { Lexer.tokens(ofAddedText: text) }
    guard let function, !tokens[place].isInDirective, let end = tokens.next(after: place), tokens[end].isMark(";") else {
      // In a macro the function is unknown: the flag alone has to do.
      return (place..<place + 1, [flag] + inDirective(added(" = true"), like: tokens[place]))
    }
    let type = function.returnType.map { tokens[$0].text }.joined(separator: " ")
    let isVoid = function.returnType.contains { tokens[$0].text == "void" }
    let leaving = isVoid ? " = true; return; }" : " = true; \(type) etalonNothing; return etalonNothing; }"
    return (place..<end + 1, added("{ ") + [flag] + added(leaving))
  }

  private func inDirective(_ added: [Token], like token: Token) -> [Token] {
    added.map { Token($0.kind, $0.text, isInDirective: token.isInDirective) }
  }
}

/// How a translation drops pixels.
package enum PixelDiscard {
  /// The global variable that says whether a pixel is discarded.
  package static let flag = "etalonIsDiscarded"
}
