/// How a pass stores the colour of a pixel; chosen by macros, so that one text serves every target.
///
/// Macros: `ETALON_STORE` is 0 (whole pixel of a storage image), 1 (RGBA8 in a buffer), 2 (RGBA16 in a buffer), 3 (four floats in a buffer) or 4 (a stage of a fused
/// kernel). `ETALON_ALPHA` is 0 (alpha as the shader returned it), 1 (alpha becomes 1), 2 (colour is multiplied by alpha first), 3 (colour is divided by
/// alpha first; where nothing is covered it is black). `ETALON_LINKED_0` and so on are defined for the linked arguments of a stage.
package struct StoreVariant: Sendable, Hashable {
  package enum Target: Sendable, Hashable {
    case texture
    case packed8
    case packed16
    case packedFloat
    /// A variable of the fused kernel that the pass is linked into (`FusionHost`).
    ///
    /// The colors of the linked arguments of a color kernel, told by their positions, come from variables too; all others are read as ever.
    case stage(linked: Set<Int>)
  }
  package enum Alpha: Int, Sendable, Hashable {
    case asReturned = 0
    case opaque = 1
    case multiply = 2
    case divide = 3
  }

  package let target: Target
  package let alpha: Alpha

  package init(_ target: Target, alpha: Alpha) {
    self.target = target
    self.alpha = alpha
  }

  /// The macro definitions that the compiler is given.
  package var macros: [String: String] {
    var macros = ["ETALON_STORE": "\(number)", "ETALON_ALPHA": "\(alpha.rawValue)"]
    if case .stage(let linked) = target {
      for argument in linked { macros[Self.macro(ofLinked: argument)] = "1" }
    }
    return macros
  }

  /// The macro that is defined when an argument is linked.
  static func macro(ofLinked argument: Int) -> String { "ETALON_LINKED_\(argument)" }

  private var number: Int {
    switch target {
    case .texture: 0
    case .packed8: 1
    case .packed16: 2
    case .packedFloat: 3
    case .stage: 4
    }
  }
}
