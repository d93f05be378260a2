internal import EtalonDiagnostics
internal import EtalonDialects
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonMedia
internal import EtalonPlan
internal import EtalonPlugins
internal import EtalonTypes
internal import Synchronization

/// What Etalon makes to stand in for pictures, videos and sounds of a player's site.
struct Lookalikes {
  private let standIns: [(input: FilterInput, what: String, image: InputImage)]

  /// - Parameters:
  ///   - inputs: those that have no picture.
  ///   - isNode: whether they are inputs of a node of a graph, in which others may have the same names.
  init(for inputs: [FilterInput], isNode: Bool) {
    standIns = inputs.compactMap { input in
      guard let what = Self.original(of: input), let image = Self.image(for: input, isNode) else { return nil }
      return (input, what, image)
    }
  }

  /// What shows in place of what is missing, by input.
  var images: [String: InputImage] { Dictionary(standIns.map { ($0.input.name, $0.image) }) { first, _ in first } }

  /// What the frames' records say: `look-alike: London`.
  var records: [String: String] { Dictionary(standIns.map { ($0.input.name, "look-alike: \($0.what)") }) { first, _ in first } }

  /// What of the site an input shows, where Etalon has something like it: the title of a picture, or `a video`.
  static func original(of input: FilterInput) -> String? {
    if let media = input.media { return words[media.kind] }
    guard case .asset(let asset) = input.origin, let entry = ShaderToyAssets.entry(path: asset.id), entry.shape == input.shape,
      Lookalike.titles.contains(entry.title)
    else { return nil }
    return entry.title
  }

  private static let words = [
    "video": "a video", "webcam": "a camera", "music": "a song", "musicstream": "a song of SoundCloud", "mic": "a microphone",
  ]

  private static func image(for input: FilterInput, _ isNode: Bool) -> InputImage? {
    guard let media = input.media else {
      return original(of: input).flatMap { Lookalike.picture(titled: $0, strokes: strokes) }.map { InputImage($0, label: input.name) }
    }
    let source: any ModelSource, name: String
    if let layout = input.sound {
      let sound = SoundSource(SoundFile(lookalike: media.fileName), for: input.name, as: layout)
      (source, name) = (sound, sound.name)
    } else {
      let video = VideoLookalike(for: media.fileName)
      (source, name) = (LookalikeVideo(video), video.name)
    }
    let stream = source.stream(named: isNode ? name : input.name)
    return InputImage(ImageRecipe(.stream(stream), label: input.name), size: stream.size, sources: source.sources(of: stream))
  }

  /// The letters of the filter `text`; nil where the built-in filters are missing, which is told elsewhere.
  private static func strokes() -> PixelBuffer? {
    BuiltInFilters.folder.flatMap { try? PictureReader().read(path: "\($0)/generate/text/strokes.png") }
  }

  /// The id of the note about them.
  static let noteID = "input.lookalike"

  /// One note for all of them.
  var notes: [Diagnostic] {
    guard !standIns.isEmpty else { return [] }
    let list = standIns.map { "\($0.input.media == nil ? "'\($0.what)'" : $0.what) of \($0.input.name)" }.joined(separator: ", ")
    return [
      Diagnostic(
        Self.noteID, "Etalon's own pictures and sounds stand in for those of the site: \(list); they are others", severity: .note,
        help: ["name a folder with the site's files with '--assets', or type '--missing-input fail'"])
    ]
  }
}

/// A video of Etalon's as the source of an image input: it begins at the time 0 of the shot's clock and repeats.
private final class LookalikeVideo: ModelSource {
  let model: PixelBuffer
  private let video: VideoLookalike
  /// The picture that showed last.
  private let last = Mutex<(frame: Int, picture: FramePicture)?>(nil)

  init(_ video: VideoLookalike) {
    self.video = video
    model = video.picture(0)
  }

  func check(_ time: Rational, ofFrame frame: Int) {}

  func picture(at time: Rational) -> FramePicture {
    let frame = video.frame(at: time)
    return last.withLock { last in
      if let last, last.frame == frame { return last.picture }
      let picture = FramePicture(video.picture(frame))
      last = (frame, picture)
      return picture
    }
  }

  func playTime(at time: Rational) -> Double { Double(video.frame(at: time)) / Double(video.rate) }

  func digest(at time: Rational) -> String { "\(video.name) \(video.frame(at: time))" }

  func files(at times: [Rational]) -> [String] { [] }

  func opened(for request: RenderRequest) -> any PictureSource { self }
}
