internal import EtalonDiagnostics
internal import EtalonTypes

/// Tells whether pixels differ because no function has to give what decides them.
///
/// Devices compute sines and roots with different errors, and roots of negative numbers as they like. The CPU executor does so on purpose: pixels
/// that move with it, and their neighbours, have no right value, and devices may disagree about them.
struct SurveyStability {
  /// The smallest errors first, with words for what they are.
  private static let perturbations: KeyValuePairs = [
    "last-place=1": rounding, "last-place=2": rounding, "last-place=3": rounding, "undefined=1": undefined, "undefined=2": undefined,
    "specification=1": allowed, "specification=2": allowed, "specification=3": allowed,
  ]
  private static let rounding = "the last bits of elementary functions"
  private static let undefined = "what functions give where they are not defined, as roots of negative numbers"
  private static let allowed = "errors of elementary functions that Vulkan allows"

  let plan: SurveyPlan
  /// The CPU executor, as `--device` calls it.
  let device: String

  /// Why pictures may differ, where errors of elementary functions explain all of them; nil where they do not, or cannot be made.
  func reason(for disagreements: [SurveyJudge.Disagreement]) -> String? {
    guard device == DeviceSelection.cpuName else { return nil }
    var explained = disagreements.map { [Bool](repeating: false, count: $0.difference.outside.count) }
    for (perturbation, words) in Self.perturbations {
      guard let shot = try? ShotRenderer().prepare(plan.request(on: "\(device):\(perturbation)")) else { return nil }
      for (index, disagreement) in disagreements.enumerated() {
        guard let moved = try? shot.picture(of: disagreement.frame) else { return nil }
        let marked = PictureDifference(disagreement.reference, moved).outsideWithNeighbors
        for pixel in marked.indices where marked[pixel] { explained[index][pixel] = true }
      }
      if zip(disagreements, explained).allSatisfy({ $0.difference.isAgreement(without: $1) }) {
        return "the same pixels hang on \(words) (--device \(device):\(perturbation))"
      }
    }
    return nil
  }
}
