package import EtalonDiagnostics
internal import EtalonGLSL
package import EtalonManifest
internal import EtalonTypes

/// Reads a fragment shader with a `main`, as glslViewer, The Book of Shaders and GLSL Sandbox run them: what it needs from outside, and its text as Vulkan
/// compute shaders.
///
/// ```swift
/// let reading = try FragmentReader(files: FolderFiles("shaders")).read(source, named: "moon", options: FilterReader.Options())
/// ```
/// One text may be several passes, which macros tell apart (`FragmentPasses`). What the branches of other passes declare and read does not count for a
/// pass, so that only what really looks back needs the frames before.
package struct FragmentReader: DialectReader {
  private let files: any FileProvider

  /// Prepares to read; included files come from `files`.
  package init(files: any FileProvider) { self.files = files }

  package func draft(_ source: SourceText, named name: String, options: FilterReader.Options) throws(DiagnosticsError) -> FilterDraft {
    let text = try ExpandedText(source, files: files, limits: options.limits)
    guard text.includeDiagnostics.isEmpty else { return FilterDraft(nil, text.diagnostics) }
    let passes = FragmentPasses(text.tokens)
    let readings = passes.runs.map { FragmentPassReader(passes: passes, options: options).read(text.tokens, source, as: $0) }
    let copy = passes.copied.map { [PassSource.showing($0)] } ?? []
    let inputs = readings.flatMap(\.interface.inputs).firstOfEach(\.name)
    let diagnostics = text.diagnostics + passes.diagnostics + readings.flatMap(\.diagnostics)
    let manifest = FilterManifest(
      name: name, dialect: .fragment, kind: .init(ofInputs: inputs.map(\.name)), inputs: inputs,
      parameters: readings.flatMap(\.interface.parameters).firstOfEach(\.name), constants: readings.flatMap(\.constants).firstOfEachName,
      targets: passes.targets, passes: readings.map(\.pass) + copy, alpha: .opaque)
    return FilterDraft(manifest, diagnostics.withoutRepetitions.inOrderOfPlaces)
  }
}

extension Array {
  /// The first element with each value of a key, in their order.
  fileprivate func firstOfEach(_ key: (Element) -> String) -> [Element] {
    var known: Set<String> = []
    return filter { known.insert(key($0)).inserted }
  }
}

// MARK: - passes

/// The passes of one text: glslViewer runs it once with `BUFFER_0` defined, once with `BUFFER_1` and so on, then with `DOUBLE_BUFFER_0` and so on, and at last
/// with none of them; the others read the results as `u_buffer0` and `u_doubleBuffer0`.
///
/// A text that reads `backbuffer`, as those of GLSL Sandbox do, reads its own last frame.
struct FragmentPasses {
  struct Run {
    /// `buffer0`; `image` for the result.
    let name: String
    /// `u_buffer0`; nil for the result of the filter.
    let target: String?
    /// `BUFFER_0`; nil where nothing is defined.
    let macro: String?
  }

  private(set) var runs: [Run] = []
  private(set) var targets: [FilterTarget] = []
  private(set) var diagnostics: [Diagnostic] = []
  /// The target that the result is, shown by a pass of its own; nil where the last run is the result.
  private(set) var copied: String?

  /// The names of a text's own last frame.
  private static let own = ["backbuffer", "u_backbuffer"]
  private static let families: [(macro: String, texture: String, name: String)] = [
    ("BUFFER_", "u_buffer", "buffer"), ("DOUBLE_BUFFER_", "u_doubleBuffer", "doubleBuffer"),
  ]
  private static let most = 16

  init(_ tokens: [Token]) {
    let asked = Self.asked(in: tokens)
    for family in Self.families {
      let numbers = asked.keys.compactMap { Self.number(of: $0, family.macro) }.sorted()
      for number in numbers.prefix(Self.most) { add(family.name, family.texture, family.macro, number, tokens) }
      guard let tooMany = numbers.dropFirst(Self.most).first else { continue }
      let macro = family.macro + String(tooMany)
      diagnostics.append(
        Diagnostic(
          "fragment.many-buffers", "the text has \(numbers.count) passes '\(family.macro)…', and \(Self.most) are possible",
          labels: asked[macro].map { tokens.labels(at: [$0], "one too many") } ?? [], help: ["let one of the passes do the work of two"]))
    }
    let last = Self.own.first { name in tokens.indices.contains { tokens[$0].isName(name) && Self.isDeclaredTexture($0, tokens) } }
    if let last {
      copied = last
      targets.append(FilterTarget(name: last, format: .rgba8, isPersistent: true))
    }
    runs.append(Run(name: "image", target: last, macro: nil))
  }

  /// The names that conditions ask for, each with its first place.
  private static func asked(in tokens: [Token]) -> [String: Int] {
    let conditions = Directive.all(in: tokens).filter { ["if", "ifdef", "ifndef", "elif"].contains($0.name) }
    return Dictionary(conditions.flatMap { $0.operands.map { (tokens[$0].text, $0) } }) { first, _ in first }
  }

  /// The number behind the name of a family: `BUFFER_0`, and not `BUFFER_00`, which a host never defines.
  private static func number(of macro: String, _ family: String) -> Int? {
    guard macro.hasPrefix(family), let number = Int(macro.dropFirst(family.count)), number >= 0, macro == family + String(number) else {
      return nil
    }
    return number
  }

