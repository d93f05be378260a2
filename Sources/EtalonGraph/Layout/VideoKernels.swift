internal import EtalonManifest
internal import EtalonTypes

/// The filters that make colors of the planes of a video, written in the native dialect like any other.
///
/// Numbers are whole until they are scaled, and products and sums are `precise`: the same bits on every device that rounds to the nearest. The formulas are
/// those of ITU-R BT.601, BT.709 and BT.2020; curves of light (`pow`) are as exact as the device.
enum VideoKernels {
  /// The names of the inputs that show the planes.
  static func input(_ plane: PlaneForm.Plane) -> String { "\(plane.rawValue)Plane" }

  // MARK: from planes

  /// Makes sRGB-encoded colors of planes, from 0 to 1: numbers beyond black and white count as these.
  static func colors(of form: PlaneForm) -> GraphFilter {
    let inputs = form.planes.map {
      "{ \"NAME\": \"\(input($0))\", \"TYPE\": \"image\", \"INTERPOLATION\": \"nearest\", \"SPACE\": \"data\" }"
    }
    let alpha = form.hasAlpha ? "number(\(input(.alpha)), p) * \(float(1 / Double(form.largest)))" : "1.0"
    let light = LightConversion(form.color)
    return BuiltInKernels.native(
      "video", header: "\"ALPHA\": \"\(form.hasAlpha ? "straight" : "opaque")\", \"INPUTS\": [\(inputs.joined(separator: ", "))]",
      """
      float number(sampler2D plane, ivec2 p) { return \(whole("texelFetch(plane, p, 0).r", of: form)); }
      \(form.channels == .lumaAndChroma ? chroma(of: form) : "")
      \(light.functions)
      vec4 imageKernel(vec2 position) {
        ivec2 p = ivec2(position);
        \(encodedColor(of: form))
        return vec4(\(light.convert("clamp(color, 0.0, 1.0)")), \(alpha));
      }
      """)
  }

  /// The whole number in a pixel of a plane.
  private static func whole(_ pixel: String, of form: PlaneForm) -> String {
    "floor(\(pixel) * \(form.planeFormat == .r8 ? "255.0" : "65535.0") + 0.5)"
  }

  /// Statements that leave the color in `color`.
  private static func encodedColor(of form: PlaneForm) -> String {
    let (black, lumaScale, chromaScale) = form.scale
    let unit = "\(float(1 / Double(lumaScale)))"
    func level(_ plane: PlaneForm.Plane) -> String { "(number(\(input(plane)), p) - \(float(Double(black)))) * \(unit)" }
    switch form.channels {
    case .luma: return "precise vec3 color = vec3(\(level(.luma)));"
    case .redGreenBlue: return "precise vec3 color = vec3(\(level(.red)), \(level(.green)), \(level(.blue)));"
    case .lumaAndChroma:
      let (red, blue) = form.color.matrix.luma
      let green = 1 - red - blue
      let steps = Double(chromaScale * chromaWeight(of: form))
      let (toRed, toBlue) = (2 * (1 - red), 2 * (1 - blue))
      return """
        precise float luma = \(level(.luma));
          \(chromaStatements(of: form))
          precise vec3 color = vec3(
            luma + red * \(float(toRed / steps)),
            luma - blue * \(float(toBlue * blue / green / steps)) - red * \(float(toRed * red / green / steps)),
            luma + blue * \(float(toBlue / steps)));
        """
    }
  }

  // MARK: chroma

  static func axes(of form: PlaneForm) -> (x: ChromaAxis, y: ChromaAxis) {
    let location = form.color.chromaLocation
    let x: ChromaAxis.Place = [.left, .topLeft, .bottomLeft].contains(location) ? .first : .middle
    let y: ChromaAxis.Place =
      switch location {
      case .topLeft, .top: .first
      case .left, .center: .middle
      case .bottomLeft, .bottom: .last
      }
    return (ChromaAxis(shift: form.chromaShift.x, place: x), ChromaAxis(shift: form.chromaShift.y, place: y))
  }

  /// What the samples of chroma around a position count together.
  private static func chromaWeight(of form: PlaneForm) -> Int { axes(of: form).x.weight * axes(of: form).y.weight }

  /// Whether chroma is interpolated along both axes, of four samples that are read at once.
  private static func gathersChroma(of form: PlaneForm) -> Bool { form.chromaShift.x > 0 && form.chromaShift.y > 0 }

