internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonMedia
internal import EtalonPlan
internal import EtalonTypes
internal import EtalonVideo
internal import Foundation
internal import Synchronization

/// A sound as the source of an image input: it plays from the time 0 of the shot's clock, once, or again and again where it repeats.
final class SoundSource: ModelSource {
  let model: PixelBuffer
  /// Samples a second.
  let sampleRate: Int
  private let analyser: SoundAnalyser
  private let layout: SoundPicture
  private let scale: DecibelScale
  private let path: String
  /// Identifies the sound, whatever input shows it.
  let fileDigest: String
  /// A song that Etalon makes; nil for the sound of a file.
  let song: Sound?
  private let damage: FileDamage
  /// The input that it was read for.
  let input: String
  /// The picture that showed last, and when.
  private let last = Mutex<(time: Rational, picture: FramePicture)?>(nil)

  /// - Parameter input: the input of a filter that shows it.
  init(_ file: SoundFile, for input: String, as layout: SoundPicture) {
    self.input = input
    let sound = file.sound
    // The player's analyser hears the mean of both channels.
    analyser = SoundAnalyser(layout == .player ? sound.mono : sound)
    sampleRate = sound.sampleRate
    scale = DecibelScale(largest: layout == .player ? 255 : 65535)
    self.layout = layout
    (path, fileDigest, damage) = (file.path, file.digest, file.damage)
    song = file.path.isEmpty ? sound : nil
    model = Self.silence(layout, channelCount: sound.channels.count)
  }

  /// What an input shows while there is no sound.
  static func silence(_ layout: SoundPicture, channelCount: Int = 1) -> PixelBuffer {
    switch layout {
    case .player: picture(player: [UInt8](repeating: 128, count: 512), [UInt8](repeating: 0, count: 512))
    case .waveform(let count): picture(rows: [[Int]](repeating: [Int](repeating: 32768, count: count), count: channelCount))
    case .spectrum(let count): picture(rows: [[Int]](repeating: [Int](repeating: 0, count: count), count: channelCount))
    }
  }

  /// Tells it from other sounds, and from the same one shown in another way.
  var name: String { "\(input) \(layout) \(fileDigest)" }

  func check(_ time: Rational, ofFrame frame: Int) {}

  func digest(at time: Rational) -> String { fileDigest }

  func files(at times: [Rational]) -> [String] { path.isEmpty ? [] : [path] }

  var notes: [Diagnostic] { [damage.diagnostic("sound.damaged")].compactMap(\.self) }

  /// A sound begins at the time 0 of every shot.
  func opened(for request: RenderRequest) -> any PictureSource { self }

  func playTime(at time: Rational) -> Double { max(0, time.double) }

  func picture(at time: Rational) -> FramePicture {
    if let known = last.withLock({ $0?.time == time ? $0?.picture : nil }) { return known }
    let picture = FramePicture(pixels(at: time))
    last.withLock { $0 = (time, picture) }
    return picture
  }

  // MARK: Pixels

  private func pixels(at time: Rational) -> PixelBuffer {
    let position = analyser.position(at: time)
    switch layout {
    case .player:
      // The player copies the first 512 of each: the lower half of the frequencies, and the oldest samples of those that were transformed.
      let waveform = analyser.samples(before: position, count: FourierTransform.size, of: 0).prefix(512).map {
        UInt8(min(max((128 * (1 + $0)).rounded(.down), 0), 255))
      }
      let frequencies = analyser.strengths(at: time, of: 0).prefix(512).map { UInt8(scale.level($0)) }
      return Self.picture(player: waveform, frequencies)
    case .waveform(let count):
      return Self.picture(
        rows: channels.map { channel in
          analyser.samples(before: position, count: count, of: channel).map {
            Int((min(max((1 + $0) / 2, 0), 1) * 65535).rounded(.toNearestOrEven))
          }
        })
    case .spectrum(let count):
      return Self.picture(
        rows: channels.map { channel in
          let strengths = analyser.strengths(at: time, of: channel)
          return (0..<count).map { scale.level(Self.strongest(of: strengths, in: $0, of: count)) }
        })
    }
  }

  private var channels: Range<Int> { 0..<analyser.sound.channels.count }

  /// The strongest of the frequencies that a band covers.
  private static func strongest(of strengths: [Double], in band: Int, of count: Int) -> Double {
    let first = band * strengths.count / count
    let end = max(first + 1, (band + 1) * strengths.count / count)
    return strengths[first..<end].max() ?? 0
  }

  /// The picture of ShaderToy, whose lower row has the frequencies.
  private static func picture(player waveform: [UInt8], _ frequencies: [UInt8]) -> PixelBuffer {
    PixelBuffer(size: Size(512, 2), format: .r8, alpha: .opaque, bytes: waveform + frequencies)
  }

  /// Gray pixels from rows of numbers, the lowest row first.
  private static func picture(rows: [[Int]]) -> PixelBuffer {
    let bytes = rows.reversed().flatMap { row in
      row.flatMap { value in
        let word = [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
        return word + word + word + [255, 255]
      }
    }
    return PixelBuffer(size: Size(rows[0].count, rows.count), format: .rgba16, alpha: .opaque, bytes: bytes)
  }
}

extension SoundState {
  /// The sounds among what the streams of a graph show, by their names.
  init(playing sources: [String: any PictureSource], making rate: Int? = nil) {
    self.init(sampleRates: sources.compactMapValues { ($0 as? SoundSource)?.sampleRate }, madeRate: rate)
  }
}

// MARK: what a text hears

/// Refuses photographs for inputs that listen to a sound; a picture that is such a texture itself is taken as it is.
struct SoundTextureRule {
  private let input: FilterInput

