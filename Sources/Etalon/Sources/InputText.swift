package import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonMedia
internal import Foundation

/// Reads what a person types for an image input: the path of a picture, or the pattern of a sequence and when its pictures show.
///
/// ```
/// photo.png
/// plate.####.png
/// plate.%04d.png,rate=24,first=1001,missing=hold
/// ```
package enum InputText {
  /// - Parameter option: what the text belongs to, such as `-i`.
  package static func picture(_ text: String, for input: String?, option: String) throws(DiagnosticsError) -> RenderRequest.InputPicture {
    // A file may have any name, also one that looks like a pattern.
    if FileManager.default.fileExists(atPath: text) { return .init(input: input, path: text) }
    let source = SourceText(path: option, text: text)
    let fields = fields(of: source)
    let end = fields.first.map { $0.keyRange.lowerBound - 1 } ?? source.bytes.count
    let path = String(decoding: source.bytes[..<end], as: UTF8.self)
    guard try FramePattern(path, option: option).hasNumber else {
      guard let field = fields.first else { return .init(input: input, path: text) }
      throw DiagnosticsError(
        Diagnostic(
          "sequence.no-number", "'\(path)' is a single picture, which has no '\(field.key)'",
          labels: [.init(source, field.keyRange, "for sequences")],
          help: ["a sequence has a place for the number of its pictures: 'plate.####.png,\(field.key)=\(field.value)'"]))
    }
    return .init(input: input, path: path, sequence: try SequenceTiming(fields))
  }

  /// The `key=value` parts behind commas at the end of the text; commas and equals signs before them belong to the path.
  private static func fields(of source: SourceText) -> [SequenceField] {
    var fields: [SequenceField] = []
    var end = source.bytes.count
    while let comma = source.bytes[..<end].lastIndex(of: UInt8(ascii: ",")),
      let equals = source.bytes[comma..<end].firstIndex(of: UInt8(ascii: "=")), isKey(source.bytes[comma + 1..<equals])
    {
      let (keyRange, valueRange) = (comma + 1..<equals, equals + 1..<end)
      fields.insert(
        SequenceField(
          key: String(decoding: source.bytes[keyRange], as: UTF8.self), value: String(decoding: source.bytes[valueRange], as: UTF8.self),
          source: source, keyRange: keyRange, valueRange: valueRange), at: 0)
      end = comma
    }
    return fields
  }

  private static func isKey(_ bytes: ArraySlice<UInt8>) -> Bool {
    !bytes.isEmpty && bytes.allSatisfy { (0x61...0x7A).contains($0) || (0x41...0x5A).contains($0) || $0 == UInt8(ascii: "-") }
  }
}
