internal import Etalon
internal import EtalonComparison
internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonMedia
internal import EtalonTypes

/// Tries the invariants of a case.
struct InvariantCheck {
  let run: CaseRun

  init(_ run: CaseRun) { self.run = run }

  /// Adds what came out, for every frame that was looked at; one that has nothing to compare is refused.
  ///
  /// - Parameter frames: the pictures of the case as it is.
  func add(_ invariant: Invariant, _ testCase: TestCase, _ frames: [RenderedFrame], _ work: inout CaseWork) throws {
    guard invariant.kind == .cpu, !run.device.isReference else {
      let found = try judge(invariant, testCase, frames)
      if found.isEmpty { throw error(invariant, "there is nothing to compare", "leave it out") }
      work.result.frames += found
      return
    }
    var judged = testCase
    judged.tolerances = invariant.tolerances ?? CaseToleranceRules()
    work.add(try cpu(invariant, testCase, frames), frames, judged, invariant.tolerances?.tolerance(on: run.device) ?? Self.usualOfDevices)
  }

  /// The results of an invariant that asks no other device.
  func judge(_ invariant: Invariant, _ testCase: TestCase, _ frames: [RenderedFrame]) throws -> [FrameResult] {
    switch invariant.kind {
    case .identity: try identity(invariant, testCase, frames)
    case .purity: try purity(invariant, testCase, frames)
    case .resolution: try resolution(invariant, testCase, frames)
    case .periodicity: try periodicity(invariant, testCase, frames)
    case .crop: try crop(invariant, testCase, frames)
    case .fusion: try fusion(invariant, testCase)
    case .ends: try ends(invariant, testCase)
    case .defaults: try defaults(invariant, testCase, frames)
    case .tiles: try tiles(invariant, testCase, frames)
    case .optimization: try optimization(invariant, testCase, frames)
    case .cpu: [ownReference(invariant)]
    }
  }

  // MARK: the invariants

  private func identity(_ invariant: Invariant, _ testCase: TestCase, _ frames: [RenderedFrame]) throws -> [FrameResult] {
    guard let path = testCase.mainPicture else {
      throw error(invariant, "the case names no picture that could stay as it is", "write 'inputs: { inputImage: picture.png }'")
    }
    let picture = try PictureReader().read(path: path)
    return frames.map {
      compare($0, $0.levels(bits: picture.format == .rgba16 ? 16 : 8), picture, invariant, testCase, "the input", Self.sameToTheEye)
    }
  }

  private func purity(_ invariant: Invariant, _ testCase: TestCase, _ frames: [RenderedFrame]) throws -> [FrameResult] {
    let backwards = try run.renderer.frames(of: testCase.with(moments: testCase.moments.reversed()))
    return zip(frames, backwards.reversed()).map { compare($0, $0.floats, $1.floats, invariant, testCase, "the frame after others") }
  }

  private func resolution(_ invariant: Invariant, _ testCase: TestCase, _ frames: [RenderedFrame]) throws -> [FrameResult] {
    let halves = try run.renderer.frames(of: testCase) { $0.proxy = ProxyScale(Rational(1, 2)) }
    let usual = Tolerance(channel: 16, outliers: CountLimit(fail: .percent(5)))
    return try zip(frames, halves).map { whole, half in
      guard whole.floats.size != half.floats.size else {
        throw error(invariant, "a picture of \(whole.floats.size) has no half", "write 'size: 64x64'")
      }
      return compare(half, whole.floats.halved(to: half.floats.size), half.floats, invariant, testCase, "half the size", usual, bits: 8)
    }
  }

  private func periodicity(_ invariant: Invariant, _ testCase: TestCase, _ frames: [RenderedFrame]) throws -> [FrameResult] {
    guard let period = invariant.period else { preconditionFailure("a periodicity without period") }
    let clock = try run.renderer.request(for: testCase).clock
    let later = testCase.moments.map { moment in TestCase.Moment.time(moment.time(clock) + period) }
    let pictures = try run.renderer.frames(of: testCase.with(moments: later))
    let now = try run.renderer.frames(of: testCase.with(moments: testCase.moments.map { .time($0.time(clock)) }))
    return zip(now, pictures).map { compare($0, $0.floats, $1.floats, invariant, testCase, "a period later", bits: 8) }
  }

