internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonMedia
internal import EtalonPlan
internal import EtalonSystem
internal import EtalonTypes
internal import EtalonVideo
internal import Foundation
internal import Synchronization

/// A video that is open: its frames as planes, and what they mean.
///
/// What the file leaves unsaid is decided as players do it. Range: limited; full for red, green and blue. Matrix: BT.709 for at least 720 rows, else
/// BT.601. Curve and primaries: those of BT.709. Chroma of 4:2:0: on the left of its pixels, in the middle for JPEG and MPEG-1.
///
/// **Concurrency**: usable from every thread; one of them decodes at a time.
final class VideoFile: Sendable {
  let path: String
  /// What messages call it.
  let name: String
  let description: VideoDescription
  let planes: ImageStream.Planes
  /// Upright, with square pixels: the longer side of a pixel decides, so that nothing is lost.
  let size: Size
  /// Identifies the content of the file.
  let digest: String
  /// When its frames begin, in seconds; the first is 0.
  ///
  /// Containers round times to milliseconds; frames that follow each other evenly but for that begin when their rate says.
  let timeStamps: [Rational]
  /// The same as the container has them.
  private let storedStamps: [Rational]
  /// How long it is, in seconds, with its last frame.
  let duration: Rational
  /// Its rate, or the mean of it; nil for one that a shot cannot have.
  let rate: FrameRate?
  /// Whether its frames follow each other at its rate; time stamps are rounded to the ticks of the container.
  let isEven: Bool
  /// What the file does not say, and what is taken for it.
  let notes: [Diagnostic]
  /// How much is missing at its end.
  let damage: FileDamage
  /// What shows where there is nothing.
  let black: [FramePicture]
  /// Where its pictures come once; then it has no reader.
  let live: LiveFrames?
  private let reader: VideoReader?
  private let deinterlace: VideoTiming.Deinterlacing
  /// The frames that showed last, by their time stamps.
  private let recent = Mutex(Recent())

  private struct Recent {
    var frames: [(timeStamp: Rational, planes: [FramePicture])] = []
    var capacity = 4
    var decodedCount = 0
  }

  /// The most memory that frames are kept in which a frame of a shot reads beside its own.
  private static let mostBytes = 1 << 30

  /// - Parameter stream: which of its videos, from 0; nil for the main one.
  /// - Parameter late: what happens to pictures that come once where rendering is slower; nil where each frame shows the picture of now.
  /// - Parameter isStrict: whether damaged packets and a file that is cut short fail; otherwise they are counted.
  init(
    _ path: String, stream: Int? = nil, deinterlace: VideoTiming.Deinterlacing = .auto, orientation: Int? = nil,
    camera: CameraSettings = CameraSettings(), late: LatePolicy? = .wait, patience: Double? = nil, isStrict: Bool = false,
    cancellation: Cancellation? = nil
  ) throws(RenderError) {
    self.path = path
    let address = StreamAddress(path)
    name = address?.name ?? path
    self.deinterlace = deinterlace
    var options = VideoReader.Options()
    (options.isStrict, options.cancellation, options.camera) = (isStrict, cancellation, camera)
    if Self.isStream(path) { options.patienceSeconds = patience.map { max(1, Int($0.rounded(.up))) } ?? Self.usualPatience }
    switch try Self.open(path, stream, options) {
    case .recorded(let reader):
      (self.reader, live) = (reader, nil)
      description = reader.description
    case .once(let once):
      (reader, live) = (nil, try LiveFrames(once, late: late) { Self.planes(of: $0, deinterlace) })
      description = once.description
    }
    damage = FileDamage(path)
    if isStrict { try damage.check() }
    let form = try Self.form(of: description, name)
    let turn = orientation ?? description.orientation
    planes = ImageStream.Planes(form, size: description.size, orientation: turn)
    size = description.uprightSize(turn)
    guard size.width <= 16384, size.height <= 16384 else {
      throw RenderError(
        .invalidInput, "'\(name)' is too large: \(size), a side may have 16384 pixels", help: ["scale the video down first"])
    }
    let stored =
      try reader.flatMap { reader throws(RenderError) in
        reader.description.canSeek ? try reader.timeStamps() : nil
      } ?? [.zero]
    if reader != nil, address == nil {
      digest = try Self.digest(of: path)
    } else {
      // Pictures that come once are never the same again, but for those of the test camera.
      let once = StreamAddress(path)?.isTestCamera ?? false ? "\(path) \(options.camera)" : "\(path) \(ContinuousClock.now)"
      digest = reader.map { Self.digest(of: $0, stored, path) } ?? once
    }
    let mean = description.averageRate.flatMap { FrameRate($0) } ?? Self.rate(of: stored)
    isEven = live == nil && Self.isEven(stored, mean, tick: description.timeBase)
    let times = isEven ? mean.map { rate in stored.indices.map { Rational($0) / rate.framesPerSecond } } ?? stored : stored
    (storedStamps, timeStamps, rate) = (stored, times, mean)
    duration = live == nil ? Self.duration(of: description, timeStamps, mean) : description.duration ?? ShotClock.longestTime
    notes = Self.notes(on: description, form, name)
    let picture = description.size
    black = form.planes.map { plane in
      let number = plane == .alpha ? form.largest : plane.isDifference ? form.neutral : form.scale.black
      return FramePicture(PixelBuffer(filledWith: number, form, size: form.size(of: plane, in: picture)))
    }
  }

