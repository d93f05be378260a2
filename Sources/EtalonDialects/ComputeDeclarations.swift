internal import EtalonDiagnostics
internal import EtalonGLSL
internal import EtalonManifest
internal import EtalonTypes

/// Finds the resources that a plain compute shader declares to be bound, and the size of its workgroups.
struct ComputeDeclarations {
  private(set) var resources: [ComputeResource] = []
  /// Invocations along x, y and z; nil when the text does not say it.
  private(set) var localSize: [Int]?
  private(set) var diagnostics: [Diagnostic] = []
  /// The places of what says the size of workgroups and is said again in front.
  private(set) var layouts: [[Int]] = []

  private let tokens: [Token]
  private let macros: [String: Value]

  private static let qualifiers: Set<String> = [
    "highp", "mediump", "lowp", "coherent", "volatile", "restrict", "readonly", "writeonly", "std140", "std430",
  ]

  init(_ tokens: [Token]) {
    self.tokens = tokens
    let definitions = Directive.all(in: tokens).compactMap { MacroDefinition($0, in: tokens) }.filter { $0.parameters == nil }
    macros = Dictionary(definitions.compactMap { macro in LiteralReader.value(of: macro.body, in: tokens).map { (macro.name, $0) } }) { $1 }
    for declaration in FileScope(tokens).declarations { read(declaration) }
  }

  private mutating func read(_ declaration: FileScope.Declaration) {
    let all = declaration.tokens
    let afterLayout = Array(all[Self.endOfLayout(all, tokens)...])
    guard let keyword = afterLayout.first(where: { ["uniform", "buffer", "in"].contains(tokens[$0].text) }) else { return }
    let rest = Array(afterLayout.drop { $0 <= keyword || Self.qualifiers.contains(tokens[$0].text) })
    switch tokens[keyword].text {
    case "in": readLocalSize(declaration)
    case "buffer": readBuffer(declaration, rest)
    default:
      if rest.contains(where: { tokens[$0].isMark("{") }) { readBlock(declaration, rest) } else { readUniform(declaration, rest) }
    }
  }

  /// Where the tokens behind `layout(…)` start.
  static func endOfLayout(_ places: [Int], _ tokens: [Token]) -> Int {
    guard let first = places.first, tokens[first].isName("layout"), places.count > 1, let close = tokens.closing(of: places[1]),
      let position = places.firstIndex(of: close)
    else { return 0 }
    return position + 1
  }

  // MARK: workgroups

  private mutating func readLocalSize(_ declaration: FileScope.Declaration) {
    let words = declaration.tokens
    guard words.contains(where: { tokens[$0].text.hasPrefix("local_size_") }) else { return }
    var sizes = localSize ?? [1, 1, 1]
    for (axis, name) in ["local_size_x", "local_size_y", "local_size_z"].enumerated() {
      guard let position = words.firstIndex(where: { tokens[$0].isName(name) }) else { continue }
      let value = position + 2 < words.count ? number(at: words[position + 2]) : nil
      sizes[axis] = value ?? 0
      if !WorkgroupLimits.admits(sizes) {
        reportSize([words[position]])
        sizes[axis] = 1
      }
    }
    localSize = sizes
    layouts.append(words + [declaration.end])
  }

  private mutating func reportSize(_ places: [Int]) {
    diagnostics.append(
      Diagnostic(
        "compute.local-size", "the size of a workgroup is not \(WorkgroupLimits.words)",
        labels: tokens.labels(at: places.prefix(1), "this size"), help: ["write 'layout(local_size_x = 16, local_size_y = 16) in;'"]))
  }

  /// A whole number, or a macro that stands for one.
  private func number(at place: Int) -> Int? {
    let value = LiteralReader.value(of: [place], in: tokens) ?? macros[tokens[place].text]
    return value.flatMap { [.int, .uint].contains($0.type) ? Int($0.components[0]) : nil }
  }

  // MARK: textures and values

