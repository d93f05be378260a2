internal import CLaneKernels

extension Fusion {
  /// Finds `x ^ (x >> n)`.
  mutating func fuseXorshift(_ value: ValueId) {
    for (whole, shifted) in [(0, 1), (1, 0)] {
      let x = graph[value].argument(whole), inner = graph[value].argument(shifted)
      guard isFree(inner, LANE_OP_shr, for: value), graph[inner].argument(0) == x else { continue }
      absorb(inner, into: value, LANE_OP_xorshift, graph[inner].argumentIds)
      return
    }
  }

  /// Finds a float on its way to 8 or 16 bits: `uint(roundEven(clamp(isNaN(x) ? 0 : x, 0, 1) * scale))`, where NaN is looked for in the bits.
  mutating func fuseUnorm(_ value: ValueId) {
    let rounded = graph[value].argument(0)
    guard isFree(rounded, LANE_OP_round, for: value) else { return }
    let product = graph[rounded].argument(0)
    guard isFree(product, LANE_OP_fmul, for: value) else { return }
    let clamped = graph[product].argument(0), scale = graph[product].argument(1)
    guard isFree(clamped, LANE_OP_fclamp, for: value), [255, 65535].map({ Float($0).bitPattern }).contains(graph.constantWord(scale)),
      graph.constantWord(graph[clamped].argument(1)) == 0, graph.constantWord(graph[clamped].argument(2)) == Float(1).bitPattern
    else { return }
    let chosen = graph[clamped].argument(0)
    guard isFree(chosen, LANE_OP_select, for: value), graph.constantWord(graph[chosen].argument(1)) == 0 else { return }
    let x = graph[chosen].argument(2)
    guard isNaNTest(graph[chosen].argument(0), of: x, for: value) else { return }
    absorb(rounded, into: value, LANE_OP_to_unorm, [x, scale])
  }

  /// Whether a value is true exactly where x is NaN.
  private func isNaNTest(_ test: ValueId, of x: ValueId, for user: ValueId) -> Bool {
    guard isFree(test, LANE_OP_ult, for: user), graph.constantWord(graph[test].argument(0)) == 0x7f80_0000 else { return false }
    let magnitude = graph[test].argument(1)
    guard isFree(magnitude, LANE_OP_and, for: user), graph.constantWord(graph[magnitude].argument(1)) == 0x7fff_ffff else { return false }
    let bits = graph[magnitude].argument(0)
    return bits == x || isFree(bits, LANE_OP_canonical, for: user) && graph[bits].argument(0) == x
  }
}