  private mutating func add(_ name: String, _ texture: String, _ macro: String, _ number: Int, _ tokens: [Token]) {
    let target = texture + String(number)
    let declaration = tokens.indices.first { tokens[$0].isName(target) && Self.isDeclaredTexture($0, tokens) }
    runs.append(Run(name: name + String(number), target: target, macro: macro + String(number)))
    targets.append(
      FilterTarget(
        name: target, extent: declaration.flatMap { extent(behind: $0, tokens) } ?? .output, format: .rgba32f, isPersistent: true,
        place: declaration.flatMap { tokens.origin(of: [$0]) }))
  }

  /// Whether a name is declared at a place: `uniform sampler2D u_tex0, backbuffer;`.
  private static func isDeclaredTexture(_ place: Int, _ tokens: [Token]) -> Bool {
    var place = place
    while let before = tokens.previous(before: place) {
      if tokens[before].isName("sampler2D") { return true }
      guard tokens[before].isMark(","), let name = tokens.previous(before: before), tokens[name].kind == .identifier else { break }
      place = name
    }
    return false
  }

  /// How large a comment behind a declaration wants the buffer: `uniform sampler2D u_buffer0; // 512x256`, or `// 0.5` times the result.
  private mutating func extent(behind name: Int, _ tokens: [Token]) -> FilterTarget.Extent? {
    guard let end = tokens[name...].firstIndex(where: { $0.isMark(";") }),
      let comment = tokens[(end + 1)...].prefix(while: { $0.kind == .space || $0.kind == .comment }).first(where: { $0.kind == .comment })
    else { return nil }
    let word = comment.text.drop { $0 == "/" || $0 == "*" || $0 == " " }.prefix { !$0.isWhitespace && $0 != "," && $0 != "*" }
    // Other words tell what the buffer is for.
    guard word.contains(where: \.isNumber), word.allSatisfy({ $0.isNumber || "+-.ex".contains($0) }) else { return nil }
    let sides = word.split(separator: "x").compactMap { Int($0) }
    if word.contains("x"), sides.count == 2, sides.allSatisfy(FilterTarget.Extent.sides.contains) {
      return .pixels(Size(sides[0], sides[1]))
    }
    if !word.contains("x"), let factor = Rational(word), factor > 0, factor <= FilterTarget.Extent.largestFactor { return .scaled(factor) }
    diagnostics.report(
      "fragment.buffer-size", "a buffer cannot have the size '\(word)', so it is as large as the picture", severity: .warning,
      at: comment.origin, "not a size", help: ["write '// 512x256' for pixels, or '// 0.5' for a part of the picture"])
    return nil
  }
}

// MARK: - one pass

/// Reads a text as one of its passes.
struct FragmentPassReader {
  /// A pass and what its text says about the filter.
  struct Reading {
    let pass: PassSource
    let interface: FragmentInterface
    /// A name may occur several times.
    let constants: [SettableConstant]
    let diagnostics: [Diagnostic]
  }

  let passes: FragmentPasses
  let options: FilterReader.Options

  func read(_ text: [Token], _ source: SourceText, as run: FragmentPasses.Run) -> Reading {
    var tokens = Lexer.tokens(ofAddedText: run.macro.map { "#define \($0)\n" } ?? "") + text
    let inactive = inactiveBranches(of: tokens)
    for index in tokens.indices where inactive.contains(index) && !tokens[index].isInDirective { tokens.erase(index...index) }
    eraseDefinitions(in: inactive, &tokens)
    let places = ConstantFinder(tokens: tokens).places()
    var values = ValueAssignment(options.values)
    values.substitute(in: &tokens, at: places)
    let loose = LooseUniforms(takenFrom: &tokens, of: "fragment shaders", readsDefaults: true)
    let varyings = Varyings(takenFrom: &tokens, isVertex: false)
    let given = loose.uniforms + FragmentHosts.undeclared(in: tokens, besides: Set(loose.uniforms.map(\.name)))
    let interface = FragmentInterface(given, varyings, tokens: tokens, targets: Set(passes.targets.map(\.name)), options: options)
    var diagnostics = values.diagnostics + loose.diagnostics + interface.diagnostics
    if !tokens.contains(where: { $0.isName("main") }) { diagnostics.append(Self.missingMain(tokens, source)) }
    let pass = FragmentTranslation(interface: interface, varyings: varyings, options: options).pass(&tokens, run)
    return Reading(pass: pass, interface: interface, constants: places.map(\.constant), diagnostics: diagnostics)
  }

  /// What conditions leave out once constants have the values that a user gave them.
  private func inactiveBranches(of tokens: [Token]) -> InactiveBranches {
    var tokens = tokens
    var values = ValueAssignment(options.values)
    values.substitute(in: &tokens, at: ConstantFinder(tokens: tokens).places())
    return InactiveBranches(tokens)
  }

  /// Macros of branches that are left out are no constants that a user could set.
  private func eraseDefinitions(in inactive: InactiveBranches, _ tokens: inout [Token]) {
    tokens.eraseDirectives { directive, _ in
      inactive.contains(directive.range.lowerBound) && ["define", "undef"].contains(directive.name)
    }
  }

  private static func missingMain(_ tokens: [Token], _ source: SourceText) -> Diagnostic {
    let functions = FileScope(tokens).functions
    let near = NearestName.find("main", in: functions.map(\.name))
    let place = functions.first { $0.name == near }.map { tokens.labels(at: [$0.nameIndex], "perhaps this one") }
    return Diagnostic(
      "fragment.no-main", "the text has no function 'main'", labels: place ?? [.init(source, 0..<0)],
      help: [near.map { "rename '\($0)'" } ?? "write 'void main() { gl_FragColor = vec4(1.0); }'"])
  }
}
