/// How a pass stores the colour of a pixel; chosen by macros, so that one text serves every target.
///
/// Macros: `ETALON_STORE` is 0 (whole pixel of a storage image), 1 (RGBA8 in a buffer), 2 (RGBA16 in a buffer) or 3 (four floats in a buffer). `ETALON_ALPHA` is 0 (alpha
/// as the shader returned it), 1 (alpha becomes 1), 2 (colour is multiplied by alpha first), 3 (colour is divided by
/// alpha first; where nothing is covered it is black).
package struct StoreVariant: Sendable, Hashable {
  package enum Target: Int, Sendable, Hashable {
    case texture = 0
    case packed8 = 1
    case packed16 = 2
    case packedFloat = 3
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
    ["ETALON_STORE": "\(target.rawValue)", "ETALON_ALPHA": "\(alpha.rawValue)"]
  }
}
