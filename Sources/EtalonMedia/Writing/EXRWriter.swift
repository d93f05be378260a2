internal import CDeflate
package import EtalonDiagnostics
package import EtalonTypes

/// Writes OpenEXR pictures: one part in rows, the channels A, B, G and R as 32-bit floats, packed with ZIP.
///
/// ```
/// try EXRWriter().write(picture, text: [TextChunk("Software", "Etalon")], to: file)
/// ```
///
/// **Concurrency**: an immutable value.
package struct EXRWriter: Sendable {
  private static let compression = EXRHeader.Compression.zip

  package init() {}

  /// Writes an `rgba32f` picture with its numbers as they are.
  ///
  /// - Parameter text: becomes attributes; their keywords must not be names that the format has.
  package func write(_ picture: PixelBuffer, text: [TextChunk] = [], to sink: any ByteSink) throws(RenderError) {
    precondition(picture.format == .rgba32f, "a picture of \(picture.format)")
    let header = header(picture.size, text + [TextChunk(EXRHeader.alphaAttribute, picture.alpha.rawValue)])
    let blocks = stride(from: 0, to: picture.size.height, by: Self.compression.rowCount).map { first in
      block(picture, rows: first..<min(first + Self.compression.rowCount, picture.size.height))
    }
    var place = header.count + blocks.count * 8
    var bytes = header
    for block in blocks {
      bytes += Self.number(place, 8)
      place += block.count
    }
    for block in blocks { bytes += block }
    try sink.write(bytes)
  }

  private func header(_ size: Size, _ text: [TextChunk]) -> [UInt8] {
    let window = Self.number(0, 4) + Self.number(0, 4) + Self.number(size.width - 1, 4) + Self.number(size.height - 1, 4)
    var channels: [UInt8] = []
    for name in ["A", "B", "G", "R"] {
      channels += Array(name.utf8) + [0] + Self.number(EXRHeader.SampleType.float.rawValue, 4)
      channels += Self.number(0, 4) + Self.number(1, 4) + Self.number(1, 4)
    }
    let one = Self.number(Int(Float(1).bitPattern), 4)
    var header = Self.number(0x0131_2F76, 4) + Self.number(2, 4)
    func add(_ name: String, _ type: String, _ value: [UInt8]) {
      header += Array(name.utf8) + [0] + Array(type.utf8) + [0] + Self.number(value.count, 4) + value
    }
    add("channels", "chlist", channels + [0])
    add("compression", "compression", [UInt8(Self.compression.rawValue)])
    add("dataWindow", "box2i", window)
    add("displayWindow", "box2i", window)
    add("lineOrder", "lineOrder", [0])
    add("pixelAspectRatio", "float", one)
    add("screenWindowCenter", "v2f", Self.number(0, 8))
    add("screenWindowWidth", "float", one)
    for chunk in text { add(chunk.keyword, "string", Array(chunk.text.utf8)) }
    return header + [0]
  }

  private func block(_ picture: PixelBuffer, rows: Range<Int>) -> [UInt8] {
    var plain: [UInt8] = []
    plain.reserveCapacity(rows.count * picture.bytesPerRow)
    for row in rows {
      for channel in [3, 2, 1, 0] {
        for column in 0..<picture.size.width {
          let place = row * picture.bytesPerRow + column * 16 + channel * 4
          plain += picture.bytes[place..<place + 4]
        }
      }
    }
    let packed = EXRPacking.packed(plain)
    return Self.number(rows.lowerBound, 4) + Self.number(packed.count, 4) + packed
  }

  /// A whole number that begins with its lowest byte.
  private static func number(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
}

// MARK: Packed rows

/// Packs rows of an OpenEXR file, and takes them apart again.
enum EXRPacking {
  /// The bytes of some rows; `count` is how many they must be.
  static func unpacked(_ bytes: ArraySlice<UInt8>, _ kind: EXRHeader.Compression, count: Int) throws(EXRError) -> [UInt8] {
    // What packing would make larger is stored as it is.
    if kind == .none || bytes.count >= count {
      guard bytes.count == count else { throw EXRError("some rows have \(bytes.count) bytes, not \(count)") }
      return Array(bytes)
    }
    let plain = kind == .runLength ? runs(bytes, count: count) : inflated(bytes, count: count)
    guard let plain else { throw EXRError("some rows are damaged", help: "copy or render it again") }
    return woven(plain)
  }

  /// Some rows packed with ZIP, or as they are where that is smaller.
  static func packed(_ rows: [UInt8]) -> [UInt8] {
    var packed: [UInt8] = []
    let deflater = Deflater(.libdeflate, level: 6)
    deflater.begin()
    deflater.compress(unwoven(rows)[...], isLast: true) { (bytes: ArraySlice<UInt8>) in packed += bytes }
    return packed.count < rows.count ? packed : rows
  }

  /// Differences of neighbors, the even bytes before the odd ones.
  private static func unwoven(_ rows: [UInt8]) -> [UInt8] {
    let apart = stride(from: 0, to: rows.count, by: 2).map { rows[$0] } + stride(from: 1, to: rows.count, by: 2).map { rows[$0] }
    return apart.indices.map { $0 == 0 ? apart[0] : apart[$0] &- apart[$0 - 1] &+ 128 }
  }

  private static func woven(_ differences: [UInt8]) -> [UInt8] {
    var apart = differences
    for index in apart.indices.dropFirst() { apart[index] = apart[index - 1] &+ apart[index] &- 128 }
    let half = (apart.count + 1) / 2
    return apart.indices.map { apart[$0 / 2 + ($0 % 2 == 0 ? 0 : half)] }
  }

  private static func inflated(_ bytes: ArraySlice<UInt8>, count: Int) -> [UInt8]? {
    var isWhole = false
    let plain = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      isWhole = unsafe bytes.withUnsafeBufferPointer { unsafe cdeflate_inflate($0.baseAddress, $0.count, buffer.baseAddress, count) }
      initialized = isWhole ? count : 0
    }
    return isWhole ? plain : nil
  }

  /// A count below 0 says how many bytes follow as they are, another one how often the next byte is repeated beyond the first time.
  private static func runs(_ bytes: ArraySlice<UInt8>, count: Int) -> [UInt8]? {
    var plain: [UInt8] = []
    var rest = bytes
    while let first = rest.popFirst() {
      let length = Int(Int8(bitPattern: first))
      if length < 0 {
        guard rest.count >= -length else { return nil }
        plain += rest.prefix(-length)
        rest = rest.dropFirst(-length)
      } else {
        guard let value = rest.popFirst() else { return nil }
        plain += repeatElement(value, count: length + 1)
      }
      guard plain.count <= count else { return nil }
    }
    return plain.count == count ? plain : nil
  }
}
