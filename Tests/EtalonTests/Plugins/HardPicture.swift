import EtalonTypes

/// A picture that shows what filters over areas do wrong: noise, hard edges, single pixels, transparency.
enum HardPicture {
  static let size = Size(64, 64)

  static func color(_ x: Int, _ y: Int) -> [UInt8] {
    switch x {
    case ..<20: [noise(x, y, 1), noise(x, y, 2), noise(x, y, 3), max(noise(x, y, 4), 1)]
    case ..<40: (x / 5 + y / 7) % 2 == 0 ? [255, 0, 0, 255] : [0, 255, 255, y < 32 ? 255 : 0]
    default: (x * 3 + y * 5) % 97 == 0 ? [255, 255, 255, 255] : [0, 0, 0, 255]
    }
  }

  private static func noise(_ x: Int, _ y: Int, _ channel: UInt32) -> UInt8 {
    var bits = UInt32(x) &* 0x9e37_79b1 ^ UInt32(y) &* 0x85eb_ca6b ^ channel &* 0xc2b2_ae35
    bits = (bits ^ (bits >> 15)) &* 0x2c1b_3c6d
    bits = (bits ^ (bits >> 12)) &* 0x297a_2d39
    return UInt8(truncatingIfNeeded: bits ^ (bits >> 15))
  }

  /// The premultiplied colors of a row or a column of pixels, from the bottom left.
  static let pixels: [[ExactColor]] = (0..<size.height).map { y in
    (0..<size.width).map { x in ExactColor(bytes: color(x, y)).premultiplied }
  }
}

/// A filter that weighs rows and then columns, in double precision.
struct ExactSeparableFilter {
  /// The weight of each pixel of a line for each pixel of the result.
  private let weights: [[Double]]

  /// - Parameters:
  ///   - reach: how far from a pixel others count.
  ///   - extends: whether the last pixels go on beyond the edges; nothing is there otherwise.
  ///   - weight: by the distance; of any sum.
  init(side: Int, reach: Int, extends: Bool, _ weight: (Int) -> Double) {
    let bell = (-reach...reach).map { weight($0) }
    let sum = bell.reduce(0, +)
    weights = (0..<side).map { place in
      var line = [Double](repeating: 0, count: side)
      for (index, weight) in bell.enumerated() {
        let other = place + index - reach
        if extends || (0..<side).contains(other) { line[min(max(other, 0), side - 1)] += weight / sum }
      }
      return line
    }
  }

  /// The premultiplied result.
  func filtered(_ pixels: [[ExactColor]]) -> [[ExactColor]] {
    let rows = pixels.map { row in
      weights.map { weights in
        var sum = ExactColor.zero
        for (weight, color) in zip(weights, row) where weight != 0 { sum += color * weight }
        return sum
      }
    }
    return weights.map { weights in
      var sums = [ExactColor](repeating: .zero, count: rows[0].count)
      for (weight, row) in zip(weights, rows) where weight != 0 { for x in row.indices { sums[x] += row[x] * weight } }
      return sums
    }
  }
}
