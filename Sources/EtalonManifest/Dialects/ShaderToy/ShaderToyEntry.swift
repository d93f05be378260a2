internal import EtalonDiagnostics

/// The function that computes a pixel: `void mainImage(out vec4 fragColor, in vec2 fragCoord)`.
struct ShaderToyEntry {
  /// The declaration that lets a caller stand before it.
  let prototype: String

  private static let usual = "void mainImage(out vec4 fragColor, in vec2 fragCoord)"

  /// Finds the function and checks its form.
  static func find(in tokens: [Token], _ source: SourceText) -> Result<ShaderToyEntry, DiagnosticsError> {
    let functions = FileScope(tokens).functions
    // The text may have further functions of the name, with other parameters, and declarations without a body.
    let named = functions.filter { $0.name == "mainImage" }
    let candidates = (named.filter { $0.body != nil } + named.filter { $0.body == nil }).map { entry($0, tokens) }
    if let entry = candidates.first(where: { (try? $0.get()) != nil }) ?? candidates.first { return entry }
    // A macro may hold the head of the function, or a bracket that is not closed hides it; then the compiler says what is wrong.
    if tokens.contains(where: { $0.isName("mainImage") }) { return .success(ShaderToyEntry(prototype: usual + ";")) }
    return .failure(DiagnosticsError(missing(functions, tokens, source)))
  }

  private static func entry(_ function: FileScope.Function, _ tokens: [Token]) -> Result<ShaderToyEntry, DiagnosticsError> {
    // A declaration in front that does not end, such as a struct without its semicolon, counts as the result's type.
    if function.returnType.contains(where: { tokens[$0].isMark("}") }) { return .success(ShaderToyEntry(prototype: usual + ";")) }
    let parameters = function.parameters.map { Parameter($0, in: tokens) }
    let isVoid = function.returnType.map { tokens[$0].text } == ["void"]
    let accepts = parameters.count == 2 && parameters[0].type == "vec4" && parameters[1].type == "vec2"
    guard isVoid, accepts, ["out", "inout"].contains(parameters[0].direction), parameters[1].direction == "in" else {
      return .failure(DiagnosticsError(wrongForm(function, tokens)))
    }
    let position = parameters[1].isConstant ? "const vec2" : "vec2"
    return .success(ShaderToyEntry(prototype: "void mainImage(\(parameters[0].direction) vec4 fragColor, \(position) fragCoord);"))
  }

  private struct Parameter {
    let direction: String
    let type: String
    let isConstant: Bool

    init(_ places: [Int], in tokens: [Token]) {
      let words = places.map { tokens[$0].text }
      direction = words.first { ["in", "out", "inout"].contains($0) } ?? "in"
      isConstant = words.contains("const")
      type = words.first { !["in", "out", "inout", "const", "highp", "mediump", "lowp"].contains($0) } ?? ""
    }
  }

  private static func wrongForm(_ function: FileScope.Function, _ tokens: [Token]) -> Diagnostic {
    Diagnostic(
      "shadertoy.main-image-form", "'mainImage' has another form than a ShaderToy player calls",
      labels: tokens.labels(at: [function.nameIndex], "expected an 'out vec4' and a 'vec2'"), help: ["write '\(usual)'"])
  }

  private static func missing(_ functions: [FileScope.Function], _ tokens: [Token], _ source: SourceText) -> Diagnostic {
    let others = [
      "main": "a fragment shader of its own; write its body as '\(usual)'",
      "mainSound": "computes sound, not pixels", "mainCubemap": "computes a cube map, not pixels",
      "transition": "a gl-transitions file", "mainVR": "needs 'mainImage' beside it",
    ]
    if let function = functions.first(where: { others[$0.name] != nil && $0.body != nil }), let meaning = others[function.name] {
      let label = tokens.labels(at: [function.nameIndex], "this is what there is")
      return Diagnostic(
        "shadertoy.no-main-image", "the text has no function 'mainImage'", labels: label, help: ["ShaderToy starts at '\(usual)'"],
        notes: ["'\(function.name)' is \(meaning)"].map {
          $0.replacing("is computes", with: "computes").replacing("is needs", with: "needs")
        })
    }
    let near = NearestName.find("mainImage", in: functions.map(\.name))
    let place = functions.first { $0.name == near }.map { tokens.labels(at: [$0.nameIndex], "perhaps this one") }
    return Diagnostic(
      "shadertoy.no-main-image", "the text has no function 'mainImage'", labels: place ?? [.init(source, 0..<0)],
      help: ["ShaderToy starts at '\(usual)'"] + (near.map { ["rename '\($0)'"] } ?? []))
  }
}
