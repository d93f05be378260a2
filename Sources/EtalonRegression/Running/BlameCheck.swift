internal import EtalonComparison
internal import EtalonDiagnostics
internal import EtalonTypes

/// Finds the cause of a difference on a device, with the help of Etalon's own executor.
///
/// 1. The case is rendered by the CPU device. When that differs from the reference, too, the shader, a value or an input changed.
/// 2. The ranges of what Vulkan allows are computed for the pixels that differ. Pixels outside of them are wrong in the driver.
/// 3. Where a range is not known, errors are made on purpose, as devices may make them. Pixels that these errors move at least half as far, or whose
///    neighbors are moved so, have no right value. The cause of all other pixels stays unknown.
struct BlameCheck {
  /// The kinds of errors: what pixels depend on that they move, and the devices that make them.
  static let errors: [(words: String, devices: [String])] = [
    ("the last bits of elementary functions", (1...3).map { "cpu:last-place=\($0)" }),
    ("how finely textures are filtered", (1...6).map { "cpu:sampling=\($0)" }),
    ("whether products are rounded before they are added", (1...4).map { "cpu:contraction=\($0)" }),
    ("in which order sums and products are done", (1...4).map { "cpu:association=\($0)" }),
    ("whether numbers near zero become zero", ["cpu:denormals=flush"]),
    ("errors of elementary functions that Vulkan allows", (1...3).map { "cpu:specification=\($0)" }),
    ("what operations give where they are not defined", (1...3).map { "cpu:undefined=\($0)" }),
  ]

  private let run: CaseRun
  private let testCase: TestCase
  private let time: JudgingTime

  init(_ run: CaseRun, _ compared: CaseWork.Compared, _ time: JudgingTime) {
    (self.run, testCase, self.time) = (run, compared.testCase, time)
  }

  /// The cause of the differences of some frames, and the reason.
  struct Judgement {
    /// Nil where that could not be worked out.
    var blame: Blame?
    /// Why, in one line.
    var words: String
    /// For each frame, how its pixels lie beside what the specification allows; empty where the CPU device differs, too.
    var specifications: [SpecificationResult] = []

    /// `the driver: 3 of 12 pixels are outside of what Vulkan allows`.
    var text: String { "\(blame.map { "the \($0.rawValue)" } ?? "not worked out"): \(words)" }

    /// A line for each frame and for what makes most of its pixels undetermined.
    var notes: [String] {
      specifications.flatMap { specification in
        ["specification: \(specification.words)"] + specification.lines.prefix(3).map { "\($0.pixels.of("pixel")): \($0.text)" }
      }
    }
  }

  /// Judges frames that differ from their references, on another device than Etalon's own executor.
  ///
  /// The ranges that the specification allows come first; where they say nothing about a pixel, errors that are made on purpose do.
  ///
  /// - Parameter isFailing: whether a frame still fails, with what the specification says of the frames.
  func judge(_ questions: [PixelQuestion], isFailing: ([SpecificationResult]) -> Bool = { _ in true }) -> Judgement {
    // A reference that the CPU device recorded is equal to the last bit as long as nothing changes, whatever the tolerance allows.
    var change: String?
    let own: [RenderedFrame]
    do { own = try frames("cpu") } catch { return Judgement(blame: nil, words: words(of: error)) }
    for question in questions {
      let shown = own.first { $0.number == question.frame.number }?.picture(like: question.reference)
      guard let shown, shown.size == question.reference.size else {
        return Judgement(blame: nil, words: "the CPU device has a picture of another size")
      }
      if comparePictures(shown, question.reference, tolerance: question.toleranceOfCPU).verdict.isFailure {
        return Judgement(
          blame: .change, words: "the CPU device does not show the reference either, so the shader, a value or an input changed")
      }
      guard question.isBesideCPU, change == nil, shown.bytes != question.reference.bytes else { continue }
      let difference = comparePictures(shown, question.reference, tolerance: .exact).differenceWords
      change = "the CPU device recorded the reference, and shows other bits now (\(difference)), so the shader, a value or an input changed"
    }
    let check = SpecificationCheck(run, testCase, time, sharedBy: questions.count)
    var specifications: [SpecificationResult] = []
    var noRange = ""
    do { for question in questions { specifications.append(try check.judge(question)) } } catch {
      noRange = words(of: error, "no range can be computed")
    }
    let isComplete = noRange.isEmpty
    if let change, !isComplete || specifications.allSatisfy({ $0.outside == 0 }) {
      return Judgement(blame: .change, words: change, specifications: isComplete ? specifications : [])
    }
    guard isComplete else { return isFailing([]) ? byErrors(questions, own) : Judgement(blame: nil, words: noRange) }
    if let found = bySpecification(specifications) { return found }
    guard isFailing(specifications) else { return Judgement(blame: nil, words: "", specifications: specifications) }
    var judgement = byErrors(questions, own)
    judgement.specifications = specifications
    return judgement
  }

