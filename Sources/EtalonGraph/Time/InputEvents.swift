package import EtalonDiagnostics
internal import EtalonTypes

/// What the mouse and the keys do during a shot, written down, so that a render can be repeated.
///
/// ```
/// 0.5, mouse, down, 320, 180     seconds, or a frame number such as 12f
/// 0.75, mouse, move, 400, 200    pixels of the result from the bottom left
/// 1, mouse, up
/// 30f, key, tap, space           down on this frame, up on the next; also 'down' and 'up'
/// ```
/// An event happens on the first frame that starts at its time or after it; events of one frame happen in the order of the lines. Blank lines and
/// lines that begin with `#` say nothing.
package struct InputEvents: Sendable, Hashable, CustomStringConvertible {
  /// One thing that happens.
  package enum Action: Sendable, Hashable {
    case mouseDown(x: Double, y: Double)
    case mouseMove(x: Double, y: Double)
    case mouseUp
    /// The number that JavaScript gives to a key.
    case keyDown(UInt8)
    case keyUp(UInt8)
  }

  struct Event: Hashable {
    /// Counted from the shot's first frame.
    let frame: Int
    let action: Action
  }

  /// In the order in which they happen.
  let events: [Event]

  /// Reads the text of an events file; everything that is wrong with it is reported together.
  package init(_ source: SourceText, clock: ShotClock) throws(DiagnosticsError) {
    var reader = EventReader(source, clock)
    reader.read()
    guard reader.diagnostics.isEmpty else { throw DiagnosticsError(reader.diagnostics) }
    // Sorting keeps the order of the lines within a frame.
    events = reader.events.enumerated().sorted { ($0.element.frame, $0.offset) < ($1.element.frame, $1.offset) }.map(\.element)
  }

  private init(_ events: [Event]) { self.events = events }

  /// The same with positions as a proxy has them.
  package func computed(at proxy: ProxyScale) -> InputEvents {
    InputEvents(
      events.map { event in
        switch event.action {
        case .mouseDown(let x, let y): Event(frame: event.frame, action: .mouseDown(x: proxy.position(x), y: proxy.position(y)))
        case .mouseMove(let x, let y): Event(frame: event.frame, action: .mouseMove(x: proxy.position(x), y: proxy.position(y)))
        case .mouseUp, .keyDown, .keyUp: event
        }
      })
  }

  /// One event a line; equal texts mean equal pictures.
  package var description: String { events.map { "\($0.frame) \($0.action)\n" }.joined() }

  /// What the mouse and the keys are on a frame, counted from the shot's first one.
  package func state(onFrame frame: Int) -> InputState {
    var devices = InputDevices()
    var next = 0
    while next < events.count, events[next].frame < frame {
      let current = events[next].frame
      while next < events.count, events[next].frame == current {
        devices.apply(events[next].action)
        next += 1
      }
      _ = devices.look()
    }
    while next < events.count, events[next].frame == frame {
      devices.apply(events[next].action)
      next += 1
    }
    return devices.look()
  }
}

/// What the mouse and the keys are on one frame.
package struct InputState: Sendable, Hashable {
  /// The four numbers of `iMouse`.
  package let mouse: [Double]
  /// Three rows of 256 bits, 32 to a number: the keys that are held, those that were pressed on this very frame, and those whose every press turns
  /// them on or off.
  package let keys: [Double]
}

/// The mouse and the keys of a player, changed by events and looked at once a frame.
private struct InputDevices {
  private var position = (x: 0.0, y: 0.0)
  private var click = (x: 0.0, y: 0.0)
  private var isDown = false
  private var wasPressed = false
  private var held = KeySet()
  private var pressed = KeySet()
  private var toggled = KeySet()

  mutating func apply(_ action: InputEvents.Action) {
    switch action {
    case .mouseDown(let x, let y):
      (position, click) = ((x.rounded(.down), y.rounded(.down)), (x.rounded(.down), y.rounded(.down)))
      isDown = true
      wasPressed = true
    case .mouseMove(let x, let y): if isDown { position = (x.rounded(.down), y.rounded(.down)) }
    case .mouseUp: isDown = false
    case .keyDown(let key):
      held[key] = true
      pressed[key] = true
      toggled[key].toggle()
    case .keyUp(let key):
      held[key] = false
      pressed[key] = false
    }
  }

