/// Makes WAV files of sounds: whole numbers of 16 bits.
///
/// **Concurrency**: an immutable value.
package struct WAVWriter: Sendable {
  package init() {}

  /// The chunk that says which program wrote the file.
  private static let mark = Array("LIST".utf8) + [20, 0, 0, 0] + Array("INFOISFT".utf8) + [8, 0, 0, 0] + Array("Etalon\0\0".utf8)
  private static let markPlace = 36

  /// Whether a path names a sound that Etalon wrote.
  package static func isOwn(path: String) -> Bool {
    let start = FileReader.start(of: path, count: markPlace + mark.count)
    return WAVReader.recognizes(start) && start.dropFirst(markPlace).elementsEqual(mark)
  }

  /// The bytes of the file; samples beyond -1 and 1 become these.
  package func bytes(of sound: Sound) -> [UInt8] {
    let channels = sound.channels.count
    let count = sound.sampleCount * channels * 2
    var bytes: [UInt8] = []
    bytes.reserveCapacity(44 + Self.mark.count + count)
    func number(_ value: Int, _ byteCount: Int) {
      for place in 0..<byteCount { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * place))) }
    }
    bytes += Array("RIFF".utf8)
    number(36 + Self.mark.count + count, 4)
    bytes += Array("WAVEfmt ".utf8)
    number(16, 4)
    number(1, 2)
    number(channels, 2)
    number(sound.sampleRate, 4)
    number(sound.sampleRate * channels * 2, 4)
    number(channels * 2, 2)
    number(16, 2)
    bytes += Self.mark
    bytes += Array("data".utf8)
    number(count, 4)
    for index in 0..<sound.sampleCount {
      for channel in sound.channels { number(Int((min(max(channel[index], -1), 1) * 32767).rounded()), 2) }
    }
    return bytes
  }
}
