internal import EtalonSystem
package import EtalonTypes

/// The frequencies in a sound at any time, smoothed over time as the Web Audio analyser does.
///
/// The player smooths once for each picture that it shows, about sixty times a second, each time by 0.8. Here a time has the strengths of the
/// 64 sixtieths of a second up to it: what came earlier counts less than a millionth. So every time has its frequencies, whichever frames were
/// rendered before it and at whatever rate.
///
/// **Concurrency**: usable from every thread.
package final class SoundAnalyser: Sendable {
  private static let smoothing = 0.8
  private static let stepCount = 64

  package let sound: Sound
  private let transform = FourierTransform()
  /// The strengths that were computed last.
  private let known = BoundedCache<Place, [Double]>(limit: 256)

  private struct Place: Hashable {
    let end: Int
    let channel: Int
  }

  package init(_ sound: Sound) { self.sound = sound }

  /// The number of the sample that comes next at a time, in seconds since the sound began.
  package func position(at seconds: Rational) -> Int { (seconds * Rational(sound.sampleRate)).floor }

  /// The smoothed strength of every frequency at a time.
  package func strengths(at seconds: Rational, of channel: Int) -> [Double] {
    var sum = [Double](repeating: 0, count: FourierTransform.bandCount)
    var weight = 1 - Self.smoothing
    for step in 0..<Self.stepCount {
      defer { weight *= Self.smoothing }
      let end = position(at: seconds - Rational(step, 60))
      guard end > 0, sound.repeats || end - FourierTransform.size < sound.sampleCount else { continue }
      let strengths = strengths(before: end, of: channel)
      for band in sum.indices { sum[band] += weight * strengths[band] }
    }
    return sum
  }

  private func strengths(before end: Int, of channel: Int) -> [Double] {
    known.value(for: Place(end: end, channel: channel)) {
      transform.strengths(of: samples(before: end, count: FourierTransform.size, of: channel))
    }
  }

  /// Some samples of a channel, the last of which is the one before `end`.
  package func samples(before end: Int, count: Int, of channel: Int) -> [Double] {
    (end - count..<end).map { sound.sample($0, of: channel) }
  }
}

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