  private func crop(_ invariant: Invariant, _ testCase: TestCase, _ frames: [RenderedFrame]) throws -> [FrameResult] {
    guard let size = frames.first?.floats.size, size.pixelCount > 1 else {
      throw error(invariant, "a picture of 1x1 has no part", "write 'size: 64x64'")
    }
    let part = Extent(x: size.width / 4, y: size.height / 4, size: Size(max(1, size.width / 2), max(1, size.height / 2)))
    // A half float between the picture and its part would round once more.
    let wholes = try run.renderer.frames(of: testCase) { $0.format = .rgba32f }
    var request = try run.renderer.request(for: testCase)
    request.format = .rgba32f
    request.subject = request.subject.cropped(to: part)
    let parts = try run.renderer.frames(request, at: testCase.moments)
    return zip(wholes, parts).map { compare($1, $1.floats, $0.floats.part(part), invariant, testCase, "the part of the whole") }
  }

  private func fusion(_ invariant: Invariant, _ testCase: TestCase) throws -> [FrameResult] {
    guard try run.renderer.plans(of: testCase, { _ in }) != run.renderer.plans(of: testCase, { $0.planOptions.fuses = false }) else {
      guard invariant.written != nil else { return [] }
      throw error(
        invariant, "every pass is a kernel of its own anyway",
        "leave 'fusion' out, or test a graph of several filters")
    }
    let joined = try run.renderer.frames(of: testCase) { $0.format = .rgba32f }
    let apart = try run.renderer.frames(of: testCase) { request in
      request.format = .rgba32f
      request.planOptions.fuses = false
    }
    return zip(joined, apart).map { compare($0, $0.floats, $1.floats, invariant, testCase, "one filter after the other") }
  }

  private func ends(_ invariant: Invariant, _ testCase: TestCase) throws -> [FrameResult] {
    let pictures = ["startImage": "0", "endImage": "1"].sorted { $0.key > $1.key }
    return try pictures.flatMap { input, progress -> [FrameResult] in
      guard let path = testCase.picture(of: input) else {
        throw error(invariant, "the case names no picture for '\(input)'", "write 'inputs: { startImage: a.png, endImage: b.png }'")
      }
      let picture = try PictureReader().read(path: path)
      let frames = try run.renderer.frames(of: testCase.with(moments: [.first]).setting(["progress": progress]))
      return frames.map {
        compare(
          $0, $0.levels(bits: picture.format == .rgba16 ? 16 : 8), picture, invariant, testCase, "'\(input)'", Self.sameToTheEye,
          at: "progress \(progress)")
      }
    }
  }

  private func cpu(
    _ invariant: Invariant, _ testCase: TestCase, _ frames: [RenderedFrame]
  ) throws -> [(result: FrameResult, reference: PixelBuffer?)] {
    let pictures = try CaseRenderer(device: "cpu", library: run.library, timeout: run.settings.timeout).frames(of: testCase)
    return zip(frames, pictures).map { frame, picture in
      let result = compare(
        frame, frame.floats, picture.floats, invariant, testCase, "the CPU device", Self.usualOfDevices, bits: 8)
      return (result: result, reference: picture.levels(bits: 8))
    }
  }

  // MARK: comparing

  private static let usualOfDevices = Tolerance(channel: 2)

  /// Premultiplied colors are lost where a pixel is transparent, and coarser where it nearly is.
  private static var sameToTheEye: Tolerance {
    var tolerance = Tolerance(channel: 1)
    tolerance.ignoreColorUnderZeroAlpha = true
    return tolerance
  }

  /// - Parameters:
  ///   - bits: the bits of the levels that are compared; nil compares what is given.
  ///   - moment: what a picture shows that is none of the moments of the case.
  func compare(
    _ frame: RenderedFrame, _ actual: PixelBuffer, _ expected: PixelBuffer, _ invariant: Invariant, _ testCase: TestCase, _ words: String,
    _ usual: Tolerance = .exact, bits: Int? = nil, at moment: String? = nil
  ) -> FrameResult {
    let moment = moment ?? frame.moment.text
    var found = FrameResult(check: invariant.kind.rawValue, moment: moment)
    (found.size, found.recipe) = ("\(actual.size)", frame.provenance.recipe)
    guard actual.size == expected.size else {
      (found.verdict, found.reason) = (.sizeMismatch, "\(moment): \(actual.size) is not \(expected.size), the size of \(words)")
      return found
    }
    let tolerance = invariant.tolerances?.tolerance(on: run.device)
    // Limits of a case are in levels, unless its references have none.
    let isInLevels = invariant.kind.comparesNumbers && !testCase.comparesFloats && tolerance ?? .exact != .exact
    let pair =
      (bits ?? (isInLevels ? testCase.bits : nil)).map { (actual.levels(bits: $0), expected.levels(bits: $0)) } ?? (actual, expected)
    found.judge(pair.0, pair.1, run.rule(tolerance ?? usual, isWritten: tolerance != nil, besideCPU: invariant.kind == .cpu))
    // Levels have no NaN; the mean of a half size spreads it.
    if actual.format == .rgba32f, expected.format == .rgba32f, pair.0.format != .rgba32f, invariant.kind != .resolution {
      found.judgeFiniteness(actual, expected, tolerance?.nan)
    }
    guard found.verdict != .passed else { return found }
    found.reason = "\(invariant.kind.rawValue): \(found.reason) beside \(words)"
    let reference = expected.format == .rgba32f ? expected.levels(bits: 8) : expected
    let shown = actual.format == .rgba32f ? actual : nil
    CasePictureFolder(run, testCase).keep(&found, shown.map(frame.showing) ?? frame, beside: reference)
    return found
  }