  /// Statements that leave the differences of color of the pixel `p`, times `chromaWeight`, in `blue` and `red`.
  private static func chromaStatements(of form: PlaneForm) -> String {
    let place = gathersChroma(of: form) ? "chromaPlace(p)" : "p"
    return [("blue", PlaneForm.Plane.blueDifference), ("red", .redDifference)].map { name, plane in
      "precise float \(name) = chroma(\(input(plane)), \(place));"
    }.joined(separator: "\n  ")
  }

  /// The function `chroma` where four samples count, and `chromaPlace`, which says where they meet and how much the later ones count.
  private static func gatheredChroma(of form: PlaneForm) -> String {
    let (x, y) = axes(of: form)
    // Sums of more than 12 bits are exact only when their numbers are whole.
    let exact = form.bits > 12, full = form.planeFormat == .r8 ? "255.0" : "65535.0"
    let (xWeight, yWeight) = (float(Double(x.weight)), float(Double(y.weight)))
    return """
      vec4 chromaPlace(ivec2 p) {
        ivec2 luma = textureSize(\(input(.luma)), 0);
        ivec2 size = (luma + ivec2(\((1 << x.shift) - 1), \((1 << y.shift) - 1))) >> ivec2(\(x.shift), \(y.shift));
        \(x.text("x", "p.x"))
        int top = luma.y - 1 - p.y;
        \(y.text("y", "top"))
        // The position lies half a pixel from where the gather would take other samples, so the product need not be exact.
        return vec4(vec2(x0 + 1, size.y - 1 - y0) * (1.0 / vec2(size)), x1, y1);
      }

      float chroma(sampler2D plane, vec4 place) {
        // Rows of a gather go up, those of a video down: the later ones come last.
        vec4 four = textureGather(plane, place.xy, 0);\(exact ? " four = floor(four * \(full) + 0.5);" : "")
        precise float sum = (four.x * (\(xWeight) - place.z) + four.y * place.z) * (\(yWeight) - place.w)
          + (four.w * (\(xWeight) - place.z) + four.z * place.z) * place.w;
        return \(exact ? "sum" : "floor(sum * \(full) + 0.5)") - \(float(Double(form.neutral * chromaWeight(of: form))));
      }
      """
  }

  /// The function `chroma`: a difference of color at a pixel, interpolated between the samples around it, times `chromaWeight`.
  private static func chroma(of form: PlaneForm) -> String {
    guard !gathersChroma(of: form) else { return gatheredChroma(of: form) }
    let (x, y) = axes(of: form)
    let neutral = float(Double(form.neutral * chromaWeight(of: form)))
    guard x.shift > 0 || y.shift > 0 else {
      return "float chroma(sampler2D plane, ivec2 p) { return number(plane, p) - \(neutral); }"
    }
    let full = form.planeFormat == .r8 ? 255 : 65535
    // Sums of more than 12 bits are exact only when their numbers are whole.
    let exact = form.bits > 12
    func fetch(_ x: String, _ y: String) -> String {
      exact ? "number(plane, ivec2(\(x), \(y)))" : "texelFetch(plane, ivec2(\(x), \(y)), 0).r"
    }
    let columns = x.shift > 0 ? ["a", "b"] : ["a"]
    func row(_ y: String) -> String {
      guard x.shift > 0 else { return fetch("a", y) }
      return "\(fetch("a", y)) * (\(float(Double(x.weight))) - x1) + \(fetch("b", y)) * x1"
    }
    let sum = y.shift > 0 ? "(\(row("low"))) * (\(float(Double(y.weight))) - y1) + (\(row("high"))) * y1" : row("low")
    return """
      float chroma(sampler2D plane, ivec2 p) {
        ivec2 last = textureSize(plane, 0) - 1;
        \(x.text("x", "p.x"))
        int top = textureSize(\(input(.luma)), 0).y - 1 - p.y;
        \(y.text("y", "top"))
        int a = clamp(x0, 0, last.x);\(columns.count > 1 ? " int b = clamp(x0 + 1, 0, last.x);" : "")
        int low = last.y - clamp(y0, 0, last.y);\(y.shift > 0 ? " int high = last.y - clamp(y0 + 1, 0, last.y);" : "")
        precise float sum = \(sum);
        return \(exact ? "sum" : "floor(sum * \(full).0 + 0.5)") - \(neutral);
      }
      """
  }

  /// A number as GLSL.
  static func float(_ value: Double) -> String {
    let text = "\(Float(value))"
    return text.contains("e") || text.contains(".") ? text : text + ".0"
  }
}

// MARK: chroma

/// How chroma lies between luma along one axis: the sample before a position, and what it and the next one count.
struct ChromaAxis {
  let shift: Int
  /// Whether samples lie on the first of their samples of luma, in their middle, or on the last.
  let place: Place

  enum Place { case first, middle, last }

