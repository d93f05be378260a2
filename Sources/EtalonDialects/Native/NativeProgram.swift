internal import EtalonDiagnostics
internal import EtalonGLSL
internal import EtalonManifest
internal import EtalonTypes

/// Writes what stands in front of a native text: declarations, helper functions and `main`.
struct NativeProgram {
  /// A storage buffer with its name in the text.
  struct Buffer {
    let buffer: FilterBuffer
    let name: String
    let binding: Int
  }

  let kernel: NativeKernel
  let uniforms: [Uniform]
  let textures: [(name: String, binding: Int)]
  let buffers: [Buffer]
  let stores: [(target: String, binding: Int)]
  let localSize: [Int]
  let passIndex: Int
  let images: NativeImageFunctions
  let lists: NativeLists
  /// Every identifier of the rewritten text and of what it needs.
  let mentioned: Set<String>
  /// The expressions for the arguments of a color kernel.
  let arguments: [String]
  /// The expression that gives the color of a pixel; empty for a color kernel or a compute kernel.
  let result: String

  /// The name of a buffer's block.
  static func block(_ buffer: String) -> String { "EtalonBuffer_" + buffer }

  private var pixels: PixelProgram { PixelProgram(uniforms: uniforms, textures: textures, mentioned: mentioned) }

  var usesQuads: Bool { kernel.form != .compute && pixels.usesQuads }

  /// The tokens in front of the author's; extensions have to come right behind the version.
  func tokens(extensions: [Token]) -> [Token] {
    let text = kernel.form == .compute ? computeDeclarations + computeHelpers : pixels.declarations + bufferDeclarations + pixelHelpers
    let version = "#version 450\n"
    return Lexer.tokens(ofAddedText: version) + extensions + Lexer.tokens(ofAddedText: text.dropFirst(version.count) + main)
  }

  // MARK: kernels that return a color

  private var pixelHelpers: String { pixels.helpers + scope + images.text }

  // MARK: compute kernels

  private var computeDeclarations: String {
    let images = BoundDeclarations.stores(stores.map { (NativeStores.image($0.target), $0.binding) })
    return "#version 450\n" + BoundDeclarations.workgroup(localSize) + BoundDeclarations.uniforms(uniforms)
      + BoundDeclarations.textures(textures)
      + bufferDeclarations + images
  }

  private var computeHelpers: String {
    var text = "ivec2 etalonPixel = ivec2(gl_GlobalInvocationID.xy);\n" + scope
    if mentioned.contains("LOCAL_INDEX") { text += "int LOCAL_INDEX = int(gl_LocalInvocationIndex);\n" }
    return text + TextureFunctions.text(for: mentioned) + images.text + stores.map { store($0.target) }.joined()
  }

  /// Stores outside of the target have no effect.
  private func store(_ target: String) -> String {
    let image = NativeStores.image(target)
    return """
      void \(NativeStores.function(target))(ivec2 position, vec4 color) {
        ivec2 size = imageSize(\(image));
        bool isInside = all(greaterThanEqual(position, ivec2(0))) && all(lessThan(position, size));
        if (isInside) imageStore(\(image), position, color);
      }

      """
  }

  // MARK: both

  private var bufferDeclarations: String {
    buffers.map { buffer in
      let length = Int(buffer.buffer.count.text).map(String.init) ?? ""
      return "layout(set = 0, binding = \(buffer.binding), std430) buffer \(Self.block(buffer.buffer.name)) "
        + "{ \(buffer.buffer.type.rawValue) \(buffer.name)[\(length)]; };\n"
    }.joined()
  }

  private var scope: String {
    let needsPosition = mentioned.contains("POSITION") || mentioned.contains { $0.contains("IMG_THIS_PIXEL") }
    return lists.text + (needsPosition ? "vec2 POSITION = vec2(etalonPixel) + 0.5;\n" : "")
      + (mentioned.contains("PASSINDEX") ? "const int PASSINDEX = \(passIndex);\n" : "")
  }

