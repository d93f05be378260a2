package import EtalonDiagnostics
package import EtalonTypes

/// What a PNG, TIFF or OpenEXR file says besides its pixels, and whether it reaches its end; the pixels themselves are skipped.
package struct FrameOutline: Sendable, Hashable {
  /// Width and height in pixels.
  package let size: Size
  /// Bits of a sample.
  package let bits: Int
  /// What it says about itself.
  package let texts: [TextChunk]
  /// Whether all of its pixels are there.
  package let isComplete: Bool

  /// Reads the outline of a file; nil for other files.
  package init?(path: String) throws(RenderError) {
    if let png = try PNGOutline(path: path) {
      (size, bits, texts, isComplete) = (png.size, png.bits, png.texts, png.isComplete)
    } else if let tiff = try TIFFOutline(path: path) {
      (size, bits, texts, isComplete) = (tiff.size, tiff.bits, tiff.texts, tiff.isComplete)
    } else if let exr = try EXROutline(path: path) {
      (size, bits, texts, isComplete) = (exr.size, exr.bits, exr.texts, exr.isComplete)
    } else {
      return nil
    }
  }
}

/// The directory of a TIFF file in the form in which Etalon writes it: little-endian, with strips.
private struct TIFFOutline {
  private static let longestText = 1 << 20
  private static let mostStrips = 1 << 20

  let size: Size
  let bits: Int
  let texts: [TextChunk]
  let isComplete: Bool

  init?(path: String) throws(RenderError) {
    let file = try RandomAccessFile(path)
    guard file.bytes(at: 0, count: 8).map({ $0.starts(with: [0x49, 0x49, 0x2A, 0]) }) == true, let entries = Entries(file),
      let width = entries.numbers(256, atMost: 1)?.first, let height = entries.numbers(257, atMost: 1)?.first,
      let bits = entries.numbers(258, atMost: 8)?.first, width >= 1, height >= 1
    else { return nil }
    size = Size(width, height)
    self.bits = bits
    let software = entries.text(305, longest: Self.longestText).map { [TextChunk("Software", $0)] } ?? []
    texts = software + (entries.text(270, longest: Self.longestText).map(TIFFText.texts) ?? [])
    let places = entries.numbers(273, atMost: Self.mostStrips) ?? [], counts = entries.numbers(279, atMost: Self.mostStrips) ?? []
    isComplete = !places.isEmpty && places.count == counts.count && zip(places, counts).allSatisfy { $0 > 0 && $0 + $1 <= file.size }
  }

  private struct Entries {
    private let file: RandomAccessFile
    private var table: [Int: (kind: Int, count: Int, place: Int)] = [:]

    init?(_ file: RandomAccessFile) {
      self.file = file
      guard let start = file.bytes(at: 4, count: 4), let head = file.bytes(at: Int(start.word(at: 0)), count: 2) else { return nil }
      let count = Int(head[0]) | Int(head[1]) << 8
      guard let bytes = file.bytes(at: Int(start.word(at: 0)) + 2, count: 12 * count) else { return nil }
      for index in 0..<count {
        let first = bytes.word(at: 12 * index)
        let kind = Int(first >> 16), count = Int(bytes.word(at: 12 * index + 4))
        guard let width = [2: 1, 3: 2, 4: 4][kind] else { continue }
        let inside = Int(start.word(at: 0)) + 2 + 12 * index + 8
        table[Int(first & 0xFFFF)] = (kind, count, count * width <= 4 ? inside : Int(bytes.word(at: 12 * index + 8)))
      }
    }

    func numbers(_ tag: Int, atMost most: Int) -> [Int]? {
      guard let entry = table[tag], entry.kind != 2, (1...most).contains(entry.count),
        let bytes = file.bytes(at: entry.place, count: entry.count * (entry.kind == 3 ? 2 : 4))
      else { return nil }
      if entry.kind == 4 { return bytes.words.map { Int($0) } }
      return (0..<entry.count).map { Int(bytes[2 * $0]) | Int(bytes[2 * $0 + 1]) << 8 }
    }

    func text(_ tag: Int, longest: Int) -> String? {
      guard let entry = table[tag], entry.kind == 2, entry.count <= longest else { return nil }
      return file.bytes(at: entry.place, count: entry.count).map { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
  }
}
