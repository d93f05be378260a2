import ArgumentParser
import Etalon
import EtalonDiagnostics
import EtalonGraph
import EtalonMedia
import EtalonTypes
import Foundation

/// The text of an option, or of the key of a document that stands for it, with the readings that options have in common; every error
/// points into the text.
struct OptionText {
  let option: String
  let text: String
  private let source: SourceText
  /// Where the text stands in a document; nil where it was typed.
  private let word: GraphText.Word?

  init(_ option: String, _ text: String, from word: GraphText.Word? = nil) {
    self.option = option
    self.text = text
    self.word = word
    source = SourceText(path: option, text: text)
  }

  /// What makes an option or a key have a value: `type '--size 1280x720'`, `write 'size: 1280x720'`.
  func example(_ value: some StringProtocol, of option: String? = nil) -> String {
    let name = option ?? self.option
    guard word != nil else { return "type '\(name) \(value)'" }
    return "write '\(GraphText.key(ofOption: name)): \(value)'"
  }

  /// An error about the whole text, or about a part of it.
  func error(_ id: String, _ message: String, at range: Range<Int>? = nil, _ label: String, help: [String]) -> DiagnosticsError {
    let isExponent = range == nil && text.wholeMatch(of: /[+-]?[0-9.]+[eE][+-]?[0-9]+[a-z]?/) != nil
    return placed(
      DiagnosticsError(
        Diagnostic(
          id, message, labels: [.init(source, range ?? 0..<text.utf8.count, isExponent ? "has an exponent" : label)],
          help: (isExponent ? ["numbers are written without an exponent here"] : []) + help)))
  }

  /// The text, or the place in a document that stands for it.
  func label(_ text: String) -> Diagnostic.Label { word?.label(text) ?? .init(source, 0..<self.text.utf8.count, text) }

  /// The frames of a text such as `0-119`.
  func frameRange() throws(DiagnosticsError) -> FrameRange {
    do throws(DiagnosticsError) { return try FrameRangeParser.parse(text, option: option) } catch { throw placed(error) }
  }

  /// Errors in the text, where the text stands.
  private func placed(_ error: DiagnosticsError) -> DiagnosticsError {
    guard let word else { return error }
    return DiagnosticsError(
      error.diagnostics.map { found in
        let labels = found.labels.map { word.label($0.message, at: $0.range) }
        return Diagnostic(found.id, found.message, severity: found.severity, labels: labels, help: found.help, notes: found.notes)
      })
  }

  /// The byte range of the first place where a part of the text stands.
  func range(of part: some StringProtocol) -> Range<Int>? {
    source.bytes.firstRange(of: Array(part.utf8))
  }

  /// `1280x720`.
  func size() throws(DiagnosticsError) -> Size {
    let parts = text.split(separator: "x", omittingEmptySubsequences: false)
    // Numbers of any length count as numbers: what is too large for Int is too large for a picture.
    let sides = parts.compactMap { part in part.utf8.allSatisfy { (0x30...0x39).contains($0) } && !part.isEmpty ? Int(part) ?? .max : nil }
    guard parts.count == 2, sides.count == 2, sides[0] > 0, sides[1] > 0 else {
      throw error("usage.size", "expected a width and a height, found '\(text)'", "not a size", help: [example("1280x720")])
    }
    guard sides[0] <= Self.longestSide, sides[1] <= Self.longestSide, sides[0] * sides[1] <= Self.mostPixels else {
      throw error(
        "usage.size", "a picture of \(text) is too large", "too large",
        help: ["a side may have up to \(Self.longestSide) pixels, and a picture \(Self.mostPixels >> 20) million (16384x16384)"])
    }
    return Size(sides[0], sides[1])
  }

  /// `1/2`, `0.25`.
  func proxy() throws(DiagnosticsError) -> ProxyScale {
    guard let factor = Rational(text), factor > .zero else {
      throw error("usage.scale", "expected a factor above 0, found '\(text)'", "not a factor", help: ["type '--scale 1/2'"])
    }
    guard factor <= 1 else {
      throw error(
        "usage.scale", "a proxy is smaller than the whole, not \(text) times as large", "above 1",
        help: ["type '--size' for a larger picture"])
    }
    guard factor >= Rational(1, 64) else {
      throw error("usage.scale", "little is left at 1/64 of the size, and less at \(text)", "too small", help: ["type '--scale 1/4'"])
    }
    return ProxyScale(factor)
  }

