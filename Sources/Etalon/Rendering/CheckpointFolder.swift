internal import EtalonDiagnostics
internal import EtalonMedia
internal import EtalonPlan
internal import EtalonSystem
internal import EtalonTypes
internal import Foundation

/// The checkpoints of a user, one file each, shared by all processes.
///
/// Files appear whole or not at all. When they together grow past the limit, those unused for longest go.
///
/// **Concurrency**: an immutable value; several processes may use one folder.
package struct CheckpointFolder: Sendable, Hashable {
  /// Bytes that the files of one folder may take together: 4 GiB.
  package static let standardLimit = 4 << 30
  /// So many files are kept at most, however small they are.
  private static let mostFiles = 4096

  private let folder: CacheFolder
  private let limit: Int
  /// How long frames are rendered at least before another is written.
  let interval: Duration

  /// Uses a folder, which is made when something is stored.
  ///
  /// - Parameter limit: bytes that all checkpoints may take together.
  /// - Parameter interval: how long frames are rendered at least before another is written; zero keeps every frame.
  package init(path: String, limit: Int = standardLimit, interval: Duration = .seconds(10)) {
    self.init(CacheFolder(path: path), limit: limit, interval: interval)
  }

  private init(_ folder: CacheFolder, limit: Int = standardLimit, interval: Duration = .seconds(10)) {
    (self.folder, self.limit, self.interval) = (folder, limit, interval)
  }

  /// The folder of the user: `$XDG_CACHE_HOME/etalon/checkpoints`, else `~/.cache/etalon/checkpoints`; nil when there is no home either.
  package static var user: CheckpointFolder? { CacheFolder(ofUser: "checkpoints").map { CheckpointFolder($0) } }

  /// Whether a state of so many bytes is worth its place: a quarter of the folder at most.
  func takes(_ byteCount: Int) -> Bool { byteCount <= limit / 4 }

  func path(of identity: CheckpointIdentity) -> String { "\(folder.path)/\(identity.fileName)" }

  /// The frames for which a recipe has checkpoints, the last one first.
  func frames(of recipe: String) -> [Int] {
    guard folder.isUsable else { return [] }
    return Set(folder.files.compactMap { CheckpointIdentity.frame(ofFile: $0.name, recipe: recipe) }).sorted(by: >)
  }

  func has(_ identity: CheckpointIdentity) -> Bool { folder.files.contains { $0.name == identity.fileName } }

  /// Opens the file of a checkpoint, if it is one that only this user can have written.
  func open(_ identity: CheckpointIdentity) -> RandomAccessFile? { folder.open(identity.fileName).map { RandomAccessFile(descriptor: $0) } }

  /// Sets when a checkpoint was used last to now.
  func markAsUsed(_ identity: CheckpointIdentity) { folder.markAsUsed(identity.fileName) }

  func remove(_ identity: CheckpointIdentity) { folder.remove(identity.fileName) }

  func write(_ file: CheckpointFile) throws(RenderError) {
    // Where the folder cannot be made, writing the file fails and says why.
    _ = folder.make()
    if let doubt = folder.doubt {
      throw RenderError(.cannotWrite, "the folder '\(folder.path)' is not used", underlying: doubt)
    }
    try file.write(to: path(of: file.identity))
    folder.prune(CheckpointIdentity.suffix, toBytes: limit, count: Self.mostFiles)
  }
}

// MARK: files

/// One checkpoint as a file: a line, a header in JSON, and the bytes of all textures and buffers.
///
/// The line has the length and the hash of the header, the header the length and the hash of everything behind it, so that a file that was cut off or changed
/// is recognized.
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

  /// The number is raised when the form of the file changes.
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

/// What a checkpoint is a checkpoint of.
struct CheckpointIdentity: Sendable, Hashable, Codable {
  /// Covers everything that state depends on, save for what pictures show that come with frames.
  let recipe: String
  /// The frame that can follow.
  let frame: Int
  /// Covers the recipe and what all frames before showed.
  let past: String

  static let suffix = ".checkpoint"

  /// The name of its file; names of one recipe begin alike.
  var fileName: String { "\(Self.prefix(of: recipe))\(frame).\(ContentHash(of: Array(past.utf8)).description.prefix(32))\(Self.suffix)" }

  private static func prefix(of recipe: String) -> String { "\(recipe.prefix(32))." }

  /// The frame in the name of a file, if it is one of a recipe.
  static func frame(ofFile name: String, recipe: String) -> Int? {
    let prefix = prefix(of: recipe)
    guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return nil }
    return name.dropFirst(prefix.count).split(separator: ".").first.flatMap { Int($0) }
  }
}
