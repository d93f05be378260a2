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

  // MARK: photos

  /// The mean of a channel in a part of a picture.
  private func mean(_ picture: PixelBuffer, _ channel: Int, rows: Range<Int>) -> Double {
    let step = picture.format.channelCount
    let places = (rows.lowerBound * picture.size.width..<rows.upperBound * picture.size.width)
    return places.reduce(0.0) { $0 + Double(picture.bytes[$1 * step + channel]) } / Double(places.count)
  }

  /// Surfaces go on at their edges, from right to left and from top to bottom: the step over an edge is one as there are within.
  @Test func surfacesRepeat() throws {
    for title in PhotoLookalike.titles.subtracting(["London", "Nyancat"]).sorted() {
      let picture = try picture(title)
      let (width, height, step) = (picture.size.width, picture.size.height, picture.format.channelCount)
      func value(_ x: Int, _ y: Int) -> Double { Double(picture.bytes[(y * width + x) * step]) }
      func columns(_ a: Int, _ b: Int) -> Double {
        stride(from: 0, to: height, by: 4).reduce(0.0) { $0 + abs(value(a, $1) - value(b, $1)) }
      }
      func rows(_ a: Int, _ b: Int) -> Double { stride(from: 0, to: width, by: 4).reduce(0.0) { $0 + abs(value($1, a) - value($1, b)) } }
      let withinColumns = stride(from: 0, to: width - 1, by: 3).map { columns($0, $0 + 1) }.sorted()
      let withinRows = stride(from: 0, to: height - 1, by: 3).map { rows($0, $0 + 1) }.sorted()
      // Gaps between boards and stones are as they are; where a picture is cut is not one of them.
      #expect(columns(width - 1, 0) <= 1.1 * withinColumns[withinColumns.count * 97 / 100], "\(title) from right to left")
      #expect(rows(height - 1, 0) <= 1.1 * withinRows[withinRows.count * 97 / 100], "\(title) from top to bottom")
      // Nothing is empty: each has darker and brighter parts.
      let values = stride(from: 0, to: picture.bytes.count, by: 16 * step).map { Double(picture.bytes[$0]) }
      let mean = values.reduce(0, +) / Double(values.count)
      #expect(values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count) > 60, "\(title)")
    }
  }

  @Test func aStreetHasItsSkyAbove() throws {
    let street = try picture("London")
    #expect(mean(street, 2, rows: 0..<80) > mean(street, 2, rows: 430..<512) + 60)
  }

  /// Six cats of 40 columns, none of which is cut off, on nothing.
  @Test func theCatRunsInSixPictures() throws {
    let cat = try picture("Nyancat")
    func isOpaque(_ x: Int, _ y: Int) -> Bool { cat.bytes[4 * (y * 256 + x) + 3] == 255 }
    for frame in 0..<6 {
      #expect((0..<32).allSatisfy { !isOpaque(frame * 40, $0) && !isOpaque(frame * 40 + 39, $0) }, "\(frame)")
      #expect((0..<32).reduce(0) { sum, y in sum + (0..<40).count { isOpaque(frame * 40 + $0, y) } } > 400, "\(frame)")
    }
    #expect((240..<256).allSatisfy { x in (0..<32).allSatisfy { !isOpaque(x, $0) } })
  }

  // MARK: cubes

  /// The face +Y lies third, and looks up.
  @Test func cubesAreUpright() throws {
    for title in ["Forest", "Uffizi Gallery"] {
      let cube = try picture(title)
      let side = cube.size.width
      #expect(mean(cube, 2, rows: 2 * side..<3 * side) > mean(cube, 2, rows: 3 * side..<4 * side) + 40, "\(title)")
      // The upper half of a wall is brighter than the lower one.
      #expect(mean(cube, 2, rows: 0..<side / 4) > mean(cube, 2, rows: side * 3 / 4..<side), "\(title)")
    }
  }

  /// Faces meet without a seam: the last column of +X is next to the first one of -Z.
  @Test func facesMeet() throws {
    for title in CubeLookalike.titles.sorted() where title.hasSuffix("Blurred") {
      let cube = try picture(title)
      let side = cube.size.width
      for row in 0..<side {
        let here = 4 * (row * side + side - 1), there = 4 * ((5 * side + row) * side)
        for channel in 0..<3 {
          #expect(abs(Int(cube.bytes[here + channel]) - Int(cube.bytes[there + channel])) <= 8, "\(title), row \(row)")
        }
      }
    }
  }

  // MARK: videos and songs

  @Test func filmsMoveAndRepeat() throws {
    let names = [
      "e81e818ac76a8983d746784b423178ee9f.webm", "35c87bcb8d7af24c54d41122dadb619dd9.webm", "c3a071ecf273428bc72fc72b2dd972671d.ogv",
      "3405e48f74815c7baa49133bdc83514294.ogv", "webcam",
    ]
    let videos = names.map { VideoLookalike(for: $0) }
    #expect(Set(videos.map(\.name)).count == videos.count)
    for video in videos {
      let first = video.picture(0)
      #expect(first.size == video.size)
      #expect(video.picture(0).bytes == first.bytes)
      #expect(video.picture(5).bytes != first.bytes, "\(video.name)")
      #expect(
        video.frame(at: Rational(video.frameCount, video.rate)) == 0 && video.frame(at: Rational(-1, video.rate)) == video.frameCount - 1)
    }
    // What shaders that key out green ask for.
    let corner = videos[1].picture(30).bytes.prefix(3).map(Int.init)
    #expect(corner[1] > 2 * max(corner[0], corner[2]))
  }

  @Test func songsRepeatWithoutEndAndAreLoudEnough() {
    let song = SongLookalike.song(named: "a.mp3"), other = SongLookalike.song(named: "b.mp3")
    #expect(song != other && song == SongLookalike.song(named: "a.mp3"))
    #expect(song.sample(song.sampleCount + 5, of: 0) == song.sample(5, of: 0) && song.sample(-1, of: 0) == 0)
    let loudest = song.channels[0].map(abs).max() ?? 0
    #expect(loudest > 0.5 && loudest <= 1)
    let analyser = SoundAnalyser(song)
    let now = analyser.strengths(at: Rational(2), of: 0)
    let round = Rational(song.sampleCount, song.sampleRate)
    #expect(now.max() ?? 0 > 0.001)
    #expect(analyser.strengths(at: Rational(2) + round + round, of: 0) == analyser.strengths(at: Rational(2) + round, of: 0))
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

  /// Rows count from the top.
  private func value(_ picture: PixelBuffer, _ x: Int, _ y: Int, _ channel: Int) -> UInt8 {
    let side = picture.size.width
    return picture.bytes[4 * ((y + side) % side * side + (x + side) % side) + channel]
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
