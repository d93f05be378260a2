internal import EtalonTypes
internal import Foundation

/// Which process made something, in a form that goes into names of files: `3f9c0a7715e2b846-4711-829934`.
///
/// Processes in two containers, or on two machines that share a folder, may have the same number. So the first part is a hash of the machine, of
/// its start and of the space in which it numbers processes; the last one is when the process started, because numbers are used again.
package struct ProcessIdentity: Hashable, Sendable, CustomStringConvertible {
  private let space: String
  private let process: pid_t
  private let start: String

  /// This process.
  package static let current = ProcessIdentity(space: spaceOfThisProcess, process: getpid(), start: start(of: getpid()) ?? "0")

  private init(space: String, process: pid_t, start: String) { (self.space, self.process, self.start) = (space, process, start) }

  /// Reads the text of an identity.
  init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].count == 16, parts[0].allSatisfy(\.isHexDigit), let process = pid_t(parts[1]), process > 0,
      !parts[2].isEmpty, parts[2].allSatisfy(\.isNumber)
    else { return nil }
    (space, self.process, start) = (String(parts[0]), process, String(parts[2]))
  }

  package var description: String { "\(space)-\(process)-\(start)" }

  /// Whether the process is known to have ended; nothing is known of processes of another machine or container.
  var hasEnded: Bool {
    guard space == Self.current.space else { return false }
    if kill(process, 0) != 0 { return errno == ESRCH }
    return Self.start(of: process).map { $0 != start } ?? false
  }

  private static let spaceOfThisProcess: String = {
    let namespace = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/ns/pid")
    let boot = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
    // A process that does not know where it is has a space of its own: then only age tells that its files were left behind.
    guard let namespace, let boot else { return randomDigits() }
    let text = "\(ProcessInfo.processInfo.hostName) \(boot) \(namespace)"
    return String(ContentHash(of: Array(text.utf8)).description.prefix(16))
  }()

  /// When a process started, in clock ticks since the start of the machine.
  private static func start(of process: pid_t) -> String? {
    guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8), let name = text.lastIndex(of: ")") else {
      return nil
    }
    // The name of the program, in brackets, may hold anything; the 20th field behind it is the time.
    let fields = text[text.index(after: name)...].split(separator: " ")
    return fields.count > 19 ? String(fields[19]) : nil
  }

  /// 16 hexadecimal digits.
  package static func randomDigits() -> String {
    let digits = String(UInt64.random(in: 0 ... .max), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

/// The name of a file or folder that is not complete yet: `.plasma.png.<process>.<16 random digits>.tmp`.
struct TemporaryName {
  private static let suffix = ".tmp"
  /// Longer names are cut, in bytes, because a name has 255.
  private static let longestStem = 120

  /// Who made it.
  let maker: ProcessIdentity

  /// A new name for something that is going to be called otherwise; no other process has it.
  static func new(for name: String) -> String {
    var stem = name
    while stem.utf8.count > longestStem { stem.removeLast() }
    return ".\(stem).\(ProcessIdentity.current).\(ProcessIdentity.randomDigits())\(suffix)"
  }

  /// Reads a name; nil for every other.
  init?(_ name: String) {
    guard name.hasPrefix("."), name.hasSuffix(Self.suffix) else { return nil }
    let parts = name.dropLast(Self.suffix.count).split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count >= 3, let random = parts.last, random.count == 16, random.allSatisfy(\.isHexDigit),
      let maker = ProcessIdentity(parts[parts.count - 2])
    else { return nil }
    self.maker = maker
  }
}

/// Seconds of processor time, which other programs on the machine do not lengthen as they do those of a clock.
package enum ProcessorTime {
  /// What all threads of this process have used.
  package static var ofProcess: Double { read(CLOCK_PROCESS_CPUTIME_ID) }

  /// What the calling thread has used.
  package static var ofThread: Double { read(CLOCK_THREAD_CPUTIME_ID) }

  private static func read(_ clock: clockid_t) -> Double {
    var time = timespec()
    _ = unsafe clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}
