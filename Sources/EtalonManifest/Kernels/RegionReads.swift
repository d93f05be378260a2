internal import EtalonGLSL
internal import EtalonTypes

/// Rewrites a kernel so that its textures may be regions of the pictures that its text means.
///
/// Every image goes together with a region (where its texture begins, and the size of the picture) through all functions that take images, down to
/// the built-in functions that read textures, for which others stand that know the region. Positions and sizes in the text stay those of the whole
/// picture. A text that does anything else with an image, or reads it in another way, cannot be rewritten.
struct RegionReads {
  private typealias Piece = GeneratedSource.Piece

  /// The uniform with the region of a texture.
  static func uniform(of texture: PassTexture) -> Uniform {
    Uniform(name: region(of: texture.name), type: .ivec4, meaning: .region(texture.source))
  }

  private static func region(of image: String) -> String { "etalonRegionOf\(image)" }

  private var pieces: [Piece]
  /// The indices of the tokens outside of directives.
  private let tokens: [Int]
  /// The names of the textures, which all functions know.
  private let textures: Set<String>
  /// The tokens of the functions that take images, by the names of their parameters.
  private var parameters: [String: [Range<Int>]] = [:]
  /// The functions of the text that take images.
  private var functions: Set<String> = []

  /// The rewritten text, with a uniform for each texture; nil where that is not possible.
  static func rewrite(_ source: GeneratedSource, _ textures: [PassTexture]) -> GeneratedSource? {
    var rewriting = RegionReads(source, textures)
    guard rewriting.mapsDirectives, rewriting.mapImages() else { return nil }
    return rewriting.insertDeclarations(for: textures) ? GeneratedSource(rewriting.pieces) : nil
  }

  private init(_ source: GeneratedSource, _ textures: [PassTexture]) {
    pieces = source.pieces
    tokens = source.pieces.indices.filter { source.pieces[$0].kind == .token }
    self.textures = Set(textures.map(\.name))
    for index in tokens.indices where text(index) == Self.sampler && text(index - 1) != "uniform" {
      if let function = function(around: index) { functions.insert(function) }
      if Self.isName(text(index + 1)) { parameters[text(index + 1), default: []].append(index..<endOfFunction(after: index)) }
    }
  }

  private static let sampler = "sampler2D"

  /// The functions that stand for built-in ones, by the names of these.
  private static let replacements = [
    "textureSize": "etalonRegionSize", "texelFetch": "etalonRegionFetch", "textureLod": "etalonRegionRead",
  ]

  private static let definitions = """

    ivec2 etalonRegionSize(sampler2D image, ivec4 region, int level) { return max(region.zw >> level, ivec2(1)); }
    vec4 etalonRegionFetch(sampler2D image, ivec4 region, ivec2 place, int level) { return texelFetch(image, place - region.xy, level); }
    vec4 etalonRegionRead(sampler2D image, ivec4 region, vec2 place, float level) {
      ivec2 size = textureSize(image, 0);
      vec2 within = (place * vec2(region.zw) - vec2(region.xy)) / vec2(size);
      return textureLod(image, size == region.zw ? place : within, level);
    }

    """

  private static func isName(_ text: String) -> Bool { text.first.map { $0.isLetter || $0 == "_" } ?? false }

  private func text(_ index: Int) -> String { tokens.indices.contains(index) ? pieces[tokens[index]].text : "" }

  // MARK: functions

  /// The name in front of the innermost open parenthesis around a token.
  private func function(around index: Int) -> String? {
    var depth = 0
    for place in (0..<index).reversed() {
      switch text(place) {
      case ")", "]": depth += 1
      case "(" where depth == 0: return Self.isName(text(place - 1)) ? text(place - 1) : nil
      case "(", "[": depth -= 1
      case ";", "{", "}": return nil
      default: break
      }
    }
    return nil
  }

  /// Where the function ends among whose parameters a token is: behind its body, or at the end of its declaration.
  private func endOfFunction(after index: Int) -> Int {
    var depth = 0
    for place in index..<tokens.count {
      switch text(place) {
      case "{": depth += 1
      case "}":
        depth -= 1
        if depth == 0 { return place }
      case ";" where depth == 0: return place
      default: break
      }
    }
    return tokens.count
  }

  // MARK: images

  /// Whether no directive mentions a name that has to do with images, because directives are not rewritten.
  private var mapsDirectives: Bool {
    pieces.lazy.filter { $0.kind == .directive }.allSatisfy { piece in
      let names = piece.text.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
      return !names.contains { name in
        textures.contains(name) || functions.contains(name) || ["texture", "texel", "sampler", "IMG_"].contains { name.hasPrefix($0) }
      }
    }
  }

