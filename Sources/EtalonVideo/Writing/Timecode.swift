package import EtalonTypes

/// The number of a frame as editing tools write it: hours, minutes, seconds and frames (SMPTE ST 12-1).
///
/// `01:00:00:00` counts every frame. `01:00:00;00` drops numbers, so that it keeps pace with the clock at 30000/1001 and 60000/1001 frames a second: the
/// first two, or four, of each minute but every tenth.
package struct Timecode: Equatable, Sendable, CustomStringConvertible {
  /// Frames from midnight on.
  private var number: Int
  /// How many frames a second counts: 30 at 29.97 frames a second.
  private let base: Int
  private let dropsNumbers: Bool

  /// Reads a timecode at a rate; nil for text that is none, and for frames that a second does not have.
  package init?(_ text: String, at rate: Rational) {
    let parts = text.split(separator: text.contains(";") ? ";" : ":", omittingEmptySubsequences: false)
    let words =
      text.contains(";") ? parts.first.map { $0.split(separator: ":", omittingEmptySubsequences: false) + parts.dropFirst() } : parts
    guard let words, words.count == 4, words.allSatisfy({ $0.utf8.count == 2 && $0.allSatisfy(\.isWholeNumber) }) else { return nil }
    let fields = words.compactMap { Int($0) }
    base = (rate + Rational(1, 2)).floor
    dropsNumbers = text.contains(";")
    guard fields.count == 4, base > 0, base <= 100, fields[0] < 24, fields[1] < 60, fields[2] < 60, fields[3] < base else { return nil }
    guard !dropsNumbers || base % 30 == 0 else { return nil }
    let minutes = fields[0] * 60 + fields[1]
    number = (minutes * 60 + fields[2]) * base + fields[3]
    if dropsNumbers { number -= base / 15 * (minutes - minutes / 10) }
  }

  /// The timecode some frames later; after midnight it begins anew.
  package func advanced(by frames: Int) -> Timecode {
    let day = 24 * 3600 * base - (dropsNumbers ? base / 15 * (24 * 60 - 24 * 6) : 0)
    var later = self
    later.number = ((number + frames) % day + day) % day
    return later
  }

  /// The timecode of the same time at another rate, nil where one of both drops numbers and the other cannot.
  package func converted(to rate: Rational) -> Timecode? {
    let other = (rate + Rational(1, 2)).floor
    guard other != base else { return self }
    guard !dropsNumbers, other > 0, other <= 100 else { return nil }
    return Timecode(number: number * other / base, base: other)
  }

  private init(number: Int, base: Int) { (self.number, self.base, dropsNumbers) = (number, base, false) }

  package var description: String {
    var shown = number
    if dropsNumbers {
      let dropped = base / 15
      let inMinute = base * 60 - dropped, inTen = inMinute * 10 + dropped
      let (tens, rest) = shown.quotientAndRemainder(dividingBy: inTen)
      shown += dropped * 9 * tens
      if rest >= base * 60 { shown += dropped * ((rest - base * 60) / inMinute + 1) }
    }
    let (seconds, frame) = shown.quotientAndRemainder(dividingBy: base)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(two(seconds / 3600)):\(two(seconds / 60 % 60)):\(two(seconds % 60))\(dropsNumbers ? ";" : ":")\(two(frame))"
  }
}