  private mutating func readUniform(_ declaration: FileScope.Declaration, _ rest: [Int]) {
    guard let type = rest.first, let declarator = DeclaratorList(rest.dropFirst(), in: tokens).declarators.first else { return }
    let words = Set(declaration.tokens.map { tokens[$0].text })
    let name = tokens[declarator.name].text
    guard declarator.array.isEmpty, rest.count(where: { tokens[$0].isMark(",") }) == 0 || ValueType(rawValue: tokens[type].text) != nil
    else {
      return refuse([declarator.name], "'\(name)' is one of several in a declaration, or an array", "declare each on its own")
    }
    switch tokens[type].text {
    case "sampler2D": add(name, .texture, declaration, declarator.name)
    case "image2D": readImage(name, words, declaration, declarator.name)
    case let text:
      guard let valueType = ValueType(rawValue: text) else {
        return refuse([type], "a filter cannot be given a '\(text)'", "use sampler2D, image2D, a scalar, a vector or a matrix")
      }
      for declarator in DeclaratorList(rest.dropFirst(), in: tokens).declarators {
        let member = member(declarator.name, valueType, end: declaration.end, initializer: declarator.initializer)
        add(member.name, .value(member), declaration, declarator.name)
      }
    }
  }

  private mutating func readImage(_ name: String, _ words: Set<String>, _ declaration: FileScope.Declaration, _ place: Int) {
    let calls = tokens.indices.filter { ["imageLoad", "imageStore"].contains(tokens[$0].text) && firstArgument(ofCallAt: $0) == name }
    let isRead = words.contains("readonly") || calls.contains { tokens[$0].text == "imageLoad" }
    let isWritten = words.contains("writeonly") || calls.contains { tokens[$0].text == "imageStore" }
    if isRead, isWritten {
      return refuse(
        [place], "'\(name)' is both read and written", "read one image and write another; a native filter can ping-pong a target")
    }
    add(name, isRead ? .readImage : .writtenImage, declaration, place)
  }

  private func firstArgument(ofCallAt place: Int) -> String? {
    tokens.next(after: place).flatMap { tokens[$0].isMark("(") ? tokens.next(after: $0) : nil }.map { tokens[$0].text }
  }

  // MARK: blocks

  private mutating func readBlock(_ declaration: FileScope.Declaration, _ rest: [Int]) {
    guard let name = rest.first, let members = members(rest) else { return }
    var read: [ComputeResource.Member] = []
    for (type, declarators) in members {
      for declarator in declarators {
        guard let valueType = ValueType(rawValue: tokens[type].text), declarator.array.isEmpty else {
          refuse([declarator.name], "'\(tokens[declarator.name].text)' cannot be a parameter", "use scalars, vectors and square matrices")
          continue
        }
        let end = tokens[declarator.name...].firstIndex { $0.isMark(";") } ?? declaration.end
        refuseKeyword(declarator.name)
        read.append(member(declarator.name, valueType, end: end, initializer: []))
      }
    }
    add(tokens[name].text, .block(members: read), declaration, name)
  }

  private mutating func readBuffer(_ declaration: FileScope.Declaration, _ rest: [Int]) {
    guard let name = rest.first, let members = members(rest) else { return }
    let elements = members.flatMap { type, declarators in declarators.map { (type, $0) } }
    guard elements.count == 1, let (type, declarator) = elements.first, let valueType = ValueType(rawValue: tokens[type].text),
      ![.bool, .vec3, .ivec3, .mat2, .mat3, .mat4].contains(valueType)
    else {
      return refuse(
        [name], "'\(tokens[name].text)' is not one array of numbers or of vectors of two or four", "declare a buffer for each array")
    }
    guard declarator.array.count == 3, let count = number(at: declarator.array[1]), count >= 1 else {
      return refuse(
        [declarator.name], "nothing says how many elements '\(tokens[declarator.name].text)' has", "write the number in its brackets")
    }
    refuseKeyword(declarator.name)
    let buffer = FilterBuffer(
      name: tokens[name].text, type: valueType, count: ExpressionText("\(count)", place: nil), isPersistent: false,
      place: tokens.origin(of: [name]))
    add(tokens[name].text, .buffer(buffer), declaration, name)
  }

  /// The types and names between the braces of a block.
  private func members(_ rest: [Int]) -> [(type: Int, [DeclaratorList.Declarator])]? {
    guard let open = rest.firstIndex(where: { tokens[$0].isMark("{") }), let close = tokens.closing(of: rest[open]),
      let end = rest.firstIndex(of: close)
    else { return nil }
    return rest[(open + 1)..<end].split { tokens[$0].isMark(";") }.compactMap { words in
      let words = Array(words)
      let plain = words[Self.endOfLayout(words, tokens)...].drop { Self.qualifiers.contains(tokens[$0].text) }
      return plain.first.map { ($0, DeclaratorList(plain.dropFirst(), in: tokens).declarators) }
    }
  }

