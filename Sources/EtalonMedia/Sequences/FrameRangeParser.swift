package import EtalonDiagnostics
package import EtalonTypes

/// Reads frame ranges as people type them: `0-119`, `1-100x2`, `7,9,20-30`, `-8--5`, `10-1x-1`, `1-10y3` (the frames that `x3` leaves out).
///
/// A colon is refused, because programs disagree about what it means.
package struct FrameRangeParser {
  private let source: SourceText
  private var frames: [Int] = []
  private var diagnostics: [Diagnostic] = []

  private init(_ source: SourceText) {
    self.source = source
  }

  /// The frames that a text means; `option` is what the text belongs to, such as `--frames`.
  package static func parse(_ text: String, option: String = "--frames") throws(DiagnosticsError) -> FrameRange {
    var parser = FrameRangeParser(SourceText(path: option, text: text))
    return try parser.parse()
  }

  private mutating func parse() throws(DiagnosticsError) -> FrameRange {
    for part in parts() { read(part) }
    if diagnostics.isEmpty, frames.isEmpty {
      report(
        "range.empty", "expected frame numbers, found nothing", 0..<source.bytes.count, "nothing here", help: ["'0-119' is 120 frames"])
    }
    guard diagnostics.isEmpty, let range = FrameRange(frames) else { throw DiagnosticsError(diagnostics) }
    return range
  }

  /// The byte ranges between commas and spaces; empty parts are kept where two commas meet.
  private func parts() -> [Range<Int>] {
    let bytes = source.bytes
    var found: [Range<Int>] = []
    var start = 0
    for index in 0...bytes.count where index == bytes.count || bytes[index] == UInt8(ascii: ",") || bytes[index] == UInt8(ascii: " ") {
      if start < index { found.append(start..<index) }
      start = index + 1
    }
    return found
  }

  private mutating func read(_ part: Range<Int>) {
    var scanner = NumberScanner(source.bytes, part)
    guard let first = scanner.number() else { return reportSyntax(part, at: scanner.position) }
    if scanner.isAtEnd { return add(part, first, first, step: 1, keepsOthers: false) }
    guard scanner.take("-"), let last = scanner.number() else { return reportSyntax(part, at: scanner.position) }
    if scanner.isAtEnd {
      guard first <= last else { return reportBackwards(part, first, last) }
      return add(part, first, last, step: 1, keepsOthers: false)
    }
    if scanner.take(":") { return reportColon(part, first, last, scanner.number()) }
    let keepsOthers = scanner.take("y")
    guard keepsOthers || scanner.take("x"), let step = scanner.number(), scanner.isAtEnd else {
      return reportSyntax(part, at: scanner.position)
    }
    add(part, first, last, step: step, keepsOthers: keepsOthers)
  }

  private mutating func add(_ part: Range<Int>, _ first: Int, _ last: Int, step: Int, keepsOthers: Bool) {
    guard step != 0 else { return report("range.step", "a step of 0 never ends", part, "step 0", help: ["type a step of 1 or more"]) }
    guard first == last || (step > 0) == (last > first) else { return reportDirection(part, first, last, step) }
    let largest = FrameRange.largestFrame
    guard abs(first) <= largest, abs(last) <= largest else {
      return report("range.too-large", "frame numbers end at \(largest)", part, "too large")
    }
    let count = keepsOthers ? abs(last - first) + 1 : (last - first) / step + 1
    guard count + frames.count <= FrameRange.mostFrames else { return reportTooMany(part, count + frames.count) }
    if keepsOthers {
      let everyFrame = stride(from: first, through: last, by: step > 0 ? 1 : -1)
      frames.append(contentsOf: everyFrame.filter { ($0 - first) % step != 0 })
    } else {
      frames.append(contentsOf: stride(from: first, through: last, by: step))
    }
  }
}

extension FrameRangeParser {
  private mutating func report(
    _ id: String, _ message: String, _ range: Range<Int>, _ label: String, help: [String] = [], notes: [String] = []
  ) {
    diagnostics.append(Diagnostic(id, message, labels: [.init(source, range, label)], help: help, notes: notes))
  }

  private func text(_ range: Range<Int>) -> String { String(decoding: source.bytes[range], as: UTF8.self) }

  private mutating func reportSyntax(_ part: Range<Int>, at position: Int) {
    if let dots = part.first(where: { source.bytes[$0...].starts(with: "..".utf8) && $0 + 2 <= part.upperBound }) {
      let dashed = text(part.lowerBound..<dots) + "-" + text(dots + 2..<part.upperBound)
      return report(
        "range.syntax", "expected '-' between the ends of a range, found '..'", dots..<dots + 2, "here", help: ["type '\(dashed)'"])
    }
    let rest = position..<part.upperBound
    let found = rest.isEmpty ? "the end of '\(text(part))'" : "'\(text(rest))'"
    report(
      "range.syntax", "expected a frame number or a range, found \(found)", rest.isEmpty ? part : rest, "not a range",
      help: ["ranges look like '0-119', '1-100x2', '7,9,20-30', '-8--5', '10-1x-1'"])
  }

  private mutating func reportBackwards(_ part: Range<Int>, _ first: Int, _ last: Int) {
    report(
      "range.backwards", "the range '\(text(part))' goes backwards", part, "ends before it starts",
      help: ["type '\(last)-\(first)' to render forwards", "type '\(first)-\(last)x-1' to render backwards"])
  }

  private mutating func reportDirection(_ part: Range<Int>, _ first: Int, _ last: Int, _ step: Int) {
    report(
      "range.backwards", "a step of \(step) never gets from \(first) to \(last)", part, "wrong direction",
      help: ["type '\(first)-\(last)x\(-step)'"])
  }

  private mutating func reportColon(_ part: Range<Int>, _ first: Int, _ last: Int, _ number: Int?) {
    let step = number.flatMap { $0 == 0 || $0.magnitude > 1 << 39 ? nil : $0 } ?? 2
    let stepped = "\(first), \(first + step), \(first + 2 * step), …"
    report(
      "range.colon", "'\(text(part))' has two readings", part, "step or order?",
      help: ["type '\(first)-\(last)x\(step)' for the frames \(stepped)", "type '\(first)-\(last)' for all frames"],
      notes: [
        "some programs (Open Job Description) read a colon as a step: the frames \(stepped)",
        "others (OpenCue, fileseq) read it as an order: \(stepped) first, then the frames between",
      ])
  }

  private mutating func reportTooMany(_ part: Range<Int>, _ count: Int) {
    report(
      "range.too-many", "\(count) frames are more than the \(FrameRange.mostFrames) of one run", part, "too many frames",
      help: ["render the range in parts"])
  }
}

/// Reads signed numbers from a part of a text.
private struct NumberScanner {
  private let bytes: [UInt8]
  private let end: Int
  private(set) var position: Int

  init(_ bytes: [UInt8], _ range: Range<Int>) {
    self.bytes = bytes
    position = range.lowerBound
    end = range.upperBound
  }

  var isAtEnd: Bool { position == end }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard position < end, bytes[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  /// A number with an optional minus; huge ones become a number that is too large for a frame.
  mutating func number() -> Int? {
    let start = position
    let isNegative = take("-")
    let digits = bytes[position..<end].prefix { (0x30...0x39).contains($0) }
    guard !digits.isEmpty else {
      position = start
      return nil
    }
    position += digits.count
    let magnitude = Int(String(decoding: digits, as: UTF8.self)).map { min($0, 1 << 40) } ?? 1 << 40
    return isNegative ? -magnitude : magnitude
  }
}