  private func isImage(_ index: Int) -> Bool {
    textures.contains(text(index)) || parameters[text(index)]?.contains { $0.contains(index) } ?? false
  }

  /// Puts a region behind every image; false where the text has one that is neither a parameter nor an argument.
  private mutating func mapImages() -> Bool {
    var regions: [Int: String] = [:]
    var names: [Int: String] = [:]
    for index in tokens.indices {
      if text(index) == Self.sampler {
        guard let region = regionOfDeclaration(at: index) else { return false }
        regions.merge(region) { $1 }
      } else if isImage(index), text(index - 1) != Self.sampler {
        guard ["(", ","].contains(text(index - 1)), [")", ","].contains(text(index + 1)), let function = function(around: index) else {
          return false
        }
        if let replacement = Self.replacements[function], text(index - 1) == "(" {
          names[index - 2] = replacement
        } else if !functions.contains(function) {
          return false
        }
        regions[index] = ", " + Self.region(of: text(index))
      }
    }
    guard !tokens.indices.contains(where: { isBuiltIn($0) && names[$0] == nil }) else { return false }
    for (index, name) in names { pieces[tokens[index]] = Piece(.token, name, origin: pieces[tokens[index]].origin) }
    for (index, region) in regions.sorted(by: { $0.key > $1.key }) { pieces.insert(Piece(.token, region), at: tokens[index] + 1) }
    return true
  }

  /// Whether a token may be a built-in function that reads a texture.
  private func isBuiltIn(_ index: Int) -> Bool {
    (text(index).hasPrefix("texture") || text(index).hasPrefix("texel")) && !functions.contains(text(index))
  }

  /// What goes with the declaration of an image, by the token behind which it stands; nil for a declaration of another kind.
  private func regionOfDeclaration(at index: Int) -> [Int: String]? {
    if text(index - 1) == "uniform" { return text(index + 2) == ";" ? [:] : nil }
    guard Self.isName(text(index + 1)) else { return [index: ", ivec4"] }
    return [",", ")"].contains(text(index + 2)) ? [index + 1: ", ivec4 " + Self.region(of: text(index + 1))] : nil
  }

  // MARK: declarations

  /// Adds the uniforms and the functions that read regions.
  private mutating func insertDeclarations(for textures: [PassTexture]) -> Bool {
    let members = textures.map { "  ivec4 \(Self.region(of: $0.name));\n" }.joined()
    var functions = Self.definitions
    if let block = place(of: "EtalonUniforms"), let open = pieces[block...].firstIndex(where: { $0.text == "{" }) {
      pieces.insert(Piece(.token, "\n" + members), at: open + 1)
    } else {
      functions = "\nlayout(set = 0, binding = 0, std140) uniform EtalonUniforms {\n\(members)};\n" + functions
    }
    guard let size = place(of: "local_size_x"), let end = pieces[size...].firstIndex(where: { $0.text == ";" }) else { return false }
    pieces.insert(contentsOf: GeneratedSource(Lexer.tokens(ofAddedText: functions)).pieces, at: end + 1)
    return true
  }

  private func place(of name: String) -> Int? { pieces.firstIndex { $0.kind == .token && $0.text == name } }
}

extension PassSource {
  /// The same pass for textures that are regions of what the text means; nil where the text cannot be rewritten so.
  package var readingRegions: PassSource? {
    guard coverage == .pixels, let text = RegionReads.rewrite(source, textures) else { return nil }
    return replacing(text, uniforms: uniforms + textures.map(RegionReads.uniform))
  }
}

// MARK: - stores

extension PassSource {
  /// The same pass for a target that is a region of the picture: it stores a pixel as far from the start of the region as it lies.
  ///
  /// Positions are those in the whole picture all the same, because that is where its dispatch begins (`EtalonRegion`).
  package var storingRegion: PassSource {
    var pieces = source.pieces
    let places = pieces.indices.filter { pieces[$0].kind == .token }
    for (place, following) in zip(places, places.dropFirst(2)) {
      let isStored = pieces[place].text == PassSource.targetName && pieces[following].text == StageVariables.pixel
      if isStored { pieces[following] = .init(.token, "\(StageVariables.pixel) - \(PixelMapping.start)") }
    }
    for (place, following) in zip(places, places.dropFirst()) where pieces[place].text == PixelMapping.end {
      if pieces[following].text == ";" { pieces[following] = .init(.token, "; ivec2 \(PixelMapping.start);") }
    }
    return replacing(GeneratedSource(pieces), uniforms: uniforms)
  }

  /// The same pass with another text.
  func replacing(_ source: GeneratedSource, uniforms: [Uniform]) -> PassSource {
    var pass = self
    (pass.source, pass.uniforms) = (source, uniforms)
    return pass
  }
}
