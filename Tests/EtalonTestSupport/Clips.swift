package import Foundation
import Testing

/// Videos that are made for a test with the command `ffmpeg`.
package enum Clips {
  /// Removed with the process.
  package static let folder: String = {
    let path = FileManager.default.temporaryDirectory.appending(path: "etalon-clips-\(getpid())").path
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    atexit { try? FileManager.default.removeItem(atPath: Clips.folder) }
    return path
  }()

  package static func path(_ name: String) -> String { "\(folder)/\(name)" }

  /// Runs `ffmpeg` with arguments that are separated by spaces; `@name` is a file in the folder.
  @discardableResult
  package static func ffmpeg(_ arguments: String, command: String = "ffmpeg") throws -> Data {
    let (status, data, message) = try run(arguments, command: command)
    try #require(status == 0, "\(command) \(arguments): \(message)")
    return data
  }

  /// What `ffmpeg` complains of while it decodes the pictures of a file; empty if it finds nothing wrong.
  package static func complaints(of path: String) throws -> String { try run("-i \(path) -map 0:V:0 -f null -", command: "ffmpeg").errors }

  private static func run(_ arguments: String, command: String) throws -> (status: Int32, output: Data, errors: String) {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    let words = arguments.split(separator: " ").map { $0.hasPrefix("@") ? path(String($0.dropFirst())) : String($0) }
    process.arguments = [command, "-v", "error"] + (command == "ffmpeg" ? ["-nostdin", "-y", "-threads", "1"] : []) + words
    let output = Pipe(), errors = Pipe()
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    let message = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, data, message)
  }

  /// Encodes a moving test picture of 64x64 pixels at 24 frames a second.
  @discardableResult
  package static func make(
    _ name: String, _ options: String, seconds: String = "1.5", size: String = "64x64", rate: String = "24"
  ) throws -> String {
    // Cases of a test run side by side and may make the same clip, which none of them may see half.
    let part = "\(UUID().uuidString)-\(name)"
    try ffmpeg("-f lavfi -i testsrc2=s=\(size):r=\(rate):d=\(seconds) \(options) @\(part)")
    try #require(unsafe rename(path(part), path(name)) == 0, "cannot rename \(part)")
    return path(name)
  }

  /// The frames of a video as `ffmpeg` decodes them, each as one piece of bytes.
  package static func frames(
    _ path: String, _ format: String, bytesPerFrame: Int, options: String = "", filter: String? = nil
  ) throws -> [[UInt8]] {
    let filter = filter.map { "-vf \($0)" } ?? ""
    let data = [UInt8](
      try ffmpeg("\(options) -noautorotate -i \(path) -map 0:V:0 \(filter) -vsync passthrough -f rawvideo -pix_fmt \(format) -"))
    try #require(data.count % bytesPerFrame == 0, "\(data.count) bytes in pieces of \(bytesPerFrame)")
    return stride(from: 0, to: data.count, by: bytesPerFrame).map { Array(data[$0..<$0 + bytesPerFrame]) }
  }
}
