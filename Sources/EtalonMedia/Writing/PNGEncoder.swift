internal import CPNG
package import EtalonDiagnostics
package import EtalonTypes

/// How a PNG file is compressed; the pixels are the same whatever is chosen.
package struct PNGSettings: Sendable, Hashable {
  /// What is subtracted from a pixel before compression.
  package enum Filter: Sendable, Hashable {
    /// For every row the one that leaves less, judged by the rows before it; the default.
    case adaptive
    /// The pixel to the left.
    case sub
    /// The pixel above.
    case up
  }

  /// How hard to try.
  package var preset: CompressionPreset
  /// What is subtracted from a pixel.
  package var filter: Filter
  /// Which library compresses.
  package var library: DeflateLibrary

  /// Makes settings; without a library the best one for the preset on this machine is used.
  package init(_ preset: CompressionPreset = .fast, filter: Filter = .adaptive, library: DeflateLibrary? = nil) {
    self.preset = preset
    self.filter = filter
    self.library = library ?? .best(for: preset)
  }

  /// The level of the library that the preset stands for.
  var level: Int { library == .isal ? 2 : preset == .fast ? 1 : 6 }
}

/// Writes PNG files of 8 or 16 bits, without alpha when every pixel is opaque.
///
/// Keeps its buffers from one picture to the next; what it writes depends on the picture, the texts, the settings and the version of the library.
///
/// **Concurrency**: used by one thread at a time; make one for each thread.
package final class PNGEncoder {
  /// Filtered bytes that are compressed at a time, about what the second-level cache holds.
  private static let pieceSize = 1 << 18
  private let settings: PNGSettings
  private let deflater: Deflater
  private var filtered: [UInt8] = []
  private var above: [UInt8] = []
  private var choice = FilterChoice(.adaptive)

  /// Makes an encoder.
  package init(_ settings: PNGSettings = PNGSettings()) {
    self.settings = settings
    deflater = Deflater(settings.library, level: settings.level)
  }

  /// Writes one picture of `rgba8` or `rgba16` with texts in the given order.
  package func encode(_ rows: some RowSource, text: [TextChunk] = [], to sink: any ByteSink) throws(RenderError) {
    let layout = FileLayout(format: rows.format, dropsAlpha: isOpaque(rows))
    try PNGChunkWriter(sink).write { chunk throws(RenderError) in
      try chunk("IHDR", layout.header(rows.size)[...])
      try chunk("sRGB", [0])
      for item in text {
        let (type, data) = item.encoded
        try chunk(type, data[...])
      }
      try writePixels(rows, layout, chunk)
    }
  }

  private func writePixels(
    _ rows: some RowSource, _ layout: FileLayout, _ chunk: (String, ArraySlice<UInt8>) throws(RenderError) -> Void
  ) throws(RenderError) {
    let rowSize = cpng_filtered_row_size(rows.size.width, layout.order)
    let rowsAtOnce = deflater.takesPieces ? min(rows.size.height, max(1, Self.pieceSize / rowSize)) : rows.size.height
    let room = rowsAtOnce * rowSize + Int(CPNG_FILTER_SLACK)
    if filtered.count < room { filtered = [UInt8](repeating: 0, count: room) }
    deflater.begin()
    var next = 0
    var held = 0
    try rows.withBands { firstRow, rowCount, bytes throws(RenderError) in
      precondition(firstRow == next && bytes.byteCount == rowCount * layout.sourceRowSize(rows.size), "bands out of order")
      var band = 0
      while band < rowCount {
        let count = min(rowsAtOnce - held, rowCount - band)
        filter(bytes, band..<band + count, isTop: next == 0, at: held * rowSize, rows.size.width, layout)
        (band, held, next) = (band + count, held + count, next + count)
        guard held == rowsAtOnce || next == rows.size.height else { continue }
        try deflater.compress(filtered[..<(held * rowSize)], isLast: next == rows.size.height) { data throws(RenderError) in
          try writeData(data, chunk)
        }
        held = 0
      }
    }
    precondition(next == rows.size.height, "bands of \(next) rows for a picture of \(rows.size)")
  }

  /// One chunk, or several where one would be longer than the format allows.
  private func writeData(
    _ data: ArraySlice<UInt8>, _ chunk: (String, ArraySlice<UInt8>) throws(RenderError) -> Void
  ) throws(RenderError) {
    var rest = data
    while !rest.isEmpty {
      let part = rest.prefix(1 << 30)
      try chunk("IDAT", part)
      rest = rest.dropFirst(part.count)
    }
  }

  /// Filters some rows of a band into the buffer and remembers the last one for the next call.
  private func filter(_ band: RawSpan, _ rows: Range<Int>, isTop: Bool, at offset: Int, _ width: Int, _ layout: FileLayout) {
    let sourceSize = width * layout.sourcePixelSize
    let rowSize = cpng_filtered_row_size(width, layout.order)
    if isTop { choice = FilterChoice(settings.filter) }
    unsafe band.withUnsafeBytes { band in
      let source = unsafe band.bindMemory(to: UInt8.self)
      unsafe filtered.withUnsafeMutableBufferPointer { filtered in
        unsafe above.withUnsafeBufferPointer { above in
          for (index, row) in rows.enumerated() {
            let upper = unsafe row > 0 ? source[((row - 1) * sourceSize)...] : above[...]
            let upperStart = unsafe isTop && index == 0 ? nil : UnsafeBufferPointer(rebasing: upper).baseAddress
            let start = unsafe UnsafeBufferPointer(rebasing: source[(row * sourceSize)...]).baseAddress
            let out = unsafe UnsafeMutableBufferPointer(rebasing: filtered[(offset + index * rowSize)...]).baseAddress
            let usesUp = unsafe choice.usesUp(start, upperStart, width, layout.order)
            unsafe cpng_filter_row(out, start, usesUp ? upperStart : nil, width, layout.order)
          }
        }
      }
      above = unsafe Array(source[((rows.upperBound - 1) * sourceSize)..<(rows.upperBound * sourceSize)])
    }
  }
}

