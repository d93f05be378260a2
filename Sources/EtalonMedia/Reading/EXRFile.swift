internal import COpenEXR
package import EtalonDiagnostics
package import EtalonTypes

/// A picture of an OpenEXR file, as its header describes it ("OpenEXR File Layout" of the Academy Software Foundation).
package struct EXRPart: Sendable, Hashable {
  /// How the numbers of a channel are stored.
  package enum Numbers: String, Sendable, Hashable, CaseIterable {
    case uint, half, float
  }

  /// A channel: `R`, or `diffuse.R` in a layer.
  package struct Channel: Sendable, Hashable {
    package let name: String
    package let numbers: Numbers
    /// Whether it has a number for each pixel.
    package let isWhole: Bool

    /// What stands before the last dot; empty for the channels of the picture itself.
    package var layer: String { name.lastIndex(of: ".").map { String(name[..<$0]) } ?? "" }
    /// What stands behind it.
    package var component: String { name.lastIndex(of: ".").map { String(name[name.index(after: $0)...]) } ?? name }
  }

  /// Columns and rows with both ends, rows from the top on.
  package struct Window: Sendable, Hashable {
    package let left: Int
    package let top: Int
    package let right: Int
    package let bottom: Int

    package var width: Int { right - left + 1 }
    package var height: Int { bottom - top + 1 }

    /// Whether all of another window lies in it.
    func contains(_ other: Window) -> Bool {
      left <= other.left && top <= other.top && right >= other.right && bottom >= other.bottom
    }
  }

  /// Its place in the file, counted from 0.
  package let index: Int
  /// Nil for most files of one part.
  package let name: String?
  /// `ZIP`; nil for one that is not known.
  package let compression: String?
  /// The pixels that the file has.
  package let data: Window
  /// The pixels that are shown; those without data are transparent black.
  package let display: Window
  /// In the order of the file.
  package let channels: [Channel]
  package let isDeep: Bool
  /// The size of the tiles; nil for rows.
  package let tiles: Size?
  /// Whether smaller versions of the picture follow it.
  package let hasLevels: Bool
  /// How many pieces it is packed in.
  let pieceCount: Int
  /// x and y of red, green, blue and white, where the file tells; nil for those of BT.709.
  package let chromaticities: [Float]?

  /// The names of its layers in the order of the file, the empty one for channels without a layer.
  package var layers: [String] {
    channels.reduce(into: []) { layers, channel in if !layers.contains(channel.layer) { layers.append(channel.layer) } }
  }

  /// Bytes of a row, unpacked.
  var bytesPerRow: Int { channels.reduce(0) { $0 + ($1.numbers == .half ? 2 : 4) } * data.width }
}

/// An OpenEXR file in memory, while it is looked at.
@safe struct EXRFile {
  private let handle: OpaquePointer
  private let name: String
  private let byteCount: Int

  /// Opens a file, and closes it behind `body`.
  static func open<Result>(
    _ bytes: [UInt8], name: String, _ body: (EXRFile) throws(RenderError) -> Result
  ) throws(RenderError) -> Result {
    try unsafe bytes.withUnsafeBufferPointer { buffer throws(RenderError) in
      var message = EtalonEXRMessage()
      guard let handle = unsafe etalon_exr_open(buffer.baseAddress, buffer.count, &message) else { throw message.error(reading: name) }
      defer { unsafe etalon_exr_close(handle) }
      return try body(unsafe EXRFile(handle: handle, name: name, byteCount: buffer.count))
    }
  }

  /// All parts; what one of them cannot be is refused.
  func parts() throws(RenderError) -> [EXRPart] {
    var parts: [EXRPart] = []
    for index in 0..<(unsafe etalon_exr_part_count(handle)) { parts.append(try part(index)) }
    guard !parts.isEmpty else { throw Self.damaged(name, "it has no parts") }
    // The file has the place of every piece, of all parts, which the library keeps in memory.
    guard parts.allSatisfy({ (1...max(1, byteCount / 8)).contains($0.pieceCount) }) else { throw Self.damaged(name, "it is cut short") }
    return parts
  }

  private func part(_ index: Int32) throws(RenderError) -> EXRPart {
    var part = unsafe EtalonEXRPart()
    var message = EtalonEXRMessage()
    guard unsafe etalon_exr_part(handle, index, &part, &message) else { throw message.error(reading: name) }
    let channels = (0..<(unsafe part.channel_count)).map { number in
      let channel = unsafe etalon_exr_channel(handle, index, number)
      return EXRPart.Channel(
        name: unsafe channel.name.map { unsafe String(cString: $0) } ?? "", numbers: unsafe EXRPart.Numbers(channel.type),
        isWhole: unsafe channel.x_sampling == 1 && channel.y_sampling == 1)
    }
    let numbers = unsafe withUnsafeBytes(of: part.chromaticities) { unsafe Array($0.bindMemory(to: Float.self)) }
    let tiles = unsafe part.is_tiled ? Size(Int(part.tile_width), Int(part.tile_height)) : nil
    let result = unsafe EXRPart(
      index: Int(index), name: part.name.map { unsafe String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 },
      compression: part.compression.map { unsafe String(cString: $0) }, data: EXRPart.Window(part.data),
      display: EXRPart.Window(part.display), channels: channels, isDeep: part.is_deep, tiles: tiles, hasLevels: part.levels > 0,
      pieceCount: Int(part.chunk_count), chromaticities: part.has_chromaticities ? numbers : nil)
    for (window, what) in [(result.data, "dataWindow"), (result.display, "displayWindow")] where window.width < 1 || window.height < 1 {
      throw Self.damaged(name, "its \(what) has no pixels")
    }
    return result
  }

