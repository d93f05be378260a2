internal import EtalonDiagnostics
internal import EtalonGLSL
internal import EtalonManifest
internal import EtalonTypes

/// Turns the text of a native filter into the pass that runs one of its kernels.
struct NativeTranslation {
  let header: FilterHeader
  let kernel: NativeKernel
  let index: Int
  let targets: NativeTargets
  let options: FilterReader.Options

  private static let textureBinding = 16
  private static let bufferBinding = 64
  /// How many textures a pass may read.
  static let mostTextures = bufferBinding - textureBinding
  private static let storeBinding = 96

  private var pass: FilterHeader.Pass { header.passes[index] }
  private var isCompute: Bool { kernel.form == .compute }
  private var stores: [String] { isCompute ? targets.writes[index] : [] }

  /// A texture that the kernel reads.
  private struct Texture {
    let name: String
    let source: PassTexture.Source
    let sampler: Sampler
  }

  /// - Parameter extensions: the directives that have to stand in front of everything.
  func source(of tokens: [Token], extensions: [Token], use: FunctionUse) -> PassSource {
    var tokens = tokens
    use.erase(allBut: use.names(neededBy: kernel.name), from: &tokens)
    var names: [String] = []
    func apply(_ rewrite: any Rewrite) { if rewrite.changes(&tokens) { names.append(rewrite.name) } }
    apply(NativeStores(targets: stores))
    apply(NativeMoments(header))
    let textures = textures(mentionedIn: tokens)
    for rewrite in rewrites(textures) { apply(rewrite) }
    var mentioned = Set(tokens.lazy.filter { $0.kind == .identifier }.map(\.text))
    mentioned.formUnion(colorImages.map { read("IMG_THIS_PIXEL", $0) })
    if kernel.form == .warp, let image = warped { mentioned.insert(read("IMG_PIXEL", image)) }
    let moments = NativeMoments.functions(header, mentioned: mentioned, inText: Self.inText, read: read)
    mentioned.formUnion(moments.map(\.calls))
    let images = NativeImageFunctions(header, mentioned: mentioned, moments: moments.map(\.text).joined())
    mentioned.formUnion(images.needs)
    let lists = NativeLists(header, mentioned: mentioned, name: Self.inText)
    let uniforms = uniforms(mentioned, lists)
    let program = NativeProgram(
      kernel: kernel, uniforms: uniforms, textures: textures.enumerated().map { (Self.inText($1.name), Self.textureBinding + $0) },
      buffers: buffers(mentioned), stores: stores.enumerated().map { ($1, Self.storeBinding + $0) }, localSize: localSize,
      passIndex: index, images: images, lists: lists, mentioned: mentioned, arguments: colorImages.map(color), result: result)
    let source = GeneratedSource(program.tokens(extensions: extensions) + tokens + [Token(.lineEnd, "\n")])
    return PassSource(
      name: pass.kernel?.value ?? pass.target?.value ?? "image", target: targetName, coverage: coverage, form: kernel.form,
      reach: pass.reach(in: header, kernel.form), source: source, uniforms: uniforms,
      textures: textures.map { PassTexture(name: Self.inText($0.name), source: $0.source, sampler: $0.sampler) },
      arguments: colorImages.map { Self.inText($0.input.name) },
      stores: stores.map { PassStore(name: NativeStores.image($0), target: $0 == header.mainOutput ? nil : $0) },
      buffers: buffers(mentioned).map { PassBuffer(name: NativeProgram.block($0.buffer.name), buffer: $0.buffer.name) },
      iterations: pass.iterations, usesQuads: program.usesQuads, hints: NativeScope.hints(header), rewrites: names)
  }

  private static func inText(_ name: String) -> String { NativeReservedNames.replacement(for: name) }

  private func rewrites(_ textures: [Texture]) -> [any Rewrite] {
    let soft = isCompute ? [] : Set(textures.filter { $0.sampler.interpolation == .mipmap }.map(\.name))
    let plain = Set(textures.map(\.name)).subtracting(soft)
    let borders = header.images.enumerated().filter { $1.border != nil }.flatMap { index, image in
      image.moments.map { (NativeMoments.image(image.input.name, at: $0), index) }
    }
    let always: [any Rewrite] = [
      LineNumbers(), Stripping(), NativeListSizes(header),
      NativeImageCalls(mipmapped: soft, plain: plain, borders: Dictionary(borders) { first, _ in first }),
      // This comes before functions are renamed, because a parameter may have the name of one of them.
      NativeReservedNames(header.names), Derivatives(),
      TextureCalls(mipmapped: Set(soft.map(Self.inText)), plain: Set(plain.map(Self.inText))),
    ]
    return options.dropsFileScopeConst ? always + [FileScopeConst()] : always
  }

