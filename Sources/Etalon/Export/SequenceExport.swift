public import EtalonDiagnostics
package import EtalonMedia
internal import EtalonPlan
internal import EtalonSystem
public import EtalonTypes
internal import Synchronization

/// Renders frames of a shot and writes them while the next ones are rendered.
///
/// `run` does all of it; those who have other work between two frames call `begin`, `render` for each of the wanted frames, and `finish` or `cancel`.
///
/// **Concurrency**: everything blocks its thread; frames are rendered by one thread at a time; events come from several threads, one at a time.
package struct SequenceExport: Sendable {
  /// Where the frames of a shot go.
  package struct Destination: Sendable {
    /// An output and the names of its frames.
    package struct Files: Sendable, Hashable {
      /// Nil means the result.
      package let output: String?
      /// Outputs with the same pattern are layers of the same OpenEXR files.
      package let pattern: FramePattern
      /// The numbers of OpenEXR files; nil for other files.
      package let numbers: EXRPart.Numbers?

      package init(output: String? = nil, pattern: FramePattern, numbers: EXRPart.Numbers? = nil) {
        self.output = output
        self.pattern = pattern
        self.numbers = numbers
      }
    }

    /// Empty when only a contact sheet is wanted.
    package var files: [Files]
    package var contactSheet: String?
    package var policy: ReplacePolicy = .ownFrames
    /// Whether frames that are there already, whole and of the same recipe, are kept.
    package var resumes = false
    /// Whether other frames are still rendered after one failed.
    package var keepsGoing = false
    /// Which part of the work is done here; nil for all of it.
    package var portion: WorkPortion?
    /// What notes the files that are written; nil where no records are wanted.
    package var recorder: FrameRecordWriter?

    /// Each file of a frame once.
    var exported: [ExportedFile] {
      files.reduce(into: []) { all, file in
        if let place = all.firstIndex(where: { $0.pattern == file.pattern && $0.numbers != nil }) {
          all[place].outputs.append(file.output)
        } else {
          all.append(ExportedFile(pattern: file.pattern, numbers: file.numbers, outputs: [file.output]))
        }
      }
    }

    /// What frames and what is written beside them may replace: a run that goes on renders frames again of which nothing was kept.
    fileprivate var replaced: ReplacePolicy { resumes && policy == .ownFrames ? .ownFramesAndEmpty : policy }

    package init(files: [Files], contactSheet: String?) {
      self.files = files
      self.contactSheet = contactSheet
    }
  }

  private let shot: Shot
  private let destination: Destination
  private let observe: @Sendable (RenderEvent) -> Void
  private let isInterrupted: @Sendable () -> Bool

  package init(
    _ shot: Shot, to destination: Destination, observe: @escaping @Sendable (RenderEvent) -> Void,
    isInterrupted: @escaping @Sendable () -> Bool
  ) {
    self.shot = shot
    self.destination = destination
    self.observe = observe
    self.isInterrupted = isInterrupted
  }

  /// Renders and writes all frames; throws the first failure unless it was told to keep going.
  package func run() throws -> RenderSummary {
    let work = try begin()
    do {
      if let shared = work.shared {
        try render(shared, work)
      } else {
        var wanted = work.wanted
        while wanted.allSatisfy({ render($0, work) }), try shot.advance() { wanted = shot.frames }
      }
    } catch {
      work.pool.finish()
      throw error
    }
    return try finish(work)
  }

  /// An export that was begun.
  struct Work: Sendable {
    /// The frames that have to be rendered, in their order.
    let wanted: [Int]
    fileprivate let kept: Set<Int>
    fileprivate let progress: ExportProgress
    fileprivate let sheet: SheetCollector?
    fileprivate let pool: FrameWriterPool
    /// Nil where no other process does the same work.
    fileprivate let shared: SharedFrames?
  }

  /// Looks for frames that are there already; refuses files that may not be replaced before anything is rendered.
  func begin() throws(RenderError) -> Work {
    if shot.isLive, destination.resumes || destination.contactSheet != nil {
      let option = destination.resumes ? "--resume" : "--contact-sheet"
      throw RenderError(
        .usage, "'\(option)' needs all frames of the shot, and those of a live stream come one after the other", help: ["leave it out"])
    }
    try destination.portion?.check(shot, contactSheet: destination.contactSheet)
    let frames = destination.portion?.frames(of: shot.frames) ?? shot.frames
    let kept = try keptFrames(frames)
    let wanted = frames.filter { !kept.contains($0) }
    observe(
      .started(
        frames: shot.isLive ? 0 : wanted.count, kept: kept.count, warmUp: shot.warmUp(for: wanted), size: shot.size, device: shot.deviceName
      ))
    let shared = try destination.portion?.shared(shot, destination.exported, kept: kept, isComplete: isComplete)
    return Work(
      wanted: wanted, kept: kept,
      progress: ExportProgress(observe: observe, stopsAtFailure: !destination.keepsGoing) { shared?.end($0, isDone: $1) },
      sheet: destination.contactSheet.map { _ in SheetCollector(frames: frames) },
      pool: try FrameWriterPool(threads: shot.writerThreads, queueLength: Shot.framesInFlight, settings: PNGSettings(shot.compression)),
      shared: shared)
  }

  /// Renders a frame and hands it to the threads that write; false where no other is to follow.
  func render(_ frame: Int, _ work: Work) -> Bool {
    guard !work.progress.isStopped, !isInterrupted() else { return false }
    export(frame, pool: work.pool, progress: work.progress, sheet: work.sheet)
    return true
  }

  /// Renders frames that this process claims, until all are done.
  private func render(_ shared: SharedFrames, _ work: Work) throws(RenderError) {
    while let frames = try shared.next(isInterrupted: { isInterrupted() || work.progress.isStopped }) {
      for frame in frames {
        guard render(frame, work) else { break }
      }
    }
  }

  /// Waits for all files, and writes what is beside them.
  func finish(_ work: Work) throws(RenderError) -> RenderSummary {
    shot.keepState()
    if work.progress.isStopped { work.pool.cancel() } else { work.pool.finish() }
    // What others call done has to be there.
    let others = (work.shared?.leave() ?? []).filter { work.kept.contains($0) || work.progress.written.contains($0) || isComplete($0) }
    if let failure = work.progress.stoppingFailure { throw failure }
    let done = work.progress.written, kept = work.kept.union(others).subtracting(done)
    let frames = shot.isLive ? done.sorted() : shot.frames.filter { done.contains($0) || kept.contains($0) }
    if !frames.isEmpty { try writeSidecars(frames) }
    if let sheet = work.sheet, let path = destination.contactSheet { try finish(sheet, at: path, kept: kept) }
    let count = work.shared == nil ? work.wanted.count + work.kept.count : shot.frames.count
    if work.shared != nil, !isInterrupted(), done.count + kept.count + work.progress.failureCount < count {
      throw RenderError(
        .tryAgain, "some of the \(count.of("frame")) are not there, although another process says that they are",
        help: ["look whether the folder shows them, and type the same command again"])
    }
    return RenderSummary(
      written: done.count, kept: kept.count, failed: work.progress.failureCount,
      wasInterrupted: shot.isLive ? isInterrupted() : done.count + kept.count + work.progress.failureCount < count)
  }

  /// Lets the files that are being written finish, and drops the others.
  func cancel(_ work: Work) {
    work.pool.cancel()
    _ = work.shared?.leave()
  }

  private func writeSidecars(_ frames: [Int]) throws(RenderError) {
    for files in destination.exported where files.pattern.hasNumber {
      guard destination.portion != nil else {
        try shot.writeSidecar(for: files, frames: frames, policy: destination.replaced)
        continue
      }
      // Runs that make other parts may end at the same time: whoever writes last has to have seen the frames of all.
      var present: [Int]
      repeat {
        present = files.presentFrames(of: shot)
        try shot.writeSidecar(for: files, frames: present, policy: destination.replaced)
      } while files.presentFrames(of: shot) != present
    }
  }

  /// The frames that need not be rendered, because all of their files are there; refuses files that may not be replaced before anything is
  /// rendered.
  private func keptFrames(_ frames: [Int]) throws(RenderError) -> Set<Int> {
    if let sheet = destination.contactSheet { try destination.replaced.check(sheet) }
    guard !destination.files.isEmpty else { return [] }
    if destination.files.contains(where: { $0.numbers != nil }) { try EXRLibrary.check() }
    for files in destination.exported { try files.checkSizes(of: shot) }
    // A contact sheet of frames that have no file needs all of them again.
    let canKeep = destination.contactSheet == nil || destination.files.contains { shot.index(ofOutput: $0.output) == 0 }
    var kept = canKeep ? Set(frames) : []
    for files in destination.exported {
      kept.formIntersection(try completeFrames(frames, of: files))
      if files.pattern.hasNumber { try SequenceSidecar.check(SequenceSidecar.path(for: files.pattern), destination.replaced) }
    }
    return kept
  }

  /// Whether all files of a frame are there, whole and of the same recipe.
  private func isComplete(_ frame: Int) -> Bool { destination.exported.allSatisfy { isComplete(frame, $0) } }

  private func isComplete(_ frame: Int, _ files: ExportedFile) -> Bool {
    // A picture that cannot be read is reported when its frame is rendered.
    guard let recipe = try? files.recipe(of: frame, in: shot) else { return false }
    let output = shot.index(ofOutput: files.outputs[0])
    let check = ResumeCheck(size: shot.outputs[output].size, bits: files.bits(of: shot))
    return check.state(of: files.pattern.path(frame: frame), recipe: recipe) == .complete
  }

  private func completeFrames(_ frames: [Int], of files: ExportedFile) throws(RenderError) -> Set<Int> {
    var complete: Set<Int> = []
    for frame in frames {
      if destination.resumes, isComplete(frame, files) {
        complete.insert(frame)
      } else {
        try destination.replaced.check(files.pattern.path(frame: frame))
      }
    }
    return complete
  }

  private func export(_ frame: Int, pool: FrameWriterPool, progress: ExportProgress, sheet: SheetCollector?) {
    let pending: any PendingFrame
    do throws(RenderError) {
      guard let submitted = try shot.submit(frame, isInterrupted: isInterrupted, warmedUp: progress.warmUp) else { return }
      pending = submitted
    } catch {
      return progress.fail(frame, error)
    }
    guard !destination.files.isEmpty else {
      defer { pending.release() }
      do throws(RenderError) {
        try pending.wait()
        shot.look(at: pending, frame)
        sheet?.add(frame, PendingRows(pending, shot.output))
        progress.succeed(frame, paths: [])
      } catch {
        progress.fail(frame, error)
      }
      return
    }
    let files: [FrameJob.File]
    do throws(RenderError) {
      files = try self.files(of: frame, pending, sheet)
    } catch {
      pending.release()
      return progress.fail(frame, error)
    }
    pool.submit(
      FrameJob(files: files, policy: destination.replaced) { result in
        // A frame that was dropped from the queue may still be worked on; its memory is not free before that has ended.
        if case .failure = result { try? pending.wait() }
        pending.release()
        do throws(RenderError) {
          try result.get()
          try record(files, frame)
          progress.succeed(frame, paths: files.map(\.path))
        } catch {
          progress.fail(frame, error)
        }
      })
  }

  /// Notes the files of a frame, where records are wanted.
  private func record(_ files: [FrameJob.File], _ frame: Int) throws(RenderError) {
    guard let recorder = destination.recorder else { return }
    for (file, exported) in zip(files, destination.exported) {
      let output = exported.outputs[0] ?? shot.outputNames[0]
      try recorder.add(file.path, frame: frame, output: output, recipe: file.provenance.recipe, device: shot.deviceName)
    }
  }

  /// The files of a frame; the first that is written also puts the frame on the contact sheet.
  private func files(of frame: Int, _ pending: any PendingFrame, _ sheet: SheetCollector?) throws(RenderError) -> [FrameJob.File] {
    var jobs: [FrameJob.File] = []
    for (place, files) in destination.exported.enumerated() {
      let shot = shot
      var provenance = try shot.provenance(of: frame, output: shot.index(ofOutput: files.outputs[0]))
      provenance.recipe = try files.recipe(of: frame, in: shot)
      let layers = files.outputs.enumerated().map { number, output -> (name: String, rows: FrameJob.File.Rows) in
        let index = shot.index(ofOutput: output)
        let rows: FrameJob.File.Rows = { () throws(RenderError) in
          try pending.wait()
          shot.look(at: pending, frame, output: index)
          if place == 0, number == 0 { sheet?.add(frame, PendingRows(pending, shot.output)) }
          return PendingRows(pending, shot.outputs[index], at: index)
        }
        return (files.layer(number), rows)
      }
      let path = files.pattern.path(frame: frame)
      jobs.append(
        files.numbers.map { FrameJob.File(path: path, provenance: provenance, numbers: $0, layers: layers) }
          ?? FrameJob.File(path: path, provenance: provenance, rows: layers[0].rows))
    }
    return jobs
  }

  private func finish(_ sheet: SheetCollector, at path: String, kept: Set<Int>) throws(RenderError) {
    for frame in sheet.frames where kept.contains(frame) {
      guard let files = destination.files.first(where: { shot.index(ofOutput: $0.output) == 0 }) else { continue }
      sheet.add(frame, try PictureReader().read(path: files.pattern.path(frame: frame)))
    }
    guard let picture = sheet.compose() else { return }
    try shot.write(picture, to: path, policy: destination.replaced)
    observe(.sheetWritten(path: path))
  }
}

