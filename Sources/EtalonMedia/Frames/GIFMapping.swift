/// Which colors of the palette a pixel gets.
///
/// A color between those of the palette becomes a pattern of two of them: a fixed matrix of thresholds over the picture (Bayer's) says which pixel gets which.
/// The pattern depends on the place and the color only, so that what stands still does not flicker, and neighbors form short rows that the
/// compression of a GIF finds.
package struct GIFMapping {
  /// Two colors, and in how many of 64 pixels the second one is.
  private struct Pattern {
    var first: UInt8
    var second: UInt8
    var share: UInt8
  }

  /// How much a coarse pattern counts against a color that is wrong.
  private static let coarseness: Float = 0.15
  /// With how many colors of the palette each one may be mixed.
  private static let neighborCount = 48

  private let exact: [UInt32: UInt8]
  /// For each cell of the histogram.
  private let patterns: [Pattern]

  package init(_ palette: GIFPalette, _ histogram: GIFHistogram) {
    guard !palette.isComplete else {
      exact = Dictionary(
        uniqueKeysWithValues: palette.colors.enumerated().map { index, color in
          (UInt32(color.x) << 16 | UInt32(color.y) << 8 | UInt32(color.z), UInt8(index))
        })
      patterns = []
      return
    }
    exact = [:]
    let places = palette.colors.map { Oklab.place(SIMD3<Float>($0)) }
    let neighbors = places.indices.map { Self.neighbors(of: $0, places) }
    patterns = histogram.cells.map { cell in
      guard let mean = histogram.mean(cell) else { return Pattern(first: 0, second: 0, share: 0) }
      return Self.pattern(Oklab.place(mean), places, neighbors)
    }
  }

  /// A color of the palette with which another one may be mixed.
  private struct Neighbor {
    var index: Int
    /// Where it lies, seen from the other one, and the square of the distance.
    var step: SIMD3<Float>
    var length: Float
  }

  private static func neighbors(of index: Int, _ places: [SIMD3<Float>]) -> [Neighbor] {
    let all = places.indices.map { other in
      let step = places[other] - places[index]
      return Neighbor(index: other, step: step, length: step.square)
    }
    return Array(all.filter { $0.length > 0 }.sorted { ($0.length, $0.index) < ($1.length, $1.index) }.prefix(neighborCount))
  }

  /// The two colors of which a mixture comes nearest; one color where that is near enough.
  private static func pattern(_ color: SIMD3<Float>, _ places: [SIMD3<Float>], _ neighbors: [[Neighbor]]) -> Pattern {
    let nearest = ColorGroups.nearest(to: color, in: places)
    let wanted = color - places[nearest]
    var best = (second: nearest, share: Float(0), error: wanted.square)
    for neighbor in neighbors[nearest] {
      let share = min(max((wanted * neighbor.step).sum() / neighbor.length, 0), 0.5)
      let error = (wanted - neighbor.step * share).square + coarseness * share * (1 - share) * neighbor.length
      if error < best.error { best = (neighbor.index, share, error) }
    }
    let share = UInt8((best.share * 64).rounded())
    // The order does not depend on which color is nearer, so that patterns of neighboring colors fit together.
    return nearest <= best.second
      ? Pattern(first: UInt8(nearest), second: UInt8(best.second), share: share)
      : Pattern(first: UInt8(best.second), second: UInt8(nearest), share: 64 - share)
  }

  /// The indices of the pixels of a frame.
  package func indices(_ pixels: [UInt8], channels: Int, width: Int) -> [UInt8] {
    var indices: [UInt8] = []
    indices.reserveCapacity(pixels.count / channels)
    for pixel in 0..<pixels.count / channels {
      let start = pixel * channels
      if channels == 4, GIFHistogram.isTransparent(pixels[start + 3]) {
        indices.append(GIFPalette.transparent)
      } else if patterns.isEmpty {
        let color = UInt32(pixels[start]) << 16 | UInt32(pixels[start + 1]) << 8 | UInt32(pixels[start + 2])
        indices.append(exact[color] ?? 0)
      } else {
        let pattern = patterns[GIFHistogram.cell(pixels[start], pixels[start + 1], pixels[start + 2])]
        let (row, column) = pixel.quotientAndRemainder(dividingBy: width)
        let isSecond = Self.thresholds[(row & 7) << 3 | column & 7] < pattern.share
        indices.append(isSecond ? pattern.second : pattern.first)
      }
    }
    return indices
  }

  /// Bayer's matrix of 8×8 numbers from 0 to 63.
  private static let thresholds: [UInt8] = (0..<64).map { place in
    let x = place & 7
    let y = place >> 3
    // The bits of x and of x^y in turn, the lowest ones highest.
    var value = 0
    for bit in 0..<3 {
      value |= (((x ^ y) >> bit) & 1) << (5 - 2 * bit)
      value |= ((y >> bit) & 1) << (4 - 2 * bit)
    }
    return UInt8(value)
  }
}
