/// Damage to texts, as slips of the hand and broken files do it: parts go missing, stand twice, or become something else.
package struct Damage: Sendable {
  private let scraps: [String]
  private let mostChanges: Int
  private let longestPart: Int

  /// - Parameters:
  ///   - scraps: what may turn up anywhere: words and signs that the reader of the text looks for.
  ///   - mostChanges: how many places may be damaged at once.
  ///   - longestPart: how many bytes may go missing, or stand twice.
  package init(scraps: [String], mostChanges: Int = 6, longestPart: Int = 12) {
    self.scraps = scraps
    self.mostChanges = mostChanges
    self.longestPart = longestPart
  }

  /// A damaged copy.
  package func applied(to bytes: [UInt8], _ numbers: inout SeededNumbers) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...mostChanges, using: &numbers) {
      let place = Int.random(in: 0...bytes.count, using: &numbers)
      let end = min(bytes.count, place + Int.random(in: 0...longestPart, using: &numbers))
      switch Int.random(in: 0..<4, using: &numbers) {
      case 0: bytes.removeSubrange(place..<end)
      case 1: bytes.insert(contentsOf: scraps[Int.random(in: 0..<scraps.count, using: &numbers)].utf8, at: place)
      case 2: bytes.insert(contentsOf: bytes[place..<end], at: place)
      default: if place < bytes.count { bytes[place] = UInt8.random(in: 0...255, using: &numbers) }
      }
    }
    return bytes
  }
}