// MARK: files

/// A file that each frame becomes: an output, or several as the layers of an OpenEXR file.
struct ExportedFile {
  let pattern: FramePattern
  /// The numbers of an OpenEXR file; nil for other files.
  let numbers: EXRPart.Numbers?
  /// Nil means the result.
  var outputs: [String?]

  /// Bits of a number.
  func bits(of shot: Shot) -> Int { numbers.map { $0 == .half ? 16 : 32 } ?? shot.bits(ofOutput: shot.index(ofOutput: outputs[0])) }

  /// The name of a layer: none for the result, and for the one picture of a file.
  func layer(_ number: Int) -> String { outputs.count == 1 ? "" : outputs[number] ?? "" }

  /// What all of its pixels and their numbers depend on.
  func recipe(of frame: Int, in shot: Shot) throws(RenderError) -> String {
    var recipes: [String?: String] = [:]
    for output in outputs { recipes[output] = try shot.recipe(of: frame, output: shot.index(ofOutput: output)) }
    return recipe { recipes[$0] ?? "" }
  }

  /// The same from the recipes of its outputs.
  func recipe(_ recipe: (String?) -> String) -> String {
    guard outputs.count > 1 else { return recipe(outputs[0]) }
    let text = outputs.map { "\($0 ?? "") \(recipe($0))" }.joined(separator: "\n")
    return ContentHash(of: Array(text.utf8)).description
  }

