internal import Etalon
internal import EtalonDiagnostics
internal import EtalonMedia
internal import EtalonSystem
internal import EtalonTypes
internal import Foundation
internal import Glibc
internal import Synchronization

/// Where the files of a session are: the folders that pages may use, a temporary one for what they bring, and the files that are watched.
///
/// **Concurrency**: usable from every thread.
final class SessionPlace: Sendable {
  private struct State {
    var watcher = FileWatcher()
    var watched: Set<String> = []
    /// Files that changed before they were watched, and after they were read.
    var early: Set<String> = []
    /// The sound that is heard, by its file, and as a WAV file once it was asked for.
    var sound: (path: String, stamp: Date?, sound: Sound, file: [UInt8]?)?
    var uploads = 0
    /// The bytes of all files that pages brought.
    var uploaded = 0
  }

  /// The folders that pages may write into, without links.
  let folders: [String]
  /// Removed when the session ends.
  let temporary: String
  /// The most bytes of all that pages bring together.
  private let mostUploaded: Int
  private let state = Mutex(State())

  /// Makes the temporary folder.
  init(folders: [String], mostUploaded: Int = .max) throws(RenderError) {
    self.mostUploaded = mostUploaded
    self.folders = folders.map(Self.realPath).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    temporary = try TemporaryFiles.makeFolder("etalon-preview")
  }

  /// The checkpoints of frames that were looked at; kept in the folder of the session, and more often than a render keeps them.
  var checkpoints: CheckpointFolder {
    CheckpointFolder(path: temporary + "/checkpoints", limit: 1 << 30, interval: .milliseconds(500))
  }

  /// Whether a path is one of the session, which goes with it.
  func isTemporary(_ path: String) -> Bool { Self.holds(temporary, path) || Self.holds(Self.realPath(temporary), path) }

  /// Removes what is temporary.
  func remove() { TemporaryFiles.remove(temporary) }

  // MARK: what pages may use

  /// Where a file is written that a page names: its path without links, in one of the folders; nil for one elsewhere.
  ///
  /// What is written is this path, and not the one that was named, which may lead elsewhere.
  func writable(_ path: String) -> String? {
    Self.realTarget(path).flatMap { real in folders.contains { Self.holds($0, real) } ? real : nil }
  }

  /// The same; refuses a file that pages may not write.
  func checkedPath(_ path: String) throws(RenderError) -> String {
    if let real = writable(path) { return real }
    throw RenderError(
      .cannotWrite, "cannot write '\(path)'", underlying: "it lies outside of the folders that were given at start",
      help: folders.isEmpty
        ? ["start the preview with '--folder'"] : ["choose a name in \(folders.joined(separator: ", ")), or start with '--folder'"])
  }

  /// Whether a page may have a file opened: it lies in one of the folders, or the page brought it.
  func mayRead(_ path: String) -> Bool {
    guard let real = Self.realTarget(path) else { return false }
    return folders.contains { Self.holds($0, real) } || Self.holds(Self.realPath(temporary), real)
  }

  /// Refuses a file that pages may not have opened.
  func checkReadable(_ path: String) throws(RenderError) {
    guard !path.contains("://") else {
      throw RenderError(.invalidInput, "'\(path)' is an address, and pages may name files only", help: ["download it first"])
    }
    guard !mayRead(path) else { return }
    throw RenderError(
      .invalidInput, "a page may not open '\(path)'", underlying: "it lies outside of the folders that were given at start",
      help: ["drop the file onto the page, or start with '--folder'"])
  }

  /// The path without links; what does not exist counts as it is written.
  private static func realPath(_ path: String) -> String { realTarget(path) ?? path }

  /// Where a file is, or would be written: the nearest folder that exists, without links, with the names behind it; nil where that cannot be said.
  private static func realTarget(_ path: String) -> String? {
    guard !path.isEmpty, !path.contains("\0") else { return nil }
    let whole = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    var names = whole.split(separator: "/")
    var missing: [Substring] = []
    while true {
      // The last name, too: a link is judged by what it leads to.
      if let real = existing("/" + names.joined(separator: "/")) {
        guard !missing.contains("..") else { return nil }
        let folder = real == "/" ? "" : real
        // A link that leads nowhere now may lead somewhere later; as the last name it is replaced.
        if missing.count > 1, isThere("\(folder)/\(missing[0])") { return nil }
        return missing.isEmpty ? real : folder + "/" + missing.joined(separator: "/")
      }
      guard let last = names.popLast() else { return nil }
      missing.insert(last, at: 0)
    }
  }

