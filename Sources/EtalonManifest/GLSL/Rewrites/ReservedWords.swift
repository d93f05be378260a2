/// Renames identifiers that OpenGL ES shaders may use and that desktop or Vulkan GLSL took as keywords.
struct ReservedWords: Rewrite {
  let name = "reserved words"

  private let words: Set<String>
  private let interpolations: Set<String>

  /// Renames what OpenGL ES allows as a name.
  init() { (words, interpolations) = (Self.words, Self.interpolations) }

  private init(_ words: Set<String>) { (self.words, interpolations) = (words, []) }

  /// Renames only words that mean nothing in a compute shader of desktop GLSL either.
  static let withoutMeaning = ReservedWords(reserved.union(["attribute", "noperspective", "patch", "sample", "varying"]))

  /// The name under which the compiler sees an author's name.
  func replacement(for name: String) -> String { words.contains(name) || interpolations.contains(name) ? "etalon_" + name : name }

  /// The name under which the compiler sees an author's name.
  static func replacement(for name: String) -> String { ReservedWords().replacement(for: name) }

  /// Keywords and reserved words of GLSL 4.60 with `GL_KHR_vulkan_glsl` that have no meaning in OpenGL ES 3.00.
  static let words: Set<String> = qualifiers.union(vulkanTypes).union(desktopTypes).union(reserved)

  private static let qualifiers: Set<String> = [
    "attribute", "buffer", "coherent", "noperspective", "patch", "precise", "precision", "readonly", "resource", "restrict", "sample",
    "shared",
    "subroutine", "varying", "volatile", "writeonly", "nonuniformEXT", "demote", "terminateInvocation",
  ]

  private static let vulkanTypes: Set<String> = {
    let textures = [
      "1D", "1DArray", "2D", "2DArray", "2DMS", "2DMSArray", "2DRect", "3D", "Buffer", "Cube", "CubeArray",
    ]
    let families = ["texture", "itexture", "utexture", "image", "iimage", "uimage"]
    let attachments = ["", "MS"].flatMap { ms in ["", "i", "u"].map { $0 + "subpassInput" + ms } }
    return Set(families.flatMap { family in textures.map { family + $0 } } + attachments + ["sampler", "samplerShadow"])
  }()

  private static let desktopTypes: Set<String> = {
    let samplers = [
      "1D", "1DArray", "2DMS", "2DMSArray", "2DRect", "Buffer", "CubeArray", "1DShadow", "1DArrayShadow", "2DRectShadow", "CubeArrayShadow",
    ]
    let families = ["sampler", "isampler", "usampler"]
    let sizes = ["2", "3", "4", "2x2", "2x3", "2x4", "3x2", "3x3", "3x4", "4x2", "4x3", "4x4"]
    let doubles = ["2", "3", "4"].map { "dvec" + $0 } + sizes.map { "dmat" + $0 }
    return Set(families.flatMap { family in samplers.map { family + $0 } } + doubles + ["double", "atomic_uint"])
  }()

  private static let reserved: Set<String> = [
    "active", "asm", "cast", "class", "common", "enum", "extern", "external", "filter", "fixed", "fvec2", "fvec3", "fvec4", "goto", "half",
    "hvec2", "hvec3", "hvec4", "inline", "input", "interface", "long", "namespace", "noinline", "output", "partition", "public",
    "sampler3DRect", "short", "sizeof", "static", "superp", "template", "this", "typedef", "union", "unsigned", "using",
  ]

  /// Keywords of ES 3.00 that older files use as names; they are qualifiers only in front of other qualifiers and types.
  private static let interpolations: Set<String> = ["smooth", "flat", "centroid", "invariant"]
  private static let afterInterpolation: Set<String> = ["in", "out", "varying", "centroid", "smooth", "flat"]

  func apply(to tokens: inout [Token]) {
    for index in tokens.indices where tokens[index].kind == .identifier {
      let word = tokens[index].text
      if words.contains(word) || (interpolations.contains(word) && !isQualifier(index, in: tokens)) {
        tokens[index].text = "etalon_" + word
      }
    }
  }

  private func isQualifier(_ index: Int, in tokens: [Token]) -> Bool {
    tokens.next(after: index).map { Self.afterInterpolation.contains(tokens[$0].text) } ?? false
  }
}
