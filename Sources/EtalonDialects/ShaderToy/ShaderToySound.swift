package import EtalonDiagnostics
internal import EtalonGLSL
package import EtalonManifest
internal import EtalonTypes

/// What a sound pass is called by: `vec2 mainSound(int samp, float time)`, in older texts `vec2 mainSound(float time)`.
///
/// A player fills pictures of 512×512 pixels, each of which is a sample of both channels: the first one at the bottom left, the next one to its right. A frame is
/// such a block. Red holds the left channel, green the right one.
package enum ShaderToySound {
  /// The sides of a block, in pixels.
  package static let side = 512
  /// The samples of a block.
  package static let blockLength = side * side

  static let function = "mainSound"
  static let usual = "vec2 mainSound(int samp, float time)"

  /// What the program computes with beside the uniforms of the text.
  static let uniforms = [
    Uniform(name: "etalonBlock", type: .int, meaning: .frameIndex), Uniform(name: "etalonRate", type: .float, meaning: .sampleRate),
  ]

  /// Seconds come from whole numbers, because devices may round divisions differently, and a sound shows that.
  static let functions = """
    float etalonSeconds(uint samples) {
      uint rate = uint(etalonRate);
      uint rest = (samples % rate) << 12;
      uint high = rest / rate;
      rest = (rest % rate) << 12;
      high = high << 12 | rest / rate;
      rest = (rest % rate) << 12;
      float fraction = float(high) * 5.9604644775390625e-8 + float(rest / rate) * 1.4551915228366852e-11;
      return float(samples / rate) + fraction;
    }
    uint etalonBlockStart = uint(etalonBlock) * \(blockLength)u;
    uint etalonPlace = uint(etalonPixel.y * \(side) + etalonPixel.x);
    int iSampleOffset = int(etalonBlockStart);
    float iTimeOffset = etalonSeconds(etalonBlockStart);
    float iBlockOffset = iTimeOffset;

    """

  /// The statements that fill a pixel.
  static func main(_ call: String) -> String {
    """
      vec2 sound = \(call);
      etalonStore(vec4(sound, 0.0, 1.0));

    """
  }

  private static let sample = "int(etalonBlockStart + etalonPlace)"
  private static let time = "iTimeOffset + etalonSeconds(etalonPlace)"

  // MARK: the entry

  private static let forms: [(types: [String], prototype: String, call: String)] = [
    (["int", "float"], usual, "mainSound(\(sample), \(time))"), (["float"], "vec2 mainSound(float time)", "mainSound(\(time))"),
  ]

  /// Finds the function and checks its form.
  static func find(in tokens: [Token], _ source: SourceText) -> Result<ShaderToyEntry, DiagnosticsError> {
    let functions = FileScope(tokens).functions
    let named = functions.filter { $0.name == function }
    let candidates = named.filter { $0.body != nil } + named.filter { $0.body == nil }
    for form in forms where candidates.contains(where: { matches($0, form.types, tokens) }) { return .success(entry(form)) }
    let macros = Set(Directive.all(in: tokens).compactMap { MacroDefinition($0, in: tokens)?.name })
    if let first = candidates.first {
      let words = first.returnType + first.parameters.flatMap(\.self)
      // Names of types may be macros, which only the compiler follows.
      guard !words.contains(where: { macros.contains(tokens[$0].text) }) else { return .success(entry(forms[0])) }
      return .failure(
        DiagnosticsError(
          Diagnostic(
            "shadertoy.main-sound-form", "'mainSound' has another form than a ShaderToy player calls",
            labels: tokens.labels(at: [first.nameIndex], "expected an 'int' and a 'float', and a 'vec2' as its result"),
            help: ["write '\(usual)'"])))
    }
    if tokens.contains(where: { $0.isName(function) }) { return .success(entry(forms[0])) }
    return .failure(DiagnosticsError(missing(functions, tokens, source)))
  }

  private static func entry(_ form: (types: [String], prototype: String, call: String)) -> ShaderToyEntry {
    ShaderToyEntry(form: .sound, prototype: form.prototype + ";", call: form.call)
  }

  private static func matches(_ function: FileScope.Function, _ types: [String], _ tokens: [Token]) -> Bool {
    let skipped: Set<String> = ["in", "const", "highp", "mediump", "lowp"]
    let parameters = function.parameters.map { parameter in parameter.map { tokens[$0].text }.first { !skipped.contains($0) } ?? "" }
    return parameters == types && function.returnType.map { tokens[$0].text }.filter { !skipped.contains($0) } == ["vec2"]
  }

  private static func missing(_ functions: [FileScope.Function], _ tokens: [Token], _ source: SourceText) -> Diagnostic {
    let near = NearestName.find(function, in: functions.map(\.name))
    let place = functions.first { $0.name == near }.map { tokens.labels(at: [$0.nameIndex], "perhaps this one") }
    return Diagnostic(
      "shadertoy.no-main-sound", "the text has no function 'mainSound'", labels: place ?? [.init(source, 0..<0)],
      help: ["a sound starts at '\(usual)'"] + (near.map { ["rename '\($0)'"] } ?? []))
  }

  /// What is told of a filter that makes no sound.
  static func none(_ name: String, _ reason: String) -> DiagnosticsError {
    DiagnosticsError(
      Diagnostic(
        noSound, "'\(name)' makes no sound: \(reason)",
        help: ["write '\(usual)' in a file 'sound.glsl' beside the image, or in a text alone"]))
  }

  /// The id of that diagnostic.
  package static let noSound = "shadertoy.no-sound"

  /// The id of the note that no picture depends on the sound pass.
  package static let passNote = "shadertoy.sound-pass"

  // MARK: texts without a picture

  /// The id of the diagnostic for a text alone that makes a sound and no picture.
  package static let onlySound = "shadertoy.only-sound"

  /// Whether a text has the function that makes a sound.
  package static func isMade(by text: SourceText) -> Bool { made(by: Lexer.tokens(of: text)) != nil }

  private static func made(by tokens: [Token]) -> FileScope.Function? {
    FileScope(tokens).functions.first { $0.name == function && $0.body != nil }
  }

  /// What is told of a text alone that makes a sound and no picture, where a picture is wanted; nil for any other text.
  ///
  /// - Parameter common: texts that are put in front of it.
  package static func noPicture(
    _ text: SourceText, after common: [SourceText] = [], _ files: any FileProvider, _ limits: TextLimits
  ) -> Diagnostic? {
    guard isMade(by: text), let expanded = try? ExpandedText(common + [text], files: files, limits: limits),
      expanded.includeDiagnostics.isEmpty, let sound = made(by: expanded.tokens),
      !expanded.tokens.contains(where: { $0.isName("mainImage") })
    else { return nil }
    let isFile = !text.path.hasPrefix("<")
    let name = isFile ? text.path.split(separator: "/").last.map(String.init) ?? text.path : "sound"
    let stem = name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
    let command = "etalon render \(isFile ? ShellWord.quoted(text.path) : "-") -o \(ShellWord.quoted("\(stem).wav"))"
    return Diagnostic(
      onlySound, "the text makes a sound and no picture", labels: expanded.tokens.labels(at: [sound.nameIndex], "makes a sound"),
      help: ["type '\(command)' to hear it", "a picture starts at 'void mainImage(out vec4 fragColor, in vec2 fragCoord)'"])
  }
}

