internal import Etalon
internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonMedia
internal import EtalonTypes

/// What a session knows and does, on a thread of its own: it applies errands in their order, and renders the newest state for the pages that wait.
///
/// Nothing here is shared: other threads post errands.
final class PreviewEngine {
  /// One page, and what it was shown.
  struct Page {
    let outlet: PageOutlet
    var view = PageView()
    /// The number of the newest request that was applied, which the header of a picture tells.
    var number = 0
    /// The number of the newest request that changed the picture, which tells whether the page needs another one.
    var pictureNumber = 0
    /// Whether a picture is on its way that the page did not show yet.
    var isWaiting = false
    /// What the page was shown last.
    var shown: Shown?
    /// When a picture for the page was begun last: pages whose turn is longer ago come first.
    var turn = 0
  }

  /// What tells one picture that was sent from another.
  struct Shown: Equatable {
    let revision: Int
    let frame: Int
    let form: PreviewForm
    let encoding: PictureEncoding
    let number: Int
  }

  /// A frame that could not be rendered.
  struct Failure {
    let revision: Int
    let frame: Int
    let found: [Diagnostic]
  }

  let source: any PreviewSource
  let settings: PreviewSettings
  let inbox: Inbox
  let place: SessionPlace
  var renderer = ShotRenderer(keeping: .plans)
  /// The streams and cameras of the subject, which go on while it changes.
  let streams: StreamStore

  var pages: [Int: Page] = [:]
  var changes = PreviewChanges()
  /// Texts that pages try without saving them, by path.
  var trials: [String: TextTrial] = [:]
  /// What is shown; nil while nothing could be rendered yet.
  var subject: PreviewSubject?
  /// What is wrong with the files as they are now; empty while the subject shows them.
  var problems: [Diagnostic] = []
  var head = PlayHead(0...0, isEndless: true, framesPerSecond: 60)
  /// Counts what changes pictures apart from the frame.
  var revision = 0
  /// What was wrong with the frame that failed last, which is not tried again before something changes; nil once another one could be shown.
  var failed: Failure?
  var files: TextFiles
  var recorder = InputRecorder()
  var jobs: JobRunner
  var presets: [PageMessage.State.Preset] = []
  /// The files that the subject is made of as they are on disk, which pages have opened wherever they lie.
  var known: [String] = []
  /// The hashes of files that pages saved, by path.
  var written: [String: String] = [:]
  /// Counts the pictures that were begun.
  var turns = 0
  private var lastClock: PageMessage.Clock?
  private var isFinished = false

  init(_ source: any PreviewSource, _ settings: PreviewSettings, _ inbox: Inbox, _ place: SessionPlace) {
    (self.source, self.settings, self.inbox, self.place) = (source, settings, inbox, place)
    streams = StreamStore(showingNowUntil: inbox.ending)
    files = TextFiles()
    jobs = JobRunner(inbox)
  }

  /// Works until the session ends.
  ///
  /// - Parameter tellStart: called with what is wrong with the files at start.
  func run(_ tellStart: ([Diagnostic]) -> Void = { _ in }) {
    rebuild()
    if !problems.isEmpty { tellStart(problems) }
    while !isFinished {
      for errand in Self.newest(of: inbox.take(until: deadline)) { apply(errand) }
      // A frame that was cancelled for the end is not rendered again.
      guard !isFinished else { break }
      if head.advance(follows: subject?.hasState ?? false), !head.isPlaying { tellClock() }
      prepareMore()
      showPictures()
    }
    jobs.finish()
    for page in pages.values { page.outlet.close() }
    subject?.finish()
  }

  /// When there is something to do without an errand; nil while there is not.
  private var deadline: ContinuousClock.Instant? {
    if pages.values.contains(where: isDue) { return .now }
    return pages.values.contains { !$0.isWaiting && $0.view.isKnown } ? head.nextFrame : nil
  }

  /// The errands without requests that later ones of the same page replace.
  static func newest(of errands: [Errand]) -> [Errand] {
    errands.enumerated().filter { index, errand in
      guard case .request(let page, let request) = errand else { return true }
      for case .request(let other, let later) in errands[(index + 1)...] {
        // What looks at the state has to see what came before it.
        if later.looksAtState { return true }
        if other == page, later.replaces(request) { return false }
      }
      return true
    }.map(\.element)
  }

  // MARK: errands

  private func apply(_ errand: Errand) {
    switch errand {
    case .joined(let page, let outlet):
      pages[page] = Page(outlet: outlet)
      outlet.send(.state(state))
      outlet.send(.clock(clock))
      tellConflicts(outlet)
      outlet.send(diagnosticsMessage)
      if let job = jobs.last { outlet.send(.job(job)) }
    case .left(let page): pages.removeValue(forKey: page)?.outlet.close()
    case .request(let page, let request): apply(request, of: page)
    case .unreadable(let page, let text): pages[page]?.outlet.send(.refused(.init(number: nil, name: nil, text: text, help: nil)))
    case .changed(let paths): filesChanged(paths)
    case .job(let job):
      jobs.note(job)
      tellAll(.job(job))
    case .failed(let text): tellAll(.refused(.init(number: nil, name: nil, text: text, help: nil)))
    case .told(let page, let message): tell(page, message)
    case .finish: isFinished = true
    }
  }

