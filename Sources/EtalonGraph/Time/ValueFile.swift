internal import EtalonDiagnostics

/// The file that a value names: that of a track (`@path.csv:column`, `{track: path.csv, column: name}`), or the value itself where it is for a file.
package struct ValueFile: Sendable {
  /// As it is written.
  package let path: String
  private let before: String
  private let after: String

  /// Nil for a value that names none.
  ///
  /// - Parameter isFile: whether the value is for an image input, or an input that reads a file of data.
  package init?(_ text: String, isFile: Bool) {
    let trimmed = text.drop { $0 == " " || $0 == "\t" }
    if isFile {
      guard !text.isEmpty, trimmed.first != "@", !(text.hasPrefix("before(") && text.hasSuffix(")")) else { return nil }
      (path, before, after) = (text, "", "")
    } else if trimmed.first == "@" {
      let name = trimmed.dropFirst().prefix { $0 != ":" }
      (path, before, after) = (String(name), "@", String(text[name.endIndex...]))
    } else if trimmed.first == "{" {
      let source = SourceText(path: "value", text: text)
      guard let node = try? FlowText.read(SourceRange(source, 0..<source.bytes.count)),
        let track = node.members?.first(where: { $0.key == "track" })?.value, let name = track.scalar
      else { return nil }
      path = name
      before = String(decoding: source.bytes[..<track.place.range.lowerBound], as: UTF8.self)
      after = String(decoding: source.bytes[track.place.range.upperBound...], as: UTF8.self)
    } else {
      return nil
    }
  }

  /// The value with another path.
  package func text(naming path: String) -> String {
    before.hasSuffix("@") || before.isEmpty ? before + path + after : "\(before)\"\(path)\"\(after)"
  }
}
