internal import EtalonComparison
internal import EtalonTypes

/// Says of frames that differ on a device whom to blame, and lets those pass that the specification allows where the tolerance does.
struct DeviceBlame {
  private let run: CaseRun
  private let compared: CaseWork.Compared
  private let time: JudgingTime

  init(_ run: CaseRun, _ compared: CaseWork.Compared, _ time: JudgingTime) { (self.run, self.compared, self.time) = (run, compared, time) }

  /// Notes the blame for what differs, or why it is not known.
  func apply(to result: inout CaseResult) {
    let failed = compared.places.filter { result.frames[$0].verdict == .failed }
    guard !run.device.isReference, !failed.isEmpty else { return }
    // Nobody is to be blamed for what is no number: it has no range.
    let differing = failed.filter { result.frames[$0].comparison?.verdict.isFailure ?? true && reference(of: $0) != nil }
    guard !differing.isEmpty else {
      result.notes.append("blame: not worked out: what fails is no color that a range could hold")
      return
    }
    // Blame is found in levels.
    let pairs = differing.compactMap { place in
      reference(of: place).map { (frame: frame(of: place), reference: $0.format == .rgba32f ? $0.levels(bits: 8) : $0) }
    }
    let judgement = BlameCheck(run, compared.testCase, time).judge(pairs)
    for (place, specification) in zip(differing, judgement.specifications) { result.frames[place].specification = specification }
    if run.allowsSpecification(compared.testCase) {
      for place in differing { result.frames[place].passBySpecification() }
    }
    if compared.places.contains(where: { result.frames[$0].verdict == .failed }) {
      result.blame = result.blame ?? judgement.blame
      result.notes.append("blame: \(judgement.text)")
    }
    result.notes += judgement.notes
  }

  private func frame(of place: Int) -> RenderedFrame { compared.pictures[place - compared.places.lowerBound].frame }

  private func reference(of place: Int) -> PixelBuffer? { compared.pictures[place - compared.places.lowerBound].reference }
}