  // MARK: what is bound

  private func textures(mentionedIn tokens: [Token]) -> [Texture] {
    var mentioned = Set(tokens.lazy.filter { $0.kind == .identifier }.map(\.text)).union(colorImages.map(\.input.name))
    if kernel.form == .warp, let warped { mentioned.insert(warped.input.name) }
    let computed = Set(
      NativeMoments.functions(header, mentioned: mentioned, inText: Self.inText, read: read).flatMap { function in
        header.images.first { $0.input.name == function.image }?.moments.map { NativeMoments.image(function.image, at: $0) } ?? []
      })
    mentioned.formUnion(computed)
    let images = header.images.flatMap { image in
      image.moments.map { offset in
        Texture(
          name: NativeMoments.image(image.input.name, at: offset), source: .input(FrameWindow.name(of: image.input.name, at: offset)),
          sampler: image.input.sampler)
      }
    }
    let others = targets.targets.map { Texture(name: $0.name, source: .target($0.name), sampler: Sampler(.linear, .clamp)) }
    return (images + others).filter { mentioned.contains($0.name) }
  }

  /// The images whose colors a color kernel is given.
  private var colorImages: [FilterHeader.Image] {
    kernel.form == .color ? header.images.filter { $0.input.origin == .user } : []
  }

  private var warped: FilterHeader.Image? { header.images.first { $0.input.origin == .user } }

  /// The function that reads an image, with its border and its levels.
  private func read(_ function: String, _ image: FilterHeader.Image) -> String {
    if image.border != nil, let index = header.images.firstIndex(where: { $0.input.name == image.input.name }) {
      return NativeImageCalls.bordered(function, index)
    }
    return image.input.sampler.interpolation == .mipmap ? function + TextureCalls.mipmapEnding : function
  }

  private func uniforms(_ mentioned: Set<String>, _ lists: NativeLists) -> [Uniform] {
    let scope = NativeScope.uniforms.filter { mentioned.contains($0.name) }
    return scope
      + lists.uniforms
      + header.parameters.filter { $0.list == nil && mentioned.contains(Self.inText($0.name)) }.map { parameter in
        let meaning: Uniform.Meaning =
          parameter.followsClock ? .parameterOr(parameter.name, .progress) : .parameter(parameter.name)
        return Uniform(name: Self.inText(parameter.name), type: parameter.kind.valueType, meaning: meaning)
      }
  }

  private func buffers(_ mentioned: Set<String>) -> [NativeProgram.Buffer] {
    header.buffers.filter { mentioned.contains(Self.inText($0.name)) }.enumerated().map {
      NativeProgram.Buffer(buffer: $1, name: Self.inText($1.name), binding: Self.bufferBinding + $0)
    }
  }

  // MARK: what is computed

  /// The expression for the color of an image at the pixel.
  private func color(_ image: FilterHeader.Image) -> String { "\(read("IMG_THIS_PIXEL", image))(\(Self.inText(image.input.name)))" }

  /// The color of a pixel, for the kernels that return one and take no colors.
  private var result: String {
    switch kernel.form {
    case .warp: warped.map { "\(read("IMG_PIXEL", $0))(\(Self.inText($0.input.name)), \(kernel.name)(vec2(etalonPixel) + 0.5))" } ?? ""
    case .image: "\(kernel.name)(vec2(etalonPixel) + 0.5)"
    case .color, .compute: ""
    }
  }

  /// The target that a pixel pass writes; nil for the result.
  private var targetName: String? {
    isCompute || pass.target?.value == header.mainOutput ? nil : pass.target?.value
  }

  private var localSize: [Int] { pass.localSize?.value ?? [16, 16, 1] }

  private var coverage: PassSource.Coverage {
    guard isCompute else { return .pixels }
    if let counts = pass.dispatch { return .dispatch(localSize: localSize, counts: counts.value) }
    let written = stores.first.flatMap { targets.target($0)?.extent }
    return .workgroups(localSize: localSize, over: written ?? pass.extent)
  }
}

// MARK: - names

/// Renames names of the header that GLSL has another use for, such as `sample` or `distance`.
///
/// A name that is called is the function of GLSL, and one behind a point is a member of something else.
private struct NativeReservedNames: Rewrite {
  let name = "reserved words"

  let names: Set<String>

  init(_ names: some Sequence<String>) { self.names = Set(names.filter { Self.replacement(for: $0) != $0 }) }

