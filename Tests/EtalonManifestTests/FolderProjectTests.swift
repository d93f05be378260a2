import EtalonDiagnostics
import EtalonGLSL
import EtalonTypes
import Testing

@testable import EtalonDialects
@testable import EtalonManifest

/// Folders with the passes of a ShaderToy and without `project.json`.
@Suite struct FolderProjectTests {
  private struct Texts: FileProvider {
    let texts: [String: String]

    func bytes(at path: String, atMost limit: Int) throws(FileError) -> [UInt8] {
      guard let text = texts[path] else { throw .missing }
      return Array(text.utf8)
    }

    func names() -> [String] { texts.keys.sorted() }
  }

  private static func main(_ channels: Int...) -> String {
    let reads = channels.map { " + texture(iChannel\($0), p)" }.joined()
    return "void mainImage(out vec4 c, in vec2 p) { c = vec4(0.0)\(reads); }\n"
  }

  private func read(_ texts: [String: String]) throws -> FilterReading {
    try FilterReader(files: Texts(texts: texts)).read(.folder(path: "toy", named: "toy"), options: .init())
  }

  /// An image that may discard pixels is drawn on a canvas, as on the site; what a condition leaves out does not count.
  @Test(arguments: [
    ("if (p.x < 1.0) discard;", true), ("c = vec4(1.0);", false), ("\n#if 0\ndiscard;\n#endif\n", false),
    ("\n#ifdef NEVER\ndiscard;\n#endif\n", false),
  ])
  func onlyImagesThatDiscardLookBack(_ body: String, _ looksBack: Bool) throws {
    let manifest = try read(["image.glsl": "void mainImage(out vec4 c, in vec2 p) { \(body) }"]).manifest
    #expect(manifest.targets.map(\.name) == (looksBack ? ["canvas"] : []))
    #expect(manifest.passes.map(\.target) == (looksBack ? ["canvas", nil] : [nil]))
  }

  /// One line a pass: `bufferA: bufferA, -`.
  private func passes(_ texts: [String: String]) throws -> [String] {
    try read(texts).manifest.passes.map { pass in
      let reads = pass.textures.map { texture in
        switch texture.source {
        case .input(let name): name
        case .target(let name): "<\(name)>"
        }
      }
      return "\(pass.name): \(reads.joined(separator: " "))"
    }
  }

  private func errors(_ texts: [String: String]) -> [Diagnostic] {
    do { _ = try read(texts) } catch { return (error as? DiagnosticsError)?.diagnostics ?? [] }
    return []
  }

  @Test(arguments: [
    ("Image.glsl", "Buffer A.glsl"), ("image.frag", "bufferA.frag"), ("IMAGE.GLSL", "buf_a.glsl"), ("main_image.glsl", "buf0.glsl"),
    ("image.glsl", "buffer-1.glsl"), ("shader.glsl", "buffer-a.glsl"), ("main.glsl", "BufferA.glsl"),
  ])
  func filesHaveTheNamesOfTheSiteInAnyForm(_ image: String, _ buffer: String) throws {
    #expect(try passes([image: Self.main(0), buffer: Self.main(0)]) == ["bufferA: <bufferA>", "image: <bufferA>"])
  }

