internal import COpenEXR
package import EtalonDiagnostics
package import EtalonTypes

/// Writes OpenEXR pictures through OpenEXR's library: one part in rows, packed with ZIP, with a layer for each picture.
///
/// ```
/// try EXRWriter(numbers: .half).write(picture, text: [TextChunk("Software", "Etalon")], to: file)
/// ```
///
/// **Concurrency**: an immutable value.
package struct EXRWriter: Sendable {
  /// A picture of a file: the one of the empty name has the channels R, G, B and A, the others `name.R` and so on.
  package struct Layer {
    let name: String
    let rows: any RowSource

    package init(_ name: String, _ rows: any RowSource) { (self.name, self.rows) = (name, rows) }
  }

  /// The attribute in which Etalon says what alpha means in a layer, where that is not what the format has by convention.
  static func alphaAttribute(ofLayer name: String) -> String { "etalon:alpha" + (name.isEmpty ? "" : ":\(name)") }

  /// The attribute in which Etalon says that numbers are not light, and what it says.
  static let numbersAttribute = "etalon:numbers"
  static let encodedNumbers = "encoded"

  private let numbers: EXRPart.Numbers

  /// - Parameter numbers: half or float; halves end at 65504, and what is larger becomes infinite.
  package init(numbers: EXRPart.Numbers = .float) {
    precondition(numbers != .uint, "whole numbers in a picture of light")
    self.numbers = numbers
  }

  /// Writes an `rgba32f` picture.
  ///
  /// - Parameter text: becomes attributes; their keywords must not be names that the format has.
  package func write(_ picture: PixelBuffer, text: [TextChunk] = [], to sink: any ByteSink) throws(RenderError) {
    let said = picture.isLight ? [] : [TextChunk(Self.numbersAttribute, Self.encodedNumbers)]
    try write([Layer("", picture)], text: text + said, to: sink)
  }

  /// Writes `rgba32f` pictures of one size as layers.
  ///
  /// - Precondition: all of them have one size, and different names.
  package func write(_ layers: [Layer], text: [TextChunk] = [], to sink: any ByteSink) throws(RenderError) {
    guard let size = layers.first?.rows.size else { preconditionFailure("a file without layers") }
    precondition(layers.allSatisfy { $0.rows.size == size && $0.rows.format == .rgba32f }, "layers of several sizes or formats")
    var message = EtalonEXRMessage()
    guard let file = unsafe etalon_exr_begin(Int32(size.width), Int32(size.height), numbers.type, &message) else { throw failure(message) }
    defer { unsafe etalon_exr_free(file) }
    for layer in layers {
      guard unsafe etalon_exr_add_layer(file, layer.name, layer.rows.alpha != .opaque, &message) else { throw failure(message) }
    }
    let alpha = layers.filter { $0.rows.alpha == .straight }.map {
      TextChunk(Self.alphaAttribute(ofLayer: $0.name), AlphaMode.straight.rawValue)
    }
    for chunk in text + alpha {
      guard unsafe etalon_exr_add_text(file, chunk.keyword, chunk.text, &message) else { throw failure(message) }
    }
    for (index, layer) in layers.enumerated() { try unsafe add(layer.rows, as: Int32(index), to: file) }
    var count = 0
    guard let bytes = unsafe etalon_exr_finish(file, &count, &message) else { throw failure(message) }
    try unsafe sink.write(UnsafeRawBufferPointer(start: bytes, count: count))
  }

  private func add(_ rows: some RowSource, as layer: Int32, to file: OpaquePointer) throws(RenderError) {
    try rows.withBands { first, count, bytes throws(RenderError) in
      var message = EtalonEXRMessage()
      let isAdded = unsafe bytes.withUnsafeBytes { buffer in
        unsafe etalon_exr_add_rows(
          file, layer, Int32(first), Int32(count), buffer.assumingMemoryBound(to: Float.self).baseAddress, &message)
      }
      guard isAdded else { throw failure(message) }
    }
  }

  private func failure(_ message: EtalonEXRMessage) -> RenderError {
    message.error("cannot make an OpenEXR picture", help: [])
  }
}
