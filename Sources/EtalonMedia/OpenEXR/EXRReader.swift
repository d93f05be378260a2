package import EtalonDiagnostics
package import EtalonTypes

/// Reads OpenEXR pictures: one part in rows, with the channels R, G, B and A, or Y, packed without loss.
///
/// They become `rgba32f` of the size of the display window. Numbers are those of the file: nothing is clamped, and color is not multiplied or divided by
/// alpha; files by convention hold color that alpha is multiplied into, unless Etalon wrote them and says otherwise.
///
/// ```
/// let glow = try EXRReader().read(path: "glow.exr")
/// ```
///
/// **Concurrency**: an immutable value.
package struct EXRReader: Sendable {
  private let limits: PictureLimits

  /// Makes a reader.
  package init(limits: PictureLimits = PictureLimits()) { self.limits = limits }

  /// Whether some bytes are the start of an OpenEXR file.
  package static func recognizes(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x76, 0x2F, 0x31, 0x01]) }

  /// Reads a file.
  package func read(path: String) throws(RenderError) -> PixelBuffer {
    try read(FileReader.bytes(of: path, limit: limits.fileSize), name: path)
  }

  /// Reads the bytes of a file; `name` is what errors call it.
  package func read(_ bytes: [UInt8], name: String) throws(RenderError) -> PixelBuffer {
    do throws(EXRProblem) {
      let reader = try EXRHeaderReader(bytes)
      let header = try reader.header()
      let size: Size
      do throws(RenderError) {
        for window in [header.data, header.display] {
          _ = try limits.check(width: window.columns.count, height: window.rows.count, fileSize: bytes.count, name: name)
        }
        size = Size(header.display.columns.count, header.display.rows.count)
      } catch { throw EXRProblem(error.message, help: error.help.first ?? "") }
      return try EXRRows(header, bytes, from: reader.end).picture(size)
    } catch {
      throw RenderError(.invalidInput, "cannot read the OpenEXR picture '\(name)'", underlying: error.reason, help: [error.help])
    }
  }
}

/// The rows of a file, put into a picture.
private struct EXRRows {
  private static let tightestRatio = 1100
  private static let bytesPerPixel = 16
  private let header: EXRHeader
  private let bytes: [UInt8]
  /// Where each number of a pixel, red to alpha, comes from.
  private let sources: [EXRHeader.Channel?]
  private var cursor: EXRCursor

  init(_ header: EXRHeader, _ bytes: [UInt8], from start: Int) throws(EXRProblem) {
    (self.header, self.bytes) = (header, bytes)
    let byName = Dictionary(header.channels.map { ($0.name, $0) }) { first, _ in first }
    let color = byName["R"] != nil || byName["G"] != nil || byName["B"] != nil ? ["R", "G", "B"] : ["Y", "Y", "Y"]
    sources = (color + ["A"]).map { byName[$0] }
    guard sources.prefix(3).contains(where: { $0 != nil }) else {
      throw EXRProblem(
        "it has no channel R, G, B or Y: it has \(header.channels.map(\.name).joined(separator: ", "))",
        help: "choose channels: oiiotool in.exr --ch R=diffuse.R,G=diffuse.G,B=diffuse.B -o out.exr")
    }
    cursor = EXRCursor(bytes[start...])
  }

  func picture(_ size: Size) throws(EXRProblem) -> PixelBuffer {
    // Nothing is packed more tightly than deflate packs a single value, so that a small file cannot ask for much memory.
    guard header.data.rows.count * header.bytesPerRow / Self.tightestRatio <= bytes.count else { throw .cutShort }
    var pixels = [UInt8](repeating: 0, count: size.pixelCount * Self.bytesPerPixel)
    let rowCount = header.compression.rowCount
    let blockCount = (header.data.rows.count + rowCount - 1) / rowCount
    var places = cursor
    var known: Set<Int> = []
    for _ in 0..<blockCount {
      let place = try places.word() | places.word() << 32
      guard (0..<bytes.count).contains(place) else { throw .cutShort }
      var block = EXRCursor(bytes[place...])
      let first = try block.signed()
      guard header.data.rows.contains(first), (first - header.data.rows.lowerBound) % rowCount == 0, known.insert(first).inserted else {
        throw EXRProblem("it has row \(first) twice, or where no row is", help: "copy or render it again")
      }
      let rows = first...min(first + rowCount - 1, header.data.rows.upperBound)
      let packed = try block.bytes(try block.word())
      let plain = try EXRPacking.unpacked(packed, header.compression, count: rows.count * header.bytesPerRow)
      for (index, row) in rows.enumerated() where header.display.rows.contains(row) {
        fill(&pixels, row - header.display.rows.lowerBound, width: size.width, from: plain, at: index * header.bytesPerRow)
      }
    }
    return PixelBuffer(size: size, format: .rgba32f, alpha: sources[3] == nil ? .opaque : header.alpha, bytes: pixels)
  }

  /// Puts a row of the file into the picture, which lies there as floats so that no pixel is held twice.
  private func fill(_ pixels: inout [UInt8], _ row: Int, width: Int, from plain: [UInt8], at start: Int) {
    unsafe pixels.withUnsafeMutableBytes { pixels in
      var place = start
      for channel in header.channels {
        let targets = (0..<4).filter { sources[$0]?.name == channel.name }
        for column in header.data.columns {
          if !targets.isEmpty, header.display.columns.contains(column) {
            let pixel = (row * width + column - header.display.columns.lowerBound) * Self.bytesPerPixel
            let value = Self.number(plain, at: place, channel.type)
            for target in targets { unsafe pixels.storeBytes(of: value, toByteOffset: pixel + target * 4, as: Float.self) }
            if sources[3] == nil { unsafe pixels.storeBytes(of: 1, toByteOffset: pixel + 12, as: Float.self) }
          }
          place += channel.type.byteCount
        }
      }
    }
  }

  private static func number(_ bytes: [UInt8], at place: Int, _ type: EXRHeader.SampleType) -> Float {
    let low = UInt32(bytes[place]) | UInt32(bytes[place + 1]) << 8
    if type == .half { return Float(Float16(bitPattern: UInt16(low))) }
    let word = low | UInt32(bytes[place + 2]) << 16 | UInt32(bytes[place + 3]) << 24
    return type == .float ? Float(bitPattern: word) : Float(word)
  }
}
