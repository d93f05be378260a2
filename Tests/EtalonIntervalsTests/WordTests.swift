import EtalonTestSupport
import Testing

@testable import EtalonIntervals

/// Words of which some bits are certain.
@Suite struct WordTests {
  /// A range, and some of the words that it stands for.
  private struct Sample {
    let range: Interval
    let words: [UInt32]
    let text: String

    init(_ range: Interval, _ words: [UInt32], _ text: String) { (self.range, self.words, self.text) = (range, words, text) }

    init(_ low: Double, _ high: Double, _ generator: inout SeededNumbers) {
      let words = (0..<4).map { _ in UInt32(truncatingIfNeeded: Int64.random(in: Int64(low)...Int64(high), using: &generator)) }
      self.init(Interval(low, high), words, "\(low)...\(high)")
    }

    /// The first word that it should hold and does not, read both ways.
    var lost: String? {
      let known = range.knownBits
      for isSigned in [false, true] {
        let read = range.reading(isSigned: isSigned)
        for word in words {
          let number = isSigned ? Double(Int32(bitPattern: word)) : Double(word)
          let isCertain = read.isExact || (word ^ read.lowWord) & read.certainBits == 0
          if !read.contains(number) || word & known.mask != known.value || !isCertain { return "\(number) is not in \(read) of \(text)" }
        }
      }
      return nil
    }
  }

  private static let corners: [UInt32] = [0, 1, 2, 4, 8, 16, 24, 31, 255, 256, 0xFF00, 0xFFFF, 65536, .max, 1 << 31]

  private static func leaf(_ generator: inout SeededNumbers) -> Sample {
    switch Int.random(in: 0..<4, using: &generator) {
    case 0:
      let word = corners.randomElement(using: &generator) ?? 0
      return Sample(Double(word), Double(word), &generator)
    case 1:
      let low = Double(Int.random(in: 0...252, using: &generator))
      return Sample(low, low + Double(Int.random(in: 0...3, using: &generator)), &generator)
    case 2:
      let low = Double(Int.random(in: -300...300, using: &generator))
      return Sample(low, low + Double(Int.random(in: 0...5, using: &generator)), &generator)
    default:
      let low = UInt32.random(in: 0 ... .max, using: &generator)
      return Sample(Double(low), Double(low | UInt32.random(in: 0...65535, using: &generator)), &generator)
    }
  }

  /// A random expression.
  private static func expression(depth: Int, _ generator: inout SeededNumbers) -> Sample {
    guard depth > 0 else { return leaf(&generator) }
    let a = expression(depth: depth - 1, &generator), b = expression(depth: Int.random(in: 0..<depth, using: &generator), &generator)
    let isSigned = Bool.random(using: &generator), count = UInt32.random(in: 0..<32, using: &generator), by = Interval(Double(count))
    func both(_ range: Interval, _ name: String, _ body: (UInt32, UInt32) -> UInt32) -> Sample {
      Sample(range, zip(a.words, b.words).map(body), "(\(a.text) \(name) \(b.text))")
    }
    func one(_ range: Interval, _ name: String, _ body: (UInt32) -> UInt32) -> Sample {
      Sample(range, a.words.map(body), "(\(a.text) \(name))")
    }
    switch Int.random(in: 0..<11, using: &generator) {
    case 0: return both(a.range.bitOr(b.range, isSigned: isSigned), "|", |)
    case 1: return both(a.range.bitAnd(b.range, isSigned: isSigned), "&", &)
    case 2: return both(a.range.bitXor(b.range, isSigned: isSigned), "^", ^)
    case 3: return one(a.range.bitNot(isSigned: isSigned), "~") { ~$0 }
    case 4: return one(a.range.shiftedLeft(by, isSigned: isSigned), "<< \(count)") { $0 << count }
    case 5: return one(a.range.shiftedRight(by, movesSign: false, isSigned: isSigned), ">> \(count)") { $0 >> count }
    case 6:
      return one(a.range.shiftedRight(by, movesSign: true, isSigned: isSigned), ">> \(count) with sign") {
        UInt32(bitPattern: Int32(bitPattern: $0) >> Int32(count))
      }
    case 7: return both(a.range.integerPlus(b.range, isSigned: isSigned), "+", &+)
    case 8: return both(a.range.integerTimes(b.range, isSigned: isSigned), "*", &*)
    case 9: return one(a.range.integerQuotient(Interval(Double(count + 1)), isSigned: false), "/ \(count + 1)") { $0 / (count + 1) }
    default: return one(a.range.integerRemainder(Interval(Double(count + 1)), isSigned: false), "% \(count + 1)") { $0 % (count + 1) }
    }
  }

  @Test func operationsLoseNoWord() {
    var generator = SeededNumbers(seed: 11), narrow = 0
    let count = 60_000
    for _ in 0..<count {
      let sample = Self.expression(depth: Int.random(in: 1...4, using: &generator), &generator)
      let lost = sample.lost
      #expect(lost == nil)
      if lost != nil { return }
      if sample.range.knownBits.mask.nonzeroBitCount >= 16 { narrow += 1 }
    }
    #expect(narrow > count / 2, "only \(narrow) of \(count) have 16 certain bits")
  }

  /// Channels that are put into a word and taken out of it by hand: what is open of one leaves the others certain.
  @Test(arguments: [false, true], [false, true]) func channelsPackedByHandStayCertain(bySums: Bool, byQuotients: Bool) {
    let channels = [Interval(100, 101), Interval(7), Interval(200), Interval(255)]
    let word = channels.enumerated().reduce(Interval(0)) { sum, channel in
      let place = Double(8 * channel.offset)
      let moved = channel.element.shiftedLeft(Interval(place), isSigned: false)
      guard bySums else { return sum.bitOr(moved, isSigned: false) }
      return sum.integerPlus(channel.element.integerTimes(Interval(Double(1 << (8 * channel.offset))), isSigned: false), isSigned: false)
    }
    for (number, channel) in channels.enumerated() {
      let read: Interval
      if byQuotients {
        read = word.integerQuotient(Interval(Double(1 << (8 * number))), isSigned: false).integerRemainder(Interval(256), isSigned: false)
      } else {
        read = word.shiftedRight(Interval(Double(8 * number)), movesSign: false, isSigned: false).bitAnd(Interval(255), isSigned: false)
      }
      #expect(read.low == channel.low && read.high == channel.high, "channel \(number) is \(read.low) to \(read.high)")
    }
  }
}
