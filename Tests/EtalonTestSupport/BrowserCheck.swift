internal import Foundation
package import Testing

/// A script beside the tests that uses the command that was just built, and a page of it in headless Chromium, as a person would.
package struct BrowserCheck {
  /// Whether there is a browser, and what drives it.
  package static let isPossible = ["/usr/bin/chromium", "/usr/bin/chromedriver"].allSatisfy {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  private let script: URL

  /// - Parameter script: its path below `Tests`; it is given the path of the command.
  package init(_ script: String) {
    self.script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().appending(path: script)
  }

  /// Runs it, and records what it says where it fails.
  package func run(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let process = Process()
    process.executableURL = script
    process.arguments = [URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "etalon").path]
    let output = Pipe()
    (process.standardOutput, process.standardError) = (output, output)
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let told = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(told)", sourceLocation: sourceLocation)
  }
}
