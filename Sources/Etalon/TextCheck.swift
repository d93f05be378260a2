internal import EtalonDiagnostics
internal import EtalonMedia

/// Tells the text of a filter from files that are no text at all, before every byte of them becomes a mistake of its own.
enum TextCheck {
  /// The bytes as a source text; anything with a zero byte is refused.
  static func text(_ path: String, _ bytes: [UInt8]) throws(RenderError) -> SourceText {
    guard bytes.contains(0) else { return SourceText(path: path, bytes: bytes) }
    guard let kind = PictureReader.kind(of: bytes) else {
      throw RenderError(
        .invalidInput, "'\(path)' is not the text of a shader", underlying: "it has zero bytes", help: ["save it as UTF-8 text"])
    }
    throw RenderError(
      .invalidInput, "'\(path)' is not the text of a shader", underlying: "it is \(kind)",
      help: ["name the shader first, and the picture with '-i \(path)'"])
  }
}
