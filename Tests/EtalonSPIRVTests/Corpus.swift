import EtalonSPIRV
import Foundation
import Synchronization
import Testing

/// The modules under `Tests/Corpus/spirv`: GLSL and assembly, turned into words by the tools that the package is built with.
enum Corpus {
  static let directory = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Corpus/spirv").standardized

  /// GLSL kernels that together use every construct.
  static let kernels = names("kernels", "comp")
  /// Assembly with control flow that no GLSL compiles to.
  static let flow = names("flow", "spvasm")
  /// What goes into the hardening pass.
  static let hardening = names("hardening", "spvasm").filter { !$0.hasSuffix(".hardened.spvasm") }
  /// Modules that are refused.
  static let errors = names("errors", "spvasm")
  /// All modules that are fine.
  static let all = kernels + flow + hardening

  private static let cache = Mutex<[String: [UInt32]]>([:])

  /// The words of a file of the corpus.
  static func words(_ name: String, debugInformation: Bool = false) throws -> [UInt32] {
    let key = name + (debugInformation ? " -g" : "")
    if let words = cache.withLock({ $0[key] }) { return words }
    let input = directory.appending(path: name)
    let output = FileManager.default.temporaryDirectory.appending(path: "etalon-\(UUID().uuidString).spv")
    defer { try? FileManager.default.removeItem(at: output) }
    if name.hasSuffix(".comp") {
      let options = ["-V", "--target-env", "vulkan1.1", "-o", output.path] + (debugInformation ? ["-g"] : [])
      _ = try Tool.run("glslangValidator", options + [input.path])
    } else {
      _ = try Tool.run("spirv-as", ["--preserve-numeric-ids", "--target-env", "spv1.3", "-o", output.path, input.path])
    }
    let words = try SPIRVModule.words([UInt8](Data(contentsOf: output)))
    cache.withLock { $0[key] = words }
    return words
  }

  static func module(_ name: String) throws -> SPIRVModule { try SPIRVModule(words(name)) }

  /// Compares a text with the one in a file of the corpus.
  ///
  /// With `ETALON_RECORD=1` in the environment the file is written, and the test fails all the same.
  static func expect(_ text: String, equals name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let file = directory.appending(path: name)
    let expected = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    if ProcessInfo.processInfo.environment["ETALON_RECORD"] == "1", expected != text {
      try text.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(text == expected, "'\(name)' differs", sourceLocation: sourceLocation)
  }

  private static func names(_ folder: String, _ suffix: String) -> [String] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: directory.appending(path: folder).path)) ?? []
    return files.filter { $0.hasSuffix(".\(suffix)") }.sorted().map { "\(folder)/\($0)" }
  }
}