  /// The wanted frames that have a file, whatever made it.
  func presentFrames(of shot: Shot) -> [Int] { shot.frames.filter { FileKind(path: pattern.path(frame: $0)) == .regular } }

  /// Layers of a file have one size.
  func checkSizes(of shot: Shot) throws(RenderError) {
    let sizes = outputs.map { shot.outputs[shot.index(ofOutput: $0)].size }
    guard let other = sizes.firstIndex(where: { $0 != sizes[0] }) else { return }
    throw RenderError(
      .usage,
      "'\(pattern)' cannot have \(outputs[0].map { "the output '\($0)'" } ?? "the result"), \(sizes[0]), and the output '\(outputs[other] ?? "")', \(sizes[other]), as layers",
      underlying: "the layers of a file have one size", help: ["give each of them a file of its own"])
  }
}

// MARK: progress

/// What became of the frames of an export so far.
///
/// **Concurrency**: usable from every thread; events leave one at a time.
private final class ExportProgress: Sendable {
  private struct State {
    var written: Set<Int> = []
    var failureCount = 0
    var stoppingFailure: RenderError?
  }

  private let state = Mutex(State())
  private let observe: @Sendable (RenderEvent) -> Void
  private let stopsAtFailure: Bool
  private let ended: @Sendable (Int, Bool) -> Void

