import EtalonDiagnostics
import EtalonMedia
import EtalonTypes
import Foundation
import Testing

/// Cube maps and volumes in one picture.
@Suite struct SolidLayoutTests {
  private func picture(_ size: Size, alpha: AlphaMode = .opaque, _ color: (Int, Int) -> [UInt8]) -> PixelBuffer {
    let bytes = (0..<size.height).flatMap { y in (0..<size.width).flatMap { x in color(x, y) } }
    return PixelBuffer(size: size, format: .rgba8, alpha: alpha, bytes: bytes)
  }

  /// The first channel of each row's first pixel of a stack.
  private func reds(_ stack: PixelBuffer?) -> [UInt8]? {
    stack.map { stack in (0..<stack.size.height).map { stack.bytes[$0 * stack.bytesPerRow] } }
  }

  @Test func stripsBecomeStacks() throws {
    let strip = picture(Size(12, 2)) { x, y in [UInt8(10 * (x / 2) + y), 0, 0, 255] }
    let rows: [UInt8] = [0, 1, 10, 11, 20, 21, 30, 31, 40, 41, 50, 51]
    #expect(reds(SolidLayout.faces(of: strip)) == rows)
    #expect(SolidLayout.slices(of: strip) == SolidLayout.faces(of: strip))
    let stack = try #require(SolidLayout.faces(of: strip))
    #expect(SolidLayout.faces(of: stack) == stack && SolidLayout.slices(of: stack) == stack)
  }

  @Test(arguments: [Size(5, 5), Size(4, 3), Size(7, 3), Size(3, 2)]) func otherPicturesAreNeither(size: Size) {
    let other = picture(size) { _, _ in [0, 0, 0, 255] }
    #expect(SolidLayout.faces(of: other) == nil && SolidLayout.slices(of: other) == nil)
  }

  /// A panorama that shows at each direction the direction itself: so do its faces, by the table of the OpenGL specification (8.19).
  @Test func aPanoramaShowsEachDirectionWhereItIs() throws {
    let width = 256, height = 128
    func encoded(_ direction: SIMD3<Double>) -> [UInt8] {
      let length = (direction * direction).sum().squareRoot()
      return (0..<3).map { UInt8(((direction[$0] / length + 1) * 127.5).rounded()) } + [255]
    }
    let panorama = picture(Size(width, height)) { x, y in
      let longitude = ((Double(x) + 0.5) / Double(width) - 0.5) * 2 * .pi, latitude = (0.5 - (Double(y) + 0.5) / Double(height)) * .pi
      return encoded(SIMD3(sin(longitude) * cos(latitude), sin(latitude), cos(longitude) * cos(latitude)))
    }
    let faces = try #require(SolidLayout.faces(of: panorama))
    let side = width / 4
    #expect(faces.size == Size(side, 6 * side))
    // By face: the axis that is 1 or -1, and those of s and t, with their signs.
    let table: [(major: (Int, Double), s: (Int, Double), t: (Int, Double))] = [
      ((0, 1), (2, -1), (1, -1)), ((0, -1), (2, 1), (1, -1)), ((1, 1), (0, 1), (2, 1)), ((1, -1), (0, 1), (2, -1)),
      ((2, 1), (0, 1), (1, -1)), ((2, -1), (0, -1), (1, -1)),
    ]
    var worst = 0
    for (face, axes) in table.enumerated() {
      for row in 0..<side {
        for column in 0..<side {
          var direction = SIMD3<Double>()
          direction[axes.major.0] = axes.major.1
          direction[axes.s.0] = axes.s.1 * (2 * (Double(column) + 0.5) / Double(side) - 1)
          direction[axes.t.0] = axes.t.1 * (2 * (Double(row) + 0.5) / Double(side) - 1)
          let start = ((face * side + row) * side + column) * 4
          for (channel, value) in encoded(direction).enumerated() {
            worst = max(worst, abs(Int(faces.bytes[start + channel]) - Int(value)))
          }
        }
      }
    }
    #expect(worst <= 2)
  }

  // MARK: volumes of the site

  private func volume(_ sides: [Int], channels: UInt8, format: UInt8, _ values: [UInt8]) -> [UInt8] {
    Array("BIN\0".utf8) + sides.flatMap { side in (0..<4).map { UInt8(truncatingIfNeeded: side >> (8 * $0)) } }
      + [channels, 0, format, 0] + values
  }

  private func read(_ bytes: [UInt8]) throws -> PixelBuffer { try PictureReader(acceptsVolumes: true).read(bytes, name: "noise.bin") }

  @Test func volumesOfTheSiteAreStacksOfSlices() throws {
    let gray = try read(volume([2, 2, 3], channels: 1, format: 0, Array(1...12)))
    #expect(gray == PixelBuffer(size: Size(2, 6), format: .r8, alpha: .opaque, bytes: Array(1...12)))
    let colors = try read(volume([1, 1, 2], channels: 3, format: 0, Array(1...6)))
    #expect(colors == PixelBuffer(size: Size(1, 2), format: .rgba8, alpha: .opaque, bytes: [1, 2, 3, 255, 4, 5, 6, 255]))
    #expect(try read(volume([1, 1, 1], channels: 4, format: 0, Array(1...4))).format == .rgba8)
    let floats = try read(volume([1, 1, 2], channels: 2, format: 10, [UInt8](repeating: 0, count: 16)))
    #expect(floats.format == .rg32f && floats.size == Size(1, 2))
  }

  @Test func damagedVolumesAreRefused() throws {
    let whole = volume([2, 2, 3], channels: 1, format: 0, Array(1...12))
    for count in 4..<whole.count { #expect(throws: RenderError.self) { try read(Array(whole.prefix(count))) } }
    #expect(throws: RenderError.self) { try read(whole + [0]) }
    for (sides, channels, format) in [
      ([2, 3, 1], 1, 0), ([0, 0, 1], 1, 0), ([2, 2, 0], 1, 0), ([2, 2, 3], 0, 0), ([2, 2, 3], 5, 0), ([2, 2, 3], 1, 7),
      ([1 << 31, 1 << 31, 1 << 31], 4, 10), ([40000, 40000, 1], 1, 0), ([1, 1, 1 << 31], 1, 0),
    ] as [([Int], UInt8, UInt8)] {
      #expect(throws: RenderError.self, "\(sides) \(channels) \(format)") {
        try read(volume(sides, channels: channels, format: format, Array(1...12)))
      }
    }
    let asPicture = #expect(throws: RenderError.self) { try PictureReader().read(whole, name: "noise.bin") }
    #expect(asPicture?.underlying == "it is a volume, which flat inputs and cubes cannot show")
  }
}
