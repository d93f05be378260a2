import EtalonDiagnostics
import EtalonTestSupport
import EtalonTypes
import Foundation
import Testing

@testable import EtalonDialects
@testable import EtalonManifest

/// The filter files under `Tests/Corpus` and the texts that are expected beside them.
enum Corpus {
  static let folder = CaseFolder.corpus.url

  /// The names of the files of a folder with an extension, without it.
  static func names(in subfolder: String, _ fileExtension: String = "glsl") -> [String] {
    CaseFolder.corpus.stems(in: subfolder, ending: fileExtension)
  }

  static func source(_ path: String) throws -> SourceText {
    let bytes = [UInt8](try Data(contentsOf: folder.appendingPathComponent(path)))
    return SourceText(path: URL(fileURLWithPath: path).lastPathComponent, bytes: bytes)
  }

  /// Reads a file with the options of its first line: `// --set NAME=VALUE --sampler iChannel0=mipmap,repeat,novflip --drop-const`.
  static func read(_ subfolder: String, _ name: String) throws -> FilterReading {
    let source = try source("\(subfolder)/\(name).glsl")
    let files = FolderFiles(folder.appendingPathComponent(subfolder).path)
    let options = options(of: source)
    let reading = try ShaderToyReader(files: files).read(source, named: name, options: options)
    _ = try ParameterValues(options.values, of: reading.manifest)
    return reading
  }

  private static func options(of source: SourceText) -> FilterReader.Options {
    var options = FilterReader.Options()
    var flag = ""
    guard source.line(1).hasPrefix("// --") else { return options }
    for word in source.line(1).dropFirst(3).split(separator: " ").map(String.init) {
      if word.hasPrefix("--") { flag = word }
      let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
      if flag == "--drop-const" { options.dropsFileScopeConst = true }
      guard parts.count == 2 else { continue }
      if flag == "--set" { options.values[parts[0]] = parts[1] } else { options.samplers[parts[0]] = channel(parts[1]) }
    }
    return options
  }

  private static func channel(_ text: String) -> SamplerChange {
    let words = text.split(separator: ",").map(String.init)
    return .init(
      interpolation: words.compactMap(Sampler.Interpolation.init(rawValue:)).first,
      address: words.compactMap(Sampler.AddressMode.init(rawValue:)).first, isFlipped: words.contains("novflip") ? true : nil)
  }

  /// Compares a text with the one in a file.
  static func expect(_ actual: String, equals path: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    try CaseFolder.corpus.expect(actual, equals: path, sourceLocation: sourceLocation)
  }
}
