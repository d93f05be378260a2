/// The closed forms of the curves, for the direction that is slow at the start.
extension Easing.Curve {
  /// How far `back` swings beyond: a tenth of the way.
  private static let overshoot = 1.70158
  /// The same for `back-in-out`, whose halves are half as long.
  private static let halvedOvershoot = overshoot * 1.525

  func begun(_ t: Double) -> Double {
    switch self {
    case .sine: 1 - SeriesFunctions.cosine(turns: t / 4)
    case .quad: t * t
    case .cubic: t * t * t
    case .quart: t * t * t * t
    case .quint: t * t * t * t * t
    case .expo: SeriesFunctions.powerOfTwo(10 * t - 10)
    case .circ: 1 - (1 - t * t).squareRoot()
    case .back: t * t * ((Self.overshoot + 1) * t - Self.overshoot)
    case .elastic: -SeriesFunctions.powerOfTwo(10 * t - 10) * SeriesFunctions.sine(turns: (10 * t - 10.75) / 3)
    case .bounce: 1 - Self.fallen(1 - t)
    }
  }

  /// Slow at both ends: two halves, of which the second mirrors the first.
  func begunAndEnded(_ t: Double) -> Double { t < 0.5 ? firstHalf(t) : 1 - firstHalf(1 - t) }

  private func firstHalf(_ t: Double) -> Double {
    switch self {
    case .back: 2 * t * t * ((Self.halvedOvershoot + 1) * 2 * t - Self.halvedOvershoot)
    case .elastic: -SeriesFunctions.powerOfTwo(20 * t - 10) * SeriesFunctions.sine(turns: (20 * t - 11.125) / 4.5) / 2
    default: begun(2 * t) / 2
    }
  }

  /// A ball that falls and bounces three times: parabolas between 1/2.75, 2/2.75 and 2.5/2.75 of the time.
  private static func fallen(_ t: Double) -> Double {
    let (center, rest): (Double, Double) =
      switch t * 2.75 {
      case ..<1: (0, 0)
      case ..<2: (1.5, 0.75)
      case ..<2.5: (2.25, 0.9375)
      default: (2.625, 0.984375)
      }
    let distance = t - center / 2.75
    return 7.5625 * distance * distance + rest
  }
}
