internal import EtalonDiagnostics

/// The function that computes a pixel: `vec4 transition(vec2 uv)`.
struct TransitionEntry {
  /// The declaration that lets a caller stand before it.
  let prototype: String
  let diagnostics: [Diagnostic]

  private static let usual = "vec4 transition(vec2 uv)"

  /// Finds the function and checks its form.
  init(in tokens: [Token], _ source: SourceText) {
    let functions = FileScope(tokens).functions
    let named = functions.filter { $0.name == "transition" }
    let fitting = named.map { FunctionSignature($0, in: tokens) }.first { $0.takes(["vec2"], returns: "vec4") }
    prototype = fitting?.prototype ?? Self.usual + ";"
    if fitting != nil {
      diagnostics = []
    } else if let function = named.first, !function.returnType.contains(where: { tokens[$0].isMark("}") }) {
      diagnostics = [Self.wrongForm(function, tokens)]
    } else {
      // A macro may hold the head of the function, or a bracket that is not closed hides it; then the compiler says what is wrong.
      diagnostics = tokens.contains { $0.isName("transition") } ? [] : [Self.missing(functions, tokens, source)]
    }
  }

  private static func wrongForm(_ function: FileScope.Function, _ tokens: [Token]) -> Diagnostic {
    Diagnostic(
      "gl-transition.transition-form", "'transition' has another form than gl-transitions calls",
      labels: tokens.labels(at: [function.nameIndex], "expected a 'vec2' and a 'vec4'"), help: ["write '\(usual)'"])
  }

  private static func missing(_ functions: [FileScope.Function], _ tokens: [Token], _ source: SourceText) -> Diagnostic {
    let near = NearestName.find("transition", in: functions.map(\.name))
    let place = functions.first { $0.name == near }.map { tokens.labels(at: [$0.nameIndex], "perhaps this one") }
    return Diagnostic(
      "gl-transition.no-transition", "the text has no function 'transition'", labels: place ?? [.init(source, 0..<0)],
      help: ["gl-transitions start at '\(usual)'"] + (near.map { ["rename '\($0)'"] } ?? []))
  }
}
