import Etalon
import EtalonCPU
import EtalonComparison
import EtalonDiagnostics
import EtalonGraph
import EtalonInspection
import EtalonIntervals
import EtalonMedia
import EtalonPlan
import EtalonRegression
import EtalonSPIRV
import EtalonTypes
import Foundation

/// Reads a damaged input as the command would, and lets it do what it says on the CPU executor.
///
/// The working folder is the tree of specimens; files there are put back afterwards.
struct InputTrial {
  /// Seconds that compiling, and each frame, may usually take.
  static let usualTimeout = 1.0
  /// How many frames are rendered at most.
  static let mostFrames = 2

  let input: DamagedInput
  var dice: Dice
  /// A folder of its own, for caches and results.
  let scratch: String
  /// Seconds that compiling, and each frame, may take in this build.
  let timeout: Double
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
    case .volume: try runVolume()
    case .video: try runVideo()
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
    request.timeout = timeout
    request.standIns = .testCards
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
      limits.seconds = timeout
      let ranges = try SpecificationRanges(request, limits: limits)
      guard let frame = ranges.frames.first else { return }
      _ = try ranges.ranges(ofFrame: frame, at: [(0, 0), (ranges.size.width / 2, ranges.size.height / 2)])
    case 3:
      do { _ = try Prober(x: 1, y: 1).run(request) } catch is ProbeError {}
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
    let diagnostics = selection.diagnostics.filter { $0.severity == .error }
    guard diagnostics.isEmpty else { throw DiagnosticsError(diagnostics) }
    var settings = CaseRun.Settings(device: "cpu", folder: scratch, pictures: "pictures", today: "2026-05-01")
    settings.timeout = timeout
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
    let reader = PictureReader()
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

  /// Shows some frames of a video, from anywhere in it.
  private mutating func runVideo() throws {
    let path = input.specimen.main
    var request = request(for: "\(SpecimenTree.made)/picture.glsl")
    request.inputs = [.init(input: nil, path: path)]
    if dice.happens(50) { request.clock = ShotClock(first: 0, start: Rational(dice.pick(40), 10), rate: 24) }
    try render(small(request))
  }

  private mutating func runVolume() throws {
    var request = request(for: "\(SpecimenTree.made)/fog.json")
    request.inputs = [.init(input: "iChannel0", path: input.specimen.main)]
    try renderAndLook(request)
  }

  private mutating func runSound() throws {
    var request = request(for: "\(SpecimenTree.made)/sound.glsl")
    request.inputs = [.init(input: nil, path: input.specimen.main)]
    if dice.happens(30) { request.clock = ShotClock(first: 0, start: Rational(dice.pick(100)), rate: 24) }
    try render(small(request))
  }
}

// MARK: modules

/// Damages the words of SPIR-V modules.
enum ModuleDamage {
  static func applied(to words: [UInt32], _ dice: inout Dice) -> [UInt32] {
    var words = words
    if dice.happens(55) {
      for _ in 0..<dice.pick(1...4) { changeGently(&words, &dice) }
      return words
    }
    for _ in 0..<dice.pick(weighted: [(60, 1), (25, 2), (15, 4)]) where words.count > 9 { change(&words, &dice) }
    return words
  }

  /// What an instruction is: its place, its opcode, and how many words it has.
  private struct Instruction {
    let place: Int
    let opcode: UInt32
    let count: Int
  }

  private static func instructions(of words: [UInt32]) -> [Instruction] {
    var found: [Instruction] = [], place = 5
    while place < words.count {
      let instruction = Instruction(place: place, opcode: words[place] & 0xFFFF, count: Int(words[place] >> 16))
      guard instruction.count > 0, instruction.count <= words.count - place else { break }
      found.append(instruction)
      place += instruction.count
    }
    return found
  }

  private static let constant: UInt32 = 43
  /// Operations that take and give the same types: sums and products, quotients, comparisons, shifts, bits and logic.
  private static let families: [[UInt32]] = [
    [128, 130, 132], [129, 131, 133, 136], [134, 137], [135, 138, 139], Array(170...179), Array(180...191), Array(194...196),
    Array(197...199), Array(164...167),
  ]

  /// Changes what a valid module may say as well: operations of the same types, their operands, and constants.
  private static func changeGently(_ words: inout [UInt32], _ dice: inout Dice) {
    let all = instructions(of: words)
    let operations = all.filter { one in one.count == 5 && families.contains { $0.contains(one.opcode) } }
    let constants = all.filter { $0.opcode == constant && $0.count == 4 }
    if !operations.isEmpty, constants.isEmpty || dice.happens(60) {
      let one = dice.pick(from: operations), others = families.first { $0.contains(one.opcode) } ?? [one.opcode]
      if dice.happens(20) { return words.swapAt(one.place + 3, one.place + 4) }
      words[one.place] = 5 << 16 | dice.pick(from: others)
    } else if !constants.isEmpty {
      let place = dice.pick(from: constants).place + 3, value = words[place]
      // A float keeps its sign and about its size, or loses both.
      words[place] = dice.pick(from: [value &+ 1, value &- 1, value >> 1, value ^ 0x0080_0000, UInt32(dice.pick(16))])
    }
  }
  /// Strings, names and lines, in which damage has no effect on what runs.
  private static let silent: Set<UInt32> = [3, 4, 5, 6, 7, 8]

