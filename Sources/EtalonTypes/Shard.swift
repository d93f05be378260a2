/// One of several blocks, nearly equal and one behind the other, into which a list is cut: `2/8` is the second of eight.
///
/// **Concurrency**: an immutable value.
package struct Shard: Sendable, Hashable, CustomStringConvertible {
  /// From 1 to `count`.
  package let number: Int
  /// How many blocks there are.
  package let count: Int

  package static let mostBlocks = 1_000_000

  /// Nil where there is no such block.
  package init?(_ number: Int, of count: Int) {
    guard (1...Self.mostBlocks).contains(count), (1...count).contains(number) else { return nil }
    (self.number, self.count) = (number, count)
  }

  /// Reads `2/8`; nil for every other text.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ $0.allSatisfy { ("0"..."9").contains($0) } }), let number = Int(parts[0]),
      let count = Int(parts[1])
    else { return nil }
    self.init(number, of: count)
  }

  package var description: String { "\(number)/\(count)" }

  /// The places of its elements in a list of so many; empty where there are fewer elements than blocks.
  package func block(of total: Int) -> Range<Int> { (number - 1) * total / count..<number * total / count }
}
