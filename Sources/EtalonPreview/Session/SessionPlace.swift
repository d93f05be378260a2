internal import Etalon
internal import EtalonDiagnostics
internal import EtalonMedia
internal import EtalonSystem
internal import EtalonTypes
internal import Foundation
internal import Synchronization

/// Where the files of a session are: the folders that pages may use, a temporary one for what they bring, and the files that are watched.
///
/// **Concurrency**: usable from every thread.
final class SessionPlace: Sendable {
  private struct State {
    var watcher = FileWatcher()
    /// The sound that is heard, by its file.
    var sound: (path: String, stamp: Date?, sound: Sound)?
    var uploads = 0
  }

  /// The folders that pages may write into, without links.
  let folders: [String]
  /// Removed when the session ends.
  let temporary: String
  private let state = Mutex(State())

  /// Makes the temporary folder.
  init(folders: [String]) throws(RenderError) {
    self.folders = folders.map(Self.realPath).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    temporary = try TemporaryFiles.makeFolder("etalon-preview")
  }

  /// The checkpoints of frames that were looked at; kept in the folder of the session, and more often than a render keeps them.
  var checkpoints: CheckpointFolder {
    CheckpointFolder(path: temporary + "/checkpoints", limit: 1 << 30, interval: .milliseconds(500))
  }

  /// Removes what is temporary.
  func remove() { TemporaryFiles.remove(temporary) }

  // MARK: what pages may use

  /// Whether a page may write a file: it lies in one of the folders, whatever links lead there, and is no link itself.
  func mayWrite(_ path: String) -> Bool {
    guard let real = Self.realTarget(path) else { return false }
    return folders.contains { Self.holds($0, real) }
  }

  /// Refuses a file that pages may not write.
  func checkWritable(_ path: String) throws(RenderError) {
    guard !mayWrite(path) else { return }
    throw RenderError(
      .cannotWrite, "cannot write '\(path)'", underlying: "it lies outside of the folders that were given at start",
      help: folders.isEmpty
        ? ["start the preview with '--folder'"] : ["choose a name in \(folders.joined(separator: ", ")), or start with '--folder'"])
  }

  /// Refuses a picture or a sound that pages may not name: addresses, and files outside of the folders.
  func checkReadable(_ text: String) throws(RenderError) {
    let path = text.split(separator: ",", omittingEmptySubsequences: false).first.map(String.init) ?? ""
    guard !path.contains("://") else {
      throw RenderError(.invalidInput, "'\(path)' is an address, and pages may name files only", help: ["download it first"])
    }
    // Of a sequence the folder counts: its pictures are named by numbers.
    let real = Self.realTarget(path) ?? ""
    guard folders.contains(where: { Self.holds($0, real) }) || Self.holds(Self.realPath(temporary), real) else {
      throw RenderError(
        .invalidInput, "a page may not open '\(path)'", underlying: "it lies outside of the folders that were given at start",
        help: ["drop the file onto the page, or start with '--folder'"])
    }
  }

  /// Refuses tracks, which values may name, outside of the folders.
  func checkFiles(ofValue text: String) throws(RenderError) {
    let trimmed = text.trimmingCharacters(in: .whitespaces)
    if trimmed.hasPrefix("@") {
      try checkReadable(String(trimmed.dropFirst().prefix { $0 != ":" }))
    } else if trimmed.hasPrefix("{"), let track = trimmed.firstMatch(of: /track["']?\s*:\s*["']?([^,"'}]+)/) {
      try checkReadable(String(track.output.1).trimmingCharacters(in: .whitespaces))
    }
  }

  /// The path without links; what does not exist counts as it is written.
  private static func realPath(_ path: String) -> String { URL(filePath: path).resolvingSymlinksInPath().standardizedFileURL.path }

  /// Where a file is, or would be written: its folder without links, which must exist, and its name; the place that it leads to for a link.
  private static func realTarget(_ path: String) -> String? {
    guard !path.isEmpty, !path.contains("\0") else { return nil }
    let url = URL(filePath: path).standardizedFileURL
    let folder = realPath(url.deletingLastPathComponent().path)
    guard !url.lastPathComponent.isEmpty, url.lastPathComponent != "..", url.lastPathComponent != "/" else { return nil }
    // A link that leads out would be followed by whoever opens it.
    let target = "\(folder)/\(url.lastPathComponent)"
    return realPath(target)
  }

  private static func holds(_ folder: String, _ path: String) -> Bool { path.hasPrefix(folder.hasSuffix("/") ? folder : folder + "/") }

  // MARK: what pages bring

  /// A path for what a page brings under some name, in a folder of its own, or in that of a sequence.
  ///
  /// - Parameter sequence: what all pictures of a sequence have in common; nil for a single file.
  func pathForUpload(named name: String, sequence: String?) throws(RenderError) -> String {
    let allowed = name.filter { $0.isLetter || $0.isNumber || "-_. ".contains($0) }.drop { $0 == "." || $0 == " " || $0 == "-" }
    let safe = allowed.isEmpty ? "file" : String(allowed.suffix(100))
    let folder: String
    if let sequence, !sequence.isEmpty, sequence.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }) {
      folder = "\(temporary)/sequence-\(sequence.prefix(40))"
    } else {
      folder = "\(temporary)/upload-\(state.withLock { $0.uploads += 1; return $0.uploads })"
    }
    do { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) } catch {
      throw RenderError(.cannotWrite, "cannot make '\(folder)'", underlying: error.localizedDescription)
    }
    return "\(folder)/\(safe)"
  }

  // MARK: watching

  /// Watches these files from now on, and no others.
  func watch(_ paths: [String]) { state.withLock { $0.watcher.watch(Set(paths)) } }

  /// Those that changed since this was asked last.
  func takeChanges() -> [String] { state.withLock { $0.watcher.takeChanges() } }

  // MARK: sound

  /// Reads the sound of a file, unless it was the last one that was read; nil where there is none that can be read.
  func hear(_ path: String?) -> Sound? {
    guard let path else {
      state.withLock { $0.sound = nil }
      return nil
    }
    let stamp = (try? FileManager.default.attributesOfItem(atPath: path))?[.modificationDate] as? Date
    if let known = state.withLock({ $0.sound }), known.path == path, known.stamp == stamp { return known.sound }
    guard let sound = try? HeardSound.read(path) else { return nil }
    state.withLock { $0.sound = (path, stamp, sound) }
    return sound
  }

  /// The sound that is heard as a WAV file with 16 bits; nil where there is none.
  var heardSound: [UInt8]? { state.withLock { $0.sound?.sound }.map { WAVWriter().bytes(of: $0) } }
}
