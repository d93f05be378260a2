internal import EtalonDiagnostics
internal import EtalonTypes

/// Collects how frames differ between devices, and decides what that means.
struct SurveyJudge {
  /// A frame that two devices show differently.
  struct Disagreement {
    let difference: PictureDifference
    let frame: Int
    let reference: PixelBuffer
  }

  private let plan: SurveyPlan
  private let reference: String
  private var disagreements: [Disagreement] = []

  /// - Parameter reference: the device that the others are compared with.
  init(_ plan: SurveyPlan, reference: String) {
    self.plan = plan
    self.reference = reference
  }

  mutating func add(_ difference: PictureDifference, frame: Int, _ reference: PixelBuffer) {
    guard !difference.isAgreement else { return }
    disagreements.append(Disagreement(difference: difference, frame: frame, reference: reference))
  }

  /// The verdict about frames that all devices rendered.
  func verdict(frames: [SurveyRecord.Frame]) -> (SurveyVerdict, reason: String) {
    guard let worst = frames.filter({ $0.agreement != nil }).min(by: { ($0.agreement ?? 100) < ($1.agreement ?? 100) }) else {
      return (frames.allSatisfy(\.isFlat) ? .flat : .renders, "")
    }
    guard !disagreements.isEmpty else { return (frames.allSatisfy(\.isFlat) ? .flat : .agrees, "") }
    let share = Percentage(1 - (worst.agreement ?? 0) / 100)
    return (.differs, "frame \(worst.frame): \(share) of the pixels differ by more than 2 levels, at most by \(worst.largest ?? 0)")
  }

  /// Why the devices may differ, where there is a reason.
  var excuse: String? { SurveyStability(plan: plan, device: reference, disagreements: disagreements).reason }
}
