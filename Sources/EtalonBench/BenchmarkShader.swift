import Etalon
import EtalonMedia
import EtalonPlan
import EtalonTypes

/// A ShaderToy file that is measured, prepared just as `etalon render` prepares it.
struct BenchmarkShader {
  let shot: Shot
  private let renderer = ShotRenderer()

  /// - Parameter size: such as `1920x1080`.
  init(path: String, size: String) throws {
    var request = RenderRequest(filter: .file(path))
    request.size = try Self.size(size)
    shot = try renderer.prepare(request)
  }

  /// Prepares a shader on the CPU executor; a filter reads the picture between its pixels, and repeats the edge.
  init(path: String, size: String, picture: String?) throws {
    var request = RenderRequest(filter: .file(path))
    request.size = try Self.size(size)
    request.device = "cpu"
    if let picture {
      request.inputs = [RenderRequest.InputPicture(input: nil, path: picture)]
      request.samplers = [.init(input: "iChannel0", interpolation: .linear, address: .clamp, isUpright: nil)]
    }
    shot = try renderer.prepare(request)
  }

  /// A size as it is typed.
  static func size(_ text: String) throws -> Size {
    let sides = text.split(separator: "x").compactMap { Int($0) }
    guard sides.count == 2, sides.allSatisfy({ (1...32768).contains($0) }) else {
      throw BenchmarkError(description: "expected a size such as 1920x1080, found '\(text)'")
    }
    return Size(sides[0], sides[1])
  }

  /// Renders a frame and copies it.
  func picture(of frame: Int) throws -> PixelBuffer {
    guard let pending = try shot.submit(frame) else { throw BenchmarkError(description: "interrupted") }
    defer { pending.release() }
    try pending.wait()
    var bytes: [UInt8] = []
    bytes.reserveCapacity(shot.size.pixelCount * shot.output.format.bytesPerPixel)
    pending.withBands(of: 0) { _, _, band in unsafe band.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) } }
    return PixelBuffer(size: shot.size, format: shot.output.format, alpha: shot.output.alpha, bytes: bytes)
  }
}

/// Why nothing could be measured.
struct BenchmarkError: Error, CustomStringConvertible {
  let description: String
}
