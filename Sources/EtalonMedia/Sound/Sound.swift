/// Sound in memory: samples from -1 to 1, channel by channel.
///
/// **Concurrency**: an immutable value with shared storage.
package struct Sound: Sendable, Hashable {
  /// Samples a second.
  package let sampleRate: Int
  /// One or two lists of equally many samples.
  package let channels: [[Float]]

  package init(sampleRate: Int, channels: [[Float]]) {
    precondition(sampleRate > 0 && !channels.isEmpty && channels.allSatisfy { $0.count == channels[0].count }, "no sound")
    self.sampleRate = sampleRate
    self.channels = channels
  }

  /// The number of samples of each channel.
  package var sampleCount: Int { channels[0].count }

  /// A sample; silence before the first and behind the last.
  package func sample(_ index: Int, of channel: Int) -> Double {
    (0..<sampleCount).contains(index) ? Double(channels[channel][index]) : 0
  }

  /// The mean of all channels.
  package var mono: Sound {
    guard channels.count > 1 else { return self }
    let mixed = channels[0].indices.map { index in channels.reduce(0) { $0 + $1[index] } / Float(channels.count) }
    return Sound(sampleRate: sampleRate, channels: [mixed])
  }
}
