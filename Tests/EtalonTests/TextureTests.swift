import Etalon
import EtalonTypes
import Foundation
import Testing

/// How pictures get into shaders.
@Suite struct TextureTests {
  private func shot(
    _ shader: String, on device: TestDevice, size: Size, _ path: String, _ change: SamplerChange? = nil
  ) -> TestShot {
    var shot = TestShot(shader, on: device, size: size)
    shot.request.inputs = [.init(input: nil, path: path)]
    shot.request.samplers = change.map { [("iChannel0", $0)] } ?? []
    return shot
  }

  @Test(arguments: TestDevice.allCases) func picturesAreUprightUnlessTurnedOver(device: TestDevice) throws {
    let folder = try TemporaryFolder()
    let size = Size(8, 6)
    let path = try folder.picture("ramp.png", size) { x, y in [UInt8(x * 30), UInt8(y * 40), 5] }
    let upright = try shot("photo", on: device, size: size, path).picture()
    #expect(upright.firstDifference { x, y in [x * 30, y * 40, 5, 255] } == nil)
    let turned = try shot("photo", on: device, size: size, path, SamplerChange(isFlipped: true)).picture()
    #expect(turned.firstDifference { x, y in [x * 30, (5 - y) * 40, 5, 255] } == nil)
  }

  @Test(arguments: TestDevice.allCases) func pixelsBeyondTheEdge(device: TestDevice) throws {
    let folder = try TemporaryFolder()
    let path = try folder.picture("ramp.png", Size(8, 8)) { x, y in [UInt8(x * 30), UInt8(y * 30), 0] }
    let expected: [Sampler.AddressMode: (Int) -> Int] = [
      .clamp: { min($0, 7) }, .repeat: { $0 % 8 }, .mirror: { $0 / 8 % 2 == 0 ? $0 % 8 : 7 - $0 % 8 },
    ]
    for (address, source) in expected {
      let picture = try shot("repeated", on: device, size: Size(32, 32), path, SamplerChange(interpolation: .nearest, address: address))
        .picture()
      #expect(picture.firstDifference { x, y in [source(x) * 30, source(y) * 30, 0, 255] } == nil, "\(address)")
    }
  }

  /// What a header says about reading between the pixels and beyond the edge.
  ///
  /// One pixel of the picture is four of the frame; data are never resized.
  @Test(arguments: TestDevice.allCases) func samplersOfHeaders(device: TestDevice) throws {
    let folder = try TemporaryFolder(), size = Size(32, 4)
    let picture = try folder.picture("ramp.png", Size(4, 4)) { x, _ in [UInt8(x * 80), 0, 0] }
    func row(_ keys: String) throws -> [Int] {
      let path = folder.file("reads.glsl")
      let text = """
        /*{ "ETALON": 1, "ALPHA": "straight", "INPUTS": [ { "NAME": "picture", "TYPE": "image", "SPACE": "data"\(keys) } ] }*/
        vec4 imageKernel(vec2 position) { return IMG_PIXEL(picture, (position - vec2(16.0, 0.0)) * 0.25 + vec2(2.0)); }
        """
      try Data(text.utf8).write(to: URL(filePath: path))
      var shot = TestShot("photo", on: device, size: size)
      shot.request.filter = .file(path)
      shot.request.inputs = [.init(input: "picture", path: picture)]
      let result = try shot.picture()
      return (0..<32).map { result.pixel($0, 1)[0] }
    }
    // Four pixels of the frame are one of the picture, the first of them two to the left of it.
    func pixels(_ read: (Int) -> Int) -> [Int] { (-2..<6).flatMap { x in [Int](repeating: read(x), count: 4) } }
    func ramp(_ x: Int) -> Int { min(max(x, 0), 3) * 80 }
    func repeated(_ x: Int) -> Int { ((x % 4) + 4) % 4 * 80 }
    func mirrored(_ x: Int) -> Int {
      let place = ((x % 8) + 8) % 8
      return (place < 4 ? place : 7 - place) * 80
    }
    func bordered(_ x: Int, _ border: Int) -> Int { (0..<4).contains(x) ? x * 80 : border }
    let nearest = ", \"INTERPOLATION\": \"nearest\""
    #expect(try row(nearest) == pixels(ramp))
    #expect(try row(nearest + ", \"ADDRESS\": \"repeat\"") == pixels(repeated))
    #expect(try row(nearest + ", \"ADDRESS\": \"mirror\"") == pixels(mirrored))
    #expect(try row(nearest + ", \"ADDRESS\": \"transparent\"") == pixels { bordered($0, 0) })
    #expect(try row(nearest + ", \"ADDRESS\": [0.2, 0.4, 0.6, 1]") == pixels { bordered($0, 51) })
    // Without keys, and with these, a pixel is read between its neighbours; beyond the edge lies the last one.
    let linear = (0..<32).map { (x: Int) -> Double in
      let place = (Double(x) - 7.5) / 4 - 0.5
      return min(max(place, 0), 3) * 80
    }
    for keys in ["", ", \"INTERPOLATION\": \"linear\", \"ADDRESS\": \"clamp\""] {
      let read = try row(keys)
      #expect(zip(read, linear).allSatisfy { pixel, expected in (Double(pixel) - expected).magnitude <= 1 })
    }
  }