  /// Frames before the shot's first one have no state that they could follow from.
  func refuse(_ frames: FrameRange, before first: Int, isGiven: Bool) throws(DiagnosticsError) {
    guard let earliest = frames.frames.min(), earliest < first else { return }
    throw error(
      "usage.before-first", "frame \(earliest) lies before the shot's first frame, which is \(first)", "begins too early",
      help: [example("\(earliest)", of: "--first") + (isGiven ? ", or later frames" : " if the shot begins there")])
  }

  private static let longestSide = 32768
  private static let mostPixels = 1 << 28

  /// `24`, `23.976`, `24000/1001`.
  func frameRate() throws(DiagnosticsError) -> FrameRate {
    guard let rate = FrameRate(text) else {
      throw error(
        "usage.rate", "expected frames a second above 0 and up to 1000, found '\(text)'", "not a rate",
        help: ["type '--rate 24', '--rate 23.976' or '--rate 24000/1001'"])
    }
    return rate
  }

  /// `2.5`, `2.5s`, `1:30`, `1001/24`; above `least` where it is given, and at or after the time of a shot's first frame.
  func seconds(above least: Rational? = nil, notBefore start: Rational? = nil) throws(DiagnosticsError) -> Rational {
    guard let seconds = Rational(seconds: text), least.map({ seconds > $0 }) ?? true else {
      let bound = least.map { " above \($0)" } ?? ""
      throw error("usage.seconds", "expected seconds\(bound), found '\(text)'", "not a time", help: [example("2.5")])
    }
    guard ShotClock.holds(seconds) else {
      throw error("usage.seconds", "times end at \(ShotClock.longestTime) seconds", "too far", help: [example("2.5")])
    }
    if let start, seconds < start {
      throw error(
        "usage.before-start", "\(text) lies before the first frame, which is at \(start) seconds", "too early",
        help: ["type '--start \(text)' to let the shot begin there"])
    }
    return seconds
  }

  /// The length of a shot that is said in seconds; nil for a number of frames.
  var lengthInSeconds: Rational? { text.hasSuffix("f") ? nil : Rational(seconds: text) }

  /// `1001`.
  func frameNumber() throws(DiagnosticsError) -> Int {
    guard let number = Int(text), number.magnitude <= FrameRange.largestFrame.magnitude else {
      throw error(
        "usage.frame", "expected a frame number up to \(FrameRange.largestFrame), found '\(text)'", "not a frame number",
        help: [example("1001")])
    }
    return number
  }

  /// `10s`, `2.5`, `48f`: the frames of a shot of that length.
  func frames(clock: ShotClock) throws(DiagnosticsError) -> ClosedRange<Int> {
    if let range = clock.frames(lasting: text) { return range }
    let isFrames = text.hasSuffix("f")
    guard isFrames ? Int(text.dropLast()).map({ $0 > 0 }) ?? false : Rational(seconds: text).map({ $0 > .zero }) ?? false else {
      throw error(
        "usage.duration", "expected a length above 0, found '\(text)'", "not a length",
        help: [example("10s") + (word == nil ? " or '\(option) 48f'" : " or '48f'")])
    }
    throw error(
      "usage.duration", "'\(text)' is more than the \(FrameRange.mostFrames) frames of one run", "too long", help: ["render it in parts"])
  }

