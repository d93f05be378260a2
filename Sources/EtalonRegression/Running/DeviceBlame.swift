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
        why: judgement.blame == nil && !judgement.words.isEmpty ? judgement.words : BlameCheck.noRange)
    }
    for asked in open where result.frames[asked.place].verdict == .passed && !run.settings.keepsAll {
      PictureFolder(run, compared.testCase).discard(&result.frames[asked.place], keepsPictures: run.settings.showsAll)
    }
    if compared.places.contains(where: { result.frames[$0].verdict == .failed }) {
      result.blame = result.blame ?? judgement.blame
      result.notes.append("\(CaseResult.blamePrefix)\(judgement.text)")
    }
    if compared.places.contains(where: { result.frames[$0].verdict != .passed }) || open.contains(where: { !$0.question.isUsual }) {
      result.notes += judgement.notes
    }
  }

  /// Lets those frames pass that the specification allows, and leaves to the plain comparison of which that is not known.
  private func settle(
    _ result: inout CaseResult, _ open: [(place: Int, question: PixelQuestion)], _ found: [SpecificationResult],
    why: String = BlameCheck.noRange
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
