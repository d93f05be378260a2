import EtalonDiagnostics
import EtalonGLSL
import EtalonTestSupport
import EtalonTypes
import Foundation
import Testing

@testable import EtalonDialects
@testable import EtalonManifest

@Suite struct NativeTests {
  private func read(_ folder: String, _ name: String, _ options: FilterReader.Options = FilterReader.Options()) throws(any Error)
    -> FilterReading
  {
    try NativeReader(files: NoFiles()).read(Corpus.source("\(folder)/\(name).glsl"), named: name, options: options)
  }

  private func ids(_ text: String) -> [String] {
    do throws(DiagnosticsError) {
      _ = try NativeReader(files: NoFiles()).read(SourceText(path: "a.glsl", text: text), named: "a", options: FilterReader.Options())
      return []
    } catch {
      return error.diagnostics.map(\.id)
    }
  }

  @Test(arguments: Corpus.names(in: "native"))
  func printsManifest(_ name: String) throws {
    let reading = try read("native", name)
    let text = ManifestPrinter().text(reading.manifest) + DiagnosticPrinter().text(reading.warnings)
    try Corpus.expect(text, equals: "native/\(name).manifest.txt")
  }

  @Test(arguments: Corpus.names(in: "native"))
  func writesShaders(_ name: String) throws {
    let passes = try read("native", name).manifest.passes
    let text = passes.map { "// \($0.name)\n\(body(of: $0.source.text))" }.joined(separator: "\n")
    try Corpus.expect(text, equals: "native/\(name).comp.txt")
  }

  /// The text without the functions that every pixel kernel has, which the snapshots of other dialects pin.
  private func body(of text: String) -> String {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    for (first, last) in [
      ("#if ETALON_STORE == 0", "#endif"), ("ivec2 etalonFindPixel() {", "}"), ("uvec4 etalonQuantized", "}"), ("void etalonStore(", "}"),
    ] {
      guard let start = lines.firstIndex(where: { $0.hasPrefix(first) }), let end = lines[start...].firstIndex(of: last) else { continue }
      lines.removeSubrange(start...end)
    }
    return lines.filter { !$0.allSatisfy(\.isWhitespace) }.joined(separator: "\n") + "\n"
  }

  @Test(arguments: Corpus.names(in: "errors/native"))
  func explainsError(_ name: String) throws {
    let error = #expect(throws: DiagnosticsError.self) { try read("errors/native", name) }
    try Corpus.expect(DiagnosticPrinter().text(error?.diagnostics ?? []), equals: "errors/native/\(name).txt")
  }

  @Test func hasNoOrphans() throws {
    for folder in ["native", "errors/native"] {
      let names = Set(Corpus.names(in: folder))
      let files = try FileManager.default.contentsOfDirectory(atPath: Corpus.folder.appendingPathComponent(folder).path)
      for file in files where file.hasSuffix(".txt") {
        #expect(names.contains(file.split(separator: ".").first.map(String.init) ?? ""), "\(folder)/\(file) belongs to no shader")
      }
    }
  }

