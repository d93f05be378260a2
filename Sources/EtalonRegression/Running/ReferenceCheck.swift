internal import Etalon
internal import EtalonComparison
internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonMedia
internal import EtalonTypes

/// Compares the pictures of a case with its references.
struct ReferenceCheck {
  private let run: CaseRun

  init(_ run: CaseRun) { self.run = run }

  func judge(_ testCase: TestCase, _ frames: [RenderedFrame], _ work: inout CaseWork) throws {
    switch testCase.reference {
    case .none: return
    case .pictures(let pictures):
      let looks = frames.map { compare($0, testCase, pictures) }
      let found = overTime(looks.map { ($0.result, $0.reference) }, frames, testCase)
      work.add(found, frames, testCase, run.tolerance(of: testCase))
      work.result.frames += looks.flatMap(\.broken)
      work.result.notes += lost(frames, found.map(\.reference))
    case .device(let word): try compare(frames, testCase, with: word, &work)
    }
    work.result.notes += ignored(frames, testCase)
    if work.result.isApprovable { work.result.approve = "etalon approve RESULTS \(ShellWord.quoted(testCase.id))" }
  }

  // MARK: stored pictures

  /// What is left out because the case says so.
  private func ignored(_ frames: [RenderedFrame], _ testCase: TestCase) -> [String] {
    guard run.tolerance(of: testCase).nan == .ignore, let hole = frames.first(where: { $0.notFinite.count > 0 }) else { return [] }
    return ["\(hole.moment.text): \(hole.notFinite.words(in: hole.floats.size)); 'nan: ignore' leaves them out"]
  }

  /// What PNG files cannot say of pictures that may have NaN.
  private func lost(_ frames: [RenderedFrame], _ references: [PixelBuffer?]) -> [String] {
    let hole = zip(frames, references).first { $0.notFinite.count > 0 && $1.map { !$0.format.isFloat } ?? false }
    return hole.map {
      ["\($0.0.moment.text): \($0.0.notFinite.words), which a PNG file has as a color: 'reference: NAME.exr' compares them"]
    } ?? []
  }

  /// The best of the comparisons with all pictures that may be equal, the picture, and what is wrong with others of them.
  private func compare(
    _ frame: RenderedFrame, _ testCase: TestCase, _ pictures: [ReferenceRule.Picture]
  ) -> (result: FrameResult, reference: PixelBuffer?, broken: [FrameResult]) {
    let files = pictures.map { StoredPicture($0, frame.number, on: run.device) }
    let compared = files.map { file in file.map { compare(frame, testCase, $0, isOnly: files.count == 1) } }
    let nearest = compared.compactMap(\.self).min { Self.rank($0.0) < Self.rank($1.0) }
    var best = nearest?.0 ?? missing(frame, pictures[0])
    let looks = zip(pictures, compared).map { (picture: $0, found: $1?.0) }
    let broken = BrokenReferences(frame: frame).found(in: looks, besides: best)
    let isRecorded = run.settings.keepsAll && best.comparison.map { !$0.isEqual } ?? true
    guard best.verdict != .passed || isRecorded else { return (best, nearest?.1, broken) }
    CasePictureFolder(run, testCase).keep(&best, frame, beside: nearest?.1)
    propose(&best, frame, testCase, for: pictures[0], used: files.compactMap(\.self).first?.path)
    return (best, nearest?.1, broken)
  }

  /// Keeps what may take the place of a reference: not that of a pointer, behind which there is a picture already.
  private func propose(
    _ found: inout FrameResult, _ frame: RenderedFrame, _ testCase: TestCase, for picture: ReferenceRule.Picture, used: String?
  ) {
    let target = target(picture, frame, used: used)
    guard !StoredPicture.isPointer(at: target) else { return }
    found.target = target
    if target == picture.path(frame.number) { found.hash = picture.hash?.text.lowercased() }
    CasePictureFolder(run, testCase).keepCandidate(&found, frame, bits: testCase.bits, on: run.device)
  }

  private static func rank(_ found: FrameResult) -> (Int, Int) {
    let order: [Verdict] = [.passed, .warning, .failed, .sizeMismatch, .invalid]
    return (order.firstIndex(of: found.verdict) ?? order.count, found.comparison?.color?.differing ?? .max)
  }