  private mutating func member(_ place: Int, _ type: ValueType, end: Int, initializer: [Int]) -> ComputeResource.Member {
    let given =
      initializer.isEmpty ? CommentedDefault.find(after: end, in: tokens, stopsAtLineEnd: true) : CommentedDefault(initializer, in: tokens)
    var value = Value(type, Array(repeating: 0, count: type.componentCount))
    if let given {
      if let converted = given.value(as: type) {
        value = converted
      } else {
        diagnostics.append(
          Diagnostic(
            "compute.default-value", "the default of '\(tokens[place].text)' is no literal of type '\(type.rawValue)'",
            labels: given.labels,
            help: ["expected \(ValueText.example(of: type))"]))
      }
    } else {
      warnOfNoDefault(place, type, value)
    }
    return ComputeResource.Member(name: tokens[place].text, type: type, initial: value, place: tokens.origin(of: [place]))
  }

  /// Warns about a value that starts as 0, which may be a clock by another name or of another type.
  private mutating func warnOfNoDefault(_ place: Int, _ type: ValueType, _ value: Value) {
    let name = tokens[place].text
    let clock = NativeScope.uniforms.first { $0.name == name }
    guard clock?.type != type else { return }
    let other = NativeScope.elsewhere[name].flatMap { word in NativeScope.uniforms.first { $0.name == word } }
    let starting = "write '// = \(ValueConversion.text(of: value))' behind the declaration"
    let help = (clock ?? other).map { ["write 'uniform \($0.type.rawValue) \($0.name);', which is set on every frame"] } ?? []
    diagnostics.append(
      Diagnostic(
        "compute.no-default",
        clock.map {
          "'\(name)' is set on every frame as '\($0.type.rawValue)', and as '\(type.rawValue)' it is a parameter without a default"
        }
          ?? "'\(name)' has no default value",
        severity: .warning, labels: tokens.labels(at: [place], "starts as 0"), help: help + [starting]))
  }

  // MARK: collecting

  private mutating func add(_ name: String, _ kind: ComputeResource.Kind, _ declaration: FileScope.Declaration, _ place: Int) {
    refuseKeyword(place)
    resources.append(
      ComputeResource(name: name, kind: kind, tokens: declaration.tokens, end: declaration.end, place: tokens.origin(of: [place])))
  }

  private mutating func refuseKeyword(_ place: Int) {
    if let diagnostic = GLSLKeywords.diagnostic(of: place, in: tokens, keywords: GLSLKeywords.ofCompute) { diagnostics.append(diagnostic) }
  }

  private mutating func refuse(_ places: [Int], _ message: String, _ help: String) {
    diagnostics.append(Diagnostic("compute.unsupported", message, labels: tokens.labels(at: places, "declared here"), help: [help]))
  }
}

/// A resource that a plain compute shader declares to be bound, with the places of its declaration.
struct ComputeResource {
  enum Kind {
    /// `uniform sampler2D`.
    case texture
    /// `uniform readonly image2D`, which is read like a texture.
    case readImage
    /// `uniform writeonly image2D`.
    case writtenImage
    /// A block of values: `uniform Name { float gain; }`.
    case block(members: [Member])
    /// A value of its own: `uniform float gain;`.
    case value(Member)
    /// `buffer Name { uint bins[256]; }`.
    case buffer(FilterBuffer)
  }

  /// A value with the default that a comment behind it gives.
  struct Member {
    let name: String
    let type: ValueType
    let initial: Value
    let place: SourceRange?
  }

  /// The name in the text: of the variable, or of the block.
  let name: String
  let kind: Kind
  /// The visible tokens of the declaration, without the `;`.
  let tokens: [Int]
  /// The place of the `;`.
  let end: Int
  let place: SourceRange?
}

// MARK: - Limits

/// How large workgroups may be: what all devices of note allow, and the compiler.
enum WorkgroupLimits {
  private static let mostInvocations = 1024
  private static let mostLayers = 64

  /// Whether a workgroup may have these sizes, along x, y and z.
  static func admits(_ sizes: [Int]) -> Bool {
    (1...3).contains(sizes.count) && sizes.allSatisfy { (1...mostInvocations).contains($0) } && sizes.reduce(1, *) <= mostInvocations
      && sizes.dropFirst(2).allSatisfy { $0 <= mostLayers }
  }

  /// What is admitted.
  static let words = "one to three whole numbers whose product is at most \(mostInvocations), the third at most \(mostLayers)"
}
