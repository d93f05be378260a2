import EtalonMedia
import EtalonTypes
import Foundation
import Testing

/// Frequencies, against the formulas of the Web Audio specification.
@Suite struct SoundAnalyserTests {
  private static let samples = {
    var generator = TestGenerator(seed: 4)
    return (0..<2048).map { sin(Double($0) * 0.3) * 0.5 + Double.random(in: -0.2...0.2, using: &generator) }
  }()

  private func expectedStrength(_ samples: [Double], _ band: Int) -> Double {
    var real = 0.0, imaginary = 0.0
    for (index, sample) in samples.enumerated() {
      let turn = 2 * Double.pi * Double(index) / 2048
      let windowed = sample * (0.42 - 0.5 * cos(turn) + 0.08 * cos(2 * turn))
      let angle = 2 * Double.pi * Double(index * band % 2048) / 2048
      real += windowed * cos(angle)
      imaginary -= windowed * sin(angle)
    }
    return (real * real + imaginary * imaginary).squareRoot() / 2048
  }

  @Test func transform() {
    let strengths = FourierTransform().strengths(of: Self.samples)
    #expect(strengths.count == 1024)
    for band in [0, 1, 2, 97, 98, 511, 512, 1023] {
      #expect((strengths[band] - expectedStrength(Self.samples, band)).magnitude < 1e-14, "band \(band)")
    }
  }

  @Test func decibels() {
    let bytes = DecibelScale(largest: 255), words = DecibelScale(largest: 65535)
    for decibels in stride(from: -140.0, through: 20, by: 0.7123) {
      let strength = pow(10, decibels / 20), share = (decibels + 100) / 70
      #expect(bytes.level(strength) == Int(min(max((255 * share).rounded(.down), 0), 255)))
      #expect(words.level(strength) == Int(min(max((65535 * share).rounded(.down), 0), 65535)))
    }
    #expect(bytes.level(0) == 0 && bytes.level(1) == 255 && words.level(0) == 0)
  }

  /// A time has the same frequencies whatever was asked before, and they are those of a player that has shown sixty pictures a second.
  @Test func smoothing() {
    let sound = Sound(sampleRate: 30000, channels: [(0..<60_000).map { Float(sin(Double($0) * Double($0) * 1e-5)) }])
    let analyser = SoundAnalyser(sound), transform = FourierTransform()
    var smoothed = [Double](repeating: 0, count: 1024), after: [Int: [Double]] = [:]
    for step in 0...90 {
      let samples = (step * 500 - 2048..<step * 500).map { sound.sample($0, of: 0) }
      smoothed = zip(smoothed, transform.strengths(of: samples)).map { 0.8 * $0 + 0.2 * $1 }
      after[step] = smoothed
    }
    for step in [90, 0, 1, 30, 90, 89] {
      let actual = analyser.strengths(at: Rational(step, 60), of: 0)
      let difference = zip(actual, after[step] ?? []).map { ($0 - $1).magnitude }.max() ?? 1
      #expect(difference < 1e-6, "step \(step)")
      #expect(actual == SoundAnalyser(sound).strengths(at: Rational(step, 60), of: 0))
    }
    #expect(analyser.strengths(at: Rational(-1), of: 0).allSatisfy { $0 == 0 })
    #expect(analyser.strengths(at: Rational(10), of: 0).allSatisfy { $0 == 0 })
  }
}
