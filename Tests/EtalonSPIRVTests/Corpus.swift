import EtalonSPIRV
import EtalonTestSupport
import Foundation
import Synchronization
import Testing

/// The modules under `Tests/Corpus/spirv`: GLSL and assembly, turned into words by the tools that the package is built with.
enum Corpus {
  private static let cases = CaseFolder("Corpus/spirv")
  static let directory = cases.url

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
  static func expect(_ text: String, equals name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    try cases.expect(text, equals: name, sourceLocation: sourceLocation)
  }

  private static func names(_ folder: String, _ suffix: String) -> [String] {
    cases.names(in: folder) { $0.hasSuffix(".\(suffix)") }.map { "\(folder)/\($0)" }
  }
}
