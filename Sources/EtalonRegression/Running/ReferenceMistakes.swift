/// What is wrong with one of several references of a frame, whether another one is equal or not: a picture that can never be equal must not hide behind it.
struct ReferenceMistakes {
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
