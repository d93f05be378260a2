internal import CFFmpeg
package import EtalonDiagnostics
package import EtalonMedia
package import EtalonTypes
internal import Foundation
internal import Glibc
internal import Synchronization

/// The parts of a video that are finished, so that a render that was stopped goes on where it was.
///
/// Parts lie in a folder beside the video, `.glow.mp4.segments` for `glow.mp4`, each with a file that says which frames it has. They are joined without being encoded
/// again, and the sound is added then.
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
/// **Concurrency**: usable from every thread; `lock()` keeps other processes from writing the same video, or lets them in that write other parts of it.
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
  /// So many frames a part has at most; parts begin at multiples of it, whatever processes write them.
  package static let mostFrames = 60
  private static let lockName = "lock"

  private let settings: VideoOutputSettings
  private let library: VideoLibrary
  private let folder: String
  private let recipe: String
  private let state: Mutex<[Segment]>
  private let lockFile = Mutex<LockFile?>(nil)

  /// Whether there are parts of another recipe, or of other versions of FFmpeg's libraries.
  private let hasOthers: Bool

  /// The parts that are finished, in the order of their frames.
  package var finished: [Segment] { state.withLock { $0 } }

  /// Looks for parts that are finished.
  ///
  /// - Parameter recipe: a hash of everything that the pixels of frames depend on. Parts of another recipe, of other settings, or of other versions of
  ///   FFmpeg's libraries are removed by `lock()`.
  package init(_ settings: VideoOutputSettings, recipe: ContentHash, library: VideoLibrary? = nil) throws(RenderError) {
    precondition(!settings.codec.isPicture, "a picture has no parts")
    let library = if let library { library } else { try VideoLibrary.system() }
    self.settings = settings
    self.library = library
    folder = Self.folder(of: settings.path)
    let own = Self.recipe(settings, recipe.description, library)
    let entries = SegmentEntry.all(in: folder)
    self.recipe = own
    hasOthers = entries.contains { $0.recipe != own }
    state = Mutex(Self.present(entries, folder, own))
  }

  /// The folder of the parts of a video.
  package static func folder(of path: String) -> String {
    let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    return "\(path[..<slash]).\(path[slash...]).segments"
  }

  /// Looks again for parts that are finished, those of other processes among them.
  package func refresh() {
    let found = Self.present(SegmentEntry.all(in: folder), folder, recipe)
    state.withLock { $0 = found }
  }

  deinit {
    // A run that failed before its first part leaves no folder, unless others work in it, or left parts.
    guard finished.isEmpty, lockFile.withLock({ $0?.becomeOnlyOne() ?? false }) else { return }
    refresh()
    if finished.isEmpty { remove() }
  }

  /// Keeps other processes from writing the same video until this one ends, however it ends; throws where another one does.
  ///
  /// - Parameter isShared: whether those are let in that write parts of the video, too, and do not join them.
  package func lock(isShared: Bool = false) throws(RenderError) {
    let lock = try LockFile("\(folder)/\(Self.lockName)", of: settings.path, isShared: isShared)
    lockFile.withLock { $0 = lock }
    guard hasOthers else { return }
    guard lock.becomeOnlyOne() else {
      throw RenderError(
        .cannotWrite, "cannot write '\(settings.path)'",
        underlying: "another process renders parts of it with other settings, or with other versions of FFmpeg's libraries",
        help: ["wait for that one, or give the video another name"])
    }
    removeParts { $0.recipe != recipe }
    if isShared { lock.admitOthers() }
  }

  /// A hash of all that the packets of a video depend on: the recipe of its pixels, the settings of its encoder, and FFmpeg's libraries.
  package static func recipe(_ settings: VideoOutputSettings, _ recipe: String, _ library: VideoLibrary) -> String {
    var settings = settings
    // What is said when parts are joined.
    (settings.path, settings.sound, settings.metadata, settings.timecode, settings.synchronizes) = ("", .none, [], nil, false)
    var hasher = ContentHasher()
    hasher.add("recipe", recipe)
    hasher.add("settings", "\(settings)")
    hasher.add("libraries", library.versions)
    return hasher.finish().description
  }

  /// The parts of a recipe whose files are whole, without those that have frames of others.
  private static func present(_ entries: [SegmentEntry], _ folder: String, _ recipe: String) -> [Segment] {
    var segments: [Segment] = []
    for entry in entries.sorted(by: { $0.first < $1.first }) where entry.recipe == recipe {
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
    try SegmentEntry(recipe: recipe, segment).write(to: folder, of: settings)
    state.withLock { segments in
      segments.append(segment)
      segments.sort { $0.frames.lowerBound < $1.frames.lowerBound }
    }
  }

  /// Removes all parts and their folder, and ends the lock.
  package func remove() {
    removeParts { _ in true }
    unsafe unlink("\(folder)/\(Self.lockName)")
    unsafe rmdir(folder)
    lockFile.withLock { $0 = nil }
  }

  /// Removes the folder, where nothing is in it.
  package func removeEmptyFolder() { unsafe rmdir(folder) }

  /// Removes parts, those first that say they are finished; all files of parts that no entry names belong to runs that were killed.
  private func removeParts(_ isRemoved: (SegmentEntry) -> Bool) {
    let entries = SegmentEntry.all(in: folder)
    for entry in entries where isRemoved(entry) {
      unsafe unlink("\(folder)/\(SegmentEntry.name(of: entry.file))")
      if !entry.file.contains("/") { unsafe unlink("\(folder)/\(entry.file)") }
    }
    if !entries.contains(where: { !isRemoved($0) }) {
      state.withLock { $0 = [] }
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      for name in names where name.hasSuffix(Self.ending) { unsafe unlink("\(folder)/\(name)") }
    }
    unsafe rmdir(folder)
  }

  /// Removes the video that an earlier run left of the frames that were done, where it was made of the same recipe.
  package func removePart() {
    for part in settings.partPaths {
      guard FileManager.default.fileExists(atPath: part) else { return }
      if settings.isOwn(part) { unsafe unlink(part) }
    }
  }

  /// What a video that Etalon wrote says about its making; nil for others.
  package static func identity(ofVideo path: String) -> String? {
    // Matroska writes names in capitals.
    (try? VideoReader(path))?.description.metadata.first { $0.key.lowercased() == identityName }?.value
  }

  /// The name of the text in a video that says what it was made of.
  package static let identityName = "etalon"

  // MARK: joining

  /// Writes the video of all parts; the parts stay.
  ///
  /// - Parameters:
  ///   - count: how many frames there must be.
  ///   - end: when the last frame ends, in seconds; nil for as long as the one before it.
  /// - Returns: what a person shall be told.
  @discardableResult package func join(count: Int, end: Rational? = nil) throws(RenderError) -> [String] {
    if let gap = missing(of: count).first {
      throw RenderError(
        .tryAgain, "cannot join '\(settings.path)'",
        underlying: "its frames \(gap.lowerBound) to \(gap.upperBound - 1) are not there, counted from 0",
        help: ["render again with --resume"])
    }
    return try write(finished.filter { $0.frames.lowerBound < count }, end: end) { file throws(RenderError) in
      try file.place(synchronizes: settings.synchronizes)
    }
  }

  /// Writes a video of the parts that are finished alone, whatever lies between them.
  package func joinFinished() throws(RenderError) {
    _ = try write(finished, end: nil) { file throws(RenderError) in try file.place(synchronizes: settings.synchronizes) }
  }

  private func write(
    _ segments: [Segment], end: Rational?, _ place: (OutputFile) throws(RenderError) -> Void
  ) throws(RenderError) -> [String] {
    let file = try OutputFile(settings.path)
    let notes = try unsafe SegmentJoin(segments, settings, library.interface.writing.pointee).write(file.temporaryPath, end: end)
    try place(file)
    return notes
  }

  /// Writes the video of the parts up to the first gap under the name `glow.part.mp4`, or with the next number where that is another file; returns the
  /// path, or nil where the first frame is missing.
  package func joinPart() throws(RenderError) -> String? {
    var next = 0
    let segments = finished.prefix { segment in
      defer { next = segment.frames.upperBound }
      return segment.frames.lowerBound == next
    }
    guard !segments.isEmpty else { return nil }
    var path = ""
    _ = try write(Array(segments), end: nil) { file throws(RenderError) in
      path = settings.partPath
      try file.place(as: path, synchronizes: settings.synchronizes)
    }
    return path
  }
}

