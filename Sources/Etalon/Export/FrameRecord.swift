package import EtalonDiagnostics
internal import EtalonMedia
internal import EtalonSystem
internal import EtalonTypes
internal import Foundation
internal import Synchronization

/// What a machine says about a file that it wrote, so that others can tell later who made which frame, and whether it is still the same.
package struct FrameRecord: Codable, Sendable, Hashable {
  /// The device that rendered it.
  package var device: String
  /// The version of Etalon.
  package var etalon: String
  /// The number of the frame; nil for a part of a video.
  package var frame: Int?
  /// The frames of a part of a video, such as `24-47`; nil for a picture.
  package var frames: String?
  /// The name of the machine; of a node of a cluster, what the cluster calls it.
  package var host: String
  /// The name of the output.
  package var output: String
  /// The absolute path of the file.
  package var path: String
  /// What its pixels depend on.
  package var recipe: String
  /// The SHA-256 of its bytes, in hexadecimal digits.
  package var sha256: String

  package init(
    frame: Int?, frames: String? = nil, output: String = "main", path: String, recipe: String, sha256: String,
    host: String = MachineName.current, device: String, etalon: String = EtalonVersion.current
  ) {
    (self.frame, self.frames, self.output, self.path, self.recipe) = (frame, frames, output, path, recipe)
    (self.sha256, self.host, self.device, self.etalon) = (sha256, host, device, etalon)
  }

  /// Whether it was rendered by the CPU executor, which gives the same bits on every machine.
  package var isOfCPU: Bool { device.lowercased().hasPrefix("cpu") }
}

/// What this machine is called.
package enum MachineName {
  /// The name of the node, where a cluster gives it one, else that of the host.
  package static let current = ProcessInfo.processInfo.environment["SLURMD_NODENAME"] ?? ProcessInfo.processInfo.hostName
}

/// Writes a line for each file that this process wrote, into a file of its own in a folder that others share.
///
/// **Concurrency**: usable from every thread.
package final class FrameRecordWriter: Sendable {
  package static let ending = ".jsonl"

  private let path: String
  /// Opened with the first line.
  private let descriptor = Mutex<Int32>(-1)

  /// - Parameter folder: made where it is missing.
  package init(folder: String) throws(RenderError) {
    path = "\(folder)/\(MachineName.current)-\(ProcessIdentity.current)-\(ProcessIdentity.randomDigits())\(Self.ending)"
    try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    guard unsafe access(folder, W_OK) == 0 else { throw failure("open") }
  }

  deinit {
    descriptor.withLock { if $0 >= 0 { close($0) } }
  }

  /// Notes a file that is in its place.
  ///
  /// - Parameter frame: its number, or for a part of a video its frames.
  func add(
    _ file: String, frame: Int? = nil, frames: String? = nil, output: String, recipe: String, device: String
  ) throws(RenderError) {
    let hash = ContentHash(of: try FileReader.bytes(of: file, limit: .max)).description
    let absolute = URL(filePath: file).standardizedFileURL.path(percentEncoded: false)
    try write(FrameRecord(frame: frame, frames: frames, output: output, path: absolute, recipe: recipe, sha256: hash, device: device))
  }

  private func write(_ record: FrameRecord) throws(RenderError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let line = try? encoder.encode(record) else { preconditionFailure("strings and integers always encode") }
    let bytes = [UInt8](line) + [UInt8(ascii: "\n")]
    try descriptor.withLock { descriptor throws(RenderError) in
      if descriptor < 0 { descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o666) }
      guard descriptor >= 0 else { throw failure("open") }
      let count = unsafe bytes.withUnsafeBytes { unsafe Foundation.write(descriptor, $0.baseAddress, $0.count) }
      guard count == bytes.count else {
        let reason = count < 0 ? errno : ENOSPC
        // What follows must not be read as the end of this line.
        if count > 0 { _ = ftruncate(descriptor, max(0, lseek(descriptor, 0, SEEK_END) - off_t(count))) }
        errno = reason
        throw failure("write")
      }
    }
  }

  private func failure(_ operation: String) -> RenderError {
    RenderError(
      .cannotWrite, "cannot write the record '\(path)'", operation: operation, underlying: unsafe String(cString: strerror(errno)),
      help: ["choose a folder for '--records' that you may write to and that has room"])
  }
}
