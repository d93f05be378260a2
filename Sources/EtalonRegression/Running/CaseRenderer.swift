package import Etalon
internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonInspection
internal import EtalonManifest
internal import EtalonMedia
internal import EtalonPlan
internal import EtalonTypes

/// Renders what cases are about, on one device.
///
/// **Concurrency**: usable from every thread; rendering blocks.
package struct CaseRenderer: Sendable {
  /// How large filters without cases are rendered.
  static let plainSize = Size(64, 64)

  private let device: String?
  private let library: FilterLibrary
  private let timeout: Double?
  private let renderer = ShotRenderer()

  /// - Parameter device: what `--device` would say.
  package init(device: String?, library: FilterLibrary, timeout: Double? = nil) {
    (self.device, self.library, self.timeout) = (device, library, timeout)
  }

  /// All pictures of a case.
  ///
  /// - Parameter change: what differs from the request of the case.
  func frames(of testCase: TestCase, _ change: (inout RenderRequest) -> Void = { _ in }) throws -> [RenderedFrame] {
    var request = try request(for: testCase)
    change(&request)
    return try frames(request, at: testCase.moments)
  }

  /// Pictures of a request.
  func frames(_ request: RenderRequest, at moments: [TestCase.Moment]) throws -> [RenderedFrame] {
    try zip(shots(request, at: moments), moments.numbers).map { shot, number in
      var frame = RenderedFrame(shot.moment, number: number, try shot.shot.pixels(of: shot.frame), try shot.shot.provenance(of: shot.frame))
      frame.warnings = shot.shot.warnings
      frame.origins = FrameOrigins(request, shot.shot)
      return frame
    }
  }

  /// What pixels of a frame of a case may be on devices that follow the Vulkan specification; their rows count from the bottom.
  func ranges(
    of testCase: TestCase, _ moment: TestCase.Moment, at pixels: [(x: Int, y: Int)], limits: SpecificationRanges.Limits = .init()
  ) throws -> [PixelRange] {
    var request = try request(for: testCase)
    if case .time(let time) = moment {
      request.frames = .single(time: time)
    } else if let range = FrameRange(testCase.moments.compactMap({ $0.frame(of: request.clock) })) {
      // Frames share a range, as those of a sequence do.
      request.frames = .range(range)
    }
    let ranges = try SpecificationRanges(request, limits: limits)
    return try ranges.ranges(ofFrame: moment.frame(of: request.clock) ?? ranges.frames[0], at: pixels)
  }

  /// What the pictures of a case would say about where they come from, by their moments.
  func provenances(of testCase: TestCase, on device: TestDevice) throws -> [String: FrameProvenance] {
    let request = try request(for: testCase)
    let found = try shots(request, at: testCase.moments).map { moment, shot, frame in
      var provenance = try shot.provenance(of: frame)
      provenance.origins = FrameOrigins(request, shot).texts(on: device)
      return (moment.text, provenance)
    }
    return Dictionary(found) { first, _ in first }
  }

  /// The work of all frames of a case.
  ///
  /// - Parameter change: what differs from the request of the case.
  func plans(of testCase: TestCase, _ change: (inout RenderRequest) -> Void) throws -> [Plan] {
    var request = try request(for: testCase)
    change(&request)
    return try shots(request, at: testCase.moments).map { try $0.shot.plan(ofFrame: $0.frame) }
  }

  /// The files that the pictures of a case are made of.
  func files(of testCase: TestCase) throws -> [String] {
    try shots(request(for: testCase), at: testCase.moments).flatMap(\.shot.files)
  }

  /// Prepares what is needed; frames share a range, as those of a sequence do.
  private func shots(
    _ request: RenderRequest, at moments: [TestCase.Moment]
  ) throws -> [(moment: TestCase.Moment, shot: Shot, frame: Int)] {
    if let early = moments.compactMap({ $0.frame(of: request.clock) }).min(), early < request.clock.first {
      throw RenderError(
        .invalidInput, "frame \(early) lies before the shot's first frame, which is \(request.clock.first)",
        help: ["name later frames in 'frames', or write 'first: \(early)' if the shot begins there"])
    }
    var shared: Shot?
    if let range = FrameRange(moments.compactMap({ $0.frame(of: request.clock) })) {
      var whole = request
      whole.frames = .range(range)
      shared = try renderer.prepare(whole)
    }
    return try moments.map { moment in
      if let frame = moment.frame(of: request.clock), let shared { return (moment, shared, frame) }
      var single = request
      if case .time(let time) = moment { single.frames = .single(time: time) }
      let shot = try renderer.prepare(single)
      return (moment, shot, shot.frames[0])
    }
  }

  /// Throws when a validation layer that was asked for reported anything.
  func checkValidation() throws(RenderError) { try renderer.checkValidation() }

  // MARK: requests

  /// What a case asks for: floats, so that NaN and infinities are seen.
  func request(for testCase: TestCase) throws -> RenderRequest {
    var request: RenderRequest
    switch testCase.subject {
    case .node(let node):
      request = RenderRequest(graph: Self.graph(of: node), library: library)
    case .document(let word, let inputs, let settings):
      request = try Self.request(for: word, inputs, settings, testCase.clock, library)
    case .plain(let path):
      request =
        GraphDocument.isGraph(path)
        ? try Self.request(for: GraphText.Word(path, at: SourceRange(SourceText(path: path, text: ""), 0..<0)), [], [], nil, library)
        : RenderRequest(filter: .file(path))
      request.standIns = .testCards
      request.fillsOpenInputs = true
      request.size = Self.plainSize
    }
    request.size = testCase.size ?? request.size
    request.clock = testCase.clock ?? request.clock
    request.shot = try shot(of: testCase, request)
    (request.pointer, request.eventsFile, request.alpha) = (testCase.pointer, testCase.eventsFile, testCase.alpha)
    (request.bits, request.device, request.timeout) = (32, device, timeout)
    // A half float has fewer bits than a file of sixteen.
    if testCase.bits == 16, request.format == nil { request.format = .rgba32f }
    return request
  }

  /// The shot that a case says, else that of its document, else its moments.
  private func shot(of testCase: TestCase, _ request: RenderRequest) throws(RenderError) -> ClosedRange<Int>? {
    let numbers = (testCase.momentsOfShot ?? testCase.moments).map { $0.number(of: request.clock) }
    let said = testCase.duration.flatMap { request.clock.frames(lasting: $0.text) } ?? request.shot
    guard let said else { return numbers.min().flatMap { first in numbers.max().map { first...$0 } } }
    if testCase.momentsOfShot == nil, let outside = numbers.first(where: { !said.contains($0) }), outside >= request.clock.first {
      throw RenderError(
        .invalidInput, "frame \(outside) lies outside of the shot, which is frames \(said.lowerBound) to \(said.upperBound)",
        help: ["ask for frames of the shot, or write 'duration: \(max(outside, said.upperBound) - request.clock.first + 1)f'"])
    }
    return said
  }

  private static func graph(of node: GraphText.Node) -> GraphText {
    var graph = GraphText()
    graph.nodes = [node]
    graph.outputs = [GraphText.Output(name: GraphText.Word("main", at: node.name.place), origin: .node(node.name))]
    return graph
  }

  private static func request(
    for word: GraphText.Word, _ inputs: [GraphText.Input], _ settings: [GraphText.Setting], _ clock: ShotClock?, _ library: FilterLibrary
  ) throws -> RenderRequest {
    let text: GraphText
    do { text = try GraphDocument.read(word.text, library: library) } catch let error as RenderError {
      throw error.asked(at: word.label("asked for here"))
    }
    var request = RenderRequest(graph: text, library: library)
    request.settings = settings.map { RenderRequest.Setting($0) }
    request.inputs = try inputs.map(picture)
    try text.apply(to: &request)
    request.shot = try text.shot(clock ?? request.clock)
    return request
  }

  private static func picture(_ input: GraphText.Input) throws(DiagnosticsError) -> RenderRequest.InputPicture {
    guard case .file(let path, let fields) = input.origin else { preconditionFailure("an input of a case that is no file") }
    guard !fields.isEmpty || path.text.contains("#") else {
      return RenderRequest.InputPicture(input: input.name?.text, path: path.text, written: path)
    }
    let timing = try SequenceTiming(
      fields.map { field in
        SequenceField(
          key: field.key, value: field.value.scalar ?? "", source: field.keyPlace.source, keyRange: field.keyPlace.range,
          valueRange: field.value.place.range)
      })
    return RenderRequest.InputPicture(input: input.name?.text, path: path.text, sequence: timing, written: path)
  }
}

