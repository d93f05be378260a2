import EtalonDiagnostics
import EtalonMedia
import Testing

/// WAV files of every kind, and damaged ones.
@Suite struct WAVReaderTests {
  private func number(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }

  private func chunk(_ id: String, _ data: [UInt8]) -> [UInt8] {
    Array(id.utf8) + number(data.count, 4) + data + (data.count % 2 == 1 ? [0] : [])
  }

  private func format(_ tag: Int, bits: Int, channels: Int = 1, rate: Int = 44100, extra: [UInt8] = []) -> [UInt8] {
    let frame = channels * bits / 8
    return chunk(
      "fmt ", number(tag, 2) + number(channels, 2) + number(rate, 4) + number(rate * frame, 4) + number(frame, 2) + number(bits, 2) + extra)
  }

  private func file(_ chunks: [UInt8]...) -> [UInt8] {
    let body = Array("WAVE".utf8) + chunks.joined()
    return Array("RIFF".utf8) + number(body.count, 4) + body
  }

  private func read(_ bytes: [UInt8]) throws -> Sound { try WAVReader().read(bytes, name: "a.wav") }

  private func reason(_ bytes: [UInt8]) -> String? {
    do throws(RenderError) {
      _ = try WAVReader().read(bytes, name: "a.wav")
      return nil
    } catch {
      return error.underlying
    }
  }

  @Test func wholeNumbers() throws {
    #expect(try read(file(format(1, bits: 8), chunk("data", [0, 128, 255, 192]))).channels == [[-1, 0, 127 / 128, 0.5]])
    #expect(try read(file(format(1, bits: 16), chunk("data", number(-32768, 2) + number(16384, 2)))).channels == [[-1, 0.5]])
    #expect(try read(file(format(1, bits: 24), chunk("data", number(-1 << 23, 3) + number(1 << 21, 3)))).channels == [[-1, 0.25]])
    #expect(try read(file(format(1, bits: 32), chunk("data", number(-1 << 31, 4) + number(1 << 30, 4)))).channels == [[-1, 0.5]])
  }

  @Test func floatingPointNumbers() throws {
    let words = [Float(0.25), -1.5, .nan, .infinity].flatMap { number(Int($0.bitPattern), 4) }
    #expect(try read(file(format(3, bits: 32), chunk("data", words))).channels == [[0.25, -1.5, 0, 0]])
    let doubles = [0.125, -2.0].flatMap { number(Int(truncatingIfNeeded: $0.bitPattern), 8) }
    #expect(try read(file(format(3, bits: 64), chunk("data", doubles))).channels == [[0.125, -2]])
  }

  @Test func channelsAndRates() throws {
    let sound = try read(file(format(1, bits: 8, channels: 2, rate: 48000), chunk("data", [0, 128, 128, 192, 64, 128, 7])))
    #expect(sound == Sound(sampleRate: 48000, channels: [[-1, 0, -0.5], [0, 0.5, 0]]))
    #expect(sound.mono.channels == [[-0.5, 0.25, -0.25]])
    #expect(sound.sample(-1, of: 0) == 0 && sound.sample(2, of: 0) == -0.5 && sound.sample(3, of: 0) == 0)
  }

  @Test func extensibleFormatsAndOtherChunks() throws {
    let tail = number(22, 2) + number(16, 2) + number(4, 4) + number(1, 2) + [0, 0, 0, 0, 16, 0, 128, 0, 0, 170, 0, 56, 155, 113]
    let bytes = file(
      chunk("LIST", [1, 2, 3]), format(0xFFFE, bits: 16, extra: tail), chunk("fact", [0, 0, 0, 0]), chunk("data", number(8192, 2)))
    #expect(try read(bytes).channels == [[0.25]])
  }

  /// Programs that write into pipes do not know the length beforehand.
  @Test func openLengths() throws {
    let start = file(format(1, bits: 8)), samples: [UInt8] = [128, 192, 64]
    for length in [0, 0xFFFF_FFFF] {
      #expect(try read(start + Array("data".utf8) + number(length, 4) + samples).channels == [[0, 0.5, -0.5]])
    }
  }

  @Test func reasons() {
    #expect(reason(Array("OggS and more".utf8)) == "it does not start as one")
    #expect(reason(file()) == "it does not say what its samples are")
    #expect(reason(file(format(1, bits: 16))) == "it has no samples")
    #expect(reason(file(format(1, bits: 16), chunk("data", [1]))) == "it has no samples")
    #expect(reason(file(chunk("data", [1, 2]), format(1, bits: 16))) == "its samples come before their format")
    #expect(reason(file(chunk("fmt ", [1, 0, 1]))) == "its description is cut short")
    #expect(reason(file(format(1, bits: 16, channels: 6), chunk("data", [0, 0]))) == "it has 6 channels")
    #expect(reason(file(format(85, bits: 16), chunk("data", [0, 0]))) == "its samples are of kind 85 with 16 bits")
    #expect(reason(file(format(1, bits: 16, rate: 7), chunk("data", [0, 0]))) == "it has 7 samples a second")
  }

  /// Whatever is changed in a file, it is read or refused.
  @Test func damagedFiles() {
    let tail = number(22, 2) + number(16, 2) + number(4, 4) + number(1, 2) + [UInt8](repeating: 0, count: 14)
    let seeds = [
      file(format(1, bits: 24, channels: 2), chunk("LIST", [1, 2, 3]), chunk("data", [UInt8](repeating: 90, count: 40))),
      file(format(0xFFFE, bits: 16, extra: tail), chunk("data", [1, 2, 3, 4, 5])),
    ]
    var generator = TestGenerator(seed: 9), readable = 0
    for round in 0..<20_000 {
      var bytes = seeds[round % 2]
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
      }
      if round % 5 == 0 { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &generator)) }
      if let sound = try? read(bytes) {
        readable += 1
        #expect(sound.sampleCount <= bytes.count)
      }
    }
    #expect(readable > 100 && readable < 20_000)
  }
}