  /// The state that a shader reads on this frame; what lasts one frame is cleared afterwards.
  mutating func look() -> InputState {
    defer {
      wasPressed = false
      pressed = KeySet()
    }
    // The third number is positive while the button is held, the fourth on the frame of the click alone.
    let z = isDown ? click.x.magnitude : -click.x.magnitude
    let w = wasPressed ? click.y.magnitude : -click.y.magnitude
    return InputState(mouse: [position.x, position.y, z, w], keys: held.words + pressed.words + toggled.words)
  }
}

/// Some of the 256 keys.
private struct KeySet {
  private var bits = [UInt32](repeating: 0, count: 8)

  subscript(key: UInt8) -> Bool {
    get { bits[Int(key) / 32] >> (UInt32(key) % 32) & 1 == 1 }
    set {
      let bit = UInt32(1) << (UInt32(key) % 32)
      if newValue { bits[Int(key) / 32] |= bit } else { bits[Int(key) / 32] &= ~bit }
    }
  }

  /// As signed numbers, which uniforms hold.
  var words: [Double] { bits.map { Double(Int32(bitPattern: $0)) } }
}

// MARK: reading

/// Reads the lines of an events file.
private struct EventReader {
  private static let mostEvents = 100_000
  private static let longestLine = 256

  private let source: SourceText
  private let clock: ShotClock
  private(set) var events: [InputEvents.Event] = []
  private(set) var diagnostics: [Diagnostic] = []

  init(_ source: SourceText, _ clock: ShotClock) {
    self.source = source
    self.clock = clock
  }

  mutating func read() {
    for line in 1...source.lineCount {
      let range = source.byteRange(ofLine: line)
      guard let first = source.bytes[range].first(where: { $0 > 0x20 }), first != UInt8(ascii: "#") else { continue }
      guard range.count <= Self.longestLine, events.count < Self.mostEvents else {
        report(
          "events.limit", "the file has lines of more than \(Self.longestLine) bytes, or more than \(Self.mostEvents) events", range,
          "too much")
        return
      }
      read(SourceField.fields(of: range, in: source), range)
    }
  }

  private mutating func read(_ fields: [SourceField], _ line: Range<Int>) {
    guard fields.count >= 3 else {
      return report(
        "events.line", "expected a time, 'mouse' or 'key', and what it does", line, "too short",
        help: ["write '0.5, mouse, down, 320, 180'"])
    }
    guard let frame = frame(fields[0]) else { return }
    switch fields[1].text {
    case "mouse": readMouse(fields, frame, line)
    case "key": readKey(fields, frame, line)
    default: unknown("'mouse' or 'key'", fields[1], among: ["mouse", "key"])
    }
  }

  /// `0.5`, `0.5s`, `1001f`: the frame counted from the first one.
  private mutating func frame(_ field: SourceField) -> Int? {
    if field.text.hasSuffix("f"), let number = Int(field.text.dropLast()) {
      if number >= clock.first, number <= FrameRange.largestFrame { return number - clock.first }
      report(
        "events.before-start", "the shot begins with frame \(clock.first)", field.range, number < clock.first ? "too early" : "too late")
      return nil
    }
    guard let time = Rational(seconds: field.text) else {
      report(
        "events.time", "expected a time, found '\(field.text)'", field.range, "no time",
        help: ["write seconds, such as 0.5 or 1:30, or a frame, such as 12f"])
      return nil
    }
    guard time >= clock.start, time <= clock.start + Rational(Self.longestTime) else {
      report(
        "events.before-start", "the shot begins at \(clock.start) seconds", field.range, time < clock.start ? "too early" : "too late")
      return nil
    }
    let frame = clock.frame(at: time)
    return (clock.time(ofFrame: frame) < time ? frame + 1 : frame) - clock.first
  }

  private static let longestTime = 1_000_000

  // MARK: mouse

