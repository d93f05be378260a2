package import EtalonDiagnostics
internal import EtalonDialects
package import EtalonGraph
internal import EtalonManifest
package import EtalonMedia
package import EtalonSystem
package import EtalonTypes

/// Everything that a person asks for when a filter or a graph is rendered.
package struct RenderRequest: Sendable {
  /// Where the text of a filter comes from.
  package enum FilterLocation: Sendable, Hashable {
    case file(String)
    /// Read from standard input; includes are looked up in the working folder.
    case standardInput
  }

  /// The frames that are wanted.
  package enum Frames: Sendable, Hashable {
    /// One picture at a time of the shot's clock, nil for the time of the first frame.
    case single(time: Rational?)
    case range(FrameRange)
  }

  /// A picture, a sequence of pictures or a video for an image input; nil means the first input that the filter reads.
  package struct InputPicture: Sendable, Hashable {
    package let input: String?
    /// The path of a picture or a video, or the pattern of a sequence.
    package let path: String
    /// Which picture of a file is meant that has several.
    package let choice: PictureChoice
    /// When the pictures of a sequence show; nil for a single picture.
    package let sequence: SequenceTiming?
    /// What shows of a video and when; nil for what is none.
    package let video: VideoTiming?
    /// The path in a graph, with its place; nil for the picture of an option.
    package let written: GraphText.Word?

    package init(
      input: String?, path: String, choice: PictureChoice = PictureChoice(), sequence: SequenceTiming? = nil, video: VideoTiming? = nil,
      written: GraphText.Word? = nil
    ) {
      self.input = input
      self.path = path
      self.choice = choice
      self.sequence = sequence
      self.video = video
      self.written = written
    }
  }

  /// A new value for a constant of the filter's text, as typed.
  package struct Setting: Sendable, Hashable {
    package let name: String
    package let value: String
    /// What was written in a graph; nil for `--set`.
    package let written: GraphText.Setting?

    package init(name: String, value: String) {
      self.name = name
      self.value = value
      written = nil
    }

    /// Takes over what was written in a document.
    package init(_ written: GraphText.Setting) {
      name = written.name.text
      value = written.value.list ?? ""
      self.written = written
    }
  }

  /// How the files of one output are written, where that is not as those of the others.
  package struct OutputForm: Sendable, Hashable {
    package var bits: Int?
    package var alpha: AlphaMode?
    /// Whether the files are OpenEXR, which have light; they get floats, whatever their bits.
    package var isLight: Bool

    package init(bits: Int? = nil, alpha: AlphaMode? = nil, isLight: Bool = false) {
      self.bits = bits
      self.alpha = alpha
      self.isLight = isLight
    }
  }

  /// What pictures are made of.
  package enum Subject: Sendable {
    case filter(FilterLocation)
    /// Several filters, which are looked up in libraries by their names.
    case graph(GraphText, FilterLibrary)
    /// Recipes that a program made, each an output by its name; the first is the result.
    case images([(name: String, image: Image)])
  }

  package var subject: Subject
  /// The name of what the filter is written in; nil tells it from the content.
  package var dialect: String?
  package var inputs: [InputPicture] = []
  /// A folder with the pictures that a player's site offers.
  package var assets: String?
  /// What stands in for pictures and sounds that are missing; where nothing does, they are an error.
  package var standIns: StandIns = []
  /// Whether the inputs that a graph leaves open are filled without a warning, because the picture is not looked at.
  package var fillsOpenInputs = false
  /// How image inputs are read, each once, where that differs from what the filter says.
  package var samplers: [(input: String, change: SamplerChange)] = []
  package var settings: [Setting] = []
  /// The names of the filter's outputs that are wanted beside its result.
  package var outputs: [String] = []
  /// The outputs of a graph that are needed at all, nil among them for its result; nil means all that it has.
  package var neededOutputs: Set<String?>?
  /// Nil means the size of the main input, else 1280×720.
  package var size: Size?
  /// How much smaller than said everything is rendered.
  package var proxy = ProxyScale.whole
  package var frames: Frames = .single(time: nil)
  /// The first and the last frame of the shot that the wanted frames are a part of, which is what progress and duration measure; nil where
  /// nothing says how long the shot is, and then the wanted frames are the shot.
  package var shot: ClosedRange<Int>?
  /// Set where nothing says which frames are wanted: the frames of a numbered sequence or of a video are, where there is one, and they are
  /// known only when the graph is loaded.
  package var following: Following?
  package var clock = ShotClock()
  /// When the frames of the shot are, from its first one on, where that is not evenly: those of a video whose rate varies.
  var frameTimes: [Rational] = []
  package var pointer: PointerState?
  /// A file that says what the mouse and the keys do.
  package var eventsFile: String?
  package var date: CalendarDate = .fixed
  /// Bits a channel in the files: 8 or 16; 32 are floats, as the filter gives them, for those who look at numbers.
  package var bits = 8
  /// What differs for some outputs, by their names; nil stands for the result.
  package var outputForms: [String?: OutputForm] = [:]
  /// What the files say about coverage; nil is what suits the filter: opaque for ShaderToy, else straight.
  package var alpha: AlphaMode?
  package var compression: CompressionPreset = .fast
  /// The planes that the result leaves as, for a video; nil for pixels.
  package var planes: PlaneForm?
  /// The index or a part of the name of a device; nil chooses.
  package var device: String?
  /// What is made of the filter: its pictures, or its sound (`SoundExport`).
  var part = FilterReader.Part.pictures
  /// Samples a second that a sound pass is told; nil is what a player says.
  var sampleRate: Int?
  /// Seconds that compiling, and each frame, may take; nil means no limit.
  package var timeout: Double?
  /// Whether damaged videos and sounds fail; otherwise the damage is told.
  package var isStrict = false
  /// Where checkpoints are kept of what frames leave to the next; nil keeps none.
  package var checkpoints: CheckpointFolder?
  /// After how many frames what a frame leaves has no effect any more, as the author of a filter says; nil where that is not said.
  package var warmUp: Int?
  /// Asks for the end of the work on frames before it is done.
  package var cancellation: Cancellation?

  /// The streams, pipes and cameras that were opened for it and for its copies.
  package var streams = StreamStore()
  /// What happens where rendering is slower than a live stream.
  package var late = LatePolicy.wait
  /// Whether a live stream says when frames are, because no rate was asked for.
  package var followsTimeStamps = false
  /// The frames that a live stream has given at last; nil for a shot without one.
  var window: LiveWindow?

  /// What plans may do to be fast; switched off to measure how much time it saves.
  package var planOptions = PlanOptions()
  /// Whether kernels are optimized, to see that this changes nothing.
  package var optimizes = false
  /// How pictures between the filters of a graph are stored; nil is what suits the files.
  package var format: PixelFormat?
  /// What the numbers of pictures between filters mean.
  package var workingSpace = WorkingSpace.encoded

  package init(filter: FilterLocation) { subject = .filter(filter) }

  package init(graph: GraphText, library: FilterLibrary) { subject = .graph(graph, library) }

  /// - Parameter images: the result first, by the names of their outputs.
  package init(images: [(name: String, image: Image)]) { subject = .images(images) }

  /// The one filter; nil where a graph is rendered.
  package var filter: FilterLocation? {
    get { if case .filter(let location) = subject { location } else { nil } }
    set { if let newValue { subject = .filter(newValue) } }
  }
}

