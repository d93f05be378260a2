import Foundation

/// Runs a line in a shell in which `etalon` is the command that was just built.
struct ShellCommand {
  struct Answer {
    let exitCode: Int32
    let output: String
    let errors: String
  }

  private let line: String
  private let folder: URL
  private let cache: URL

  init(_ line: String, in folder: URL, cache: URL) {
    self.line = line
    self.folder = folder
    self.cache = cache
  }

  /// The folder with the products of the build, the one that this test lies in.
  static let products = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()

  func run() throws -> Answer {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/bash")
    process.arguments = ["-c", line]
    process.currentDirectoryURL = folder
    var environment = ProcessInfo.processInfo.environment
    environment["PATH"] = Self.products.path + ":" + (environment["PATH"] ?? "/usr/bin:/bin")
    environment["XDG_CACHE_HOME"] = cache.path
    // The filters of the user who runs the tests are not part of them.
    environment["XDG_DATA_HOME"] = cache.path
    environment["ETALON_PATH"] = nil
    environment["LC_ALL"] = "C.UTF-8"
    environment["ETALON_VULKAN_VALIDATION"] = "1"
    process.environment = environment
    let output = folder.appending(path: ".stdout")
    let errors = folder.appending(path: ".stderr")
    for file in [output, errors] { try Data().write(to: file) }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
    process.waitUntilExit()
    defer { for file in [output, errors] { try? FileManager.default.removeItem(at: file) } }
    return Answer(
      exitCode: process.terminationReason == .uncaughtSignal ? 128 + process.terminationStatus : process.terminationStatus,
      output: try String(contentsOf: output, encoding: .utf8), errors: try String(contentsOf: errors, encoding: .utf8))
  }
}