  /// The attributes of a part that are texts, in the order of the file, without the one that says whether it has rows or tiles.
  func texts(of part: Int = 0) -> [TextChunk] {
    var texts: [TextChunk] = []
    var (index, length): (Int32, Int) = (0, 0)
    var (name, text): (UnsafePointer<CChar>?, UnsafePointer<CChar>?) = (nil, nil)
    while unsafe etalon_exr_text(handle, Int32(part), &index, &name, &text, &length) {
      guard let keyword = unsafe name.map({ unsafe String(cString: $0) }), let start = unsafe text, keyword != "type",
        TextChunk.allows(keyword: keyword)
      else {
        continue
      }
      let bytes = unsafe UnsafeRawBufferPointer(start: start, count: length)
      texts.append(unsafe TextChunk(keyword, String(decoding: bytes, as: UTF8.self)))
    }
    return texts
  }

  /// Whether all pieces of the first part, in rows, lie in the file.
  var isComplete: Bool { unsafe etalon_exr_is_complete(handle, 0) }

  /// The pixels that a part shows, as `rgba32f`.
  ///
  /// - Parameter sources: the channels that become red, green, blue and alpha; without one a color is 0 and alpha 1.
  func pixels(of part: EXRPart, _ sources: [Int?]) throws(RenderError) -> [UInt8] {
    try checkBounds(part)
    var message = EtalonEXRMessage()
    var numbers = [UInt8](repeating: 0, count: part.display.width * part.display.height * 16)
    let places = sources.map { Int32($0 ?? -1) }
    let isRead = unsafe numbers.withUnsafeMutableBytes { buffer in
      unsafe places.withUnsafeBufferPointer { places in
        unsafe etalon_exr_read(handle, Int32(part.index), places.baseAddress, buffer.bindMemory(to: Float.self).baseAddress, &message)
      }
    }
    guard isRead else { throw message.error(reading: name) }
    return numbers
  }

  /// A small file cannot ask for much memory.
  private func checkBounds(_ part: EXRPart) throws(RenderError) {
    // Deflate packs a thousand bytes into one at most, and DWA leaves one byte of a block of 64 numbers before that.
    let tightest = part.compression.map { $0.hasPrefix("DWA") } ?? true ? 1 << 17 : 1100
    guard part.bytesPerRow / tightest * part.data.height <= byteCount,
      part.data.height / tightest * part.bytesPerRow <= byteCount
    else { throw Self.damaged(name, "it is cut short") }
  }

  static func damaged(_ name: String, _ reason: String) -> RenderError {
    RenderError(
      .invalidInput, "cannot read the OpenEXR picture '\(name)'", underlying: reason, help: ["copy or render it again"])
  }
}

extension EXRPart.Window {
  fileprivate init(_ window: EtalonEXRWindow) {
    (left, top, right, bottom) = (Int(window.left), Int(window.top), Int(window.right), Int(window.bottom))
  }
}

extension EXRPart.Numbers {
  fileprivate init(_ type: EtalonEXRType) {
    self = type == ETALON_EXR_HALF ? .half : type == ETALON_EXR_FLOAT ? .float : .uint
  }

  var type: EtalonEXRType {
    switch self {
    case .uint: ETALON_EXR_UINT
    case .half: ETALON_EXR_HALF
    case .float: ETALON_EXR_FLOAT
    }
  }
}

// MARK: the library

/// OpenEXR's library on this machine.
package enum EXRLibrary {
  /// Fails where it cannot be opened, with the name of its package.
  package static func check() throws(RenderError) {
    var message = EtalonEXRMessage()
    guard unsafe etalon_exr_library(&message) else { throw message.error("", help: []) }
  }
}

extension EtalonEXRMessage {
  /// The failure to read a file.
  fileprivate func error(reading name: String) -> RenderError {
    error("cannot read the OpenEXR picture '\(name)'", help: ["copy or render it again"])
  }

  /// The failure as an error of Etalon.
  ///
  /// - Parameter what: what could not be done.
  func error(_ what: String, help: [String]) -> RenderError {
    let (function, text) = (Self.text(operation), Self.text(reason))
    let (operation, reason) = (function.isEmpty ? nil : function, text.isEmpty ? nil : text)
    switch code {
    case ETALON_EXR_NO_LIBRARY:
      let packages = unsafe etalon_exr_packages().map { unsafe String(cString: $0) }
      return RenderError(
        .missingInput, "OpenEXR pictures are read and written with OpenEXR's library, which cannot be opened", operation: operation,
        underlying: reason,
        help: [
          packages.map { "install the library that this build was made for: apt-get install \($0)" }
            ?? "install OpenEXR's headers (libopenexr-dev) and build again"
        ])
    case ETALON_EXR_NO_MEMORY: return RenderError(.outOfMemory, what, operation: operation, underlying: reason)
    default: return RenderError(.invalidInput, what, operation: operation, underlying: reason, help: help)
    }
  }

  /// The text of a fixed array of characters, up to its final zero.
  private static func text<Characters>(_ characters: Characters) -> String {
    unsafe withUnsafeBytes(of: characters) { unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
