internal import EtalonManifest
internal import EtalonTypes

/// The filters between the planes of a video and colors, written in the native dialect like any other.
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
          precise float blue = chroma(\(input(.blueDifference)), p);
          precise float red = chroma(\(input(.redDifference)), p);
          precise vec3 color = vec3(
            luma + red * \(float(toRed / steps)),
            luma - blue * \(float(toBlue * blue / green / steps)) - red * \(float(toRed * red / green / steps)),
            luma + blue * \(float(toBlue / steps)));
        """
    }
  }

  // MARK: chroma

  /// How chroma lies between luma along one axis: the sample before a position, and what it and the next one count.
  private struct ChromaAxis {
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

  private static func axes(of form: PlaneForm) -> (x: ChromaAxis, y: ChromaAxis) {
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

  /// The function `chroma`: a difference of color at a pixel, interpolated between the four samples around it, times `chromaWeight`.
  private static func chroma(of form: PlaneForm) -> String {
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

  // MARK: to planes

  /// How many pixels of a plane a pixel of the output holds, one in each channel.
  static let pixelsInOne = 4

  /// Makes a plane of colors: each pixel of the result holds four of the plane, from left to right.
  ///
  /// A sample of chroma is the mean of the colors around it: with weights 1, 2, 1 where it lies on a pixel, the same where it lies between two.
  static func plane(_ plane: PlaneForm.Plane, of form: PlaneForm) -> GraphFilter {
    let isChroma = plane == .blueDifference || plane == .redDifference
    let (shiftX, shiftY) = isChroma ? form.chromaShift : (0, 0)
    let (columns, rows) = (1 << shiftX, 1 << shiftY)
    let largest = form.planeFormat == .r8 ? 255.0 : 65535.0
    // One plane tells of colors that are no numbers, which clamping would hide.
    let tellsNaN = plane == form.planes.first
    return BuiltInKernels.native(
      "plane-\(plane.rawValue)",
      header: """
        "ALPHA": "straight", "INPUTS": [{ "NAME": "inputImage", "TYPE": "image", "INTERPOLATION": "nearest", "SPACE": "encoded",
          "ALPHA": "\(form.hasAlpha ? "straight" : "premultiplied")" }]
        """,
      """
      vec4 at(int x, int y) {
        return texelFetch(inputImage, clamp(ivec2(x, y), ivec2(0), textureSize(inputImage, 0) - 1), 0);
      }

      \(mean(plane, of: form))

      // The number of the sample whose lowest pixel on the left is p.
      float code(ivec2 p) {
        vec4 color = mean(p);
        \(tellsNaN ? "float sum = color.r + color.g + color.b;\n  if (isnan(sum)) return sum;" : "")
        color = clamp(color, 0.0, 1.0);
        precise float number = \(number(plane, of: form));
        return min(floor(number + 0.5), \(float(Double(form.largest)))) * \(float(1 / largest));
      }

      vec4 imageKernel(vec2 position) {
        ivec2 p = ivec2(position) * ivec2(\(pixelsInOne * columns), \(rows));
        // Rows of chroma count from the top.
        \(shiftY > 0 ? "p.y += textureSize(inputImage, 0).y - ((textureSize(inputImage, 0).y + \(rows - 1)) & ~\(rows - 1));" : "")
        return vec4(code(p), code(p + ivec2(\(columns), 0)), code(p + ivec2(\(2 * columns), 0)), code(p + ivec2(\(3 * columns), 0)));
      }
      """)
  }

  /// The function `mean`: the color that a sample stands for, whose lowest pixel on the left is `p`.
  private static func mean(_ plane: PlaneForm.Plane, of form: PlaneForm) -> String {
    guard plane == .blueDifference || plane == .redDifference, form.chromaShift.x > 0 || form.chromaShift.y > 0 else {
      return "vec4 mean(ivec2 p) { return at(p.x, p.y); }"
    }
    let (x, y) = axes(of: form)
    // From the lowest row up, where locations count from the top.
    let columns = weights(x, isReversed: false), rows = weights(y, isReversed: true)
    let terms = rows.flatMap { row in
      columns.map { column in "\(float(Double(row.weight * column.weight))) * at(p.x + \(column.offset), p.y + \(row.offset))" }
    }
    let total = columns.map(\.weight).reduce(0, +) * rows.map(\.weight).reduce(0, +)
    return """
      vec4 mean(ivec2 p) {
        precise vec4 sum = \(terms.joined(separator: "\n    + "));
        return sum * \(float(1 / Double(total)));
      }
      """
  }

  /// The pixels along an axis that a sample of chroma is the mean of, and what they count.
  private static func weights(_ axis: ChromaAxis, isReversed: Bool) -> [(offset: Int, weight: Int)] {
    let count = 1 << axis.shift
    guard axis.shift > 0 else { return [(0, 1)] }
    let weights: [(offset: Int, weight: Int)] =
      switch axis.place {
      case .middle: (0..<count).map { ($0, 1) }
      case .first: (1 - count..<count).map { ($0, count - abs($0)) }
      case .last: (0..<2 * count - 1).map { ($0, count - abs($0 - count + 1)) }
      }
    return isReversed ? weights.map { (count - 1 - $0.offset, $0.weight) } : weights
  }

  /// The number that stands for `color` in a plane, not yet rounded.
  private static func number(_ plane: PlaneForm.Plane, of form: PlaneForm) -> String {
    let (black, lumaScale, chromaScale) = form.scale
    let (red, blue) = form.color.matrix.luma
    let green = 1 - red - blue
    func scaled(_ value: String, from zero: Int, by scale: Int) -> String { "\(float(Double(zero))) + \(float(Double(scale))) * \(value)" }
    func sum(_ r: Double, _ g: Double, _ b: Double) -> String {
      "(\(float(r)) * color.r + \(float(g)) * color.g + \(float(b)) * color.b)"
    }
    switch plane {
    case .alpha: return scaled("color.a", from: 0, by: form.largest)
    case .red: return scaled("color.r", from: black, by: lumaScale)
    case .green: return scaled("color.g", from: black, by: lumaScale)
    case .blue: return scaled("color.b", from: black, by: lumaScale)
    case .luma: return scaled(sum(red, green, blue), from: black, by: lumaScale)
    case .blueDifference:
      return scaled(sum(-red / (2 - 2 * blue), -green / (2 - 2 * blue), 0.5), from: form.neutral, by: chromaScale)
    case .redDifference:
      return scaled(sum(0.5, -green / (2 - 2 * red), -blue / (2 - 2 * red)), from: form.neutral, by: chromaScale)
    }
  }

  /// A number as GLSL.
  private static func float(_ value: Double) -> String {
    let text = "\(Float(value))"
    return text.contains("e") || text.contains(".") ? text : text + ".0"
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