  private enum Opened {
    case recorded(VideoReader), once(LiveReader)
  }

  /// Opens what can be read from any place, or what gives its pictures once, as playlists do that begin to count anew on their way.
  private static func open(_ path: String, _ stream: Int?, _ options: VideoReader.Options) throws(RenderError) -> Opened {
    guard isStream(path) else { return .recorded(try VideoReader(path, stream: stream, options: options)) }
    let once = try LiveReader(path, stream: stream, options: options)
    guard once.description.canSeek else { return .once(once) }
    let reader = try VideoReader(path, stream: stream, options: options)
    _ = try reader.timeStamps()
    return reader.beginsAnew ? .once(try LiveReader(path, stream: stream, options: options)) : .recorded(reader)
  }

  /// How many seconds a stream may give nothing: a live playlist gets a new part every ten seconds at the latest, as a rule.
  private static let usualPatience = 30

  /// Covers the packets of a stream that was read to its end.
  private static func digest(of reader: VideoReader, _ timeStamps: [Rational], _ path: String) -> String {
    var hasher = ContentHasher()
    hasher.add("stream", "\(path) \(reader.contentNumber) \(timeStamps)")
    return hasher.finish().description
  }

  private static func planes(of frame: VideoFrame, _ deinterlace: VideoTiming.Deinterlacing) -> [FramePicture] {
    let isInterlaced = deinterlace == .on || deinterlace == .auto && frame.isInterlaced
    guard isInterlaced else { return frame.planes.map { FramePicture($0) } }
    return frame.planes.map { FramePicture($0.deinterlaced(keepingTop: frame.topFieldFirst || !frame.isInterlaced)) }
  }

  /// The rate of a video that does not say one: the mean of its frames, of a single one 25.
  private static func rate(of timeStamps: [Rational]) -> FrameRate? {
    guard timeStamps.count > 1, let last = timeStamps.last, last > .zero else { return 25 }
    return FrameRate(Rational(timeStamps.count - 1) / last)
  }

  private static func isEven(_ timeStamps: [Rational], _ rate: FrameRate?, tick: Rational) -> Bool {
    guard let rate, timeStamps.count > 2 else { return true }
    let tolerance = max(tick, Rational(1, 1000))
    return timeStamps.enumerated().allSatisfy { number, time in
      let difference = time - Rational(number) / rate.framesPerSecond
      return difference <= tolerance && difference >= Rational.zero - tolerance
    }
  }

  /// The last frame says how long it shows, or it shows as long as the others do.
  private static func duration(of description: VideoDescription, _ timeStamps: [Rational], _ rate: FrameRate?) -> Rational {
    guard description.canSeek, let last = timeStamps.last else { return description.duration ?? ShotClock.longestTime }
    let usual = rate?.frameDuration ?? Rational(1, 25)
    let said = (description.duration ?? .zero) - last
    // Durations of containers are rounded, and count sounds that go on.
    return last + (said > usual + usual || said < usual / Rational(2) ? usual : rate.map { _ in usual } ?? said)
  }

  // MARK: frames

  /// Makes room for as many frames as one of a shot reads.
  func keep(_ count: Int) {
    live?.keep(count)
    let bytes = black.reduce(0) { $0 + $1.pixels.bytes.count }
    recent.withLock { recent in
      recent.capacity = max(recent.capacity, min(count + 1, Self.mostBytes / max(bytes, 1)))
    }
  }

  /// How many frames were decoded so far.
  var decodedCount: Int { recent.withLock(\.decodedCount) }

  /// The planes of the frame that shows at a time of the video.
  func frame(at time: Rational) throws(RenderError) -> [FramePicture] {
    guard let reader else { return try live?.frame(at: time) ?? black }
    let timeStamp = timeStamp(at: time)
    if let known = recent.withLock({ $0.frames.first { $0.timeStamp == timeStamp } }) { return known.planes }
    let frame = try reader.frame(at: timeStamps.count > 1 ? storedStamps[index(at: time)] : time)
    let planes = Self.planes(of: frame, deinterlace)
    recent.withLock { recent in
      recent.decodedCount += 1
      recent.frames.append((timeStamp, planes))
      while recent.frames.count > recent.capacity { recent.frames.removeFirst() }
    }
    return planes
  }

