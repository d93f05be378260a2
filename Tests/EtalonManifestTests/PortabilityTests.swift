import EtalonDiagnostics
import EtalonManifest
import EtalonTypes
import Foundation
import Testing

@testable import EtalonDialects

@Suite struct PortabilityTests {
  /// The notes about a loose ShaderToy file: id, line and column.
  private func notes(_ text: String) throws -> [String] {
    let source = SourceText(path: "x.glsl", text: text)
    let reading = try ShaderToyReader(files: NoFiles()).read(source, named: "x", options: FilterReader.Options())
    return lines(PortabilityReport(reading.manifest, text: source))
  }

  private func notes(ofExport text: String) throws -> [String] {
    let source = SourceText(path: "x.json", text: text)
    let project = try ShaderToyExport().read(source).project
    let reading = try ShaderToyProjectReader(files: NoFiles()).read(project, named: "x", options: FilterReader.Options())
    return lines(PortabilityReport(reading.manifest, text: source))
  }

  private func lines(_ report: PortabilityReport) -> [String] {
    #expect(report.notes.allSatisfy { $0.severity == .note && $0.id.hasPrefix("port.") && !$0.labels.isEmpty })
    return report.notes.map { note in
      let label = note.labels[0]
      let position = label.source.position(at: label.range.lowerBound)
      return "\(note.id) \(label.source.path):\(position.line):\(position.column)"
    }
  }

  /// A main function with this body.
  private func main(_ body: String) -> String { "void mainImage(out vec4 color, in vec2 p) {\n\(body)\n}\n" }

  @Test func plainTextsHaveNone() throws {
    #expect(try notes(main("color = vec4(p / iResolution.xy, 0.5 + 0.5 * sin(iTime), 1.0);")) == [])
    #expect(try notes(main("// iDate and iMouse\ncolor = vec4(fract(float(iFrame) / 10.0));")) == [])
  }

