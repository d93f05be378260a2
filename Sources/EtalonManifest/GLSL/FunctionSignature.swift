/// The types of a function of an author's text.
struct FunctionSignature: Hashable {
  struct Parameter: Hashable {
    /// `in`, `out` or `inout`.
    let direction: String
    let type: String
    /// Whether it is declared `const`, which a prototype has to repeat.
    let isConstant: Bool
  }

  let name: String
  let result: String
  let parameters: [Parameter]

  init(_ function: FileScope.Function, in tokens: [Token]) {
    name = function.name
    let qualifiers: Set<String> = ["highp", "mediump", "lowp", "precise"]
    result = function.returnType.map { tokens[$0].text }.filter { !qualifiers.contains($0) }.joined(separator: " ")
    parameters = function.parameters.map { places in
      let words = places.map { tokens[$0].text }.filter { !qualifiers.contains($0) }
      let directions = ["in", "out", "inout"]
      return Parameter(
        direction: words.first(where: directions.contains) ?? "in",
        type: words.first { !directions.contains($0) && $0 != "const" } ?? "", isConstant: words.contains("const"))
    }
  }

  /// Whether the function returns a type and takes values of some types.
  func takes(_ types: [String], returns result: String) -> Bool {
    self.result == result && parameters.map(\.type) == types && parameters.allSatisfy { $0.direction == "in" }
  }

  /// A declaration that a call may stand behind: `vec4 transition(const vec2);`.
  var prototype: String {
    let list = parameters.map { parameter in
      let direction = parameter.direction == "in" ? "" : parameter.direction + " "
      return (parameter.isConstant ? "const " : "") + direction + parameter.type
    }
    return "\(result) \(name)(\(list.joined(separator: ", ")));"
  }
}
