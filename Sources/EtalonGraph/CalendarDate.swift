internal import EtalonTypes

/// A day and the seconds since its midnight, without a time zone: what a shader's clock shows on the first frame.
package struct CalendarDate: Sendable, Hashable {
  package let year: Int
  /// 1 to 12.
  package let month: Int
  /// 1 to 31.
  package let day: Int
  /// Seconds since midnight, from 0 to below 86,400.
  package let seconds: Double

  /// The date of a shot that does not say one, so that a picture does not depend on the day it is made.
  package static let fixed = CalendarDate(uncheckedYear: 2024, month: 1, day: 1, seconds: 0)

  private init(uncheckedYear year: Int, month: Int, day: Int, seconds: Double) {
    self.year = year
    self.month = month
    self.day = day
    self.seconds = seconds
  }

  /// Accepts dates of the Gregorian calendar from year 1 to 9999; nil otherwise.
  package init?(year: Int, month: Int, day: Int, seconds: Double) {
    guard (1...9999).contains(year), (1...12).contains(month), (0..<86_400).contains(seconds),
      day >= 1, day <= Self.days(in: month, of: year)
    else { return nil }
    self.init(uncheckedYear: year, month: month, day: day, seconds: seconds)
  }

  /// Reads `2024-06-01` and `2024-06-01T18:30:00.5`; nil when the text is no such date.
  package init?(_ text: some StringProtocol) {
    let halves = text.split(separator: "T", omittingEmptySubsequences: false)
    let day = halves[0].split(separator: "-", omittingEmptySubsequences: false).map { Self.digits($0) }
    guard halves.count <= 2, day.count == 3, let year = day[0], let month = day[1], let dayOfMonth = day[2] else { return nil }
    guard let seconds = halves.count == 1 ? 0 : Self.secondsOfDay(halves[1]) else { return nil }
    self.init(year: year, month: month, day: dayOfMonth, seconds: seconds)
  }

  private static func secondsOfDay(_ text: some StringProtocol) -> Double? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), let hours = digits(parts[0]), let minutes = digits(parts[1]), hours < 24, minutes < 60 else {
      return nil
    }
    guard let seconds = parts.count == 3 ? Rational(parts[2]) : .zero, seconds >= .zero, seconds < Rational(60) else { return nil }
    return Double(hours * 3600 + minutes * 60) + seconds.double
  }

  private static func digits(_ text: some StringProtocol) -> Int? {
    text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
  }

  private static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// The date some seconds later; carries over midnight, months and years.
  package func advanced(by elapsed: Double) -> CalendarDate {
    var total = seconds + elapsed
    var (year, month, day) = (year, month, day)
    while total >= 86_400 {
      total -= 86_400
      day += 1
      if day > Self.days(in: month, of: year) { (month, day) = (month + 1, 1) }
      if month > 12 { (year, month) = (year + 1, 1) }
    }
    while total < 0 {
      total += 86_400
      day -= 1
      if day < 1 { month -= 1 }
      if month < 1 { (year, month) = (year - 1, 12) }
      if day < 1 { day = Self.days(in: month, of: year) }
    }
    return CalendarDate(uncheckedYear: year, month: month, day: day, seconds: total)
  }
}
