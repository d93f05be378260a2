import EtalonTypes
import Testing

@Suite struct MipmapChainTests {
  private func gray(_ size: Size, _ bytes: [UInt8]) -> PixelBuffer { PixelBuffer(size: size, format: .r8, alpha: .opaque, bytes: bytes) }

  @Test(arguments: [
    (Size(1, 1), [Size(1, 1)]), (Size(8, 2), [Size(8, 2), Size(4, 1), Size(2, 1), Size(1, 1)]),
    (Size(5, 3), [Size(5, 3), Size(2, 1), Size(1, 1)]),
  ])
  func sidesAreHalvedDownToOne(_ size: Size, _ expected: [Size]) {
    let chain = MipmapChain(of: gray(size, [UInt8](repeating: 9, count: size.pixelCount)))
    #expect(chain.levels.map(\.size) == expected)
    #expect(MipmapChain.levelCount(of: size) == expected.count)
    for level in chain.levels { #expect(level.bytes.allSatisfy { $0 == 9 }) }
  }

  /// 1 + 2 + 3 + 4 = 10, a quarter of it is 2.5 and rounds up; 0 + 0 + 0 + 1 rounds down.
  @Test func evenSidesAreBoxesRoundedToNearest() {
    let levels = MipmapChain(of: gray(Size(4, 2), [1, 2, 0, 0, 3, 4, 0, 1])).levels
    #expect(levels[1].bytes == [3, 0])
  }

  /// Five pixels become two: (2a + 2b + c) / 5 and (c + 2d + 2e) / 5.
  @Test func oddSidesAreWeightedByArea() {
    let levels = MipmapChain(of: gray(Size(5, 1), [10, 20, 50, 0, 100])).levels
    #expect(levels[1].bytes == [22, 50])
    #expect(MipmapChain(of: gray(Size(1, 3), [0, 30, 90])).levels[1].bytes == [40])
  }

  /// Three singles become b + ((a - b) / 3 + (c - b) / 3), each step rounded to single precision; a constant stays what it is.
  @Test func floatsAreComputedInSinglePrecision() {
    func mean(_ values: [Float]) -> Float {
      let bytes = [UInt8](floats: values)
      let level = MipmapChain(of: PixelBuffer(size: Size(values.count, 1), format: .r32f, alpha: .opaque, bytes: bytes)).levels[1]
      return Float(bitPattern: level.bytes.word(at: 0))
    }
    let third = 1 / Float(3)
    #expect(mean([0.1, 0.7, 12.5]) == 0.7 + ((Float(0.1) - 0.7) * third + (Float(12.5) - 0.7) * third))
    #expect(mean([0.3, 0.3, 0.3]) == 0.3)
    #expect(mean([0.1, 3e38]) == Float(0.1) * 0.5 + 3e38 * 0.5)
  }

  @Test func everyFormatKeepsItsRange() {
    for format in PixelFormat.allCases {
      let pixel: [UInt8] =
        switch (format.bytesPerChannel, format.isFloat) {
        case (1, _): [255]
        case (2, false): [255, 255]
        case (2, true): [0xFF, 0x7B]
        default: [0xFF, 0xFF, 0x7F, 0x7F]
        }
      let bytes = Array(repeatElement(pixel, count: 7 * 6 * format.channelCount).joined())
      let chain = MipmapChain(of: PixelBuffer(size: Size(7, 6), format: format, alpha: .opaque, bytes: bytes))
      for level in chain.levels { #expect(level.bytes == Array(bytes.prefix(level.bytes.count)), "\(format)") }
    }
  }
}
