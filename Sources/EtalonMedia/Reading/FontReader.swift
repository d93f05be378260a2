internal import CFreeType
import EtalonDiagnostics
import EtalonTypes
import Glibc

/// Reads all glyphs of a font's Unicode character map with FreeType, unscaled and without hints.
struct FontReader {
  /// The most bytes of a file: fonts with all of Chinese, Japanese and Korean have 20 to 40 million.
  static let largestFile = 1 << 27
  /// The most texels, 128 MiB of them: Noto Sans CJK has 3.4 million.
  private static let mostTexels = 1 << 24
  /// An em has about as many steps, so that glyphs may reach four ems from their origin.
  private static let usualSteps = 8192

  /// The styles that names of fonts leave out.
  private static let plainStyles: Set = ["Regular", "Book", "Roman", "Normal"]

  /// How fonts begin: TrueType, OpenType, collections, both kinds of WOFF, Type 1.
  private static let signatures: [[UInt8]] = [
    [0, 1, 0, 0], Array("OTTO".utf8), Array("true".utf8), Array("ttcf".utf8), Array("wOFF".utf8), Array("wOF2".utf8), Array("%!".utf8),
    [0x80, 1],
  ]

  private let bytes: [UInt8]
  private let name: String

  init(_ bytes: [UInt8], name: String) {
    self.bytes = bytes
    self.name = name
  }

  func outlines() throws(RenderError) -> FontOutlines {
    guard !bytes.isEmpty else { throw FileFormat.empty.error(name) }
    var header = cfreetype_header()
    var message = cfreetype_message()
    var words: [UInt16] = []
    var failure: RenderError?
    unsafe bytes.withUnsafeBufferPointer { buffer in
      var font: OpaquePointer?
      let result = unsafe cfreetype_open(buffer.baseAddress, buffer.count, &font, &header, &message)
      defer { unsafe cfreetype_close(font) }
      guard result == CFREETYPE_DONE, let font = unsafe font else {
        failure = self.failure(result, message)
        return
      }
      do throws(RenderError) { words = try unsafe self.words(font, header) } catch { failure = error }
    }
    if let failure { throw failure }
    return FontOutlines(words: words)
  }

  private func words(_ font: OpaquePointer, _ header: cfreetype_header) throws(RenderError) -> [UInt16] {
    let codes = unsafe codes(font)
    guard !codes.isEmpty else { throw unusable("it has no characters") }
    let units = Int(header.units_per_em)
    var finer = 0
    while units << (finer + 1) <= Self.usualSteps { finer += 1 }
    while true {
      let glyphs = try unsafe glyphs(codes, font, finer)
      if let glyphs { return try words(codes, glyphs, header, finer) }
      guard finer > 0 else { throw unusable("a glyph reaches farther than 32767 units from its origin") }
      finer -= 1
    }
  }

  /// The code points with the indices of their glyphs.
  private func codes(_ font: OpaquePointer) -> [(code: UInt32, glyph: UInt32)] {
    var codes: [(code: UInt32, glyph: UInt32)] = []
    var (code, glyph): (UInt32, UInt32) = (0, 0)
    while unsafe cfreetype_next_code(font, &code, &glyph) { codes.append((code, glyph)) }
    return codes
  }

  /// What is known of all glyphs.
  private struct Glyphs {
    /// The numbers of the glyphs by their indices in the font.
    var numbers: [UInt32: Int] = [:]
    var records: [(advance: Int, texels: Int, first: Int, box: [UInt16])] = []
    /// Four for each texel.
    var segments: [UInt16] = []
  }

  /// Reads each glyph once; nil when one reaches beyond the numbers of this many steps a unit.
  private func glyphs(
    _ codes: [(code: UInt32, glyph: UInt32)], _ font: OpaquePointer, _ finer: Int
  ) throws(RenderError) -> Glyphs? {
    var glyphs = Glyphs()
    var message = cfreetype_message()
    var budget = GlyphOverlaps.usualBudget
    for (_, index) in codes where glyphs.numbers[index] == nil {
      var glyph = unsafe cfreetype_glyph()
      let result = unsafe cfreetype_read_glyph(font, index, &glyph, &message)
      guard result == CFREETYPE_DONE else { throw failure(result, message, glyph: Int(index)) }
      let segments = unsafe UnsafeBufferPointer(start: glyph.segments, count: glyph.count)
      let outline = unsafe GlyphOutline(segments, steps: Float(1 << finer), budget: &budget)
      guard !outline.isTooFar else { return nil }
      let words = outline.words
      let count = words.count / 4
      guard count <= 65535 else { throw unusable("a glyph has more than 65535 points") }
      glyphs.numbers[index] = glyphs.records.count
      let advance = unsafe min(max(Int(glyph.advance), 0), 65535) << finer
      glyphs.records.append((advance, count, glyphs.segments.count / 4, outline.box))
      glyphs.segments += words
      let texels = glyphs.segments.count / 4 + codes.count + FontOutlines.texelsOfGlyph * glyphs.records.count
      guard texels <= Self.mostTexels else { throw unusable("its outlines take more than \(Self.mostTexels >> 17) MiB") }
    }
    return glyphs
  }

