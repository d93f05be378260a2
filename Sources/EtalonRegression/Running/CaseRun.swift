package import Etalon
internal import EtalonComparison
package import EtalonDiagnostics
internal import EtalonManifest
internal import EtalonMedia
internal import EtalonSystem
internal import EtalonTypes
internal import Foundation

/// Runs cases one after the other in this process: renders each twice, compares, and tries its invariants.
///
/// **Concurrency**: blocks its thread; used by one thread at a time.
package final class CaseRun {
  /// What all cases have in common.
  package struct Settings: Sendable, Hashable, Codable {
    /// What `--device` says.
    package var device: String?
    /// The folder that paths in results start from.
    package var folder: String
    /// The folder in it where pictures of what is not fine are written.
    package var pictures: String
    /// Whether pictures are written of everything, because they are going to be recorded.
    package var keepsAll = false
    /// Whether pictures are written of what is fine, too, because a report is going to show them.
    package var showsAll = false
    /// Seconds that a case may take, and a single render, and finding out why it fails.
    package var timeout: Double?
    /// Whether the causes of failures are worked out; when a case runs again, its cause is known.
    package var explains = true
    /// Today, as `2026-05-01`, which expectations may expire on.
    package var today: String

    package init(device: String?, folder: String, pictures: String, today: String) {
      (self.device, self.folder, self.pictures, self.today) = (device, folder, pictures, today)
    }
  }

  let settings: Settings
  package let device: TestDevice
  /// How finely the device filters textures.
  let samplerPrecision: SamplerPrecision
  let library: FilterLibrary
  let renderer: CaseRenderer
  /// For how many more cases the stability of pixels is measured.
  var stabilityCasesLeft = StabilityCheck.mostCases
  /// Renders the same in other pieces, from the last to the first; on Etalon's own executor with other threads and vector instructions, too.
  private let second: CaseRenderer

  /// Opens the device.
  package init(_ settings: Settings, library: FilterLibrary) throws(RenderError) {
    self.settings = settings
    self.library = library
    let facts = try DeviceFacts(settings.device)
    device = TestDevice(option: settings.device, facts)
    samplerPrecision = facts.samplerPrecision
    renderer = CaseRenderer(device: settings.device, library: library, timeout: settings.timeout)
    second = CaseRenderer(device: device.rearranged, library: library, timeout: settings.timeout)
  }

  /// Runs one case; only a crash ends the run early.
  package func run(_ testCase: TestCase) -> CaseResult { explained(work(on: testCase)) }

  /// Renders and compares one case, as far as that gives its verdict.
  package func work(on testCase: TestCase) -> CaseWork {
    var work = CaseWork(CaseResult(testCase), testCase)
    if let skipped = skipped(testCase) {
      work.result = skipped
      return work
    }
    let start = ContinuousClock.now, processorStart = ProcessorTime.ofProcess
    do {
      try judge(testCase, &work)
      try renderer.checkValidation()
    } catch {
      work.result.fail(error)
      (work.frames, work.compared) = ([], [])
    }
    work.processorSeconds = ProcessorTime.ofProcess - processorStart
    let time = (ContinuousClock.now - start).components
    work.result.seconds = Double(time.seconds) + (Double(time.attoseconds) * 1e-15).rounded() / 1000
    return work
  }

  /// The result with the cause of what differs; where the specification alone decides, the verdict depends on that.
  package func explained(_ work: CaseWork) -> CaseResult {
    var result = work.result
    if work.isOpen {
      let time = JudgingTime(seconds: settings.timeout, processorSeconds: work.processorSeconds.map(JudgingTime.processorSeconds))
      for compared in work.compared { DeviceBlame(self, compared, time).apply(to: &result) }
      StabilityCheck(self, time).show(work.testCase, work.frames, &result)
      result.settle()
      if !result.isApprovable { result.approve = "" }
    }
    if let note = SequenceNote(result.frames.filter { $0.check == "reference" }).text { result.notes.append(note) }
    return result
  }

  /// The result of a case that is not run here; nil for others.
  private func skipped(_ testCase: TestCase) -> CaseResult? {
    var result = CaseResult(testCase)
    guard testCase.condition.holds(on: device) else {
      (result.verdict, result.reason, result.skip) = (.skipped, "only where \(testCase.condition.text)", .condition)
      return result
    }
    if let expectation = expectations.valid(testCase), expectation.verdict == .skipped {
      (result.verdict, result.reason, result.expectation) = (.skipped, expectation.reason, expectation.link)
      result.skip = .expectation
      return result
    }
    return nil
  }

  /// The result compared with what its case expects.
  package func settled(_ result: CaseResult, _ testCase: TestCase) -> CaseResult {
    expectations.settled(result, testCase)
  }

  private var expectations: ExpectationCheck { ExpectationCheck(device: device, today: settings.today) }

  private func judge(_ testCase: TestCase, _ work: inout CaseWork) throws {
    if testCase.isPlain { return try PlainCheck(self).judge(testCase, &work) }
    let frames = try renderedTwice(testCase, &work.result)
    guard !frames.isEmpty else { return }
    work.frames = frames
    try refuseUnread(frames[0].warnings, testCase)
    for frame in frames { work.result.add(finiteness(of: frame, testCase)) }
    if var found = FlatnessCheck(testCase).judge(frames) {
      CasePictureFolder(self, testCase).keep(&found, frames[0], beside: nil)
      work.result.add(found)
    }
    try ReferenceCheck(self).judge(testCase, frames, &work)
    for invariant in testCase.invariants { try InvariantCheck(self).add(invariant, testCase, frames, &work) }
    work.result.settle()
  }

  /// Refuses inputs that nothing reads: a picture that may be any, or missing, tests nothing.
  private func refuseUnread(_ warnings: [Diagnostic], _ testCase: TestCase) throws(DiagnosticsError) {
    let diagnostics = warnings.filter { $0.id == "input.unread" }.map { warning in
      let place = testCase.place.map { [$0.label("in this case")] } ?? []
      return Diagnostic(
        warning.id, warning.message, labels: warning.labels.isEmpty ? place : warning.labels,
        help: warning.help + ["leave it out: a case says what its pictures depend on"], notes: warning.notes)
    }
    if !diagnostics.isEmpty { throw DiagnosticsError(diagnostics) }
  }

  /// The pictures of a case; none when two renders did not give the same.
  func renderedTwice(_ testCase: TestCase, _ result: inout CaseResult) throws -> [RenderedFrame] {
    let frames = try renderer.frames(of: testCase)
    let again = try second.frames(of: testCase)
    let differing = zip(frames, again).filter { $0.floats != $1.floats }
    let isByChance = try !differing.isEmpty && zip(frames, renderer.frames(of: testCase)).contains { $0.floats != $1.floats }
    for (first, other) in differing {
      var found = FrameResult(check: "determinism", moment: first.moment.text)
      found.verdict = .notDeterministic
      found.comparison = comparePictures(first.levels(bits: 8), other.levels(bits: 8), tolerance: .exact)
      found.reason = "\(first.moment.text): \(first.words(differingFrom: other, isByChance: isByChance))"
      CasePictureFolder(self, testCase).keep(&found, first, beside: other.levels(bits: 8))
      result.add(found)
    }
    result.settle()
    return result.verdict == .notDeterministic ? [] : frames
  }

  /// Whether every number of a picture is finite.
  func finiteness(of frame: RenderedFrame, _ testCase: TestCase) -> FrameResult {
    var found = FrameResult(check: "renders", moment: frame.moment.text)
    found.size = frame.floats.size.description
    found.recipe = frame.provenance.recipe
    found.count(frame.notFinite)
    if let words = frame.notFinite.reason(in: frame.floats.size, testCase) {
      (found.verdict, found.reason) = (.failed, "\(frame.moment.text): \(words)")
    }
    if found.verdict == .failed || settings.showsAll { CasePictureFolder(self, testCase).keep(&found, frame, beside: nil) }
    return found
  }

  /// Whether the tolerance of a case says that the specification decides.
  func allowsSpecification(_ testCase: TestCase) -> Bool { !device.isReference && testCase.tolerances.isWithinSpecification(on: device) }

  /// What a device is held to where a case has no tolerance: the same bits on Etalon's own executor, two levels elsewhere.
  func tolerance(_ rules: CaseToleranceRules) -> Tolerance {
    rules.tolerance(on: device) ?? (device.isReference ? .exact : Tolerance(channel: 2))
  }

  /// The same beside the case's own reference: numbers of OpenEXR files differ by two of 255 parts, not by two.
  func tolerance(of testCase: TestCase) -> Tolerance {
    guard testCase.comparesFloats, !device.isReference, testCase.tolerances.tolerance(on: device) == nil else {
      return tolerance(testCase.tolerances)
    }
    return Tolerance(channel: Limit(fail: 2.0 / 255))
  }

  /// How pictures are compared with what the CPU device shows, or has shown: as the tolerance says or, without one, exactly, so that the specification is
  /// asked about every pixel that differs.
  func rule(of testCase: TestCase, besideCPU isBesideCPU: Bool) -> ComparisonRule {
    rule(tolerance(of: testCase), isWritten: testCase.tolerances.tolerance(on: device) != nil, besideCPU: isBesideCPU)
  }

  /// The same for a tolerance of an invariant.
  func rule(_ tolerance: Tolerance, isWritten: Bool, besideCPU isBesideCPU: Bool) -> ComparisonRule {
    guard isBesideCPU, !isWritten, !device.isReference else { return ComparisonRule(tolerance: tolerance, plain: nil) }
    return ComparisonRule(tolerance: .exact, plain: tolerance)
  }
}

