package import EtalonDiagnostics
internal import EtalonGraph
package import EtalonMedia
internal import EtalonPlan
internal import EtalonSystem
package import EtalonTypes
package import EtalonVideo
internal import Glibc
internal import Synchronization

/// Renders the frames of a shot and encodes them as a video, while the next ones are decoded and rendered.
///
/// **Concurrency**: `run` blocks its thread; events come from several threads, one at a time.
package struct VideoExport: Sendable {
  /// The video that is written, as far as the shot does not say it.
  package struct Destination: Sendable {
    package enum Sound: Sendable, Hashable {
      /// That of the video that the shot follows, where it shows at its own speed, or of the one sound file that the shot listens to.
      case ofSource
      case none
      /// That of a file, which plays from the time 0 of the shot on.
      case file(String)
      /// That of a file which begins with the first frame.
      case track(String)
    }

    /// The curves of ITU-R BT.2100 by which a video keeps light beyond white.
    package struct HighDynamicRange: Sendable, Hashable {
      package enum Curve: String, Sendable, Hashable, CaseIterable {
        case pq, hlg
      }

      package var curve: Curve
      /// The light of white, in candela per square meter: 203 by ITU-R BT.2408.
      package var white: Double

      package init(_ curve: Curve, white: Double = 203) { (self.curve, self.white) = (curve, white) }
    }

    package var path: String
    package var codec: VideoCodec
    package var layout: PlaneLayout
    package var quality: VideoQuality?
    package var preset = VideoPreset.medium
    /// How often a picture that moves is played; nil for again and again.
    package var plays: Int?
    /// How light beyond white is kept; nil for a video that ends at white.
    package var hdr: HighDynamicRange?
    /// How many seconds the playlist of an HLS stream lists; nil for all.
    package var window: Rational?
    package var sound = Sound.ofSource
    package var policy: ReplacePolicy = .ownFrames
    /// Whether parts are kept beside the video until it is whole, and a run that was broken off goes on behind them.
    package var resumes = false
    /// Which part of the work is done here; nil for all of it.
    package var portion: WorkPortion?
    /// What notes the parts that are written; nil where no records are wanted.
    package var recorder: FrameRecordWriter?

    package init(path: String, codec: VideoCodec, layout: PlaneLayout) {
      (self.path, self.codec, self.layout) = (path, codec, layout)
    }

    /// The planes that a shot renders for it (`RenderRequest.planes`).
    package var planes: PlaneForm {
      var color = PlaneForm.Color(range: layout.isRGB ? .full : .limited, matrix: layout.isRGB ? .identity : .bt709)
      if let hdr {
        (color.transfer, color.primaries, color.white) = (hdr.curve == .pq ? .pq : .hlg, .bt2020, hdr.white)
        if !layout.isRGB { color.matrix = .bt2020 }
      }
      return PlaneForm(
        layout.isRGB ? .redGreenBlue : .lumaAndChroma, bits: layout.bits,
        chromaShift: (layout.chromaStep.x.trailingZeroBitCount, layout.chromaStep.y.trailingZeroBitCount), hasAlpha: layout.hasAlpha,
        color: color)
    }

    /// What the video says about its colors.
    fileprivate var color: VideoColor {
      guard let hdr else { return layout.isRGB ? .sRGB : .bt709 }
      var color = layout.isRGB ? VideoColor.sRGB : .bt709
      (color.primaries, color.transfer) = (.bt2020, hdr.curve == .pq ? .smpte2084 : .aribB67)
      if !layout.isRGB { color.matrix = .bt2020 }
      return color
    }
  }

  /// How an export ended.
  package struct Result: Sendable {
    package let summary: RenderSummary
    /// Where the video is; nil where nothing was written.
    package let path: String?
    /// What became of sound that is worth saying.
    package let notes: [Diagnostic]
  }

  let shot: Shot
  let destination: Destination
  private let observe: @Sendable (RenderEvent) -> Void
  private let isInterrupted: @Sendable () -> Bool

  /// - Precondition: the shot was made with the planes of the destination.
  package init(
    _ shot: Shot, to destination: Destination, observe: @escaping @Sendable (RenderEvent) -> Void,
    isInterrupted: @escaping @Sendable () -> Bool
  ) {
    precondition(shot.planes == destination.planes, "a shot of other planes")
    (self.shot, self.destination, self.observe, self.isInterrupted) = (shot, destination, observe, isInterrupted)
  }

  /// Renders and writes all frames; the first failure ends it, and leaves nothing behind.
  ///
  /// An interruption leaves the frames that are done as a video of another name.
  package func run() throws -> Result {
    try destination.portion?.check(shot)
    let recipe = try recipe()
    let settings = try settings(recipe)
    let damage = try damage(of: settings.sound)
    let identity = try identity(settings, recipe.description)
    if destination.resumes, isThere(settings, identity) { return finished(settings, damage) }
    if case .shared(let lapse) = destination.portion { return try share(settings, recipe, identity, damage, lapse: lapse) }
    let target = try target(settings, recipe)
    let wanted = target.missing(of: shot.frames.count)
    let asked = portion?.count ?? shot.frames.count
    let kept = asked - wanted.count, frames = wanted.map { shot.frames[$0] }
    observe(
      .started(
        frames: shot.isLive ? 0 : frames.count, kept: kept, warmUp: shot.warmUp(for: frames), size: shot.size, device: shot.deviceName))
    let encoder = try VideoFrameEncoder(target, shot, isTimed: settings.timing.rate == nil, observe: observe)
    let count = try render(wanted, encoder)
    shot.keepState()
    // A live stream is whole wherever it ends.
    let isWhole = shot.isLive ? count > 0 : count == frames.count
    let part = try encoder.finish(isWhole: isWhole, end: isWhole ? end(shot.frames) : nil)
    if isWhole, portion == nil { try record(recipe) }
    return Result(
      summary: RenderSummary(written: count, kept: kept, failed: 0, wasInterrupted: shot.isLive ? isInterrupted() : !isWhole),
      path: isWhole && portion == nil ? settings.path : part, notes: omissions + damage + encoder.notes)
  }

  /// The places of the frames that are encoded here, where other runs encode the others: whole parts, so that they are those of a run that encodes all.
  private var portion: Set<Int>? {
    guard case .shard(let shard)? = destination.portion else { return nil }
    let parts = Self.parts(of: shot.frames.count)
    return Set(parts[shard.block(of: parts.count)].joined())
  }

  /// The places of the frames of each part.
  static func parts(of count: Int) -> [Range<Int>] {
    stride(from: 0, to: count, by: VideoSegments.mostFrames).map { $0..<min($0 + VideoSegments.mostFrames, count) }
  }

  /// Encodes the parts that this process claims, until all are there; one process joins them, and the others wait for that.
  private func share(
    _ settings: VideoOutputSettings, _ recipe: ContentHash, _ identity: String, _ damage: [Diagnostic], lapse: Duration
  ) throws -> Result {
    let segments = try VideoSegments(settings, recipe: recipe)
    let count = shot.frames.count, missing = Set(segments.missing(of: count).joined())
    // What depends on all frames before is one piece of work.
    let parts = shot.memory == .endless ? [0..<count] : Self.parts(of: count)
    let isWhole = { @Sendable (frames: Range<Int>) in
      segments.refresh()
      return segments.missing(of: count).allSatisfy { !$0.overlaps(frames) } || isThere(settings, identity)
    }
    let folder = VideoSegments.folder(of: settings.path)
    let claims = try WorkClaims(
      "\(folder)/claims-\(identity.prefix(12))", of: settings.path, count: parts.count,
      done: Set(parts.indices.filter { missing.isDisjoint(with: parts[$0]) }),
      lapse: lapse
    ) { isWhole(parts[$0]) }
    defer {
      claims.leave()
      segments.removeEmptyFolder()
    }
    // The lock removes parts of other work.
    try claims.lookForOtherWork(isInterrupted)
    try segments.lock(isShared: true)
    // Others may have joined the parts, and removed them, just before.
    if isThere(settings, identity) { return finished(settings, damage) }
    observe(
      .started(frames: missing.count, kept: count - missing.count, warmUp: 0, size: shot.size, device: shot.deviceName))
    var written = 0
    while let part = try claims.next(isInterrupted: isInterrupted) {
      segments.refresh()
      let places = segments.missing(of: count).joined().filter(parts[part].contains)
      let target = VideoParts(segments, count: count, portion: Set(places), finished: recorded(recipe))
      let encoder = try VideoFrameEncoder(target, shot, isTimed: settings.timing.rate == nil, observe: observe)
      let done = try render(places, encoder)
      written += done
      _ = try encoder.finish(isWhole: done == places.count, end: nil)
      if done == places.count { claims.finish(part) }
    }
    shot.keepState()
    var notes: [Diagnostic] = []
    if !isInterrupted() {
      notes = try join(segments, settings, recipe, identity, lapse: lapse)
    }
    let isDone = isThere(settings, identity)
    guard isDone || isInterrupted() else {
      throw RenderError(
        .tryAgain, "'\(settings.path)' is not there, although another process joined its parts",
        help: ["look whether the folder shows it, and type the same command again"])
    }
    return Result(
      summary: RenderSummary(written: written, kept: isDone ? count - written : 0, failed: 0, wasInterrupted: !isDone),
      path: isDone ? settings.path : nil, notes: omissions + damage + notes)
  }

  /// Joins the parts, or waits for the process that does so.
  private func join(
    _ segments: VideoSegments, _ settings: VideoOutputSettings, _ recipe: ContentHash, _ identity: String, lapse: Duration
  ) throws(RenderError) -> [Diagnostic] {
    let path = settings.path
    let claims = try WorkClaims("\(VideoSegments.folder(of: path))/join-\(identity.prefix(12))", of: path, count: 1, done: [], lapse: lapse)
    { _ in
      isThere(settings, identity)
    }
    defer { claims.leave() }
    guard try claims.next(isInterrupted: isInterrupted) != nil else { return [] }
    // Folders may show late what others wrote.
    let start = ContinuousClock.now
    repeat {
      segments.refresh()
      guard !segments.missing(of: shot.frames.count).isEmpty, !isInterrupted(), ContinuousClock.now - start < max(lapse, .seconds(60))
      else { break }
      usleep(500_000)
    } while true
    guard !isInterrupted() else { return [] }
    let target = VideoParts(segments, count: shot.frames.count, portion: nil) { _ in }
    try target.finish(end: end(shot.frames))
    try record(recipe)
    claims.finish(0)
    return target.notes.map { Diagnostic("video.sound", $0, severity: .note) }
  }

  /// Notes the parts that are written, where records are wanted.
  private func recorded(_ recipe: ContentHash) -> (VideoSegments.Segment) throws(RenderError) -> Void {
    { (segment) throws(RenderError) in
      let (first, last) = (shot.frames[segment.frames.lowerBound], shot.frames[segment.frames.upperBound - 1])
      try destination.recorder?.add(
        segment.path, frames: "\(first)-\(last)", output: shot.outputNames[0], recipe: recipe.description, device: shot.deviceName)
    }
  }

  /// Whether the video is there that this export writes, whole.
  private func isThere(_ settings: VideoOutputSettings, _ identity: String) -> Bool {
    guard VideoSegments.identity(ofVideo: settings.path) == identity, let report = try? VideoReport(settings.path) else { return false }
    return report.damage == nil
  }

  /// Notes the whole video, where that is wanted.
  private func record(_ recipe: ContentHash) throws(RenderError) {
    guard let recorder = destination.recorder, let first = shot.frames.first, let last = shot.frames.last else { return }
    try recorder.add(
      destination.path, frames: "\(first)-\(last)", output: shot.outputNames[0], recipe: recipe.description, device: shot.deviceName)
  }

  /// What an export says that finds its video whole.
  private func finished(_ settings: VideoOutputSettings, _ damage: [Diagnostic]) -> Result {
    let count = shot.frames.count
    observe(.started(frames: 0, kept: count, warmUp: 0, size: shot.size, device: shot.deviceName))
    return Result(
      summary: RenderSummary(written: 0, kept: count, failed: 0, wasInterrupted: false), path: settings.path, notes: omissions + damage)
  }

  /// What the frames are written to.
  private func target(_ settings: VideoOutputSettings, _ recipe: ContentHash) throws(RenderError) -> any VideoTarget {
    if shot.isLive, destination.resumes {
      throw RenderError(.usage, "a live stream cannot go on, because its pictures come once", help: ["leave out '--resume'"])
    }
    guard destination.resumes || portion != nil else { return WholeVideo(try VideoWriter(settings)) }
    let segments = try VideoSegments(settings, recipe: recipe)
    try segments.lock(isShared: portion != nil)
    return VideoParts(segments, count: shot.frames.count, portion: portion, finished: recorded(recipe))
  }

  /// What the pixels of all frames depend on, and when they are.
  func recipe() throws(RenderError) -> ContentHash {
    var hasher = ContentHasher()
    guard !shot.isLive else {
      hasher.add("live", try shot.recipe(of: shot.frames[0]))
      return hasher.finish()
    }
    for frame in shot.frames { hasher.add("\(shot.time(of: frame))", try shot.recipe(of: frame)) }
    return hasher.finish()
  }

  /// How many frames were encoded before an interruption.
  ///
  /// - Parameter wanted: their places among the frames of the shot.
  func render(_ wanted: [Int], _ encoder: VideoFrameEncoder) throws -> Int {
    do {
      let start = shot.time(of: shot.frames[0])
      var (places, skipped) = (wanted, 0)
      repeat {
        for place in places where !isInterrupted() && !encoder.hasFailed {
          let frame = shot.frames[place]
          guard let pending = try shot.submit(frame, isInterrupted: isInterrupted, warmedUp: { observe(.warmedUp) }) else { break }
          encoder.add(pending, frame, place: skipped + place, time: shot.time(of: frame) - start)
        }
        skipped += shot.frames.count
        guard !isInterrupted(), !encoder.hasFailed, try shot.advance() else { break }
        places = Array(shot.frames.indices)
      } while true
    } catch {
      encoder.abandon()
      throw error
    }
    return encoder.drained()
  }

  // MARK: settings

  /// Refuses what the codec or the container cannot have, before anything is rendered.
  func settings(_ recipe: ContentHash) throws -> VideoOutputSettings {
    try checkReplaced()
    let video = shot.leadingVideo
    let timing: VideoOutputSettings.Timing =
      shot.isEven ? .rate(shot.clock.rate) : .timeStamps(tick: video?.video.file.description.timeBase ?? Rational(1, 1000))
    var settings = VideoOutputSettings(
      path: destination.path, size: shot.size, codec: destination.codec, layout: destination.layout, timing: timing,
      color: destination.color)
    settings.quality = destination.quality
    settings.preset = destination.preset
    settings.plays = destination.plays
    settings.window = destination.window.map { VideoOutputSettings.parts(lasting: $0) }
    if let followed = shot.followedVideo { settings.metadata = followed.file.keptMetadata }
    settings.timecode = video.flatMap(timecode)
    settings.sound = sound(video)
    settings.metadata.append(.init(VideoSegments.identityName, try identity(settings, recipe.description)))
    let diagnostics = settings.diagnostics(try VideoLibrary.system())
    guard diagnostics.isEmpty else { throw DiagnosticsError(diagnostics) }
    return settings
  }

  /// The timecode of the first frame, of a video that has one and shows at its own speed; nil where it cannot be counted on.
  func timecode(_ video: (video: VideoSource, start: Rational, end: Rational)) -> String? {
    guard let text = video.video.file.description.timecode else { return nil }
    guard let own = video.video.rate?.framesPerSecond, video.video.file.isEven, shot.isEven else {
      // Videos of varying rate have no frames that a timecode could count.
      let isKept = video.start == .zero && Timecode(text, at: shot.isEven ? shot.rate.framesPerSecond : 60) != nil
      return isKept ? text : nil
    }
    let rate = shot.rate.framesPerSecond
    return Timecode(text, at: own)?.converted(to: rate)?.advanced(by: (video.start * rate).floor).description
  }

  /// A hash of all that a video is made of; it stands in the video, so that a finished one is not rendered again.
  ///
  /// - Parameter recipe: what the pixels of all frames depend on.
  func identity(_ settings: VideoOutputSettings, _ recipe: String) throws(RenderError) -> String {
    var hasher = ContentHasher()
    hasher.add("packets", VideoSegments.recipe(settings, recipe, try VideoLibrary.system()))
    // A track of the shot has a name of its own in each run.
    if case .track = destination.sound { hasher.add("sound", "track") } else { hasher.add("sound", "\(settings.sound)") }
    // What is wrong with a sound is told where it is opened.
    if case .file(let sound) = settings.sound { hasher.add("file", (try? VideoFile.digest(of: sound.path)) ?? "") }
    let texts = settings.metadata.filter { $0.key != VideoSegments.identityName }
    hasher.add("texts", "\(texts) \(settings.timecode ?? "")")
    return hasher.finish().description
  }

  private func sound(_ video: (video: VideoSource, start: Rational, end: Rational)?) -> SoundPlan {
    switch destination.sound {
    case .none: return .none
    case .track(let path): return .file(.init(path))
    case .file(let path): return played(path)
    case .ofSource:
      guard !destination.codec.isPicture else { return .none }
      guard let video else { return shot.heardFile.map(played) ?? .none }
      guard !video.video.file.description.soundStreams.isEmpty, !VideoFile.isStream(video.video.file.path) else { return .none }
      return .file(.init(video.video.file.path, start: video.start + video.video.file.description.startTime))
    }
  }

  /// A file that plays from the time 0 of the shot on, as inputs that listen hear it.
  private func played(_ path: String) -> SoundPlan {
    var sound = SoundPlan.SoundFile(path, start: shot.time(of: shot.frames[0]))
    sound.countsFromBeginning = true
    return .file(sound)
  }

  /// What is wrong with the sound of the video, which is decoded for that up to the last frame; where damage fails, it is thrown.
  ///
  /// Inputs tell it themselves of what they listen to.
  private func damage(of plan: SoundPlan) throws(RenderError) -> [Diagnostic] {
    if case .track = destination.sound { return [] }
    guard case .file(let sound) = plan, !shot.heardFiles.contains(sound.path), let first = shot.frames.first, let last = shot.frames.last
    else { return [] }
    var options = VideoReader.Options()
    options.cancellation = shot.cancellation
    let start = destination.sound == .ofSource ? shot.leadingVideo?.start ?? .zero : shot.time(of: first)
    let seconds = (start + shot.time(of: last) - shot.time(of: first) + shot.rate.frameDuration).double
    // What cannot be opened, or has no sound, is told where it is written. A second more covers sounds that begin before the pictures.
    guard let damage = try? FileDamage(inSoundOf: sound.path, seconds: max(0, seconds) + 1, options: options) else { return [] }
    if shot.isStrict { try damage.check() }
    let found = damage.diagnostic("sound.damaged")
    let told = shot.sourceNotes.map(\.message)
    return [found].compactMap(\.self).filter { !told.contains($0.message) }
  }

  /// When the last frame ends, for time stamps of its own.
  private func end(_ frames: [Int]) -> Rational? {
    guard !shot.isEven, !shot.isLive, let first = frames.first, let last = frames.last, let video = shot.leadingVideo else { return nil }
    return shot.time(of: last) - shot.time(of: first) + (video.video.file.end(ofFrameAt: video.end) - video.end)
  }

  /// Refuses to replace a video that Etalon did not write, unless that was asked for.
  private func checkReplaced() throws(RenderError) {
    let parts = VideoWriter.parts(ofPlaylist: destination.path)
    let isFile = FileKind(path: destination.path) == .regular
    if parts.isEmpty, isFile, VideoSegments.identity(ofVideo: destination.path) != nil { return }
    guard destination.policy != .anything, let found = parts.first ?? (isFile ? destination.path : nil) else {
      return try destination.policy.check(destination.path)
    }
    throw RenderError(
      .cannotWrite, "cannot write '\(destination.path)'", underlying: "'\(found)' is there, and nothing in it says that Etalon wrote it",
      help: ["choose another name, or pass --overwrite"])
  }
}

extension RenderRequest {
  /// The same with planes for a video as its result.
  package func making(_ video: VideoExport.Destination) -> RenderRequest {
    var request = self
    request.planes = video.planes
    return request
  }
}
