internal import EtalonTypes

/// GLSL for what happens to a color between two stages of a fused kernel, where a texture would have been.
enum FusionFunctions {
  // MARK: alpha

  /// The functions that calls of `converted` need.
  static func conversions(_ alphas: Set<StoreVariant.Alpha>) -> String {
    let bodies: [(StoreVariant.Alpha, String)] = [
      (.opaque, "vec4 etalonOpaque(vec4 color) { return vec4(color.rgb, 1.0); }\n"),
      (.multiply, "vec4 etalonMultiplied(vec4 color) { return vec4(color.rgb * color.a, color.a); }\n"),
      (.divide, "vec4 etalonDivided(vec4 color) { return vec4(color.a == 0.0 ? vec3(0.0) : color.rgb / color.a, color.a); }\n"),
    ]
    return bodies.filter { alphas.contains($0.0) }.map(\.1).joined()
  }

  /// An expression for a color with its alpha changed.
  static func converted(_ color: String, _ alpha: StoreVariant.Alpha) -> String {
    switch alpha {
    case .asReturned: color
    case .opaque: "etalonOpaque(\(color))"
    case .multiply: "etalonMultiplied(\(color))"
    case .divide: "etalonDivided(\(color))"
    }
  }

  // MARK: format

  /// The functions that calls of `rounded` need.
  static func rounding(_ formats: Set<PixelFormat>) -> String {
    [8, 16].compactMap { bits in
      guard let format = formats.first(where: { steps($0) == 1 << bits - 1 }) else { return nil }
      let scale = "\(steps(format) ?? 0).0"
      return "vec4 etalonRounded\(bits)(vec4 color) { return vec4(etalonQuantized(color, \(scale))) / \(scale); }\n"
    }.joined()
  }

  /// An expression for what a texture of a format makes of a color.
  static func rounded(_ color: String, _ format: PixelFormat) -> String {
    let rounded = steps(format) == nil ? color : "etalonRounded\(8 * format.bytesPerChannel)(\(color))"
    switch format.channelCount {
    case 1: return "vec4(\(rounded).r, 0.0, 0.0, 1.0)"
    case 2: return "vec4(\(rounded).rg, 0.0, 1.0)"
    default: return rounded
    }
  }

  /// The largest number of a channel that holds fractions, nil for floats.
  private static func steps(_ format: PixelFormat) -> Int? { format.isFloat ? nil : 1 << (8 * format.bytesPerChannel) - 1 }
}
