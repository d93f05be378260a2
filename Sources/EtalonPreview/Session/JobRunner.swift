internal import Etalon
internal import EtalonDiagnostics
internal import EtalonSystem
internal import EtalonTypes
internal import Synchronization

/// Renders a job beside the preview, the same way as the command, and tells how far it is.
///
/// **Concurrency**: used by the engine's thread; the job has its own.
final class JobRunner {
  private let inbox: Inbox
  private var cancellation: Cancellation?
  private var thread: ThreadTask<Void>?
  /// How far the last job was.
  private(set) var last: PageMessage.Job?

  init(_ inbox: Inbox) { self.inbox = inbox }

  var isRunning: Bool { last?.state == .running }

  /// Takes over what the job's thread told.
  func note(_ job: PageMessage.Job) { last = job }

  /// Refuses a job while another one runs.
  func checkIsFree() throws(DiagnosticsError) {
    guard !isRunning else {
      throw DiagnosticsError(
        Diagnostic("preview.job", "'\(last?.output ?? "")' is being rendered", help: ["cancel it, or wait for its end"]))
    }
  }

  /// Starts a job; refused while another one runs.
  func start(_ export: PreviewExport, output: String) throws {
    try checkIsFree()
    let cancellation = Cancellation()
    let progress = JobProgress(inbox, output: output)
    thread = try ThreadTask(.deep) { Self.run(export, progress, cancellation) }
    self.cancellation = cancellation
    last = progress.job(.running)
  }

  /// Ends the job in the middle of a frame; files that are whole stay.
  func cancel() { cancellation?.cancel() }

  /// Cancels the job and waits for its end, so that it leaves no files behind.
  func finish() {
    cancel()
    thread?.wait()
    thread = nil
  }

  private static func run(_ export: PreviewExport, _ progress: JobProgress, _ cancellation: Cancellation) {
    do {
      var request = export.request
      request.cancellation = cancellation
      if case .video(let video) = export.destination { request = request.making(video) }
      let shot = try ShotRenderer().prepare(request)
      try export.check(shot)
      let summary: RenderSummary
      switch export.destination {
      case .sequence(let destination):
        summary = try SequenceExport(shot, to: destination) {
          progress.observe($0)
        } isInterrupted: {
          cancellation.isCancelled
        }.run()
      case .video(let destination):
        summary = try VideoExport(shot, to: destination) {
          progress.observe($0)
        } isInterrupted: {
          cancellation.isCancelled
        }.run().summary
      }
      progress.end(summary.wasInterrupted || cancellation.isCancelled ? .cancelled : .done)
    } catch {
      if cancellation.isCancelled { return progress.end(.cancelled) }
      progress.end(.failed, diagnostics(of: error).map(\.message).joined(separator: "\n"))
    }
  }
}

/// How far a job is.
///
/// **Concurrency**: usable from every thread.
private final class JobProgress: Sendable {
  private struct State {
    var total = 0
    var done = 0
    var start = ContinuousClock.now
    var told: ContinuousClock.Instant?
  }

  private static let interval = Duration.milliseconds(100)

  private let inbox: Inbox
  private let output: String
  private let state = Mutex(State())

  init(_ inbox: Inbox, output: String) { (self.inbox, self.output) = (inbox, output) }

  func observe(_ event: RenderEvent) {
    let isWorthTelling = state.withLock { state in
      switch event {
      case .started(let frames, _, let warmUp, _, _):
        (state.total, state.start) = (frames + warmUp, .now)
        return true
      case .warmedUp, .written, .encoded, .rendered, .failed: state.done += 1
      case .sheetWritten: return false
      }
      if let told = state.told, .now - told < Self.interval { return false }
      state.told = .now
      return true
    }
    if isWorthTelling { inbox.post(.job(job(.running))) }
  }

  func end(_ end: PageMessage.Job.State, _ text: String? = nil) { inbox.post(.job(job(end, text))) }

  func job(_ end: PageMessage.Job.State, _ text: String? = nil) -> PageMessage.Job {
    let state = state.withLock(\.self)
    let seconds = (ContinuousClock.now - state.start).seconds
    let rate = seconds > 0 ? Double(state.done) / seconds : 0
    return PageMessage.Job(
      frames: state.total, finished: min(state.done, state.total), rate: rate,
      left: rate > 0 ? Double(max(state.total - state.done, 0)) / rate : nil, output: output, state: end, text: text)
  }
}
