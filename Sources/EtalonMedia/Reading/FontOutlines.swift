package import EtalonDiagnostics
package import EtalonTypes

/// The outlines of a font's glyphs, as a texture that shaders read.
///
/// ```
/// let font = try FontOutlines(contentsOf: "NotoSans.ttf")
/// let texture = font.picture
/// font.glyph(of: 0x416)  // the number of 'Ж', nil where the font has none
/// ```
///
/// The texels are four whole numbers of 16 bits each, one texel after the other in rows from the lowest on. Numbers that may be larger take two, the lower half
/// first; numbers that may be below 0 are stored with 32768 added. Lengths are in steps, of which an em has at least as many as font units.
///
/// | texels | |
/// |---|---|
/// | 0 | how many code points (2), how many glyphs (2) |
/// | 1 | ascender, descender, steps of an em (2) |
/// | 2 | a mark, the length of the name, the texel in which the name begins (2) |
/// | 3 … | a code point each, rising: the code point (2), its glyph |
/// | … | three for each glyph: advance (2), how many texels its outline has; its first texel (2); left, bottom, right and top of its control points |
/// | … | the outlines, one contour after the other: its start; then for each line its end and 1, for each cubic curve its end and 2, then its control points |
/// | … | the name as UTF-16 |
///
/// Curves turn in neither direction. A line or curve that is no edge of the glyph winds around places as the others do: inside, where contours overlap, it has
/// 2 more, and outside, where they cancel each other out, 4 more.
///
/// **Concurrency**: an immutable value with shared storage.
package struct FontOutlines: Sendable, Hashable {
  /// The texels, as a picture.
  package let picture: PixelBuffer

  /// What stands in the third texel of every font.
  static let mark: UInt16 = 0x4F46
  static let headCount = 3
  static let texelsOfGlyph = 3
  /// The longest row.
  static let longestRow = 4096

  /// Reads a font file; of several faces the first one.
  package init(contentsOf path: String) throws(RenderError) {
    let bytes = try FileReader.bytes(of: path, limit: FontReader.largestFile)
    self = try FontReader(bytes, name: path).outlines()
  }

  /// The font in a picture; nil for a picture of something else, and for none.
  package init?(_ picture: PixelBuffer) {
    self.picture = picture
    guard picture.format == .rgba16, picture.size.pixelCount > Self.headCount, word(2, 0) == Int(Self.mark) else { return nil }
  }

  /// - Parameter words: four for each texel.
  init(words: [UInt16]) {
    let count = words.count / 4
    let size = Size(min(count, Self.longestRow), (count + Self.longestRow - 1) / Self.longestRow)
    let rowBytes = 8 * size.width
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: rowBytes * size.height) { buffer, initialized in
      unsafe buffer.initialize(repeating: 0)
      unsafe words.withUnsafeBytes { source in
        // Pictures begin with the top row, textures with the bottom one.
        for row in 0..<size.height {
          let part = unsafe source[row * rowBytes..<min((row + 1) * rowBytes, source.count)]
          let start = (size.height - 1 - row) * rowBytes
          unsafe UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[start..<start + part.count])
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: part))
        }
      }
      initialized = rowBytes * size.height
    }
    picture = PixelBuffer(size: size, format: .rgba16, alpha: .straight, bytes: bytes)
  }

  /// What shaders read while no font is given: no code points, no glyphs, and lines without a height.
  package static let none = PixelBuffer(size: Size(1, 1), format: .rgba16, alpha: .straight, bytes: [UInt8](repeating: 0, count: 8))
}

// MARK: - what is in it

extension FontOutlines {
  /// The names of the family and the style: `DejaVu Sans Bold`.
  package var name: String {
    let (count, first) = (word(2, 1), number(2, 2))
    return String(decoding: (0..<count).map { UInt16(word(first + $0 / 4, $0 % 4)) }, as: UTF16.self)
  }

  package var codeCount: Int { number(0, 0) }
  package var glyphCount: Int { number(0, 2) }

  /// The number of the glyph of a code point; nil where the font has none.
  package func glyph(of code: UInt32) -> Int? {
    var (low, high) = (0, codeCount)
    while low < high {
      let middle = (low + high) / 2
      if number(Self.headCount + middle, 0) < Int(code) { low = middle + 1 } else { high = middle }
    }
    guard low < codeCount, number(Self.headCount + low, 0) == Int(code) else { return nil }
    return word(Self.headCount + low, 2)
  }

  /// How far the next glyph is, in ems.
  package func advance(of glyph: Int) -> Double { Double(number(texel(of: glyph), 0)) / steps }

  /// How far lines reach up and down from the baseline, in ems; down is below 0.
  package var lines: (ascender: Double, descender: Double) { (Double(word(1, 0) - 32768) / steps, Double(word(1, 1) - 32768) / steps) }

  /// How many lines and curves a glyph is made of.
  package func segments(of glyph: Int) -> (lines: Int, curves: Int) {
    let (count, first) = (word(texel(of: glyph), 2), number(texel(of: glyph) + 1, 0))
    var (lines, curves, place) = (0, 0, 0)
    while place < count {
      let kind = word(first + place, 2)
      let isCurve = kind > 0 && kind % 2 == 0
      lines += kind % 2 == 1 ? 1 : 0
      curves += isCurve ? 1 : 0
      place += isCurve ? 2 : 1
    }
    return (lines, curves)
  }

  /// Left, bottom, right and top of a glyph's control points, in ems.
  package func box(of glyph: Int) -> [Double] { (0..<4).map { Double(word(texel(of: glyph) + 2, $0) - 32768) / steps } }

  private var steps: Double { Double(max(number(1, 2), 1)) }

  private func texel(of glyph: Int) -> Int { Self.headCount + codeCount + Self.texelsOfGlyph * glyph }

  private func number(_ texel: Int, _ place: Int) -> Int { word(texel, place) | word(texel, place + 1) << 16 }

  private func word(_ texel: Int, _ channel: Int) -> Int {
    let row = picture.size.height - 1 - texel / picture.size.width
    guard texel >= 0, row >= 0 else { return 0 }
    let place = 8 * (row * picture.size.width + texel % picture.size.width) + 2 * channel
    return Int(picture.bytes[place]) | Int(picture.bytes[place + 1]) << 8
  }
}
