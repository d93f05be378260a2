package import EtalonDiagnostics
internal import EtalonGLSL
package import EtalonManifest
internal import EtalonTypes

/// Reads a plain compute shader: its images become inputs and outputs, its uniforms parameters; bindings are given anew.
///
/// ```swift
/// let reading = try ComputeReader(files: NoFiles()).read(source, named: "edges", options: FilterReader.Options())
/// ```
/// The first image that the text writes is the result. A uniform with the name of a clock of the native dialect (`TIME`) is that clock; the
/// comment `// = 0.5` behind any other uniform is its default.
package struct ComputeReader: DialectReader {
  private let files: any FileProvider

  /// Prepares to read; included files come from `files`.
  package init(files: any FileProvider) { self.files = files }

  package func draft(_ source: SourceText, named name: String, options: FilterReader.Options) throws(DiagnosticsError) -> FilterDraft {
    let text = try ExpandedText(source, files: files, limits: options.limits)
    guard text.includeDiagnostics.isEmpty else { return FilterDraft(nil, text.diagnostics) }
    var tokens = text.tokens
    let declarations = ComputeDeclarations(tokens)
    var diagnostics = text.diagnostics + declarations.diagnostics
    diagnostics += Self.diagnostics(declarations, tokens, source)
    let translation = ComputeTranslation(declarations: declarations, options: options)
    let pass = translation.pass(&tokens)
    let inputs = translation.inputs
    let manifest = FilterManifest(
      name: name, dialect: .compute, kind: FilterManifest.Kind(ofInputs: inputs.map(\.name)), inputs: inputs,
      parameters: translation.parameters, targets: translation.targets, buffers: translation.buffers, passes: [pass], alpha: .straight,
      mainOutput: translation.mainOutput, furtherOutputs: translation.targets.map(\.name))
    return FilterDraft(manifest, diagnostics)
  }

  private static func diagnostics(_ declarations: ComputeDeclarations, _ tokens: [Token], _ source: SourceText) -> [Diagnostic] {
    var found: [Diagnostic] = []
    func report(_ id: String, _ message: String, _ help: String, at places: [SourceRange?] = []) {
      let labels = places.compactMap { $0 }.map { $0.label("declared here") }
      found.append(
        Diagnostic("compute.\(id)", message, labels: labels.isEmpty ? [.init(source, 0..<0)] : labels, help: [help]))
    }
    if !FileScope(tokens).functions.contains(where: { $0.name == "main" && $0.body != nil }) {
      report("no-main", "the text has no function 'main'", "write 'void main()'")
    }
    if declarations.localSize == nil, !declarations.diagnostics.contains(where: { $0.id == "compute.local-size" }) {
      report("no-local-size", "nothing says how large a workgroup is", "write 'layout(local_size_x = 16, local_size_y = 16) in;'")
    }
    let written = declarations.resources.filter { if case .writtenImage = $0.kind { true } else { false } }
    if written.isEmpty, !declarations.diagnostics.contains(where: { $0.severity == .error }) {
      report("no-output", "the text writes no image", "write 'uniform writeonly image2D outputImage;' and 'imageStore(outputImage, …)'")
    }
    let blocks = declarations.resources.filter { if case .block = $0.kind { true } else { false } }
    let values = declarations.resources.filter { if case .value = $0.kind { true } else { false } }
    if blocks.count > 1 {
      report("two-blocks", "the text has several uniform blocks; one is possible", "put all members into one", at: blocks.map(\.place))
    } else if !blocks.isEmpty, !values.isEmpty {
      report(
        "two-blocks", "the text has a uniform block and further uniforms", "put all of them into the block",
        at: [values[0].place, blocks[0].place])
    }
    var scopes = [declarations.resources.map { ($0.name, $0.place) }]
    for case .block(let members) in declarations.resources.map(\.kind) { scopes.append(members.map { ($0.name, $0.place) }) }
    for scope in scopes {
      var names: Set<String> = []
      for (name, place) in scope where !names.insert(name).inserted {
        report("declared-twice", "'\(name)' is declared twice", "give one of them another name", at: [place])
      }
    }
    return found
  }
}

