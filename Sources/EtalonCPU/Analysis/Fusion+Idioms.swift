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
    let test = graph[chosen].argument(0)
    guard graph[test].operation == Operation(LANE_OP_isnan), graph[test].argument(0) == x else { return }
    absorb(rounded, into: value, LANE_OP_to_unorm, [x, scale])
  }

  /// Finds NaN that is looked for in the bits: `(floatBitsToUint(x) & 0x7FFFFFFF) > 0x7F800000`.
  mutating func fuseNaNTest(_ value: ValueId) {
    // Who watches a graph asks what becomes of the bits.
    guard graph.origins.isEmpty else { return }
    let magnitude = graph[value].argument(1)
    guard graph.constantWord(graph[value].argument(0)) == 0x7f80_0000, graph[magnitude].operation == Operation(LANE_OP_and),
      graph.constantWord(graph[magnitude].argument(1)) == 0x7fff_ffff
    else { return }
    let bits = graph[magnitude].argument(0)
    absorb(magnitude, into: value, LANE_OP_isnan, [graph[bits].operation == Operation(LANE_OP_canonical) ? graph[bits].argument(0) : bits])
  }
}
