package import EtalonDiagnostics
package import EtalonTypes

/// When the pictures of a numbered sequence show, as a person states it; what is not stated follows from the shot and the files.
///
/// ```
/// plate.####.png,rate=12,first=1001,speed=1/2,loop=ping-pong,missing=hold
/// ```
///
/// **Concurrency**: an immutable value.
package struct SequenceTiming: Sendable, Hashable {
  /// What comes after the last picture, and before the first.
  package enum Loop: String, Sendable, Hashable, CaseIterable {
    /// Nothing: the sequence shows once.
    case none
    /// The first picture again.
    case `repeat`
    /// The pictures in reverse, then again from the first; the two at the ends show once each time.
    case pingPong = "ping-pong"
  }

  /// What a frame shows whose picture is not there.
  package enum Missing: String, Sendable, Hashable, CaseIterable {
    /// Nothing: rendering is refused.
    case error
    /// The picture before it in the order in which they show; where there is none, the one after it.
    case hold
    /// Black: opaque where the pictures of the sequence are, else transparent.
    case black
  }

  /// Pictures a second; nil means as many as the shot has frames.
  package var rate: FrameRate?
  /// When the sequence begins, in seconds of the shot's clock; nil means with the shot.
  package var start: Rational?
  /// The number of the first picture; nil means the lowest that is there.
  package var first: Int?
  /// The number of the last picture; nil means the highest that is there.
  package var last: Int?
  /// How fast it shows; below zero it shows from the last picture to the first.
  package var speed = Rational(1)
  package var loop = Loop.none
  package var missing = Missing.error

  package init() {}

  /// When the pictures show in a shot; nil when the first number lies behind the last.
  ///
  /// - Parameter found: the lowest and the highest number that is there.
  package func schedule(in clock: ShotClock, found: ClosedRange<Int>) -> SequenceSchedule? {
    let first = first ?? found.lowerBound, last = last ?? found.upperBound
    guard first <= last else { return nil }
    return SequenceSchedule(
      numbers: first...last, rate: rate ?? clock.rate, start: start ?? clock.start, speed: speed, loop: loop)
  }
}

/// Tells which picture of a sequence shows at a time, in exact arithmetic: frame 10,000,000 is as right as frame 1.
///
/// **Concurrency**: an immutable value.
package struct SequenceSchedule: Sendable, Hashable {
  /// The numbers of the pictures.
  package let numbers: ClosedRange<Int>
  package let rate: FrameRate
  package let start: Rational
  package let speed: Rational
  package let loop: SequenceTiming.Loop

  /// What shows at a time.
  package enum Place: Sendable, Hashable {
    case picture(Int)
    /// The sequence has not begun; with the number that shows first.
    case before(Int)
    /// The sequence is over; with the number that showed last.
    case after(Int)
  }

  /// The place of a time, in seconds of the shot's clock.
  package func place(at time: Rational) -> Place {
    let position = ((time - start) * rate.framesPerSecond * (speed < .zero ? Rational.zero - speed : speed)).floor
    switch loop {
    case .none:
      if position < 0 { return .before(number(at: 0)) }
      return position < numbers.count ? .picture(number(at: position)) : .after(number(at: numbers.count - 1))
    case .repeat: return .picture(number(at: Self.remainder(position, numbers.count)))
    case .pingPong:
      let step = Self.remainder(position, turn)
      return .picture(number(at: min(step, turn - step)))
    }
  }

  /// The number of the picture that shows as the `position`th.
  private func number(at position: Int) -> Int {
    isReversed ? numbers.upperBound - position : numbers.lowerBound + position
  }

  /// Whether it shows from the last picture to the first.
  package var isReversed: Bool { speed < .zero }

  /// When a sequence that does not loop is over; nil when it never is.
  package var end: Rational? { loop == .none ? endOfRound : nil }

  /// When all pictures have shown for the first time, those of a sequence that goes to and fro both ways; nil for a still.
  package var endOfRound: Rational? {
    guard speed != .zero else { return nil }
    let count = loop == .pingPong ? turn : numbers.count
    return start + Rational(count) / rate.framesPerSecond / (isReversed ? Rational.zero - speed : speed)
  }

  /// How many places a sequence that goes to and fro has before it begins again.
  private var turn: Int { max(1, 2 * numbers.count - 2) }

  private static func remainder(_ value: Int, _ divisor: Int) -> Int {
    let remainder = value % divisor
    return remainder < 0 ? remainder + divisor : remainder
  }
}

// MARK: reading

/// One thing that a person said about a sequence, and where: `speed=1/2` behind a pattern, `speed: 1/2` in a document.
package struct SequenceField: Sendable, Hashable {
  package let key: String
  package let value: String
  package let source: SourceText
  package let keyRange: Range<Int>
  package let valueRange: Range<Int>

  package init(key: String, value: String, source: SourceText, keyRange: Range<Int>, valueRange: Range<Int>) {
    self.key = key
    self.value = value
    self.source = source
    self.keyRange = keyRange
    self.valueRange = valueRange
  }

  /// Whether it says which picture of a file is meant and what its numbers are, not when it shows.
  package var choosesPicture: Bool { SequenceTiming.pictureKeys.contains(key) }
}

extension SequenceTiming {
  /// What can be said about a sequence.
  package static let keys = ["rate", "start", "first", "last", "speed", "loop", "missing"] + pictureKeys

