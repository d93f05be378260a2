/// GLSL that runs the vertex half of a filter before its fragment half.
///
/// A vertex half that leaves the corners where they are runs once for each pixel, as if every pixel were a vertex. One that moves them runs for the
/// four corners; the pixel then lies in one of the two triangles between them, which says how much of each corner it gets, or in neither, and is
/// transparent.
struct ISFCorners {
  let varyings: [ISFVarying]
  let movesCorners: Bool

  /// Whether the pixel is covered, for texts that move corners.
  static let covered = "etalonIsCovered"

  /// What stands in front of the vertex half.
  var declarations: String {
    """
    vec4 \(ISFVertexHalf.position) = vec4(0.0, 0.0, 0.0, 1.0);
    vec2 etalonVertexPlace = (vec2(etalonPixel) + 0.5) / RENDERSIZE;
    void isf_vertShaderInit() {
      isf_FragNormCoord = etalonVertexPlace;
      \(ISFVertexHalf.position) = vec4(etalonVertexPlace * 2.0 - 1.0, 0.0, 1.0);
    }
    void vv_vertShaderInit() { isf_vertShaderInit(); }
    void \(ISFVertexHalf.main)();
    \(movesCorners ? cornerFunctions : pixelFunction)
    """
  }

  /// What stands between the halves: it runs before the initialisers of the fragment half.
  static let call = "bool etalonVertexHasRun = etalonRunVertex();\n"

  private var pixelFunction: String {
    """
    bool etalonRunVertex() {
      \(ISFVertexHalf.main)();
      return true;
    }

    """
  }

  /// Weighs three corners at a point: all weights are at least 0 inside of the triangle.
  ///
  /// Both sums of the comparison are computed alike, because texts put corners right on the farthest plane.
  static let weights = """
    bool etalonWeighCorners(vec4 a, vec4 b, vec4 c, vec2 here, out vec3 weights) {
      mat3 corners = mat3(a.xyw, b.xyw, c.xyw);
      if (determinant(corners) == 0.0) return false;
      weights = inverse(corners) * vec3(here, 1.0);
      float depth = dot(weights, vec3(a.z, b.z, c.z));
      float farthest = dot(weights, vec3(a.w, b.w, c.w));
      if (min(weights.x, min(weights.y, weights.z)) < 0.0 || abs(depth) > farthest) return false;
      weights /= weights.x + weights.y + weights.z;
      return true;
    }

    """

  private var cornerFunctions: String {
    let own = varyings.map { (name: ReservedWords.replacement(for: $0.name), type: $0.type, array: $0.array) }
    let all = [(name: "isf_FragNormCoord", type: "vec2", array: "")] + own
    let stores = all.map { "  \($0.type) etalonCorner_\($0.name)[4]\($0.array);\n" }.joined()
    let saves = all.map { "    etalonCorner_\($0.name)[etalonIndex] = \($0.name);\n" }.joined()
    let blends = all.map { blend($0.name, $0.type, $0.array) }.joined()
    let three = (0..<3).map { "etalonCorners[etalonIndex + \($0)]" }.joined(separator: ", ")
    return """
      bool etalonRunVertex() {
        vec2 etalonHere = etalonVertexPlace * 2.0 - 1.0;
        vec4 etalonCorners[4];
      \(stores)  for (int etalonIndex = 0; etalonIndex < 4; etalonIndex++) {
          etalonVertexPlace = vec2(etalonIndex & 1, etalonIndex >> 1);
          \(ISFVertexHalf.main)();
          etalonCorners[etalonIndex] = \(ISFVertexHalf.position);
      \(saves)  }
        for (int etalonIndex = 0; etalonIndex < 2 && !\(Self.covered); etalonIndex++) {
          vec3 etalonWeights;
          \(Self.covered) = etalonWeighCorners(\(three), etalonHere, etalonWeights);
          if (!\(Self.covered)) continue;
      \(blends)  }
        return true;
      }

      """
  }

  private func blend(_ name: String, _ type: String, _ array: String) -> String {
    let isFloat = ["float", "vec2", "vec3", "vec4", "mat2", "mat3", "mat4"].contains(type)
    let corner = "etalonCorner_\(name)"
    func value(_ index: String) -> String {
      guard isFloat else { return "\(corner)[etalonIndex]\(index)" }
      return (0..<3).map { "etalonWeights[\($0)] * \(corner)[etalonIndex + \($0)]\(index)" }.joined(separator: " + ")
    }
    guard !array.isEmpty else { return "    \(name) = \(value(""));\n" }
    return "    for (int etalonPart = 0; etalonPart < \(name).length(); etalonPart++) \(name)[etalonPart] = \(value("[etalonPart]"));\n"
  }
}