// MARK: - translation

/// Turns the tokens of a plain compute shader into a pass: what is bound is declared anew, with bindings of Etalon's own.
private struct ComputeTranslation {
  let declarations: ComputeDeclarations
  let options: FilterReader.Options

  private static let textureBinding = 16
  private static let bufferBinding = 64
  private static let storeBinding = 96

  // MARK: the manifest

  var inputs: [FilterInput] {
    textures.map { resource in
      FilterInput(name: resource.name, sampler: Sampler(.linear, .clamp), place: resource.place).changed(
        by: options.samplers[resource.name])
    }
  }

  /// The members of the uniform block that are no clocks.
  var parameters: [FilterParameter] {
    members.filter { Self.clock($0) == nil }.map {
      FilterParameter(name: $0.name, kind: ParameterKind($0.type), defaultValue: $0.initial, place: $0.place)
    }
  }

  /// The first image that is written.
  var mainOutput: String { stores.first?.name ?? "result" }

  /// All images that are written, save the first.
  var targets: [FilterTarget] {
    stores.dropFirst().map { FilterTarget(name: $0.name, format: .rgba16f, isPersistent: false, place: $0.place) }
  }

  var buffers: [FilterBuffer] {
    declarations.resources.compactMap { if case .buffer(let buffer) = $0.kind { buffer } else { nil } }
  }

  private var textures: [ComputeResource] {
    declarations.resources.filter {
      switch $0.kind {
      case .texture, .readImage: true
      case .writtenImage, .block, .value, .buffer: false
      }
    }
  }

  private var stores: [ComputeResource] {
    declarations.resources.filter { if case .writtenImage = $0.kind { true } else { false } }
  }

  private var members: [ComputeResource.Member] {
    declarations.resources.flatMap { resource -> [ComputeResource.Member] in
      switch resource.kind {
      case .block(let members): members
      case .value(let member): [member]
      case .texture, .readImage, .writtenImage, .buffer: []
      }
    }
  }

  private static func clock(_ member: ComputeResource.Member) -> Uniform.Meaning? {
    NativeScope.uniforms.first { $0.name == member.name && $0.type == member.type }?.meaning
  }

  private var uniforms: [Uniform] {
    members.map { Uniform(name: Self.glsl($0.name), type: $0.type, meaning: Self.clock($0) ?? .parameter($0.name)) }
  }

  // MARK: the text

  /// The name under which the compiler sees an author's name.
  private static func glsl(_ name: String) -> String { ReservedWords.withoutMeaning.replacement(for: name) }

  func pass(_ tokens: inout [Token]) -> PassSource {
    redeclare(in: &tokens)
    let extensions = tokens.takeExtensions()
    var names: [String] = []
    let images = textures.filter { if case .readImage = $0.kind { true } else { false } }
    let rewrites: [any Rewrite] = [
      LineNumbers(), Stripping(), ImageReads(images: Set(images.map(\.name))),
      TextureCalls(mipmapped: [], plain: Set(textures.map(\.name))),
      ReservedWords.withoutMeaning,
    ]
    for rewrite in rewrites where rewrite.changes(&tokens) { names.append(rewrite.name) }
    if options.dropsFileScopeConst, FileScopeConst().changes(&tokens) { names.append(FileScopeConst().name) }
    let mentioned = Set(tokens.lazy.filter { $0.kind == .identifier }.map(\.text))
    let front = Lexer.tokens(ofAddedText: "#version 450\n") + extensions + Lexer.tokens(ofAddedText: declarationText(mentioned))
    let localSize = declarations.localSize ?? [1, 1, 1]
    return PassSource(
      name: "image", coverage: .workgroups(localSize: localSize, over: .output), form: .compute,
      source: GeneratedSource(front + tokens + [Token(.lineEnd, "\n")]), uniforms: uniforms,
      textures: inputs.map { PassTexture(name: Self.glsl($0.name), source: .input($0.name), sampler: $0.sampler) },
      stores: stores.enumerated().map { PassStore(name: Self.glsl($1.name), target: $0 == 0 ? nil : $1.name) },
      buffers: buffers.map { PassBuffer(name: Self.glsl($0.name), buffer: $0.name) }, hints: Self.hints, rewrites: names)
  }