  /// The path of a file or folder that exists, without links; nil where there is none.
  private static func existing(_ path: String) -> String? {
    guard let real = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }

  /// Whether a name is taken, also by a link that leads nowhere.
  private static func isThere(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0
  }

  private static func holds(_ folder: String, _ path: String) -> Bool { path.hasPrefix(folder.hasSuffix("/") ? folder : folder + "/") }

  // MARK: what pages bring

  /// A path for what a page brings under some name, in a folder of its own, or in that of a sequence; refuses a name that the sequence has already.
  ///
  /// - Parameter sequence: what all pictures of a sequence have in common; nil for a single file.
  func pathForUpload(named name: String, sequence: String?) throws(RenderError) -> String {
    let allowed = name.filter { $0.isLetter || $0.isNumber || "-_. ".contains($0) }.drop { $0 == "." || $0 == " " || $0 == "-" }
    // A name has at most 255 bytes, and its end says what the file is.
    var safe = allowed.isEmpty ? "file" : String(allowed)
    while safe.utf8.count > 100 { safe.removeFirst() }
    let folder: String
    if let sequence, !sequence.isEmpty, sequence.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }) {
      folder = "\(temporary)/sequence-\(sequence.prefix(40))"
    } else {
      folder = "\(temporary)/upload-\(state.withLock { $0.uploads += 1; return $0.uploads })"
    }
    do { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) } catch {
      throw RenderError(.cannotWrite, "cannot make '\(folder)'", underlying: error.localizedDescription)
    }
    let path = "\(folder)/\(safe)"
    guard !FileManager.default.fileExists(atPath: path) else {
      throw RenderError(.cannotWrite, "cannot keep '\(name)'", underlying: "the sequence has a picture of this name already")
    }
    return path
  }

  /// Counts bytes that a page brings; false where they are too many together with all before.
  func takeRoom(_ bytes: Int) -> Bool {
    state.withLock { state in
      guard bytes <= mostUploaded - state.uploaded else { return false }
      state.uploaded += bytes
      return true
    }
  }

  /// Takes bytes back that were counted and not kept.
  func giveRoomBack(_ bytes: Int) { state.withLock { $0.uploaded -= bytes } }

  // MARK: watching

  /// Watches these files from now on, and no others.
  ///
  /// - Parameter start: when reading them began; a file that is new here and changed afterwards counts as changed.
  func watch(_ paths: [String], since start: Date) {
    state.withLock { state in
      let paths = Set(paths)
      state.early.formUnion(paths.subtracting(state.watched).filter { (Self.modified($0) ?? .distantPast) > start })
      state.early.formIntersection(paths)
      state.watched = paths
      state.watcher.watch(paths)
    }
  }

  /// Those that changed since this was asked last.
  func takeChanges() -> [String] {
    state.withLock { state in
      defer { state.early = [] }
      return state.early.union(state.watcher.takeChanges()).sorted()
    }
  }

  private static func modified(_ path: String) -> Date? {
    (try? FileManager.default.attributesOfItem(atPath: path))?[.modificationDate] as? Date
  }

  // MARK: sound

  /// Reads the sound of a file, unless it was the last one that was read; nil where there is none that can be read.
  func hear(_ path: String?) -> Sound? {
    guard let path else {
      state.withLock { $0.sound = nil }
      return nil
    }
    let stamp = Self.modified(path)
    if let known = state.withLock({ $0.sound }), known.path == path, known.stamp == stamp { return known.sound }
    guard let sound = try? HeardSound.read(path) else { return nil }
    state.withLock { $0.sound = (path, stamp, sound, nil) }
    return sound
  }

  /// The sound that is heard as a WAV file with 16 bits; nil where there is none.
  var heardSound: [UInt8]? {
    state.withLock { state in
      // A browser asks for part after part.
      guard let (_, _, sound, known) = state.sound else { return nil }
      let file = known ?? WAVWriter().bytes(of: sound)
      state.sound?.file = file
      return file
    }
  }
}
