package import EtalonDiagnostics
package import EtalonTypes

/// A table that colors are looked up in: of a `.cube` file, or of a Hald picture.
///
/// ```
/// let table = try ColorTable(contentsOf: "grade.cube")
/// let texture = table.picture
/// ```
///
/// **Concurrency**: an immutable value with shared storage.
package struct ColorTable: Sendable, Hashable {
  /// What the entries of a table are found by.
  package enum Form: Int, Sendable, Hashable {
    /// Nothing: the table has no entries, and every color stays as it is.
    case identity = 0
    /// Each channel by itself.
    case curves = 1
    /// Red, green and blue together.
    case cube = 3
  }

  package let form: Form
  /// How many entries a side has; 0 for the identity.
  package let side: Int
  /// The colors that the first and the last entry of each side stand for.
  package let low: [Float]
  package let high: [Float]
  /// Red, green and blue of one entry after the other, red changing fastest.
  package let entries: [Float]

  /// How many entries a side may have, by the form.
  package static func sides(of form: Form) -> ClosedRange<Int> { form == .curves ? 2...65536 : 2...256 }

  /// The table that changes no color, also none beyond 0 to 1.
  package static let identity = ColorTable(form: .identity, side: 0, entries: [])

  init(form: Form, side: Int, low: [Float] = [0, 0, 0], high: [Float] = [1, 1, 1], entries: [Float]) {
    precondition(entries.count == 3 * Self.count(form, side), "\(entries.count) numbers for a table of \(side)")
    (self.form, self.side, self.low, self.high, self.entries) = (form, side, low, high, entries)
  }

  /// How many entries a table has.
  static func count(_ form: Form, _ side: Int) -> Int {
    switch form {
    case .identity: 0
    case .curves: side
    case .cube: side * side * side
    }
  }
}

// MARK: - reading

extension ColorTable {
  /// Reads a file; what it is is known from its content, whatever its name says.
  ///
  /// Throws `DiagnosticsError` for what is wrong with a text, and `RenderError` for a file that cannot be read or is no table.
  package init(contentsOf path: String) throws {
    let bytes = try FileReader.bytes(of: path, limit: PictureLimits().fileSize)
    let isText = bytes.allSatisfy { $0 >= 0x20 || (0x09...0x0D).contains($0) }
    switch FileFormat(of: bytes) {
    case .png, .jpeg: self = try HaldPicture(PictureReader().read(bytes, name: path), name: path).table()
    // Titles and comments may begin with letters of any language, and files with a byte order mark.
    case .text where isText, .unknown where isText: self = try CubeFile(SourceText(path: path, bytes: bytes)).table()
    case let other:
      throw RenderError(
        .invalidInput, "'\(path)' is not a color table", underlying: other.words,
        help: ["give a '.cube' file, or a PNG picture made from a Hald CLUT"])
    }
  }

  /// The table in a picture that was read: a Hald CLUT.
  package init(hald picture: PixelBuffer, name: String) throws(RenderError) { self = try HaldPicture(picture, name: name).table() }
}

/// A Hald CLUT: all colors of a cube in a square picture, from the top left on, red changing fastest.
///
/// One of level 8 has 512×512 pixels, and a cube of 64 colors a side.
struct HaldPicture {
  private let picture: PixelBuffer
  private let name: String

  init(_ picture: PixelBuffer, name: String) { (self.picture, self.name) = (picture, name) }

  func table() throws(RenderError) -> ColorTable {
    let level = (2...16).first { $0 * $0 * $0 == picture.size.width }
    guard let level, picture.size.width == picture.size.height else {
      throw RenderError(
        .invalidInput, "'\(name)' is not a Hald CLUT", underlying: "it has \(picture.size) pixels, and a Hald CLUT of level 8 has 512x512",
        help: ["give a square picture whose side is 8, 27, 64, 125, 216, 343, 512 … 4096 pixels, or a '.cube' file"])
    }
    return ColorTable(form: .cube, side: level * level, entries: try entries())
  }

  private func entries() throws(RenderError) -> [Float] {
    let isWide = picture.format.bytesPerChannel == 2
    let largest: Float = isWide ? 65535 : 255
    func level(_ channel: Int) -> Float {
      isWide ? Float(UInt16(picture.bytes[2 * channel]) | UInt16(picture.bytes[2 * channel + 1]) << 8) : Float(picture.bytes[channel])
    }
    precondition(picture.format == .rgba8 || picture.format == .rgba16, "a Hald CLUT of \(picture.format)")
    var entries: [Float] = []
    entries.reserveCapacity(3 * picture.size.pixelCount)
    for pixel in 0..<picture.size.pixelCount {
      guard picture.alpha == .opaque || level(4 * pixel + 3) == largest else {
        throw RenderError(
          .invalidInput, "'\(name)' is not a Hald CLUT",
          underlying: "its pixel at (\(pixel % picture.size.width), \(pixel / picture.size.width)) from the top left is transparent",
          help: ["save the picture without alpha"])
      }
      for channel in 0..<3 { entries.append(level(4 * pixel + channel) / largest) }
    }
    return entries
  }
}

// MARK: - as a texture

extension ColorTable {
  /// The texels in front of the entries: what the table is, and the colors of its first and its last entries.
  private static let headerCount = 3
  /// The longest row.
  private static let longestRow = 4096

  /// The table as shaders read it, one texel after the other in rows from the lowest on.
  ///
  /// The first texel has the entries of a side and the form, the next two the colors that the first and the last entries stand for.
  package var picture: PixelBuffer {
    let count = Self.headerCount + entries.count / 3
    let size = Size(min(count, Self.longestRow), (count + Self.longestRow - 1) / Self.longestRow)
    var words = [UInt32](repeating: 0, count: 4 * size.pixelCount)
    func put(_ texel: Int, _ numbers: [Float]) {
      // Pictures begin with the top row, textures with the bottom one.
      let place = (size.height - 1 - texel / size.width) * size.width + texel % size.width
      for channel in numbers.indices { words[4 * place + channel] = numbers[channel].bitPattern }
    }
    put(0, [Float(side), Float(form.rawValue)])
    put(1, low)
    put(2, high)
    for row in 0..<size.height {
      let first = max(Self.headerCount, row * size.width)
      guard first < min(count, (row + 1) * size.width) else { continue }
      let start = (size.height - 1 - row) * size.width - row * size.width
      for texel in first..<min(count, (row + 1) * size.width) {
        let (place, entry) = (4 * (start + texel), 3 * (texel - Self.headerCount))
        words[place] = entries[entry].bitPattern
        words[place + 1] = entries[entry + 1].bitPattern
        words[place + 2] = entries[entry + 2].bitPattern
      }
    }
    var bytes = [UInt8](repeating: 0, count: 4 * words.count)
    for (index, word) in words.enumerated() where word != 0 {
      for part in 0..<4 { bytes[4 * index + part] = UInt8(truncatingIfNeeded: word >> UInt32(8 * part)) }
    }
    return PixelBuffer(size: size, format: .rgba32f, alpha: .opaque, bytes: bytes)
  }

  /// What it is, in words: `a cube of 33 colors a side`.
  package var words: String {
    switch form {
    case .identity: "no change"
    case .curves: "a curve of \(side) entries"
    case .cube: "a cube of \(side) colors a side"
    }
  }
}
