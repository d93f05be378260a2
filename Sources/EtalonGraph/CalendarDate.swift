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

  /// The date some seconds later; carries over midnight, months and years, and ends with the year 9999, as it begins with year 1.
  package func advanced(by elapsed: Double) -> CalendarDate {
    let total = seconds + elapsed
    let days = (total / Self.secondsOfDay).rounded(.down)
    guard days.magnitude < Double(Self.lastDay) else { return elapsed < 0 ? Self.earliest : Self.latest }
    let day = dayNumber + Int(days)
    guard (0...Self.lastDay).contains(day) else { return day < 0 ? Self.earliest : Self.latest }
    return CalendarDate(dayNumber: day, seconds: min(max(total - days * Self.secondsOfDay, 0), Self.secondsOfDay.nextDown))
  }

  // MARK: Days

  private static let secondsOfDay = 86_400.0
  private static let earliest = CalendarDate(uncheckedYear: 1, month: 1, day: 1, seconds: 0)
  private static let latest = CalendarDate(uncheckedYear: 9999, month: 12, day: 31, seconds: secondsOfDay.nextDown)
  private static let lastDay = latest.dayNumber

  /// Days since the first of January of year 1.
  private var dayNumber: Int {
    (1..<month).reduce(Self.days(before: year)) { $0 + Self.days(in: $1, of: year) } + day - 1
  }

  private init(dayNumber: Int, seconds: Double) {
    // A year has at least 365 days, so the first guess is never too early.
    var year = dayNumber / 365 + 1
    while Self.days(before: year) > dayNumber { year -= 1 }
    var month = 1, rest = dayNumber - Self.days(before: year)
    while rest >= Self.days(in: month, of: year) {
      rest -= Self.days(in: month, of: year)
      month += 1
    }
    self.init(uncheckedYear: year, month: month, day: rest + 1, seconds: seconds)
  }

  /// The days of all years before one.
  private static func days(before year: Int) -> Int {
    let past = year - 1
    return past * 365 + past / 4 - past / 100 + past / 400
  }
}