/// How a picture is compared with another one.
struct ComparisonRule {
  let tolerance: Tolerance
  /// The limits that decide where the specification does, and cannot be worked out; nil where it is not asked.
  let plain: Tolerance?
}

/// What is known of a case before the cause of a difference is worked out: its verdict is final but for that, and its time was taken.
package struct CaseWork {
  /// Frames that were compared, and what they were compared with.
  struct Compared {
    /// The case, with the rules that counted.
    let testCase: TestCase
    /// What they were compared with.
    let tolerance: Tolerance
    /// Where their results lie among those of the case.
    let places: Range<Int>
    let pictures: [(frame: RenderedFrame, reference: PixelBuffer?)]
  }

  package var result: CaseResult
  let testCase: TestCase
  /// The pictures of the case; none where it has none.
  var frames: [RenderedFrame] = []
  /// What a device showed that may differ from the CPU device.
  var compared: [Compared] = []
  /// The processor time that it took, in seconds.
  var processorSeconds: Double?

  init(_ result: CaseResult, _ testCase: TestCase) { (self.result, self.testCase) = (result, testCase) }

  /// Adds the results of frames that were compared with a reference or with the CPU device.
  ///
  /// - Parameter tolerance: what they were compared with.
  mutating func add(
    _ found: [(result: FrameResult, reference: PixelBuffer?)], _ frames: [RenderedFrame], _ testCase: TestCase, _ tolerance: Tolerance
  ) {
    let start = result.frames.count
    result.frames += found.map(\.result)
    compared.append(
      Compared(
        testCase: testCase, tolerance: tolerance, places: start..<result.frames.count,
        pictures: zip(frames, found).map { (frame: $0, reference: $1.reference) }))
  }

  /// Whether a frame failed whose cause is to be found.
  package var isOpen: Bool {
    result.verdict != .timedOut && compared.contains { $0.places.contains { result.frames[$0].verdict == .failed } }
  }
}

