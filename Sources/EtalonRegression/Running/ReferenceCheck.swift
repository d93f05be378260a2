internal import EtalonComparison
internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonMedia
internal import EtalonTypes

/// Compares the pictures of a case with its references.
struct ReferenceCheck {
  private let run: CaseRun

  init(_ run: CaseRun) { self.run = run }

  func judge(_ testCase: TestCase, _ frames: [RenderedFrame], _ result: inout CaseResult) throws {
    switch testCase.reference {
    case .none: return
    case .pictures(let pictures):
      for frame in frames { result.add(compare(frame, testCase, pictures)) }
    case .device(let word): try compare(frames, testCase, with: word.text, &result)
    }
    if !result.candidates.isEmpty { result.approve = "etalon approve RESULTS \(ShellText.quoted(testCase.id))" }
  }

  // MARK: stored pictures

  /// The best of the comparisons with all pictures that may be equal.
  private func compare(_ frame: RenderedFrame, _ testCase: TestCase, _ pictures: [ReferenceRule.Picture]) -> FrameResult {
    let folder = PictureFolder(run, testCase)
    let stored = pictures.compactMap { StoredPicture($0, frame.number, on: run.device) }
    guard !stored.isEmpty else { return missing(frame, testCase, pictures) }
    let found = stored.map { compare(frame, testCase, $0) }
    guard let nearest = found.min(by: { Self.rank($0.0) < Self.rank($1.0) }) else { preconditionFailure("no comparison") }
    var best = nearest.0
    best.target = target(pictures[0], frame, used: stored[0].path)
    let isRecorded = run.settings.keepsAll && best.comparison.map { !$0.isEqual } ?? true
    guard best.verdict != .passed || isRecorded else {
      best.target = nil
      return best
    }
    folder.keep(&best, frame, beside: nearest.1)
    folder.keepCandidate(&best, frame, bits: testCase.bits)
    return best
  }

  private static func rank(_ found: FrameResult) -> (Int, Int) {
    let order: [Verdict] = [.passed, .warning, .failed, .sizeMismatch, .invalid]
    return (order.firstIndex(of: found.verdict) ?? order.count, found.comparison?.color?.differing ?? .max)
  }

  private func compare(_ frame: RenderedFrame, _ testCase: TestCase, _ stored: StoredPicture) -> (FrameResult, PixelBuffer?) {
    var found = result(frame)
    found.reference = stored.path
    let reference: PixelBuffer
    do throws(RenderError) { reference = try stored.read() } catch {
      (found.verdict, found.reason) = (.invalid, error.diagnostic.message)
      return (found, nil)
    }
    let actual = frame.levels(bits: reference.format == .rgba16 ? 16 : 8)
    guard actual.size == reference.size else {
      found.verdict = .sizeMismatch
      found.reason = "\(frame.moment.text): '\(stored.path)' is \(reference.size), and the picture is \(actual.size)"
      return (found, reference)
    }
    found.judge(comparePictures(actual, reference, tolerance: run.tolerance(testCase.tolerances)))
    return (found, reference)
  }

  private func missing(_ frame: RenderedFrame, _ testCase: TestCase, _ pictures: [ReferenceRule.Picture]) -> FrameResult {
    var found = result(frame)
    found.verdict = .missingReference
    found.reference = pictures[0].path(frame.number)
    found.reason = "\(frame.moment.text): there is no '\(pictures[0].path(frame.number))'"
    found.target = target(pictures[0], frame, used: nil)
    let folder = PictureFolder(run, testCase)
    folder.keep(&found, frame, beside: nil)
    folder.keepCandidate(&found, frame, bits: testCase.bits)
    return found
  }

  /// Where approving writes to: on Etalon's own executor the picture for all devices, elsewhere the one for the driver.
  private func target(_ picture: ReferenceRule.Picture, _ frame: RenderedFrame, used: String?) -> String {
    let common = picture.path(frame.number)
    if let used, used != common, NamedFiles.isSpecial(used, of: common) { return used }
    let keys = run.device.referenceKeys
    return run.device.isReference ? common : picture.path(frame.number, for: keys.count > 1 ? keys[1] : keys.first ?? "device")
  }

  // MARK: other devices

  private func compare(_ frames: [RenderedFrame], _ testCase: TestCase, with device: String, _ result: inout CaseResult) throws {
    let other = try TestDevice(option: device)
    guard other.backend != run.device.backend || other.device != run.device.device else {
      var found = FrameResult(check: "reference", moment: "all frames")
      (found.verdict, found.reason) = (.skipped, "the device is its own reference: run it with another '--device'")
      return result.add(found)
    }
    let references = try CaseRenderer(device: device, library: run.library, timeout: run.settings.timeout).frames(of: testCase)
    for (frame, reference) in zip(frames, references) {
      var found = self.result(frame)
      found.reference = "device \(other.device)"
      let (actual, wanted) = (frame.levels(bits: testCase.bits), reference.levels(bits: testCase.bits))
      found.judge(comparePictures(actual, wanted, tolerance: run.tolerance(testCase.tolerances)))
      if found.verdict != .passed { PictureFolder(run, testCase).keep(&found, frame, beside: wanted) }
      result.add(found)
    }
  }

  private func result(_ frame: RenderedFrame) -> FrameResult {
    var found = FrameResult(check: "reference", moment: frame.moment.text)
    (found.size, found.recipe, found.notFinite) = (frame.floats.size.description, frame.provenance.recipe, frame.notFinite.count)
    return found
  }
}

extension FrameResult {
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

extension PictureComparison {
  /// Whether nothing differs at all.
  var isEqual: Bool { color?.differing == 0 && alpha?.differing == 0 && nonFinite?.differingPixels ?? 0 == 0 }

  /// What is wrong, in one line: the worst limit, how many pixels, and where it is worst.
  var words: String {
    var parts: [String] = []
    if let limit = limits.first(where: { $0.verdict != .pass }) {
      let level = (limit.verdict == .warn ? limit.warn : limit.fail) ?? 0
      let unit = limit.unit.isEmpty ? "" : " \(limit.unit)"
      parts.append(
        "\(limit.key) is \(Self.short(limit.value))\(unit), and may be \(limit.isMinimum ? "no less than " : "")\(Self.short(level))")
    }
    for (name, channel) in [("", color), (" of alpha", alpha)] {
      guard let channel, channel.differing > 0 else { continue }
      parts.append("\(channel.differing) pixels differ\(name)")
      if let worst = channel.worst {
        parts.append("most at column \(worst.place.x), row \(worst.place.yFromTop) from the top in \(worst.channel)")
      }
    }
    return parts.joined(separator: "; ")
  }

  private static func short(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e9 ? "\(Int(value))" : "\((value * 10_000).rounded() / 10_000)"
  }
}
