import Foundation
import Testing

/// The page in headless Chromium, where there is one: `Tests/Preview/check` uses it as a person would.
@Suite(.timeLimit(.minutes(10))) struct BrowserTests {
  private static let check = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().appending(
    path: "Preview/check")

  /// The command that was just built, beside these tests.
  private static let command = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "etalon")

  private static let isPossible = ["/usr/bin/chromium", "/usr/bin/chromedriver"].allSatisfy {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  @Test(.enabled(if: isPossible, "there is no Chromium with its driver")) func thePageDoesWhatAPersonExpects() throws {
    let process = Process()
    process.executableURL = Self.check
    process.arguments = [Self.command.path]
    let output = Pipe()
    (process.standardOutput, process.standardError) = (output, output)
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let told = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(told)")
  }
}