extension RenderRequest {
  /// The numbers of the wanted frames in the order in which they are rendered.
  var frameNumbers: [Int] {
    if let window { return window.numbers }
    switch frames {
    case .range(let range): return range.frames
    case .single(let time): return [time.map { clock.frame(at: $0) } ?? clock.first]
    }
  }

  /// From the first to the last of the wanted frames.
  var wantedRange: ClosedRange<Int> {
    if let window { return window.first...window.last }
    switch frames {
    case .range(let range): return range.bounds
    case .single(let time):
      let frame = time.map { clock.frame(at: $0) } ?? clock.first
      return frame...frame
    }
  }

  /// The first and the last frame of the shot; those of the wanted ones where nothing says how long it is.
  package var shotRange: ClosedRange<Int> { shot ?? wantedRange }

  /// Refuses wanted frames that are not in the shot, where it is said how long that is.
  ///
  /// - Parameter labels: where it stands which frames are wanted.
  /// - Parameter help: what to write for a shot of a number of frames, as in `type '--duration 48f'`.
  package func refuseFramesOutsideShot(_ labels: [Diagnostic.Label] = [], help: (Int) -> String) throws(DiagnosticsError) {
    guard let shot, let outside = frameNumbers.first(where: { !shot.contains($0) }) else { return }
    var time = "frame \(outside)"
    if case .single(let moment?) = frames { time = "\(ClockReading.short(moment.double)) s, in \(time)," }
    let range = shot.count == 1 ? "is frame \(shot.lowerBound)" : "is frames \(shot.lowerBound) to \(shot.upperBound)"
    let longer = outside > shot.upperBound ? " for a longer shot" : ""
    throw DiagnosticsError(
      Diagnostic(
        "frames.outside-shot", "\(time) lies outside of the shot, which \(range)", labels: labels,
        help: ["ask for frames of the shot, or \(help(max(wantedRange.upperBound, shot.upperBound) - clock.first + 1))\(longer)"]))
  }

