import EtalonDiagnostics
import EtalonGLSL
import EtalonManifest
import EtalonSPIRV
import EtalonTypes
import Foundation
import Testing

@testable import EtalonCompiler

@Suite struct ShaderCompilerTests {
  @Test func compilesAndReflects() throws {
    let compiled = try Corpus.compile(Corpus.shader("  fragColor = vec4(fragCoord / iResolution.xy, sin(iTime), 1.0);"))
    #expect(compiled.kernel.name == "test.image")
    #expect(compiled.kernel.interface.workgroupSize == [256, 1, 1])
    #expect(compiled.kernel.interface.uniforms?.members.map(\.name) == ["iResolution", "iTime"])
    #expect(compiled.warnings.isEmpty)
  }

  @Test func choosesTheStoreByMacros() throws {
    let source = Corpus.shader("  fragColor = vec4(1.0);")
    let texture = try Corpus.compile(source, variant: StoreVariant(.texture, alpha: .asReturned)).kernel
    let bytes = try Corpus.compile(source, variant: StoreVariant(.packed8, alpha: .asReturned)).kernel
    #expect(texture.interface.resources.map(\.kind) == [.storageTexture(.two, format: nil)])
    #expect(bytes.interface.resources.map(\.kind) == [.storageBuffer])
  }

  @Test func debugLinesLeadToTheAuthorsTokens() throws {
    let source = Corpus.shader("  float d =\n    cos(fragCoord.x);\n  fragColor = vec4(d);")
    let compiled = try Corpus.compile(source)
    let places = debugLines(compiled.kernel.words).compactMap { compiled.lines.origin(ofLine: $0) }
    let texts = Set(places.map { String(decoding: $0.source.bytes[$0.range], as: UTF8.self) })
    #expect(texts.isSuperset(of: ["d", "="]), "\(texts)")
    // glslang 15 gives the line of the vector, those before it that of its component.
    #expect(!texts.isDisjoint(with: ["x", "fragCoord"]), "\(texts)")
    #expect(places.allSatisfy { $0.source == source })
  }

  @Test func modulesDoNotCarryTheText() throws {
    let words = try Corpus.compile(Corpus.shader("  fragColor = vec4(1.0);")).kernel.words
    let text = [UInt8](words: words)
    #expect(!String(decoding: text, as: UTF8.self).contains("#version"))
    #expect(String(decoding: text, as: UTF8.self).contains("mainImage"))
    #expect(String(decoding: text, as: UTF8.self).contains("test.image"))
  }

  @Test func compilesASumOfTwentyThousandTerms() throws {
    let sum = Array(repeating: "x", count: 20_000).joined(separator: " + ")
    let kernel = try Corpus.compile(Corpus.shader("  float x = fragCoord.x;\n  fragColor = vec4(\(sum));")).kernel
    #expect(kernel.words.count > 100_000)
  }

  /// The compiler fails without a word then, which is neither the author's error nor a defect of Etalon.
  @Test func lackOfMemoryIsNoError() async {
    await #expect(processExitsWith: .success) { Self.compilesWithoutMemory() }
  }

