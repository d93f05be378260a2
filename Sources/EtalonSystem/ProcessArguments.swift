internal import Foundation
internal import Glibc

/// The words that this process was started with, the name of the command first.
///
/// Swift's `CommandLine` has none of them where a library such as libfaketime is preloaded, and a command without words prints its help and ends with 0, as if
/// its work were done.
///
/// **Concurrency**: usable from every thread.
package enum ProcessArguments {
  /// Those that are no UTF-8 have replacement characters.
  package static let all: [String] = bytes.map { String(decoding: $0, as: UTF8.self) }

  /// Those that are no UTF-8.
  package static var unreadable: [[UInt8]] { bytes.filter { String(validating: $0, as: UTF8.self) == nil } }

  private static let bytes: [[UInt8]] = system() ?? CommandLine.arguments.map { Array($0.utf8) }

  /// What the system says (proc(5)): each word ends in a zero.
  private static func system() -> [[UInt8]]? {
    let descriptor = unsafe open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var found: [UInt8] = [], piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe piece.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { break }
      found += piece[..<count]
    }
    guard found.last == 0 else { return nil }
    return found.dropLast().split(separator: 0, omittingEmptySubsequences: false).map { Array($0) }
  }
}