  /// When a frame is, in seconds of the shot's clock.
  func time(ofFrame frame: Int) -> Rational {
    if case .single(let time?) = frames, frame == clock.frame(at: time) { return time }
    return evenTime(ofFrame: frame)
  }

  /// When a frame is that others follow: a picture may be asked for between two of them.
  func evenTime(ofFrame frame: Int) -> Rational {
    if let window { return window.time(ofFrame: frame) ?? clock.time(ofFrame: frame) }
    let place = frame - clock.first
    return frameTimes.indices.contains(place) ? frameTimes[place] : clock.time(ofFrame: frame)
  }

  /// When the first and the last of the frames are that may be rendered; those before the wanted ones bring state forward.
  var wantedTimes: ClosedRange<Rational> {
    let range = wantedRange
    return min(clock.start, time(ofFrame: range.lowerBound))...max(clock.start, time(ofFrame: range.upperBound))
  }

  /// So many frames, with those before them, may depend on each other: the values of all of them are checked before the first is rendered.
  private static let mostEarlierFrames = 10_000_000

  /// What the clocks show on the frames that are rendered, in their order; too many that depend on each other are refused.
  ///
  /// - Parameter hasState: whether the frames before the wanted ones are rendered, too.
  func readings(hasState: Bool) throws(DiagnosticsError) -> [ClockReading] {
    let wanted = wantedRange
    guard !hasState || wanted.upperBound - min(clock.first, wanted.lowerBound) < Self.mostEarlierFrames else {
      throw DiagnosticsError(
        Diagnostic(
          "frames.too-many-earlier",
          "frame \(wanted.upperBound) depends on all frames from \(clock.first) on, which are more than \(Self.mostEarlierFrames)",
          help: ["ask for an earlier frame, or number the shot from a later one: '--first', in Swift 'settings.first'"]))
    }
    let numbers = hasState ? Array(min(clock.first, wanted.lowerBound)...wanted.upperBound) : frameNumbers.sorted()
    return numbers.map { ClockReading(frame: $0, clock: clock, time: time(ofFrame: $0), range: shotRange) }
  }

  /// Fails when a frame that will be rendered has no picture of some source; of every source the first such frame is told.
  ///
  /// - Parameter hasState: whether the frames before the wanted ones are rendered, too.
  func check(_ sources: [String: any PictureSource], hasState: Bool) throws {
    guard !sources.isEmpty else { return }
    let earlier = hasState ? Array(clock.first..<max(clock.first, wantedRange.upperBound)) : []
    var collector = DiagnosticCollector()
    for (_, source) in sources.sorted(by: { $0.key < $1.key }) {
      try collector.attempt { for frame in (earlier + frameNumbers).sorted() { try source.check(time(ofFrame: frame), ofFrame: frame) } }
    }
    try collector.check()
  }
}

