package import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonTypes
internal import EtalonVideo

/// What a video is, and how Etalon reads it (`etalon describe clip.mp4`).
///
/// **Concurrency**: an immutable value.
package struct VideoReport: Sendable, Encodable {
  /// Something that a file may say about its colors, and what is taken where it does not.
  package struct ColorFact: Sendable, Encodable {
    package let name: String
    /// What the file says; nil where it says nothing.
    package let said: String?
    /// What the numbers are read as.
    package let taken: String
  }

  package struct Sound: Sendable, Encodable {
    package let codec: String
    package let rate: Int
    package let channels: Int
    package let language: String?
  }

  package let path: String
  package let container: String
  package let codec: String
  package let profile: String?
  /// The size of pictures as they are shown: upright, with square pixels.
  package let size: String
  package let storedSize: String
  /// 1 to 8 as in Exif; 1 is upright.
  package let orientation: Int
  package let pixelAspect: String
  package let pixels: String
  package let bits: Int
  package let hasAlpha: Bool
  package let isInterlaced: Bool
  /// Frames a second; of a video whose rate varies the mean.
  package let rate: String?
  package let isRateConstant: Bool
  package let frames: Int
  /// In seconds.
  package let duration: Double
  /// The file's own time stamp of the first frame, in seconds.
  package let start: Double
  package let timecode: String?
  package let language: String?
  package let colors: [ColorFact]
  package let sounds: [Sound]
  package let videos: Int
  package let metadata: [String: String]
  /// What is missing at its end, in a sentence; nil where nothing is.
  package let damage: String?

  /// Whether a file is a video, by its content or its name.
  package static func isVideo(_ path: String) -> Bool { VideoFile.isVideo(path) }

  /// Reads a video; throws what is wrong with it.
  package init(_ path: String) throws(RenderError) {
    if VideoFile.isStream(path) {
      throw RenderError(
        .usage, "'\(StreamAddress(path)?.name ?? path)' is a stream, a pipe or a camera, which is not described",
        help: ["record some of it, and describe that: etalon render camera:0 --duration 5s -o part.mp4"])
    }
    let file = try VideoFile(path)
    let video = file.description, form = file.planes.form
    self.path = path
    (container, codec, profile) = (video.container, video.codec, video.profile)
    (size, storedSize, orientation) = ("\(file.size)", "\(video.size)", video.orientation)
    pixelAspect = "\(video.sampleAspectRatio ?? 1)"
    (pixels, bits, hasAlpha) = (video.pixels.name, video.pixels.bits, video.pixels.hasAlpha)
    isInterlaced = video.isInterlaced
    (rate, isRateConstant) = (file.rate.map { "\($0)" }, file.isEven)
    (frames, duration, start) = (file.timeStamps.count, file.duration.double, video.startTime.double)
    (timecode, language) = (video.timecode, video.language)
    colors = [
      ColorFact(name: "range", said: video.color.range?.rawValue, taken: form.color.range.rawValue),
      ColorFact(name: "matrix", said: video.color.matrix?.name, taken: form.color.matrix.rawValue),
      ColorFact(name: "transfer", said: video.color.transfer?.name, taken: form.color.transfer.rawValue),
      ColorFact(name: "primaries", said: video.color.primaries?.name, taken: form.color.primaries.rawValue),
      ColorFact(name: "chroma", said: video.color.chromaLocation.map { "\($0)" }, taken: form.color.chromaLocation.rawValue),
    ]
    sounds = video.soundStreams.map { Sound(codec: $0.codec, rate: $0.sampleRate, channels: $0.channelCount, language: $0.language) }
    videos = video.videoStreamCount
    metadata = video.metadata
    damage = file.damage.text
  }

  /// The report for people, line by line; ends in a newline.
  package var text: String {
    var lines = ["\(path)  a video, \(codec)\(profile.map { " \($0)" } ?? "") in \(container)"]
    func add(_ name: String, _ value: String) { lines.append("  " + name.padded(to: 12) + value) }
    let turned = orientation == 1 ? "" : ", orientation \(orientation)"
    let aspect = pixelAspect == "1" ? "" : ", pixels \(pixelAspect) as wide as high"
    add("size", size == storedSize ? size : "\(size), stored as \(storedSize)\(turned)\(aspect)")
    add("pixels", "\(pixels), \(bits) bits\(hasAlpha ? ", with alpha" : "")\(isInterlaced ? ", interlaced" : "")")
    add("rate", (rate ?? "unknown") + (isRateConstant ? "" : " on average: it varies"))
    add("frames", "\(frames) in \(Rational(Int((duration * 1000).rounded()), 1000).secondsText)")
    if start != 0 { add("start", "\(start) s") }
    for color in colors {
      add(color.name, color.said.map { $0 == color.taken ? $0 : "\($0), read as \(color.taken)" } ?? "unsaid, \(color.taken) is taken")
    }
    if let damage { add("damage", damage) }
    if let timecode { add("timecode", timecode) }
    if let language { add("language", language) }
    if videos > 1 { add("videos", "\(videos), of which this is the main one; 'stream=1' shows another") }
    for sound in sounds {
      add("sound", "\(sound.codec), \(sound.rate) Hz, \(sound.channels.of("channel"))\(sound.language.map { ", \($0)" } ?? "")")
    }
    for (key, value) in metadata.sorted(by: { $0.key < $1.key }) { add("text", "\(key): \(value)") }
    return lines.map { $0 + "\n" }.joined()
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(1, width - count)) }
}