  /// The error of a case that asks for one where it would compare nothing.
  func error(_ invariant: Invariant, _ reason: String, _ help: String) -> DiagnosticsError {
    let labels = invariant.written.map { [$0.label("compares nothing")] } ?? []
    return DiagnosticsError([
      Diagnostic("case.invariant", "'\(invariant.kind.rawValue)' compares nothing: \(reason)", labels: labels, help: [help])
    ])
  }

  private func ownReference(_ invariant: Invariant) -> FrameResult {
    var found = FrameResult(check: invariant.kind.rawValue, moment: "all frames")
    found.verdict = .skipped
    found.reason = "\(invariant.kind.rawValue): the device is the CPU device itself: run it with another '--device'"
    return found
  }
}

// MARK: - the same picture in another way

/// Invariants that render the same picture in another way.
extension InvariantCheck {
  func defaults(_ invariant: Invariant, _ testCase: TestCase, _ frames: [RenderedFrame]) throws -> [FrameResult] {
    let written: [String]
    let path: String
    switch testCase.subject {
    case .node(let node): (written, path) = (node.settings.map(\.name.text), try run.library.path(of: node.filter.text))
    case .plain(let file) where !GraphDocument.isGraph(file): (written, path) = ([], file)
    case .plain, .document:
      throw error(invariant, "the case is about a graph, and only filters have defaults", "write it into a case of one of its filters")
    }
    let parameters = try FilterFile.read(path).description.parameters
    let open = parameters.filter { parameter in !parameter.followsClock && !written.contains(parameter.name) }
    guard !open.isEmpty else {
      guard invariant.written != nil else { return [] }
      let isWithout = parameters.allSatisfy(\.followsClock)
      throw error(
        invariant, isWithout ? "the filter has no parameters" : "every parameter has a value in 'values' already",
        isWithout ? "leave 'defaults' out" : "leave a value out, or 'defaults'")
    }
    let values = open.map { (name: $0.name, value: $0.default.exactText) }
    let explicit =
      testCase.isPlain
      ? try run.renderer.frames(of: testCase) { $0.settings += values.map { RenderRequest.Setting(name: $0.name, value: $0.value) } }
      : try run.renderer.frames(of: testCase.setting(Dictionary(values.map { ($0.name, $0.value) }) { first, _ in first }))
    return zip(frames, explicit).map { compare($0, $1.floats, $0.floats, invariant, testCase, "the values of the filter, not set") }
  }

  func tiles(_ invariant: Invariant, _ testCase: TestCase, _ frames: [RenderedFrame]) throws -> [FrameResult] {
    if let size = frames.first?.floats.size, size.width <= 10, size.height <= 6 {
      throw error(invariant, "a picture of \(size) is one piece, and pieces have 10x6 pixels", "write 'size: 64x64'")
    }
    let renderer = CaseRenderer(device: run.device.cut("10x6"), library: run.library, timeout: run.settings.timeout)
    return try zip(frames, renderer.frames(of: testCase)).map {
      compare($0, $1.floats, $0.floats, invariant, testCase, "other pieces")
    }
  }

  /// Optimizers of drivers see other kernels, and may round otherwise.
  func optimization(_ invariant: Invariant, _ testCase: TestCase, _ frames: [RenderedFrame]) throws -> [FrameResult] {
    let usual = run.device.isReference ? Tolerance.exact : Tolerance(channel: 2)
    return try zip(frames, run.renderer.frames(of: testCase) { $0.optimizes = true }).map {
      compare(
        $0, $1.floats, $0.floats, invariant, testCase, "what is not optimized ('etalon sanitize' tells of variables without a value)",
        usual, bits: run.device.isReference ? nil : testCase.bits)
    }
  }
}
