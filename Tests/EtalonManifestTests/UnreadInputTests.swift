import EtalonDiagnostics
import Testing

@testable import EtalonDialects
@testable import EtalonManifest

/// Inputs count as read when code that runs mentions them, whichever way leads there.
@Suite struct UnreadInputTests {
  private func read(_ text: String) throws -> FilterReading {
    let source = SourceText(path: "a.glsl", text: text)
    return try FilterReader(files: NoFiles()).read(.text(source, named: "a"), options: FilterReader.Options())
  }

  @Test(arguments: [
    "void mainImage(out vec4 c, in vec2 p) { c = texture(iChannel0, p); }",
    "vec4 f(vec2 p) { return texture(iChannel0, p); }\nvoid mainImage(out vec4 c, in vec2 p) { c = f(p); }",
    "#define F(p) texture(iChannel0, p)\nvoid mainImage(out vec4 c, in vec2 p) { c = F(p); }",
    "#define IMAGE iChannel0\nvec4 f(sampler2D s) { return texture(s, vec2(0)); }\nvoid mainImage(out vec4 c, in vec2 p) { c = f(IMAGE); }",
    "vec4 first = texture(iChannel0, vec2(0.5));\nvoid mainImage(out vec4 c, in vec2 p) { c = first; }",
    "vec4 f(vec2 p);\nvoid mainImage(out vec4 c, in vec2 p) { c = f(p); }\nvec4 f(vec2 p) { return texture(iChannel0, p); }",
  ])
  func findsWaysToAnInput(_ text: String) throws {
    let reading = try read(text)
    #expect(reading.manifest.inputs.map(\.isRead) == [true])
    #expect(!reading.warnings.contains { $0.id == "manifest.unused-input" })
  }

  @Test(arguments: [
    "vec4 f(vec2 p) { return texture(iChannel0, p); }\nvoid mainImage(out vec4 c, in vec2 p) { c = vec4(1); }",
    "#define F(p) texture(iChannel0, p)\nvoid mainImage(out vec4 c, in vec2 p) { c = vec4(1); }",
    "/*{\"ISFVSN\": \"2\", \"INPUTS\": [{\"NAME\": \"photo\", \"TYPE\": \"image\"}]}*/\n"
      + "vec4 f() { return IMG_THIS_PIXEL(photo); }\nvoid main() { gl_FragColor = vec4(1.0); }",
  ])
  func needsNoPictureForTextThatNothingCalls(_ text: String) throws {
    let reading = try read(text)
    #expect(reading.manifest.inputs.map(\.isRead) == [false])
    #expect(reading.warnings.filter { $0.id == "manifest.unused-input" }.count == 1)
    #expect(reading.manifest.passes.allSatisfy { $0.textures.count == 1 })
  }

  @Test(arguments: [
    ("vec4 get(sampler2D s, vec2 p) { return IMG_PIXEL(s, p); }", "get(inputImage, position)", true),
    ("vec4 get(vec2 p, sampler2D s) { return texture(s, p); }", "get(position, inputImage)", false),
    ("vec4 get(sampler2D s, vec2 p) { return IMG_PIXEL(s, p) + texture(s, p); }", "get(inputImage, position)", false),
    ("#define SOURCE inputImage", "IMG_PIXEL(SOURCE, position)", true),
    ("#define GET(s, p) IMG_LOAD(s, ivec2(p))", "GET(inputImage, position)", true),
    (
      "vec4 inner(sampler2D s, vec2 p) { return IMG_PIXEL(s, p); }\nvec4 get(sampler2D t, vec2 p) { return inner(t, p); }",
      "get(inputImage, position)", true
    ),
  ])
  func followsFunctionsAndMacrosToReadsInPixels(_ before: String, _ read: String, isInPixels: Bool) throws {
    let header = "/*{\"ETALON\": 1, \"INPUTS\": [{\"NAME\": \"inputImage\", \"TYPE\": \"image\"}]}*/\n"
    let manifest = try self.read(header + before + "\nvec4 imageKernel(vec2 position) { return \(read); }").manifest
    #expect(manifest.inputs[0].isReadInPixels == isInPixels)
  }

  /// A text is followed however far it passes an image on, on whatever stack.
  @Test func followsAnImageThroughThousandsOfFunctions() throws {
    let count = 5000
    var text = "vec4 f0(sampler2D s, vec2 p) { return texelFetch(s, ivec2(p), 0); }\n"
    for index in 1..<count { text += "vec4 f\(index)(sampler2D s, vec2 p) { return f\(index - 1)(s, p); }\n" }
    text += "void mainImage(out vec4 c, in vec2 p) { c = f\(count - 1)(iChannel0, p); }"
    #expect(try read(text).manifest.inputs.map(\.isReadInPixels) == [true])
  }

  @Test func knowsReadsInPixels() throws {
    let texel = try read("void mainImage(out vec4 c, in vec2 p) { c = texelFetch(iChannel0, ivec2(p), 0); }").manifest
    #expect(texel.inputs[0].isReadInPixels)
    let both = try read(
      "void mainImage(out vec4 c, in vec2 p) { c = texelFetch(iChannel0, ivec2(p), 0) + texture(iChannel0, p); }"
    ).manifest
    #expect(!both.inputs[0].isReadInPixels)
    let isf = try read(
      "/*{\"ISFVSN\": \"2\", \"INPUTS\": [{\"NAME\": \"photo\", \"TYPE\": \"image\"}]}*/\n"
        + "void main() { gl_FragColor = IMG_PIXEL(photo, gl_FragCoord.xy); }"
    ).manifest
    #expect(isf.inputs[0].isReadInPixels)
    let native = try read(
      "/*{\"ETALON\": 1, \"INPUTS\": [{\"NAME\": \"inputImage\", \"TYPE\": \"image\"}]}*/\nvec4 colorKernel(vec4 color) { return color; }"
    ).manifest
    #expect(!native.inputs[0].isReadInPixels)
  }
}
