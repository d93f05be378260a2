import EtalonCompiler
import EtalonDiagnostics
import EtalonDialects
import EtalonManifest
import EtalonSPIRV
import EtalonTestSupport
import Foundation
import Testing

@Suite struct ISFCompilationTests {
  private static let folder = CaseFolder.corpus.url.appending(path: "isf")

  private static let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
    .filter { $0.hasSuffix(".fs") }.map { String($0.dropLast(3)) }.sorted()

  @Test(arguments: names) func compiles(_ name: String) throws {
    let file = Self.folder.appending(path: "\(name).fs")
    let source = SourceText(path: "\(name).fs", bytes: Array(try Data(contentsOf: file)))
    let reader = ISFReader(files: FolderFiles(Self.folder.path))
    let manifest = try reader.read(source, named: name, options: FilterReader.Options()).manifest
    for pass in manifest.passes {
      let compiled = try ShaderCompiler(cache: nil).compile(filter: name, pass: pass, variant: StoreVariant(.packed8, alpha: .asReturned))
      let bound = compiled.kernel.interface.resources.filter { $0.name != "EtalonOutput" }.map(\.name)
      #expect(Set(bound) == Set(pass.textures.map(\.name)), "pass \(pass.name)")
    }
  }

  @Test func namesTypesOfParameters() throws {
    let text = "/*{ \"INPUTS\": [ { \"NAME\": \"center\", \"TYPE\": \"point2D\" } ] }*/\nvoid main() { gl_FragColor = center; }\n"
    let reader = ISFReader(files: OneFile(name: "", text: ""))
    let source = SourceText(path: "a.fs", text: text)
    let pass = try #require(try reader.read(source, named: "a", options: FilterReader.Options()).manifest.passes.first)
    let error = #expect(throws: CompileError.self) {
      try ShaderCompiler(cache: nil).compile(filter: "a", pass: pass, variant: StoreVariant(.packed8, alpha: .asReturned))
    }
    guard case .diagnostics(let found)? = error else { return #expect(Bool(false), "no diagnostics") }
    #expect(found.diagnostics.map(\.message) == ["expected 'vec4', found 'vec2'"])
  }

  @Test func placesErrorsInBothHalves() throws {
    let fragment = SourceText(
      path: "a.fs", text: "/*{ \"INPUTS\": [] }*/\nvarying vec2 place;\nvoid main() { gl_FragColor = colr; }\n")
    let reader = ISFReader(files: OneFile(name: "a.vs", text: "varying vec2 place;\nvoid main() { isf_vertShaderInit(); place = plac; }\n"))
    let pass = try #require(try reader.read(fragment, named: "a", options: FilterReader.Options()).manifest.passes.first)
    let error = #expect(throws: CompileError.self) {
      try ShaderCompiler(cache: nil).compile(filter: "a", pass: pass, variant: StoreVariant(.packed8, alpha: .asReturned))
    }
    guard case .diagnostics(let found)? = error else { return #expect(Bool(false), "no diagnostics") }
    let places = found.diagnostics.flatMap { $0.labels.prefix(1) }.map { label in
      let (line, column) = label.source.position(at: label.range.lowerBound)
      return "\(label.source.path):\(line):\(column)"
    }
    #expect(places == ["a.vs:2:45", "a.fs:3:30"])
  }
}

/// A folder that holds one file.
private struct OneFile: FileProvider {
  let name: String
  let text: String

  func bytes(at path: String, atMost limit: Int) throws(FileError) -> [UInt8] {
    guard path == name else { throw .missing }
    return Array(text.utf8)
  }
}
