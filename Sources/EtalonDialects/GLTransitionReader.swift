package import EtalonDiagnostics
internal import EtalonGLSL
package import EtalonManifest
internal import EtalonTypes

/// Reads a transition of gl-transitions: what it needs from outside, and its text as a Vulkan compute shader.
///
/// ```swift
/// let reading = try GLTransitionReader(files: NoFiles()).read(source, named: "wipe", options: FilterReader.Options())
/// ```
package struct GLTransitionReader: DialectReader {
  private let files: any FileProvider

  /// Prepares to read; included files come from `files`.
  package init(files: any FileProvider) { self.files = files }

  package func draft(_ source: SourceText, named name: String, options: FilterReader.Options) throws(DiagnosticsError) -> FilterDraft {
    let text = try ExpandedText(source, files: files, limits: options.limits)
    guard text.includeDiagnostics.isEmpty else { return FilterDraft(nil, text.diagnostics) }
    var tokens = text.tokens
    var diagnostics = text.diagnostics
    let credits = TransitionCredits(tokens, source)
    let declared = TransitionUniforms(takenFrom: &tokens)
    let interface = TransitionInterface(declared.uniforms, tokens: tokens, options: options)
    let entry = TransitionEntry(in: tokens, source)
    diagnostics += declared.diagnostics + interface.diagnostics + entry.diagnostics + credits.diagnostics
    let pass = TransitionTranslation(interface: interface, prototype: entry.prototype, options: options).pass(&tokens)
    let manifest = FilterManifest(
      name: name, dialect: .glTransition, kind: .transition, about: credits.about, inputs: interface.inputs,
      parameters: interface.parameters, passes: [pass], alpha: .straight)
    return FilterDraft(manifest, diagnostics)
  }
}

// MARK: - the interface

/// What a transition expects from outside: the two pictures, the progress, and what the text declares itself.
private struct TransitionInterface {
  /// A texture of the text.
  struct Texture {
    /// The name in GLSL.
    let name: String
    let binding: Int
    let input: FilterInput
  }

  /// The first one is the size of the target, by which the program divides positions.
  private(set) var uniforms = [Uniform(name: "etalonTargetSize", type: .vec2, meaning: .targetSize)]
  private(set) var textures: [Texture] = []
  private(set) var inputs: [FilterInput] = []
  private(set) var parameters: [FilterParameter] = []
  private(set) var diagnostics: [Diagnostic] = []

  private let options: FilterReader.Options
  private let names: Set<String>

  /// The functions that read the two pictures, with the names of the textures and of the inputs.
  static let pictures: [(read: String, texture: String, input: String)] = [
    ("getFromColor", "etalonFrom", "startImage"), ("getToColor", "etalonTo", "endImage"),
  ]

  /// Bindings of textures beyond the two pictures.
  private static let furtherBindings = 16

  init(_ declared: [TransitionUniforms.Uniform], tokens: [Token], options: FilterReader.Options) {
    self.options = options
    names = Set(tokens.lazy.filter { $0.kind == .identifier }.map(\.text))
    addPictures()
    addClocks(declared)
    for uniform in declared where !Self.given.contains(uniform.name) { add(uniform) }
  }

  /// What the host of a transition sets.
  private static let given = ["progress", "ratio"]

  private mutating func addPictures() {
    for (index, picture) in Self.pictures.enumerated() {
      let input = FilterInput(name: picture.input, sampler: Sampler(.linear, .clamp)).changed(by: options.samplers[picture.input])
      inputs.append(input)
      if names.contains(picture.read) { textures.append(Texture(name: picture.texture, binding: 1 + index, input: input)) }
    }
  }

  private mutating func addClocks(_ declared: [TransitionUniforms.Uniform]) {
    for uniform in declared where Self.given.contains(uniform.name) && (uniform.type != "float" || uniform.isArray) {
      refuse(uniform, "uniform-type", "'\(uniform.name)' is declared as another type than the host sets", "not float", ["remove the line"])
    }
    var progress = FilterParameter(name: "progress", kind: .float, defaultValue: Value(.float, [0]))
    progress.minimum = Value(.float, [0])
    progress.maximum = Value(.float, [1])
    progress.followsClock = true
    parameters.append(progress)
    if names.contains("progress") {
      uniforms.append(Uniform(name: "progress", type: .float, meaning: .parameterOr("progress", .progress)))
    }
    if names.contains("ratio") { uniforms.append(Uniform(name: "ratio", type: .float, meaning: .targetAspect)) }
  }

