internal import EtalonDiagnostics
internal import EtalonGLSL
internal import EtalonManifest
internal import EtalonTypes

/// Turns the tokens of a ShaderToy text into a pass.
struct ShaderToyTranslation {
  let interface: ShaderToyInterface
  let entry: ShaderToyEntry
  let role: ShaderToyRole
  let options: FilterReader.Options

  /// The images that the text reads.
  var inputs: [FilterInput] { interface.textures.compactMap(\.channel.input) }

  /// Rewrites the tokens and puts the program around them.
  func pass(_ tokens: inout [Token], rewrites: [String]) -> PassSource {
    let kept = keptTarget(tokens)
    var forwarders = Lexer.tokens(ofAddedText: UserBuiltIns().forwarders(for: tokens))
    var names = rewrites
    for rewrite in self.rewrites where rewrite.changes(&tokens) { names.append(rewrite.name) }
    for rewrite in [Derivatives(), textureCalls] as [any Rewrite] { rewrite.apply(to: &forwarders) }
    let own = kept.map { PassTexture(name: ShaderToyProgram.ownName, source: .target($0), sampler: Sampler(.nearest, .clamp)) }
    let textures =
      interface.textures.map { (name: ReservedWords.replacement(for: $0.name), binding: $0.binding, shape: $0.channel.shape) }
      + (own.map { [(name: $0.name, binding: ShaderToyProgram.ownBinding, shape: entry.form.shape)] } ?? [])
    let uniforms = interface.uniforms + entry.form.uniforms
    let program = ShaderToyProgram(
      uniforms: uniforms, textures: textures, entry: entry, forwarders: forwarders,
      mentioned: Set((tokens + forwarders).lazy.filter { $0.kind == .identifier }.map(\.text)))
    return PassSource(
      name: role.name, target: role.target ?? kept, source: GeneratedSource(program.tokens + tokens + [Token(.lineEnd, "\n")]),
      uniforms: uniforms,
      textures: passTextures + (own.map { [$0] } ?? []), usesQuads: program.usesQuads, hints: ShaderToyHints.hints, rewrites: names)
  }

  /// The target of the pass where the text may discard a pixel, which keeps what the frame before left there.
  private func keptTarget(_ tokens: [Token]) -> String? {
    guard entry.form != .sound, tokens.contains(where: { $0.isName("discard") }) else { return nil }
    let inactive = InactiveBranches(tokens, predefined: PredefinedMacros.numbers)
    let discards = tokens.indices.contains { tokens[$0].isName("discard") && !inactive.contains($0) }
    return discards ? role.target ?? ShaderToyCanvas.name : nil
  }

  /// In this order: the author's own functions first, so that later rewrites leave them alone.
  private var rewrites: [any Rewrite] {
    let always: [any Rewrite] = [
      UserBuiltIns(), LengthMembers(), LineNumbers(), Stripping(), MacroSpaces(), PredefinedMacros(), EditorDirectives(), OwnMain(),
      EmptyMacroArguments(),
      LocalZeros(),
      OutParameters(),
      FragmentNames(), Derivatives(),
      textureCalls, ReservedWords(), MacroCollisions(),
    ]
    return options.dropsFileScopeConst ? always + [FileScopeConst()] : always
  }

  private var textureCalls: TextureCalls {
    let mipmapped = interface.textures.filter { $0.channel.sampler.interpolation == .mipmap }.map(\.name)
    return TextureCalls(mipmapped: Set(mipmapped), plain: Set(interface.textures.map(\.name)).subtracting(mipmapped))
  }

  private var passTextures: [PassTexture] {
    interface.textures.map { texture in
      PassTexture(name: ReservedWords.replacement(for: texture.name), source: texture.channel.source, sampler: texture.channel.sampler)
    }
  }
}

/// What the site's player draws the image on: it is not cleared between frames, so that a pixel which the image discards keeps its color.
enum ShaderToyCanvas {
  /// The target that an image writes which may discard pixels.
  static let name = "canvas"

  /// The target and the pass that shows it; nothing where no pass writes it.
  static func target(writtenBy passes: [PassSource]) -> (targets: [FilterTarget], passes: [PassSource]) {
    guard passes.contains(where: { $0.target == name }) else { return ([], []) }
    return ([FilterTarget(name: name, format: .rgba32f, isPersistent: true)], [.showing(name)])
  }
}

/// Writes what stands in front of a ShaderToy text: declarations, helper functions and `main`.
///
/// `main` comes first, as in the player, so that no macro of the author reaches it; initialisers of global variables run before it.
private struct ShaderToyProgram {
  private let program: PixelProgram
  let entry: ShaderToyEntry
  /// Functions that forward to built-in ones which the text defines partly itself.
  let forwarders: [Token]
  private let usesAssertions: Bool
  /// What a discarded pixel becomes.
  private let discarding: String

  /// The texture with what a pass's target held before.
  static let ownName = "etalonKept"
  static let ownBinding = 9

  /// - Parameter mentioned: every identifier of the rewritten text.
  init(
    uniforms: [Uniform], textures: [(name: String, binding: Int, shape: TextureShape)], entry: ShaderToyEntry, forwarders: [Token],
    mentioned: Set<String>
  ) {
    usesAssertions = mentioned.contains("st_assert")
    let performance = mentioned.contains("HW_PERFORMANCE") ? "#define HW_PERFORMANCE 1\n" : ""
    let ray = entry.form == .cubemap ? CubeFaces.ray : entry.form == .sound ? ShaderToySound.functions : ""
    program = PixelProgram(
      uniforms: uniforms, textures: textures.map { ($0.name, $0.binding) },
      shapes: Dictionary(textures.map { ($0.name, $0.shape) }) { first, _ in first }, mentioned: mentioned,
      dialect: performance + (usesAssertions ? ShaderToyAssertions.functions : "") + ray)
    let keeps = textures.contains { $0.name == Self.ownName }
    let kept = entry.form == .image ? "texelFetch(\(Self.ownName), etalonPixel, 0)" : "textureLod(\(Self.ownName), etalonRay(), 0.0)"
    discarding = keeps ? "  if (\(FragmentNames.discardFlag)) color = \(kept);\n" : program.discarding
    self.entry = entry
    self.forwarders = forwarders
  }

