/// Renames the author's own functions that have the name of a built-in one, which OpenGL ES lets nobody notice and desktop GLSL refuses.
///
/// The other overloads of the built-in function are forwarded under the new name, so that calls of both kinds keep their meaning.
struct UserBuiltIns: Rewrite {
  let name = "user built-ins"

  func apply(to tokens: inout [Token]) {
    tokens.rename(Dictionary(uniqueKeysWithValues: Self.names(in: tokens).map { ($0, "etalon_" + $0) }))
  }

  /// The names of built-in functions that the text defines itself.
  static func names(in tokens: [Token]) -> Set<String> {
    Set(FileScope(tokens).functions.map(\.name)).intersection(BuiltInFunctions.names)
  }

  /// Functions that forward to the built-in overloads that the text does not define.
  static func forwarders(for tokens: [Token]) -> String {
    let functions = FileScope(tokens).functions
    var text = ""
    for name in names(in: tokens).sorted() {
      let own = functions.filter { $0.name == name }.map { $0.parameters.map { type(of: $0, in: tokens) } }
      for overload in BuiltInFunctions.overloads(of: name) where !own.contains(overload.parameters) {
        let parameters = overload.parameters.enumerated().map { "\($1) \(parameterName($0))" }.joined(separator: ", ")
        let arguments = overload.parameters.indices.map(parameterName).joined(separator: ", ")
        text += "\(overload.result) etalon_\(name)(\(parameters)) { return \(name)(\(arguments)); }\n"
      }
    }
    return text
  }

  private static func parameterName(_ index: Int) -> String { "etalon\(index)" }

  /// The type of a parameter without qualifiers and name.
  private static func type(of parameter: [Int], in tokens: [Token]) -> String {
    let qualifiers: Set<String> = ["const", "in", "out", "inout", "highp", "mediump", "lowp"]
    return parameter.first { !qualifiers.contains(tokens[$0].text) }.map { tokens[$0].text } ?? ""
  }
}