  private mutating func add(_ uniform: TransitionUniforms.Uniform) {
    let isTaken = (inputs.map(\.name) + parameters.map(\.name)).contains(uniform.name)
    if isTaken {
      refuse(uniform, "duplicate-uniform", "'\(uniform.name)' is declared twice", "already taken", ["give one of them another name"])
    } else if uniform.type == "sampler2D", !uniform.isArray {
      addImage(uniform)
    } else if let type = ValueType(rawValue: uniform.type), !uniform.isArray {
      addParameter(uniform, type)
    } else {
      let text = "\(uniform.type)\(uniform.isArray ? " array" : "")"
      refuse(
        uniform, "uniform-type", "a parameter cannot be of the type '\(text)'", "declared here",
        ["use a scalar, a vector, a matrix or a sampler2D"])
    }
  }

  private mutating func addImage(_ uniform: TransitionUniforms.Uniform) {
    let input = FilterInput(name: uniform.name, sampler: Sampler(.linear, .clamp), place: uniform.place)
      .changed(by: options.samplers[uniform.name])
    inputs.append(input)
    textures.append(
      Texture(name: ReservedWords.replacement(for: uniform.name), binding: Self.furtherBindings + textures.count, input: input))
  }

  private mutating func addParameter(_ uniform: TransitionUniforms.Uniform, _ type: ValueType) {
    var value = Value(type, Array(repeating: 0, count: type.componentCount))
    if let initial = uniform.initial {
      if let converted = initial.value(as: type) { value = converted } else { refuse(initial, of: uniform) }
    } else {
      diagnostics.append(
        Diagnostic(
          "gl-transition.no-default", "'\(uniform.name)' has no default value", severity: .warning,
          labels: uniform.labels.map { $0.worded("starts as 0") },
          help: ["write '// = \(ValueConversion.text(of: value))' behind the declaration"]))
    }
    parameters.append(FilterParameter(name: uniform.name, kind: ParameterKind(type), defaultValue: value, place: uniform.place))
    uniforms.append(Uniform(name: ReservedWords.replacement(for: uniform.name), type: type, meaning: .parameter(uniform.name)))
  }

  private mutating func refuse(_ initial: CommentedDefault, of uniform: TransitionUniforms.Uniform) {
    diagnostics.append(
      Diagnostic(
        "gl-transition.default-value", "the default of '\(uniform.name)' is no literal of type '\(uniform.type)'", labels: initial.labels,
        help: ValueType(rawValue: uniform.type).map { ["expected \(ValueText.example(of: $0))"] } ?? []))
  }

  private mutating func refuse(
    _ uniform: TransitionUniforms.Uniform, _ id: String, _ message: String, _ label: String, _ help: [String]
  ) {
    let labels = uniform.labels.map { $0.worded(label) }
    diagnostics.append(Diagnostic("gl-transition.\(id)", message, labels: labels, help: help))
  }
}

/// The uniforms that a transition declares, with the values that it gives them in comments: `uniform float size; // = 0.2`.
private struct TransitionUniforms {
  /// One name of a declaration.
  struct Uniform {
    /// The name as the author wrote it.
    let name: String
    /// The GLSL type as the author wrote it.
    let type: String
    let isArray: Bool
    /// The value of the comment that stands behind it, nil without such a comment.
    let initial: CommentedDefault?
    let place: SourceRange?
    let labels: [Diagnostic.Label]
  }

  private(set) var uniforms: [Uniform] = []
  private(set) var diagnostics: [Diagnostic] = []