  private var main: String {
    guard kernel.form != .compute else {
      return "\(kernel.prototype)\nvoid main() {\n  \(kernel.name)(etalonPixel);\n}\n"
    }
    guard kernel.form == .color else { return "\(kernel.prototype)\nvoid main() {\n  etalonStore(\(result));\n}\n" }
    let calls = NativeColors(arguments)
    return calls.declarations + "\(kernel.prototype)\nvoid main() {\n\(calls.variables)  etalonStore(\(kernel.name)(\(calls.names)));\n}\n"
  }
}

// MARK: - arguments of color kernels

/// Writes the arguments of a color kernel: colors of images at the pixel, or what earlier stages of a fused kernel left.
private struct NativeColors {
  /// The expressions that read the images.
  private let reads: [String]

  init(_ reads: [String]) { self.reads = reads }

  /// The variables through which a fused kernel hands colors over.
  var declarations: String {
    reads.indices.map { index in
      """
      #ifdef \(StoreVariant.macro(ofLinked: index))
      vec4 \(StageVariables.argument(index));
      #endif

      """
    }.joined()
  }

  /// A variable for each argument.
  var variables: String {
    reads.enumerated().map { index, read in
      """
      #ifdef \(StoreVariant.macro(ofLinked: index))
        vec4 etalonColor\(index) = \(StageVariables.argument(index));
      #else
        vec4 etalonColor\(index) = \(read);
      #endif

      """
    }.joined()
  }

  /// The arguments of the call.
  var names: String { reads.indices.map { "etalonColor\($0)" }.joined(separator: ", ") }
}

// MARK: - reads and stores of images

/// GLSL for the functions over images that a native text mentions.
struct NativeImageFunctions {
  private let mentioned: Set<String>
  private let header: FilterHeader
  private let moments: String

  /// The names that the functions themselves need, for the functions that stand before them.
  private(set) var needs: Set<String> = []

  /// - Parameter moments: functions that read images at other frames, and call these.
  init(_ header: FilterHeader, mentioned: Set<String>, moments: String = "") {
    self.header = header
    self.moments = moments
    self.mentioned = Self.closed(mentioned, header)
    for ending in Self.endings
    where ["IMG_PIXEL", "IMG_NORM_PIXEL", "IMG_THIS_PIXEL"].contains(where: { self.mentioned.contains($0 + ending) }) {
      needs.insert("etalonTexture" + ending)
    }
    if self.mentioned.contains(where: { $0.contains("IMG_THIS_PIXEL") }) { needs.insert("RENDERSIZE") }
  }

  private static let endings = ["", TextureCalls.mipmapEnding]

  /// The functions with those that they call.
  private static func closed(_ mentioned: Set<String>, _ header: FilterHeader) -> Set<String> {
    var names = mentioned
    for index in header.images.indices {
      let border = { NativeImageCalls.bordered($0, index) }
      if names.contains(border("IMG_THIS_PIXEL")) { names.formUnion([border("IMG_NORM_PIXEL"), "IMG_THIS_PIXEL"]) }
      if names.contains(border("IMG_NORM_PIXEL")) { names.insert(border("IMG_PIXEL")) }
      if names.contains(border("IMG_PIXEL")) { names.insert("IMG_PIXEL") }
      if names.contains(border("IMG_LOAD")) { names.insert("IMG_INSIDE") }
    }
    for ending in endings where names.contains("IMG_THIS_PIXEL" + ending) { names.insert("IMG_NORM_PIXEL" + ending) }
    return names
  }

  var text: String {
    var text = ""
    if mentioned.contains("IMG_SIZE") { text += "vec2 IMG_SIZE(sampler2D image) { return vec2(textureSize(image, 0)); }\n" }
    if mentioned.contains("IMG_INSIDE") { text += Self.inside }
    if mentioned.contains("IMG_LOAD") { text += Self.load }
    if mentioned.contains("TABLE_COLOR") { text += NativeTables.color }
    text += NativeFonts.text(mentioned: mentioned)
    for ending in Self.endings { text += reads(ending) }
    for (index, image) in header.images.enumerated() {
      if let border = image.border { text += bordered(index, image.input, border) }
    }
    return text + moments
  }

