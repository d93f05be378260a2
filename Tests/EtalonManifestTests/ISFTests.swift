import EtalonDiagnostics
import EtalonGLSL
import EtalonTypes
import Foundation
import Testing

@testable import EtalonDialects
@testable import EtalonManifest

@Suite struct ISFTests {
  private func read(_ folder: String, _ name: String, options: FilterReader.Options = FilterReader.Options()) throws(any Error)
    -> FilterReading
  {
    let files = FolderFiles(Corpus.folder.appendingPathComponent(folder).path)
    return try ISFReader(files: files).read(Corpus.source("\(folder)/\(name).fs"), named: name, options: options)
  }

  @Test(arguments: [("etalon_FragColor.x", "gl_FragColor.x"), ("etalon_sample[2]", "sample[2]"), ("uv.x", "uv.x")])
  func knowsTheNamesOfTheAuthor(_ name: String, _ original: String) { #expect(AuthorNames.original(of: name) == original) }

  @Test(arguments: Corpus.names(in: "isf", "fs"))
  func printsManifest(_ name: String) throws {
    let reading = try read("isf", name)
    let text = ManifestPrinter().text(reading.manifest) + DiagnosticPrinter().text(reading.warnings)
    try Corpus.expect(text, equals: "isf/\(name).manifest.txt")
  }

  @Test(arguments: ["every-type", "vertex-half", "moved-corners", "names-of-glsl", "own-result"])
  func writesWholeShader(_ name: String) throws {
    let pass = try #require(try read("isf", name).manifest.passes.first)
    try Corpus.expect(pass.source.text, equals: "isf/\(name).comp.txt")
  }

  @Test(arguments: ["passes", "image-functions", "version-one", "slips", "foreign-result", "own-frag-color"])
  func translatesAuthorsText(_ name: String) throws {
    let texts = try read("isf", name).manifest.passes.map { pass in
      let start = pass.source.pieces.firstIndex { $0.origin != nil && $0.kind != .space } ?? 0
      return "// \(pass.name)\n" + GeneratedSource(Array(pass.source.pieces[start...])).text
    }
    try Corpus.expect(texts.joined(), equals: "isf/\(name).translated.txt")
  }

  @Test(arguments: Corpus.names(in: "errors/isf", "fs"))
  func explainsError(_ name: String) throws {
    let error = #expect(throws: DiagnosticsError.self) { try read("errors/isf", name) }
    try Corpus.expect(DiagnosticPrinter().text(error?.diagnostics ?? []), equals: "errors/isf/\(name).txt")
  }

  @Test(arguments: ["isf", "errors/isf"])
  func hasNoOrphans(_ folder: String) throws {
    let names = Set(Corpus.names(in: folder, "fs"))
    for name in Corpus.names(in: folder, "txt") + Corpus.names(in: folder, "vs") {
      #expect(names.contains(name.split(separator: ".").first.map(String.init) ?? ""), "\(folder)/\(name) belongs to no filter")
    }
  }

  @Test(arguments: Corpus.names(in: "isf", "fs"))
  func isToldFromOtherDialects(_ name: String) throws {
    #expect(try DialectRecognition().form(of: Corpus.source("isf/\(name).fs")) == .isf)
  }

  @Test func tellsWhatItIs() throws {
    let manifest = try read("isf", "every-type").manifest
    #expect(manifest.about.description == "Shows an input of every type")
    #expect(manifest.about.credit == "Etalon")
    #expect(manifest.about.categories == ["Test", "Color"])
    let kinds = try ["every-type", "transition", "own-result"].map { try read("isf", $0).manifest.kind }
    #expect(kinds == [.filter, .transition, .generator])
  }

  @Test func progressFollowsTheClockUntilItIsSet() throws {
    let manifest = try read("isf", "transition").manifest
    #expect(ParameterValues(defaultsOf: manifest)["progress"] == nil)
    #expect(try ParameterValues(["progress": "0.25"], of: manifest)["progress"] == Value(.float, [0.25]))
  }

  @Test func readsImagesAsAsked() throws {
    var options = FilterReader.Options()
    options.samplers = ["sample": SamplerChange(interpolation: .mipmap, address: .repeat)]
    let manifest = try read("isf", "image-functions", options: options).manifest
    #expect(manifest.inputs.map(\.sampler) == [Sampler(.linear, .clamp), Sampler(.mipmap, .repeat)])
    let text = manifest.passes[0].source.text
    #expect(manifest.passes[0].usesQuads)
    #expect(text.contains("etalonImageHereMipmapped(etalon_sample)"))
    #expect(text.contains("etalonImageHere(inputImage)"))
  }

  @Test func givesConstantsOtherValues() throws {
    var options = FilterReader.Options()
    options.values = ["RADIUS": "0.25"]
    let manifest = try read("isf", "own-result", options: options).manifest
    #expect(manifest.constants.map(\.name) == ["RADIUS"])
    #expect(manifest.passes[0].source.text.contains("#define RADIUS 0.25"))
  }

  @Test(arguments: [
    ("PASSINDEX == 1", true), ("1 != PASSINDEX", false), ("(PASSINDEX < 2)", true), ("PASSINDEX == 0 || PASSINDEX == 1", true),
    ("PASSINDEX == 0 || PASSINDEX == 1 && PASSINDEX > 1", false), ("PASSINDEX >= 1 && PASSINDEX <= 1", true),
  ])
  func judgesConditions(_ text: String, _ isTrue: Bool) {
    #expect(PassCondition.value(of: Lexer.tokens(ofAddedText: text), passIndex: 1) == isTrue)
  }

  @Test(arguments: [
    "PASSINDEX", "PASSINDEX == n", "PASSINDEX == 1 || b", "!(PASSINDEX == 1)", "(PASSINDEX == 1) == (PASSINDEX == 2)", "", "1 == 1", "((((",
    "PASSINDEX == 1 ||",
  ])
  func leavesOtherConditionsAlone(_ text: String) {
    #expect(PassCondition.value(of: Lexer.tokens(ofAddedText: text), passIndex: 1) == nil)
  }
}
