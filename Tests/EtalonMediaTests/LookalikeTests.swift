import EtalonTypes
import Testing

@testable import EtalonMedia

/// Pictures that stand in for those of ShaderToy's site.
@Suite struct LookalikeTests {
  private func picture(_ title: String) throws -> PixelBuffer { try #require(Lookalike.picture(titled: title)) }

  @Test func haveTheSizesOfTheSite() throws {
    let sizes = [
      "Gray Noise Small": 64, "Gray Noise Medium": 256, "RGBA Noise Small": 64, "RGBA Noise Medium": 256, "Blue Noise": 1024, "Bayer": 8,
    ]
    #expect(Set(sizes.keys) == Lookalike.titles)
    for (title, side) in sizes { #expect(try picture(title).size == Size(side, side), "\(title)") }
    #expect(Lookalike.picture(titled: "London") == nil)
  }

  /// Coordinates count from the lowest row.
  private func value(_ picture: PixelBuffer, _ x: Int, _ y: Int, _ channel: Int) -> UInt8 {
    let side = picture.size.width
    return picture.bytes[4 * ((side - 1 - (y + side) % side) * side + (x + side) % side) + channel]
  }

  @Test func layersOfNoiseLieApartAsShadersExpect() throws {
    let noise = try picture("RGBA Noise Medium")
    for y in stride(from: 0, to: 256, by: 5) {
      for x in 0..<256 {
        #expect(value(noise, x, y, 1) == value(noise, x - 37, y - 17, 0))
        #expect(value(noise, x, y, 3) == value(noise, x - 37, y - 17, 2))
      }
    }
  }

  @Test func whiteNoiseIsEven() throws {
    for title in ["Gray Noise Medium", "RGBA Noise Medium"] {
      let bytes = try picture(title).bytes.map { Double($0) }
      let mean = bytes.reduce(0, +) / Double(bytes.count)
      #expect(abs(mean - 127.5) < 1.5, "\(title)")
      let neighbours = zip(bytes, bytes.dropFirst(4)).reduce(0) { $0 + ($1.0 - mean) * ($1.1 - mean) } / Double(bytes.count)
      #expect(abs(neighbours) < 60, "\(title)")
    }
  }

  /// Every value as often as any other, and much less difference between averages of squares than in white noise.
  @Test func blueNoiseHasNoLowFrequencies() throws {
    let noise = try picture("Blue Noise")
    for channel in 0..<4 {
      var counts = [Int](repeating: 0, count: 256)
      for place in stride(from: channel, to: noise.bytes.count, by: 4) { counts[Int(noise.bytes[place])] += 1 }
      #expect(counts.allSatisfy { $0 == 1024 * 1024 / 256 })
      var variance = 0.0
      for block in 0..<256 {
        let (left, low) = (block % 16 * 16, block / 16 * 16)
        let sum = (0..<256).reduce(0.0) { $0 + Double(value(noise, left + $1 % 16, low + $1 / 16, channel)) }
        variance += (sum / 256 - 127.5) * (sum / 256 - 127.5) / 256
      }
      // White noise would have 21.
      #expect(variance < 2)
    }
  }

  @Test func thresholdsOfBayerOccurOnce() throws {
    let bytes = try picture("Bayer").bytes
    #expect(Set(bytes).count == 64)
    #expect(bytes[0] == 1 && bytes[1] > 120 && bytes[9] < 70)
  }
}
