internal import EtalonGLSL
internal import EtalonManifest
internal import EtalonTypes

/// Puts the halves of a filter into one compute shader.
///
/// Helpers that call built-in functions stand before what the header declares, because a parameter may have the name of a built-in function. `main`
/// stands before the author's text, so that no macro of it applies there.
struct ISFProgram {
  let uniforms: [Uniform]
  let textures: [ISFInterface.Texture]
  private let program: PixelProgram
  private let passIndex: Int
  /// The vertex half, with its varyings.
  private let vertex: ISFVertexHalf?
  /// Varyings that the fragment half reads.
  private let varyings: [Varying]
  /// The results that the fragment half declares itself; the first counts, and without any it is `gl_FragColor`.
  private let results: [Varying]
  /// Functions that forward to built-in ones which the text defines partly itself.
  private let forwarders: [Token]
  /// Every identifier of the rewritten halves, and what they need.
  private let mentioned: Set<String>

  static let fragmentMain = "etalonFragmentMain"
  private static let color = "etalon_FragColor"

  init(
    uniforms: [Uniform], textures: [ISFInterface.Texture], passIndex: Int, vertex: ISFVertexHalf?, varyings: Varyings,
    forwarders: [Token], mentioned: Set<String>
  ) {
    results = varyings.written
    let names = mentioned.union(ISFImageFunctions.needs(mentioned)).union(results.isEmpty ? [Self.color] : [])
    let version = names.contains(ISFEnvironment.version) ? "#define \(ISFEnvironment.version) \(ISFEnvironment.number)\n" : ""
    program = PixelProgram(
      uniforms: uniforms, textures: textures.map { ($0.name, $0.binding) },
      shapes: Dictionary(textures.map { ($0.name, $0.shape) }) { first, _ in first }, mentioned: names, dialect: version)
    self.uniforms = uniforms
    self.textures = textures
    self.passIndex = passIndex
    self.vertex = vertex
    self.varyings = varyings.read
    self.forwarders = forwarders
    self.mentioned = names
  }

  /// Whether the text, or what it calls, exchanges values within quads.
  var usesQuads: Bool { program.usesQuads }

  /// The whole text around the author's fragment half.
  func tokens(around fragment: [Token]) -> [Token] {
    let helpers = program.setting + PixelStore.declaration + program.helpers + ISFImageFunctions.pure(for: mentioned)
    let weights = movesCorners ? ISFCorners.weights : ""
    var tokens = Lexer.tokens(ofAddedText: helpers + weights) + forwarders + Lexer.tokens(ofAddedText: declarations + main)
    if let vertex {
      let corners = ISFCorners(varyings: vertex.varyings, movesCorners: vertex.movesCorners)
      tokens += Lexer.tokens(ofAddedText: corners.declarations) + vertex.tokens + Lexer.tokens(ofAddedText: "\n" + ISFCorners.call)
    }
    return tokens + fragment + [Token(.lineEnd, "\n")]
  }

  private var movesCorners: Bool { vertex?.movesCorners ?? false }

  private var declarations: String {
    var text = program.bound
    if mentioned.contains("PASSINDEX") { text += "const int PASSINDEX = \(passIndex);\n" }
    text += "vec2 isf_FragNormCoord = (vec2(etalonPixel) + 0.5) / RENDERSIZE;\n" + ISFImageFunctions.here(for: mentioned)
    let written = vertex?.varyings ?? []
    let onlyRead = varyings.filter { varying in
      !ISFUniforms.names.contains(varying.name) && !written.contains { $0.name == varying.name }
    }
    let all = written + onlyRead + results
    return text + all.map(\.declaration).joined()
  }

  private var main: String {
    """
    \(movesCorners ? "bool \(ISFCorners.covered) = false;\n" : "")vec4 etalonResult() { return \(color); }
    void \(Self.fragmentMain)();
    void main() {
      \(Self.fragmentMain)();
      vec4 color = etalonResult();
    \(movesCorners ? "  if (!\(ISFCorners.covered)) color = vec4(0.0);\n" : "")\(program.discarding)  etalonStore(color);
    }

    """
  }

  /// The result may have the name of a variable of `main`, so that a function reads it.
  private var color: String { results.first?.color ?? Self.color }
}

/// Gives `__VERSION__` the value of desktop OpenGL at the time of ISF 2: GLSL 1.50.
struct ISFEnvironment: Rewrite {
  let name = "predefined macros"

  static let version = "etalon_DESKTOP_VERSION"
  static let number = 150

