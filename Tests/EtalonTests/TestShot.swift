import EtalonMedia
import EtalonPlan
import EtalonTypes
import Foundation
import Testing

@testable import Etalon

/// The executors that every pixel test runs on.
enum TestDevice: String, CaseIterable, CustomTestStringConvertible {
  case cpu = "cpu"
  /// The first Vulkan device, whatever it is.
  case vulkan = "0"

  var testDescription: String { self == .cpu ? "cpu" : "vulkan" }
}

/// A shader of the folder `Shaders`, a `.glsl` file unless its name says otherwise, with 64×64 pixels unless the test says otherwise.
struct TestShot {
  var request: RenderRequest

  init(_ shader: String, on device: TestDevice, size: Size = Size(64, 64)) {
    let file = shader.contains(".") ? shader : "\(shader).glsl"
    request = RenderRequest(filter: .file(Self.folder.appending(path: file).path))
    request.size = size
    request.device = device.rawValue
  }

  init(_ request: RenderRequest) { self.request = request }

  static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Shaders")

  func prepared() throws -> Shot { try ShotRenderer().prepare(request) }

  /// Renders the frames that the request asks for.
  func pictures() throws -> [TestPicture] { try prepared().pictures() }

  /// Renders the only frame that the request asks for.
  func picture() throws -> TestPicture { try pictures()[0] }
}

extension Shot {
  /// Renders its frames, and keeps what they leave to others.
  func pictures() throws -> [TestPicture] {
    defer { keepState() }
    return try frames.map { frame in
      let pending = try #require(try submit(frame))
      defer { pending.release() }
      try pending.wait()
      look(at: pending, frame)
      var bytes: [UInt8] = []
      pending.withBands(of: 0) { _, _, band in unsafe band.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) } }
      return TestPicture(size: size, bytes: bytes, bytesPerChannel: bits / 8)
    }
  }
}

/// The pixels of a picture, by the coordinates that shaders use.
struct TestPicture: Hashable {
  let size: Size
  let bytes: [UInt8]
  let bytesPerChannel: Int

  /// The four channels of a pixel; the origin is at the bottom left.
  func pixel(_ x: Int, _ y: Int) -> [Int] {
    let start = ((size.height - 1 - y) * size.width + x) * 4 * bytesPerChannel
    return (0..<4).map { channel in
      let place = start + channel * bytesPerChannel
      return bytesPerChannel == 1 ? Int(bytes[place]) : Int(bytes[place]) | Int(bytes[place + 1]) << 8
    }
  }

  /// The first pixel that differs from what is expected, in words; nil when all are equal.
  func firstDifference(_ expected: (_ x: Int, _ y: Int) -> [Int]) -> String? {
    for y in 0..<size.height {
      for x in 0..<size.width where pixel(x, y) != expected(x, y) {
        return "pixel \(x), \(y) from the bottom left is \(pixel(x, y)), expected \(expected(x, y))"
      }
    }
    return nil
  }
}

/// A color or coverage from 0 to 1 in eight bits: ties go to the even number.
func byte(_ value: Double) -> Int { Int((min(max(value, 0), 1) * 255).rounded(.toNearestOrEven)) }

/// A folder that is gone when the test is over.
final class TemporaryFolder: Sendable {
  let url = FileManager.default.temporaryDirectory.appending(path: "etalon-tests-\(UUID().uuidString)")

  init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(at: url) }

  func file(_ name: String) -> String { url.appending(path: name).path }

  /// Writes a picture, given from its bottom left; colors of three channels are opaque, those of four have straight alpha.
  func picture(_ name: String, _ size: Size, _ color: (_ x: Int, _ y: Int) -> [UInt8]) throws -> String {
    var bytes: [UInt8] = []
    for y in (0..<size.height).reversed() { for x in 0..<size.width { bytes += (color(x, y) + [255]).prefix(4) } }
    let file = try AtomicFile(file(name), replacing: .anything)
    try PNGEncoder(PNGSettings(.fast)).encode(PixelBuffer(size: size, format: .rgba8, alpha: .straight, bytes: bytes), text: [], to: file)
    try file.commit()
    return self.file(name)
  }
}
