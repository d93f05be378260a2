package import EtalonDiagnostics
internal import EtalonSystem
internal import Glibc

/// A file that is either written completely or not at all.
///
/// Bytes go to a temporary file in the same folder; `commit()` renames it. Dropped without `commit()`, it leaves nothing behind. A path that names
/// a device or a pipe is written to directly.
///
/// ```
/// let file = try AtomicFile("out/plasma.0001.png", replacing: .ownFrames)
/// try encoder.encode(picture, to: file)
/// try file.commit()
/// ```
///
/// **Concurrency**: used by one thread at a time.
package final class AtomicFile: ByteSink {
  private static let bufferSize = 1 << 16
  /// How often a named pipe that nothing reads from is looked at, and the microseconds between.
  private static let patience = (looks: 20, pause: useconds_t(50_000))

  private let path: String
  private let temporaryPath: String?
  private let synchronizes: Bool
  private var descriptor: Int32
  private var buffer: [UInt8] = []

  /// Opens the temporary file.
  ///
  /// - Parameter synchronizes: whether `commit()` waits until the bytes are on the disk.
  /// - Parameter permissions: what others may do with the file, as far as the umask allows.
  package init(
    _ path: String, replacing policy: ReplacePolicy, synchronizes: Bool = false, permissions: UInt32 = 0o666
  ) throws(RenderError) {
    self.path = path
    self.synchronizes = synchronizes
    let kind = FileKind(path: path)
    if kind == .device {
      temporaryPath = nil
      descriptor = try Self.openExisting(path)
    } else {
      try policy.check(path)
      var made = TemporaryFiles.makeFile(for: path, permissions: permissions)
      if made == nil, errno == ENOENT, Self.makeFolder(of: path) { made = TemporaryFiles.makeFile(for: path, permissions: permissions) }
      (temporaryPath, descriptor) = (made?.path, made?.descriptor ?? -1)
    }
    if descriptor < 0 {
      let failure = errno
      throw Self.cannotWrite(path, "open", systemErrorText(failure), help: Self.help(failure, path))
    }
  }

  deinit {
    discard()
  }

  /// Takes the next bytes; fails as soon as the system refuses some.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(RenderError) {
    if buffer.count + bytes.count > Self.bufferSize { try flush() }
    if bytes.count >= Self.bufferSize {
      try unsafe writeAll(bytes)
    } else {
      unsafe buffer.append(contentsOf: bytes)
    }
  }

  /// Ends writing, so that `commit()` needs no more room on the disk; for several files that appear together it is called on each before the first `commit()`.
  package func finish() throws(RenderError) {
    guard descriptor >= 0 else { return }
    try flush()
    if synchronizes, temporaryPath != nil, fsync(descriptor) != 0 { throw fail("fsync") }
    let open = descriptor
    descriptor = -1
    guard Glibc.close(open) == 0 else { throw fail("close") }
  }

  /// Puts the file in its place; without this call it never appears.
  package func commit() throws(RenderError) {
    try finish()
    guard let temporaryPath else { return }
    guard unsafe rename(temporaryPath, path) == 0 else { throw fail("rename") }
    TemporaryFiles.release(temporaryPath)
  }

  private func flush() throws(RenderError) {
    guard !buffer.isEmpty else { return }
    let pending = buffer
    buffer.removeAll(keepingCapacity: true)
    var failure: RenderError?
    unsafe pending.withUnsafeBytes { bytes in
      do throws(RenderError) { try unsafe writeAll(bytes) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  private func writeAll(_ bytes: UnsafeRawBufferPointer) throws(RenderError) {
    var rest = unsafe bytes[...]
    while unsafe !rest.isEmpty {
      let count = unsafe Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw fail("write") }
      unsafe rest = rest.dropFirst(count)
    }
  }

  /// The error of the call that just failed; nothing is left behind.
  private func fail(_ operation: String) -> RenderError {
    let failure = errno
    discard()
    return Self.cannotWrite(path, operation, systemErrorText(failure), help: failure == ENOENT ? [] : Self.help(failure, path))
  }

  private func discard() {
    if descriptor >= 0 { _ = Glibc.close(descriptor) }
    descriptor = -1
    if let temporaryPath { TemporaryFiles.remove(temporaryPath) }
  }
}

extension AtomicFile {
  /// Opens a device or a pipe; -1 where that is not possible, with the reason in `errno`.
  ///
  /// Opening a named pipe would wait without end for something that reads from it. Only the opening of a pipe does not wait, so that writing does.
  private static func openExisting(_ path: String) throws(RenderError) -> Int32 {
    guard isPipe(path) else { return unsafe open(path, O_WRONLY | O_CLOEXEC) }
    for _ in 0..<patience.looks {
      let descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK)
      if descriptor >= 0 { _ = fcntl(descriptor, F_SETFL, O_WRONLY) }
      guard descriptor < 0, errno == ENXIO || errno == EINTR else { return descriptor }
      usleep(patience.pause)
    }
    throw cannotWrite(
      path, nil, "it is a named pipe that nothing reads from", help: ["start what reads from it first, or name a file"])
  }

  private static func isPipe(_ path: String) -> Bool {
    var information = stat()
    return unsafe stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFIFO
  }

  /// Makes the folder that a file is to lie in, and those around it; false where that is not possible, with the reason in `errno`.
  private static func makeFolder(of path: String) -> Bool {
    let all = splitPath(path).folder
    var folder = all.hasPrefix("/") ? "/" : ""
    for part in all.split(separator: "/") {
      folder += "\(part)/"
      guard unsafe mkdir(folder, 0o777) == 0 || errno == EEXIST else { return false }
    }
    return !folder.isEmpty
  }

  static func cannotWrite(_ path: String, _ operation: String?, _ reason: String, help: [String]) -> RenderError {
    RenderError(.cannotWrite, "cannot write '\(path)'", operation: operation, underlying: reason, help: help)
  }

  private static func help(_ code: Int32, _ path: String) -> [String] {
    switch code {
    case ENOSPC, EDQUOT: ["free some space; files that are already written are complete"]
    case EFBIG: ["allow larger files (see 'ulimit -f'), or write a smaller picture"]
    case ENOENT where unsafe access(splitPath(path).folder, F_OK) == 0: ["choose another folder: this one takes no new files"]
    case ENOENT: ["make the folder first: mkdir -p '\(splitPath(path).folder)'"]
    case EACCES, EPERM, EROFS: ["choose a folder that you may write to"]
    default: []
    }
  }
}

