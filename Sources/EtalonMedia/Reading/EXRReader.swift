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
    do throws(EXRError) {
      let reader = try EXRHeaderReader(bytes)
      let header = try reader.header()
      let size: Size
      do throws(RenderError) {
        for window in [header.data, header.display] {
          _ = try limits.check(width: window.columns.count, height: window.rows.count, fileSize: bytes.count, name: name)
        }
        size = Size(header.display.columns.count, header.display.rows.count)
      } catch { throw EXRError(error.message, help: error.help.first ?? "") }
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

  init(_ header: EXRHeader, _ bytes: [UInt8], from start: Int) throws(EXRError) {
    (self.header, self.bytes) = (header, bytes)
    let byName = Dictionary(header.channels.map { ($0.name, $0) }) { first, _ in first }
    let color = byName["R"] != nil || byName["G"] != nil || byName["B"] != nil ? ["R", "G", "B"] : ["Y", "Y", "Y"]
    sources = (color + ["A"]).map { byName[$0] }
    guard sources.prefix(3).contains(where: { $0 != nil }) else {
      throw EXRError(
        "it has no channel R, G, B or Y: it has \(header.channels.map(\.name).joined(separator: ", "))",
        help: "choose channels: oiiotool in.exr --ch R=diffuse.R,G=diffuse.G,B=diffuse.B -o out.exr")
    }
    cursor = EXRCursor(bytes[start...])
  }

  func picture(_ size: Size) throws(EXRError) -> PixelBuffer {
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
        throw EXRError("it has row \(first) twice, or where no row is", help: "copy or render it again")
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

// MARK: The header

/// What the header of an OpenEXR file says about its one picture, by "OpenEXR File Layout" of the Academy Software Foundation.
struct EXRHeader: Equatable {
  /// The attribute in which Etalon says what alpha means, where that is not what the format has by convention.
  static let alphaAttribute = "etalon:alpha"

  /// How the numbers of a channel lie in the file.
  enum SampleType: Int {
    case whole = 0
    case half = 1
    case float = 2

    var byteCount: Int { self == .half ? 2 : 4 }
  }

  struct Channel: Equatable {
    let name: String
    let type: SampleType
  }

  /// Without loss; the lossy kinds and PIZ are refused by name.
  enum Compression: Int, CaseIterable {
    case none = 0
    case runLength = 1
    case zipLine = 2
    case zip = 3

    /// How many rows are packed together.
    var rowCount: Int { self == .zip ? 16 : 1 }

    /// The names of all kinds that files may have, in the order of their numbers.
    static let names = ["NONE", "RLE", "ZIPS", "ZIP", "PIZ", "PXR24", "B44", "B44A", "DWAA", "DWAB"]
  }

  /// Columns and rows with both ends, rows from the top on.
  struct Window: Equatable {
    let columns: ClosedRange<Int>
    let rows: ClosedRange<Int>
  }

  /// In alphabetical order, as their numbers lie in every row.
  let channels: [Channel]
  let compression: Compression
  /// The pixels that the file has.
  let data: Window
  /// The pixels that are shown; those without data are transparent black.
  fileprivate let display: Window
  /// What alpha means: by convention color is multiplied by it.
  let alpha: AlphaMode

  var bytesPerRow: Int { channels.reduce(0) { $0 + $1.type.byteCount } * data.columns.count }
}

/// Why a file cannot be read.
struct EXRError: Error, Equatable {
  let reason: String
  let help: String

  init(_ reason: String, help: String = "write it again: oiiotool in.exr --compression zip -o out.exr") {
    (self.reason, self.help) = (reason, help)
  }

  fileprivate static let cutShort = EXRError("it is cut short", help: "copy or render it again")
}

/// Reads the header of an OpenEXR file: attributes by name, each with its type and its size.
struct EXRHeaderReader {
  private static let mostAttributes = 1000
  private static let mostChannels = 64
  private var cursor: EXRCursor
  private var attributes: [String: (type: String, value: ArraySlice<UInt8>)] = [:]

  /// Where the header ends.
  var end: Int { cursor.position }

  init(_ bytes: [UInt8]) throws(EXRError) {
    cursor = EXRCursor(bytes[...])
    guard try cursor.word() == 0x0131_2F76 else { throw EXRError("it does not start as one", help: "convert it to OpenEXR first") }
    let version = try cursor.word()
    guard version & 0xFF == 2 else { throw EXRError("it has version \(version & 0xFF) of the format, and version 2 is known") }
    let refused = [(0x200, "tiles"), (0x800, "deep pixels"), (0x1000, "several parts")].first { version & $0.0 != 0 }
    if let refused {
      throw EXRError(
        "it has \(refused.1), and rows of one picture are read", help: "write its picture in rows: oiiotool in.exr --scanline -o out.exr")
    }
    for _ in 0..<Self.mostAttributes {
      let name = try cursor.text()
      guard !name.isEmpty else { return }
      let type = try cursor.text()
      attributes[name] = (type, try cursor.bytes(try cursor.word()))
    }
    throw EXRError("it has more than \(Self.mostAttributes) attributes")
  }

  func header() throws(EXRError) -> EXRHeader {
    let data = try window("dataWindow")
    let alpha = texts.first { $0.keyword == EXRHeader.alphaAttribute }.flatMap { AlphaMode(rawValue: $0.text) }
    return EXRHeader(
      channels: try channels(), compression: try compression(), data: data, display: try window("displayWindow"),
      alpha: alpha ?? .premultiplied)
  }

  /// The attributes that are texts, by their names.
  var texts: [TextChunk] {
    attributes.filter { $0.value.type == "string" && TextChunk.allows(keyword: $0.key) }.sorted { $0.key < $1.key }
      .map { TextChunk($0.key, String(decoding: $0.value.value, as: UTF8.self)) }
  }

  private func value(_ name: String, _ type: String) throws(EXRError) -> ArraySlice<UInt8> {
    guard let found = attributes[name], found.type == type else { throw EXRError("it has no attribute '\(name)' of the type \(type)") }
    return found.value
  }

  private func window(_ name: String) throws(EXRError) -> EXRHeader.Window {
    var cursor = EXRCursor(try value(name, "box2i"))
    let (left, top, right, bottom) = (try cursor.signed(), try cursor.signed(), try cursor.signed(), try cursor.signed())
    guard left <= right, top <= bottom else { throw EXRError("its \(name) has no pixels") }
    return EXRHeader.Window(columns: left...right, rows: top...bottom)
  }

  private func compression() throws(EXRError) -> EXRHeader.Compression {
    var cursor = EXRCursor(try value("compression", "compression"))
    let number = try cursor.byte()
    guard let kind = EXRHeader.Compression(rawValue: number) else {
      let names = EXRHeader.Compression.names
      let name = number < names.count ? names[number] : "the number \(number)"
      throw EXRError(
        "it is packed with \(name), and \(EXRHeader.Compression.allCases.map { names[$0.rawValue] }.joined(separator: ", ")) are read")
    }
    return kind
  }

  private func channels() throws(EXRError) -> [EXRHeader.Channel] {
    var cursor = EXRCursor(try value("channels", "chlist"))
    var channels: [EXRHeader.Channel] = []
    while true {
      let name = try cursor.text()
      guard !name.isEmpty else { break }
      guard channels.count < Self.mostChannels else { throw EXRError("it has more than \(Self.mostChannels) channels") }
      guard let type = EXRHeader.SampleType(rawValue: try cursor.word()) else {
        throw EXRError("its channel '\(name)' has numbers of an unknown kind")
      }
      _ = try cursor.word()
      guard try cursor.word() == 1, try cursor.word() == 1 else {
        throw EXRError("its channel '\(name)' has fewer pixels than the picture")
      }
      channels.append(EXRHeader.Channel(name: name, type: type))
    }
    guard !channels.isEmpty else { throw EXRError("it has no channels") }
    return channels
  }
}

/// Takes numbers and texts out of bytes, one after the other; numbers begin with their lowest byte.
private struct EXRCursor {
  private let content: ArraySlice<UInt8>
  private(set) var position: Int

  init(_ content: ArraySlice<UInt8>) { (self.content, position) = (content, content.startIndex) }

  mutating func bytes(_ count: Int) throws(EXRError) -> ArraySlice<UInt8> {
    guard count >= 0, count <= content.endIndex - position else { throw .cutShort }
    defer { position += count }
    return content[position..<position + count]
  }

  mutating func byte() throws(EXRError) -> Int { Int(try bytes(1).first ?? 0) }

  mutating func word() throws(EXRError) -> Int { try bytes(4).reversed().reduce(0) { $0 << 8 | Int($1) } }

  mutating func signed() throws(EXRError) -> Int { Int(Int32(truncatingIfNeeded: try word())) }

  /// Up to a zero, at most 255 bytes.
  mutating func text() throws(EXRError) -> String {
    guard let end = content[position...].prefix(256).firstIndex(of: 0) else { throw .cutShort }
    defer { position = end + 1 }
    return String(decoding: content[position..<end], as: UTF8.self)
  }
}
