internal import EtalonDiagnostics
internal import EtalonTypes

/// Tells whether pixels differ because the last bits of elementary functions decide them.
///
/// Devices compute sines and roots with different errors. The CPU executor makes such errors on purpose: pixels that move with them, and their
/// neighbours, have no right value, and devices may disagree about them.
struct SurveyStability {
  /// Errors of one unit in the last place first, then errors as large as the Vulkan specification allows.
  private static let perturbations = [
    "last-place=1", "last-place=2", "last-place=3", "specification=1", "specification=2", "specification=3",
  ]

  let plan: SurveyPlan
  /// The CPU executor, as `--device` calls it.
  let device: String

  /// Why pictures may differ, where errors of elementary functions explain all of them; nil where they do not, or cannot be made.
  func reason(for disagreements: [SurveyJudge.Disagreement]) -> String? {
    guard device == DeviceSelection.cpuName else { return nil }
    var explained = disagreements.map { [Bool](repeating: false, count: $0.difference.outside.count) }
    for perturbation in Self.perturbations {
      guard let shot = try? ShotRenderer().prepare(plan.request(on: "\(device):\(perturbation)")) else { return nil }
      for (index, disagreement) in disagreements.enumerated() {
        guard let moved = try? shot.picture(of: disagreement.frame) else { return nil }
        let marked = PictureDifference(disagreement.reference, moved).outsideWithNeighbors
        for pixel in marked.indices where marked[pixel] { explained[index][pixel] = true }
      }
      if zip(disagreements, explained).allSatisfy({ $0.difference.isAgreement(without: $1) }) {
        return "the same pixels move with errors of elementary functions (--device \(device):\(perturbation))"
      }
    }
    return nil
  }
}