extension VideoOutputSettings {
  /// The names of a video that ends early, in the order in which they are tried: `out/glow.part.mp4`, `out/glow.part2.mp4` … for `out/glow.mp4`.
  fileprivate var partPaths: some Sequence<String> {
    let dot = path.lastIndex(of: ".").flatMap { path[$0...].contains("/") ? nil : $0 } ?? path.endIndex
    return (1...).lazy.map { "\(path[..<dot]).part\($0 == 1 ? "" : "\($0)")\(path[dot...])" }
  }

  /// Where a video that ends early goes: not into the place of a file that is something else.
  var partPath: String {
    partPaths.first { !FileManager.default.fileExists(atPath: $0) || isOwn($0) } ?? path
  }

  /// Whether a video is an earlier part of this one.
  fileprivate func isOwn(_ part: String) -> Bool {
    let identity = metadata.first { $0.key == VideoSegments.identityName }?.value
    return identity != nil && VideoSegments.identity(ofVideo: part) == identity
  }
}

/// A file that one process at a time can lock; the lock goes with the process.
private final class LockFile: Sendable {
  private let descriptor: Int32
  private let isShared: Bool

  /// - Parameter video: what is written under the lock, for messages.
  /// - Parameter isShared: whether others may lock it in the same way.
  init(_ path: String, of video: String, isShared: Bool) throws(RenderError) {
    self.isShared = isShared
    let folder = URL(filePath: path).deletingLastPathComponent().path
    try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    while true {
      let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
      guard descriptor >= 0 else { throw WriteFailure.error(video, "open") }
      // File systems that have no locks are written without one.
      if flock(descriptor, (isShared ? LOCK_SH : LOCK_EX) | LOCK_NB) != 0, errno == EWOULDBLOCK {
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

  /// Keeps all others out, where none is in; says whether that worked.
  func becomeOnlyOne() -> Bool { !isShared || flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

  /// Lets others in again that lock it in the same way.
  func admitOthers() { _ = flock(descriptor, LOCK_SH) }

  deinit { close(descriptor) }
}

/// What is known of a part of a video: a JSON file beside it, which appears when the part is whole.
struct SegmentEntry: Codable {
  private static let ending = ".json"

  var recipe: String
  /// The first frame, and the number of frames.
  var first: Int
  var count: Int
  /// The name of the part.
  var file: String
  var bytes: Int
  var light: LightLevels?

  init(recipe: String, _ segment: VideoSegments.Segment) {
    self.recipe = recipe
    file = segment.path.split(separator: "/").last.map(String.init) ?? ""
    (first, count, bytes, light) = (segment.frames.lowerBound, segment.frames.count, segment.byteCount, segment.light)
  }

  /// The name of the file that tells of a part.
  static func name(of part: String) -> String { part + ending }

  /// Those of a folder that can be read.
  static func all(in folder: String) -> [SegmentEntry] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(ending) }.compactMap { name in
      (try? Data(contentsOf: URL(filePath: "\(folder)/\(name)"))).flatMap { try? JSONDecoder().decode(SegmentEntry.self, from: $0) }
    }
  }

  func write(to folder: String, of settings: VideoOutputSettings) throws(RenderError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    guard let data = try? encoder.encode(self) else { preconditionFailure("an entry that is no JSON") }
    let file = try OutputFile("\(folder)/\(Self.name(of: self.file))")
    do {
      try data.write(to: URL(filePath: file.temporaryPath))
    } catch {
      throw RenderError(.cannotWrite, "cannot write '\(settings.path)'", operation: "write", underlying: error.localizedDescription)
    }
    try file.place(synchronizes: settings.synchronizes)
  }
}
