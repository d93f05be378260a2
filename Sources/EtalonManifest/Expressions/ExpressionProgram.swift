package import EtalonDiagnostics
package import EtalonTypes

/// Writes GLSL expressions over some names as one compute kernel: invocation (`i`, `n`) stores the value of expression `i` for the `n`th set of
/// values that the names have.
///
/// In expressions of floats, whole numbers and names of whole numbers are floats, so that `1/2` and `frame/24` mean what a person means.
package struct ExpressionProgram: Sendable {
  /// An expression with the type of the value that is wanted.
  package struct Item: Sendable, Hashable {
    package let text: ExpressionText
    package let type: ValueType

    package init(_ text: ExpressionText, as type: ValueType) {
      self.text = text
      self.type = type
    }
  }

  /// How many sets of values a run takes: as many as a workgroup has rows, so that one set costs no less.
  package static let setsPerRun = 16

  private let items: [Item]
  private let names: [String: ValueType]

  /// - Parameter names: what the expressions may mention, with the types of the values.
  package init(_ items: [Item], names: [String: ValueType]) {
    self.items = items
    self.names = names
  }

  /// The kernel, for the store variant of packed floats; what cannot be an expression is reported together.
  package func pass() throws(DiagnosticsError) -> PassSource {
    var functions: [Token] = []
    var mentioned: Set<String> = []
    var mistakes: [Diagnostic] = []
    for (index, item) in items.enumerated() {
      let expression = ExpressionTokens(item.text)
      mistakes += expression.mistakes(as: item.type)
      functions += function(index, item, expression, &mentioned)
    }
    guard mistakes.isEmpty else { throw DiagnosticsError(mistakes) }
    let uniforms = mentioned.sorted().compactMap { name in
      names[name].map {
        Uniform(name: ExpressionTokens.member(name), type: $0, arrayLength: Self.setsPerRun, meaning: .parameter(name))
      }
    }
    return PassSource(
      name: "expressions", source: GeneratedSource(Lexer.tokens(ofAddedText: head(uniforms)) + functions + Lexer.tokens(ofAddedText: main)),
      uniforms: uniforms, textures: [], hints: NameHints(offered: names.keys.sorted()))
  }

  private func function(_ index: Int, _ item: Item, _ expression: ExpressionTokens, _ mentioned: inout Set<String>) -> [Token] {
    let type = item.type.rawValue
    // Whole numbers and truth values are converted, as people expect of `frame / 2.5`; anything else has to fit.
    let opening = item.type.isFloat ? "return (" : "return \(type)("
    return Lexer.tokens(ofAddedText: "\(type) etalonExpression\(index)() {\n  \(opening)")
      + expression.translated(names, readsNumbersAsFloats: item.type.isFloat, mentioned: &mentioned)
      + Lexer.tokens(ofAddedText: ");\n}\n")
  }

  private func head(_ uniforms: [Uniform]) -> String {
    let members = uniforms.map { "  \($0.type.rawValue) \($0.name)[\(Self.setsPerRun)];\n" }.joined()
    let block = uniforms.isEmpty ? "" : "layout(set = 0, binding = 0, std140) uniform EtalonUniforms {\n\(members)};\n"
    return "#version 450\nlayout(local_size_x = 256) in;\n" + PixelMapping.region + block + Self.output + PixelMapping.rows
  }

  /// Words rather than floats: a whole number may have the bits of a not-a-number, of which there is only one.
  private static let output =
    "layout(set = 0, binding = \(PixelStore.binding), std430) writeonly buffer EtalonOutput { uvec4 etalonOutput[]; };\n"

  private var main: String {
    // The region is as wide as there are expressions, and so are the rows of the output.
    let cases = items.enumerated().map { index, item in
      "  case \(index): words = \(Self.widened("etalonExpression\(index)()", item.type)); break;\n"
    }
    return
      "void main() {\n  uvec4 words = uvec4(0u);\n  switch (etalonPixel.x) {\n\(cases.joined())  }\n"
      + "  if (etalonPixel.x < etalonEnd.x && etalonPixel.y < etalonEnd.y) etalonOutput[etalonPixel.y * etalonEnd.x + etalonPixel.x] = words;\n}\n"
  }

  /// Four words with the bits of a value.
  private static func widened(_ call: String, _ type: ValueType) -> String {
    let words =
      switch type {
      case .bool, .int, .uint: "uint(\(call))"
      case .ivec2, .ivec3, .ivec4: "uvec\(type.componentCount)(\(call))"
      default: "floatBitsToUint(\(call))"
      }
    return "uvec4(\(words)\(String(repeating: ", 0u", count: 4 - type.componentCount)))"
  }
}
