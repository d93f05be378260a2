internal import EtalonDiagnostics
internal import EtalonTypes

/// The function that computes a pixel: `void mainImage(out vec4 fragColor, in vec2 fragCoord)`, or its like for a cube.
struct ShaderToyEntry {
  /// Which function a player calls.
  enum Form {
    /// `mainImage`, of the image and of buffers.
    case image
    /// `mainCubemap`.
    case cubemap

    /// The shape of what a pass of the form fills.
    var shape: TextureShape { self == .image ? .flat : .cube }

    var function: String { self == .image ? "mainImage" : "mainCubemap" }

    /// How it is usually written.
    fileprivate var usual: String {
      "void \(function)(out vec4 fragColor, \(inputs.map { "in \($0.type) \($0.name)" }.joined(separator: ", ")))"
    }

    /// What it is given beside the colour.
    fileprivate var inputs: [(type: String, name: String)] {
      let position = ("vec2", "fragCoord")
      return self == .image ? [position] : [position, ("vec3", "rayOri"), ("vec3", "rayDir")]
    }

    /// The call in `main`.
    var call: String {
      let position = "vec2(etalonPixel) + 0.5"
      return self == .image ? "mainImage(color, \(position));" : "mainCubemap(color, \(position), vec3(0.0), etalonRay());"
    }
  }

  let form: Form
  /// The declaration that lets a caller stand before it.
  let prototype: String

  /// Finds the function and checks its form.
  static func find(_ form: Form, in tokens: [Token], _ source: SourceText) -> Result<ShaderToyEntry, DiagnosticsError> {
    let functions = FileScope(tokens).functions
    // The text may have further functions of the name, with other parameters, and declarations without a body.
    let named = functions.filter { $0.name == form.function }
    let candidates = (named.filter { $0.body != nil } + named.filter { $0.body == nil }).map { entry(form, $0, tokens) }
    if let entry = candidates.first(where: { (try? $0.get()) != nil }) ?? candidates.first { return entry }
    // A macro may hold the head of the function, or a bracket that is not closed hides it; then the compiler says what is wrong.
    if tokens.contains(where: { $0.isName(form.function) }) { return .success(usual(form)) }
    return .failure(DiagnosticsError(missing(form, functions, tokens, source)))
  }

  private static func usual(_ form: Form) -> ShaderToyEntry { ShaderToyEntry(form: form, prototype: form.usual + ";") }

  private static func entry(_ form: Form, _ function: FileScope.Function, _ tokens: [Token]) -> Result<ShaderToyEntry, DiagnosticsError> {
    // A declaration in front that does not end, such as a struct without its semicolon, counts as the result's type.
    if function.returnType.contains(where: { tokens[$0].isMark("}") }) { return .success(usual(form)) }
    let parameters = function.parameters.map { Parameter($0, in: tokens) }
    let isVoid = function.returnType.map { tokens[$0].text } == ["void"]
    // Names of types may be macros, which only the compiler follows.
    let macros = Set(Directive.all(in: tokens).compactMap { MacroDefinition($0, in: tokens)?.name })
    let words = function.returnType + function.parameters.flatMap(\.self)
    if words.contains(where: { macros.contains(tokens[$0].text) }) { return .success(usual(form)) }
    guard isVoid, let color = parameters.first, color.type == "vec4", ["out", "inout"].contains(color.direction),
      parameters.dropFirst().map(\.type) == form.inputs.map(\.type), parameters.dropFirst().allSatisfy({ $0.direction == "in" })
    else { return .failure(DiagnosticsError(wrongForm(form, function, tokens))) }
    let inputs = zip(parameters.dropFirst(), form.inputs).map { "\($0.isConstant ? "const " : "")\($1.type) \($1.name)" }
    let list = (["\(color.direction) vec4 fragColor"] + inputs).joined(separator: ", ")
    return .success(ShaderToyEntry(form: form, prototype: "void \(form.function)(\(list));"))
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

  private static func wrongForm(_ form: Form, _ function: FileScope.Function, _ tokens: [Token]) -> Diagnostic {
    let expected = form == .image ? "expected an 'out vec4' and a 'vec2'" : "expected an 'out vec4', a 'vec2' and two 'vec3'"
    return Diagnostic(
      "shadertoy.main-image-form", "'\(form.function)' has another form than a ShaderToy player calls",
      labels: tokens.labels(at: [function.nameIndex], expected), help: ["write '\(form.usual)'"])
  }

  private static func missing(_ form: Form, _ functions: [FileScope.Function], _ tokens: [Token], _ source: SourceText) -> Diagnostic {
    let message = "the text has no function '\(form.function)'"
    let start = form == .image ? "ShaderToy starts at '\(form.usual)'" : "a pass for a cube starts at '\(form.usual)'"
    let others = [
      "main": "is a fragment shader of its own; write its body as '\(form.usual)'",
      "mainImage": "computes pixels of a picture, not of a cube", "mainSound": "computes sound, not pixels",
      "mainCubemap": "computes a cube map, not pixels", "transition": "is a gl-transitions file", "mainVR": "needs 'mainImage' beside it",
    ]
    if let function = functions.first(where: { others[$0.name] != nil && $0.body != nil }), let meaning = others[function.name] {
      let label = tokens.labels(at: [function.nameIndex], "this is what there is")
      return Diagnostic("shadertoy.no-main-image", message, labels: label, help: [start], notes: ["'\(function.name)' \(meaning)"])
    }
    let near = NearestName.find(form.function, in: functions.map(\.name))
    let place = functions.first { $0.name == near }.map { tokens.labels(at: [$0.nameIndex], "perhaps this one") }
    return Diagnostic(
      "shadertoy.no-main-image", message, labels: place ?? [.init(source, 0..<0)], help: [start] + (near.map { ["rename '\($0)'"] } ?? []))
  }
}
