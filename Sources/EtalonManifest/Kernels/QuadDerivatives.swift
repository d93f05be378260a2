/// GLSL functions for the derivatives of a value over the 2×2 quad of pixels that an invocation belongs to.
///
/// Both invocations of a row agree on `etalonDx`, both of a column on `etalonDy`, whichever precision the text asks for. A partner that has left (a
/// branch, an early return) counts as equal: the derivative is 0.
enum QuadDerivatives {
  static let functions: String = {
    var text = """
      bool etalonIsActive(uint lane) { return subgroupBallotBitExtract(subgroupBallot(true), lane); }

      """
    for type in ["float", "vec2", "vec3", "vec4"] {
      text += function("etalonDx", type, swap: "subgroupQuadSwapHorizontal", bit: "1u")
      text += function("etalonDy", type, swap: "subgroupQuadSwapVertical", bit: "2u")
      text += "\(type) etalonWidth(\(type) v) { return abs(etalonDx(v)) + abs(etalonDy(v)); }\n"
    }
    return text
  }()

  private static func function(_ name: String, _ type: String, swap: String, bit: String) -> String {
    """
    \(type) \(name)(\(type) v) {
      \(type) other = \(swap)(v);
      if (!etalonIsActive(gl_SubgroupInvocationID ^ \(bit))) return \(type)(0.0);
      return (gl_SubgroupInvocationID & \(bit)) == 0u ? other - v : v - other;
    }

    """
  }
}
