package import EtalonTypes
internal import Synchronization

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
  private static let mostKept = 256

  package let sound: Sound
  private let transform = FourierTransform()
  /// The strengths that were computed last.
  private let known = Mutex<[Place: [Double]]>([:])

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
      guard end > 0, end - FourierTransform.size < sound.sampleCount else { continue }
      let strengths = strengths(before: end, of: channel)
      for band in sum.indices { sum[band] += weight * strengths[band] }
    }
    return sum
  }

  private func strengths(before end: Int, of channel: Int) -> [Double] {
    let place = Place(end: end, channel: channel)
    if let strengths = known.withLock({ $0[place] }) { return strengths }
    let strengths = transform.strengths(of: samples(before: end, count: FourierTransform.size, of: channel))
    known.withLock { known in
      if known.count >= Self.mostKept { known = [:] }
      known[place] = strengths
    }
    return strengths
  }

  /// Some samples of a channel, the last of which is the one before `end`.
  package func samples(before end: Int, count: Int, of channel: Int) -> [Double] {
    (end - count..<end).map { sound.sample($0, of: channel) }
  }
}