  /// When the frame begins that shows at a time; where that is not known, the time itself.
  func timeStamp(at time: Rational) -> Rational {
    timeStamps.count > 1 ? timeStamps[index(at: time)] : time
  }

  /// The number of the frame that shows at a time.
  private func index(at time: Rational) -> Int {
    var low = 0, high = timeStamps.count
    while low + 1 < high {
      let middle = (low + high) / 2
      if timeStamps[middle] <= time { low = middle } else { high = middle }
    }
    return low
  }

  /// When the frame ends that shows at a time.
  func end(ofFrameAt time: Rational) -> Rational {
    let start = timeStamp(at: time)
    return timeStamps.first { $0 > start } ?? duration
  }

  /// What a video that is made of it keeps of its texts.
  var keptMetadata: [VideoOutputSettings.MetadataEntry] {
    let technical: Set = [
      "major_brand", "minor_version", "compatible_brands", "encoder", "creation_time", "handler_name", "vendor_id", "duration", "etalon",
      "timecode",
    ]
    return description.metadata.sorted { $0.key < $1.key }.filter { !technical.contains($0.key.lowercased()) }.map {
      .init($0.key, $0.value)
    }
  }

  /// How many damaged packets were met so far.
  var damagedPackets: Int { reader?.damagedPackets ?? 0 }

  /// What became of a stream that comes from elsewhere.
  var streamNotes: [Diagnostic] {
    guard StreamAddress(path) != nil || live != nil else { return [] }
    if let live { return live.notes(name) }
    guard let lost = reader?.lostParts, lost.count > 0 else { return gapsOfPlaylist }
    let reason = lost.reason.map { ": \($0)" } ?? ""
    let text = "\(lost.count.of("part")) of '\(name)' could not be had\(reason)"
    return gapsOfPlaylist + [Diagnostic("stream.lost", text, severity: .warning)]
  }

  /// What a recorded playlist lacks, whose parts may be lost or hold something else: gaps, and an end that does not come.
  private var gapsOfPlaylist: [Diagnostic] {
    guard description.container.contains("hls") else { return [] }
    let found = StreamGaps(storedStamps, base: description.timeBase, rate: rate?.framesPerSecond ?? 25), gaps = found.notes(name)
    // The last picture shows as long as any other; and playlists round how long their parts are.
    guard let said = description.duration, let last = storedStamps.last else { return gaps }
    let there = min(said, last + found.longestUsualTime)
    guard said - there > 1 + said / 500 else { return gaps }
    let text = "'\(name)' lasts \(said.secondsText), and has pictures for \(there.secondsText)"
    return gaps + [Diagnostic("stream.gap", text, severity: .warning)]
  }

  // MARK: what files are

  /// Whether a file is a video: by its content, and where that does not tell by its name.
  static func isVideo(_ path: String) -> Bool {
    if isStream(path) { return true }
    let start = FileReader.start(of: path, count: 64)
    switch PictureReader.kind(of: start) {
    case let kind? where kind.hasPrefix("a video") || kind == "a GIF picture": return true
    case "a PNG picture"?: return FileReader.isAnimatedPNG(path)
    case _? where !start.starts(with: Array("OggS".utf8)): return false
    default: return !start.isEmpty && isNamed(path)
    }
  }

  /// Whether it is no file that can be read again and again: an address, an open descriptor, a camera, or a named pipe that is called like a video.
  static func isStream(_ path: String) -> Bool { StreamAddress(path) != nil || isNamed(path) && StreamAddress.isPipe(path) }

  /// Whether a path has the ending of a video.
  static func isNamed(_ path: String) -> Bool { VideoContainer.endings.contains(URL(filePath: path).pathExtension.lowercased()) }

  /// Covers the size of a file and some of its bytes, from its first to its last: videos are too large to be read for it.
  static func digest(of path: String) throws(RenderError) -> String {
    let file = try RandomAccessFile(path)
    let (parts, length) = (16, 4096)
    var hasher = ContentHasher()
    hasher.add("size", "\(file.size)")
    for part in 0..<parts {
      let offset = max(0, (file.size - length) * part / (parts - 1))
      if let bytes = file.bytes(at: offset, count: min(length, file.size - offset)) {
        hasher.add("bytes", ContentHash(of: bytes).description)
      }
    }
    return hasher.finish().description
  }
}

// MARK: color