  @Test func channelsReadTheBuffersOfTheirNumbers() throws {
    let texts = ["Image.glsl": Self.main(0, 1, 2), "Buffer A.glsl": Self.main(1), "Buffer B.glsl": Self.main(0)]
    #expect(
      try passes(texts) == ["bufferA: <bufferB>", "bufferB: <bufferA>", "image: <bufferA> <bufferB> iChannel2"])
    let notes = try read(texts).warnings
    #expect(notes.map(\.id) == ["shadertoy.connected"])
    #expect(
      notes.first?.message
        == "by their names, bufferA.iChannel1 reads bufferB, bufferB.iChannel0 reads bufferA, image.iChannel0 reads bufferA, "
        + "image.iChannel1 reads bufferB; a 'project.json' can say otherwise")
  }

  @Test(arguments: [
    ("// iChannel0: Buffer B\n", "image: <bufferB>"), ("// iChannel0 = bufferB (the blur)\n", "image: <bufferB>"),
    ("/*\n * iChannel0 <- previous Buffer B\n */\n", "image: <bufferB>"), ("#iChannel0 \"file://Buffer B.glsl\"\n", "image: <bufferB>"),
    ("// iChannel0: noise.png\n", "image: iChannel0"), ("// iChannel0: some noise\n", "image: <bufferA>"),
    ("// iChannel0: bufferB.png\n", "image: iChannel0"), ("// iChannel0: webcam\n", "image: iChannel0"),
  ])
  func commentsAndDirectivesSayOtherwise(_ line: String, _ image: String) throws {
    let texts = ["image.glsl": line + Self.main(0), "bufferA.glsl": Self.main(), "Buffer B.glsl": Self.main()]
    #expect(try passes(texts).last == image)
  }

  @Test func picturesInCommentsLieBesideTheTexts() throws {
    let inputs = try read(["image.glsl": "// iChannel0: noise.png\n" + Self.main(0), "common.glsl": ""]).manifest.inputs
    var path: String?
    if case .file(let name, _) = try #require(inputs.first).origin { path = name }
    #expect(path == "noise.png")
  }

  /// `.fs` files are ISF files more often, in any case.
  @Test(arguments: [("image.glsl", true), ("Image.GLSL", true), ("image.fs", false), ("Image.FS", false), ("image.txt", false)])
  func someFilesAreAnImage(_ name: String, _ isImage: Bool) {
    #expect(ShaderToyFolder.isProject([name, "other.glsl"]) == isImage)
  }

  /// Files may be called as passes, and as what players have.
  @Test(arguments: [
    ("music.wav", "file music.wav sound linear clamp"), ("keyboard.png", "file keyboard.png picture mipmap repeat"),
    ("mic", "user sound linear clamp"), ("webcam", "user picture mipmap repeat"), ("keyboard", "keyboard picture nearest clamp"),
    ("Pebbles", "Pebbles picture mipmap repeat"),
  ])
  func whatAChannelReads(_ words: String, _ expected: String) throws {
    let comment = ["image.glsl": "// iChannel0: \(words)\n" + Self.main(0), "common.glsl": ""]
    let config = ["image.glsl": Self.main(0), "config.json": "{\"Image\": {\"iChannel0\": \"\(words)\"}}"]
    var all = [comment, config]
    if words.contains(".") { all.append(["image.glsl": "#iChannel0 \"file://\(words)\"\n" + Self.main(0), "common.glsl": ""]) }
    for texts in all {
      let input = try #require(try read(texts).manifest.inputs.first)
      let origin =
        switch input.origin {
        case .file(let path, _): "file \(path)"
        case .keyboard: "keyboard"
        case .asset(let asset): asset.title ?? ""
        default: "user"
        }
      let sampler = "\(input.sampler.interpolation.rawValue) \(input.sampler.address.rawValue)"
      #expect("\(origin) \(input.sound == nil ? "picture" : "sound") \(sampler)" == expected, "\(texts)")
    }
  }

  /// Files that count from 1 are named so in texts, too.
  @Test(arguments: [
    ("// iChannel0: Buffer 1\n", ""), ("#iChannel0 \"file://buffer1.glsl\"\n", ""),
    ("", "{\"Image\": {\"iChannel0\": \"Buffer 1\"}}"),
  ])
  func numbersCountAsTheFilesDo(_ line: String, _ config: String) throws {
    var texts = ["image.glsl": line + Self.main(0), "buffer1.glsl": Self.main(), "buffer2.glsl": Self.main()]
    if !config.isEmpty { texts["config.json"] = config }
    #expect(try passes(texts).last == "image: <bufferA>")
  }

  @Test(arguments: [
    ("bufferB.glsl", "the folder has no pass in a file 'bufferB.glsl'"),
    ("../other/bufferA.glsl", "'../other/bufferA.glsl' lies in another folder than this pass"),
    ("sub/bufferA.glsl", "'sub/bufferA.glsl' lies in another folder than this pass"),
  ])
  func passesOfDirectivesAreThoseOfTheFolder(_ path: String, _ message: String) {
    let found = errors(["image.glsl": "#iChannel0 \"file://\(path)\"\n" + Self.main(0), "bufferA.glsl": Self.main()])
    #expect(found.map(\.message) == [message])
    #expect(found.first?.labels.first?.source.path == "toy/image.glsl")
    let alone = errors(["image.glsl": "#iChannel0 \"file://bufferB.glsl\"\n" + Self.main(0), "common.glsl": ""])
    #expect(alone.first?.help == ["put the text of the pass into the folder"])
  }

  @Test(arguments: ["\"BufferD\"", "{\"texture\": \"Nowhere\"}"])
  func whatAConfigurationNamesInVainIsTold(_ value: String) throws {
    let texts = ["image.glsl": Self.main(0), "bufferA.glsl": Self.main(), "config.json": "{\"Image\": {\"iChannel0\": \(value)}}"]
    #expect(try passes(texts).last == "image: iChannel0")
    #expect(try read(texts).warnings.map(\.id) == ["shadertoy.channel-source"])
  }

  @Test func namesThatAreNearlyPassesAreTold() throws {
    let text = "#include \"commonly.glsl\"\n" + Self.main()
    let warnings = try read([
      "image.glsl": text, "commons.glsl": "", "buffer_e.glsl": Self.main(), "commonly.glsl": "", "noise.glsl": "",
    ]).warnings
    #expect(
      warnings.map(\.message) == [
        "'toy/buffer_e.glsl' has not the name of a pass, so it is not used",
        "'toy/commons.glsl' has not the name of a pass, so it is not used",
      ])
    #expect(warnings.last?.help == ["did you mean 'common.glsl'?"])
  }

  /// A sound pass that uses nothing of a Common asks for nothing.
  @Test func macrosOfACommonAskForNothing() throws {
    let texts = [
      "common.glsl": "#define A(p) texture(iChannel0, p)\n", "image.glsl": Self.main(),
      "sound.glsl": "vec2 mainSound(float t) { return vec2(t); }\n",
    ]
    var options = FilterReader.Options()
    options.part = .sound
    let reading = try FilterReader(files: Texts(texts: texts)).read(.folder(path: "toy", named: "toy"), options: options)
    #expect(reading.warnings.map(\.message) == [])
  }

  @Test(arguments: [
    (["main.glsl", "bufferA.glsl"], true), (["main.glsl", "other.glsl"], false), (["Image.fs", "other.fs"], false),
    (["shader.frag", "Common.glsl"], true),
  ])
  func aProjectIsKnownByItsNames(_ names: [String], _ isProject: Bool) {
    #expect(ShaderToyFolder.isProject(names) == isProject)
  }

  @Test func theConfigurationOfAViewerSaysOtherwise() throws {
    let config = """
      { "layout": "tabbed", "Image": { "iChannel0": "BufferB" },
        "BufferB": { "iChannel1": { "buffer": "BufferA" }, "iChannel0": {"keyboard": true} } }
      """
    let texts = ["image.glsl": Self.main(0), "bufferA.glsl": Self.main(), "bufferB.glsl": Self.main(0, 1), "config.json": config]
    #expect(try passes(texts) == ["bufferA: ", "bufferB: bufferB.iChannel0 <bufferA>", "image: <bufferB>"])
    let others = ["image.glsl": Self.main(0), "bufferA.glsl": Self.main(), "config.json": "{ \"id\": 3 }"]
    #expect(try passes(others).last == "image: <bufferA>")
  }

  @Test func twoFilesForOnePassAreAnError() {
    let found = errors(["Image.glsl": Self.main(), "image.frag": Self.main(), "bufferA.glsl": Self.main()])
    #expect(found.map(\.id) == ["shadertoy.pass-twice"])
    #expect(found.first?.message == "'toy/' has 2 files for the pass 'image': 'Image.glsl' and 'image.frag'")
  }

  @Test func buffersAloneAreNoProject() {
    #expect(errors(["bufferA.glsl": Self.main()]).map(\.id) == ["shadertoy.no-image"])
  }

  @Test func whatIsWrongWithCommonIsToldOnce() {
    let common = "#include \"gone.glsl\"\n"
    let found = errors(["common.glsl": common, "image.glsl": Self.main(), "bufferA.glsl": Self.main()])
    #expect(found.map(\.id) == ["glsl.include-missing"])
    #expect(found.first?.labels.first?.source.path == "toy/common.glsl")
  }

  // MARK: Common

  private static let half = "#define HALF 0.5\n"
  private static let image = "void mainImage(out vec4 c, in vec2 p) { c = vec4(HALF); }\n"

  private func constants(_ text: String, _ others: [String: String], at path: String) throws -> [String] {
    var texts = others
    texts[path] = text
    let source = SourceText(path: "toy/" + path, text: text)
    return try FilterReader(files: Texts(texts: texts)).read(.text(source, named: "toy"), options: .init()).manifest.constants.map(\.name)
  }

  @Test(arguments: ["Image.glsl", "Buffer A.glsl"]) func aPassAloneKnowsTheCommonBesideIt(_ path: String) throws {
    #expect(try constants(Self.image, ["Common.glsl": Self.half], at: path) == ["HALF"])
  }

  @Test func anyOtherFileDoesNot() throws {
    #expect(try constants(Self.image, ["common.glsl": Self.half], at: "plasma.glsl") == [])
  }

  /// A text that includes Common itself, or only for another player, has it once.
  @Test(arguments: [
    "#include \"common.glsl\"\n", "#include <common.glsl>\n", "#ifdef VIEWER\n#include <common.glsl>\n#endif\n",
  ])
  func commonIsThereOnce(_ include: String) throws {
    let texts = ["common.glsl": "float half_() { return 0.5; }\n", "image.glsl": include + Self.image]
    let text = try read(texts).manifest.passes[0].source.text
    let lines = text.split(separator: "\n").filter { $0.contains("float half_()") }
    #expect(lines.count == (include.contains("VIEWER") ? 2 : 1))
  }
}
