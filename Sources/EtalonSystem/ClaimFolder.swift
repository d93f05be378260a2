package import EtalonDiagnostics
internal import Foundation

/// A claim on a unit of work: the first one, or one of a later generation, which takes the place of a claim whose owner is gone.
package struct Claim: Sendable, Hashable {
  /// The number of the unit, from 0 on.
  package let unit: Int
  /// 1 for the first claim on a unit.
  package let generation: Int

  package init(unit: Int, generation: Int) { (self.unit, self.generation) = (unit, generation) }
}

/// Where workers that share nothing else see each other's claims and heartbeats.
///
/// What others did may show late; only making a claim is decided at once, for all.
package protocol ClaimFolder: Sendable {
  /// Shows that a worker is there, with a heartbeat of 0.
  func enter(_ worker: String) throws(RenderError)
  /// Changes the heartbeat of a worker.
  func beat(_ worker: String, _ count: Int)
  /// The last heartbeat of a worker; nil where none shows.
  func heartbeat(of worker: String) -> Int?
  /// Makes a claim; false where a worker has it.
  func make(_ claim: Claim, by worker: String) throws(RenderError) -> Bool
  /// Who made a claim, empty where that does not show yet; nil where the claim is gone or its unit done.
  func owner(of claim: Claim) -> String?
  /// Says that the unit of a claim is done.
  func markAsDone(_ claim: Claim)
  /// Takes a claim back.
  func withdraw(_ claim: Claim)
  /// All claims, and whether their units are done; nil where there is no folder.
  func claims() throws(RenderError) -> [(claim: Claim, isDone: Bool)]?
  /// Takes the heartbeat of a worker away.
  func leave(_ worker: String)
  /// Takes everything away, when all units are done.
  func remove()
}

/// Claims as files, for processes of one or several machines.
///
/// `12.1` is the first claim on the unit 12, with the name of the worker in it; `12.1.done` is the same when the unit is done, and `worker-NAME` a heartbeat. A claim is a file
/// that only one process can make, whatever the others see: NFS promises that since its version 3. Neither times of change nor clocks of other machines count.
///
/// **Concurrency**: an immutable value, usable from every thread and process.
struct ClaimFiles: ClaimFolder {
  private static let done = ".done"
  private static let worker = "worker-"
  /// Names with larger numbers are no claims.
  private static let mostGenerations = 1_000_000
  /// So often a folder is made again that others remove as they end.
  private static let mostTries = 100
  /// So many digits a count has, and a lapse in milliseconds, so that a heartbeat is changed where it stands.
  private static let digits = 12

  private let folder: String
  /// What the work makes, for messages.
  private let product: String
  private let lapse: Duration

  /// - Parameter lapse: how long a heartbeat of this process may stand still.
  init(_ folder: String, of product: String, lapse: Duration = .seconds(30)) {
    (self.folder, self.product, self.lapse) = (folder, product, lapse)
  }

  /// What a worker shows of itself.
  struct Heartbeat: Sendable, Hashable {
    var count: Int
    /// How long it may stand still; it is changed ten times as often.
    var lapse: Duration
    /// Whether the worker still looks for those who do other work.
    var isLooking: Bool

    fileprivate init(count: Int, lapse: Duration, isLooking: Bool) { (self.count, self.lapse, self.isLooking) = (count, lapse, isLooking) }

    fileprivate init?(_ text: String) {
      let words = text.split(separator: " ")
      guard words.count == 3, let count = Int(words[0]), let lapse = Int64(words[1]), lapse >= 0 else { return nil }
      self.init(count: count, lapse: .milliseconds(lapse), isLooking: words[2] == "looking")
    }

    fileprivate var text: String {
      let milliseconds = lapse.components.seconds * 1000 + lapse.components.attoseconds / 1_000_000_000_000_000
      // Of one length, so that it is changed where it stands.
      return "\(ClaimFiles.padded(count)) \(ClaimFiles.padded(Int(clamping: milliseconds))) \(isLooking ? "looking" : "working")"
    }
  }

  func enter(_ worker: String) throws(RenderError) {
    let around = URL(filePath: folder).deletingLastPathComponent()
    try? FileManager.default.createDirectory(at: around, withIntermediateDirectories: true)
    for _ in 0..<Self.mostTries {
      try makeFolder()
      if write(text(0, isLooking: true), to: path(of: worker), O_WRONLY | O_CREAT) { return }
      // Those who are through may remove the folder at any moment.
      guard Self.isGone(errno) else { break }
    }
    throw failure("write")
  }

  /// Whether a folder was removed meanwhile: network folders say it in their own way.
  private static func isGone(_ reason: Int32) -> Bool { reason == ENOENT || reason == ESTALE }