  private func words(
    _ codes: [(code: UInt32, glyph: UInt32)], _ glyphs: Glyphs, _ header: cfreetype_header, _ finer: Int
  ) throws(RenderError) -> [UInt16] {
    guard glyphs.records.count <= 65536 else { throw unusable("it has more than 65536 glyphs") }
    let names = [cString(of: header.family), cString(of: header.style)].filter { !$0.isEmpty && !Self.plainStyles.contains($0) }
    let name = Array(names.joined(separator: " ").filter { !$0.isNewline }.prefix(64).utf16)
    let first = FontOutlines.headCount + codes.count + FontOutlines.texelsOfGlyph * glyphs.records.count
    let end = first + glyphs.segments.count / 4
    var lines = (Int(header.ascender), Int(header.descender))
    // Shaders take lines without a height for no font.
    if lines == (0, 0) { lines = (Int(header.units_per_em), 0) }
    var words: [UInt16] = []
    words.reserveCapacity(4 * (end + name.count / 4 + 1))
    words += Self.halves(codes.count) + Self.halves(glyphs.records.count)
    words += [Self.signed(lines.0 << finer), Self.signed(lines.1 << finer)] + Self.halves(Int(header.units_per_em) << finer)
    words += [FontOutlines.mark, UInt16(name.count)] + Self.halves(end)
    for (code, glyph) in codes { words += Self.halves(Int(code)) + [UInt16(glyphs.numbers[glyph] ?? 0), 0] }
    for record in glyphs.records {
      words += Self.halves(record.advance) + [UInt16(record.texels), 0]
      words += Self.halves(first + record.first) + [0, 0] + record.box
    }
    words += glyphs.segments
    words += name
    words += [UInt16](repeating: 0, count: (4 - words.count % 4) % 4)
    return words
  }

  private static func halves(_ number: Int) -> [UInt16] { [UInt16(number & 0xFFFF), UInt16(number >> 16 & 0xFFFF)] }

  private static func signed(_ number: Int) -> UInt16 { UInt16(min(max(number + 32768, 0), 65535)) }

  // MARK: errors

  private func failure(_ result: cfreetype_result, _ message: cfreetype_message, glyph: Int? = nil) -> RenderError {
    let reason = (glyph.map { "glyph \($0): " } ?? "") + cString(of: message.text)
    switch result {
    case CFREETYPE_NO_LIBRARY:
      return RenderError(
        .missingInput, "cannot read '\(name)': fonts are read with FreeType, which cannot be opened", operation: "dlopen",
        underlying: reason, help: ["install it: apt-get install libfreetype6"])
    case CFREETYPE_UNSUPPORTED: return unusable(reason)
    case CFREETYPE_NO_MEMORY: return RenderError(.invalidInput, "cannot read '\(name)'", operation: "FreeType", underlying: reason)
    // Of damaged fonts and of other files FreeType says the same.
    default:
      guard !Self.signatures.contains(where: bytes.starts) else {
        return RenderError(
          .invalidInput, "'\(name)' is a damaged font", operation: "FreeType", underlying: reason,
          help: ["install or download the font again"])
      }
      return RenderError(
        .invalidInput, "'\(name)' is not a font", underlying: FileFormat(of: bytes).words,
        help: ["give a TrueType, OpenType or Type 1 file: '.ttf', '.otf', '.ttc', '.woff', '.woff2' or '.pfb'"])
    }
  }

  private func unusable(_ reason: String) -> RenderError {
    RenderError(.invalidInput, "cannot draw with the font '\(name)'", underlying: reason, help: ["give a font with outlines for Unicode"])
  }
}