  /// Changes what keeps the form of a module: constants, and words at the same place of instructions of the same kind.
  private static func change(_ words: inout [UInt32], _ dice: inout Dice) {
    let all = instructions(of: words).filter { !silent.contains($0.opcode) && $0.count > 1 }
    guard !all.isEmpty, dice.happens(75) else { return changeAnything(&words, &dice) }
    let constants = all.filter { $0.opcode == constant }
    if !constants.isEmpty, dice.happens(35) {
      words[dice.pick(from: constants).place + 3] = dice.happens(50) ? dice.pick(from: HostileNumbers.words32) : UInt32(dice.pick(70))
      return
    }
    let one = dice.pick(from: all), at = 1 + dice.pick(one.count - 1)
    let alike = all.filter { $0.opcode == one.opcode && $0.count == one.count }, sameLength = all.filter { $0.count == one.count }
    switch dice.pick(weighted: [(60, 0), (15, 1), (10, 2), (15, 3)]) {
    case 0: words[one.place + at] = words[dice.pick(from: alike).place + at]
    case 1: words[one.place] = words[dice.pick(from: sameLength).place]
    case 2: words[one.place + at] = words[dice.pick(from: sameLength).place + at]
    default: words.swapAt(one.place + at, one.place + one.count - 1)
    }
  }

  private static func changeAnything(_ words: inout [UInt32], _ dice: inout Dice) {
    let at = 5 + dice.pick(words.count - 5), bound = max(words[3], 1)
    switch dice.pick(weighted: [(8, 0), (20, 1), (20, 2), (20, 3), (8, 4), (6, 5), (12, 6), (3, 7), (1, 8), (2, 9)]) {
    case 0: words[at] = UInt32(truncatingIfNeeded: dice.next())
    case 1: words[at] ^= 1 << UInt32(dice.pick(32))
    case 2: words[at] = words[5 + dice.pick(words.count - 5)]
    case 3: words[at] = UInt32(dice.pick(Int(bound)))
    case 4: words[at] &+= 1
    case 5: words[at] = words[at] & 0xFFFF_0000 | UInt32(dice.pick(420))
    case 6: words[at] = dice.pick(from: HostileNumbers.words32)
    case 7: words.removeSubrange(at..<min(at + dice.pick(1...4), words.count))
    case 8: words.removeLast(dice.pick(1...words.count / 4))
    default: words.insert(contentsOf: Array(words[at..<min(at + dice.pick(1...12), words.count)]), at: at)
    }
  }
}

extension InputTrial {
  /// Damages one kernel of a filter's plan, and runs it: plain, watched, or with ranges for numbers.
  private mutating func runModule() throws {
    var request = request(for: input.specimen.main)
    // What the watcher and intervals follow.
    request.planOptions.hoists = false
    request.planOptions.fuses = dice.happens(50)
    let shot = try ShotRenderer().prepare(request)
    guard let frame = shot.frames.first else { return }
    let plan = try shot.plan(ofFrame: frame), values = try shot.values(of: frame, startsState: true), number = dice.pick(plan.kernels.count)
    let words = ModuleDamage.applied(to: plan.kernels[number].words, &dice)
    keep("module.spv", words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(8 * $0)) } })
    var kernels = plan.kernels
    kernels[number] = Kernel(name: kernels[number].name, words: words, interface: try Reflection(SPIRVModule(words)).interface())
    let checked: CheckedPlan
    do throws(RenderError) { checked = try PlanChecker().check(plan.with(kernels: kernels)) } catch {
      // Modules of plans come from the compiler only, so that one that does not fit is reported as an internal error.
      throw Told(outcome: .refused("plan"))
    }
    try execute(checked, values, shot.imports)
  }

  private mutating func execute(_ plan: CheckedPlan, _ values: FrameValues, _ imports: [PixelBuffer]) throws {
    var options = CPUBackend.Options(threadCount: 1, timeout: .seconds(timeout), stepLimit: 2000)
    let sets = InstructionSet.allCases.filter(\.isSupported)
    options.instructionSet = dice.pick(from: sets)
    let backend: CPUBackend
    switch dice.pick(4) {
    case 0: backend = CPUBackend(options, watch: WatchLog { _, _ in false })
    case 1 where plan.plan.setup.isEmpty: return try followIntervals(plan.plan, values, imports)
    default: backend = CPUBackend(options)
    }
    let execution = try backend.prepare(plan, imports: imports, framesInFlight: 1)
    for _ in 0..<2 {
      let pending = try execution.submit(values)
      defer { pending.release() }
      try pending.wait()
    }
  }

  private func followIntervals(_ plan: Plan, _ values: FrameValues, _ imports: [PixelBuffer]) throws {
    let answer = IntervalAnswer()
    let thread = Thread {
      answer.result = Result {
        let frame = try FrameIntervals(plan, values, imports: imports)
        do throws(Stop) { _ = try frame.pixel(x: 1, y: 1, steps: 20_000) } catch { return error.words }
        return ""
      }
      answer.isThere.signal()
    }
    thread.stackSize = 512 << 20
    thread.start()
    answer.isThere.wait()
    if let words = try answer.result?.get(), !words.isEmpty { throw Told(outcome: .stopped(words)) }
  }
}

/// What a thread hands back.
private final class IntervalAnswer: @unchecked Sendable {
  let isThere = DispatchSemaphore(value: 0)
  /// Written before `isThere`, read after it.
  var result: Result<String, any Error>?
}