  @Test func clocks() throws {
    #expect(
      try notes(main("color = vec4(iDate.w,\niTimeDelta,\niFrameRate\n+ iSampleRate, 1.0);"))
        == ["port.date x.glsl:2:14", "port.measured-clock x.glsl:3:1", "port.measured-clock x.glsl:4:1", "port.sound-clock x.glsl:5:3"])
  }

  @Test func pointer() throws {
    #expect(try notes(main("color = iMouse.z > 0.0 ?\niMouse : vec4(1.0);")) == ["port.mouse x.glsl:2:9"])
  }

  @Test func looseInputs() throws {
    #expect(try notes(main("color = texture(iChannel1, p);")) == ["port.input-settings x.glsl:2:17"])
  }

  @Test(arguments: [
    ("color = vec4(p, 0.0, p.x);", true), ("color = vec4(p, 0.0, 1.0);", false), ("color = vec4(0.5);", false),
    ("color = vec4(p.x);", false), ("color = vec4(1.0); color.a = p.y;", true), ("color = vec4(1.0); color.w *= 0.5;", true),
    ("color = vec4(1.0); color.a = 0.0;", false), ("color = vec4(1.0); float a = color.a;", false),
    ("vec4 c = vec4(p, p); color = c;", false),
  ]) func alpha(body: String, isNoted: Bool) throws {
    #expect(try notes(main(body)).contains { $0.hasPrefix("port.alpha") } == isNoted)
  }

  @Test(arguments: [
    ("fract(sin(dot(p, vec2(12.9898, 78.233))) * 43758.5453)", true), ("fract(cos(p.x) * 4e3)", false), ("fract(cos(p.x) * 4000.0)", true),
    ("fract(sin(p.x) * 10.0)", false), ("fract(p.x * 43758.5453)", false), ("sin(43758.5453 * p.x)", false),
  ]) func sineHash(expression: String, isNoted: Bool) throws {
    #expect(try notes(main("color = vec4(\(expression));")) == (isNoted ? ["port.sine-hash x.glsl:2:14"] : []))
  }

  @Test(arguments: [
    ("float seed; float rnd() { return seed += 1.0; }", "vec2(rnd(), rnd())", true),
    ("float seed; float rnd() { return seed += 1.0; }", "vec2(rnd(), 1.0)", false),
    ("float seed; float rnd() { seed++; return seed; }", "vec2(rnd()) + vec2(rnd())", false),
    ("float rnd(inout float s) { return s *= 2.0; }", "vec2(rnd(p.x), rnd(p.x))", true),
    ("float rnd(float s) { return s * 2.0; }", "vec2(rnd(p.x), rnd(p.x))", false),
    ("const float seed = 1.0; float rnd() { return seed; }", "vec2(rnd(), rnd())", false),
    ("vec2 both(float a, float b) { return vec2(a, b); }", "both(i++, i++)", true),
  ]) func evaluationOrder(before: String, expression: String, isNoted: Bool) throws {
    let text = "\(before)\nvoid mainImage(out vec4 color, vec2 p) { float i = 0.0; color = vec4(\(expression), 0.0, 1.0); }"
    #expect(try notes(text).contains { $0.hasPrefix("port.evaluation-order") } == isNoted)
  }

  @Test func exportsSayHowInputsAreRead() throws {
    let text = """
      [{"ver": "0.1", "renderpass": [
        {"type": "image", "name": "Image", "code": "void mainImage(out vec4 c, vec2 p) { c = texture(iChannel0, p) + texture(iChannel1, p); }",
         "inputs": [
           {"ctype": "texture", "src": "/media/a/x.png", "channel": 0,
            "sampler": {"filter": "linear", "wrap": "clamp", "vflip": "false", "srgb": "true"}},
           {"ctype": "texture", "src": "/media/a/y.png", "channel": 1,
            "sampler": {"filter": "mipmap", "wrap": "repeat", "vflip": "true", "srgb": "false"}}],
         "outputs": []}]}]
      """
    #expect(try notes(ofExport: text) == ["port.vflip x.json:4:16", "port.srgb x.json:5:82", "port.mipmaps x.json:6:16"])
  }

  @Test func exportsRelyOnTheOrderOfPasses() throws {
    func pass(_ name: String, _ id: String, reading inputs: String) -> String {
      let body = inputs.isEmpty ? "c = vec4(1.0);" : "c = texture(iChannel0, p);"
      return
        "{\"type\": \"\(id.isEmpty ? "image" : "buffer")\", \"name\": \"\(name)\", \"code\": \"void mainImage(out vec4 c, vec2 p) { \(body) }\","
        + " \"inputs\": [\(inputs)], \"outputs\": [{\"id\": \"\(id)\", \"channel\": 0}]}"
    }
    func reader(_ id: String) -> String { "{\"ctype\": \"buffer\", \"id\": \"\(id)\", \"channel\": 0}" }
    let text = """
      {"Shader": {"ver": "0.1", "renderpass": [
      \(pass("Buffer A", "4dXGR8", reading: reader("XsXGR8"))),
      \(pass("Buffer B", "XsXGR8", reading: reader("4dXGR8"))),
      \(pass("Image", "", reading: reader("XsXGR8")))]}}
      """
    #expect(try notes(ofExport: text) == ["port.pass-order x.json:3:28"])
  }

  @Test func theKeyboardIsQuiet() throws {
    let text = """
      {"Shader": {"ver": "0.1", "renderpass": [{"type": "image", "name": "Image", "outputs": [],
        "code": "void mainImage(out vec4 c, vec2 p) { c = texelFetch(iChannel0, ivec2(65, 0), 0); }",
        "inputs": [{"ctype": "keyboard", "channel": 0}]}]}}
      """
    #expect(try notes(ofExport: text) == ["port.keyboard x.json:3:24"])
  }

  private func notes(ofISF text: String) throws -> [String] {
    let source = SourceText(path: "x.fs", text: text)
    let reading = try ISFReader(files: NoFiles()).read(source, named: "x", options: FilterReader.Options())
    return lines(PortabilityReport(reading.manifest, text: source))
  }

  /// What Etalon reads for itself, to show the buffer, is no second way of reading it; messages name files as people know them.
  @Test func filesThatNameEachOtherKeepTheirNames() throws {
    struct Files: FileProvider {
      func bytes(at path: String, atMost limit: Int) throws(FileError) -> [UInt8] {
        guard path == "trail.glsl" else { throw .missing }
        return Array("#iChannel0 \"file://x.glsl\"\nvoid mainImage(out vec4 c, vec2 p) { c = texture(iChannel0, p); }\n".utf8)
      }
    }
    func messages(_ text: String) throws -> [String] {
      let source = SourceText(path: "x.glsl", text: text)
      let found = try LooseProject(source, files: Files()).read()
      guard let project = found else { return ["no project"] }
      let reading = try ShaderToyProjectReader(files: Files()).read(project, named: "x", options: FilterReader.Options())
      return PortabilityReport(reading.manifest, text: source).notes.map(\.message)
    }
    #expect(try messages("#iChannel1 \"self\"\n" + main("color = texture(iChannel1, p);")) == [])
    #expect(
      try messages("#iChannel1 \"file://trail.glsl\"\n" + main("color = texture(iChannel1, p);"))
        == ["'trail.glsl' reads 'x.glsl', which is written later: it sees the frame before"])
  }

  /// The name of a folder says nothing about a pass.
  @Test func alphaInAFolderThatIsNamedAsABuffer() throws {
    let source = SourceText(path: "mybuffers/x.glsl", text: main("color = vec4(p, 0.0, p.x);"))
    let reading = try ShaderToyReader(files: NoFiles()).read(source, named: "x", options: FilterReader.Options())
    #expect(PortabilityReport(reading.manifest, text: source).notes.map(\.id).contains("port.alpha"))
  }

  @Test func oldISFFiles() throws {
    let text = """
      /*{
        "CATEGORIES": ["old"],
        "PERSISTENT_BUFFERS": ["last"],
        "PASSES": [{ "TARGET": "last" }, {}]
      }*/
      void main() {
        gl_FragColor = PASSINDEX == 0 ? vec4(vv_FragNormCoord, DATE.x, 1.0) : IMG_THIS_PIXEL(last);
      }
      """
    #expect(
      try notes(ofISF: text) == [
        "port.isf-version x.fs:1:3", "port.isf-old-key x.fs:3:3", "port.isf-old-name x.fs:7:40", "port.date x.fs:7:58",
      ])
  }

  @Test func currentISFFilesHaveNone() throws {
    let text = """
      /*{ "ISFVSN": "2", "INPUTS": [{ "NAME": "inputImage", "TYPE": "image" }] }*/
      void main() { gl_FragColor = IMG_NORM_PIXEL(inputImage, isf_FragNormCoord); }
      """
    #expect(try notes(ofISF: text) == [])
  }

  @Test func theArticleKnowsEveryNote() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let article = try String(contentsOf: root.appending(path: "Sources/Etalon/Etalon.docc/Portability.md"), encoding: .utf8)
    let rules = root.appending(path: "Sources/EtalonDialects/Portability")
    let texts = try FileManager.default.contentsOfDirectory(atPath: rules.path).map {
      try String(contentsOf: rules.appending(path: $0), encoding: .utf8)
    }
    let ids = Set(texts.flatMap { $0.matches(of: /"(port\.[a-z-]+)"/).map { String($0.1) } })
    #expect(ids.count > 15)
    #expect(Set(article.matches(of: /`(port\.[a-z-]+)`/).map { String($0.1) }) == ids)
  }
}
