internal import EtalonTypes

/// Reads the header of an OpenEXR file: attributes by name, each with its type and its size.
struct EXRHeaderReader {
  private static let mostAttributes = 1000
  private static let mostChannels = 64
  private var cursor: EXRCursor
  private var attributes: [String: (type: String, value: ArraySlice<UInt8>)] = [:]

  /// Where the header ends.
  var end: Int { cursor.position }

  init(_ bytes: [UInt8]) throws(EXRProblem) {
    cursor = EXRCursor(bytes[...])
    guard try cursor.word() == 0x0131_2F76 else { throw EXRProblem("it does not start as one", help: "convert it to OpenEXR first") }
    let version = try cursor.word()
    guard version & 0xFF == 2 else { throw EXRProblem("it has version \(version & 0xFF) of the format, and version 2 is known") }
    let refused = [(0x200, "tiles"), (0x800, "deep pixels"), (0x1000, "several parts")].first { version & $0.0 != 0 }
    if let refused {
      throw EXRProblem(
        "it has \(refused.1), and rows of one picture are read", help: "write its picture in rows: oiiotool in.exr --scanline -o out.exr")
    }
    for _ in 0..<Self.mostAttributes {
      let name = try cursor.text()
      guard !name.isEmpty else { return }
      let type = try cursor.text()
      attributes[name] = (type, try cursor.bytes(try cursor.word()))
    }
    throw EXRProblem("it has more than \(Self.mostAttributes) attributes")
  }

  func header() throws(EXRProblem) -> EXRHeader {
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

  private func value(_ name: String, _ type: String) throws(EXRProblem) -> ArraySlice<UInt8> {
    guard let found = attributes[name], found.type == type else { throw EXRProblem("it has no attribute '\(name)' of the type \(type)") }
    return found.value
  }

  private func window(_ name: String) throws(EXRProblem) -> EXRHeader.Window {
    var cursor = EXRCursor(try value(name, "box2i"))
    let (left, top, right, bottom) = (try cursor.signed(), try cursor.signed(), try cursor.signed(), try cursor.signed())
    guard left <= right, top <= bottom else { throw EXRProblem("its \(name) has no pixels") }
    return EXRHeader.Window(columns: left...right, rows: top...bottom)
  }

  private func compression() throws(EXRProblem) -> EXRHeader.Compression {
    var cursor = EXRCursor(try value("compression", "compression"))
    let number = try cursor.byte()
    guard let kind = EXRHeader.Compression(rawValue: number) else {
      let names = EXRHeader.Compression.names
      let name = number < names.count ? names[number] : "the number \(number)"
      throw EXRProblem(
        "it is packed with \(name), and \(EXRHeader.Compression.allCases.map { names[$0.rawValue] }.joined(separator: ", ")) are read")
    }
    return kind
  }

  private func channels() throws(EXRProblem) -> [EXRHeader.Channel] {
    var cursor = EXRCursor(try value("channels", "chlist"))
    var channels: [EXRHeader.Channel] = []
    while true {
      let name = try cursor.text()
      guard !name.isEmpty else { break }
      guard channels.count < Self.mostChannels else { throw EXRProblem("it has more than \(Self.mostChannels) channels") }
      guard let type = EXRHeader.SampleType(rawValue: try cursor.word()) else {
        throw EXRProblem("its channel '\(name)' has numbers of an unknown kind")
      }
      _ = try cursor.word()
      guard try cursor.word() == 1, try cursor.word() == 1 else {
        throw EXRProblem("its channel '\(name)' has fewer pixels than the picture")
      }
      channels.append(EXRHeader.Channel(name: name, type: type))
    }
    guard !channels.isEmpty else { throw EXRProblem("it has no channels") }
    return channels
  }
}

/// Takes numbers and texts out of bytes, one after the other; numbers begin with their lowest byte.
struct EXRCursor {
  private let content: ArraySlice<UInt8>
  private(set) var position: Int

  init(_ content: ArraySlice<UInt8>) { (self.content, position) = (content, content.startIndex) }

  mutating func bytes(_ count: Int) throws(EXRProblem) -> ArraySlice<UInt8> {
    guard count >= 0, count <= content.endIndex - position else { throw .cutShort }
    defer { position += count }
    return content[position..<position + count]
  }

  mutating func byte() throws(EXRProblem) -> Int { Int(try bytes(1).first ?? 0) }

  mutating func word() throws(EXRProblem) -> Int { try bytes(4).reversed().reduce(0) { $0 << 8 | Int($1) } }

  mutating func signed() throws(EXRProblem) -> Int { Int(Int32(truncatingIfNeeded: try word())) }

  /// Up to a zero, at most 255 bytes.
  mutating func text() throws(EXRProblem) -> String {
    guard let end = content[position...].prefix(256).firstIndex(of: 0) else { throw .cutShort }
    defer { position = end + 1 }
    return String(decoding: content[position..<end], as: UTF8.self)
  }
}
