import EtalonCompiler
import EtalonDiagnostics
import EtalonDialects
import EtalonManifest
import EtalonMedia
import EtalonTypes
import Foundation
import Testing

@testable import Etalon
@testable import EtalonInspection

@Suite struct NewFilterTests {
  private func reading(_ template: FilterTemplate) throws -> FilterReading {
    let source = SourceText(path: "new.\(template.fileExtension)", text: template.text)
    switch template {
    case .shaderToy:
      let reading = try ShaderToyReader(files: NoFiles()).read(source, named: "new", options: FilterReader.Options())
      return FilterReading(manifest: reading.manifest, warnings: reading.warnings)
    case .isf: return try ISFReader(files: NoFiles()).read(source, named: "new", options: FilterReader.Options())
    case .color, .warp, .image, .compute, .generator, .transition:
      return try NativeReader(files: NoFiles()).read(source, named: "new", options: FilterReader.Options())
    }
  }

  @Test(arguments: FilterTemplate.allCases) func everyTemplateIsRight(template: FilterTemplate) throws {
    let reading = try reading(template)
    #expect(reading.warnings == [])
    #expect(reading.manifest.inputs.map(\.name) == template.inputs)
    let compilation = FilterCompilation(compiler: ShaderCompiler(cache: nil), deadline: nil)
    #expect(try compilation.warnings(of: reading.manifest) { compiled, _ in ConstantFindings.warnings(in: compiled) } == [])
    #expect(PortabilityReport(reading.manifest, text: nil).notes == [])
  }

  @Test func kindsAreWhatTheySay() throws {
    let kinds = try Dictionary(uniqueKeysWithValues: FilterTemplate.allCases.map { ($0, try reading($0).manifest.kind) })
    #expect(
      kinds == [
        .color: .filter, .warp: .filter, .image: .filter, .compute: .filter, .generator: .generator, .transition: .transition,
        .shaderToy: .generator, .isf: .filter,
      ])
  }

  @Test(arguments: FilterTemplate.allCases) func foldersAreFilters(template: FilterTemplate) throws {
    let library = try TemporaryLibrary()
    let paths = try NewFilter(template, named: "soft-glow", in: library.path).write()
    #expect(paths[0] == "\(library.path)/soft-glow/soft-glow.\(template.fileExtension)")
    #expect(try library.library.location(of: "soft-glow") == paths[0])
    let testCase = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: paths[1]))) as? [String: Any]
    #expect(testCase?["filter"] as? String == "soft-glow")
    let inputs = testCase?["inputs"] as? [String: String] ?? [:]
    #expect(inputs.keys.sorted() == template.inputs.sorted())
    for file in inputs.values {
      #expect(try PictureReader().read(path: "\(library.path)/soft-glow/tests/\(file)").size == Size(64, 64))
    }
  }

  @Test func nothingIsReplaced() throws {
    let library = try TemporaryLibrary(["glow/mine.txt": "mine"])
    #expect(throws: RenderError.self) { try NewFilter(.color, named: "glow", in: library.path).write() }
    #expect(try FileManager.default.contentsOfDirectory(atPath: library.path + "/glow") == ["mine.txt"])
  }

  @Test(arguments: ["", "..", "../a", "a/b", "A", "a b", "a.b"]) func namesAreNames(name: String) throws {
    #expect(throws: DiagnosticsError.self) { try NewFilter(.color, named: name, in: "") }
  }
}
