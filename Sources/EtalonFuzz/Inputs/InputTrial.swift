import Etalon
import EtalonComparison
import EtalonDiagnostics
import EtalonGraph
import EtalonMedia
import EtalonPlan
import EtalonRegression
import EtalonTypes
import Foundation

/// Reads a damaged input as the command would, and lets it do what it says on the CPU executor.
///
/// The working folder is the tree of specimens; files there are put back afterwards.
struct InputTrial {
  /// Seconds that compiling, and each frame, may take.
  static let timeout = 1.0
  /// How many frames are rendered at most.
  static let mostFrames = 2

  let input: DamagedInput
  var dice: Dice
  /// A folder of its own, for caches and results.
  let scratch: String
  /// Told every damaged file before it is read, so that it can be kept where this process ends.
  let keep: (_ path: String, _ bytes: [UInt8]) -> Void

  /// Runs it.
  mutating func run() -> InputOutcome {
    var originals: [String: Data] = [:]
    for (path, bytes) in input.files {
      originals[path] = FileManager.default.contents(atPath: path)
      replace(path, bytes)
    }
    defer {
      for path in input.files.keys {
        if let original = originals[path] { try? original.write(to: URL(filePath: path)) } else { _ = unsafe unlink(path) }
      }
    }
    do {
      try runKind()
      return .ran
    } catch let outcome as Told {
      return outcome.outcome
    } catch {
      return InputOutcome(error)
    }
  }

  /// An outcome that no error says.
  struct Told: Error {
    let outcome: InputOutcome
  }

  func replace(_ path: String, _ bytes: [UInt8]) {
    keep(path, bytes)
    // A new file, because others may be links to the old one.
    _ = unsafe unlink(path)
    _ = FileManager.default.createFile(atPath: path, contents: Data(bytes), attributes: [.posixPermissions: 0o600])
  }

  private mutating func runKind() throws {
    switch input.specimen.kind {
    case .shaderToy, .project, .folder, .isf, .transition, .native, .compute: try runFilter()
    case .document: try runDocument()
    case .testCase: try runCases()
    case .events: try runEvents()
    case .track: try runTrack()
    case .png, .jpeg, .exr: try runPicture()
    case .wav: try runSound()
    case .module: try runModule()
    case .cache: try runCache()
    case .checkpoint: try runCheckpoint()
    case .sidecar: try runSidecar()
    }
  }

  // MARK: Requests

  /// A request for a few pixels of a filter.
  mutating func request(for filter: String) -> RenderRequest { small(RenderRequest(filter: .file(filter))) }

  /// The same request for a few pixels and frames.
  mutating func small(_ request: RenderRequest) -> RenderRequest {
    var request = request
    request.device = "cpu"
    request.timeout = Self.timeout
    request.standsInWithTestCards = true
    request.fillsOpenInputs = true
    request.size = Size(dice.pick(8...16), dice.pick(8...16))
    let first = request.clock.first
    if let range = FrameRange(first...first.advanced(by: Self.mostFrames - 1)) { request.frames = .range(range) }
    return request
  }

  /// Renders all frames of a request.
  func render(_ request: RenderRequest) throws { try render(ShotRenderer().prepare(request)) }

  func render(_ shot: Shot) throws {
    if !shot.warnings.isEmpty { _ = (DiagnosticPrinter().text(shot.warnings), DiagnosticJSON().text(shot.warnings)) }
    for frame in shot.frames {
      guard let pending = try shot.submit(frame) else { continue }
      defer { pending.release() }
      try pending.wait()
      pending.withBands(of: 0) { _, _, bytes in _ = bytes.byteCount }
      _ = try shot.provenance(of: frame)
    }
  }