  /// `name=value`.
  func assignment(example: String) throws(DiagnosticsError) -> (name: String, value: String) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    if parts.count == 2, !parts[0].isEmpty, parts[1].isEmpty {
      throw error(
        "usage.assignment", "'\(parts[0])' has no value", "nothing behind it",
        help: ["type '\(option) \(example)'"] + (option == "--set" ? ["for an empty text type --set '\(parts[0])=\"\"'"] : []))
    }
    guard parts.count == 2, !parts[0].isEmpty else {
      throw error(
        "usage.assignment", "expected a name, '=' and a value, found '\(text)'", "no assignment", help: ["type '\(option) \(example)'"])
    }
    return (String(parts[0]), String(parts[1]))
  }

  /// Refuses a name that was assigned before.
  func refuseRepetition(of name: String, in earlier: some Sequence<String>) throws(DiagnosticsError) {
    guard earlier.contains(name) else { return }
    throw error("usage.repeated", "'\(name)' has two values", at: range(of: name), "again", help: ["keep one of them"])
  }

  /// `x,y` or `x,y,down`.
  func pointer() throws(DiagnosticsError) -> PointerState {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.prefix(2).compactMap { Rational($0)?.double }
    guard numbers.count == 2, parts.count == 2 || (parts.count == 3 && parts[2] == "down") else {
      throw error(
        "usage.mouse", "expected a position in pixels, found '\(text)'", "not a position",
        help: ["type '--mouse 320,180', or '--mouse 320,180,down' for a held button"])
    }
    return PointerState(x: numbers[0], y: numbers[1], isDown: parts.count == 3)
  }

  /// `2024-06-01`, `2024-06-01T18:30:00`, `now`.
  func date() throws(DiagnosticsError) -> CalendarDate {
    if text == "now" { return .now }
    guard let date = CalendarDate(text) else {
      throw error(
        "usage.date", "expected a date, found '\(text)'", "not a date", help: ["type '--date 2024-06-01T18:30:00', or '--date now'"])
    }
    return date
  }

  /// One of several words.
  func choice<Choice>(of choices: KeyValuePairs<String, Choice>) throws(DiagnosticsError) -> Choice {
    guard let choice = choices.first(where: { $0.key == text })?.value else {
      let names = choices.map { "'\($0.key)'" }
      throw error("usage.choice", "expected one of \(names.joined(separator: ", ")), found '\(text)'", "unknown", help: [])
    }
    return choice
  }

  /// One of the cases of a type, by its raw value.
  func named<Choice: RawRepresentable<String> & CaseIterable>() throws(DiagnosticsError) -> Choice {
    guard let choice = Choice(rawValue: text) else {
      let names = Choice.allCases.map { "'\($0.rawValue)'" }
      throw error("usage.choice", "expected one of \(names.joined(separator: ", ")), found '\(text)'", "unknown", help: [])
    }
    return choice
  }
}

extension CalendarDate {
  /// The date and time of this moment, in the time zone of the machine.
  static var now: CalendarDate {
    let now = Date()
    let parts = Calendar(identifier: .gregorian).dateComponents(
      [.year, .month, .day, .hour, .minute, .second, .nanosecond], from: now)
    let seconds = Double((parts.hour ?? 0) * 3600 + (parts.minute ?? 0) * 60 + (parts.second ?? 0)) + Double(parts.nanosecond ?? 0) * 1e-9
    return CalendarDate(year: parts.year ?? 2024, month: parts.month ?? 1, day: parts.day ?? 1, seconds: seconds) ?? .fixed
  }
}

// MARK: single options

/// The dialect of files whose content does not tell it.
struct DialectOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "What a file is written in, where its text does not tell: shadertoy, isf, gl-transition, native, fragment or compute.",
      valueName: "dialect"))
  var dialect: String?

  /// The name of the dialect, if there is one.
  func name() throws(UsageError) -> String? {
    guard let dialect else { return nil }
    do throws(DiagnosticsError) { return try OptionText("--dialect", dialect).dialect() } catch {
      throw UsageError(diagnostics: error.diagnostics)
    }
  }
}

/// What stands in for a picture that is missing.
enum StandIn: String {
  case fail
  case testCard = "test-card"
  case lookalike

  var standIns: StandIns {
    switch self {
    case .fail: []
    case .testCard: .testCards
    case .lookalike: .lookalikes
    }
  }
}

extension OptionText {
  /// What stands in.
  func standIn() throws(DiagnosticsError) -> StandIn {
    try choice(of: ["fail": .fail, "test-card": .testCard, "lookalike": .lookalike])
  }

  /// The name of a dialect.
  func dialect() throws(DiagnosticsError) -> String {
    try choice(of: [
      "shadertoy": "shadertoy", "isf": "isf", "gl-transition": "gl-transition", "native": "native", "fragment": "fragment",
      "compute": "compute",
    ])
  }
}

