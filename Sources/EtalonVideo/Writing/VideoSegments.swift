internal import CFFmpeg
package import EtalonDiagnostics
package import EtalonTypes
internal import Foundation
internal import Glibc
internal import Synchronization

/// The parts of a video that are finished, so that a render that was stopped goes on where it was.
///
/// Parts lie in a folder beside the video, `.glow.mp4.segments` for `glow.mp4`, with an index of their frames. They are joined without being encoded again, and the
/// sound is added then.
///
/// ```
/// let segments = try VideoSegments(settings, recipe: hash)
/// for frames in segments.missing(of: 240) {
///   let writer = try segments.begin(at: frames.lowerBound)
///   for frame in frames { try writer.write(planes(of: frame)) }
///   try writer.finish()
/// }
/// try segments.join(count: 240)
/// ```
///
/// Frames are counted from 0. A GIF cannot be written in parts, because its palette needs all frames; nor can other pictures that move.
///
/// **Concurrency**: usable from every thread; `lock()` keeps other processes from writing the same video.
package final class VideoSegments: Sendable {
  /// A part that is finished.
  package struct Segment: Sendable, Hashable {
    package let frames: Range<Int>
    package let path: String
    package let byteCount: Int
    /// How bright its frames are, where its video says that.
    package var light: LightLevels?
  }

  private static let ending = ".packets"
  private static let lockName = "lock"

  private let settings: VideoOutputSettings
  private let library: VideoLibrary
  private let folder: String
  private let recipe: String
  private let state: Mutex<[Segment]>
  private let lockFile = Mutex<LockFile?>(nil)

  /// Whether there were parts of another recipe, which were removed.
  package let removedOthers: Bool

  /// The parts that are finished, in the order of their frames.
  package var finished: [Segment] { state.withLock { $0 } }

  /// Looks for parts that are finished.
  ///
  /// - Parameter recipe: a hash of everything that the pixels of frames depend on. Parts of another recipe, of other settings, or of other versions of
  ///   FFmpeg's libraries are removed.
  package init(_ settings: VideoOutputSettings, recipe: ContentHash, library: VideoLibrary? = nil) throws(RenderError) {
    precondition(!settings.codec.isPicture, "a picture has no parts")
    let library = if let library { library } else { try VideoLibrary.system() }
    self.settings = settings
    self.library = library
    let slash = settings.path.lastIndex(of: "/").map { settings.path.index(after: $0) } ?? settings.path.startIndex
    folder = "\(settings.path[..<slash]).\(settings.path[slash...]).segments"
    self.recipe = Self.recipe(settings, recipe, library)
    let index = SegmentIndex(folder: folder)
    let isOwn = index?.recipe == self.recipe
    removedOthers = index != nil && !isOwn
    state = Mutex(isOwn ? Self.present(index, folder) : [])
    if removedOthers { removeParts() }
  }

  deinit {
    // A run that failed before its first part leaves no folder.
    if lockFile.withLock({ $0 != nil }), finished.isEmpty { remove() }
  }

  /// Keeps other processes from writing the same video until this one ends, however it ends; throws where another one does.
  package func lock() throws(RenderError) {
    let lock = try LockFile("\(folder)/\(Self.lockName)", of: settings.path)
    lockFile.withLock { $0 = lock }
  }

  /// A hash of all that the packets of a video depend on: the recipe of its pixels, the settings of its encoder, and FFmpeg's libraries.
  package static func recipe(_ settings: VideoOutputSettings, _ recipe: ContentHash, _ library: VideoLibrary) -> String {
    var settings = settings
    // What is said when parts are joined.
    (settings.path, settings.sound, settings.metadata, settings.timecode, settings.synchronizes) = ("", .none, [], nil, false)
    var hasher = ContentHasher()
    hasher.add("recipe", recipe.description)
    hasher.add("settings", "\(settings)")
    hasher.add("libraries", library.versions)
    return hasher.finish().description
  }

  /// The parts of an index whose files are whole, without those that have frames of others.
  private static func present(_ index: SegmentIndex?, _ folder: String) -> [Segment] {
    var segments: [Segment] = []
    for entry in (index?.segments ?? []).sorted(by: { $0.first < $1.first }) {
      let path = "\(folder)/\(entry.file)"
      let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
      guard !entry.file.contains("/"), entry.count > 0, entry.first >= segments.last?.frames.upperBound ?? 0, size == entry.bytes else {
        continue
      }
      segments.append(Segment(frames: entry.first..<entry.first + entry.count, path: path, byteCount: entry.bytes, light: entry.light))
    }
    return segments
  }

  /// The frames that no part has, of so many.
  package func missing(of count: Int) -> [Range<Int>] {
    var gaps: [Range<Int>] = []
    var next = 0
    for segment in finished where segment.frames.lowerBound < count {
      if segment.frames.lowerBound > next { gaps.append(next..<segment.frames.lowerBound) }
      next = segment.frames.upperBound
    }
    if next < count { gaps.append(next..<count) }
    return gaps
  }

  /// Begins a part.
  ///
  /// - Parameter frame: its first frame, which no other part has.
  package func begin(at frame: Int) throws(RenderError) -> SegmentWriter {
    let digits = String(frame)
    let name = String(repeating: "0", count: max(0, 8 - digits.count)) + digits + Self.ending
    let writing = unsafe library.interface.writing.pointee
    return try SegmentWriter(settings, first: frame, path: "\(folder)/\(name)", writing) { segment throws(RenderError) in
      try self.add(segment)
    }
  }

  private func add(_ segment: Segment) throws(RenderError) {
    let result = state.withLock { segments in
      segments.append(segment)
      segments.sort { $0.frames.lowerBound < $1.frames.lowerBound }
      return Result { () throws(RenderError) in
        try SegmentIndex(recipe: recipe, segments: segments).write(to: folder, of: settings)
      }
    }
    try result.get()
  }

  /// Removes all parts and their folder, and ends the lock.
  package func remove() {
    removeParts()
    unsafe unlink("\(folder)/\(Self.lockName)")
    unsafe rmdir(folder)
    lockFile.withLock { $0 = nil }
  }

  private func removeParts() {
    state.withLock { $0 = [] }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    for name in names where name.hasSuffix(Self.ending) || name == SegmentIndex.name { unsafe unlink("\(folder)/\(name)") }
    unsafe rmdir(folder)
  }

  /// Removes the video that an earlier run left of the frames that were done, where it was made of the same recipe.
  package func removePart() {
    let part = OutputFile.partPath(of: settings.path)
    if let identity, Self.identity(ofVideo: part) == identity { unsafe unlink(part) }
  }

  /// What a video that Etalon wrote says about its making; nil for others.
  package static func identity(ofVideo path: String) -> String? {
    // Matroska writes names in capitals.
    (try? VideoReader(path))?.description.metadata.first { $0.key.lowercased() == identityName }?.value
  }

  /// The name of the text in a video that says what it was made of.
  package static let identityName = "etalon"

  private var identity: String? { settings.metadata.first { $0.key == Self.identityName }?.value }

  // MARK: joining

  /// Writes the video of all parts; the parts stay.
  ///
  /// - Parameters:
  ///   - count: how many frames there must be.
  ///   - end: when the last frame ends, in seconds; nil for as long as the one before it.
  /// - Returns: what a person shall be told.
  @discardableResult package func join(count: Int, end: Rational? = nil) throws(RenderError) -> [String] {
    precondition(missing(of: count).isEmpty, "a video of which frames are missing")
    let file = try OutputFile(settings.path)
    let notes = try unsafe SegmentJoin(finished.filter { $0.frames.lowerBound < count }, settings, library.interface.writing.pointee).write(
      file.temporaryPath, end: end)
    try file.place(synchronizes: settings.synchronizes)
    return notes
  }

  /// Writes the video of the parts up to the first gap under the name `glow.part.mp4`; returns the path, or nil where the first frame is missing.
  package func joinPart() throws(RenderError) -> String? {
    var next = 0
    let segments = finished.prefix { segment in
      defer { next = segment.frames.upperBound }
      return segment.frames.lowerBound == next
    }
    guard !segments.isEmpty else { return nil }
    let file = try OutputFile(settings.path)
    _ = try unsafe SegmentJoin(Array(segments), settings, library.interface.writing.pointee).write(file.temporaryPath, end: nil)
    try file.place(as: file.partPath, synchronizes: settings.synchronizes)
    return file.partPath
  }
}