/// What may happen to a file that is there already.
package enum ReplacePolicy: Sendable, Hashable {
  /// A PNG that Etalon wrote is replaced, anything else is refused.
  case ownFrames
  /// The same, and files without a byte, which a system that went down left of frames (`--resume`).
  case ownFramesAndEmpty
  /// Everything is replaced (`--overwrite`).
  case anything

  /// Fails when a file is there that may not be replaced.
  package func check(_ path: String) throws(RenderError) {
    let kind = FileKind(path: path)
    if kind == .folder { throw AtomicFile.cannotWrite(path, nil, "it is a folder", help: ["name a file in it"]) }
    guard self != .anything, kind != .missing, !FrameProvenance.isOwn(path: path), !WAVWriter.isOwn(path: path) else { return }
    if self == .ownFramesAndEmpty, FileKind.isEmptyFile(path) { return }
    throw RenderError(
      .cannotWrite, "cannot write '\(path)'", underlying: "a file that Etalon did not write is there",
      help: ["choose another name, or pass --overwrite"])
  }
}

// MARK: Sinks

/// Something that takes the bytes of a file in order.
package protocol ByteSink: AnyObject {
  /// Takes the next bytes.
  func write(_ bytes: UnsafeRawBufferPointer) throws(RenderError)
}

extension ByteSink {
  /// Takes the bytes of an array.
  package func write(_ bytes: [UInt8]) throws(RenderError) {
    var failure: RenderError?
    unsafe bytes.withUnsafeBytes { bytes in
      do throws(RenderError) { try unsafe write(bytes) } catch { failure = error }
    }
    if let failure { throw failure }
  }
}

/// Collects the bytes of a file in memory.
package final class MemorySink: ByteSink {
  /// What was written so far.
  package private(set) var bytes: [UInt8] = []

  /// Starts with nothing.
  package init() {}

  /// Appends the bytes.
  package func write(_ bytes: UnsafeRawBufferPointer) {
    unsafe self.bytes.append(contentsOf: bytes)
  }

  /// Forgets the bytes and keeps the memory for the next file.
  package func reset() {
    bytes.removeAll(keepingCapacity: true)
  }
}

// MARK: The system

/// What the system said about the last call of this thread that failed, such as `No space left on device`.
func lastSystemError() -> String { systemErrorText(errno) }

/// The text of an `errno` value.
func systemErrorText(_ code: Int32) -> String { unsafe String(cString: strerror(code)) }

/// The kind of thing that a path names.
package enum FileKind {
  case missing, regular, folder, device

  /// Follows links; a path that cannot be looked at counts as missing, and opening it says why.
  package init(path: String) {
    var information = stat()
    guard unsafe stat(path, &information) == 0 else {
      self = .missing
      return
    }
    switch information.st_mode & S_IFMT {
    case S_IFREG: self = .regular
    case S_IFDIR: self = .folder
    default: self = .device
    }
  }

  /// Whether a path names a regular file without a byte.
  static func isEmptyFile(_ path: String) -> Bool {
    var information = stat()
    return unsafe stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFREG && information.st_size == 0
  }
}

/// The folder of a path without a final slash, `.` for a bare name, and the last part of the path.
private func splitPath(_ path: String) -> (folder: String, name: String) {
  guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
  let folder = String(path[..<slash])
  return (folder.isEmpty ? "/" : folder, String(path[path.utf8.index(after: slash)...]))
}