  /// - Parameter ended: called with each frame that is done or failed, and with which of both it is.
  init(
    observe: @escaping @Sendable (RenderEvent) -> Void, stopsAtFailure: Bool, ended: @escaping @Sendable (Int, Bool) -> Void
  ) {
    self.observe = observe
    self.stopsAtFailure = stopsAtFailure
    self.ended = ended
  }

  /// Whether a failure ended the export.
  var isStopped: Bool { state.withLock { $0.stoppingFailure != nil } }

  /// The failure that ended the export.
  var stoppingFailure: RenderError? { state.withLock { $0.stoppingFailure } }

  /// The frames that are done.
  var written: Set<Int> { state.withLock { $0.written } }

  /// How many frames failed.
  var failureCount: Int { state.withLock { $0.failureCount } }

  /// Tells of a frame that is rendered only for others.
  func warmUp() { state.withLock { _ in observe(.warmedUp) } }

  func succeed(_ frame: Int, paths: [String]) {
    state.withLock { state in
      state.written.insert(frame)
      observe(paths.isEmpty ? .rendered(label: "\(frame)") : .written(frame: frame, paths: paths))
    }
    ended(frame, true)
  }

  /// Notes a failure; those that follow from an export that was already stopped say nothing new, and a frame that was interrupted on purpose did not fail.
  ///
  /// A device that is lost fails every later frame too, so that ends the export in any case.
  func fail(_ frame: Int, _ error: RenderError) {
    state.withLock { state in
      guard state.stoppingFailure == nil, error.code != .interrupted else { return }
      state.failureCount += 1
      if stopsAtFailure || error.code.isTemporary {
        state.stoppingFailure = error
      } else {
        observe(.failed(frame: frame, error))
      }
    }
    ended(frame, false)
  }
}