extension CaseResult {
  /// What is left where the specification was to judge frames, and could not be worked out: the plain comparison decides whether they fail.
  mutating func leaveToPlainComparison(_ why: String) {
    let open = frames.indices.filter { frames[$0].verdict == .failed && frames[$0].plain != nil }
    guard !open.isEmpty else { return }
    for index in open { frames[index].leaveToPlainComparison(why) }
    settle()
  }
}

extension FrameResult {
  /// The same for one frame; one that limits decide stays as it is.
  mutating func leaveToPlainComparison(_ why: String) {
    guard verdict == .failed, let plain, specification?.outsideForCertain ?? 0 == 0, differsInFiniteness != true else { return }
    verdict = plain.verdict == .pass ? .notWorkedOut : .failed
    reason = "\(prefix)not worked out whether Vulkan allows it (\(why)); compared plainly, \(plain.plainWords)"
  }
}

/// How long it may take to find out why a case fails: as long again as the case itself may take.
struct JudgingTime: Sendable {
  /// Nil for as long as it takes.
  let seconds: Double?
  /// How much processor time the specification may take where no tolerance asks for it; nil for as much as it takes.
  let processorSeconds: Double?
  private let start: ContinuousClock.Instant

  /// How many times the processor time of a case the ranges of the specification may take.
  private static let processorFactor = 10.0
  /// The processor time that it may always take, in seconds: a case may be rendered by a graphics unit, and need hardly any.
  private static let leastProcessorSeconds = 0.5

  init(seconds: Double?, processorSeconds: Double? = nil, since start: ContinuousClock.Instant = .now) {
    (self.seconds, self.processorSeconds, self.start) = (seconds, processorSeconds, start)
  }

  /// - Parameter seconds: the processor time that a case took until its pictures were compared.
  static func processorSeconds(afterCaseOf seconds: Double) -> Double { max(seconds * processorFactor, leastProcessorSeconds) }

  /// Seconds that are left for a render, where they are counted.
  var left: Double? { seconds.map { max($0 - spent, 0.001) } }

  /// Seconds that are left for ranges, less than none when there are none: half of all, so that errors can be made on purpose in the rest.
  var leftForRanges: Double? { seconds.map { $0 / 2 - spent } }

  var isOver: Bool { seconds.map { spent > $0 } ?? false }

  /// `longer than the 20 s that judging has`.
  var words: String { "longer than the \(secondsText(seconds ?? 0)) s that judging has" }

  private var spent: Double { (ContinuousClock.now - start) / .seconds(1) }
}