  private func apply(_ request: PageRequest, of page: Int) {
    guard let known = pages[page]?.number else { return }
    if let number = request.number, request.kind != .shown {
      pages[page]?.number = max(number, known)
      if request.changesPicture { pages[page]?.pictureNumber = number }
    }
    do { try perform(request, of: page) } catch { tell(page, .refused(error, number: request.number, name: request.name)) }
  }

  private func perform(_ request: PageRequest, of page: Int) throws {
    switch request.kind {
    case .shown: pages[page]?.isWaiting = false
    case .view: try changeView(request, of: page)
    case .seek, .play, .pause, .step: try move(request)
    case .set, .values: try setValues(request, of: page)
    case .input: try setInput(request, of: page)
    case .mouse, .key, .record, .saveEvents: try record(request, of: page)
    case .pixel: try tellPixel(request, of: page)
    case .text, .revert, .save: try edit(request, of: page)
    case .openEditor: try openEditor(request)
    case .savePreset: try savePreset(request, of: page)
    case .command: tell(page, .command(try commandLine(wish(request))))
    case .render: try startJob(request, of: page)
    case .cancelRender: jobs.cancel()
    case .addCase: try addCase(request, of: page)
    }
  }

  // MARK: telling

  func tell(_ page: Int, _ message: PageMessage) { pages[page]?.outlet.send(message) }

  func tellAll(_ message: PageMessage) { for page in pages.values { page.outlet.send(message) } }

  /// Where the play head is.
  var clock: PageMessage.Clock {
    let clock = subject?.clock ?? ShotClock()
    func time(_ frame: Int) -> Double { clock.time(ofFrame: frame).double }
    return PageMessage.Clock(
      time: time(head.frame), frame: head.frame, playing: head.isPlaying, rate: head.rate,
      loop: head.loop.map { [time($0.lowerBound), time($0.upperBound)] }, dropped: head.dropped)
  }

  /// Tells all pages where the play head is, unless they know; while it moves they are told with the pictures.
  func tellClock() {
    let clock = clock
    guard clock != lastClock else { return }
    if let last = lastClock, clock.playing, last.playing, (clock.rate, clock.loop) == (last.rate, last.loop) { return }
    lastClock = clock
    tellAll(.clock(clock))
  }

  /// What is wrong with the files as they are now, and what is worth saying about the subject.
  var diagnosticsMessage: PageMessage {
    let found = problems.isEmpty ? failed?.found ?? subject?.warnings ?? [] : problems
    let list = found.map { PageDiagnostic($0, files: files.paths) }
    return .diagnostics(.init(list: list, rendering: subject != nil))
  }

  // MARK: time

  private func move(_ request: PageRequest) throws {
    let clock = subject?.clock ?? ShotClock()
    switch request.kind {
    case .seek:
      if let frame = request.frame {
        head.seek(try checked(frame))
      } else if let time = request.time {
        head.seek(try checked(frame(at: time, clock)))
      }
    case .play:
      let rate = request.rate ?? 1
      guard rate.isFinite, rate != 0, rate.magnitude <= 16 else {
        throw DiagnosticsError(Diagnostic("preview.rate", "a speed of \(rate) is not one from -16 to 16 without 0"))
      }
      var loop: ClosedRange<Int>?
      if let marks = request.loop, marks.count == 2 {
        let frames = try marks.map { try checked(frame(at: $0, clock)) }
        guard frames[0] < frames[1] else { throw DiagnosticsError(Diagnostic("preview.loop", "the loop ends before it begins")) }
        loop = frames[0]...frames[1]
      }
      head.play(rate: rate, loop: loop)
    case .pause: head.pause()
    default:
      guard case .count(let count)? = request.frames else { return }
      head.pause()
      head.seek(head.frame + max(-1000, min(count, 1000)))
    }
    tellClock()
  }

  /// Prepares the frame at the play head, where it was not yet; what is wrong with it is told.
  private func prepareMore() {
    do { try extendWindow() } catch {
      head.pause()
      failed = Failure(revision: revision, frame: head.frame, found: diagnostics(of: error))
      tellAll(diagnosticsMessage)
      tellClock()
    }
  }

  private func frame(at time: Double, _ clock: ShotClock) throws -> Int {
    guard time.isFinite, time.magnitude < 1e8 else { throw DiagnosticsError(Diagnostic("preview.time", "\(time) is no time of a shot")) }
    // A time that a page shows is rounded, and means the frame that is there.
    return clock.frame(at: Rational(Int((time * 1e6).rounded())) / Rational(1_000_000) + Rational(1) / Rational(200_000))
  }

  private func checked(_ frame: Int) throws -> Int {
    let range = head.range
    guard frame >= range.lowerBound, head.isEndless ? frame < range.lowerBound + Self.mostFrames : frame <= range.upperBound + 1 else {
      throw DiagnosticsError(
        Diagnostic(
          "frames.outside-shot", "frame \(frame) lies outside of the shot, which has the frames \(range.lowerBound) to \(range.upperBound)")
      )
    }
    return frame
  }

  /// So far a shot without an end is looked at.
  private static let mostFrames = 10_000_000
}