  /// What can be said about any picture that is read: a part and a layer of an OpenEXR file, and what numbers are.
  package static let pictureKeys = ["space", "part", "layer"]

  /// Reads what was said; all errors are thrown together.
  package init(_ fields: [SequenceField]) throws(DiagnosticsError) {
    var timing = SequenceTiming()
    var diagnostics: [Diagnostic] = []
    var seen: Set<String> = []
    for field in fields {
      if !seen.insert(field.key).inserted {
        diagnostics.append(field.repetition(of: .sequence))
      } else if let diagnostic = timing.set(field) {
        diagnostics.append(diagnostic)
      }
    }
    if let first = timing.first, let last = timing.last, first > last, let field = fields.first(where: { $0.key == "last" }) {
      diagnostics.append(
        field.diagnostic(
          "sequence.empty", "the last picture, \(last), lies before the first, \(first)", "before the first",
          help: "type 'last=\(first)' or more; 'speed=-1' shows a sequence in reverse"))
    }
    guard diagnostics.isEmpty else { throw DiagnosticsError(diagnostics) }
    self = timing
  }

  /// Takes over one field; returns what is wrong with it.
  private mutating func set(_ field: SequenceField) -> Diagnostic? {
    switch field.key {
    case "rate":
      rate = FrameRate(field.value)
      return rate == nil ? field.diagnostic("pictures a second above 0 and up to 1000", "not a rate", "rate=24", of: .sequence) : nil
    case "start":
      start = field.seconds
      return start == nil ? field.diagnostic("seconds of the shot", "not a time", "start=1.5", of: .sequence) : nil
    case "first":
      first = field.number
      return first == nil ? field.diagnostic("the number of a picture", "not a number", "first=1001", of: .sequence) : nil
    case "last":
      last = field.number
      return last == nil ? field.diagnostic("the number of a picture", "not a number", "last=1240", of: .sequence) : nil
    case "speed":
      guard let value = field.speed else {
        return field.diagnostic("a speed from -1000 to 1000", "not a speed", "speed=1/2", of: .sequence)
      }
      speed = value
      return nil
    case "loop": return field.choose(&loop, of: .sequence)
    case "missing": return field.choose(&missing, of: .sequence)
    default: return field.unknown(of: .sequence)
    }
  }
}

/// What is said about pictures that move, for errors.
enum MovingPictures: String {
  case sequence
  case video

  /// What can be said about it.
  var keys: [String] {
    switch self {
    case .sequence: SequenceTiming.keys
    case .video: VideoTiming.keys
    }
  }
}

extension SequenceField {
  var number: Int? { Int(value).flatMap { $0.magnitude <= FrameRange.largestFrame.magnitude ? $0 : nil } }

  /// Seconds, with or without the unit.
  var seconds: Rational? {
    Rational(seconds: value).flatMap { ShotClock.holds($0) ? $0 : nil }
  }

  /// A width and a height, each from 1 to 16384.
  var size: Size? {
    let sides = value.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    guard sides.count == 2, sides.allSatisfy({ (1...16384).contains($0) }) else { return nil }
    return Size(sides[0], sides[1])
  }

  /// A speed that a clock can follow.
  var speed: Rational? { Rational(value).flatMap { $0 >= Rational(-1000) && $0 <= Rational(1000) ? $0 : nil } }

  func diagnostic(_ expected: String, _ label: String, _ example: String, of kind: MovingPictures) -> Diagnostic {
    diagnostic("\(kind).\(key)", "expected \(expected), found '\(value)'", label, help: "type '\(example)'")
  }

  func diagnostic(_ id: String, _ message: String, _ label: String, help: String) -> Diagnostic {
    Diagnostic(id, message, labels: [.init(source, valueRange, label)], help: [help])
  }

  func choose<Choice: RawRepresentable<String> & CaseIterable>(_ choice: inout Choice, of kind: MovingPictures) -> Diagnostic? {
    if let known = Choice(rawValue: value) {
      choice = known
      return nil
    }
    let names = Choice.allCases.map(\.rawValue)
    let help = NearestName.find(value, in: names).map { "did you mean '\($0)'?" } ?? "choose from \(names.joined(separator: ", "))"
    return diagnostic("\(kind).\(key)", "'\(key)' of a \(kind) cannot be '\(value)'", "unknown", help: help)
  }

  /// What is wrong with the space of a picture; nil for other fields.
  package var refusedSpace: Diagnostic? {
    guard key == "space", PictureSpace(rawValue: value) == nil else { return nil }
    let names = PictureSpace.allCases.map(\.rawValue)
    let help = NearestName.find(value, in: names).map { "did you mean '\($0)'?" } ?? "choose from \(names.joined(separator: ", "))"
    return diagnostic("picture.space", "the space of a picture cannot be '\(value)'", "unknown", help: help)
  }

  func repetition(of kind: MovingPictures) -> Diagnostic {
    Diagnostic("\(kind).repeated", "'\(key)' is there twice", labels: [.init(source, keyRange, "again")], help: ["keep one of them"])
  }

  func unknown(of kind: MovingPictures) -> Diagnostic {
    let help = NearestName.find(key, in: kind.keys).map { "did you mean '\($0)'?" }
    return Diagnostic(
      "\(kind).unknown-key", "a \(kind) has no '\(key)'", labels: [.init(source, keyRange, "unknown")],
      help: [help ?? "what can be said is \(kind.keys.map { "'\($0)'" }.joined(separator: ", "))"])
  }
}
