package import EtalonDiagnostics
package import EtalonTypes

/// What an OpenEXR file says before its pixels, and whether it reaches its end; the pixels themselves are not unpacked.
package struct EXROutline: Sendable, Hashable {
  /// The size of what is shown, in pixels.
  package let size: Size
  /// The parts of the file in its order.
  package let parts: [EXRPart]
  /// The attributes of the first part that are texts.
  package let texts: [TextChunk]
  /// Whether all of the first part is there, where that has rows.
  package let isComplete: Bool

  /// Reads the outline of a file; nil when the file is not an OpenEXR file.
  ///
  /// Fails for one whose header is damaged, and where OpenEXR's library is missing.
  package init?(path: String, limits: PictureLimits = PictureLimits()) throws(RenderError) {
    guard EXRReader.recognizes(FileReader.start(of: path, count: 4)) else { return nil }
    try self.init(FileReader.bytes(of: path, limit: limits.fileSize), name: path)
  }

  /// Reads the outline of the bytes of a file; `name` is what errors call it.
  package init(_ bytes: [UInt8], name: String) throws(RenderError) {
    self = try EXRFile.open(bytes, name: name) { file throws(RenderError) in
      let parts = try file.parts()
      return EXROutline(
        size: Size(parts[0].display.width, parts[0].display.height), parts: parts, texts: file.texts(), isComplete: file.isComplete)
    }
  }

  private init(size: Size, parts: [EXRPart], texts: [TextChunk], isComplete: Bool) {
    (self.size, self.parts, self.texts, self.isComplete) = (size, parts, texts, isComplete)
  }

  /// Bits of a number.
  package var bits: Int { parts[0].channels.first?.numbers == .half ? 16 : 32 }
}
