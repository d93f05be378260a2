import EtalonDiagnostics
import EtalonDialects
import EtalonManifest
import EtalonTypes
import Testing

/// Loose files that name the passes which they read.
@Suite struct LooseProjectTests {
  private struct Texts: FileProvider {
    let texts: [String: String]

    func bytes(at path: String, atMost limit: Int) throws(FileError) -> [UInt8] {
      guard let text = texts[path] else { throw .missing }
      return Array(text.utf8)
    }
  }

  private static let picture = "void mainImage(out vec4 c, in vec2 p) { c = texture(iChannel0, p) + texture(iChannel1, p); }\n"

  private func manifest(_ text: String, _ others: [String: String] = [:]) throws -> FilterManifest {
    let source = SourceText(path: "shaders/main.glsl", text: text + Self.picture)
    let files = Texts(texts: others.mapValues { $0 + Self.picture })
    return try FilterReader(files: files).read(.text(source, named: "main"), options: .init()).manifest
  }

  /// One line a pass: what it writes and reads.
  private func passes(_ manifest: FilterManifest) -> [String] {
    manifest.passes.map { pass in
      let reads = pass.textures.map { texture -> String in
        switch texture.source {
        case .input(let name): return name
        case .target(let name): return "\(name) (\(texture.sampler.interpolation) \(texture.sampler.address))"
        }
      }
      return "\(pass.target ?? "result"): \(reads.joined(separator: ", "))"
    }
  }

  @Test func aFileThatReadsItselfIsABufferAndItsPictureTheResult() throws {
    #expect(
      try passes(manifest("#iChannel0 \"self\"\n#iChannel0::MinFilter \"Nearest\"\n"))
        == ["bufferA: bufferA (nearest clamp), iChannel1", "result: bufferA (nearest clamp)"])
  }

  @Test func filesRunAfterThoseThatTheyName() throws {
    let others = [
      "a.glsl": "#iChannel0 \"file://self\"\n#iChannel1 \"file://deep/b.glsl\"\n",
      "deep/b.glsl": "#iChannel0 \"file://c.png\"\n#iChannel1 \"file://../a.glsl\"\n#iChannel1::WrapMode \"Repeat\"\n",
    ]
    let manifest = try manifest("#iChannel0 \"file://a.glsl\"\n#iChannel1 \"./deep/b.glsl\"\n", others)
    #expect(
      passes(manifest) == [
        "bufferB: bufferB.iChannel0, bufferA (linear repeat)", "bufferA: bufferA (linear clamp), bufferB (linear clamp)",
        "result: bufferA (linear clamp), bufferB (linear clamp)",
      ])
    let input = try #require(manifest.inputs.first)
    guard case .file("deep/c.png", _) = input.origin else { return #expect(input.origin == .user, "not the picture beside the pass") }
  }

  @Test func aPassThatIsNotThereIsAnErrorAtItsPlace() {
    let error = #expect(throws: DiagnosticsError.self) { try manifest("#iChannel0 \"file://a.glsl\"\n") }
    #expect(error?.diagnostics.map(\.id) == ["shadertoy.unreadable-pass"])
    #expect(error?.diagnostics.first?.labels.first?.range == 11..<26)
  }

  @Test func thereAreFourBuffers() {
    let others = Dictionary(uniqueKeysWithValues: (0..<9).map { ("\($0).glsl", "#iChannel0 \"\($0 + 1).glsl\"\n") })
    let error = #expect(throws: DiagnosticsError.self) { try manifest("#iChannel0 \"0.glsl\"\n", others) }
    #expect(error?.diagnostics.map(\.id) == ["shadertoy.many-buffers"])
  }
}