  /// Why there is no picture to compare with, or no range.
  private func words(of error: any Error, _ what: String = "the CPU device shows nothing") -> String {
    if time.isOver { return "the CPU device takes \(time.words)" }
    return switch error {
    case let error as RenderError: "\(what): \(error.diagnostic.message)"
    case let error as DiagnosticsError: "\(what): \(error.diagnostics.first?.message ?? "it cannot be read")"
    default: "\(what): \(error)"
    }
  }

  /// The judgement that follows from the ranges; nil where too little is known.
  private func bySpecification(_ found: [SpecificationResult]) -> Judgement? {
    func sum(_ part: (SpecificationResult) -> Int) -> Int { found.reduce(0) { $0 + part($1) } }
    let outside = sum(\.outside), judged = sum(\.judged), withoutBound = sum { $0.outsideWithoutBound ?? 0 }
    if outside > withoutBound {
      let worst = found.filter { $0.outside > 0 }.compactMap(\.worstWords).first ?? ""
      return Judgement(
        blame: .driver,
        words: "\(outside) of \(judged.of("pixel")) \(outside == 1 ? "is" : "are") outside of what Vulkan allows, most at \(worst)",
        specifications: found)
    }
    if outside > 0 {
      let share = outside == judged ? "the pixels are" : "\(outside) of \(judged.of("pixel")) \(outside == 1 ? "is" : "are")"
      return Judgement(
        blame: nil,
        words:
          "\(share) outside of the bounds of the conformance tests, and Vulkan has none for what happens there, as for sines beyond pi",
        specifications: found)
    }
    guard sum(\.unknown) == 0, judged > 0 else { return nil }
    let pixels = judged < sum(\.differing) ? "the \(judged) worst pixels are" : "the pixels are"
    let words =
      found.flatMap(\.lines).first.map {
        "\(pixels) all that Vulkan allows, and where they differ \($0.text); type '\(testCase.sanitizing)'"
      }
      ?? "\(pixels) all that Vulkan allows: no device has to come nearer"
    return Judgement(blame: .shader, words: words, specifications: found)
  }

  /// The judgement that follows from errors that are made on purpose.
  private func byErrors(_ questions: [PixelQuestion], _ own: [RenderedFrame]) -> Judgement {
    var unexplained = questions.map(\.pixels)
    let count = Self.count(unexplained)
    guard count > 0 else { return Judgement(blame: nil, words: "there is no pixel to ask about") }
    var reasons: [String] = [], failure: String?
    for kind in Self.errors where Self.count(unexplained) > 0 {
      let spreads: [[Double]]
      do { spreads = try self.spreads(kind.devices, questions, own) } catch {
        guard !time.isOver else {
          return Judgement(blame: nil, words: "rendering it with errors that devices may make takes \(time.words)")
        }
        failure = failure ?? words(of: error, "it cannot be rendered with some errors that devices may make")
        continue
      }
      let before = Self.count(unexplained)
      for index in questions.indices {
        // An error that moves a pixel a little does not explain a large difference.
        unexplained[index].removeAll { !($0.difference > 2 * spreads[index][$0.index]) }
      }
      if Self.count(unexplained) < before { reasons.append(kind.words) }
    }
    let left = Self.count(unexplained)
    guard left > 0 else { return Judgement(blame: .shader, words: "the same pixels hang on \(reasons.joined(separator: ", and on "))") }
    // What those errors would have explained is not known.
    if let failure { return Judgement(blame: nil, words: failure) }
    let some = left == 1 ? "1 of the \(count) pixels does" : "\(left) of the \(count) pixels do"
    let share =
      left < count ? "\(some) not move as far" : count == 1 ? "the pixel does not move as far" : "none of the \(count) pixels moves as far"
    // Only a range can say that no device may show a pixel: errors that explain nothing are no proof.
    return Judgement(
      blame: nil, words: "what Vulkan allows is not known of all pixels, and \(share) with errors that devices may make")
  }

  private static func count(_ pixels: [[PixelQuestion.Pixel]]) -> Int { pixels.reduce(0) { $0 + $1.count } }

  /// How far errors of a kind move each pixel or one of its neighbors, at most.
  ///
  /// - Parameter own: the frames without errors, which may be other pictures than the references.
  private func spreads(_ devices: [String], _ questions: [PixelQuestion], _ own: [RenderedFrame]) throws -> [[Double]] {
    var spreads = questions.map { [Double](repeating: 0, count: $0.reference.size.pixelCount) }
    for device in devices {
      let moved = try frames(device)
      for (index, question) in questions.enumerated() {
        guard let perturbed = moved.first(where: { $0.number == question.frame.number }),
          let exact = own.first(where: { $0.number == question.frame.number })
        else { continue }
        let (shown, before) = (perturbed.picture(like: question.reference), exact.picture(like: question.reference))
        let distances = PixelDistances(shown, before, tolerance: question.tolerance)
        for pixel in spreads[index].indices { spreads[index][pixel] = max(spreads[index][pixel], distances.largest(pixel)) }
      }
    }
    return zip(spreads, questions).map { $0.largestAround(in: $1.reference.size) }
  }