  @Test(arguments: [("small", "wide", true), ("wide", "small", false)])
  func warnsOfTargetsThatWorkgroupsDoNotCover(_ first: String, _ second: String, _ isPart: Bool) throws {
    let header = """
      /*{ "ETALON": 1, "OUTPUTS": ["picture", { "NAME": "small", "SCALE": 0.5 }, { "NAME": "wide", "SCALE": 2 }],
        "PASSES": [{ "KERNEL": "both", "WRITES": ["\(first)", "\(second)"] }, { "KERNEL": "shown" }] }*/
      """
    let text =
      "\(header)\nvoid both(ivec2 p) { IMG_STORE(small, p, vec4(1)); IMG_STORE(wide, p, vec4(1)); }\nvec4 shown() { return vec4(1); }\n"
    let warnings = try NativeReader(files: NoFiles()).read(
      SourceText(path: "sizes.glsl", text: text), named: "sizes", options: FilterReader.Options()
    ).warnings
    let coverage = warnings.filter { $0.id == "native.partly-covered" }
    #expect(
      DiagnosticPrinter().text(coverage)
        == (!isPart
          ? ""
          : """
          sizes.glsl:2:54: warning: the workgroups cover 'small', and 'wide' is larger [native.partly-covered]
           2 |   "PASSES": [{ "KERNEL": "both", "WRITES": ["small", "wide"] }, { "KERNEL": "shown" }] }*/
             |                                                      ^^^^^^ not covered as a whole
             = help: name 'wide' first, or say with 'DISPATCH' how many workgroups run

          """))
  }

  @Test func tellsVariablesFromFunctions() {
    let tokens = Lexer.tokens(
      ofAddedText: "void count() {} float other() { return 1.0; } void draw(uint count, float x) { float other = x + other(); }")
    #expect(FunctionUse(tokens).names(neededBy: "draw").contains("count") == false)
    #expect(FunctionUse(tokens).names(neededBy: "draw").contains("other"))
  }

  /// The result is as large as 'EXTENT' says, whatever its name is.
  @Test(arguments: ["WIDTH", "HEIGHT", "SCALE"])
  func refusesASizeOfTheResult(_ key: String) {
    let header = "/*{ \"ETALON\": 1, \"OUTPUTS\": [{ \"NAME\": \"picture\", \"\(key)\": 2 }] }*/"
    #expect(ids("\(header)\nvec4 colorKernel() { return vec4(1.0); }\n") == ["native.result-size"])
  }

  @Test func refusesHugeHeaders() {
    let padding = String(repeating: " ", count: 10 << 20)
    #expect(ids("/*{ \"ETALON\": 1,\(padding) \"INPUTS\": [] }*/\nvec4 colorKernel() { return vec4(1.0); }\n") == ["limit.bytes"])
  }

  @Test func refusesDeepHeaders() {
    let open = String(repeating: "[", count: 100_000)
    #expect(
      ids("/*{ \"ETALON\": 1, \"INPUTS\": \(open) }*/\nvec4 colorKernel() { return vec4(1.0); }\n").contains { $0.hasPrefix("json.") })
  }

  @Test func readsImagesAsAsked() throws {
    var options = FilterReader.Options()
    options.samplers = ["sample": SamplerChange(interpolation: .linear, address: .repeat)]
    let manifest = try read("native", "image-kernel", options).manifest
    #expect(manifest.inputs[0].sampler == Sampler(.linear, .repeat))
    #expect(!manifest.passes[0].source.text.contains("etalonBorder"))
  }

  @Test func erasesWhatAKernelDoesNotNeed() throws {
    let passes = try read("native", "compute-kernel").manifest.passes
    #expect(!passes[0].source.text.contains("vec4 show"))
    #expect(!passes[2].source.text.contains("shared"))
    #expect(passes[1].source.text.contains("shared vec4 colors[64];"))
    #expect(!passes[1].source.text.contains("shared uint local[64];"))
  }

  @Test(arguments: Corpus.names(in: "native"))
  func survivesDamage(_ name: String) throws {
    let bytes = try Corpus.source("native/\(name).glsl").bytes
    var numbers = SeededNumbers(seed: UInt64(bytes.count))
    for _ in 0..<60 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...4, using: &numbers) {
        let place = Int.random(in: 0..<damaged.count, using: &numbers)
        let end = min(damaged.count, place + Int.random(in: 0...12, using: &numbers))
        switch Int.random(in: 0..<3, using: &numbers) {
        case 0: damaged.replaceSubrange(place..<end, with: [])
        case 1: damaged.insert(contentsOf: damaged[place..<end], at: place)
        default: damaged[place] = UInt8.random(in: 0...255, using: &numbers)
        }
      }
      do throws(DiagnosticsError) {
        let source = SourceText(path: "damaged.glsl", bytes: damaged)
        let reading = try NativeReader(files: NoFiles()).read(source, named: name, options: FilterReader.Options())
        #expect(!reading.manifest.passes.isEmpty)
      } catch {
        #expect(!DiagnosticPrinter().text(error.diagnostics).isEmpty)
      }
    }
  }
}