  /// The name under which the compiler sees a name of the header.
  static func replacement(for name: String) -> String {
    BuiltInFunctions.names.contains(name) ? "etalon_" + name : ReservedWords.replacement(for: name)
  }

  func apply(to tokens: inout [Token]) {
    for index in tokens.indices where tokens[index].kind == .identifier && names.contains(tokens[index].text) {
      let isMember = tokens.previous(before: index).map { tokens[$0].isMark(".") } ?? false
      let isFunction = BuiltInFunctions.names.contains(tokens[index].text) && tokens.isCalled(at: index)
      if !isMember, !isFunction { tokens[index].text = Self.replacement(for: tokens[index].text) }
    }
  }
}

/// What every native kernel may mention without declaring it.
enum NativeScope {
  /// In the order in which they stand in the block.
  static let uniforms: [Uniform] = [
    Uniform(name: "RENDERSIZE", type: .vec2, meaning: .targetSize),
    Uniform(name: "TIME", type: .float, meaning: .time),
    Uniform(name: "TIMEDELTA", type: .float, meaning: .timeDelta(onFirstFrame: 0)),
    Uniform(name: "FRAMEINDEX", type: .int, meaning: .frameIndex),
    Uniform(name: "DATE", type: .vec4, meaning: .date(january: 1)),
    Uniform(name: "PROGRESS", type: .float, meaning: .progress),
    Uniform(name: "DURATION", type: .float, meaning: .duration),
    Uniform(name: "RATE", type: .float, meaning: .frameRate),
    Uniform(name: "ITERATION", type: .int, meaning: .iteration),
  ]

  /// Functions over images.
  static let functions: [String: NameHints.Function] = [
    "IMG_PIXEL": .init([["image", "vec2 position"]]), "IMG_NORM_PIXEL": .init([["image", "vec2 place"]]),
    "IMG_THIS_PIXEL": .init([["image"]]), "IMG_SIZE": .init([["image"]]),
    "IMG_LOAD": .init(
      [["image", "ivec2 position"]], help: "write 'ivec2(position)' for a position that is a vec2, or read it with IMG_PIXEL"),
    "IMG_INSIDE": .init([["image", "ivec2 position"], ["image", "vec2 position"]]),
    "MATRIX_SIZE": .init([["matrix"]]), "TEXT_LENGTH": .init([["text"]]),
    "TABLE_COLOR": .init([["table", "vec3 color"]], help: "write 'color.rgb' for a color that is a vec4"),
    "FONT_GLYPH": .init([["font", "int code"]], help: "write 'title(i)' for a character of the text 'title'"),
    "FONT_ADVANCE": .init([["font", "int glyph"]]), "FONT_BOX": .init([["font", "int glyph"]]), "FONT_LINES": .init([["font"]]),
    "FONT_DISTANCE": .init([["font", "int glyph", "vec2 place", "float reach"]]),
    "IMG_STORE": .init(
      [["target", "ivec2 position", "vec4 color"]], dropped: 1, help: "write 'ivec2(position)' for a position that is a vec2"),
  ]

  static let names = Set(uniforms.map(\.name) + ["PASSINDEX", "POSITION", "LOCAL_INDEX"] + functions.keys)

  /// What other dialects call the uniforms.
  static let elsewhere = [
    "iTime": "TIME", "u_time": "TIME", "time": "TIME", "iResolution": "RENDERSIZE", "u_resolution": "RENDERSIZE",
    "resolution": "RENDERSIZE", "iFrame": "FRAMEINDEX", "frame": "FRAMEINDEX", "iTimeDelta": "TIMEDELTA", "iDate": "DATE",
    "iFrameRate": "RATE", "progress": "PROGRESS",
  ]

  /// What people who come from other dialects write.
  static func hints(_ header: FilterHeader) -> NameHints {
    let own = header.parameters.map(\.name) + header.images.map(\.input.name) + header.buffers.map(\.name)
    let image = header.images.first?.input.name
    var here = elsewhere.merging([
      "fragCoord": "POSITION", "gl_FragCoord": "POSITION", "isf_FragNormCoord": "POSITION / RENDERSIZE",
      "vv_FragNormCoord": "POSITION / RENDERSIZE", "IMG_THIS_NORM_PIXEL": "IMG_THIS_PIXEL", "gl_LocalInvocationIndex": "LOCAL_INDEX",
    ]) { first, _ in first }
    if let image { for name in ["iChannel0", "inputImage", "tex", "u_texture"] where name != image { here[name] = image } }
    return NameHints(offered: names.sorted() + own, here: here, functions: functions)
  }
}