extension TestCase.Moment {
  /// The number of a frame; nil for a time.
  func frame(of clock: ShotClock) -> Int? {
    switch self {
    case .first: clock.first
    case .frame(let frame): frame
    case .time: nil
    }
  }

  /// The number of the frame that it shows.
  func number(of clock: ShotClock) -> Int {
    if case .time(let time) = self { clock.frame(at: time) } else { frame(of: clock) ?? clock.first }
  }
}

extension GraphText {
  /// What the document says about its rendering; all but the start was checked when it was read.
  fileprivate func apply(to request: inout RenderRequest) throws(DiagnosticsError) {
    let words = clock.mapValues(\.text)
    request.size = words["size"].flatMap { CaseValues.size($0) } ?? request.size
    request.clock = ShotClock(
      first: words["first"].flatMap { Int($0) } ?? 0, start: try start, rate: words["rate"].flatMap { FrameRate($0) } ?? .sixty)
    request.format = words["format"].flatMap { PixelFormat(rawValue: $0) }
    if words["workingSpace"] == "linear" { request.workingSpace = .linear }
  }

  /// The shot that the document says.
  fileprivate func shot(_ clock: ShotClock) throws(DiagnosticsError) -> ClosedRange<Int>? {
    if let word = self.clock["duration"] {
      if let shot = clock.frames(lasting: word.text) { return shot }
      throw DiagnosticsError(
        Diagnostic(
          "graph.duration", "expected a length above 0, found '\(word.text)'", labels: [word.label("not a length")],
          help: ["write 'duration: 2s' or 'duration: 48f'"]))
    }
    guard let word = self.clock["frames"] else { return nil }
    do throws(DiagnosticsError) {
      let frames = try FrameRangeParser.parse(word.text, option: "frames").frames
      return frames.min().flatMap { first in frames.max().map { first...$0 } }
    } catch {
      throw DiagnosticsError(
        error.diagnostics.map { Diagnostic($0.id, $0.message, labels: [word.label("not frames")], help: $0.help, notes: $0.notes) })
    }
  }

  private var start: Rational {
    get throws(DiagnosticsError) {
      guard let word = clock["start"] else { return .zero }
      guard let start = CaseValues.seconds(word.text) else {
        throw DiagnosticsError(
          Diagnostic(
            "graph.start", "expected seconds up to \(ShotClock.longestTime), found '\(word.text)'", labels: [word.label("not a time")],
            help: ["write 'start: 2.5'"]))
      }
      return start
    }
  }
}
