import EtalonTypes
import Testing

@testable import EtalonMedia

/// Pictures that stand in for those of ShaderToy's site.
@Suite struct LookalikeTests {
  private func picture(_ title: String) throws -> PixelBuffer { try #require(Lookalike.picture(titled: title, strokes: Self.strokes)) }

  private static func strokes() -> PixelBuffer? {
    let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    return try? PictureReader().read(path: "/\(root)/Plugins/generate/text/strokes.png")
  }

  @Test func haveTheSizesOfTheSite() throws {
    let sizes = [
      "Gray Noise Small": 64, "Gray Noise Medium": 256, "RGBA Noise Small": 64, "RGBA Noise Medium": 256, "Blue Noise": 1024, "Bayer": 8,
      "Font 1": 1024,
    ]
    let volumes = ["Grey Noise3D", "RGBA Noise3D"]
    #expect(Set(sizes.keys).union(volumes) == Lookalike.titles)
    for title in volumes { #expect(try picture(title).size == Size(32, 32 * 32), "\(title)") }
    for (title, side) in sizes { #expect(try picture(title).size == Size(side, side), "\(title)") }
    #expect(Lookalike.picture(titled: "London", strokes: Self.strokes) == nil)
  }

  /// Every value as often as any other, and no slice, row or column like its neighbour.
  @Test func volumesAreWhiteNoise() throws {
    let noise = try picture("Grey Noise3D").bytes.map { Double($0) - 127.5 }
    let variance = noise.map { $0 * $0 }.reduce(0, +) / Double(noise.count)
    #expect(abs(variance - 5461) < 100)
    for step in [1, 32, 32 * 32] {
      let products = (0..<noise.count - step).map { noise[$0] * noise[$0 + step] }
      #expect(abs(products.reduce(0, +)) / Double(products.count) < 0.03 * variance, "\(step)")
    }
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

  // MARK: font

  private func font() throws -> PixelBuffer { try picture("Font 1") }

  /// A channel of a character; columns count from the left of its cell, rows from below.
  private func value(_ font: PixelBuffer, _ code: Int, _ column: Int, _ row: Int, _ channel: Int) -> Int {
    Int(font.bytes[4 * ((code / 16 * 64 + 63 - row) * 1024 + code % 16 * 64 + column) + channel])
  }

  @Test func lettersStandInTheMiddleOfTheirCells() throws {
    let font = try font()
    #expect(font.size == Size(1024, 1024))
    for code in 0..<256 {
      var covered = 0
      for row in 0..<64 {
        for column in 0..<64 where value(font, code, column, row, 0) > 127 {
          covered += 1
          #expect((16..<48).contains(column), "\(code)")
          // The edge of the letter is at half of alpha.
          #expect(value(font, code, column, row, 3) <= 128, "\(code)")
        }
      }
      let isLetter = (0x21...0x7E).contains(code) || (0xA1...0xFF).contains(code) && code != 0xAD
      if isLetter { #expect(covered > 10, "\(code)") }
      if code <= 0x20 || (0x7F...0xA0).contains(code) { #expect(covered == 0, "\(code)") }
    }
  }

  @Test func lettersAreUprightAndTheirDistancesGrowOutwards() throws {
    let font = try font()
    func covered(_ code: Int, _ columns: Range<Int>, _ rows: Range<Int>) -> Int {
      rows.reduce(0) { sum, row in sum + columns.count { value(font, code, $0, row, 0) > 127 } }
    }
    // The foot of an L points to the right, below; a 7 has its bar above.
    let letter = 0x4C, digit = 0x37
    #expect(covered(letter, 34..<48, 0..<24) > 20 && covered(letter, 34..<48, 24..<64) == 0)
    #expect(covered(digit, 16..<30, 40..<64) > 10 && covered(digit, 16..<30, 30..<40) == 0)
    // To the right of the stem of an I the distance grows by a level in four for each of the 64 pixels, and points to the right.
    let capital = 0x49
    let distances = (40..<60).map { value(font, capital, $0, 32, 3) }
    for (near, far) in zip(distances, distances.dropFirst()) { #expect((3...5).contains(far - near)) }
    #expect(value(font, capital, 50, 32, 1) == 255 && abs(value(font, capital, 50, 32, 2) - 128) <= 1)
    #expect(value(font, capital, 14, 32, 1) == 0)
  }
}
