import EtalonTypes

/// A song that stands in for music of ShaderToy's site, or for a microphone: drums, a bass and a melody, which repeat without end.
///
/// **Concurrency**: a namespace of pure functions.
package enum SongLookalike {
  private static let sampleRate = 44100
  private static let beatsOfRound = 16

  /// Makes the song for the name of a file of the site, or of anything else that is heard; another name is another song.
  package static func song(named name: String) -> Sound {
    let seed = name.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
    let tempo = 96 + Int(seed % 5) * 8
    var song = Song(seed: seed, samplesOfBeat: sampleRate * 60 / tempo, sampleRate: sampleRate, beats: beatsOfRound)
    song.play()
    return Sound(sampleRate: sampleRate, channels: [song.samples], repeats: true)
  }

  private struct Song {
    let seed: UInt32
    let samplesOfBeat: Int
    let sampleRate: Int
    let beats: Int
    var samples: [Float] = []

    /// Semitones above the lowest note, in a minor scale.
    private static let scale = [0, 3, 5, 7, 10, 12, 15, 17]
    private static let chords = [0, 8, 3, 10]

    mutating func play() {
      samples = [Float](repeating: 0, count: samplesOfBeat * beats)
      let key = Int((seed >> 8) % 5)
      for beat in 0..<beats {
        let root = Self.chords[beat / 4 % 4] + key
        drum(at: beat * samplesOfBeat)
        hiss(at: beat * samplesOfBeat + samplesOfBeat / 2, seconds: 0.05, loudness: 0.12)
        if beat % 2 == 1 { hiss(at: beat * samplesOfBeat, seconds: 0.14, loudness: 0.22) }
        for half in 0..<2 {
          note(
            root + (half == 1 ? 12 : 0), at: beat * samplesOfBeat + half * samplesOfBeat / 2, beats: 0.45, loudness: 0.2, base: 55,
            overtones: 6)
        }
        for quarter in 0..<4 where Lookalike.unit(beat * 4 + quarter, seed) < 0.7 {
          let step = Int(Lookalike.unit(beat * 4 + quarter, seed &+ 1) * Float(Self.scale.count))
          note(
            Self.scale[step] + root, at: beat * samplesOfBeat + quarter * samplesOfBeat / 4, beats: 0.5, loudness: 0.12, base: 220,
            overtones: 4)
        }
      }
    }

    /// A low drum, whose pitch falls.
    private mutating func drum(at start: Int) {
      let length = sampleRate / 4
      var oscillator = Oscillator()
      for index in 0..<length {
        let age = Double(index) / Double(length)
        let value = oscillator.next(turn: (45 + 110 * (1 - age) * (1 - age) * (1 - age)) / Double(sampleRate))
        add(value * 0.5 * (1 - age) * (1 - age), at: start + index)
      }
    }

    private mutating func hiss(at start: Int, seconds: Double, loudness: Double) {
      let length = Int(seconds * Double(sampleRate))
      for index in 0..<length {
        let age = 1 - Double(index) / Double(length)
        add((Double(Lookalike.unit(start + index, seed &+ 2)) * 2 - 1) * loudness * age * age, at: start + index)
      }
    }

    /// A note of some overtones, each weaker than the one below.
    private mutating func note(_ semitones: Int, at start: Int, beats: Double, loudness: Double, base: Double, overtones: Int) {
      let length = Int(beats * Double(samplesOfBeat))
      // A semitone is the twelfth root of 2.
      let frequency = (0..<semitones).reduce(base) { pitch, _ in pitch * 1.0594630943592953 }
      for overtone in 1...overtones {
        var oscillator = Oscillator()
        let turn = frequency * Double(overtone) / Double(sampleRate)
        for index in 0..<length {
          let age = 1 - Double(index) / Double(length), attack = min(1, Double(index) / 200)
          add(oscillator.next(turn: turn) * loudness / Double(overtone) * age * attack, at: start + index)
        }
      }
    }

    private mutating func add(_ value: Double, at place: Int) { samples[place % samples.count] += Float(value) }
  }

  /// A tone without overtones to speak of, made of parabolas.
  private struct Oscillator {
    private var phase = 0.0

    /// - Parameter turn: how much of a period passes with this sample.
    mutating func next(turn: Double) -> Double {
      phase += turn
      phase -= phase.rounded(.down)
      let half = phase < 0.5 ? phase : phase - 0.5
      let arch = 16 * half * (0.5 - half)
      let value = phase < 0.5 ? arch : -arch
      // Takes the third and fifth overtone of the parabolas away, nearly.
      return value * (0.775 + 0.225 * abs(value))
    }
  }
}