// MARK: events

/// What happens while frames are rendered, for displays of progress.
public enum RenderEvent: Sendable {
  /// Rendering begins: how many frames will be rendered (0 for as many as a live stream gives), how many are there already and are kept, and how many others are rendered only because some of
  /// the wanted ones depend on them.
  case started(frames: Int, kept: Int, warmUp: Int, size: Size, device: String)
  /// A frame is rendered that others depend on, and that is not wanted for itself.
  case warmedUp
  /// The files of a frame are in their places.
  case written(frame: Int, paths: [String])
  /// A frame is in the video; how many seconds that lasts so far, and how many bytes it has.
  case encoded(frame: Int, seconds: Double, bytes: Int)
  /// A picture was rendered that gets no file of its own, but a place on a contact sheet.
  case rendered(label: String)
  /// A frame could not be rendered or written; only under `keepsGoing` do others follow.
  case failed(frame: Int, RenderError)
  /// A contact sheet is in its place.
  case sheetWritten(path: String)
}

/// How rendering ended.
public struct RenderSummary: Sendable, Hashable {
  /// Frames that were rendered and written.
  public let written: Int
  /// Frames that were there already.
  public let kept: Int
  /// Frames that failed.
  public let failed: Int
  /// Whether an interruption ended it before the last frame.
  public let wasInterrupted: Bool

  package init(written: Int, kept: Int, failed: Int, wasInterrupted: Bool) {
    self.written = written
    self.kept = kept
    self.failed = failed
    self.wasInterrupted = wasInterrupted
  }
}
