/// What is worth keeping of one compilation.
struct CacheEntry: Sendable, Hashable {
  let words: [UInt32]
  /// What the compiler wrote; kept as text because places are looked up anew for the file that is compiled now.
  let log: String

  init(words: [UInt32], log: String) {
    self.words = words
    self.log = log
  }

  private static let countLength = 8

  /// The bytes of a file: number of words, words, log; numbers are little-endian.
  var fileBytes: [UInt8] {
    var payload: [UInt8] = []
    payload.reserveCapacity(Self.countLength + words.count * 4 + log.utf8.count)
    let count = UInt64(words.count)
    for shift in 0..<Self.countLength { payload.append(UInt8(truncatingIfNeeded: count >> UInt64(8 * shift))) }
    for word in words {
      for shift in 0..<4 { payload.append(UInt8(truncatingIfNeeded: word >> UInt32(8 * shift))) }
    }
    return payload + Array(log.utf8)
  }

  /// Reads what `fileBytes` wrote; nil when the bytes are anything else.
  init?(fileBytes: [UInt8]) {
    let payload = fileBytes
    guard payload.count >= Self.countLength else { return nil }
    let count = payload[..<Self.countLength].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard count <= UInt64((payload.count - Self.countLength) / 4) else { return nil }
    let wordsEnd = Self.countLength + Int(count) * 4
    words = stride(from: Self.countLength, to: wordsEnd, by: 4).map { start in
      UInt32(payload[start]) | UInt32(payload[start + 1]) << 8 | UInt32(payload[start + 2]) << 16 | UInt32(payload[start + 3]) << 24
    }
    log = String(decoding: payload[wordsEnd...], as: UTF8.self)
  }
}
