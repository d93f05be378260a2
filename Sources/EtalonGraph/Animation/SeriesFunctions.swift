/// Elementary functions out of sums and products alone, with the same bits on every machine; those of C libraries differ in the last one.
enum SeriesFunctions {
  private static let logarithmOfTwo = 0.693147180559945309417232121458

  /// 2 to a power between -1000 and 1000.
  static func powerOfTwo(_ exponent: Double) -> Double {
    let whole = exponent.rounded()
    let x = (exponent - whole) * logarithmOfTwo
    var term = 1.0
    var sum = 1.0
    for n in 1...18 {
      term = term * x / Double(n)
      sum += term
    }
    return sum * Double(sign: .plus, exponent: Int(whole), significand: 1)
  }

  /// The sine of a part of a full turn.
  static func sine(turns: Double) -> Double {
    let part = turns - turns.rounded()
    // Within a quarter turn of zero the series converges quickly; the rest mirrors it.
    let near = part > 0.25 ? 0.5 - part : part < -0.25 ? -0.5 - part : part
    let x = near * 2 * Double.pi
    var term = x
    var sum = x
    for n in 1...12 {
      term = -term * x * x / Double(2 * n * (2 * n + 1))
      sum += term
    }
    return sum
  }

  /// The cosine of a part of a full turn.
  static func cosine(turns: Double) -> Double { sine(turns: turns + 0.25) }
}
