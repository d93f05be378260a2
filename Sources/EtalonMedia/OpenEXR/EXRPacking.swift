internal import CDeflate

/// Packs rows of an OpenEXR file, and takes them apart again.
enum EXRPacking {
  /// The bytes of some rows; `count` is how many they must be.
  static func unpacked(_ bytes: ArraySlice<UInt8>, _ kind: EXRHeader.Compression, count: Int) throws(EXRProblem) -> [UInt8] {
    // What packing would make larger is stored as it is.
    if kind == .none || bytes.count >= count {
      guard bytes.count == count else { throw EXRProblem("some rows have \(bytes.count) bytes, not \(count)") }
      return Array(bytes)
    }
    let plain = kind == .runLength ? runs(bytes, count: count) : inflated(bytes, count: count)
    guard let plain else { throw EXRProblem("some rows are damaged", help: "copy or render it again") }
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