  private static let inside = """
    bool IMG_INSIDE(sampler2D image, ivec2 position) {
      return all(greaterThanEqual(position, ivec2(0))) && all(lessThan(position, textureSize(image, 0)));
    }
    bool IMG_INSIDE(sampler2D image, vec2 position) {
      return all(greaterThanEqual(position, vec2(0.0))) && all(lessThan(position, vec2(textureSize(image, 0))));
    }

    """

  /// Beyond the edge it reads with the sampler, at the centre of a pixel, where the sampler does not interpolate.
  private static let load = """
    vec4 IMG_LOAD(sampler2D image, ivec2 position) {
      ivec2 size = textureSize(image, 0);
      bool isInside = all(greaterThanEqual(position, ivec2(0))) && all(lessThan(position, size));
      if (isInside) return texelFetch(image, position, 0);
      return textureLod(image, (vec2(position) + 0.5) / vec2(size), 0.0);
    }

    """

  private func reads(_ ending: String) -> String {
    var text = ""
    if mentioned.contains("IMG_PIXEL" + ending) {
      text += """
        vec4 IMG_PIXEL\(ending)(sampler2D image, vec2 position) {
          return etalonTexture\(ending)(image, position / vec2(textureSize(image, 0)));
        }

        """
    }
    if mentioned.contains("IMG_NORM_PIXEL" + ending) {
      text += "vec4 IMG_NORM_PIXEL\(ending)(sampler2D image, vec2 place) { return etalonTexture\(ending)(image, place); }\n"
    }
    if mentioned.contains("IMG_THIS_PIXEL" + ending) {
      // A picture of the target's size is read pixel by pixel, whatever its sampler does between them.
      text += """
        vec4 IMG_THIS_PIXEL\(ending)(sampler2D image) {
          ivec2 size = textureSize(image, 0);
          if (size == ivec2(RENDERSIZE)) return texelFetch(image, min(etalonPixel, size - 1), 0);
          return IMG_NORM_PIXEL\(ending)(image, POSITION / RENDERSIZE);
        }

        """
    }
    return text
  }

  /// What is missing of a pixel beyond the edge is filled with the color of the border.
  private func bordered(_ index: Int, _ input: FilterInput, _ border: Value) -> String {
    let name = { (function: String) in NativeImageCalls.bordered(function, index) }
    let isMultiplied = input.alpha == .premultiplied
    let components = border.components.enumerated().map { isMultiplied && $0 < 3 ? $1 * border.components[3] : $1 }
    let color = ValueConversion.text(of: Value(.vec4, components))
    let cover =
      input.sampler.interpolation == .nearest
      ? "vec2(greaterThanEqual(position, vec2(0.0))) * vec2(lessThan(position, size))"
      : "clamp(position + 0.5, 0.0, 1.0) * clamp(size - position + 0.5, 0.0, 1.0)"
    var text = ""
    if mentioned.contains(name("IMG_PIXEL")) {
      text += """
        vec4 \(name("IMG_PIXEL"))(sampler2D image, vec2 position) {
          vec2 size = vec2(textureSize(image, 0));
          vec2 cover = \(cover);
          return IMG_PIXEL(image, position) + (1.0 - cover.x * cover.y) * \(color);
        }

        """
    }
    if mentioned.contains(name("IMG_NORM_PIXEL")) {
      text += """
        vec4 \(name("IMG_NORM_PIXEL"))(sampler2D image, vec2 place) {
          return \(name("IMG_PIXEL"))(image, place * vec2(textureSize(image, 0)));
        }

        """
    }
    if mentioned.contains(name("IMG_THIS_PIXEL")) {
      text += """
        vec4 \(name("IMG_THIS_PIXEL"))(sampler2D image) {
          if (textureSize(image, 0) == ivec2(RENDERSIZE)) return IMG_THIS_PIXEL(image);
          return \(name("IMG_NORM_PIXEL"))(image, POSITION / RENDERSIZE);
        }

        """
    }
    if mentioned.contains(name("IMG_LOAD")) {
      text += """
        vec4 \(name("IMG_LOAD"))(sampler2D image, ivec2 position) {
          return IMG_INSIDE(image, position) ? texelFetch(image, position, 0) : \(color);
        }

        """
    }
    return text
  }
}

