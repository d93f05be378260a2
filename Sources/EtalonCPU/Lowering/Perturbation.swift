/// Something that devices may do differently, done on purpose.
///
/// A pixel that moves with it has no right value: devices may disagree about it.
package struct Perturbation: Sendable, Hashable, CustomStringConvertible {
  /// What is done differently.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Elementary functions are off by about one unit in the last place.
    case lastPlace = "last-place"
    /// They are off as far as the Vulkan specification allows; divisions are off too.
    case specification
    /// Where an operation is not defined, as a root of a negative number or a division by zero, it gives something else.
    case undefined
    /// Textures are read next to where they should be, and between other levels: as far off as samplers of graphics units may be.
    case sampling
    /// Products are added without being rounded, where the shader does not say `precise`.
    case contraction
    /// Sums and products of several numbers are done in another order, where the shader does not say `precise`.
    case association
    /// Operands and results that are too small to be normal numbers become zero.
    case denormals
  }

  private static let flush = "flush"

  package let kind: Kind
  /// Which way each function is off: 1 is up everywhere, 2 down, every other number its own mixture; what is undefined knows three ways.
  ///
  /// Of sums, 1 fuses the left product wherever there is one, and goes from the right to the left; 2 fuses the right one, and swaps the last two.
  package let seed: Int

  package init(_ kind: Kind, seed: Int) {
    self.kind = kind
    self.seed = seed
  }

  /// Reads `last-place=3`, `contraction=1` and so on, and `denormals=flush`; nil for anything else.
  package init?(_ text: Substring) {
    let parts = text.split(separator: "=", omittingEmptySubsequences: false)
    guard parts.count == 2, let kind = Kind(rawValue: String(parts[0])) else { return nil }
    guard kind != .denormals else {
      guard parts[1] == Self.flush else { return nil }
      self.init(kind, seed: 1)
      return
    }
    guard let seed = Int(parts[1]), seed > 0 else { return nil }
    self.init(kind, seed: seed)
  }

  package var description: String { "\(kind.rawValue)=\(kind == .denormals ? Self.flush : "\(seed)")" }

  /// 0, 1 or 2: which of the other results an undefined operation at a place gives.
  func choice(at place: Int) -> Int { seed <= 3 ? seed - 1 : Int(mixed(place) % 3) }

  /// 1 or -1: which way the function at a place is off.
  func direction(at place: Int) -> Float {
    switch seed {
    case 1: return 1
    case 2: return -1
    default: return mixed(place) & 1 == 0 ? 1 : -1
    }
  }

  /// A number that depends on every bit of the place and of the seed.
  func mixed(_ place: Int) -> UInt64 {
    var mixed = UInt64(truncatingIfNeeded: place) &+ UInt64(truncatingIfNeeded: seed) &* 0x9e37_79b9_7f4a_7c15
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed >> 33
  }
}

extension [Perturbation] {
  /// The one of a kind.
  package subscript(kind: Perturbation.Kind) -> Perturbation? { first { $0.kind == kind } }
}
