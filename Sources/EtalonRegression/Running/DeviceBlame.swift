internal import EtalonComparison
internal import EtalonTypes

/// Says of frames that differ on a device whom to blame, and lets those pass that the specification allows where the tolerance does.
struct DeviceBlame {
  private let run: CaseRun
  private let testCase: TestCase

  init(_ run: CaseRun, _ testCase: TestCase) { (self.run, self.testCase) = (run, testCase) }

  /// The results with the blame for what differs, which is noted, too.
  func applied(
    to found: [(result: FrameResult, reference: PixelBuffer?)], _ frames: [RenderedFrame], _ result: inout CaseResult
  ) -> [FrameResult] {
    var results = found.map(\.result)
    // Nobody is to be blamed for what is no number: it has no range.
    let differing = found.indices.filter {
      results[$0].verdict == .failed && results[$0].comparison?.verdict.isFailure ?? true && found[$0].reference != nil
    }
    // Blame is found in levels.
    let pairs = differing.compactMap { index in
      found[index].reference.map { (frame: frames[index], reference: $0.format == .rgba32f ? $0.levels(bits: 8) : $0) }
    }
    guard let judgement = BlameCheck(run, testCase).judge(pairs) else {
      if !pairs.isEmpty, !run.device.isReference {
        result.notes.append("blame: not known, because the CPU device has no picture of it within the time")
      }
      return results
    }
    for (index, specification) in zip(differing, judgement.specifications) { results[index].specification = specification }
    if run.allowsSpecification(testCase) {
      for index in differing { results[index].passBySpecification() }
      guard results.contains(where: { $0.verdict == .failed }) else {
        result.notes += judgement.notes
        return results
      }
    }
    result.blame = result.blame ?? judgement.blame
    result.notes.append("blame: the \(judgement.blame.rawValue): \(judgement.words)")
    result.notes += judgement.notes
    return results
  }
}
