/// Lets parameters that are `out` begin with the value of the argument where the text may read them before it writes them, or may leave them unwritten.
///
/// GLSL says nothing about such a value. Shaders of players rely on what drivers do that pass the variable itself. The macro is `inout`, and stays `out` where
/// a shader is watched, so that such reads are told (`ShaderCompiler.watchedMacros`).
package struct OutParameters: Rewrite {
  package let name = "out parameters"

  package init() {}

  /// Stands in the place of `out`.
  package static let macro = "ETALON_OUT"

  /// What a program needs that mentions the macro.
  package static let definition = """
    #ifndef \(macro)
    #define \(macro) inout
    #endif

    """

  /// The functions that the program calls itself.
  private static let entries: Set<String> = ["mainImage", "mainCubemap", "mainSound", "main"]

  package func apply(to tokens: inout [Token]) {
    let functions = FileScope(tokens).functions.filter { !Self.entries.contains($0.name) }
    // Overloads and declarations without a body have to agree with each other.
    let changed = Set(
      functions.filter { function in outs(of: function, tokens).contains { !isWritten($0, in: function, tokens) } }.map(\.name))
    for function in functions where changed.contains(function.name) {
      for parameter in function.parameters {
        for place in parameter where tokens[place].isName("out") { tokens[place].text = Self.macro }
      }
    }
  }

  /// The names of the parameters that are `out`.
  private func outs(of function: FileScope.Function, _ tokens: [Token]) -> [String] {
    guard function.body != nil else { return [] }
    return function.parameters.compactMap { parameter in
      guard parameter.contains(where: { tokens[$0].isName("out") }) else { return nil }
      let bracket = parameter.firstIndex { tokens[$0].isMark("[") } ?? parameter.endIndex
      return parameter[..<bracket].last.map { tokens[$0].text }
    }
  }

  /// Whether the first thing that a function does with a parameter is to write it as a whole, whatever the conditions.
  private func isWritten(_ parameter: String, in function: FileScope.Function, _ tokens: [Token]) -> Bool {
    guard let body = function.body else { return true }
    var depth = 0
    for place in body {
      if tokens[place].isMark("{") { depth += 1 }
      if tokens[place].isMark("}") { depth -= 1 }
      guard tokens[place].isName(parameter) else {
        // What is left early, or skipped, is not written.
        if tokens[place].isName("return") { return false }
        continue
      }
      guard depth == 1, !tokens[place].isInDirective, let before = tokens.previous(before: place),
        [";", "{", "}"].contains(tokens[before].text), let after = tokens.next(after: place), tokens[after].isMark("=")
      else { return false }
      let value = tokens[(after + 1)...body.upperBound].prefix { !$0.isMark(";") }
      return !value.contains { $0.isName(parameter) }
    }
    return false
  }
}