  @Test(arguments: TestDevice.allCases) func mipmapLevelsAreAverages(device: TestDevice) throws {
    let folder = try TemporaryFolder()
    let path = try folder.picture("ramp.png", Size(8, 8)) { x, _ in [UInt8(x * 16), 0, UInt8(x % 2 * 200)] }
    let picture = try shot("levels", on: device, size: Size(8, 4), path, SamplerChange(interpolation: .mipmap)).picture()
    #expect(
      picture.firstDifference { x, level in
        let span = 1 << level
        let first = x / span * span
        return [(first * 2 + span - 1) * 8, 0, level == 0 ? x % 2 * 200 : 100, 255]
      } == nil)
  }

  /// Four picture pixels to one of the frame: level 2, which is one gray.
  @Test(arguments: TestDevice.allCases) func distantPicturesAreAveragedByDefault(device: TestDevice) throws {
    let folder = try TemporaryFolder()
    let path = try folder.picture("checker.png", Size(16, 16)) { x, y in (x + y) % 2 == 0 ? [200, 0, 0] : [0, 100, 0] }
    let averaged = try shot("repeated", on: device, size: Size(16, 16), path).picture()
    #expect(averaged.firstDifference { _, _ in [100, 50, 0, 255] } == nil)
    let nearest = try shot("repeated", on: device, size: Size(16, 16), path, SamplerChange(interpolation: .nearest)).picture()
    #expect(nearest.firstDifference { _, _ in [200, 0, 0, 255] } == nil)
  }

  /// Four picture pixels to one of the frame: level 2, and with a bias of -1 the level before it, whose pixels meet in the middle of those of the frame.
  @Test(arguments: TestDevice.allCases, [false, true])
  func projectedOffsetsTakeTheLevelOfTheQuotient(device: TestDevice, isBiased: Bool) throws {
    let folder = try TemporaryFolder()
    let path = try folder.picture("ramp.png", Size(16, 16)) { x, _ in [UInt8(x * 16), 0, 0] }
    let bias = isBiased ? ", -1.0" : ""
    func picture(_ read: String) throws -> TestPicture {
      let file = folder.file("\(UUID().uuidString).glsl")
      let text = """
        void mainImage(out vec4 fragColor, in vec2 fragCoord) {
          vec2 uv = fragCoord / iResolution.xy;
          fragColor = \(read), ivec2(1, 0)\(bias));
        }
        """
      try Data(text.utf8).write(to: URL(filePath: file))
      var shot = shot("photo", on: device, size: Size(4, 4), path, SamplerChange(interpolation: .mipmap, address: .clamp))
      shot.request.filter = .file(file)
      return try shot.picture()
    }
    let plain = try picture("textureOffset(iChannel0, uv")
    #expect(try picture("textureProjOffset(iChannel0, vec3(uv * 2.0, 2.0)") == plain)
    #expect(try picture("textureProjOffset(iChannel0, vec4(uv * 4.0, 9.0, 4.0)") == plain)
    guard device == .cpu else { return }
    let expected = isBiased ? [56, 120, 184, 232] : [88, 152, 216, 216]
    #expect(plain.firstDifference { x, _ in [expected[x], 0, 0, 255] } == nil)
  }
}