/// Chooses for every read of an image the function that knows its levels and its border.
struct NativeImageCalls: Rewrite {
  let name = "image functions"

  /// The names of the images that are mipmapped, and of those that are not.
  let mipmapped: Set<String>
  let plain: Set<String>
  /// The names of the images with a colored border, with their numbers.
  let borders: [String: Int]

  private static let reads: Set<String> = ["IMG_PIXEL", "IMG_NORM_PIXEL", "IMG_THIS_PIXEL"]

  func apply(to tokens: inout [Token]) {
    for index in tokens.indices where tokens[index].kind == .identifier {
      let isRead = Self.reads.contains(tokens[index].text)
      guard isRead || tokens[index].text == "IMG_LOAD", let open = tokens.next(after: index), tokens[open].isMark("(") else { continue }
      let image = tokens.next(after: open).map { tokens[$0].text } ?? ""
      if let border = borders[image] {
        tokens[index].text = Self.bordered(tokens[index].text, border)
      } else if isRead, !mipmapped.isEmpty, !plain.contains(image) {
        tokens[index].text += TextureCalls.mipmapEnding
      }
    }
  }

  static func bordered(_ function: String, _ border: Int) -> String { "etalonBorder\(border)_\(function)" }
}

/// The stores of a compute kernel: `IMG_STORE(target, position, color)` becomes a call of a function for that target.
struct NativeStores: Rewrite {
  let name = "stores"

  /// What the kernel may store to.
  let targets: [String]

  /// The function that stores to a target.
  static func function(_ target: String) -> String { "etalonStoreTo_" + target }

  /// The name of a target as a storage image.
  static func image(_ target: String) -> String { "etalonStored_" + target }

  func apply(to tokens: inout [Token]) {
    for call in Self.calls(in: tokens) {
      guard let target = call.target, targets.contains(tokens[target].text) else { continue }
      tokens[call.place].text = Self.function(tokens[target].text)
      tokens.erase(target...target)
      if let comma = call.comma { tokens.erase(comma...comma) }
    }
  }

  private struct Call {
    let place: Int
    /// The first argument; nil when it is no name.
    let target: Int?
    let comma: Int?
  }

  private static func calls(in tokens: [Token]) -> [Call] {
    tokens.indices.filter { tokens[$0].isName("IMG_STORE") }.map { place in
      guard let open = tokens.next(after: place), tokens[open].isMark("("), let target = tokens.next(after: open),
        tokens[target].kind == .identifier, let comma = tokens.next(after: target), tokens[comma].isMark(",")
      else { return Call(place: place, target: nil, comma: nil) }
      return Call(place: place, target: target, comma: comma)
    }
  }

  // MARK: errors

  /// What is wrong with the stores among some tokens.
  func diagnostics(in tokens: [Token], at places: Set<Int>, isCompute: Bool, known: [String]) -> [Diagnostic] {
    Self.calls(in: tokens).filter { places.contains($0.place) }.compactMap { call in
      guard isCompute else {
        return Diagnostic(
          "native.store-form", "only compute kernels store", labels: tokens.labels(at: [call.place], "in another kernel"),
          help: ["return the color instead, or write 'void computeKernel(ivec2 position)'"])
      }
      guard let target = call.target else {
        return Diagnostic(
          "native.store-target", "the first argument of 'IMG_STORE' has to be the name of a target",
          labels: tokens.labels(at: [call.place], "no name"),
          help: ["write 'IMG_STORE(\(targets.first ?? FilterHeader.usualOutput), position, color)'"])
      }
      let name = tokens[target].text
      guard !targets.contains(name) else { return nil }
      let near = NearestName.find(name, in: targets + known)
      let help = known.contains(name) ? "add it: \"WRITES\": [\"\(name)\"]" : near.map { "did you mean '\($0)'?" }
      return Diagnostic(
        "native.store-target", "this kernel does not write '\(name)'", labels: tokens.labels(at: [target], "not written by its pass"),
        help: help.map { [$0] } ?? [], notes: ["the pass writes \(targets.isEmpty ? "nothing" : targets.joined(separator: ", "))"])
    }
  }
}
