/// Errors that the elementary functions make on purpose.
///
/// A pixel that moves with them has no right value: devices compute these functions with different errors and may disagree about it.
package struct Perturbation: Sendable, Hashable {
  /// How large the errors are.
  package enum Size: String, Sendable, Hashable, CaseIterable {
    /// About one unit in the last place.
    case lastPlace = "last-place"
    /// As large as the Vulkan specification allows; divisions are off too.
    case specification
    /// None where an operation is defined; where it is not, as a root of a negative number or a division by zero, it gives something else.
    case undefined
    /// Textures are read next to where they should be, and between other levels: as far off as samplers of graphics units may be.
    case sampling
  }

  package let size: Size
  /// Which way each function is off: 1 is up everywhere, 2 down, every other number its own mixture; what is undefined knows three ways.
  package let seed: Int

  package init(size: Size, seed: Int) {
    self.size = size
    self.seed = seed
  }

  /// Reads `last-place=3`, `specification=1`, `undefined=2` or `sampling=1`; nil for anything else.
  package init?(_ text: Substring) {
    let parts = text.split(separator: "=", omittingEmptySubsequences: false)
    guard parts.count == 2, let size = Size(rawValue: String(parts[0])), let seed = Int(parts[1]), seed > 0 else { return nil }
    self.init(size: size, seed: seed)
  }

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
  private func mixed(_ place: Int) -> UInt64 {
    var mixed = UInt64(truncatingIfNeeded: place) &+ UInt64(truncatingIfNeeded: seed) &* 0x9e37_79b9_7f4a_7c15
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed >> 33
  }
}
