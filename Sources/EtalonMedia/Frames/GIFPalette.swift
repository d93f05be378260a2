internal import Foundation

/// One palette for all frames of a GIF: what stays the same then has the same index in every frame.
///
/// Up to 255 colors are kept as they are. More are split at the mean of the group and along the axis that differ most, and the groups are then improved by
/// moving each color to the nearest group (k-means), in a space in which equal distances look alike (Oklab).
package struct GIFPalette {
  /// The index of transparent pixels.
  static let transparent: UInt8 = 255

  /// Red, green and blue of each color.
  let colors: [SIMD3<UInt8>]
  /// Whether every color of the frames is in the palette.
  let isComplete: Bool

  package init(_ histogram: GIFHistogram) {
    if let all = histogram.colors {
      colors = all.sorted().map { SIMD3(UInt8($0 >> 16), UInt8($0 >> 8 & 0xFF), UInt8($0 & 0xFF)) }
      isComplete = true
    } else {
      colors = ColorGroups(histogram.samples).colors(GIFHistogram.mostColors)
      isComplete = false
    }
  }

  /// The palette as libavcodec takes it: 256 words 0xAARRGGBB.
  package var words: [UInt32] {
    var words = colors.map { 0xFF00_0000 | UInt32($0.x) << 16 | UInt32($0.y) << 8 | UInt32($0.z) }
    while words.count < 255 { words.append(0xFF00_0000) }
    return words + [0]
  }
}

/// The space in which colors are compared.
enum Oklab {
  private static let linear: [Float] = (0...255).map { value in
    let encoded = Double(value) / 255
    return Float(encoded <= 0.04045 ? encoded / 12.92 : pow((encoded + 0.055) / 1.055, 2.4))
  }

  /// The place of a color of sRGB with channels from 0 to 255.
  static func place(_ color: SIMD3<Float>) -> SIMD3<Float> {
    let red = light(color.x)
    let green = light(color.y)
    let blue = light(color.z)
    let l = cbrtf(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
    let m = cbrtf(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
    let s = cbrtf(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
    return SIMD3(
      0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
      1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
      0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s)
  }

  /// Between two values the line is near enough to the curve.
  private static func light(_ value: Float) -> Float {
    let low = min(Int(value), 254)
    return linear[low] + (linear[low + 1] - linear[low]) * (value - Float(low))
  }
}

extension SIMD3 where Scalar == Float {
  /// The square of the length.
  var square: Float { x * x + y * y + z * z }
}

/// Colors in groups of which each becomes one color.
struct ColorGroups {
  private static let rounds = 8

  private let samples: [GIFHistogram.Sample]
  private let places: [SIMD3<Float>]

  init(_ samples: [GIFHistogram.Sample]) {
    self.samples = samples
    places = samples.map { Oklab.place($0.color) }
  }

  func colors(_ count: Int) -> [SIMD3<UInt8>] {
    var centers = split(count).map(\.mean)
    var nearest: [Int] = []
    for _ in 0..<Self.rounds {
      nearest = places.map { place in Self.nearest(to: place, in: centers) }
      centers = means(nearest, of: places, old: centers)
    }
    let mean = means(nearest, of: samples.map(\.color), old: [SIMD3<Float>](repeating: .zero, count: centers.count))
    let used = Set(nearest)
    return mean.indices.filter(used.contains).map { index in
      let color = mean[index].rounded(.toNearestOrEven).clamped(lowerBound: .zero, upperBound: SIMD3(repeating: 255))
      return SIMD3(UInt8(color.x), UInt8(color.y), UInt8(color.z))
    }
  }

  /// The index of the nearest center.
  static func nearest(to place: SIMD3<Float>, in centers: [SIMD3<Float>]) -> Int {
    var best = (index: 0, distance: Float.infinity)
    for index in centers.indices {
      let distance = (centers[index] - place).square
      if distance < best.distance { best = (index, distance) }
    }
    return best.index
  }

  /// The weighted means of what each group has; groups that lost everything keep what they were.
  private func means(_ group: [Int], of values: [SIMD3<Float>], old: [SIMD3<Float>]) -> [SIMD3<Float>] {
    var sums = [SIMD3<Double>](repeating: .zero, count: old.count)
    var weights = [Double](repeating: 0, count: old.count)
    for (index, group) in group.enumerated() {
      sums[group] += SIMD3<Double>(values[index]) * Double(samples[index].weight)
      weights[group] += Double(samples[index].weight)
    }
    return old.indices.map { weights[$0] > 0 ? SIMD3<Float>(sums[$0] / weights[$0]) : old[$0] }
  }

  // MARK: the first groups

  private struct Group {
    var members: [Int]
    var mean: SIMD3<Float>
    /// The sum of the squares of the distances from the mean, along each axis.
    var spread: SIMD3<Float>
  }

  private func group(_ members: [Int]) -> Group {
    var weight = 0.0
    var sum = SIMD3<Double>.zero
    var squares = SIMD3<Double>.zero
    for index in members {
      let place = SIMD3<Double>(places[index])
      let part = Double(samples[index].weight)
      weight += part
      sum += place * part
      squares += place * place * part
    }
    let mean = sum / weight
    return Group(members: members, mean: SIMD3<Float>(mean), spread: SIMD3<Float>(squares - mean * mean * weight))
  }

  /// Splits the group that differs most until there are enough.
  private func split(_ count: Int) -> [Group] {
    var groups = [group(Array(samples.indices))]
    while groups.count < count {
      let candidates = groups.indices.filter { groups[$0].members.count > 1 }
      guard let widest = candidates.max(by: { groups[$0].spread.sum() < groups[$1].spread.sum() }) else { break }
      let parent = groups[widest]
      let axis = (0..<3).max { parent.spread[$0] < parent.spread[$1] } ?? 0
      var low = parent.members.filter { places[$0][axis] <= parent.mean[axis] }
      var high = parent.members.filter { places[$0][axis] > parent.mean[axis] }
      if low.isEmpty || high.isEmpty {
        // Places so near that their mean is not between them.
        (low, high) = ([parent.members[0]], Array(parent.members.dropFirst()))
      }
      groups[widest] = group(low)
      groups.append(group(high))
    }
    return groups
  }
}