  /// Makes the folder where it is missing; a link is refused, because it could lead to files of others.
  private func makeFolder() throws(RenderError) {
    if unsafe mkdir(folder, 0o777) == 0 { return }
    guard errno == EEXIST else { throw failure("mkdir") }
    var status = stat()
    // One that is gone again is made by the next try.
    guard unsafe lstat(folder, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else { return }
    errno = ENOTDIR
    throw failure("mkdir")
  }

  func beat(_ worker: String, _ count: Int) { beat(worker, count, isLooking: false) }

  func beat(_ worker: String, _ count: Int, isLooking: Bool) {
    _ = write(text(count, isLooking: isLooking), to: path(of: worker), O_WRONLY)
  }

  private func text(_ count: Int, isLooking: Bool) -> String { Heartbeat(count: count, lapse: lapse, isLooking: isLooking).text }

  func heartbeat(of worker: String) -> Int? { shown(by: worker)?.count }

  /// What a worker shows; nil where nothing shows.
  func shown(by worker: String) -> Heartbeat? { read(path(of: worker)).flatMap { Heartbeat($0) } }

  /// Those who are in the folder.
  var workers: [String] {
    (FolderNames(folder)?.names ?? []).filter { $0.hasPrefix(Self.worker) }.map { String($0.dropFirst(Self.worker.count)) }
  }

  var name: String { URL(filePath: folder).lastPathComponent }

  func make(_ claim: Claim, by worker: String) throws(RenderError) -> Bool {
    let path = path(of: claim)
    for _ in 0..<Self.mostTries {
      if write(worker, to: path, O_WRONLY | O_CREAT | O_EXCL) { return true }
      if errno == EEXIST { return false }
      // The others were through, and removed the folder.
      guard Self.isGone(errno) else { break }
      try enter(worker)
    }
    throw failure("write")
  }

  func owner(of claim: Claim) -> String? {
    if let name = read(path(of: claim)) { return name }
    // One that cannot be read is as good as one that is not signed.
    return Self.isGone(errno) ? nil : ""
  }

  func markAsDone(_ claim: Claim) { _ = unsafe rename(path(of: claim), path(of: claim) + Self.done) }

  func withdraw(_ claim: Claim) { unsafe unlink(path(of: claim)) }

  func claims() throws(RenderError) -> [(claim: Claim, isDone: Bool)]? {
    guard let names = FolderNames(folder)?.names else {
      if Self.isGone(errno) { return nil }
      throw failure("opendir")
    }
    return names.compactMap { name in
      let isDone = name.hasSuffix(Self.done)
      let parts = (isDone ? name.dropLast(Self.done.count) : name[...]).split(separator: ".", omittingEmptySubsequences: false)
      guard parts.count == 2, let unit = Int(parts[0]), let generation = Int(parts[1]), unit >= 0,
        (1...Self.mostGenerations).contains(generation), name.hasPrefix("\(unit).\(generation)")
      else { return nil }
      return (Claim(unit: unit, generation: generation), isDone)
    }
  }

  func leave(_ worker: String) {
    unsafe unlink(path(of: worker))
    // The last one removes a folder without claims.
    unsafe rmdir(folder)
  }

  func remove() {
    for (claim, isDone) in (try? claims()) ?? [] { unsafe unlink(path(of: claim) + (isDone ? Self.done : "")) }
    for name in FolderNames(folder)?.names ?? [] where name.hasPrefix(Self.worker) { unsafe unlink("\(folder)/\(name)") }
    unsafe rmdir(folder)
  }

  // MARK: other work

  /// The folders of those who divide other work on the same product: their names differ behind the last hyphen.
  var ofOtherWork: [ClaimFiles] {
    let around = URL(filePath: folder).deletingLastPathComponent().path
    guard let hyphen = name.lastIndex(of: "-") else { return [] }
    let family = name[...hyphen]
    let names = (FolderNames(around)?.names ?? []).filter { $0.hasPrefix(family) && $0 != name }
    return names.map { ClaimFiles("\(around)/\($0)", of: product) }
  }

  /// What is said to who divides other work than others on the same product.
  var otherWork: RenderError {
    RenderError(
      .cannotWrite, "another process makes '\(product)' in another way",
      underlying: "its words, its device or driver, or its version of Etalon or of FFmpeg's libraries are not those of this command",
      help: ["type the same words, choose another name for '-o', or say '--device cpu' everywhere"])
  }

  // MARK: files

  private func path(of claim: Claim) -> String { "\(folder)/\(claim.unit).\(claim.generation)" }
  private func path(of worker: String) -> String { "\(folder)/\(Self.worker)\(worker)" }

  private static func padded(_ number: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }

  /// Writes a text in one piece from the beginning of a file on; false where that fails, with the reason in `errno`.
  private func write(_ text: String, to path: String, _ flags: Int32) -> Bool {
    let descriptor = unsafe open(path, flags | O_CLOEXEC | O_NOFOLLOW, 0o666)
    guard descriptor >= 0 else { return false }
    let bytes = Array(text.utf8)
    let count = unsafe bytes.withUnsafeBytes { unsafe Foundation.write(descriptor, $0.baseAddress, $0.count) }
    let failure = errno
    // Some file systems tell only when a file is closed that the disk is full.
    let isClosed = close(descriptor) == 0, reason = isClosed ? count < 0 ? failure : ENOSPC : errno
    guard count != bytes.count || !isClosed else { return true }
    if flags & O_EXCL != 0 { unsafe unlink(path) }
    errno = reason
    return false
  }

  /// What a small file holds; nil where it cannot be read.
  private func read(_ path: String) -> String? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = unsafe bytes.withUnsafeMutableBytes { unsafe Foundation.read(descriptor, $0.baseAddress, $0.count) }
    return count < 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
  }

  /// The error of the call that just failed.
  private func failure(_ operation: String) -> RenderError {
    let reason = unsafe String(cString: strerror(errno))
    return RenderError(
      .cannotWrite, "cannot share the work on '\(product)'", operation: operation, underlying: "'\(folder)': \(reason)",
      help: ["see that the folder can be written and has room"])
  }
}
