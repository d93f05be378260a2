import Foundation

/// The seed of the program that runs, in a file that outlives a crash.
final class Journal {
  private let path: String
  private let file: FileHandle

  init(path: String) throws {
    self.path = path
    let folder = URL(filePath: path).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try? FileManager.default.removeItem(atPath: path + ".summary")
    try Data().write(to: URL(filePath: path))
    file = try FileHandle(forWritingTo: URL(filePath: path))
  }

  /// Notes the seed whose program is going to run.
  func begin(_ seed: UInt64) {
    // All digits, so that a shorter number covers a longer one.
    let digits = String(seed)
    try? file.seek(toOffset: 0)
    try? file.write(contentsOf: Data((String(repeating: "0", count: 20 - digits.count) + digits + "\n").utf8))
  }

  /// Notes what came of all programs.
  ///
  /// - Parameter isKept: whether another process reads it; the journal is removed otherwise.
  func end(_ summary: Campaign.Summary, isKept: Bool) throws {
    try file.close()
    if isKept {
      try JSONEncoder().encode(summary).write(to: URL(filePath: path + ".summary"))
    } else {
      try FileManager.default.removeItem(atPath: path)
    }
  }

  /// The seed in the journal of a process that ended; nil where it began none.
  static func seed(path: String) -> UInt64? {
    (try? String(contentsOfFile: path, encoding: .utf8)).flatMap { UInt64($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
  }

  /// What came of the programs of a process; nil where it did not come to its end.
  static func summary(path: String) throws -> Campaign.Summary? {
    guard let data = FileManager.default.contents(atPath: path + ".summary") else { return nil }
    return try JSONDecoder().decode(Campaign.Summary.self, from: data)
  }
}

/// This command once more, as another process.
enum ChildProcess {
  struct End {
    let status: Int32
    /// The signal that killed it; nil where it ended by itself.
    let signal: Int32?

    var description: String { signal.map { "signal \($0)" } ?? "status \(status)" }
  }

  static func run(_ arguments: [String], isQuiet: Bool = false) throws -> End {
    let process = Process()
    process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = arguments
    // A backtrace takes seconds for each crash.
    process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    if isQuiet {
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
    }
    try process.run()
    process.waitUntilExit()
    return End(status: process.terminationStatus, signal: process.terminationReason == .uncaughtSignal ? process.terminationStatus : nil)
  }
}
