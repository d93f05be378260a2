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

  /// Reads a timecode at a rate; nil for text that is none, and for numbers that do not occur.
  package init?(_ text: String, at rate: Rational) {
    let bytes = Array(text.utf8), colon = UInt8(ascii: ":"), semicolon = UInt8(ascii: ";")
    guard bytes.count == 11, bytes[2] == colon, bytes[5] == colon, bytes[8] == colon || bytes[8] == semicolon else { return nil }
    let fields = text.split(whereSeparator: { $0 == ":" || $0 == ";" }).compactMap { UInt8($0) }.map(Int.init)
    guard fields.count == 4, let base = Self.base(of: rate), fields[0] < 24, fields[1] < 60, fields[2] < 60, fields[3] < base else {
      return nil
    }
    self.init(hours: fields[0], minutes: fields[1], seconds: fields[2], frames: fields[3], base: base, drops: bytes[8] == semicolon)
    guard !dropsNumbers || Self.drops(at: rate), description == text else { return nil }
  }

  private init(hours: Int, minutes: Int, seconds: Int, frames: Int, base: Int, drops: Bool) {
    (self.base, dropsNumbers) = (base, drops)
    let minute = hours * 60 + minutes
    number = (minute * 60 + seconds) * base + frames - (drops ? base / 15 * (minute - minute / 10) : 0)
  }

  private static func base(of rate: Rational) -> Int? {
    let base = (rate + Rational(1, 2)).floor
    return base > 0 && base <= 100 ? base : nil
  }

  private static func drops(at rate: Rational) -> Bool { rate == Rational(30000, 1001) || rate == Rational(60000, 1001) }

  /// The timecode some frames later; after midnight it begins anew.
  package func advanced(by frames: Int) -> Timecode {
    let day = 24 * 3600 * base - (dropsNumbers ? base / 15 * (24 * 60 - 24 * 6) : 0)
    var later = self
    later.number = ((number + frames) % day + day) % day
    return later
  }

  /// The timecode of the same moment at another rate; nil where numbers are dropped and the other rate drops none.
  package func converted(to rate: Rational) -> Timecode? {
    guard let other = Self.base(of: rate), !dropsNumbers || Self.drops(at: rate) else { return nil }
    let shown = fields
    var converted = Timecode(
      hours: shown.hours, minutes: shown.minutes, seconds: shown.seconds, frames: 0, base: other, drops: dropsNumbers)
    // The first numbers of a minute may be dropped, so that it begins with a later one.
    converted.number += shown.frames * other / base
    return converted
  }

  private var fields: (hours: Int, minutes: Int, seconds: Int, frames: Int) {
    var shown = number
    if dropsNumbers {
      let dropped = base / 15
      let inMinute = base * 60 - dropped, inTen = inMinute * 10 + dropped
      let (tens, rest) = shown.quotientAndRemainder(dividingBy: inTen)
      shown += dropped * 9 * tens
      if rest >= base * 60 { shown += dropped * ((rest - base * 60) / inMinute + 1) }
    }
    let (seconds, frame) = shown.quotientAndRemainder(dividingBy: base)
    return (seconds / 3600, seconds / 60 % 60, seconds % 60, frame)
  }

  package var description: String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let shown = fields
    return "\(two(shown.hours)):\(two(shown.minutes)):\(two(shown.seconds))\(dropsNumbers ? ";" : ":")\(two(shown.frames))"
  }
}