  var usesQuads: Bool { program.usesQuads }

  /// The tokens in front of the author's.
  var tokens: [Token] {
    Lexer.tokens(ofAddedText: program.declarations + program.helpers) + forwarders + Lexer.tokens(ofAddedText: main)
  }

  private var main: String {
    if entry.form == .sound { return "\(entry.prototype)\nvoid main() {\n\(ShaderToySound.main(entry.call))}\n\n" }
    return """
      \(entry.prototype)
      void main() {
        vec4 color = vec4(0.0, 0.0, 0.0, 1.0);
        \(entry.call)
      \(usesAssertions ? ShaderToyAssertions.result : "")\(discarding)  etalonStore(color);
      }

      """
  }
}

/// `st_assert(condition, number)` of the player paints pixels where a condition does not hold: red, green, blue and yellow for 0, 1, 2 and others.
enum ShaderToyAssertions {
  static let functions = """
    bvec4 etalonFailed = bvec4(false);
    void st_assert(bool condition, int number) {
      if (!condition) etalonFailed[number >= 0 && number < 3 ? number : 3] = true;
    }
    void st_assert(bool condition) { st_assert(condition, 0); }

    """

  static let result = """
      if (etalonFailed.x) color = vec4(1.0, 0.0, 0.0, 1.0);
      if (etalonFailed.y) color = vec4(0.0, 1.0, 0.0, 1.0);
      if (etalonFailed.z) color = vec4(0.0, 0.0, 1.0, 1.0);
      if (etalonFailed.w) color = vec4(1.0, 1.0, 0.0, 1.0);

    """
}

// MARK: - entries

/// The function that computes a pixel: `void mainImage(out vec4 fragColor, in vec2 fragCoord)`, or its like for a cube.
struct ShaderToyEntry {
  /// Which function a player calls.
  enum Form {
    /// `mainImage`, of the image and of buffers.
    case image
    /// `mainCubemap`.
    case cubemap
    /// `mainSound`, whose pixels are samples.
    case sound

    /// The shape of what a pass of the form fills.
    var shape: TextureShape { self == .cubemap ? .cube : .flat }

    /// What the program needs beside what the text reads.
    fileprivate var uniforms: [Uniform] {
      switch self {
      case .image: []
      case .cubemap: [CubeFaces.uniform]
      case .sound: ShaderToySound.uniforms
      }
    }

    fileprivate var function: String { self == .image ? "mainImage" : "mainCubemap" }

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
    fileprivate var call: String {
      let position = "vec2(etalonPixel) + 0.5"
      return self == .image ? "mainImage(color, \(position));" : "mainCubemap(color, \(position), vec3(0.0), etalonRay());"
    }
  }

  let form: Form
  /// The declaration that lets a caller stand before it.
  let prototype: String
  /// The call in `main`.
  let call: String

  init(form: Form, prototype: String, call: String? = nil) {
    self.form = form
    self.prototype = prototype
    self.call = call ?? form.call
  }

  /// Finds the function and checks its form.
  static func find(_ form: Form, in tokens: [Token], _ source: SourceText) -> Result<ShaderToyEntry, DiagnosticsError> {
    if form == .sound { return ShaderToySound.find(in: tokens, source) }
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

// MARK: - channels as structs

/// Turns the structures `iCh0` to `iCh3` of the newer player, which hold samplers and so cannot exist, into what their members mean.
struct ShaderToyChannelStructs: Rewrite {
  let name = "channel structures"

  private static func member(_ name: String, of channel: Int) -> String? {
    switch name {
    case "sampler": "iChannel\(channel)"
    case "size": "iChannelResolution[\(channel)]"
    case "time": "iChannelTime[\(channel)]"
    case "loaded": "int(iChannelResolution[\(channel)].x > 0.0)"
    default: nil
    }
  }

  private static let channels = ["iCh0": 0, "iCh1": 1, "iCh2": 2, "iCh3": 3]

  func apply(to tokens: inout [Token]) {
    var edits: [(range: Range<Int>, tokens: [Token])] = []
    for index in tokens.indices where tokens[index].kind == .identifier {
      guard let channel = Self.channels[tokens[index].text], let dot = tokens.next(after: index), tokens[dot].isMark("."),
        let name = tokens.next(after: dot), let text = Self.member(tokens[name].text, of: channel)
      else { continue }
      let added = Lexer.tokens(ofAddedText: text).map {
        Token($0.kind, $0.text, origin: $0.isSignificant ? tokens[name].origin : nil, isInDirective: tokens[index].isInDirective)
      }
      edits.append((index..<name + 1, added))
    }
    tokens.apply(edits)
  }

  /// The uses that no member explains.
  static func diagnostics(in tokens: [Token]) -> [Diagnostic] {
    tokens.indices.filter { tokens[$0].kind == .identifier && channels[tokens[$0].text] != nil }.map { index in
      Diagnostic(
        "shadertoy.channel-structure", "'\(tokens[index].text)' can only be used through its members",
        labels: tokens.labels(at: [index], "used as a whole"), help: ["its members are sampler, size, time and loaded"])
    }
  }
}