/// How the pixels of a file are laid out.
private struct FileLayout {
  let order: cpng_layout
  let sourcePixelSize: Int

  init(format: PixelFormat, dropsAlpha: Bool) {
    precondition(format == .rgba8 || format == .rgba16, "PNG of \(format)")
    sourcePixelSize = format.bytesPerPixel
    order =
      switch (format == .rgba16, dropsAlpha) {
      case (false, true): CPNG_RGB8
      case (false, false): CPNG_RGBA8
      case (true, true): CPNG_RGB16
      case (true, false): CPNG_RGBA16
      }
  }

  func sourceRowSize(_ size: Size) -> Int { size.width * sourcePixelSize }

  /// The data of the IHDR chunk.
  func header(_ size: Size) -> [UInt8] {
    let isDeep = order == CPNG_RGB16 || order == CPNG_RGBA16
    let hasAlpha = order == CPNG_RGBA8 || order == CPNG_RGBA16
    let sides = [size.width, size.height].flatMap { side in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: side >> $0) } }
    return sides + [isDeep ? 16 : 8, hasAlpha ? 6 : 2, 0, 0, 0]
  }
}

// MARK: Rows

/// Pixels to be written, handed out in bands of whole rows from the top of the picture down.
///
/// The bands may be asked for more than once: an encoder looks for transparent pixels before it decides on a color type.
package protocol RowSource {
  /// Width and height in pixels.
  var size: Size { get }
  /// `rgba8` or `rgba16`.
  var format: PixelFormat { get }
  /// `opaque` when the fourth channel is to be ignored.
  var alpha: AlphaMode { get }
  /// Calls the body with the row of each band's first pixels, the number of rows, and the rows without padding.
  func withBands<Failure: Error>(
    _ body: (_ firstRow: Int, _ rowCount: Int, _ bytes: RawSpan) throws(Failure) -> Void
  ) throws(Failure)
}

extension PixelBuffer: RowSource {
  /// Hands out the whole picture as one band.
  package func withBands<Failure: Error>(
    _ body: (_ firstRow: Int, _ rowCount: Int, _ bytes: RawSpan) throws(Failure) -> Void
  ) throws(Failure) {
    unsafe try body(0, size.height, bytes.span.bytes)
  }
}

/// Whether every pixel of a source is fully covered; looks at the pixels unless the source says so.
func isOpaque(_ rows: some RowSource) -> Bool {
  guard rows.alpha != .opaque else { return true }
  var result = true
  rows.withBands { _, _, bytes in
    if result { result = OpacityTest.passes(bytes, rows.format) }
  }
  return result
}

/// Looks for a pixel that does not cover fully.
private enum OpacityTest {
  static func passes(_ pixels: RawSpan, _ format: PixelFormat) -> Bool {
    let count = pixels.byteCount / format.bytesPerPixel
    return unsafe pixels.withUnsafeBytes { bytes in
      guard let start = unsafe bytes.bindMemory(to: UInt8.self).baseAddress else { return true }
      return unsafe format == .rgba16 ? cpng_is_opaque16(start, count) : cpng_is_opaque8(start, count)
    }
  }
}

/// Chooses between SUB and UP row by row.
///
/// A single row is a poor guide, and every change of the filter spoils matches with the rows above. So the costs are sums that lose a quarter with
/// each row.
private struct FilterChoice {
  private let filter: PNGSettings.Filter
  private var subCost: UInt64 = 0
  private var upCost: UInt64 = 0

  init(_ filter: PNGSettings.Filter) {
    self.filter = filter
  }

  /// Whether a row is to be filtered with UP; the first row of a picture has nothing above it.
  mutating func usesUp(_ row: UnsafePointer<UInt8>?, _ above: UnsafePointer<UInt8>?, _ width: Int, _ layout: cpng_layout) -> Bool {
    guard unsafe above != nil, filter != .sub else { return false }
    guard filter == .adaptive else { return true }
    var (sub, up): (UInt64, UInt64) = (0, 0)
    unsafe cpng_filter_costs(row, above, width, layout, &sub, &up)
    subCost = subCost - subCost / 4 + sub
    upCost = upCost - upCost / 4 + up
    return upCost < subCost
  }
}

// MARK: Measured pictures

/// A picture that shows something about other pictures, such as where they differ; its file says so, and Etalon may replace it.
///
/// **Concurrency**: an immutable value.
package struct MeasuredPicture: Sendable {
  private let picture: PixelBuffer
  private let title: String
  private let version: String

  /// - Parameters:
  ///   - title: what the picture shows, as the `Title` text of the file.
  ///   - version: the version of Etalon.
  package init(_ picture: PixelBuffer, title: String, version: String) {
    self.picture = picture
    self.title = title
    self.version = version
  }

  /// Writes the PNG file, whole or not at all.
  package func write(to path: String, replacing policy: ReplacePolicy) throws(RenderError) {
    let settings = PNGSettings()
    let texts = [
      TextChunk("Software", "\(FrameProvenance.program) \(version) (\(settings.library.description))"), TextChunk("Title", title),
    ]
    let file = try AtomicFile(path, replacing: policy)
    try PNGEncoder(settings).encode(picture, text: texts, to: file)
    try file.commit()
  }
}
