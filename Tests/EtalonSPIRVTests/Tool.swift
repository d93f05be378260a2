import Foundation

/// A command of spirv-tools or glslang.
enum Tool {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// What the command prints; throws what it says when it fails.
  static func run(_ name: String, _ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [name] + arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure(description: "\(name) \(arguments.joined(separator: " ")):\n\(text)") }
    return text
  }

  /// Runs a command over words that are written to a file for it.
  static func run(_ name: String, _ arguments: [String], words: [UInt32]) throws -> String {
    let file = FileManager.default.temporaryDirectory.appending(path: "etalon-\(UUID().uuidString).spv")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(words.flatMap { word in [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: word >> UInt32($0)) } }).write(to: file)
    return try run(name, arguments + [file.path])
  }
}
