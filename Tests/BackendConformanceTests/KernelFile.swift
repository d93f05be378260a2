import EtalonSPIRV
import EtalonTestSupport
import EtalonTypes
import Foundation
import Synchronization

/// A kernel of `Tests/Corpus/kernels`: GLSL (`.comp`) or SPIR-V assembly (`.spvasm`) whose first lines say what it is run on.
///
/// ```glsl
/// // Sums, differences, products and quotients.
/// // operands: floats
/// // expect: add x y, subtract x y, multiply x y, divide x y
/// ```
///
/// `operands` names an `OperandSet`; `expect` a function of `Expectations` for each of the four result words with the operands it gets, or one
/// function for all four; `devices: cpu` keeps a kernel from devices that do not define its results.
struct KernelFile: Sendable {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().appending(path: "Corpus/kernels")

  /// `float/arithmetic.comp`.
  let name: String
  /// The values of the header by their keys.
  let header: [String: String]

  init(_ name: String) throws {
    self.name = name
    var header: [String: String] = [:]
    for line in try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8).split(separator: "\n") {
      guard line.hasPrefix("// ") || line.hasPrefix("; ") else { break }
      let parts = line.drop { $0 == "/" || $0 == ";" }.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
      if parts.count == 2 { header[parts[0]] = parts[1] }
    }
    self.header = header
  }

  /// All kernels in the folders below `kernels`, sorted.
  static let names: [String] = {
    let all = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
    return all.filter { $0.contains("/") && ($0.hasSuffix(".comp") || $0.hasSuffix(".spvasm")) }.sorted()
  }()

  /// The kernels that are functions of operands.
  static let operandKernels = names.filter { (try? KernelFile($0))?.header["operands"] != nil }

  /// Whether the results are defined on every device.
  var isForEveryDevice: Bool { header["devices"] != "cpu" }

  // MARK: Compiling

  private static let compiled = Mutex<[String: Kernel]>([:])

  /// The kernel, compiled once for a process.
  func kernel() throws -> Kernel {
    if let known = Self.compiled.withLock({ $0[name] }) { return known }
    let words = try KernelTools.words(of: Self.folder.appending(path: name))
    let kernel = Kernel(name: name, words: words, interface: try Reflection(SPIRVModule(words)).interface())
    Self.compiled.withLock { $0[name] = kernel }
    return kernel
  }
}

/// The reference compiler and assembler.
enum KernelTools {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// The words of a kernel file.
  static func words(of source: URL) throws -> [UInt32] {
    if source.pathExtension != "spvasm" {
      return try words(of: String(contentsOf: source, encoding: .utf8), named: source.lastPathComponent)
    }
    let module = FileManager.default.temporaryDirectory.appending(path: "etalon-\(UUID().uuidString).spv")
    defer { try? FileManager.default.removeItem(at: module) }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["spirv-as", "--target-env", "vulkan1.1", "-o", module.path, source.path]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let message = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure(description: message) }
    return [UInt8](try Data(contentsOf: module)).words
  }

  /// The words of a text that includes files of the corpus.
  static func words(of text: String, named name: String = "kernel.comp") throws -> [UInt32] {
    try ShaderText.words(of: text, named: name, including: KernelFile.folder)
  }
}
