import Etalon
import EtalonTypes
import Foundation

extension TestShot {
  static let repository = folder.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// A filter file of this repository over pictures, as large as the first of them.
  init(filter path: String, on device: TestDevice, _ inputs: [String: String] = [:], _ settings: [String: String] = [:]) {
    self.init("", on: device)
    request = RenderRequest(filter: .file(Self.repository.appending(path: path).path))
    request.device = device.rawValue
    request.inputs = inputs.sorted { $0.key < $1.key }.map { .init(input: $0.key, path: $0.value) }
    request.settings = settings.sorted { $0.key < $1.key }.map { .init(name: $0.key, value: $0.value) }
  }

  /// A filter that Etalon ships, named `category/name`.
  init(plugin: String, on device: TestDevice, _ inputs: [String: String] = [:], _ settings: [String: String] = [:]) {
    self.init(filter: "Plugins/\(plugin)/\(plugin.split(separator: "/")[1]).glsl", on: device, inputs, settings)
  }
}

/// A color in double precision: red, green, blue, alpha.
typealias ExactColor = SIMD4<Double>

extension ExactColor {
  /// A straight color from eight bits for each channel.
  init(bytes: [UInt8]) {
    let channels = (bytes + [255]).prefix(4).map { Double($0) / 255 }
    self.init(channels[0], channels[1], channels[2], channels[3])
  }

  var premultiplied: ExactColor { ExactColor(x * w, y * w, z * w, w) }
  var straight: ExactColor { w > 0 ? ExactColor(x / w, y / w, z / w, w) : .zero }

  /// What a file can hold of it.
  var clamped: ExactColor { clamped(lowerBound: .zero, upperBound: ExactColor(repeating: 1)) }

  /// The luma with the weights of BT.709.
  var luma: Double { 0.2126 * x + 0.7152 * y + 0.0722 * z }
}

extension TestPicture {
  /// A pixel in numbers from 0 to 1.
  func color(_ x: Int, _ y: Int) -> ExactColor {
    let channels = pixel(x, y).map { Double($0) / (bytesPerChannel == 1 ? 255 : 65535) }
    return ExactColor(channels[0], channels[1], channels[2], channels[3])
  }

  /// The first pixel that is farther than a tolerance from the straight color that is expected, in words; nil when none is.
  ///
  /// Filters get premultiplied colors, so the less a pixel covers, the less exact its straight color can be.
  func firstDifference(over tolerance: Double, _ expected: (_ x: Int, _ y: Int) -> ExactColor) -> String? {
    for y in 0..<size.height {
      for x in 0..<size.width {
        let expected = expected(x, y).clamped
        let difference = (color(x, y) - expected) * ExactColor(expected.w, expected.w, expected.w, 1)
        guard difference.replacing(with: -difference, where: difference .< 0).max() > tolerance else { continue }
        return "pixel \(x), \(y) from the bottom left is \(color(x, y)), expected \(expected)"
      }
    }
    return nil
  }
}

/// Pictures with colors and transparency of all kinds, from which filters have to compute what a test expects.
enum PluginPicture {
  static let size = Size(48, 32)

  /// Every channel moves at a pace of its own; some pixels are wholly transparent, some opaque.
  static func color(_ x: Int, _ y: Int) -> [UInt8] {
    let alpha = x < 4 ? 0 : x < 16 ? 255 : 40 + (x * 7 + y * 3) % 216
    return [UInt8(x * 5), UInt8(y * 8), UInt8((x * 37 + y * 11) % 256), UInt8(alpha)]
  }

  /// The straight color of a pixel; beyond the edge that of the nearest one.
  static func exact(_ x: Int, _ y: Int) -> ExactColor {
    ExactColor(bytes: color(min(max(x, 0), size.width - 1), min(max(y, 0), size.height - 1)))
  }

  /// Another picture of the same size, opaque.
  static func other(_ x: Int, _ y: Int) -> [UInt8] { [UInt8((x * 17) % 256), UInt8(250 - y * 5), UInt8(x * y % 256)] }
}