  /// - Parameter isOnly: whether no other picture may be equal instead.
  private func compare(
    _ frame: RenderedFrame, _ testCase: TestCase, _ stored: StoredPicture, isOnly: Bool
  ) -> (FrameResult, PixelBuffer?) {
    var found = result(frame)
    found.reference = stored.path
    let reference: PixelBuffer
    do throws(RenderError) { reference = try stored.read() } catch {
      (found.verdict, found.reason) = (.invalid, error.diagnostic.message)
      return (found, nil)
    }
    guard testCase.bits == 8 || reference.format != .rgba8 else {
      found.verdict = .invalid
      found.reason = "'\(stored.path)' has 8 bits a channel, and the case says 'bits: 16': record it again, or leave 'bits' out"
      return (found, reference)
    }
    let actual = frame.picture(like: reference)
    guard actual.size == reference.size else {
      found.verdict = .sizeMismatch
      found.reason = "\(frame.moment.text): '\(stored.path)' is \(reference.size), and the picture is \(actual.size)"
      return (found, reference)
    }
    found.judge(
      actual, reference, run.rule(of: testCase, besideCPU: isOnly && !run.device.isReference && StoredPicture.mayBeOfCPU(stored.path)))
    if found.verdict != .passed { found.changes = ReferenceChange.all(since: stored.path, frame, on: run.device) }
    return (found, reference)
  }

  private func missing(_ frame: RenderedFrame, _ picture: ReferenceRule.Picture) -> FrameResult {
    var found = result(frame)
    let path = picture.path(frame.number)
    (found.verdict, found.reference, found.reason) = (.missingReference, path, "\(frame.moment.text): there is no '\(path)'")
    return found
  }

  /// Where approving writes to: on Etalon's own executor the picture for all devices, elsewhere the one for the driver.
  private func target(_ picture: ReferenceRule.Picture, _ frame: RenderedFrame, used: String?) -> String {
    let common = picture.path(frame.number)
    if let used, NamedFiles.plain(ReferenceKey.split(used)?.common ?? "") == NamedFiles.plain(common) { return used }
    let keys = run.device.referenceKeys
    guard !run.device.isReference, let key = keys.dropFirst().first ?? keys.first else { return common }
    return picture.path(frame.number, for: key)
  }

  // MARK: other devices

  private func compare(_ frames: [RenderedFrame], _ testCase: TestCase, with word: GraphText.Word, _ work: inout CaseWork) throws {
    let other = try TestDevice(named: word)
    guard !other.isSame(as: run.device) else {
      var found = FrameResult(check: "reference", moment: "all frames")
      (found.verdict, found.reason) = (.skipped, "the device is its own reference: run it with another '--device'")
      return work.result.add(found)
    }
    let references = try CaseRenderer(device: word.text, library: run.library, timeout: run.settings.timeout).frames(of: testCase)
    var all: [(result: FrameResult, reference: PixelBuffer?)] = []
    for (frame, reference) in zip(frames, references) {
      var found = self.result(frame)
      found.reference = "device \(other.device)"
      let (actual, wanted) = (frame.levels(bits: testCase.bits), reference.levels(bits: testCase.bits))
      let rule = run.rule(of: testCase, besideCPU: other.isReference)
      found.judge(actual, wanted, rule)
      found.judgeFiniteness(frame.floats, reference.floats, rule.tolerance.nan)
      if found.verdict != .passed { CasePictureFolder(run, testCase).keep(&found, frame, beside: wanted) }
      all.append((found, wanted))
    }
    work.add(overTime(all, frames, testCase), frames, testCase, run.tolerance(of: testCase))
  }

  /// The results with how much differences change from frame to frame, and what the tolerance says about that.
  private func overTime(
    _ found: [(result: FrameResult, reference: PixelBuffer?)], _ frames: [RenderedFrame], _ testCase: TestCase
  ) -> [(result: FrameResult, reference: PixelBuffer?)] {
    guard found.count > 1 else { return found }
    var meter = FlickerMeter(tolerance: run.tolerance(of: testCase))
    return zip(found, frames).map { found, frame in
      guard let reference = found.reference else { return found }
      var result = found.result
      result.flicker = meter.add(frame.picture(like: reference), reference)
      if let limit = result.flicker?.limit { result.judge(limit) }
      if result.verdict != found.result.verdict { CasePictureFolder(run, testCase).keep(&result, frame, beside: reference) }
      return (result, reference)
    }
  }

