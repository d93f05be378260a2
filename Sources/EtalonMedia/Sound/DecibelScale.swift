/// Turns strengths into whole numbers, as the Web Audio analyser does: -100 dB is 0, -30 dB the largest.
///
/// Strengths are compared with the borders between the numbers, so that no logarithm is needed, whose last bit would differ from machine to machine.
///
/// **Concurrency**: an immutable value.
package struct DecibelScale: Sendable {
  /// The least strength of each number from 1 on.
  private let borders: [Double]

  /// - Parameter largest: the number for -30 dB and more: 255, 65535.
  package init(largest: Int) {
    borders = (1...largest).map { Self.powerOfTen((-100 + 70 * Double($0) / Double(largest)) / 20) }
  }

  /// The number of a strength.
  package func level(_ strength: Double) -> Int {
    var low = 0, high = borders.count
    while low < high {
      let middle = (low + high) / 2
      if borders[middle] <= strength { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Ten to some power, by the series of the exponential function of a thousandth, squared ten times.
  private static func powerOfTen(_ exponent: Double) -> Double {
    let small = exponent * 2.302585092994046 / 1024
    var term = 1.0, sum = 1.0
    for index in 1...12 {
      term *= small / Double(index)
      sum += term
    }
    for _ in 0..<10 { sum *= sum }
    return sum
  }
}