/// A file that one process at a time can lock; the lock goes with the process.
private final class LockFile: Sendable {
  private let descriptor: Int32

  /// - Parameter video: what is written under the lock, for messages.
  init(_ path: String, of video: String) throws(RenderError) {
    let folder = URL(filePath: path).deletingLastPathComponent().path
    try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    while true {
      let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
      guard descriptor >= 0 else { throw WriteFailure.error(video, "open") }
      // File systems that have no locks are written without one.
      if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
        close(descriptor)
        throw RenderError(
          .cannotWrite, "cannot write '\(video)'", underlying: "another process is rendering it",
          help: ["wait for that one, or give the video another name"])
      }
      var held = stat()
      // The process that had it may have removed the file meanwhile. Names are counted, because numbers of files are not stable everywhere.
      if unsafe fstat(descriptor, &held) == 0, held.st_nlink > 0 {
        self.descriptor = descriptor
        return
      }
      close(descriptor)
    }
  }

  deinit { close(descriptor) }
}

/// The index of the parts of a video, a JSON file in their folder.
struct SegmentIndex: Codable {
  static let name = "index.json"

  struct Entry: Codable {
    /// The first frame, and the number of frames.
    var first: Int
    var count: Int
    var file: String
    var bytes: Int
    var light: LightLevels?
  }

  var recipe: String
  var segments: [Entry]

  init(recipe: String, segments: [VideoSegments.Segment]) {
    self.recipe = recipe
    self.segments = segments.map { segment in
      let name = segment.path.split(separator: "/").last.map(String.init) ?? ""
      return Entry(
        first: segment.frames.lowerBound, count: segment.frames.count, file: name, bytes: segment.byteCount, light: segment.light)
    }
  }

  /// Nil where there is none that can be read.
  init?(folder: String) {
    guard let data = try? Data(contentsOf: URL(filePath: "\(folder)/\(Self.name)")),
      let index = try? JSONDecoder().decode(SegmentIndex.self, from: data)
    else { return nil }
    self = index
  }

  func write(to folder: String, of settings: VideoOutputSettings) throws(RenderError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    guard let data = try? encoder.encode(self) else { preconditionFailure("an index that is no JSON") }
    let file = try OutputFile("\(folder)/\(Self.name)")
    do {
      try data.write(to: URL(filePath: file.temporaryPath))
    } catch {
      throw RenderError(.cannotWrite, "cannot write '\(settings.path)'", operation: "write", underlying: error.localizedDescription)
    }
    try file.place(synchronizes: settings.synchronizes)
  }
}
