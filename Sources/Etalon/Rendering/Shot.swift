package import EtalonDiagnostics
package import EtalonGraph
internal import EtalonManifest
package import EtalonMedia
package import EtalonPlan
package import EtalonSPIRV
internal import EtalonSystem
package import EtalonTypes
internal import Foundation
internal import Synchronization

/// A request that was checked, planned and allocated on a device: frames can be asked for.
///
/// **Concurrency**: `submit` is called by one thread at a time.
package final class Shot: Sendable {
  /// How many frames are worked on at once: one that is encoded, one that waits, one that is rendered.
  package static let framesInFlight = 3

  /// What was asked for, with the frames; of a live stream those that have come.
  private var request: RenderRequest { asked.withLock(\.self) }
  private let asked: Mutex<RenderRequest>
  /// Nil where the frames are known.
  private let live: LiveShot?
  private let subject: ShotSubject
  private let plans: ShotPlans
  /// What the streams of the plans show, by their names.
  private let sources: [String: any PictureSource]
  private let events: InputEvents?
  /// Nil where frames do not depend on each other.
  private let state: ShotState?
  /// How long what frames leave to later ones has an effect.
  package let memory: StateMemory
  package let size: Size
  package let deviceName: String
  /// Whether the CPU executor renders it, which gives the same bits on every machine.
  package let isOfCPU: Bool
  /// The first and the last frame of the shot.
  private let range: ClosedRange<Int>
  /// The name of a filter whose pictures depend on how long the shot is; nil where none is like this.
  private let reader: String?
  /// The hash of everything that the pixels depend on, save for what changes from frame to frame.
  package let recipe: String
  private let recipes: FrameRecipes
  private let sounds: SoundState
  private let nan = NaNLog()
  private let submitted: @Sendable () -> Void
  private let leader: (any ShotLeader)?
  /// What is read at other moments, with these.
  private let readMoments: [(name: String, moments: [[Moment]])]

  /// Allocates the plan of the first frame.
  ///
  /// - Parameters:
  ///   - request: with the frames that follow from its graph.
  ///   - built: its graph, as it is planned.
  ///   - submitted: called for each frame that is given to the device.
  init(
    _ request: RenderRequest, _ built: BuiltGraph, _ animation: ShotAnimation, events: InputEvents?, on backend: any Backend,
    pool: PlanPool, live: LiveShot? = nil,
    submitted: @escaping @Sendable () -> Void = {}
  ) throws(RenderError) {
    let (graph, first) = (built.image, animation.first.plan)
    size = first.resultSize
    recipe = RecipeHash.hash(request: request, graph: graph, events: events, size: size, device: backend.identity).description
    sources = built.sources.filter { first.streams.contains($0.key) }
    let shown = first.streams.compactMap { built.sources[$0] }
    let hasState = first.hasState
    recipes = FrameRecipes(
      shot: recipe, sources: shown, firstOfState: hasState ? request.clock.first : nil, changes: graph.changesWithTime
    ) { request.time(ofFrame: $0) }
    sounds = SoundState(playing: sources, making: request.sampleRate)
    reader = graph.uses.first(where: \.dependsOnRange)?.filter.manifest.name
    range = request.shotRange
    deviceName = backend.deviceName
    isOfCPU = backend.deviceName.hasPrefix("CPU")
    memory = hasState ? graph.memory.limited(to: request.warmUp) : .none
    plans = try ShotPlans(animation, recipe: recipe, on: backend, pool: pool)
    // What is forgotten soon is rendered again sooner than it is read; and a checkpoint within such a start would not be right.
    let checkpoints =
      memory != .endless
      ? nil
      : ShotCheckpoints(
        of: request, graph, sources: built.sources, plan: first.plan.plan, events: events, size: size, device: backend.identity)
    state = hasState ? ShotState(first: request.clock.first, memory, plans, checkpoints: checkpoints) : nil
    leader = built.leader?.whole
    readMoments = graph.readMoments
    asked = Mutex(request)
    self.live = live
    (subject, self.events, self.submitted) = (built.subject, events, submitted)
  }

  /// What was found while loading the filter that is worth saying but stops nothing.
  package var warnings: [Diagnostic] { subject.warnings }
  /// `--duration` for the same shot, where pictures depend on it and it was not said; nil also where no length says the same.
  package var impliedDuration: String? {
    reader != nil && range.count > 1 && range.lowerBound == request.clock.first ? "\(range.count)f" : nil
  }

  /// A note that the wanted frames count as the whole shot, where pictures depend on its length and nothing gives it.
  package var noteOfLength: Diagnostic? {
    guard let reader, request.shot == nil else { return nil }
    let (first, last) = (range.lowerBound, range.upperBound)
    let whole = first == last ? "frame \(first) counts as all of it, with a progress of 0" : "frames \(first) to \(last) count as all of it"
    return Diagnostic(
      "shot.no-duration", "'\(reader)' reads progress or duration, and nothing says how long the shot is: \(whole)", severity: .note,
      help: [
        "type '--duration \(last - request.clock.first + 1)f', or as long as the shot is; '--frames' and '--time' select what is rendered of it"
      ])
  }

  // MARK: live streams

  /// Whether its frames are known only as they come.
  package var isLive: Bool { live != nil }

  /// Goes on to the next frames of a live stream, which are waited for; false where there are none, and for other shots.
  func advance() throws -> Bool {
    guard let live, let next = live.clock.advance() else { return false }
    let animation = try live.animate(next)
    let size = animation.first.plan.resultSize
    guard size == self.size else {
      throw RenderError(
        .invalidInput, "the size of the result changes from \(self.size) to \(size) on frame \(next.frameNumbers[0])",
        help: ["give it one value for all frames"])
    }
    plans.goOn(with: animation)
    asked.withLock { $0 = next }
    return true
  }

  /// Why a live stream ended before its end; nil where it did not.
  package var failureOfStream: RenderError? { live?.clock.failure }

  /// When the frames happen.
  package var clock: ShotClock { request.clock }

  /// When a frame is, in seconds of the shot's clock.
  func time(of frame: Int) -> Rational { request.time(ofFrame: frame) }

  /// Whether frames follow each other evenly.
  var isEven: Bool { request.window == nil ? request.frameTimes.isEmpty : !request.followsTimeStamps }

  /// The planes that the result leaves as; nil for pixels.
  var planes: PlaneForm? { request.planes }

  /// The video that the shot follows.
  var followedVideo: VideoSource? { leader as? VideoSource }

  /// The same, where it shows as it is from the first wanted frame on: at its own speed, once, with none of its frames left out.
  var leadingVideo: (video: VideoSource, start: Rational, end: Rational)? {
    guard let video = followedVideo, let first = frames.first, let last = frames.last else { return nil }
    guard zip(frames, frames.dropFirst()).allSatisfy({ $1 == $0 + 1 }) else { return nil }
    return video.part(from: time(of: first), to: time(of: last)).map { (video, $0.start, $0.end) }
  }

  /// The sounds that inputs listen to, each once.
  private var heardSounds: [SoundSource] {
    let all = sources.values.compactMap { $0 as? SoundSource }
    return Array(Dictionary(all.map { ($0.fileDigest, $0) }) { first, _ in first }.values)
  }

  /// The files that inputs listen to.
  var heardFiles: Set<String> { Set(sources.values.compactMap { $0 as? SoundSource }.flatMap { $0.files(at: []) }) }

  /// The one sound file that inputs listen to; nil where there is none, or several.
  var heardFile: String? { heardFiles.count == 1 ? heardFiles.first : nil }

  /// How many sounds inputs listen to, those of Etalon's among them.
  var heardCount: Int { heardSounds.count }

  /// The part of a song of Etalon's that is heard with the wanted frames.
  ///
  /// Nil where inputs listen to none or to other sounds, and where it would be too long.
  package var heardSong: Sound? {
    guard leadingVideo == nil, heardCount == 1, let song = heardSounds.first?.song, let first = frames.first else { return nil }
    let sampleRate = Rational(song.sampleRate)
    let exact = Rational(frames.count) * rate.frameDuration * sampleRate
    let start = (time(of: first) * sampleRate).floor, count = Rational(exact.floor) == exact ? exact.floor : exact.floor + 1
    guard count > 0, count <= SoundExport.mostSamples else { return nil }
    return Sound(sampleRate: song.sampleRate, channels: [(start..<start + count).map { Float(song.sample($0, of: 0)) }])
  }

  /// Whether there is only the first frame, because nothing says how long the shot is.
  var isUnmeasured: Bool { request.frames == .single(time: nil) && range.count == 1 }

  /// Whether damaged sounds and videos fail.
  var isStrict: Bool { request.isStrict }

  /// Asks for the end of the work before it is done.
  var cancellation: Cancellation? { request.cancellation }

  /// A note about when the shot begins, where its first frame is not the one from which time and state count.
  package var noteOfFirst: Diagnostic? {
    let (first, counted) = (range.lowerBound, request.clock.first)
    if case .single = request.frames { return nil }
    guard first != counted else { return nil }
    let state = plans.first.hasState ? ", and what frames remember begins with frame \(counted)" : ""
    return Diagnostic(
      "shot.first",
      "frame \(first) is at \(ClockReading.short(request.time(ofFrame: first).double)) s, because frames count from \(counted)\(state)",
      severity: .note, help: ["type '--first \(first)' if the shot begins with frame \(first)"])
  }

  /// The files that the shot was made of, as paths that can be watched.
  package var files: [String] {
    subject.files + sourceFiles + [request.eventsFile].compactMap(\.self)
  }
  private var sourceFiles: [String] {
    let times = frames.map { request.time(ofFrame: $0) }
    return plans.first.streams.flatMap { sources[$0]?.files(at: times) ?? [] }
  }
  /// Bits a channel in the files of the result.
  package var bits: Int { bits(ofOutput: 0) }
  /// Frames a second.
  var rate: FrameRate { request.clock.rate }
  package var compression: CompressionPreset { request.compression }
  /// The result.
  package var output: Plan.Output { outputs[0] }
  /// The pictures that leave the plan, the result first.
  var outputs: [Plan.Output] { plans.first.plan.plan.outputs }

  /// What the outputs are called, the result first.
  var outputNames: [String] { outputs.map(\.name) }

  /// The place of an output that was asked for; nil means the result.
  package func index(ofOutput name: String?) -> Int { outputs.firstIndex { $0.name == name } ?? 0 }

  /// Bits a channel in the files of an output.
  func bits(ofOutput index: Int) -> Int { outputs[index].format.bytesPerChannel * 8 }

  /// What the pixels of an output depend on.
  func recipe(ofOutput index: Int) -> String {
    index == 0 ? recipe : recipe(recipe, of: index)
  }

  private func recipe(_ whole: String, of index: Int) -> String {
    let (result, own) = (outputs[0], outputs[index])
    let form = own.format == result.format && own.alpha == result.alpha ? "" : " \(own.format) \(own.alpha)"
    return ContentHash(of: Array("\(whole) \(own.name)\(form)".utf8)).description
  }
  /// Threads that encode beside the one that renders.
  package var writerThreads: Int { max(1, ProcessInfo.processInfo.activeProcessorCount) }

  /// The numbers of the frames in the order in which they are rendered.
  package var frames: [Int] { request.frameNumbers }

  /// The hash of everything that the pixels of a frame depend on.
  package func recipe(of frame: Int, output index: Int = 0) throws(RenderError) -> String {
    let recipe = try recipes.recipe(of: frame)
    return index == 0 ? recipe : self.recipe(recipe, of: index)
  }

  /// Starts a frame; blocks while `framesInFlight` frames are not released.
  ///
  /// Where a frame depends on those before it, all of them are rendered first that were not yet and that no checkpoint stands for.
  ///
  /// There is no frame where the request's `cancellation` ended it, or one of the earlier frames.
  ///
  /// - Parameter isInterrupted: whether to give up between two of the earlier frames; then there is no frame either.
  /// - Parameter warmedUp: called after each of the earlier frames.
  package func submit(
    _ frame: Int, isInterrupted: () -> Bool = { false }, warmedUp: () -> Void = {}
  ) throws(RenderError) -> (any PendingFrame)? {
    do throws(RenderError) { return try begin(frame, isInterrupted: isInterrupted, warmedUp: warmedUp) } catch {
      if error.code == .interrupted { return nil }
      throw error
    }
  }

  private func begin(_ frame: Int, isInterrupted: () -> Bool, warmedUp: () -> Void) throws(RenderError) -> (any PendingFrame)? {
    guard let state else { return try submit(frame, to: try plans.turn(toFrame: frame)) }
    do throws(RenderError) {
      let start = try state.begin(with: frame)
      guard try warmUp(state, from: start, to: frame, isInterrupted: isInterrupted, warmedUp: warmedUp) else { return nil }
      let turn = try plans.turn(toFrame: frame)
      // A picture between two frames is not what the next frame follows.
      if request.time(ofFrame: frame) == request.evenTime(ofFrame: frame) { try state.reach(frame) } else { try state.end(with: frame) }
      return try submit(frame, to: turn, startsState: start.isAnew && frame == start.frame)
    } catch {
      state.forget()
      throw error
    }
  }

  /// Renders frames only for those after them; false where it was interrupted.
  private func warmUp(
    _ state: ShotState, from start: ShotState.Start, to frame: Int, isInterrupted: () -> Bool, warmedUp: () -> Void
  ) throws(RenderError) -> Bool {
    for earlier in start.frame..<frame {
      if isInterrupted() {
        state.forget()
        return false
      }
      let turn = try plans.turn(toFrame: earlier, onlyForState: true)
      try state.reach(earlier)
      let pending = try submit(earlier, to: turn, startsState: start.isAnew && earlier == start.frame, writesOutputs: false)
      defer { pending.release() }
      try pending.wait()
      nan.look(atMipmapsOf: pending, earlier)
      warmedUp()
    }
    return true
  }

  /// Brings what frames remember forward to a frame, and keeps it as a checkpoint, so that others begin there; false where it was interrupted.
  ///
  /// Throws where the checkpoint cannot be kept.
  package func keepState(before frame: Int, isInterrupted: () -> Bool, warmedUp: () -> Void) throws(RenderError) -> Bool {
    guard let state, frame > request.clock.first else { return true }
    do throws(RenderError) {
      let start = try state.begin(with: frame, isRendered: false)
      guard try warmUp(state, from: start, to: frame, isInterrupted: isInterrupted, warmedUp: warmedUp) else { return false }
      try state.keep(mustSucceed: true)
      return true
    } catch {
      state.forget()
      if error.code == .interrupted { return false }
      throw error
    }
  }

  private func submit(
    _ frame: Int, to turn: ShotPlans.Turn, startsState: Bool = false, writesOutputs: Bool = true
  ) throws(RenderError) -> any PendingFrame {
    let values = try values(of: frame, turn.plan, turn.parameters, startsState: startsState, writesOutputs: writesOutputs)
    submitted()
    return try turn.execution.submit(values)
  }

  /// How many frames the device can work on at once, by the memory of the plan that was used last.
  var framesAtOnce: Int { plans.current.execution.framesInFlight }

  /// How many frames will be rendered only because some that are wanted, in this order, depend on them.
  package func warmUp(for frames: [Int]) -> Int { state?.warmUp(for: frames) ?? 0 }

  /// Keeps what the last frame leaves to the next, so that another run can go on from there; called after the last frame.
  package func keepState() {
    // No more frames are rendered, so a failure of the device here is not one of a frame.
    try? state?.keep()
  }

  /// Makes the next frame begin anew, where frames depend on those before.
  package func forget() { state?.forget() }

  /// Whether frames depend on those before.
  package var hasState: Bool { state != nil }

  /// Goes on from what the last frame of another shot left, for pictures that play while values change; the frames are then not those of a render, until
  /// one comes that does not follow on them.
  ///
  /// - Parameter isSame: whether both shots have the same frames up to now, and differ in later ones.
  /// - Returns: false where the other shot left nothing that fits.
  package func goOn(after other: Shot, isSame: Bool = false) throws(RenderError) -> Bool {
    guard let state, let left = other.state else { return false }
    return try state.goOn(after: left, isSame: isSame || recipe == other.recipe)
  }

  /// The frame that follows on the last one; nil before the first, and where frames do not depend on each other.
  package var nextFrame: Int? { state?.last.map { $0 + 1 } }

  /// Whether the last frame followed on frames of another recipe (`goOn(after:)`), so that a render shows another picture.
  package var hasBorrowedState: Bool { state?.isBorrowed ?? false }

  /// Whether an input shows a sequence or a video.
  package var showsMovingPictures: Bool { leader != nil }

  /// Whether the frames are those of the moving pictures that the shot is made of, because nothing else said which are wanted.
  package var followsPictures: Bool { leader != nil && request.following == nil && (leader?.whole as? VideoSource)?.file.live == nil }

  /// Gives the memory back for other shots; no frame may be unreleased, and none is rendered after it.
  package func finish() { plans.finish() }

  /// What there is to say about checkpoints since it was asked last, and about the files that were read.
  package func takeNotes() -> [Diagnostic] { (state?.takeNotes() ?? []) + sourceNotes }

  /// What there is to say about the files that were read, each once, whatever inputs show them.
  package var sourceNotes: [Diagnostic] {
    sources.sorted { $0.key < $1.key }.flatMap(\.value.notes).reduce(into: [Diagnostic]()) { notes, note in
      if !notes.contains(note) { notes.append(note) }
    }
  }

  /// Looks for NaN in a complete frame.
  func look(at pending: any PendingFrame, _ frame: Int, output: Int = 0) {
    nan.look(at: pending, frame, output: output)
    nan.look(atMipmapsOf: pending, frame)
  }

  /// The frames that hold NaN since it was asked last, by output.
  package func takeFramesWithNaN() -> [FramesWithNaN] { nan.take() }

  /// The passes that left NaN since it was asked last in what later frames or mipmaps hand on, whether results show it or not.
  package func takeHiddenNaN() -> [HiddenNaN] {
    let current = plans.current
    let kept = state?.last.map { HiddenNaN.kept(by: current.execution, current.plan.plan.plan, after: $0) } ?? []
    return nan.takeMipmaps() + kept
  }

  /// The same plan with the same pictures on another executor, one frame at a time.
  package func execution(on backend: any Backend) throws(RenderError) -> any PlanExecution {
    try backend.prepare(plans.first, framesInFlight: 1)
  }

  /// The work of its first frame, and of all others whose values make no other plan.
  package var plan: CheckedPlan { plans.first.plan }
  /// The work of a frame.
  package func plan(ofFrame frame: Int) throws(RenderError) -> Plan { try plans.animation.plan(onFrame: frame).plan.plan.plan }

  /// The pictures of the plan's imported textures.
  package var imports: [PixelBuffer] { plans.first.imports }

  /// The compiled passes, as the compiler made them.
  package var kernels: [Kernel] { plans.first.plan.plan.kernels }

  /// What the passes are given for a frame.
  package func values(of frame: Int, startsState: Bool = false, writesOutputs: Bool = true) throws(RenderError) -> FrameValues {
    let plan = try plans.animation.plan(onFrame: frame)
    return try values(
      of: frame, plan.plan, plans.animation.parameters(of: plan), startsState: startsState, writesOutputs: writesOutputs)
  }

  private func values(
    of frame: Int, _ plan: GraphPlan, _ parameters: PlanParameters, startsState: Bool, writesOutputs: Bool
  ) throws(RenderError) -> FrameValues {
    func state(_ shown: Int) -> FrameState {
      let time = request.time(ofFrame: shown, readFor: frame)
      return FrameState(
        frame: shown, clock: request.clock, time: time, range: range,
        pointer: request.pointer?.computed(at: request.proxy), events: events, date: request.date, sounds: sounds,
        playTimes: sources.mapValues { $0.playTime(at: time) })
    }
    let pictures = try pictures(of: plan.streams, at: request.time(ofFrame: frame))
    let moments = plans.animation.moments
    let states = plan.otherMoments.map { ($0, state(moments.frame(frame, at: $0).frame)) }
    var values = plan.values(
      frame: frame, state: state(frame), states: Dictionary(uniqueKeysWithValues: states),
      parameters: parameters.values(plans.animation.values(onFrame: frame)), pictures: pictures,
      startsState: startsState, writesOutputs: writesOutputs)
    values.cancellation = request.cancellation
    return values
  }

  /// The pictures of some streams; what shows earlier is read before, because videos are decoded forwards.
  private func pictures(of streams: [String], at time: Rational) throws(RenderError) -> [FramePicture] {
    let shown = streams.map { name in
      guard let source = sources[name] else { preconditionFailure("a stream '\(name)' without a source") }
      return source
    }
    var pictures: [Int: FramePicture] = [:]
    let times = shown.map { $0.shownTime(at: time) }
    for index in shown.indices.sorted(by: { times[$0] < times[$1] }) { pictures[index] = try shown[index].picture(at: time) }
    return shown.indices.compactMap { pictures[$0] }
  }

  /// What the file of a frame says about itself.
  package func provenance(of frame: Int, output index: Int = 0) throws(RenderError) -> FrameProvenance {
    var provenance = FrameProvenance(
      recipe: try recipe(of: frame, output: index), filter: subject.name, values: subject.values, frame: frame,
      time: request.time(ofFrame: frame),
      rate: request.clock.rate,
      version: EtalonVersion.current, scale: request.proxy.factor, standIns: subject.standIns)
    for (name, moments) in readMoments {
      let frames = Set(moments.map { plans.animation.moments.frame(frame, at: $0).frame } + [frame])
      provenance.frames[name] = frames.sorted().map(String.init).joined(separator: " ")
    }
    return provenance
  }

  /// Writes what a sequence of files cannot say by itself beside the frames.
  func writeSidecar(for files: ExportedFile, frames: [Int], policy: ReplacePolicy) throws(RenderError) {
    let (pattern, index) = (files.pattern, index(ofOutput: files.outputs[0]))
    let path = SequenceSidecar.path(for: pattern)
    let recipe = files.recipe { self.recipe(ofOutput: self.index(ofOutput: $0)) }
    let earlier = earlierFrames(path, pattern, recipe)
    guard let range = FrameRange((earlier + frames).sorted()) ?? FrameRange(frames) else { return }
    var sidecar = SequenceSidecar(
      pattern: pattern.fileName, rate: request.clock.rate, first: request.clock.first, frames: range, size: outputs[index].size,
      bits: files.bits(of: self), alpha: outputs[index].alpha, filter: subject.name, values: subject.values, recipe: recipe,
      version: EtalonVersion.current, scale: request.proxy.factor, standIns: subject.standIns)
    sidecar.isLight = files.numbers != nil
    try sidecar.write(to: path, replacing: policy)
  }

  /// The frames of the same recipe that an earlier run left and that are still there: a shot may be rendered in parts.
  private func earlierFrames(_ path: String, _ pattern: FramePattern, _ recipe: String) -> [Int] {
    guard let earlier = try? SequenceSidecar(path: path), earlier.recipe == recipe, earlier.pattern == pattern.fileName else { return [] }
    return earlier.frames.frames.filter { FileManager.default.fileExists(atPath: pattern.path(frame: $0)) }
  }

  /// Writes a picture that was made of frames of this shot.
  package func write(_ picture: PixelBuffer, to path: String, policy: ReplacePolicy) throws(RenderError) {
    try PictureFile.write(picture, to: path, provenance: try provenance(of: frames[0]), settings: PNGSettings(compression), policy: policy)
  }
}
