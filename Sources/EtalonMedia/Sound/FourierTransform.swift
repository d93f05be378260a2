/// The strengths of the frequencies in 2048 samples, as the Web Audio analyser has them before it smooths: a Blackman window, then a transform
/// that is divided by the number of samples.
///
/// Only additions, multiplications, divisions and square roots, in a fixed order: the same bits on every machine.
///
/// **Concurrency**: an immutable value.
package struct FourierTransform: Sendable {
  /// The number of samples.
  package static let size = 2048
  /// The number of frequencies, from 0 up to but not including half the sample rate.
  package static let bandCount = size / 2

  /// `cos` and `sin` of whole parts of a turn.
  private let cosines: [Double]
  private let sines: [Double]
  private let window: [Double]

  package init() {
    (cosines, sines) = Self.circle()
    window = (0..<Self.size).map { [cosines] in
      0.42 - 0.5 * cosines[$0] + 0.08 * cosines[2 * $0 % Self.size]
    }
  }

  /// Points on a circle, each the product of points that come from halving a quarter turn again and again.
  private static func circle() -> (cosines: [Double], sines: [Double]) {
    var halvings: [(Double, Double)] = [(-1, 0), (0, 1)]
    while 1 << halvings.count < size {
      let (cosine, sine) = halvings[halvings.count - 1]
      let half = ((1 + cosine) / 2).squareRoot()
      halvings.append((half, sine / (2 * half)))
    }
    var cosines = [Double](repeating: 1, count: size), sines = [Double](repeating: 0, count: size)
    let bits = size.trailingZeroBitCount
    for index in 0..<size {
      for bit in 0..<bits where index >> bit & 1 == 1 {
        // The highest bit stands for half a turn.
        let (cosine, sine) = halvings[bits - 1 - bit]
        (cosines[index], sines[index]) = (
          cosines[index] * cosine - sines[index] * sine, cosines[index] * sine + sines[index] * cosine
        )
      }
    }
    return (cosines, sines)
  }

  /// The strength of every frequency in some samples.
  package func strengths(of samples: [Double]) -> [Double] {
    precondition(samples.count == Self.size, "\(samples.count) samples")
    let bits = Self.size.trailingZeroBitCount
    var real = [Double](repeating: 0, count: Self.size), imaginary = real
    for index in 0..<Self.size {
      let reversed = Int(UInt32(index).bitReversed >> UInt32(32 - bits))
      real[reversed] = samples[index] * window[index]
    }
    var half = 1
    while half < Self.size {
      let step = Self.size / (2 * half)
      for start in stride(from: 0, to: Self.size, by: 2 * half) {
        for offset in 0..<half {
          let (cosine, sine) = (cosines[offset * step], sines[offset * step])
          let (a, b) = (start + offset, start + offset + half)
          let turnedReal = real[b] * cosine + imaginary[b] * sine, turnedImaginary = imaginary[b] * cosine - real[b] * sine
          (real[b], imaginary[b]) = (real[a] - turnedReal, imaginary[a] - turnedImaginary)
          (real[a], imaginary[a]) = (real[a] + turnedReal, imaginary[a] + turnedImaginary)
        }
      }
      half *= 2
    }
    return (0..<Self.bandCount).map { (real[$0] * real[$0] + imaginary[$0] * imaginary[$0]).squareRoot() / Double(Self.size) }
  }
}

extension UInt32 {
  fileprivate var bitReversed: UInt32 {
    var value = self, reversed: UInt32 = 0
    for _ in 0..<32 {
      reversed = reversed << 1 | value & 1
      value >>= 1
    }
    return reversed
  }
}