extension ShaderToyProjectReader {
  /// Reads the sound pass of a project as the only pass of a filter.
  func soundDraft(_ project: ShaderToyProject, named name: String, options: FilterReader.Options) throws(DiagnosticsError) -> FilterDraft {
    guard let pass = project[.sound] else { throw ShaderToySound.none(name, "it has no sound pass") }
    let connected = pass.channels.filter { if case .target = $0.source { false } else { true } }
    var diagnostics = pass.channels.compactMap { channel -> Diagnostic? in
      guard case .target(let target) = channel.source else { return nil }
      return Diagnostic(
        "shadertoy.sound-input", "'\(channel.name)' of 'sound' reads '\(target.rawValue)', which a player does not offer to sounds",
        labels: [channel.place.label("written by a pass")], help: ["read a picture"])
    }
    let heard = ShaderToyProject.Pass(name: .sound, text: pass.text, channels: connected, place: pass.place)
    let common = project.passes.filter { $0.name == .common }
    let alone = ShaderToyProject(
      passes: common + [heard], parameters: project.parameters, isConnected: project.isConnected, mainPass: project.mainPass)
    let connections = ProjectConnections(alone, options)
    diagnostics += connections.diagnostics
    let reading = try ShaderToyPassReader(files: files, options: options)
      .read(pass.text, after: common.map(\.text), as: connections.role(of: heard), exposing: project.parameters)
    diagnostics += reading.diagnostics
    let constants = reading.constants.firstOfEachName
    let known = Set(constants.map(\.name))
    let exposed = ExposedParameters(project.parameters.filter { known.contains($0.name) }, among: reading.constants)
    let manifest = FilterManifest(
      name: name, dialect: .shaderToy, kind: reading.inputs.contains { $0.origin == .user } ? .filter : .generator, inputs: reading.inputs,
      parameters: exposed.parameters + reading.parameters,
      constants: constants.filter { constant in !project.parameters.contains { $0.name == constant.name } }, passes: [reading.pass])
    return FilterDraft(manifest, (diagnostics + exposed.diagnostics).withoutRepetitions.inOrderOfPlaces)
  }
}
