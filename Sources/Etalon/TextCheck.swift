internal import EtalonDiagnostics
internal import EtalonMedia

/// Tells the text of a filter from files that are no text at all, before every byte of them becomes a mistake of its own.
enum TextCheck {
  /// The text in a file.
  ///
  /// - Parameter limit: the most bytes that it may have.
  static func text(ofFile path: String, limit: Int) throws -> SourceText {
    let start = FileReader.start(of: path, count: limit + 1)
    if start.count > limit { throw tooLong(path, start, limit) }
    return try text(path, FileReader.bytes(of: path, limit: limit))
  }

  /// The bytes as a source text; anything with a zero byte is refused.
  static func text(_ path: String, _ bytes: [UInt8]) throws -> SourceText {
    guard let zero = bytes.firstIndex(of: 0) else { return SourceText(path: path, bytes: bytes) }
    if let kind = PictureReader.kind(of: bytes) {
      throw RenderError(
        .invalidInput, "'\(path)' is not the text of a shader", underlying: "it is \(kind)",
        help: ["name the shader first, and the picture with '-i \(path)'"])
    }
    throw DiagnosticsError(
      Diagnostic(
        "text.zero-byte", "'\(path)' is not the text of a shader: it has zero bytes",
        labels: [.init(SourceText(path: path, bytes: bytes), zero..<zero + 1, "the first one")], help: ["save it as UTF-8 text"]))
  }

  /// What is wrong with a text that is longer than it may be; its start is enough.
  static func tooLong(_ path: String, _ start: [UInt8], _ limit: Int) -> DiagnosticsError {
    DiagnosticsError(
      Diagnostic(
        "text.too-long", "'\(path)' is larger than \(limit >> 20) MiB",
        labels: [.init(SourceText(path: path, bytes: start), limit..<limit + 1, "beyond that")],
        help: ["see whether it is the text of a shader; tables of numbers belong into a picture"]))
  }
}
