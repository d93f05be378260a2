internal import EtalonDiagnostics
internal import EtalonMedia
internal import EtalonPlan
internal import EtalonTypes
internal import Foundation

/// One checkpoint as a file: a line, a header in JSON, and the bytes of all textures and buffers.
///
/// The line has the length and the hash of the header, the header the length and the hash of everything behind it, so that a file that was cut off or changed
/// is known for what it is.
struct CheckpointFile {
  /// What a checkpoint says about itself.
  private struct Header: Codable {
    struct Texture: Codable {
      let width: Int
      let height: Int
      let format: String
      let hash: String
    }

    struct Buffer: Codable {
      let byteCount: Int
      let hash: String
    }

    let identity: CheckpointIdentity
    let textures: [Texture]
    let buffers: [Buffer]
  }

  /// To be raised when the form of the file changes.
  private static let signature = "etalon checkpoint 1 "
  private static let longestLine = 128

  let identity: CheckpointIdentity
  let state: PlanState

  init(_ identity: CheckpointIdentity, _ state: PlanState) {
    self.identity = identity
    self.state = state
  }

  /// How many bytes a state takes, about.
  static func byteCount(of plan: Plan) -> Int {
    let textures = plan.textures.filter { $0.role == .persistent }.map { $0.pictureSize.pixelCount * $0.format.bytesPerPixel }
    return (textures + plan.buffers.filter(\.isPersistent).map(\.byteCount)).reduce(0, +)
  }

  // MARK: Writing

  /// Writes the file, which appears whole or not at all.
  func write(to path: String) throws(RenderError) {
    let header = Header(
      identity: identity,
      textures: state.textures.map {
        Header.Texture(
          width: $0.size.width, height: $0.size.height, format: $0.format.rawValue, hash: ContentHash(of: $0.bytes).description)
      }, buffers: state.buffers.map { Header.Buffer(byteCount: $0.count, hash: ContentHash(of: $0).description) })
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    guard let data = try? encoder.encode(header) else { preconditionFailure("strings and integers always encode") }
    let bytes = [UInt8](data)
    let file = try AtomicFile(path, replacing: .anything, permissions: 0o600)
    for part in [Array("\(Self.signature)\(bytes.count) \(ContentHash(of: bytes))\n".utf8), bytes] + state.textures.map(\.bytes)
      + state.buffers
    {
      try file.write(part)
    }
    try file.commit()
  }

  // MARK: Reading

  /// Reads a file; nil when it is not whole, was changed, or does not hold the state of a plan.
  init?(_ file: RandomAccessFile, of plan: Plan) {
    guard let (header, start) = Self.header(of: file) else { return nil }
    var reader = PartReader(file: file, place: start)
    var textures: [PixelBuffer] = []
    for texture in header.textures {
      let sides = 1...1 << 20
      guard let format = PixelFormat(rawValue: texture.format), sides.contains(texture.width), sides.contains(texture.height) else {
        return nil
      }
      let size = Size(texture.width, texture.height)
      guard let pixels = reader.next(size.pixelCount * format.bytesPerPixel, texture.hash) else { return nil }
      textures.append(PixelBuffer(size: size, format: format, alpha: .straight, bytes: pixels))
    }
    var buffers: [[UInt8]] = []
    for buffer in header.buffers {
      guard let bytes = reader.next(buffer.byteCount, buffer.hash) else { return nil }
      buffers.append(bytes)
    }
    let state = PlanState(textures: textures, buffers: buffers)
    guard reader.isAtEnd, state.fits(plan) else { return nil }
    self.init(header.identity, state)
  }

  /// The header, and where what follows it begins.
  private static func header(of file: RandomAccessFile) -> (Header, start: Int)? {
    guard let begin = file.bytes(at: 0, count: min(longestLine, file.size)), let end = begin.firstIndex(of: UInt8(ascii: "\n")) else {
      return nil
    }
    let line = String(decoding: begin[..<end], as: UTF8.self)
    guard line.hasPrefix(signature) else { return nil }
    let words = line.dropFirst(signature.count).split(separator: " ")
    guard words.count == 2, let count = Int(words[0]), (1...file.size).contains(count), let text = file.bytes(at: end + 1, count: count),
      ContentHash(of: text).description == words[1], let header = try? JSONDecoder().decode(Header.self, from: Data(text))
    else { return nil }
    return (header, end + 1 + count)
  }

  private struct PartReader {
    let file: RandomAccessFile
    var place: Int
    var isAtEnd: Bool { place == file.size }

    /// The next bytes, if there are so many and they have this hash.
    mutating func next(_ count: Int, _ hash: String) -> [UInt8]? {
      guard let part = file.bytes(at: place, count: count) else { return nil }
      place += count
      return ContentHash(of: part).description == hash ? part : nil
    }
  }
}