// MARK: shots that follow a sequence

extension RenderRequest {
  /// How a shot follows the moving pictures that it is made of, where nothing says which frames are wanted: it has a frame for each of them.
  package struct Following: Sendable, Hashable {
    /// Whether the rate of the sequence or the video is that of the shot, because no other one was asked for.
    package let followsRate: Bool
    /// Whether the first frame has the number of the first picture, because no other one was asked for.
    package let followsNumbers: Bool

    package init(followsRate: Bool, followsNumbers: Bool) {
      self.followsRate = followsRate
      self.followsNumbers = followsNumbers
    }
  }

  /// The same with the frames of the main sequence or video of its graph; nil where there is none, or where the frames were asked for.
  func following(_ built: BuiltGraph) throws -> RenderRequest? {
    guard let following, let source = built.leader else { return nil }
    var request = self
    request.following = nil
    if built.leadingStream != nil {
      guard streams.showsNow else { return nil }
      if following.followsRate { request.clock = ShotClock(first: clock.first, start: clock.start, rate: source.rate ?? clock.rate) }
      return request
    }
    request.clock = ShotClock(
      first: following.followsNumbers ? source.firstNumber(in: clock) ?? clock.first : clock.first, start: clock.start,
      rate: following.followsRate ? source.rate ?? clock.rate : clock.rate)
    let length = source.end(in: request.clock).map { $0 - clock.start } ?? .zero
    // A sequence that is over before the shot begins, or stands still, gets one frame; rendering it tells what is wrong.
    guard length > .zero else {
      request.frames = .single(time: nil)
      return request
    }
    guard let shot = request.clock.frames(lasting: length), let frames = FrameRange(shot) else {
      throw RenderError(
        .invalidInput, "\(source.name) lasts for more than the \(FrameRange.mostFrames) frames of one run",
        help: ["type '--duration 10s', or '--frames' for a part of it"])
    }
    (request.shot, request.frames) = (shot, .range(frames))
    if following.followsRate, let times = source.frameTimes(in: request.clock),
      let frames = FrameRange(request.clock.first...request.clock.first + times.count - 1)
    {
      request.frameTimes = times
      (request.shot, request.frames) = (frames.bounds, .range(frames))
    }
    return request
  }
}

extension BuiltGraph {
  /// The same where they come once, as those of a camera do.
  var leadingStream: VideoSource? { (leader?.whole as? VideoSource).flatMap { $0.file.live == nil ? nil : $0 } }

  /// The moving pictures that a chain begins with: following main inputs from the first output, and where there are none, the others.
  var leader: (any ShotLeader)? {
    var seen: Set<ContentHash> = []
    var open = Array((image.outputs.map(\.image) + image.feedback.sorted { $0.key < $1.key }.map(\.value)).reversed())
    while let image = open.popLast() {
      guard seen.insert(image.digest).inserted else { continue }
      switch image.operation {
      case .stream(let stream): if let found = sources[stream.firstName] as? any ShotLeader { return found }
      case .picture, .before: continue
      case .filter(let use):
        let names = ([use.filter.mainInput].compactMap(\.self) + use.filter.manifest.inputs).map(\.name)
        open += names.reversed().compactMap { use.inputs[$0]?.image }
      }
    }
    return nil
  }
}

/// What stands in for pictures and sounds that are missing.
///
/// Where both could, look-alikes do.
package struct StandIns: OptionSet, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Test cards, and silence for sounds.
  package static let testCards = StandIns(rawValue: 1)
  /// Pictures and sounds of Etalon's for those of a player's site (`Lookalikes`).
  package static let lookalikes = StandIns(rawValue: 2)
}
