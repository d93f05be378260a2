import EtalonDiagnostics
import Foundation
import Testing

/// Words of commands that messages ask people to type.
@Suite struct ShellWordTests {
  /// What a shell makes of a word.
  private func seen(_ word: String) throws -> [UInt8] {
    let process = Process(), pipe = Pipe()
    process.executableURL = URL(filePath: "/bin/bash")
    process.arguments = ["-c", "printf '<%s>' \(word)"]
    process.standardOutput = pipe
    try process.run()
    let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return Array(bytes)
  }

  @Test(arguments: ["plain.glsl", "", "a b", "it's", "$(id)`id`", "a\nb", "\u{9B}31m", "a\\'b\n", "~", "!x", "-o", "a;b|c&d>e"])
  func textsAreOneWord(_ text: String) throws {
    #expect(try seen(ShellWord.quoted(text)) == Array("<\(text)>".utf8))
  }

  @Test func bytesAreOneWord() throws {
    for text in ["a\u{1}; touch x; '$(id)\\`.glsl", "caf#a.glsl", "#"] {
      let bytes = text.utf8.map { $0 == UInt8(ascii: "#") ? 0xE9 : $0 }
      #expect(try seen(ShellWord.quoted(bytes: bytes)) == Array("<".utf8) + bytes + Array(">".utf8))
    }
  }
}