  private func result(_ frame: RenderedFrame) -> FrameResult {
    var found = FrameResult(check: "reference", moment: frame.moment.text)
    (found.size, found.recipe) = (frame.floats.size.description, frame.provenance.recipe)
    found.count(frame.notFinite)
    return found
  }
}

extension FrameResult {
  /// Takes over what a limit of flicker says, where that is worse than what the picture says by itself.
  fileprivate mutating func judge(_ limit: LimitResult) {
    switch limit.verdict {
    case .fail where verdict == .passed || verdict == .warning: verdict = .failed
    case .warn where verdict == .passed: verdict = .warning
    default: return
    }
    reason = "\(moment): \(limit.words)"
  }

  /// Compares two pictures as a rule says: with the limits that count where the specification cannot be worked out, too, where they differ.
  mutating func judge(_ actual: PixelBuffer, _ reference: PixelBuffer, _ rule: ComparisonRule) {
    judge(actual, reference, rule.tolerance)
    if let limits = rule.plain, verdict == .failed { plain = comparePictures(actual, reference, tolerance: limits) }
  }

  /// Takes back a failure where all pixels that were asked about are what the specification allows; those that are not determined are worth a warning.
  mutating func judgeBySpecification() {
    guard let specification else { return }
    if plain != nil, specification.outsideForCertain > 0 {
      let pixels = specification.outsideForCertain.of("pixel is", "pixels are")
      let difference = comparison.map { "; \($0.differenceWords)" } ?? ""
      reason = "\(prefix)\(pixels) outside of what Vulkan allows, most at \(specification.worstWords ?? "")\(difference)"
    }
    guard specification.judged > 0, specification.judged == specification.differing, specification.outside == 0,
      specification.unknown == 0
    else { return }
    guard specification.undetermined > 0 else { return (verdict, reason) = (.passed, "") }
    let cause = specification.lines.first.map { ": \($0.text)" } ?? ""
    let pixels = comparison?.extentWords ?? specification.differing.of("pixel differs", "pixels differ")
    (verdict, reason) = (.warning, "\(prefix)\(pixels); Vulkan does not say which picture is right\(cause)")
  }

  /// What reasons begin with.
  var prefix: String { (check == "reference" ? "" : "\(check): ") + "\(moment): " }

  /// Compares two pictures; a tolerance that judges nothing of pictures like these makes the case invalid.
  mutating func judge(_ actual: PixelBuffer, _ reference: PixelBuffer, _ tolerance: Tolerance) {
    let diagnostics = tolerance.limitDiagnostics(comparing: ChannelKind(actual, reference), size: reference.size)
    guard let diagnostic = diagnostics.first else { return judge(comparePictures(actual, reference, tolerance: tolerance)) }
    (verdict, reason) = (.invalid, "\(moment): the tolerance judges nothing: \(diagnostic.message)")
  }

  /// Takes over what a comparison says.
  mutating func judge(_ comparison: PictureComparison) {
    self.comparison = comparison
    switch comparison.verdict {
    case .pass: verdict = .passed
    case .warn: (verdict, reason) = (.warning, "\(moment): \(comparison.words)")
    case .fail: (verdict, reason) = (.failed, "\(moment): \(comparison.words)")
    case .sizeMismatch: (verdict, reason) = (.sizeMismatch, "\(moment): the sizes differ")
    }
  }
}

/// What is wrong with one of several references of a frame, whether another one is equal or not: a picture that can never be equal must not hide behind it.
private struct BrokenReferences {
  /// A picture that the case names, and what a comparison with its file says; nil where there is none.
  typealias Look = (picture: ReferenceRule.Picture, found: FrameResult?)

  let frame: RenderedFrame

  /// - Parameter best: the result that is told anyway.
  func found(in looks: [Look], besides best: FrameResult) -> [FrameResult] {
    guard looks.count > 1 else { return [] }
    return looks.compactMap { look in
      guard let found = look.found else { return look.picture.path(frame.number) == best.reference ? nil : missing(look.picture) }
      let isBroken = found.verdict == .invalid || found.verdict == .sizeMismatch
      return isBroken && found.reference != best.reference ? found : nil
    }
  }

