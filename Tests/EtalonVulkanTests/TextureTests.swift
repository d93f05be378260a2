import EtalonDiagnostics
import EtalonPlan
import EtalonSPIRV
import EtalonTypes
import Testing

@testable import EtalonVulkan

/// Reading imported pictures: turned over, by every sampler, in every format, from every mipmap level.
@Suite struct TextureTests {
  /// A plan that reads a picture at a place for every pixel; `text` assigns `vec4 color` from `vec2 position`.
  private func plan(
    _ size: Size, of picture: PixelBuffer, _ sampler: Sampler, _ text: String, usesSubgroups: Bool = false
  ) throws -> Plan {
    let kernel = try TestKernels.make(
      "read",
      """
      layout(set = 0, binding = 2) uniform sampler2D picture;
      layout(std430, set = 0, binding = 1) writeonly buffer Output { uint pixels[]; };
      void main() {
        ivec2 p = \(usesSubgroups ? "PIXEL_IN_QUADS" : "PIXEL");
        vec2 position = positionOf(p);
        vec4 color = vec4(0);
        \(text)
        if (isInside(p)) pixels[indexOf(p)] = packUnorm4x8(color);
      }
      """, resources: [TestKernels.output(), TestKernels.texture("picture", 2)], usesSubgroups: usesSubgroups)
    return Plan(
      textures: [
        .init(
          name: "picture", role: .imported(0), size: picture.size, format: picture.format,
          isMipmapped: sampler.interpolation == .mipmap)
      ], outputs: [.init(name: "main", size: size, format: .rgba8, alpha: .straight)], kernels: [kernel],
      passes: [.init(name: "image", kernel: 0, size: size, bindings: [1: .output(0), 2: .sampled(texture: 0, sampler)])])
  }

  private let coordinates = PixelBuffer(Size(16, 8)) { x, y in [UInt8(x * 10), UInt8(y * 20), 7, 255] }

  @Test func pictureIsTurnedOver() throws {
    let plan = try plan(Size(16, 8), of: coordinates, Sampler(.nearest), "color = texelFetch(picture, p, 0);")
    #expect(try render(plan, imports: [coordinates]) == coordinates)
  }

  /// What the columns -4…19 of a picture of 16 columns read.
  @Test(arguments: [
    (Sampler.AddressMode.clamp, [0, 0, 0, 0] + Array(0..<16) + [15, 15, 15, 15]),
    (.repeat, [12, 13, 14, 15] + Array(0..<16) + [0, 1, 2, 3]), (.mirror, [3, 2, 1, 0] + Array(0..<16) + [15, 14, 13, 12]),
  ])
  func addressModes(_ mode: Sampler.AddressMode, _ columns: [Int]) throws {
    let plan = try plan(
      Size(24, 8), of: coordinates, Sampler(.nearest, mode), "color = textureLod(picture, (position - vec2(4, 0)) / vec2(16, 8), 0.0);")
    let picture = try render(plan, imports: [coordinates])
    for x in 0..<24 { #expect(picture.channels(x, 3) == [columns[x] * 10, 60, 7, 255]) }
  }

  @Test func transparentBeyondTheEdge() throws {
    let plan = try plan(
      Size(20, 8), of: coordinates, Sampler(.linear, .transparent),
      "color = textureLod(picture, (position - vec2(2, 0)) / vec2(16, 8), 0.0);")
    let picture = try render(plan, imports: [coordinates])
    #expect(picture.channels(0, 4) == [0, 0, 0, 0])
    #expect(picture.channels(2, 4) == [0, 80, 7, 255])
    #expect(picture.channels(19, 4) == [0, 0, 0, 0])
  }

  @Test func linearIsTheMeanBetweenTwoPixels() throws {
    let plan = try plan(
      Size(15, 8), of: coordinates, Sampler(.linear), "color = textureLod(picture, (position + vec2(0.5, 0)) / vec2(16, 8), 0.0);")
    let picture = try render(plan, imports: [coordinates])
    for x in 0..<15 { #expect(abs(picture.channels(x, 2)[0] - (x * 10 + 5)) <= 1) }
  }

  /// Every format has a picture of one colour, of which the shader sees the stored channels and 0, 0, 1 for those that are missing.
  @Test(arguments: PixelFormat.allCases)
  func formats(_ format: PixelFormat) throws {
    let size = Size(3, 3)
    let channel: [UInt8] =
      switch (format.bytesPerChannel, format.isFloat) {
      case (1, _): [51]
      case (2, false): [0x33, 0x33]
      case (2, true): [0x00, 0x34]
      default: [0, 0, 0x80, 0x3E]
      }
    let pixel = Array(repeatElement(channel, count: format.channelCount).joined())
    let picture = PixelBuffer(
      size: size, format: format, alpha: .opaque, bytes: Array(repeatElement(pixel, count: size.pixelCount).joined()))
    let plan = try plan(size, of: picture, Sampler(.nearest), "color = texelFetch(picture, p, 0);")
    let value = format.isFloat ? 64 : 51
    let expected = (0..<4).map { $0 < format.channelCount ? value : $0 == 3 ? 255 : 0 }
    #expect(try render(plan, imports: [picture]).channels(1, 1) == expected)
  }

  @Test func levelsAreThoseOfTheMipmapChain() throws {
    let picture = PixelBuffer(Size(13, 6)) { x, y in [UInt8(x * 19), UInt8(y * 51), UInt8((x * y) % 7 * 36), 255] }
    let levels = MipmapChain(of: picture).levels
    #expect(levels.map(\.size) == [Size(13, 6), Size(6, 3), Size(3, 1), Size(1, 1)])
    for (number, level) in levels.enumerated() {
      let plan = try plan(level.size, of: picture, Sampler(.mipmap), "color = texelFetch(picture, p, \(number));")
      #expect(try render(plan, imports: [picture]) == level)
    }
  }

  /// A checker of single pixels is gray when it is read at half its size or less, and itself at full size.
  @Test(arguments: [(1, false), (2, true), (4, true)])
  func mipmapFollowsTheDerivatives(_ step: Int, _ isGray: Bool) throws {
    let checker = PixelBuffer(Size(64, 64)) { x, y in (x + y) % 2 == 0 ? [255, 255, 255, 255] : [0, 0, 0, 255] }
    let plan = try plan(
      Size(16, 16), of: checker, Sampler(.mipmap, .repeat),
      """
      vec2 at = position * \(step).0 / 64.0;
      vec2 dx = subgroupQuadSwapHorizontal(at) - at;
      vec2 dy = subgroupQuadSwapVertical(at) - at;
      color = textureGrad(picture, at, abs(dx), abs(dy));
      """, usesSubgroups: true)
    let picture = try render(plan, imports: [checker])
    for y in 0..<16 {
      for x in 0..<16 {
        let value = picture.channels(x, y)[0]
        if isGray { #expect(abs(value - 128) <= 1) } else { #expect(value == ((x + y) % 2 == 0 ? 255 : 0)) }
      }
    }
  }

  @Test func tooLargeForTheDevice() throws {
    let picture = PixelBuffer(
      size: Size(100_000, 1), format: .r8, alpha: .opaque, bytes: [UInt8](repeating: 0, count: 100_000))
    let plan = try plan(Size(4, 4), of: picture, Sampler(.nearest), "color = texelFetch(picture, p, 0);")
    let error = #expect(throws: RenderError.self) { try render(plan, imports: [picture]) }
    #expect(error?.code == .invalidInput)
    #expect(error?.message.hasPrefix("texture 'picture' is 100000x1, and ") == true)
  }
}