  /// What both count together.
  var weight: Int { shift == 0 ? 1 : 2 << shift }

  /// Statements for the index of the first sample, in `axis0`, and what the second one counts, in `axis1`, of `weight`.
  func text(_ axis: String, _ coordinate: String) -> String {
    guard shift > 0 else { return "int \(axis)0 = \(coordinate); float \(axis)1 = 0.0;" }
    let offset =
      switch place {
      case .first: 0
      case .middle: (1 << shift) - 1
      case .last: 2 * ((1 << shift) - 1)
      }
    return """
      int \(axis)n = 2 * \(coordinate) - \(offset);
        int \(axis)0 = \(axis)n >> \(shift + 1);
        float \(axis)1 = float(\(axis)n & \(weight - 1));
      """
  }
}

// MARK: light

/// Turns the encoded colors of a video into sRGB-encoded ones of the primaries of BT.709.
///
/// Colors of wider gamuts are converted in light and clipped. PQ and HLG show 203 cd/m² as white (ITU-R BT.2408); brighter light, up to 1000 cd/m², is
/// rolled off by the curve of ITU-R BT.2390 on the largest channel, so that hues stay.
private struct LightConversion {
  private let color: PlaneForm.Color

  init(_ color: PlaneForm.Color) { self.color = color }

  private var isNeeded: Bool { color.transfer != .display || color.primaries != .bt709 }

  /// An expression for a converted color.
  func convert(_ encoded: String) -> String { isNeeded ? "converted(\(encoded))" : encoded }

  /// The functions that it needs.
  var functions: String {
    guard isNeeded else { return "" }
    return """
      \(color.transfer == .pq || color.transfer == .hlg ? Self.roll : "")
      vec3 converted(vec3 encoded) {
        \(light)
        light = clamp(\(gamut)light, 0.0, 1.0);
        return \(encode);
      }
      """
  }

  /// Statements that leave light in `light`, 1 for white.
  private var light: String {
    switch color.transfer {
    // The display of ITU-R BT.1886.
    case .display: "vec3 light = pow(encoded, vec3(2.4));"
    case .linear: "vec3 light = encoded;"
    case .pq: "vec3 light = rolled(vec3(nits(encoded.r), nits(encoded.g), nits(encoded.b)));"
    case .hlg:
      """
      vec3 scene = mix(encoded * encoded / 3.0, (exp((encoded - 0.55991073) / 0.17883277) + 0.28466892) / 12.0, greaterThan(encoded, vec3(0.5)));
        vec3 light = rolled(1000.0 * pow(max(dot(scene, vec3(0.2627, 0.6780, 0.0593)), 1e-6), 0.2) * scene);
      """
    }
  }

  private var gamut: String {
    switch color.primaries {
    case .bt709: ""
    case .bt2020: "mat3(1.660491, -0.124550, -0.018151, -0.587641, 1.132900, -0.100579, -0.072850, -0.008349, 1.118730) * "
    case .p3: "mat3(1.224940, -0.042057, -0.019638, -0.224940, 1.042057, -0.078636, 0.0, 0.0, 1.098274) * "
    }
  }

  private var encode: String {
    color.transfer == .display
      ? "pow(light, vec3(1.0 / 2.4))"
      : "mix(1.055 * pow(max(light, 0.0031308), vec3(1.0 / 2.4)) - 0.055, light * 12.92, vec3(lessThanEqual(light, vec3(0.0031308))))"
  }

  private static let roll = """
    float nits(float e) {
      float p = pow(e, 1.0 / 78.84375);
      return 10000.0 * pow(max(p - 0.8359375, 0.0) / (18.8515625 - 18.6875 * p), 1.0 / 0.1593017578125);
    }

    float perceptual(float nits) {
      float p = pow(nits / 10000.0, 0.1593017578125);
      return pow((0.8359375 + 18.8515625 * p) / (1.0 + 18.6875 * p), 78.84375);
    }

    vec3 rolled(vec3 light) {
      float largest = max(light.r, max(light.g, light.b));
      if (largest <= 0.0) return vec3(0.0);
      float whole = perceptual(1000.0), white = perceptual(203.0) / whole;
      float e = min(perceptual(largest) / whole, 1.0), knee = 1.5 * white - 0.5;
      float t = (e - knee) / (1.0 - knee);
      float rolled = e < knee ? e
        : (2.0 * t * t * t - 3.0 * t * t + 1.0) * knee + (t * t * t - 2.0 * t * t + t) * (1.0 - knee) + (3.0 * t * t - 2.0 * t * t * t) * white;
      return light * (nits(rolled * whole) / (203.0 * largest));
    }
    """
}
