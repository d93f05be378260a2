internal import EtalonManifest
internal import EtalonTypes

/// Writes the text by which a kernel leaves its colors as the planes of a video (`FusionHost`).
///
/// An invocation makes four samples of chroma and what they stand for: 8×2 pixels of 4:2:0. Numbers lie one after the other, in rows from the top that begin
/// at multiples of four numbers. Whole sums are rounded once, so that every device that rounds to the nearest gives the same numbers.
///
/// Where a video holds light beyond white, colors get their curve first (`LightEncoding`).
///
/// A sample of chroma is the mean of the colors around it: with weights 1, 2, 1 where it lies on a pixel, the same where it lies between two.
struct PlaneKernels {
  let form: PlaneForm
  /// The size of the picture.
  let size: Size

  /// How many numbers of a plane a pixel of an output holds, one in each channel.
  static let numbersInPixel = 4

  /// The format of the outputs that hold planes.
  var outputFormat: PixelFormat { form.bits > 8 ? .rgba16 : .rgba8 }

  /// The size of the output that holds a plane.
  func outputSize(of plane: PlaneForm.Plane) -> Size {
    let size = form.size(of: plane, in: size)
    return Size((size.width + Self.numbersInPixel - 1) / Self.numbersInPixel, size.height)
  }

  /// The workgroups that make all planes.
  var workgroups: (x: Int, y: Int) {
    func count(_ length: Int, _ block: Int) -> Int { (length + 16 * block - 1) / (16 * block) }
    return (count(size.width, blockWidth), count(size.height, rows))
  }

  /// The name of the buffer that takes a plane.
  static func buffer(_ plane: PlaneForm.Plane) -> String { "EtalonPlane_\(plane.rawValue)" }

  // MARK: what a block is

  private var hasChroma: Bool { form.channels == .lumaAndChroma }
  /// Pixels that a sample of chroma stands for along each axis; 1 without chroma.
  private var columns: Int { hasChroma ? 1 << form.chromaShift.x : 1 }
  private var rows: Int { hasChroma ? 1 << form.chromaShift.y : 1 }
  private var blockWidth: Int { columns * Self.numbersInPixel }

  private var axes: (x: ChromaAxis, y: ChromaAxis) { VideoKernels.axes(of: form) }

  /// The planes with a number for each pixel.
  private var fullPlanes: [PlaneForm.Plane] { form.planes.filter { $0 != .blueDifference && $0 != .redDifference } }

  /// Bits that a number takes, and numbers in a word.
  private var bits: Int { form.bits > 8 ? 16 : 8 }
  private var numbersInWord: Int { 32 / bits }

  /// The rows around a block, counted from its top one, whose colors chroma is made of, with what they count.
  private var chromaRows: [(row: Int, weight: Int)] {
    guard hasChroma, rows > 1 else { return [(0, 1)] }
    switch axes.y.place {
    case .middle: return (0..<rows).map { ($0, 1) }
    case .first: return (1 - rows..<rows).map { ($0, rows - abs($0)) }
    case .last: return (0..<2 * rows - 1).map { ($0, rows - abs($0 - rows + 1)) }
    }
  }

  /// Whether a column counts in two samples of chroma side by side.
  private var columnsOverlap: Bool { hasChroma && columns > 1 && axes.x.place != .middle }

  /// The column on which the first sample of chroma lies.
  private var offset: Int { columnsOverlap && axes.x.place == .last ? columns - 1 : 0 }

  private var firstColumn: Int { columnsOverlap ? offset - columns + 1 : 0 }

  /// The columns after the last one.
  private var endColumn: Int { blockWidth + offset }

  // MARK: the text

  /// Text that calls `etalonColorAt`.
  var text: String {
    let planes = form.planes.enumerated().map { index, plane in
      "layout(set = 0, binding = \(16 + index), std430) writeonly buffer \(Self.buffer(plane)) { uint \(plane.rawValue)Words[]; };\n"
    }
    let light = LightEncoding(form.color)
    return planes.joined() + light.functions + """
      bool etalonFoundNaN = false;
      // The color of a pixel, or of the nearest one; the row counts from the top.
      vec4 etalonNumbersAt(int column, int row) {
        vec4 color = etalonColorAt(clamp(ivec2(column, \(size.height - 1) - row), ivec2(0), ivec2(\(size.width - 1), \(size.height - 1))));
        bvec4 isNaN = greaterThan(floatBitsToUint(color) & 0x7FFFFFFFu, uvec4(0x7F800000u));
        if (any(isNaN.\(form.hasAlpha ? "rgba" : "rgb"))) etalonFoundNaN = true;
        color = mix(color, vec4(0.0), isNaN);
        return clamp(\(light.encode("color")), 0.0, 1.0);
      }
      \(form.planes.map(code).joined(separator: "\n"))
      void main() {
        int place = int(gl_LocalInvocationIndex);
        ivec2 block = 16 * ivec2(gl_WorkGroupID.xy) + ivec2(place & 15, place >> 4);
        int left = block.x * \(blockWidth), top = block.y * \(rows);
        \(variables)
        for (int c = \(firstColumn); c < \(endColumn); c++) {
          vec4 color;
          \(hasChroma ? "precise vec3 column = vec3(0.0);" : "")
          bool isInside = c >= 0 && c < \(blockWidth);
          \(rowStatements)
          if (isInside && (c & \(numbersInWord - 1)) == \(numbersInWord - 1)) {
            int word = (left + c) / \(numbersInWord);
            \(fullPlanes.flatMap { plane in (0..<rows).map { store(word(plane, $0), of: plane, row: "top + \($0)") } }.joined(separator: "\n      "))
          }
          \(hasChroma ? chromaStatements : "")
        }
        if (etalonFoundNaN) \(form.planes[0].rawValue)Words[\(wordsInRow(form.planes[0]) * form.size(of: form.planes[0], in: size).height)] = 1u;
      }
      """
  }

