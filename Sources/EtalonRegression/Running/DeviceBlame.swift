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
    let asked = failed.compactMap { place in question(place, result.frames[place]).map { (place: place, question: $0) } }
    let decides = run.allowsSpecification(compared.testCase)
    if decides { for note in asked.flatMap(\.question.notes) where !result.notes.contains(note) { result.notes.append(note) } }
    let open = asked.filter { !$0.question.pixels.isEmpty }
    guard !open.isEmpty else {
      result.notes.append("blame: not worked out: \(asked.first?.question.wordsOfNothing ?? "there is no picture to compare with")")
      return
    }
    let judgement = BlameCheck(run, compared, time).judge(open.map(\.question))
    for (asked, specification) in zip(open, judgement.specifications) {
      result.frames[asked.place].specification = specification
      if decides, asked.question.openKeys.isEmpty { result.frames[asked.place].passBySpecification() }
    }
    if compared.places.contains(where: { result.frames[$0].verdict == .failed }) {
      result.blame = result.blame ?? judgement.blame
      result.notes.append("blame: \(judgement.text)")
    }
    result.notes += judgement.notes
  }

  /// What there is to ask about a frame that failed; nil where it has no reference.
  private func question(_ place: Int, _ found: FrameResult) -> PixelQuestion? {
    let picture = compared.pictures[place - compared.places.lowerBound]
    guard let reference = picture.reference, reference.size == picture.frame.floats.size else { return nil }
    return PixelQuestion(found, picture.frame, reference, compared.tolerance)
  }
}