/// Reads `--sampler iChannel0=mipmap,repeat,vflip`.
enum SamplerOption {
  static func parse(_ option: OptionText) throws(DiagnosticsError) -> (input: String, change: SamplerChange) {
    let (input, list) = try option.assignment(example: "iChannel0=mipmap,repeat")
    var change = SamplerChange()
    var start = input.utf8.count + 1
    for word in list.split(separator: ",", omittingEmptySubsequences: false) {
      defer { start += word.utf8.count + 1 }
      if let value = Sampler.Interpolation(rawValue: String(word)), change.interpolation == nil {
        change.interpolation = value
      } else if let value = Sampler.AddressMode(rawValue: String(word)), change.address == nil {
        change.address = value
      } else if word == "vflip" || word == "novflip", change.isFlipped == nil {
        change.isFlipped = word == "novflip"
      } else {
        throw unknown(word, at: start..<start + word.utf8.count, in: option)
      }
    }
    return (input, change)
  }

  private static func unknown(_ word: Substring, at place: Range<Int>, in option: OptionText) -> DiagnosticsError {
    let words = Sampler.Interpolation.allCases.map(\.rawValue) + Sampler.AddressMode.allCases.map(\.rawValue) + ["vflip", "novflip"]
    let isRepeated = words.contains(String(word))
    let help = NearestName.find(String(word), in: words).map { "did you mean '\($0)'?" } ?? "choose from \(words.joined(separator: ", "))"
    return option.error(
      "usage.sampler", isRepeated ? "'\(word)' contradicts what stands before it" : "there is no way of reading called '\(word)'",
      at: place, isRepeated ? "contradiction" : "unknown", help: isRepeated ? ["keep one of each kind"] : [help])
  }
}

/// The text of `--output`: a file, or the name of an output, `=`, and a file; behind the file what it is: `matte=matte.####.png,bits=16,alpha=opaque`.
struct OutputOption {
  /// The output; nil for the result.
  let output: String?
  let path: String
  /// What is said about the file, in the order of the text.
  private let fields: [(key: String, value: String)]
  private let text: String

  init(_ text: String) {
    self.text = text
    var path = Substring(text)
    var fields: [(key: String, value: String)] = []
    while let comma = path.lastIndex(of: ","), let field = Self.field(path[path.index(after: comma)...]) {
      fields.insert(field, at: 0)
      path = path[..<comma]
    }
    self.fields = fields
    // What stands before '=' is an output only when an output could have that name.
    let parts = path.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let isNamed = parts.count == 2 && GraphText.isOutputName(parts[0]) && !parts[1].isEmpty
    output = isNamed ? String(parts[0]) : nil
    self.path = String(isNamed ? parts[1] : path)
  }

  /// `bits=16`; nil for what may be the end of a path.
  private static func field(_ text: Substring) -> (key: String, value: String)? {
    let parts = text.split(separator: "=", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, parts.joined().allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }) else { return nil }
    return (String(parts[0]), String(parts[1]))
  }

  /// Whether the file is an OpenEXR file, which holds light.
  var isLight: Bool { FrameFileType(path: path) == .exr }

  /// What the files are where that is not what other options say.
  func form() throws(DiagnosticsError) -> RenderRequest.OutputForm {
    var form = RenderRequest.OutputForm(isLight: isLight)
    for (key, value) in fields {
      let field = "\(key)=\(value)"
      switch key {
      case "bits":
        let choices: KeyValuePairs<String, Int?> = isLight ? ["16": 16, "32": 32] : ["8": 8, "10": 10, "16": 16]
        form.bits = try OptionText("--output \(field)", value).choice(of: choices)
      case "alpha":
        form.alpha = try OptionText("--output \(field)", value)
          .choice(of: ["opaque": .opaque, "straight": .straight, "premultiplied": .premultiplied])
      default:
        let option = OptionText("--output", text)
        let nearest = NearestName.find(key, in: ["bits", "alpha"]).map { "did you mean '\($0)'?" }
        throw option.error(
          "usage.output-field", "nothing is called '\(key)' of a file", at: option.range(of: field), "unknown",
          help: [nearest ?? "type 'bits=16' or 'alpha=opaque'; a file with such a name is written with another ending"])
      }
    }
    return form
  }
}