  /// Renders a request, and now and then looks at it as other commands do.
  mutating func renderAndLook(_ request: RenderRequest) throws {
    switch dice.pick(weighted: [(60, 0), (12, 1), (12, 2), (8, 3), (8, 4)]) {
    case 1: _ = try Sanitizer().run(request)
    case 2:
      var limits = SpecificationRanges.Limits(stepsOfPixel: 20_000, stepsOfFrame: 60_000)
      limits.seconds = Self.timeout
      let ranges = try SpecificationRanges(request, limits: limits)
      guard let frame = ranges.frames.first else { return }
      _ = try ranges.ranges(ofFrame: frame, at: [(0, 0), (ranges.size.width / 2, ranges.size.height / 2)])
    case 3:
      do { _ = try Prober(x: 1, y: 1).run(request) } catch is ProbeRefusal {}
    case 4:
      _ = try ShotRenderer().plan(request, isDOT: dice.happens(50))
      try render(request)
    default: try render(request)
    }
  }

  // MARK: Texts

  private mutating func runFilter() throws { try renderAndLook(request(for: input.specimen.main)) }

  private mutating func runDocument() throws {
    let library = FilterLibrary(try LibrarySearch(named: ["samples"]))
    let text = try GraphDocument.read(input.specimen.main, library: library)
    var request = RenderRequest(graph: text, library: library)
    let words = text.clock.mapValues(\.text)
    request.clock = ShotClock(
      first: words["first"].flatMap { Int($0) } ?? 0, start: words["start"].flatMap { Rational($0) } ?? .zero,
      rate: words["rate"].flatMap { FrameRate($0) } ?? .sixty)
    request.format = words["format"].flatMap { PixelFormat(rawValue: $0) }
    if words["workingSpace"] == "linear" { request.workingSpace = .linear }
    try renderAndLook(small(request))
  }

  private func runCases() throws {
    let library = FilterLibrary(try LibrarySearch(named: ["samples"]))
    let selection = TestSelection([input.specimen.main], in: library)
    let mistakes = selection.diagnostics.filter { $0.severity == .error }
    guard mistakes.isEmpty else { throw DiagnosticsError(mistakes) }
    var settings = CaseRun.Settings(device: "cpu", folder: scratch, pictures: "pictures", today: "2026-05-01")
    settings.timeout = Self.timeout
    settings.explains = false
    let run = try CaseRun(settings, library: library)
    for found in selection.cases.prefix(2) {
      let result = run.settled(run.run(found), found)
      guard result.verdict != .crashed else {
        throw Told(outcome: .defect("the case '\(result.id)' ended with a mistake of Etalon's own: \(result.reason)"))
      }
      if result.verdict == .invalid { throw Told(outcome: .refused(result.reason)) }
    }
  }

  private mutating func runEvents() throws {
    var request = request(for: input.specimen.reader ?? "")
    request.eventsFile = input.specimen.main
    try render(request)
  }

  private mutating func runTrack() throws {
    var request = request(for: input.specimen.reader ?? "")
    let column = dice.happens(5) ? "z" : dice.pick(from: ["level", "level", "x", "y"])
    request.settings = [.init(name: "level", value: "@\(input.specimen.main):\(column)")]
    if dice.happens(30) { request.clock = ShotClock(first: dice.pick(1...9), start: .zero, rate: 24) }
    try render(small(request))
  }

  // MARK: Pictures and sounds

  private mutating func runPicture() throws {
    let path = input.specimen.main, other = "Plugins/tests/mask.png"
    let reader = PictureReader(acceptsFloats: true)
    _ = try FrameProvenance(ofFile: path)
    let picture = try reader.read(path: path)
    if picture.size.pixelCount <= 1 << 14 {
      _ = comparePictures(picture, picture, metrics: Set(ComparisonMetric.allCases))
      if let plain = try? reader.read(path: other) { _ = comparePictures(picture, plain) }
    }
    guard input.specimen.kind != .exr else { return }
    var request = request(for: "\(SpecimenTree.made)/picture.glsl")
    request.inputs = [.init(input: nil, path: path)]
    try render(request)
  }

  private mutating func runSound() throws {
    var request = request(for: "\(SpecimenTree.made)/sound.glsl")
    request.inputs = [.init(input: nil, path: input.specimen.main)]
    if dice.happens(30) { request.clock = ShotClock(first: 0, start: Rational(dice.pick(100)), rate: 24) }
    try render(small(request))
  }
}
