import EtalonDiagnostics

/// Finds where a frame number goes in the name of a file.
struct FramePlaceFinder {
  struct Place {
    let range: Range<Int>
    let padding: Int
  }

  private static let widestPadding = 10
  private let source: SourceText
  private let start: Int
  private var bytes: [UInt8] { source.bytes }

  init(_ source: SourceText, from start: Int) {
    self.source = source
    self.start = start
  }

  func places() throws(DiagnosticsError) -> [Place] {
    var found: [Place] = []
    var index = start
    while index < bytes.count {
      if let place = try place(at: index) {
        guard place.padding <= Self.widestPadding else { throw tooWide(place) }
        found.append(place)
        index = place.range.upperBound
      } else {
        index += 1
      }
    }
    return found
  }

  private func place(at index: Int) throws(DiagnosticsError) -> Place? {
    switch bytes[index] {
    case UInt8(ascii: "#"): run(at: index)
    case UInt8(ascii: "@"): standsAlone(run(at: index)) ? run(at: index) : nil
    case UInt8(ascii: "%"): try percent(at: index)
    case UInt8(ascii: "$"): dollar(at: index)
    default: nil
    }
  }

  private func run(at index: Int) -> Place {
    let end = bytes[index...].firstIndex { $0 != bytes[index] } ?? bytes.count
    return Place(range: index..<end, padding: end - index)
  }

  /// `icon@2x.png` is an ordinary name: behind a number comes no letter or digit.
  private func standsAlone(_ place: Place) -> Bool {
    guard place.range.upperBound < bytes.count else { return true }
    let next = Character(Unicode.Scalar(bytes[place.range.upperBound]))
    return !(next.isASCII && (next.isLetter || next.isNumber))
  }

  /// `%d`, `%04d`; other formats of C are refused, a percent sign before anything else is an ordinary character.
  private func percent(at index: Int) throws(DiagnosticsError) -> Place? {
    let digits = bytes[(index + 1)...].prefix { (0x30...0x39).contains($0) }
    guard digits.endIndex < bytes.count else { return nil }
    let range = index..<digits.endIndex + 1
    let letter = bytes[digits.endIndex]
    if letter == UInt8(ascii: "d"), digits.isEmpty || digits.first == UInt8(ascii: "0") {
      return Place(range: range, padding: max(1, Int(String(decoding: digits.prefix(4), as: UTF8.self)) ?? 1))
    }
    guard "diuxXofgse".utf8.contains(letter), letter == UInt8(ascii: "d") || !digits.isEmpty else { return nil }
    throw wrongFormat(range, width: Int(String(decoding: digits.prefix(1), as: UTF8.self)) ?? 4)
  }

  private func dollar(at index: Int) -> Place? {
    guard index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "F") else { return nil }
    let digits = bytes[(index + 2)...].prefix { (0x30...0x39).contains($0) }
    return Place(range: index..<digits.endIndex, padding: max(1, Int(String(decoding: digits.prefix(4), as: UTF8.self)) ?? 1))
  }

  private func wrongFormat(_ range: Range<Int>, width: Int) -> DiagnosticsError {
    let typed = String(decoding: bytes[range], as: UTF8.self)
    let padding = min(max(width, 1), 9)
    return DiagnosticsError(
      Diagnostic(
        "pattern.format", "'\(typed)' is not a frame number with leading zeros", labels: [.init(source, range, "not '%0\(padding)d'")],
        help: ["type '%0\(padding)d' or '\(String(repeating: "#", count: padding))'"]))
  }

  private func tooWide(_ place: Place) -> DiagnosticsError {
    DiagnosticsError(
      Diagnostic(
        "pattern.too-wide", "a frame number has at most \(Self.widestPadding) digits, found \(place.padding)",
        labels: [.init(source, place.range, "too wide")], help: ["type '####'"]))
  }
}