  private static let hints = NameHints(functions: [
    "imageLoad": .init([["image2D", "ivec2 position"]], help: "write 'ivec2(position)' for a position that is a vec2"),
    "imageStore": .init([["image2D", "ivec2 position", "vec4 color"]], help: "write 'ivec2(position)' for a position that is a vec2"),
    "imageSize": .init([["image2D"]]),
  ])

  private func declarationText(_ mentioned: Set<String>) -> String {
    let values = declarations.resources.contains { if case .value = $0.kind { true } else { false } }
    return BoundDeclarations.workgroup(declarations.localSize ?? [1, 1, 1]) + (values ? BoundDeclarations.uniforms(uniforms) : "")
      + BoundDeclarations.textures(textures.enumerated().map { (Self.glsl($1.name), Self.textureBinding + $0) })
      + BoundDeclarations.stores(stores.enumerated().map { (Self.glsl($1.name), Self.storeBinding + $0) })
      + TextureFunctions.text(for: mentioned)
  }

  /// Takes out what is declared in front, and gives blocks and buffers, which stay, their bindings.
  private func redeclare(in tokens: inout [Token]) {
    var insertions: [(range: Range<Int>, tokens: [Token])] = []
    var bufferCount = 0
    for resource in declarations.resources {
      switch resource.kind {
      case .texture, .readImage, .writtenImage, .value:
        for place in resource.tokens + [resource.end] { tokens.erase(place...place) }
      case .block:
        insertions.append(layout("layout(set = 0, binding = 0, std140) ", of: resource, in: &tokens))
      case .buffer:
        insertions.append(layout("layout(set = 0, binding = \(Self.bufferBinding + bufferCount), std430) ", of: resource, in: &tokens))
        bufferCount += 1
      }
    }
    for layout in declarations.layouts {
      for place in layout { tokens.erase(place...place) }
    }
    tokens.apply(insertions)
  }

  private func layout(
    _ text: String, of resource: ComputeResource, in tokens: inout [Token]
  ) -> (range: Range<Int>, tokens: [Token]) {
    let end = ComputeDeclarations.endOfLayout(resource.tokens, tokens)
    for place in resource.tokens[..<end] { tokens.erase(place...place) }
    return (resource.tokens[end]..<resource.tokens[end], Lexer.tokens(ofAddedText: text))
  }

}

/// Reads images that a compute shader only reads as textures: `imageLoad(image, p)` becomes `texelFetch(image, p, 0)`.
private struct ImageReads: Rewrite {
  let name = "image reads"

  /// The names of the images.
  let images: Set<String>

  private static let functions = ["imageLoad": "texelFetch", "imageSize": "textureSize"]

  func apply(to tokens: inout [Token]) {
    var edits: [(range: Range<Int>, tokens: [Token])] = []
    for index in tokens.indices where tokens[index].kind == .identifier {
      guard let function = Self.functions[tokens[index].text], let open = tokens.next(after: index), tokens[open].isMark("("),
        let image = tokens.next(after: open), images.contains(tokens[image].text), let close = tokens.closing(of: open)
      else { continue }
      tokens[index].text = function
      edits.append((close..<close, Lexer.tokens(ofAddedText: ", 0")))
    }
    tokens.apply(edits.sorted { $0.range.lowerBound < $1.range.lowerBound })
  }
}