  /// Removes the declarations from the tokens; comments and directives stay.
  init(takenFrom tokens: inout [Token]) {
    for declaration in FileScope(tokens).declarations {
      guard let keyword = declaration.tokens.firstIndex(where: { tokens[$0].isName("uniform") }) else { continue }
      let rest = declaration.tokens[(keyword + 1)...].drop { ["highp", "mediump", "lowp"].contains(tokens[$0].text) }
      guard let type = rest.first, tokens[type].kind == .identifier else { continue }
      if rest.contains(where: { tokens[$0].isMark("{") }) {
        diagnostics.append(
          Diagnostic(
            "gl-transition.uniform-block", "uniform blocks are not part of gl-transitions",
            labels: tokens.labels(at: declaration.tokens.prefix(2), "a block"), help: ["declare each member as a uniform of its own"]))
      } else {
        add(type: type, Array(rest.dropFirst()), end: declaration.end, tokens)
      }
      for place in declaration.tokens[keyword...] + [declaration.end] { tokens.erase(place...place) }
    }
  }

  private mutating func add(type: Int, _ places: [Int], end: Int, _ tokens: [Token]) {
    let declarators = DeclaratorList(places, in: tokens).declarators
    let common = CommentedDefault.find(after: end, in: tokens, stopsAtLineEnd: true)
    for (index, declarator) in declarators.enumerated() {
      if let diagnostic = GLSLKeywords.diagnostic(of: declarator.name, in: tokens) { diagnostics.append(diagnostic) }
      let following = index + 1 < declarators.count ? declarators[index + 1].name : end
      let own = CommentedDefault.find(after: declarator.name, before: following, in: tokens)
      let written = declarator.initializer.isEmpty ? nil : CommentedDefault(declarator.initializer, in: tokens)
      uniforms.append(
        Uniform(
          name: tokens[declarator.name].text, type: tokens[type].text, isArray: !declarator.array.isEmpty,
          initial: written ?? own ?? common, place: tokens.origin(of: [declarator.name]), labels: tokens.labels(at: [declarator.name], "")))
    }
  }
}

/// The function that computes a pixel: `vec4 transition(vec2 uv)`.
private struct TransitionEntry {
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

/// Who wrote a transition and what others may do with it: `// Author: …`, `// License: …`, both of which the collection demands.
private struct TransitionCredits {
  let about: FilterManifest.About
  let diagnostics: [Diagnostic]

  init(_ tokens: [Token], _ source: SourceText) {
    let comments = tokens.lazy.filter { $0.kind == .comment }.compactMap(\.origin).flatMap(Self.lines)
    func text(of key: String) -> String? { comments.lazy.compactMap { Self.value(of: key, in: $0) }.first }
    let (author, license) = (text(of: "author"), text(of: "license"))
    about = FilterManifest.About(credit: author, license: license)
    diagnostics = [("Author", author), ("License", license)].filter { $1 == nil }.map { key, _ in
      Diagnostic(
        "gl-transition.no-\(key.lowercased())", "the file has no '// \(key): …'", severity: .warning, labels: [.init(source, 0..<0)],
        help: ["gl-transitions asks for a comment '// \(key): …' in every file"])
    }
  }

  /// The lines of a comment as the author wrote them, without the marks of the comment.
  private static func lines(of comment: SourceRange) -> [String] {
    String(decoding: comment.source.bytes[comment.range], as: UTF8.self).split(whereSeparator: \.isNewline).map { line in
      String(line.drop { $0 == "/" || $0 == "*" || $0.isWhitespace })
    }
  }

  /// What stands behind `key:`; nil when the line begins otherwise.
  private static func value(of key: String, in line: String) -> String? {
    guard line.lowercased().hasPrefix(key) else { return nil }
    let rest = line.dropFirst(key.count).drop(while: \.isWhitespace)
    guard rest.first == ":" else { return nil }
    let value = rest.dropFirst().drop(while: \.isWhitespace)
    let end = value.lastIndex { !$0.isWhitespace && $0 != "*" && $0 != "/" }
    return end.map { String(value[...$0]) }
  }
}

// MARK: - translation

/// Turns the tokens of a transition into a pass.
private struct TransitionTranslation {
  let interface: TransitionInterface
  /// The declaration of `transition`.
  let prototype: String
  let options: FilterReader.Options