extension VideoFile {
  /// What the planes of a video mean; colors that Etalon does not know are refused.
  private static func form(of description: VideoDescription, _ path: String) throws(RenderError) -> PlaneForm {
    let pixels = description.pixels
    let channels: PlaneForm.Channels =
      switch pixels.layout {
      case .yCbCr: .lumaAndChroma
      case .gray: .luma
      case .rgb: .redGreenBlue
      }
    let isJPEG = ["mjpeg", "mpeg1video"].contains(description.codec)
    let color = PlaneForm.Color(
      range: description.color.range.map { $0 == .full ? .full : .limited } ?? (channels == .redGreenBlue ? .full : .limited),
      matrix: try matrix(of: description, path),
      transfer: transfer(of: description.color.transfer?.number), primaries: primaries(of: description.color.primaries?.number),
      chromaLocation: description.color.chromaLocation.map(location) ?? (isJPEG ? .center : .left))
    return PlaneForm(
      channels, bits: pixels.bits, chromaShift: (pixels.chromaWidth.trailingZeroBitCount, pixels.chromaHeight.trailingZeroBitCount),
      hasAlpha: pixels.hasAlpha, color: color)
  }

  private static func matrix(of description: VideoDescription, _ path: String) throws(RenderError) -> PlaneForm.Color.Matrix {
    guard description.pixels.layout != .rgb else { return .identity }
    let usual: PlaneForm.Color.Matrix = description.size.height >= 720 ? .bt709 : .bt601
    guard let code = description.color.matrix else { return usual }
    switch code.number {
    case 1: return .bt709
    case 2: return usual
    case 4: return .fcc
    case 5, 6: return .bt601
    case 7: return .smpte240
    case 9: return .bt2020
    default:
      throw RenderError(
        .invalidInput, "'\(path)' has colors of the matrix '\(code.name)', which Etalon does not read",
        help: ["convert it first: ffmpeg -i \(ShellWord.quoted(path)) -vf scale=out_color_matrix=bt709 -colorspace bt709 out.mp4"])
    }
  }

  private static func transfer(of number: Int?) -> PlaneForm.Color.Transfer {
    switch number {
    case 8: .linear
    case 16: .pq
    case 18: .hlg
    default: .display
    }
  }

  private static func primaries(of number: Int?) -> PlaneForm.Color.Primaries {
    switch number {
    case 9: .bt2020
    case 11, 12: .p3
    default: .bt709
    }
  }

  private static func location(_ location: VideoDescription.ChromaLocation) -> PlaneForm.Color.ChromaLocation {
    switch location {
    case .left: .left
    case .center: .center
    case .topLeft: .topLeft
    case .top: .top
    case .bottomLeft: .bottomLeft
    case .bottom: .bottom
    }
  }

  /// What the file leaves unsaid that changes its colors.
  private static func notes(on description: VideoDescription, _ form: PlaneForm, _ path: String) -> [Diagnostic] {
    guard form.channels != .redGreenBlue else { return [] }
    let saysMatrix = (description.color.matrix?.number ?? 2) != 2 || form.channels == .luma
    var unsaid: [String] = [], taken: [String] = []
    if !saysMatrix {
      unsaid.append("matrix")
      taken.append(form.color.matrix == .bt709 ? "that of BT.709, for at least 720 rows" : "that of BT.601, for less than 720 rows")
    }
    if description.color.range == nil {
      unsaid.append("range")
      taken.append("limited range")
    }
    guard !unsaid.isEmpty else { return [] }
    return [
      Diagnostic(
        "video.unsaid-color",
        "'\(path)' does not say the \(unsaid.joined(separator: " and the ")) of its colors; \(taken.joined(separator: " and ")) is taken",
        severity: .note)
    ]
  }
}

extension VideoDescription {
  /// The size of pictures as they are shown.
  fileprivate func uprightSize(_ orientation: Int) -> Size {
    let aspect = sampleAspectRatio ?? Rational(1)
    // Encoders want even sides, and half a pixel more or less is not seen.
    func side(_ pixels: Int, _ factor: Rational) -> Int {
      factor == Rational(1) ? pixels : max(2, (Rational(pixels) * factor / Rational(2) + Rational(1, 2)).floor * 2)
    }
    let square =
      aspect >= Rational(1)
      ? Size(side(size.width, aspect), size.height)
      : Size(size.width, aspect > .zero ? side(size.height, Rational(1) / aspect) : size.height)
    return orientation >= 5 ? Size(square.height, square.width) : square
  }
}

// MARK: planes

extension PlaneForm.Plane {
  fileprivate var isDifference: Bool { self == .blueDifference || self == .redDifference }
}

extension PixelBuffer {
  /// A plane with the same number everywhere.
  fileprivate init(filledWith number: Int, _ form: PlaneForm, size: Size) {
    let bytes =
      form.planeFormat == .r8
      ? [UInt8](repeating: UInt8(number), count: size.pixelCount)
      : (0..<size.pixelCount * 2).map { UInt8(truncatingIfNeeded: number >> ($0 % 2 * 8)) }
    self.init(size: size, format: form.planeFormat, alpha: .opaque, bytes: bytes)
  }
}
