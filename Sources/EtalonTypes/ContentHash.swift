internal import CCrypto

/// A SHA-256 hash of some bytes, as the key of caches and the identity of recipes.
///
/// A cryptographic hash, because caches are shared between strangers' shaders: nobody may construct a text that finds another one's result.
public struct ContentHash: Sendable, Hashable, CustomStringConvertible {
  /// 64 lower-case hexadecimal digits.
  public let description: String

  /// Hashes bytes.
  public init(of bytes: [UInt8]) {
    var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
    unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe digest.withUnsafeMutableBufferPointer { digest in
        _ = unsafe SHA256(bytes.baseAddress, bytes.count, digest.baseAddress)
      }
    }
    description = digest.map { byte in
      let text = String(byte, radix: 16)
      return byte < 16 ? "0" + text : text
    }.joined()
  }
}

/// Collects named fields into one hash, so that no two different lists of fields give the same bytes.
public struct ContentHasher: Sendable {
  private var bytes: [UInt8] = []

  /// Starts an empty list of fields.
  public init() {}

  /// Adds a named field of raw bytes.
  public mutating func add(_ name: String, _ value: some Collection<UInt8>) {
    for part in [Array(name.utf8), Array(value)] {
      let count = UInt64(part.count)
      for shift in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: count >> UInt64(8 * shift))) }
      bytes.append(contentsOf: part)
    }
  }

  /// Adds a named field of text.
  public mutating func add(_ name: String, _ value: String) {
    add(name, Array(value.utf8))
  }

  /// The hash of all fields in the order in which they were added.
  public func finish() -> ContentHash { ContentHash(of: bytes) }
}
