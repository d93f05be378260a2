package import EtalonDiagnostics
internal import EtalonSystem
import Glibc

/// The name of an output or input with a place for the frame number: `out/plasma.####.png`, `%04d`, `@@@`, `$F4`.
///
/// `#` and `@` stand for one digit each; a number that needs more digits gets them. The number is in the file's name, never in a folder's.
package struct FramePattern: Sendable, Hashable, CustomStringConvertible {
  /// The text as it was typed.
  package let description: String
  /// The folder with its final slash, empty for the working directory.
  package let folder: String
  /// What stands before the number in the file's name; the whole name when there is no number.
  package let prefix: String
  /// What stands behind the number.
  package let suffix: String
  /// The least number of characters of the number; nil when there is no place for one.
  package let padding: Int?

  /// Whether there is a place for a frame number.
  package var hasNumber: Bool { padding != nil }

  /// Makes a pattern from its parts.
  package init(folder: String, prefix: String, padding: Int?, suffix: String) {
    self.folder = folder
    self.prefix = prefix
    self.suffix = suffix
    self.padding = padding
    description = folder + prefix + (padding.map { String(repeating: "#", count: $0) } ?? "") + suffix
  }

  /// Reads a pattern; `option` is what the text belongs to, such as `--output`.
  package init(_ text: String, option: String = "--output") throws(DiagnosticsError) {
    let source = SourceText(path: option, text: text)
    let nameStart = source.bytes.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
    let places = try FramePlaceFinder(source, from: nameStart).places()
    guard places.count <= 1 else { throw Self.tooManyPlaces(source, places.map(\.range)) }
    func part(_ range: Range<Int>) -> String { String(decoding: source.bytes[range], as: UTF8.self) }
    let end = source.bytes.count
    guard nameStart < end else { throw Self.noName(source) }
    description = text
    folder = part(0..<nameStart)
    prefix = part(nameStart..<(places.first?.range.lowerBound ?? end))
    suffix = places.first.map { part($0.range.upperBound..<end) } ?? ""
    padding = places.first?.padding
  }

  /// The pattern without its folder.
  package var fileName: String { String(description.dropFirst(folder.count)) }

  /// The frame that a path stands for; nil for paths in another folder and for other names.
  package func frame(ofPath path: String) -> Int? {
    path.hasPrefix(folder) ? frame(ofName: String(path.dropFirst(folder.count))) : nil
  }

  /// The name of a frame; without a place for a number every frame has the same name.
  package func path(frame: Int) -> String { folder + name(frame: frame) }

  /// `path(frame:)` without the folder.
  package func name(frame: Int) -> String {
    guard let padding else { return prefix + suffix }
    let digits = "\(frame.magnitude)"
    let sign = frame < 0 ? "-" : ""
    let zeros = String(repeating: "0", count: max(0, padding - sign.count - digits.count))
    return prefix + sign + zeros + digits + suffix
  }

  /// The frame that a file's name stands for; nil for other names, also for those with too few zeros.
  package func frame(ofName name: String) -> Int? {
    guard hasNumber, name.utf8.count > prefix.utf8.count + suffix.utf8.count, name.hasPrefix(prefix), name.hasSuffix(suffix) else {
      return nil
    }
    let digits = name.utf8.dropFirst(prefix.utf8.count).dropLast(suffix.utf8.count)
    guard digits.count <= 10, let frame = Int(String(digits) ?? ""), self.name(frame: frame) == name else { return nil }
    return frame
  }

  private static func tooManyPlaces(_ source: SourceText, _ places: [Range<Int>]) -> DiagnosticsError {
    let labels = places.enumerated().map { Diagnostic.Label(source, $1, $0 == 0 ? "one frame number" : "another") }
    return DiagnosticsError(
      Diagnostic(
        "pattern.two-numbers", "'\(source.text)' has \(places.count) places for the frame number", labels: labels,
        help: ["keep one, as in 'name.####.png'"]))
  }

  private static func noName(_ source: SourceText) -> DiagnosticsError {
    let end = source.bytes.count
    return DiagnosticsError(
      Diagnostic(
        "pattern.no-name", "'\(source.text)' names a folder, not a file", labels: [.init(source, end..<end, "file name missing")],
        help: ["type '\(source.text)name.####.png'"]))
  }
}

// MARK: The place of the number

/// Finds where a frame number goes in the name of a file.
private struct FramePlaceFinder {
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

// MARK: Files

extension FramePattern {
  /// The frames on disk whose names fit the pattern, sorted by number; nothing when the folder does not exist.
  package func framesOnDisk() throws(RenderError) -> [(frame: Int, path: String)] {
    try FolderListing.names(in: folder).compactMap { name in frame(ofName: name).map { ($0, folder + name) } }.sorted {
      $0.frame < $1.frame
    }
  }

  /// The pattern that one frame's path belongs to: the last number in the file's name becomes the place for the number.
  ///
  /// `shot.1001.png` means `shot.####.png`; how wide the number is follows from the other frames in the folder. Nil without a number.
  package init?(frameAt path: String) throws(RenderError) {
    let (folder, name) = Self.split(path)
    guard let digits = Self.lastNumber(in: name) else { return nil }
    let prefix = String(decoding: name.utf8.prefix(digits.lowerBound), as: UTF8.self)
    let suffix = String(decoding: name.utf8.dropFirst(digits.upperBound), as: UTF8.self)
    let numbers = try FolderListing.names(in: folder).compactMap { Self.number(in: $0, prefix, suffix) }
    let padded = numbers.first { $0.count > 1 && $0.hasPrefix("0") }
    let padding = padded?.count ?? numbers.map(\.count).min() ?? digits.count
    self.init(folder: folder, prefix: prefix, padding: padding, suffix: suffix)
  }

  private static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return ("", path) }
    return (String(path[...slash]), String(path[path.index(after: slash)...]))
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// Where the last number of a name lies, not counting the part behind the last dot (`mp4`, `jp2`).
  private static func lastNumber(in name: String) -> Range<Int>? {
    let bytes = Array(name.utf8)
    let stem = bytes.lastIndex(of: UInt8(ascii: ".")).map { bytes[..<$0] } ?? bytes[...]
    guard let last = stem.lastIndex(where: isDigit) else { return nil }
    let first = stem[...last].lastIndex { !isDigit($0) }.map { $0 + 1 } ?? 0
    return first..<last + 1
  }

  private static func number(in name: String, _ prefix: String, _ suffix: String) -> Substring? {
    guard name.utf8.count > prefix.utf8.count + suffix.utf8.count, name.hasPrefix(prefix), name.hasSuffix(suffix) else { return nil }
    let middle = name.dropFirst(prefix.count).dropLast(suffix.count)
    return middle.utf8.allSatisfy(isDigit) ? middle : nil
  }
}

/// Lists folders.
enum FolderListing {
  /// The names in a folder (empty: the working directory), sorted; nothing when it does not exist.
  static func names(in folder: String) throws(RenderError) -> [String] {
    if let listed = FolderNames(folder) { return listed.names }
    if errno == ENOENT { return [] }
    throw RenderError(
      .missingInput, "cannot list '\(folder.isEmpty ? "." : folder)'", operation: "opendir", underlying: lastSystemError())
  }
}
