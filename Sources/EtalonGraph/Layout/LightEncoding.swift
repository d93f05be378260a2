internal import EtalonTypes

/// Writes the text by which colors leave a graph with the primaries and one of the curves of ITU-R BT.2100, where a video holds light beyond white.
///
/// Colors come as light of the primaries of ITU-R BT.709, with 1 for the white of a page, and leave as numbers from 0 to 1. Below 0 and above 1 they may be
/// anything: what lies outside BT.709 and inside BT.2020 is kept. PQ ends at 10,000 cd/m²; HLG is for the reference display of 1000 cd/m².
struct LightEncoding {
  private let color: PlaneForm.Color

  init(_ color: PlaneForm.Color) { self.color = color }

  /// An expression for a color, `vec4`, as it leaves; not yet clamped.
  func encode(_ color: String) -> String { self.color.isHDR ? "vec4(etalonSignal(\(color).rgb), \(color).a)" : color }

  /// The functions that it needs.
  var functions: String {
    switch color.transfer {
    case .display, .linear: ""
    case .pq: signal(Self.perceptual)
    case .hlg: signal(Self.hybrid)
    }
  }

  /// From BT.709 to BT.2020 in light (ITU-R BT.2087-0, M2), in units of 10,000 cd/m² for PQ and of 1000 cd/m² for HLG.
  private func signal(_ curve: String) -> String {
    let unit = color.transfer == .pq ? 10000.0 : 1000.0
    return """
      vec3 etalonSignal(vec3 color) {
        precise vec3 light = mat3(0.6274039, 0.0690973, 0.0163914, 0.3292830, 0.9195404, 0.0880133, 0.0433131, 0.0113623, 0.8955953)
          * clamp(color, -65504.0, 65504.0);
        light = max(light, 0.0) * \(VideoKernels.float(color.white / unit));
        \(curve)
      }

      """
  }

  /// The inverse of the reference EOTF of PQ (ITU-R BT.2100-2, table 4).
  private static let perceptual = """
    vec3 power = pow(min(light, 1.0), vec3(0.1593017578125));
      return pow((0.8359375 + 18.8515625 * power) / (1.0 + 18.6875 * power), vec3(78.84375));
    """

  /// The inverse of the reference OOTF of HLG for 1000 cd/m², whose gamma is 1.2, and the reference OETF (ITU-R BT.2100-2, table 5).
  private static let hybrid = """
    float luminance = max(dot(light, vec3(0.2627, 0.6780, 0.0593)), 1e-6);
      vec3 scene = light * pow(luminance, -1.0 / 6.0);
      return mix(0.17883277 * log(max(12.0 * scene - 0.28466892, 1e-6)) + 0.55991073, sqrt(3.0 * scene), lessThanEqual(scene, vec3(1.0 / 12.0)));
    """
}