  private mutating func readMouse(_ fields: [SourceField], _ frame: Int, _ line: Range<Int>) {
    let actions = ["down", "move", "up"]
    guard actions.contains(fields[2].text) else { return unknown("'down', 'move' or 'up'", fields[2], among: actions) }
    if fields[2].text == "up" {
      if expect(3, fields, line, "0.5, mouse, up") { events.append(.init(frame: frame, action: .mouseUp)) }
      return
    }
    guard expect(5, fields, line, "0.5, mouse, \(fields[2].text), 320, 180") else { return }
    let numbers = fields[3...].map { number($0) }
    guard let x = numbers[0], let y = numbers[1] else { return }
    events.append(.init(frame: frame, action: fields[2].text == "down" ? .mouseDown(x: x, y: y) : .mouseMove(x: x, y: y)))
  }

  private mutating func number(_ field: SourceField) -> Double? {
    if let number = Rational(field.text)?.double { return number }
    report("events.number", "expected pixels, found '\(field.text)'", field.range, "no number")
    return nil
  }

  // MARK: keys

  private mutating func readKey(_ fields: [SourceField], _ frame: Int, _ line: Range<Int>) {
    let actions = ["down", "up", "tap"]
    guard actions.contains(fields[2].text) else { return unknown("'down', 'up' or 'tap'", fields[2], among: actions) }
    guard expect(4, fields, line, "0.5, key, \(fields[2].text), space"), let key = key(fields[3]) else { return }
    if fields[2].text != "up" { events.append(.init(frame: frame, action: .keyDown(key))) }
    if fields[2].text != "down" { events.append(.init(frame: fields[2].text == "tap" ? frame + 1 : frame, action: .keyUp(key))) }
  }

  private mutating func key(_ field: SourceField) -> UInt8? {
    if let key = KeyNames.code(of: field.text) { return key }
    report(
      "events.key", "there is no key '\(field.text)'", field.range, "unknown",
      help: (field.text.count > 1 ? NearestName.find(field.text, in: KeyNames.all) : nil).map { ["did you mean '\($0)'?"] } ?? [],
      notes: [
        "keys: a to z, digit0 to digit9, f1 to f12, \(KeyNames.words.keys.sorted().joined(separator: ", ")), or a number of JavaScript's"
      ])
    return nil
  }

  // MARK: reporting

  private mutating func expect(_ count: Int, _ fields: [SourceField], _ line: Range<Int>, _ example: String) -> Bool {
    if fields.count == count { return true }
    let place = fields.count > count ? fields[count].range : line
    report(
      "events.line", "expected \(count) fields, found \(fields.count)", place, fields.count > count ? "one too many" : "too short",
      help: ["write '\(example)'"])
    return false
  }

  private mutating func unknown(_ expected: String, _ field: SourceField, among words: [String]) {
    report(
      "events.word", "expected \(expected), found '\(field.text)'", field.range, "unknown",
      help: NearestName.find(field.text, in: words).map { ["did you mean '\($0)'?"] } ?? [])
  }

  private mutating func report(
    _ id: String, _ message: String, _ range: Range<Int>, _ label: String, help: [String] = [], notes: [String] = []
  ) {
    diagnostics.append(Diagnostic(id, message, labels: [.init(source, range, label)], help: help, notes: notes))
  }
}

/// The numbers that JavaScript gives to keys, by what is printed on them.
enum KeyNames {
  static let words: [String: UInt8] = [
    "backspace": 8, "tab": 9, "enter": 13, "shift": 16, "control": 17, "alt": 18, "escape": 27, "space": 32, "pageup": 33, "pagedown": 34,
    "end": 35, "home": 36, "left": 37, "up": 38, "right": 39, "down": 40, "insert": 45, "delete": 46,
  ]

  static let all: Set<String> = {
    let letters = (UInt8(ascii: "a")...UInt8(ascii: "z")).map { String(UnicodeScalar($0)) }
    return Set(words.keys).union(letters + (0...9).map { "digit\($0)" } + (1...12).map { "f\($0)" })
  }()

  /// The number of a key; nil for a name that no key has.
  static func code(of name: String) -> UInt8? {
    let name = name.lowercased()
    if let number = UInt8(name), name.allSatisfy(\.isNumber) { return number }
    if let code = words[name] { return code }
    guard all.contains(name) else { return nil }
    if name.hasPrefix("digit"), let digit = UInt8(name.dropFirst(5)) { return 48 + digit }
    if name.count > 1, let number = UInt8(name.dropFirst()) { return 111 + number }
    return name.utf8.first.map { $0 - 32 }
  }
}
