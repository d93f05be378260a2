package import EtalonDiagnostics
import EtalonTypes

/// Writes TIFF files of 8 or 16 bits (TIFF 6.0), without alpha when every pixel is opaque.
///
/// Little-endian, in strips, packed with deflate behind horizontal differences, with associated alpha where color is multiplied by it, else unassociated. What it writes depends on the picture, the texts,
/// the settings and the version of the library that compresses; there is no date in it.
///
/// **Concurrency**: used by one thread at a time; make one for each thread.
package final class TIFFEncoder {
  /// Bytes of a strip before it is packed, about.
  private static let stripSize = 1 << 18
  private let deflater: Deflater

  /// Makes an encoder; the filter of the settings is PNG's and does not count.
  package init(_ settings: PNGSettings = PNGSettings()) { deflater = Deflater(settings.library, level: settings.level) }

  /// Writes one picture of `rgba8` or `rgba16`: the text `Software` as such, all others as lines of the description.
  ///
  /// Packed strips are held until all are there, because the directory before them says where they are.
  package func encode(_ rows: some RowSource, text: [TextChunk] = [], to sink: any ByteSink) throws(RenderError) {
    precondition(rows.format == .rgba8 || rows.format == .rgba16, "TIFF of \(rows.format)")
    let channels = isOpaque(rows) ? 3 : 4
    let rowSize = rows.size.width * channels * rows.format.bytesPerChannel
    let rowsPerStrip = min(rows.size.height, max(1, Self.stripSize / rowSize))
    let strips = strips(of: rows, channels: channels, rowSize: rowSize, rowsPerStrip: rowsPerStrip)
    var directory = TIFFDirectory()
    directory.add(.width, long: [rows.size.width])
    directory.add(.height, long: [rows.size.height])
    directory.add(.bits, short: Array(repeating: 8 * rows.format.bytesPerChannel, count: channels))
    directory.add(.compression, short: [8])
    directory.add(.photometric, short: [2])
    let description = TIFFText.description(of: text)
    if !description.isEmpty { directory.add(.description, text: description) }
    directory.add(.stripOffsets, long: strips.map { _ in 0 })
    directory.add(.orientation, short: [1])
    directory.add(.samples, short: [channels])
    directory.add(.rowsPerStrip, long: [rowsPerStrip])
    directory.add(.stripCounts, long: strips.map(\.count))
    directory.add(.planes, short: [1])
    if let software = text.first(where: { $0.keyword == "Software" }) { directory.add(.software, text: software.text) }
    directory.add(.predictor, short: [2])
    if channels == 4 { directory.add(.extraSamples, short: [rows.alpha == .premultiplied ? 1 : 2]) }
    var place = 8 + directory.byteCount
    let offsets = strips.map { strip in
      defer { place += strip.count + strip.count % 2 }
      return place
    }
    guard place <= Int(UInt32.max) else {
      throw RenderError(
        .cannotWrite, "a TIFF file of \(rows.size) would have \(place) bytes, and the format ends at 4 GiB",
        help: ["write PNG: '-o name.png'"])
    }
    directory.set(.stripOffsets, long: offsets)
    try sink.write([0x49, 0x49, 0x2A, 0, 8, 0, 0, 0] + directory.bytes(at: 8))
    for strip in strips { try sink.write(strip.count % 2 == 0 ? strip : strip + [0]) }
  }

  /// The packed strips of a picture.
  private func strips(of rows: some RowSource, channels: Int, rowSize: Int, rowsPerStrip: Int) -> [[UInt8]] {
    let width = rows.format.bytesPerChannel, pixelSize = rows.format.bytesPerPixel
    var strips: [[UInt8]] = []
    var strip = [UInt8](repeating: 0, count: rowsPerStrip * rowSize)
    var held = 0, next = 0
    rows.withBands { _, rowCount, bytes in
      for row in 0..<rowCount {
        unsafe bytes.withUnsafeBytes { source in
          unsafe strip.withUnsafeMutableBytes { target in
            let from = unsafe UnsafeRawBufferPointer(rebasing: source[(row * rows.size.width * pixelSize)...])
            let to = unsafe UnsafeMutableRawBufferPointer(rebasing: target[(held * rowSize)...])
            unsafe Self.difference(from, to, pixels: rows.size.width, channels: channels, width: width)
          }
        }
        (held, next) = (held + 1, next + 1)
        guard held == rowsPerStrip || next == rows.size.height else { continue }
        var packed: [UInt8] = []
        deflater.begin()
        deflater.compress(strip[..<(held * rowSize)], isLast: true) { (bytes: ArraySlice<UInt8>) in packed += bytes }
        strips.append(packed)
        held = 0
      }
    }
    precondition(next == rows.size.height, "bands of \(next) rows for a picture of \(rows.size)")
    return strips
  }

  /// Differences of each sample from that of the pixel to the left (predictor 2).
  private static func difference(
    _ row: UnsafeRawBufferPointer, _ out: UnsafeMutableRawBufferPointer, pixels: Int, channels: Int, width: Int
  ) {
    for channel in 0..<channels {
      var last: UInt16 = 0
      for pixel in 0..<pixels {
        let (from, to) = (pixel * 4 + channel, pixel * channels + channel)
        if width == 1 {
          let value = unsafe UInt16(row[from])
          unsafe out[to] = UInt8(truncatingIfNeeded: value &- last)
          last = value
        } else {
          let value = unsafe UInt16(littleEndian: row.loadUnaligned(fromByteOffset: 2 * from, as: UInt16.self))
          unsafe out.storeBytes(of: (value &- last).littleEndian, toByteOffset: 2 * to, as: UInt16.self)
          last = value
        }
      }
    }
  }
}