  private static func compilesWithoutMemory() -> Never {
    func text(_ body: String) -> [UInt8] {
      Array("#version 450\nlayout(local_size_x = 1) in; layout(binding = 0) buffer B { float x[]; };\nvoid main() {\n\(body)}\n".utf8)
    }
    let long = text(String(repeating: "x[1] += sin(x[2]);\n", count: 20_000))
    // Makes the tables of the compiler.
    guard let words = Glslang.compile(text("x[0] = 1.0;\n"), fileName: "short", macros: [:]).words else { exit(1) }
    var usage = 0
    if let statistics = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) {
      usage = Int(statistics.split(separator: " ")[0]) ?? 0
    }
    let room = rlim_t(usage * 4096 + (1 << 20))
    var limit = rlimit(rlim_cur: room, rlim_max: room)
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
    let output = Glslang.compile(long, fileName: "long", macros: [:])
    guard output.words == nil, output.ranOut else { exit(2) }
    // What has room is compiled and judged as before.
    let wrong = Glslang.compile(text("x[0] = y;\n"), fileName: "wrong", macros: [:])
    guard wrong.words == nil, !wrong.ranOut, wrong.log.contains("undeclared identifier") else { exit(3) }
    do { guard try Glslang.validate(words) == nil else { exit(4) } } catch { exit(5) }
    exit(0)
  }

  @Test func refusesASumOfSixtyThousandTerms() {
    let sum = Array(repeating: "x", count: 60_000).joined(separator: " + ")
    let diagnostics = Corpus.diagnostics(of: Corpus.shader("  float x = fragCoord.x;\n  fragColor = vec4(\(sum));"))
    #expect(diagnostics.count == 1)
    #expect(diagnostics.allSatisfy { $0.severity == .error && !$0.labels.isEmpty })
  }

  /// Functions that call the one before twice double at every level.
  @Test(arguments: [(20, "1"), (64, "more than 1099511627776")]) func refusesWhatGrowsWithoutEnd(_ levels: Int, _ start: String) throws {
    let functions = (1...levels).map { "float f\($0)(float x) { return f\($0 - 1)(x) + f\($0 - 1)(x + 1.0); }\n" }.joined()
    let source = Corpus.shader(
      "  fragColor = vec4(f\(levels)(fragCoord.x));", before: "float f0(float x) { return x * 0.5; }\n" + functions)
    let found = try #require(Corpus.diagnostics(of: source).first)
    #expect(found.id == "kernel.inlining")
    #expect(found.message.hasPrefix("pass 'image' has \(start)"), "\(found.message)")
    let label = try #require(found.labels.first)
    #expect(label.message.contains(" operations to 'f"), "\(label.message)")
    #expect(String(decoding: label.source.bytes[label.range], as: UTF8.self).hasPrefix("f"))
    #expect(found.help.first?.contains("less often") == true)
  }

  @Test func sixteenLevelsOfCallsAreCompiled() throws {
    let functions = (1...16).map { "float f\($0)(float x) { return f\($0 - 1)(x) + f\($0 - 1)(x + 1.0); }\n" }.joined()
    let source = Corpus.shader("  fragColor = vec4(f16(fragCoord.x));", before: "float f0(float x) { return x * 0.5; }\n" + functions)
    #expect(Corpus.diagnostics(of: source).isEmpty)
  }

  @Test func refusesAMacroBomb() {
    var bomb = "#define B0 + 1.0\n"
    for level in 1..<14 { bomb += "#define B\(level)" + String(repeating: " B\(level - 1)", count: 10) + "\n" }
    let diagnostics = Corpus.diagnostics(of: Corpus.shader("  fragColor = vec4(0.0 B13);", before: bomb))
    #expect(diagnostics.count == 1)
    #expect(diagnostics.allSatisfy { $0.severity == .error && !$0.labels.isEmpty })
  }

  @Test func refusesTextsOfMoreThanFourMebibytes() throws {
    let token = GeneratedSource.Piece(.token, String(repeating: "x", count: 100_000))
    let pass = PassSource(name: "image", source: GeneratedSource(Array(repeating: token, count: 42)), uniforms: [], textures: [])
    let error = #expect(throws: CompileError.self) {
      try ShaderCompiler(cache: nil).compile(filter: "long", pass: pass, variant: StoreVariant(.packed8, alpha: .opaque))
    }
    guard case .diagnostics(let error) = error else {
      Issue.record("no diagnostics")
      return
    }
    #expect(error.diagnostics.map(\.id) == ["glsl.too-long"])
  }

  @Test func givesUpAtTheDeadline() throws {
    let pass = try Corpus.pass(of: Corpus.shader("  fragColor = vec4(1.0);"))
    let error = #expect(throws: CompileError.self) {
      try ShaderCompiler(cache: nil).compile(
        filter: "plasma", pass: pass, variant: StoreVariant(.packed8, alpha: .opaque), deadline: .now - .seconds(1))
    }
    guard case .failure(let error) = error else {
      Issue.record("no failure")
      return
    }
    #expect(error.code == .timedOut)
    #expect(error.message == "compiling pass 'image' of 'plasma' took longer than allowed")
  }

  @Test func reportsModulesThatAreNotValid() throws {
    // A bias needs the derivatives that only fragment shaders have; the compiler lets it through.
    let text = """
      layout ( local_size_x = 1 ) in ; layout ( binding = 1 ) uniform sampler2D s ; layout ( binding = 0 ) buffer B { vec4 o ; } ;
      void main ( ) { o = texture ( s , vec2 ( 0.5 ) , 1.0 ) ; }
      """
    let author = SourceText(path: "bias.glsl", text: text)
    var pieces = [GeneratedSource.Piece(.directive, "#version 450\n")]
    var offset = 0
    for word in text.split(omittingEmptySubsequences: false, whereSeparator: { $0 == " " || $0 == "\n" }) {
      let range = offset..<offset + word.utf8.count
      if !word.isEmpty { pieces.append(.init(.token, String(word), origin: SourceRange(author, range))) }
      offset = range.upperBound + 1
    }
    let pass = PassSource(name: "image", source: GeneratedSource(pieces), uniforms: [], textures: [])
    let error = #expect(throws: CompileError.self) {
      try ShaderCompiler(cache: nil).compile(filter: "bias", pass: pass, variant: StoreVariant(.packed8, alpha: .opaque))
    }
    guard case .diagnostics(let error) = error, let diagnostic = error.diagnostics.first, let label = diagnostic.labels.first else {
      Issue.record("no diagnostic with a place")
      return
    }
    #expect(diagnostic.id == "internal.invalid-module")
    #expect(author.position(at: label.range.lowerBound).line == 2)
    #expect(diagnostic.notes.first?.contains("ImplicitLod") ?? false)
  }

  private func debugLines(_ words: [UInt32]) -> [Int] {
    var lines: [Int] = []
    var index = 5
    while index < words.count {
      if words[index] & 0xFFFF == 8 { lines.append(Int(words[index + 2])) }
      index += max(1, Int(words[index] >> 16))
    }
    return lines
  }
}
