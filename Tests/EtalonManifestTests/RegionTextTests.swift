import EtalonDiagnostics
import EtalonGLSL
import EtalonTypes
import Testing

@testable import EtalonDialects
@testable import EtalonManifest

/// What kernels become whose textures are regions of pictures.
@Suite struct RegionTextTests {
  private func pass(_ text: String) throws -> PassSource {
    let header = """
      /*{ "ETALON": 1, "INPUTS": [{ "NAME": "inputImage", "TYPE": "image" }, { "NAME": "other", "TYPE": "image", "INTERPOLATION": "mipmap" }] }*/

      """
    let source = SourceText(path: "a.glsl", text: header + text)
    return try NativeReader(files: NoFiles()).read(source, named: "a", options: FilterReader.Options()).manifest.passes[0]
  }

  /// The lines of the text that are not in another one.
  private func changes(of text: PassSource, to changed: PassSource?) throws -> [String] {
    let old = Set(text.source.text.split(separator: "\n"))
    return try #require(changed).source.text.split(separator: "\n").filter { !old.contains($0) }.map(String.init)
  }

  @Test func imagesGoTogetherWithTheirRegions() throws {
    let pass = try pass(
      """
      vec4 at(ivec2 place, sampler2D image) { return texelFetch(image, min(place, textureSize(image, 0) - 1), 0); }
      vec4 imageKernel(vec2 p) { float image = 0.5; return image * at(ivec2(p), inputImage) + textureLod(inputImage, p / IMG_SIZE(inputImage), 0.0); }
      """)
    let changed = try changes(of: pass, to: pass.readingRegions)
    #expect(changed.contains("layout(set = 0, binding = 0, std140) uniform EtalonUniforms {"))
    let expected = """
      vec2 IMG_SIZE(sampler2D image, ivec4 etalonRegionOfimage) { return vec2(etalonRegionSize(image, etalonRegionOfimage, 0)); }
      vec4 at(ivec2 place, sampler2D image, ivec4 etalonRegionOfimage) { return etalonRegionFetch(image, etalonRegionOfimage, min(place, \
      etalonRegionSize(image, etalonRegionOfimage, 0) - 1), 0); }
      vec4 imageKernel(vec2 p) { float image = 0.5; return image * at(ivec2(p), inputImage, etalonRegionOfinputImage) + \
      etalonRegionRead(inputImage, etalonRegionOfinputImage, p / IMG_SIZE(inputImage, etalonRegionOfinputImage), 0.0); }
      """
    #expect(changed.suffix(3).joined(separator: "\n") == expected)
    #expect(
      pass.readingRegions?.uniforms.last == Uniform(name: "etalonRegionOfinputImage", type: .ivec4, meaning: .region(.input("inputImage"))))
  }

  @Test func aRegionStoresFromItsStartOn() throws {
    let pass = try pass("vec4 imageKernel(vec2 position) { return vec4(position, RENDERSIZE); }")
    #expect(
      try changes(of: pass, to: pass.storingRegion) == [
        "layout(push_constant) uniform EtalonRegion { ivec2 etalonOrigin; ivec2 etalonEnd; ivec2 etalonStart; };",
        "  imageStore(etalonTarget, etalonPixel - etalonStart, color);",
      ])
  }

  /// Texts that do with images what is not understood have whole pictures.
  @Test(arguments: [
    "#define READ(p) IMG_PIXEL(inputImage, p)\nvec4 imageKernel(vec2 p) { return READ(p); }",
    "#define AT at\nvec4 at(sampler2D s, vec2 p) { return IMG_PIXEL(s, p); }\nvec4 imageKernel(vec2 p) { return AT(inputImage, p); }",
    "vec4 imageKernel(vec2 p) { return textureGather(inputImage, p / RENDERSIZE); }",
    "vec4 imageKernel(vec2 p) { return textureGrad(inputImage, p / RENDERSIZE, vec2(0.1), vec2(0.1)); }",
    "vec4 imageKernel(vec2 p) { return IMG_PIXEL(other, p) + IMG_PIXEL(inputImage, p); }",
  ]) func whatIsNotUnderstood(_ text: String) throws {
    #expect(try pass(text).readingRegions == nil)
  }
}