  func apply(to tokens: inout [Token]) { tokens.rename(["__VERSION__": Self.version]) }
}

// MARK: - reads of images

/// Turns the image functions of ISF, which other hosts replace in the text, into GLSL functions.
///
/// `IMG_NORM_PIXEL` becomes `texture`, whose level a later rewrite decides about; the others keep a name of their own.
struct ISFImageCalls: Rewrite {
  let name = "image functions"

  /// The names of the images that are mipmapped.
  let mipmapped: Set<String>
  /// The names of all images.
  let images: Set<String>

  private static let functions = [
    "IMG_PIXEL": "etalonImagePixel", "texture2DRect": "etalonImagePixel", "IMG_THIS_PIXEL": "etalonImageHere",
    "IMG_THIS_NORM_PIXEL": "etalonImageHere", "IMG_NORM_THIS_PIXEL": "etalonImageHere", "IMG_SIZE": "etalonImageSize",
  ]

  private static let renamed = ["IMG_NORM_PIXEL": "texture", "sampler2DRect": "sampler2D"]

  func apply(to tokens: inout [Token]) {
    tokens.rename(Self.renamed)
    var edits: [(range: Range<Int>, tokens: [Token])] = []
    for index in tokens.indices where tokens[index].kind == .identifier {
      if let function = Self.functions[tokens[index].text] {
        tokens[index].text = function + ending(function, ofCallAt: index, in: tokens)
      } else if let variable = variable(tokens[index].text) {
        // The names in it count as mentioned.
        let added = Lexer.tokens(ofAddedText: variable).map {
          Token($0.kind, $0.text, origin: $0.isSignificant ? tokens[index].origin : nil, isInDirective: tokens[index].isInDirective)
        }
        edits.append((index..<index + 1, added))
      }
    }
    tokens.apply(edits)
  }

  private func ending(_ function: String, ofCallAt index: Int, in tokens: [Token]) -> String {
    guard function != "etalonImageSize", !mipmapped.isEmpty else { return "" }
    let open = tokens.next(after: index)
    let image = open.flatMap { tokens[$0].isMark("(") ? tokens.next(after: $0) : nil }.map { tokens[$0].text }
    return image.map { images.contains($0) && !mipmapped.contains($0) } ?? false ? "" : TextureCalls.mipmapEnding
  }

  /// `_NAME_imgRect`, `_NAME_imgSize` and `_NAME_flip`, which hosts declare beside every image.
  private func variable(_ name: String) -> String? {
    guard name.hasPrefix("_") else { return nil }
    for (ending, text) in [("_imgRect", "vec4(vec2(0.0), SIZE)"), ("_imgSize", "SIZE"), ("_flip", "false")] where name.hasSuffix(ending) {
      let image = String(name.dropFirst().dropLast(ending.count))
      guard images.contains(image) else { continue }
      return text.replacing("SIZE", with: "vec2(textureSize(\(ReservedWords.replacement(for: image)), 0))")
    }
    return nil
  }
}

/// GLSL for the image functions that `ISFImageCalls` mentions.
private enum ISFImageFunctions {
  /// The functions that know nothing of the filter; they need those of `TextureFunctions` for `needs`.
  static func pure(for names: Set<String>) -> String {
    var text = ""
    if names.contains("etalonImageSize") { text += "vec2 etalonImageSize(sampler2D s) { return vec2(textureSize(s, 0)); }\n" }
    for ending in endings where names.contains("etalonImagePixel" + ending) {
      let place = "p / vec2(textureSize(s, 0))"
      text += """
        vec4 etalonImagePixel\(ending)(sampler2D s, vec2 p) { return etalonTexture\(ending)(s, \(place)); }
        vec4 etalonImagePixel\(ending)(sampler2D s, vec2 p, float bias) { return etalonTexture\(ending)(s, \(place), bias); }

        """
    }
    return text
  }

  /// The functions that read an image at the place of the pixel.
  static func here(for names: Set<String>) -> String {
    endings.filter { names.contains("etalonImageHere" + $0) }
      .map { "vec4 etalonImageHere\($0)(sampler2D s) { return etalonTexture\($0)(s, isf_FragNormCoord); }\n" }.joined()
  }

  /// The texture functions that some names need.
  static func needs(_ names: Set<String>) -> Set<String> {
    Set(
      endings.filter { ending in names.contains("etalonImagePixel" + ending) || names.contains("etalonImageHere" + ending) }
        .map { "etalonTexture" + $0 })
  }

  private static let endings = ["", TextureCalls.mipmapEnding]
}
