/// The free parts of a block of memory, in the order of their offsets; neighbours are always merged.
struct FreeRanges: Sendable, Hashable {
  private(set) var ranges: [Range<Int>]
  private let byteCount: Int

  /// A block of which nothing is taken.
  init(byteCount: Int) {
    self.byteCount = byteCount
    ranges = [0..<byteCount]
  }

  /// Whether nothing is taken.
  var isAllFree: Bool { ranges == [0..<byteCount] }

  /// Takes the first part that fits; returns its offset, which is a multiple of `alignment`.
  mutating func take(_ count: Int, alignment: Int) -> Int? {
    for (index, range) in ranges.enumerated() {
      let start = (range.lowerBound + alignment - 1) / alignment * alignment
      guard start + count <= range.upperBound else { continue }
      let rest = [range.lowerBound..<start, start + count..<range.upperBound].filter { !$0.isEmpty }
      ranges.replaceSubrange(index...index, with: rest)
      return start
    }
    return nil
  }

  /// Gives a part back.
  mutating func give(_ part: Range<Int>) {
    let index = ranges.firstIndex { $0.lowerBound >= part.upperBound } ?? ranges.endIndex
    precondition(index == 0 || ranges[index - 1].upperBound <= part.lowerBound, "memory was given back twice")
    var merged = part
    var replaced = index..<index
    if index < ranges.endIndex, ranges[index].lowerBound == part.upperBound {
      merged = merged.lowerBound..<ranges[index].upperBound
      replaced = replaced.lowerBound..<index + 1
    }
    if index > 0, ranges[index - 1].upperBound == part.lowerBound {
      merged = ranges[index - 1].lowerBound..<merged.upperBound
      replaced = index - 1..<replaced.upperBound
    }
    ranges.replaceSubrange(replaced, with: [merged])
  }
}
