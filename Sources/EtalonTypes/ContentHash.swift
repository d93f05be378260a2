internal import CCrypto

/// A SHA-256 hash of some bytes, as the key of caches and the identity of recipes.
///
/// The hash is cryptographic because shaders of different authors share caches: a text must not be able to find the result of another one.
public struct ContentHash: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The 256 bits, eight bytes to a number, the first byte lowest.
  private let words: SIMD4<UInt64>

  /// Hashes bytes.
  public init(of bytes: [UInt8]) {
    var digest = SIMD4<UInt64>()
    unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe withUnsafeMutableBytes(of: &digest) { digest in
        _ = unsafe SHA256(bytes.baseAddress, bytes.count, digest.bindMemory(to: UInt8.self).baseAddress)
      }
    }
    words = SIMD4(digest[0].littleEndian, digest[1].littleEndian, digest[2].littleEndian, digest[3].littleEndian)
  }

  /// Whether its first byte that differs is the smaller one.
  public static func < (one: ContentHash, other: ContentHash) -> Bool {
    guard let place = (0..<4).first(where: { one.words[$0] != other.words[$0] }) else { return false }
    return one.words[place].byteSwapped < other.words[place].byteSwapped
  }

  /// The 32 bytes of the hash.
  fileprivate var bytes: [UInt8] { (0..<32).map { UInt8(truncatingIfNeeded: words[$0 / 8] >> UInt64(8 * ($0 % 8))) } }

  /// 64 lower-case hexadecimal digits.
  public var description: String {
    unsafe String(unsafeUninitializedCapacity: 64) { digits in
      for place in 0..<64 {
        let byte = words[place / 16] >> UInt64(place / 2 % 8 * 8)
        let digit = UInt8(truncatingIfNeeded: place % 2 == 0 ? byte >> 4 : byte) & 0xF
        unsafe digits[place] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
      }
      return 64
    }
  }
}

/// Collects named fields into one hash, so that no two different lists of fields give the same bytes.
public struct ContentHasher: Sendable {
  private var bytes: [UInt8] = []

  /// Starts an empty list of fields.
  public init() {}

  /// Adds a named field of raw bytes.
  public mutating func add(_ name: String, _ value: some Collection<UInt8>) {
    append(name.utf8)
    append(value)
  }

  /// Adds a named field that is a hash itself.
  public mutating func add(_ name: String, _ value: ContentHash) { add(name, value.bytes) }

  /// Adds a named field of text.
  public mutating func add(_ name: String, _ value: String) { add(name, value.utf8) }

  private mutating func append(_ part: some Collection<UInt8>) {
    let count = UInt64(part.count)
    for shift in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: count >> UInt64(8 * shift))) }
    bytes.append(contentsOf: part)
  }

  /// The hash of all fields in the order in which they were added.
  public func finish() -> ContentHash { ContentHash(of: bytes) }
}

/// A checksum that detects accidental damage, not deliberate changes; quicker than a `ContentHash`.
package enum Checksum {
  /// The checksum of some bytes.
  package static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var sum = UInt64(bytes.count)
    var place = 0
    func add(_ word: UInt64) {
      sum = (sum ^ word) &* 0x9E37_79B9_7F4A_7C15
      sum ^= sum >> 29
    }
    while place + 8 <= bytes.count {
      add(UInt64(littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)))
      place += 8
    }
    while place < bytes.count {
      add(UInt64(unsafe bytes[place]))
      place += 1
    }
    return sum
  }
}
