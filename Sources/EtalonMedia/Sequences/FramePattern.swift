package import EtalonDiagnostics

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
