package import EtalonTypes

/// When each frame of a shot happens: frame `n` is at `start + (n − first) / rate` seconds.
///
/// Counters and state count from `first`, so that a shot numbered from 1001 shows the same pictures as one numbered from 0.
package struct ShotClock: Sendable, Hashable {
  /// The number of the shot's first frame.
  package let first: Int
  /// The time of the first frame, in seconds.
  package let start: Rational
  package let rate: FrameRate

  package init(first: Int = 0, start: Rational = .zero, rate: FrameRate = .sixty) {
    self.first = first
    self.start = start
    self.rate = rate
  }

  /// Times lie between minus this many seconds and this many, about thirty years: so arithmetic with them is exact at every rate.
  package static let longestTime = Rational(1_000_000_000)

  /// Whether a time is one that shots may have.
  package static func holds(_ time: Rational) -> Bool { time >= .zero - longestTime && time <= longestTime }

  /// The exact time of a frame, in seconds.
  package func time(ofFrame frame: Int) -> Rational {
    start + Rational(frame - first) / rate.framesPerSecond
  }

  /// The number of the frame that shows at a time: the last one that starts at or before it.
  ///
  /// Exact for times that shots may have (`holds`), which those who read times check; of others it is the number that is nearest.
  package func frame(at time: Rational) -> Int {
    let (frame, overflows) = first.addingReportingOverflow(((time - start) * rate.framesPerSecond).floor)
    return overflows ? (first < 0 ? .min : .max) : frame
  }

  /// The first and the last frame of a shot of some length in seconds: a frame that begins within the length belongs to it.
  ///
  /// Nil where the length is not above 0, or has more frames than one run may.
  package func frames(lasting seconds: Rational) -> ClosedRange<Int>? { frames(counting: seconds * rate.framesPerSecond) }

  /// The same for a length as people write it: `10s`, `2.5`, `48f`; nil also for what is no length.
  package func frames(lasting text: String) -> ClosedRange<Int>? {
    if text.hasSuffix("f") { return Int(text.dropLast()).flatMap { $0 > 0 ? frames(counting: Rational($0)) : nil } }
    return Rational(seconds: text).flatMap { frames(lasting: $0) }
  }

  private func frames(counting length: Rational) -> ClosedRange<Int>? {
    guard length > .zero, length <= Rational(FrameRange.mostFrames) else { return nil }
    let last = first + -(Rational.zero - length).floor - 1
    return last <= FrameRange.largestFrame ? first...last : nil
  }
}

/// What the clocks of a shot show on one frame.
package struct ClockReading: Sendable, Hashable {
  /// The number of the frame, as `--frames` counts.
  package let frame: Int
  /// Frames since the shot's first one.
  package let index: Int
  /// Seconds on the shot's clock.
  package let time: Double
  /// From 0 on the first frame of the shot to 1 on its last; frames before and behind it have the nearest of the two.
  package let progress: Double
  /// Seconds that the shot takes.
  package let duration: Double

  /// Reads the clocks on a frame.
  ///
  /// - Parameter time: another time than the frame's own, for a single picture between two frames.
  /// - Parameter range: the first and the last frame of the shot, whichever of its frames are rendered; nil is a shot of this frame alone.
  package init(frame: Int, clock: ShotClock, time: Rational? = nil, range: ClosedRange<Int>? = nil) {
    let range = range ?? frame...frame
    self.frame = frame
    index = frame - clock.first
    var place = Double(frame - range.lowerBound)
    if let time, time != clock.time(ofFrame: frame) {
      place = ((time - clock.time(ofFrame: range.lowerBound)) * clock.rate.framesPerSecond).double
    }
    progress = range.count > 1 ? min(max(place / Double(range.count - 1), 0), 1) : 0
    duration = (Rational(range.count) / clock.rate.framesPerSecond).double
    self.time = (time ?? clock.time(ofFrame: frame)).double
  }

  /// For messages: `at frame 37 (time 1.54 s)`.
  package var words: String { "at frame \(frame) (time \(Self.short(time)) s)" }

  /// At most three digits behind the point.
  package static func short(_ seconds: Double) -> String {
    let thousandths = (seconds * 1000).rounded()
    return thousandths.magnitude < 1e15 && thousandths == (thousandths / 1000).rounded() * 1000
      ? "\(Int(thousandths / 1000))" : "\(thousandths / 1000)"
  }
}

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