  private func frames(_ device: String) throws -> [RenderedFrame] {
    try CaseRenderer(device: device, library: run.library, timeout: time.left).frames(of: testCase)
  }
}

extension [Double] {
  /// The largest of every number of a picture and those around it.
  fileprivate func largestAround(in size: Size) -> [Double] {
    indices.map { index in
      let (x, y) = (index % size.width, index / size.width)
      var largest = 0.0
      for row in Swift.max(0, y - 1)...Swift.min(size.height - 1, y + 1) {
        for column in Swift.max(0, x - 1)...Swift.min(size.width - 1, x + 1) {
          largest = Swift.max(largest, self[row * size.width + column])
        }
      }
      return largest
    }
  }
}

// MARK: - frames of a case

/// Finds the cause of frames that differ on a device, and lets those pass that the specification allows where the tolerance says so.
struct DeviceBlame {
  private let run: CaseRun
  private let compared: CaseWork.Compared
  private let time: JudgingTime

  init(_ run: CaseRun, _ compared: CaseWork.Compared, _ time: JudgingTime) { (self.run, self.compared, self.time) = (run, compared, time) }

  /// Notes the blame for what differs, or why it is not known.
  func apply(to result: inout CaseResult) {
    let failed = compared.places.filter { result.frames[$0].verdict == .failed }
    guard !run.device.isReference, !failed.isEmpty else { return }
    let asked = failed.compactMap { place in question(place, result.frames[place]).map { (place: place, question: $0) } }
    for note in asked.filter({ $0.question.isDecidedBySpecification }).flatMap(\.question.notes) where !result.notes.contains(note) {
      result.notes.append(note)
    }
    let open = asked.filter { !$0.question.pixels.isEmpty }
    guard !open.isEmpty else {
      result.notes.append(
        "\(CaseResult.blamePrefix)not worked out: \(asked.first?.question.wordsOfNothing ?? "there is no picture to compare with")")
      return
    }
    let judgement = BlameCheck(run, compared, time).judge(open.map(\.question)) { specifications in
      var result = result
      settle(&result, open, specifications)
      return compared.places.contains { result.frames[$0].verdict == .failed }
    }
    if judgement.blame != .change {
      settle(
        &result, open, judgement.specifications,
        why: judgement.blame == nil && !judgement.words.isEmpty ? judgement.words : Self.noRange)
    }
    for asked in open where result.frames[asked.place].verdict == .passed && !run.settings.keepsAll {
      CasePictureFolder(run, compared.testCase).discard(&result.frames[asked.place], keepsPictures: run.settings.showsAll)
    }
    // Pixels that are no numbers fail the case whatever they may be; why they are none is the same question.
    let holes = result.frames.filter { $0.check == "renders" && $0.verdict == .failed && $0.notFinite > 0 }.map(\.moment)
    let isOfHole = judgement.blame != nil && open.contains { holes.contains(result.frames[$0.place].moment) }
    if isOfHole || compared.places.contains(where: { result.frames[$0].verdict == .failed }) {
      result.blame = result.blame ?? judgement.blame
      result.notes.append("\(CaseResult.blamePrefix)\(judgement.text)")
    }
    if compared.places.contains(where: { result.frames[$0].verdict != .passed }) || open.contains(where: { !$0.question.isUsual }) {
      result.notes += judgement.notes
    }
  }

  private static let noRange = "no range could be computed"

  /// Lets those frames pass that the specification allows, and leaves to the plain comparison of which that is not known.
  private func settle(
    _ result: inout CaseResult, _ open: [(place: Int, question: PixelQuestion)], _ found: [SpecificationResult],
    why: String = noRange
  ) {
    for (index, asked) in open.enumerated() {
      let specification = index < found.count ? found[index] : nil
      result.frames[asked.place].specification = specification
      guard asked.question.isDecidedBySpecification, asked.question.openKeys.isEmpty else { continue }
      if specification != nil { result.frames[asked.place].judgeBySpecification() }
      result.frames[asked.place].leaveToPlainComparison(specification?.wordsOfUnknown ?? why)
    }
  }

  /// What there is to ask about a frame that failed; nil where it has no reference.
  private func question(_ place: Int, _ found: FrameResult) -> PixelQuestion? {
    let picture = compared.pictures[place - compared.places.lowerBound]
    guard let reference = picture.reference, reference.size == picture.frame.floats.size else { return nil }
    return PixelQuestion(
      found, picture.frame, reference, compared.tolerance, asksSpecification: run.allowsSpecification(compared.testCase),
      isBesideCPU: isBesideCPU(found))
  }

  /// Whether the CPU device recorded the only picture that a frame may equal.
  private func isBesideCPU(_ found: FrameResult) -> Bool {
    guard case .pictures(let pictures) = compared.testCase.reference, pictures.count == 1, let path = found.reference else { return false }
    return StoredPicture.isOfCPU(path)
  }
}
