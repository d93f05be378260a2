internal import CGlslang
package import Foundation

/// Compiles whole compute shaders as they are, with debug lines, to unoptimised SPIR-V 1.3.
///
/// The compiler is the one that is linked: to start its command takes twenty times as long as to compile a small kernel.
package enum ShaderText {
  /// What the compiler has against a text.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// The words of a text.
  ///
  /// - Parameter folder: where the files lie that it includes.
  package static func words(of text: String, named name: String = "kernel.comp", including folder: URL? = nil) throws -> [UInt32] {
    var text = try folder.map { try included(text, $0) } ?? text
    let result = text.withUTF8 { bytes in
      unsafe bytes.withMemoryRebound(to: CChar.self) { unsafe cglslang_compile($0.baseAddress, $0.count, name, nil, 0) }
    }
    defer { unsafe cglslang_result_free(result) }
    guard let words = unsafe result.words else { throw Failure(description: unsafe String(cString: result.log)) }
    return unsafe Array(UnsafeBufferPointer(start: words, count: result.word_count))
  }

  /// The text with the files that it includes in the places of their directives; its own lines keep their numbers.
  private static func included(_ text: String, _ folder: URL) throws -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return try lines.enumerated().map { index, line in
      guard line.hasPrefix("#include"), let name = line.split(separator: "\"").dropFirst().first?.split(separator: "/").last else {
        return String(line)
      }
      let file = try String(contentsOf: folder.appending(path: String(name)), encoding: .utf8)
      return try included(file, folder) + "\n#line \(index + 2)"
    }.joined(separator: "\n")
  }
}