  private var variables: String {
    let words = fullPlanes.flatMap { plane in (0..<rows).map { word(plane, $0) } } + (hasChroma ? ["blueWord", "redWord"] : [])
    let sums = hasChroma ? "\n  precise vec3 sum = vec3(0.0), next = vec3(0.0);" : ""
    return "uint \(words.map { "\($0) = 0u" }.joined(separator: ", "));" + sums
  }

  private func word(_ plane: PlaneForm.Plane, _ row: Int) -> String { "\(plane.rawValue)Word\(row)" }

  /// The colors of a column: each row into its numbers, and all together into what chroma is made of.
  private var rowStatements: String {
    chromaRows.map { row, weight in
      var statements = ["color = etalonNumbersAt(left + c, top + (\(row)));"]
      if hasChroma { statements.append("column += \(VideoKernels.float(Double(weight))) * color.rgb;") }
      if (0..<rows).contains(row) {
        let words = fullPlanes.map { push("\($0.rawValue)Code(color)", into: word($0, row)) }
        statements.append("if (isInside) { \(words.joined(separator: " ")) }")
      }
      return statements.joined(separator: "\n    ")
    }.joined(separator: "\n    ")
  }

  /// Numbers are pushed in at the top of a word, so that the first one ends at its bottom.
  private func push(_ code: String, into word: String) -> String { "\(word) = \(word) >> \(bits) | \(code) << \(32 - bits);" }

  /// Adds a column to the samples of chroma that it counts in, and stores those that are complete.
  private var chromaStatements: String {
    let last = columns - 1
    let total = chromaRows.map(\.weight).reduce(0, +) * (columnsOverlap ? columns * columns : columns)
    let adding =
      columnsOverlap
      ? """
      int place = (c - (\(offset))) & \(last);
          if (place == 0) { sum = next; next = vec3(0.0); }
          sum += column * float(\(columns) - place);
          next += column * float(place);
      """
      : """
      int place = c & \(last);
          if (place == 0) sum = vec3(0.0);
          sum += column;
      """
    return """
      \(adding)
          int number = (c - (\(offset))) >> \(form.chromaShift.x);
          if (place == \(last) && number >= 0) {
            vec4 mean = vec4(sum * \(VideoKernels.float(1 / Double(total))), 1.0);
            \(push("blueDifferenceCode(mean)", into: "blueWord"))
            \(push("redDifferenceCode(mean)", into: "redWord"))
            if ((number & \(numbersInWord - 1)) == \(numbersInWord - 1)) {
              int word = (\(Self.numbersInPixel) * block.x + number) / \(numbersInWord);
              \(store("blueWord", of: .blueDifference, row: "block.y"))
              \(store("redWord", of: .redDifference, row: "block.y"))
            }
          }
      """
  }

  private func wordsInRow(_ plane: PlaneForm.Plane) -> Int { outputSize(of: plane).width * Self.numbersInPixel / numbersInWord }

  private func store(_ word: String, of plane: PlaneForm.Plane, row: String) -> String {
    let words = wordsInRow(plane), height = form.size(of: plane, in: size).height
    return "if (word < \(words) && \(row) < \(height)) \(plane.rawValue)Words[(\(row)) * \(words) + word] = \(word);"
  }

  // MARK: numbers

  /// The function that gives the number of a color in a plane.
  private func code(_ plane: PlaneForm.Plane) -> String {
    """
    uint \(plane.rawValue)Code(vec4 color) {
      precise float number = \(number(plane));
      return uint(min(floor(number + 0.5), \(VideoKernels.float(Double(form.largest)))));
    }
    """
  }

  /// The number that stands for `color` in a plane, not yet rounded.
  private func number(_ plane: PlaneForm.Plane) -> String {
    let float = VideoKernels.float
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
}