// MARK: the directory

/// A directory of a little-endian file, in the making.
private struct TIFFDirectory {
  enum Tag: Int {
    case width = 256
    case height = 257
    case bits = 258
    case compression = 259
    case photometric = 262
    case description = 270
    case stripOffsets = 273
    case orientation = 274
    case samples = 277
    case rowsPerStrip = 278
    case stripCounts = 279
    case planes = 284
    case software = 305
    case predictor = 317
    case extraSamples = 338
  }

  private struct Entry {
    let tag: Tag
    /// 2: text, 3: two bytes, 4: four bytes.
    let kind: Int
    let count: Int
    let data: [UInt8]
  }

  /// In the order of their tags, which the format asks for.
  private var entries: [Entry] = []

  mutating func add(_ tag: Tag, short values: [Int]) { add(tag, 3, values.count, values.flatMap { Self.number($0, 2) }) }
  mutating func add(_ tag: Tag, long values: [Int]) { add(tag, 4, values.count, values.flatMap { Self.number($0, 4) }) }

  /// Texts end with a zero, and hold no other.
  mutating func add(_ tag: Tag, text: String) {
    let bytes = text.utf8.filter { $0 != 0 } + [0]
    add(tag, 2, bytes.count, bytes)
  }

  mutating func set(_ tag: Tag, long values: [Int]) {
    guard let index = entries.firstIndex(where: { $0.tag == tag }) else { preconditionFailure("no entry \(tag)") }
    entries[index] = Entry(tag: tag, kind: 4, count: values.count, data: values.flatMap { Self.number($0, 4) })
  }

  private mutating func add(_ tag: Tag, _ kind: Int, _ count: Int, _ data: [UInt8]) {
    precondition(entries.last.map { $0.tag.rawValue < tag.rawValue } ?? true, "\(tag) out of order")
    entries.append(Entry(tag: tag, kind: kind, count: count, data: data))
  }

  private var tableSize: Int { 2 + 12 * entries.count + 4 }

  /// With the values that do not fit into the entries; even.
  var byteCount: Int { tableSize + entries.reduce(0) { $0 + ($1.data.count > 4 ? $1.data.count + $1.data.count % 2 : 0) } }

  func bytes(at start: Int) -> [UInt8] {
    var table = Self.number(entries.count, 2)
    var values: [UInt8] = []
    for entry in entries {
      table += Self.number(entry.tag.rawValue, 2) + Self.number(entry.kind, 2) + Self.number(entry.count, 4)
      if entry.data.count <= 4 {
        table += entry.data + [UInt8](repeating: 0, count: 4 - entry.data.count)
      } else {
        table += Self.number(start + tableSize + values.count, 4)
        values += entry.data.count % 2 == 0 ? entry.data : entry.data + [0]
      }
    }
    return table + Self.number(0, 4) + values
  }

  private static func number(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
}

/// The texts of a file as the lines of its description: `etalon:recipe=…`, with `\n` for line ends and `\\` for backslashes.
enum TIFFText {
  static func description(of texts: [TextChunk]) -> String {
    texts.filter { $0.keyword != "Software" }.map { "\($0.keyword)=\(escaped($0.text))\n" }.joined()
  }

  static func texts(of description: String) -> [TextChunk] {
    description.split(separator: "\n").compactMap { line in
      guard let equals = line.firstIndex(of: "="), TextChunk.allows(keyword: String(line[..<equals])) else { return nil }
      return TextChunk(String(line[..<equals]), plain(line[line.index(after: equals)...]))
    }
  }

  private static func escaped(_ text: String) -> String { text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n") }

  private static func plain(_ text: Substring) -> String {
    var plain = ""
    var isEscaped = false
    for character in text {
      if isEscaped {
        plain.append(character == "n" ? "\n" : character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else {
        plain.append(character)
      }
    }
    return plain
  }
}