  /// Rewrites the tokens and puts the program around them.
  func pass(_ tokens: inout [Token]) -> PassSource {
    var forwarders = Lexer.tokens(ofAddedText: UserBuiltIns().forwarders(for: tokens))
    var names: [String] = []
    for rewrite in rewrites where rewrite.changes(&tokens) { names.append(rewrite.name) }
    for rewrite in [Derivatives(), textureCalls] as [any Rewrite] { rewrite.apply(to: &forwarders) }
    var mentioned = Set((tokens + forwarders).lazy.filter { $0.kind == .identifier }.map(\.text))
    if readsPictures(mentioned) { mentioned.insert("etalonTexture") }
    if mipmapped.contains(where: { name in TransitionInterface.pictures.contains { $0.texture == name } }) {
      mentioned.insert("etalonTextureMipmapped")
    }
    let program = PixelProgram(
      uniforms: interface.uniforms, textures: interface.textures.map { ($0.name, $0.binding) }, mentioned: mentioned)
    let front =
      Lexer.tokens(ofAddedText: program.declarations + program.helpers + pictureFunctions(mentioned)) + forwarders
      + Lexer.tokens(ofAddedText: main(program))
    return PassSource(
      name: "image", source: GeneratedSource(front + tokens + [Token(.lineEnd, "\n")]), uniforms: interface.uniforms,
      textures: interface.textures.map { PassTexture(name: $0.name, source: .input($0.input.name), sampler: $0.input.sampler) },
      usesQuads: program.usesQuads, hints: TransitionHints.hints, rewrites: names)
  }

  /// In this order: the author's own functions first, so that later rewrites leave them alone.
  private var rewrites: [any Rewrite] {
    let always: [any Rewrite] = [
      UserBuiltIns(), LengthMembers(), LineNumbers(), Stripping(), MacroSpaces(), PredefinedMacros(), OwnMain(), EmptyMacroArguments(),
      LocalZeros(),
      FragmentNames(),
      Derivatives(), textureCalls,
      ReservedWords(), MacroCollisions(),
    ]
    return options.dropsFileScopeConst ? always + [FileScopeConst()] : always
  }

  private var mipmapped: Set<String> {
    Set(interface.textures.filter { $0.input.sampler.interpolation == .mipmap }.map(\.name))
  }

  private var textureCalls: TextureCalls {
    // Calls still have the author's names when this rewrite sees them.
    let authorNames = interface.textures.filter { $0.input.place != nil }
    let soft = authorNames.filter { mipmapped.contains($0.name) }.map(\.input.name)
    return TextureCalls(mipmapped: Set(soft), plain: Set(authorNames.map(\.input.name)).subtracting(soft))
  }

  private func readsPictures(_ mentioned: Set<String>) -> Bool {
    TransitionInterface.pictures.contains { mentioned.contains($0.read) }
  }

  private func pictureFunctions(_ mentioned: Set<String>) -> String {
    TransitionInterface.pictures.filter { mentioned.contains($0.read) }.map { picture in
      let function = mipmapped.contains(picture.texture) ? "etalonTextureMipmapped" : "etalonTexture"
      return "vec4 \(picture.read)(vec2 uv) { return \(function)(\(picture.texture), uv); }\n"
    }.joined()
  }

  private func main(_ program: PixelProgram) -> String {
    """
    \(prototype)
    void main() {
      vec4 color = transition((vec2(etalonPixel) + 0.5) / etalonTargetSize);
    \(program.discarding)  etalonStore(color);
    }

    """
  }
}

/// What people who come from other players call the names of gl-transitions.
private enum TransitionHints {
  static let hints = NameHints(
    offered: ["progress", "ratio", "getFromColor", "getToColor"],
    here: [
      "u_progress": "progress", "uProgress": "progress", "time": "progress", "iTime": "progress", "u_time": "progress", "aspect": "ratio",
      "iChannel0": "getFromColor", "iChannel1": "getToColor", "startImage": "getFromColor", "endImage": "getToColor",
      "from": "getFromColor",
      "to": "getToColor",
    ], functions: ["getFromColor": .init([["vec2 uv"]]), "getToColor": .init([["vec2 uv"]])])
}