  private func missing(_ picture: ReferenceRule.Picture) -> FrameResult {
    var found = FrameResult(check: "reference", moment: frame.moment.text)
    let path = picture.path(frame.number)
    (found.verdict, found.reference) = (.missingReference, path)
    found.reason =
      "\(frame.moment.text): there is no '\(path)', which is one of several references: put it there, or leave it out of the case"
    return found
  }
}

// MARK: - differences in words

extension PictureComparison {
  /// Whether nothing differs at all.
  var isEqual: Bool { color?.differing == 0 && alpha?.differing == 0 && nonFinite?.differingPixels ?? 0 == 0 }

  /// What is wrong, in one line: the worst limit, how many pixels, and where it is worst.
  var words: String {
    let limit = limits.first { $0.verdict != .pass && $0.key != "nan" && $0.value.isFinite }
    return ([nonFinite?.words, limit?.words].compactMap(\.self) + [differenceWords]).filter { !$0.isEmpty }.joined(separator: "; ")
  }

  /// How many pixels differ, and where most, whatever any limit says.
  var differenceWords: String {
    var parts: [String] = []
    for (name, channel) in [("", color), (" of alpha", alpha)] {
      guard let channel, channel.differing > 0 else { continue }
      parts.append(channel.differing.of("pixel differs", "pixels differ") + name)
      if let worst = channel.worst {
        parts.append(worst.words)
      }
    }
    return parts.joined(separator: "; ")
  }

  /// `333 pixels differ by up to 12 levels`.
  fileprivate var extentWords: String {
    let differing = max(color?.differing ?? 0, alpha?.differing ?? 0)
    let largest = max(color?.largest ?? 0, alpha?.largest ?? 0)
    let extent = Self.short(largest) + (unit != .levels ? "" : largest == 1 ? " level" : " levels")
    return "\(differing.of("pixel differs", "pixels differ")) by up to \(extent)"
  }

  /// The same of limits that decide in the place of the specification, with the figures beside them where they hold, too.
  var plainWords: String {
    guard verdict == .pass, let limit = limits.first else { return words }
    return "\(limit.words); \(words)"
  }

  fileprivate static func short(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e9 ? "\(Int(value))" : "\((value * 10_000).rounded() / 10_000)"
  }
}

extension PixelDifference {
  /// Where a pixel differs most, and what it is and was.
  fileprivate var words: String {
    let index = ["r", "g", "b", "a"].firstIndex(of: channel) ?? 0
    func text(_ values: [MeasuredNumber]) -> String { index < values.count ? PictureComparison.short(values[index].wrappedValue) : "?" }
    return "most at column \(place.x), row \(place.yFromTop) from the top: \(channel) is \(text(actual)), was \(text(reference))"
  }
}

/// What fails of several frames, or warns where none fails, in one line: how many, the first, and the worst.
struct SequenceNote {
  private let frames: [FrameResult]

  init(_ frames: [FrameResult]) { self.frames = frames }

  /// Nil for a single frame, and where all pass.
  var text: String? {
    let failed = frames.filter { $0.verdict == .failed }
    let found = failed.isEmpty ? frames.filter { $0.verdict == .warning || $0.verdict == .notWorkedOut } : failed
    guard frames.count > 1, let first = found.first else { return nil }
    let verb = (failed.isEmpty ? "warn" : "fail") + (found.count == 1 ? "s" : "")
    func largest(_ frame: FrameResult) -> Double { max(frame.comparison?.color?.largest ?? 0, frame.comparison?.alpha?.largest ?? 0) }
    guard let worst = found.max(by: { largest($0) < largest($1) }) else { return nil }
    let flicker = frames.compactMap { frame in frame.flicker.map { (frame.moment, $0.mean) } }.max { $0.1 < $1.1 }
    let change = flicker.map { $0.1 > 0 ? "; the difference changes most to \($0.0), by \(PictureComparison.short($0.1)) on average" : "" }
    return "\(found.count) of \(frames.count) frames \(verb): \(first.moment) is the first, \(worst.moment) the worst\(change ?? "")"
  }
}