  init(_ input: FilterInput) { self.input = input }

  /// - Parameter isNode: whether a graph names the picture.
  func check(_ picture: PixelBuffer, _ given: RenderRequest.InputPicture, isNode: Bool) throws(DiagnosticsError) {
    let name = given.written?.text ?? given.path
    let example = isNode ? "give it a sound: 'song.wav'" : "type '--input \(input.name)=song.wav'"
    guard
      let diagnostic = diagnostic(
        in: picture.size, named: "'\(name)'", help: example, labels: given.written.map { [$0.label("a picture")] } ?? [])
    else { return }
    throw DiagnosticsError(diagnostic)
  }

  /// What is wrong with a picture of a size; nil where the input listens to none, or it is as large as its texture.
  func diagnostic(in size: Size, named name: String, help: String, labels: [Diagnostic.Label] = []) -> Diagnostic? {
    guard let sound = input.sound else { return nil }
    let texture = SoundSource.silence(sound).size
    // ISF's textures have a row for each channel of a sound.
    let fits = sound == .player ? size == texture : size.width == texture.width && size.height <= 8
    guard !fits else { return nil }
    let wanted = sound == .player ? "\(texture)" : "\(texture.width) columns and a row for each channel"
    return Diagnostic(
      "input.sound", "'\(input.name)' listens to a sound, and \(name) is a picture of \(size)",
      labels: labels + (input.place.map { [$0.label("listens")] } ?? []),
      help: [help, "a picture that is the texture of a sound has \(wanted)"])
  }
}

// MARK: files

/// The sound of a file, which every input that listens hears in its own way.
struct SoundFile: Sendable {
  /// Empty for a song that Etalon makes.
  let path: String
  let sound: Sound
  /// Identifies the content of the file.
  let digest: String
  /// What is missing of it, or wrong in it.
  let damage: FileDamage

  private static let mostBytes = 1 << 30

  /// Reads a file: WAV as it is; everything else, the sound of a video with it, by FFmpeg's libraries.
  ///
  /// Of more than two channels the first two are heard. The sound of a video begins with its first frame.
  ///
  /// - Parameter isStrict: whether damage fails; otherwise it is told.
  init(_ path: String, isStrict: Bool = false) throws(RenderError) {
    self.path = path
    var damage = FileDamage(path)
    if isStrict { try damage.check() }
    if WAVReader.recognizes(FileReader.start(of: path, count: 12)) {
      let bytes = try FileReader.bytes(of: path, limit: Self.mostBytes)
      (sound, digest) = (try WAVReader().read(bytes, name: path), ContentHash(of: bytes).description)
      self.damage = damage
      return
    }
    var options = VideoReader.Options()
    options.isStrict = isStrict
    let samples = try SoundReader(path, options: options).read()
    damage.add(packets: samples.damagedPackets, sampleCount: samples.channels.first?.count)
    if isStrict { try damage.check() }
    self.damage = damage
    let video = VideoFile.isVideo(path) ? try? VideoReader(path).description : nil
    let late = video.map { ((samples.startTime - $0.startTime) * Rational(samples.sampleRate)).floor } ?? 0
    sound = Sound(
      sampleRate: samples.sampleRate,
      channels: samples.channels.prefix(2).map { late >= 0 ? Array(repeating: 0, count: late) + $0 : Array($0.dropFirst(-late)) })
    digest = try VideoFile.digest(of: path)
  }

  /// A song that Etalon makes in place of one of a player's site.
  init(lookalike name: String) {
    (path, digest, damage) = ("", "song \(name)", FileDamage(""))
    sound = SongLookalike.song(named: name)
  }

  /// The endings of sounds that do not say at their beginning what they are.
  private static let extensions: Set = ["mp3", "flac", "ogg", "oga", "opus", "m4a", "aac", "aif", "aiff", "wma", "wav", "mka", "ac3"]

  /// Whether a file is a sound and nothing else: by its content, and where that does not tell by its name.
  static func isSound(_ path: String) -> Bool {
    let start = FileReader.start(of: path, count: 64)
    let isNamed = Self.isNamed(path)
    if let kind = PictureReader.kind(of: start) {
      return kind.hasPrefix("a sound") ? !VideoFile.isVideo(path) : kind.hasPrefix("a video") && isNamed
    }
    return !start.isEmpty && isNamed
  }

  /// Whether a path has the ending of a sound.
  static func isNamed(_ path: String) -> Bool { extensions.contains(URL(filePath: path).pathExtension.lowercased()) }

  var name: String { path.split(separator: "/").last.map(String.init) ?? path }

  /// What an input shows of it; nil for an input that shows pictures.
  ///
  /// - Parameter isLoose: whether the text of the filter does not say which of its inputs listen.
  func picture(for input: FilterInput, isLoose: Bool) -> (input: FilterUse.Input, source: SoundSource)? {
    guard let layout = input.sound ?? (isLoose && input.shape == .flat ? .player : nil) else { return nil }
    let source = SoundSource(self, for: input.name, as: layout)
    let recipe = ImageRecipe(.stream(ImageStream(name: source.name, model: source.model)), label: name)
    // A player does not repeat sounds, nor make mipmaps of them.
    let isUnsaid = input.sound == nil
    return (FilterUse.Input(recipe, address: isUnsaid ? .clamp : nil, interpolation: isUnsaid ? .linear : nil), source)
  }
}
