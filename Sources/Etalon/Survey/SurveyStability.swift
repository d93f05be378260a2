internal import EtalonDiagnostics
internal import EtalonTypes

/// Tells whether pixels differ because nothing says what the values have to be that decide them.
///
/// Devices compute sines and roots with different errors, filter textures more or less finely, and give roots of negative numbers as they like.
/// The CPU executor does so on purpose: pixels that move with it, and their neighbours, have no right value, and devices may disagree about
/// them.
struct SurveyStability {
  /// Errors of one kind.
  private struct Kind {
    /// What the pixels hang on.
    let words: String
    /// Devices that make the errors, without the name of the executor.
    let perturbations: [String]
  }

  /// Errors that all devices make: where they explain everything, nothing else has to be tried.
  private static let rounding = Kind(words: "the last bits of elementary functions", perturbations: (1...3).map { "last-place=\($0)" })
  private static let others = [
    Kind(words: "how finely textures are filtered", perturbations: (1...6).map { "sampling=\($0)" }),
    Kind(words: "errors of elementary functions that Vulkan allows", perturbations: (1...3).map { "specification=\($0)" }),
    Kind(
      words: "what operations give where they are not defined, as roots of negative numbers and divisions by zero",
      perturbations: (1...3).map { "undefined=\($0)" }),
  ]

  /// The pixels that errors of a kind move, in every frame in question.
  private struct Effect {
    let words: String
    /// The one that completed the explanation, or the last.
    var device = ""
    var moved: [[Bool]]

    var movedCount: Int { moved.reduce(0) { $0 + $1.count { $0 } } }
  }

  let plan: SurveyPlan
  /// The CPU executor, as `--device` calls it.
  let device: String
  let disagreements: [SurveyJudge.Disagreement]

  /// Why pictures may differ, where errors explain all of it; nil where they do not, or cannot be made.
  var reason: String? {
    guard device == DeviceSelection.cpuName, let rounding = effect(of: Self.rounding) else { return nil }
    if explains(rounding.moved) { return text([rounding]) }
    var effects = [rounding]
    for kind in Self.others {
      guard let effect = effect(of: kind) else { return nil }
      effects.append(effect)
    }
    // The cause is what moves these pixels and few others.
    if let best = effects.filter({ explains($0.moved) }).min(by: { $0.movedCount < $1.movedCount }) { return text([best]) }
    let (contributors, moved) = together(effects)
    return explains(moved) ? text(contributors) : nil
  }

  /// What errors of a kind move: no more of them are made than it takes to explain everything.
  private func effect(of kind: Kind) -> Effect? {
    var effect = Effect(words: kind.words, moved: disagreements.map { [Bool](repeating: false, count: $0.difference.outside.count) })
    for perturbation in kind.perturbations {
      effect.device = "\(device):\(perturbation)"
      guard let shot = try? ShotRenderer().prepare(plan.request(on: effect.device)) else { return nil }
      for (index, disagreement) in disagreements.enumerated() {
        guard let picture = try? shot.picture(of: disagreement.frame) else { return nil }
        effect.moved[index] = Self.either(effect.moved[index], PictureDifference(disagreement.reference, picture).outsideWithNeighbors)
      }
      if explains(effect.moved) { break }
    }
    return effect
  }

  /// The effects that each add a tenth of the pixels or more, and what they move together.
  private func together(_ effects: [Effect]) -> (contributors: [Effect], moved: [[Bool]]) {
    let differing = disagreements.reduce(0) { $0 + $1.difference.outside.count { $0 } }
    var rest = effects
    var contributors: [Effect] = []
    var moved = disagreements.map { [Bool](repeating: false, count: $0.difference.outside.count) }
    while let best = rest.indices.max(by: { gain(rest[$0], over: moved) < gain(rest[$1], over: moved) }),
      10 * gain(rest[best], over: moved) >= differing
    {
      contributors.append(rest[best])
      moved = zip(moved, rest.remove(at: best).moved).map(Self.either)
    }
    return (contributors, moved)
  }

  /// How many of the pixels that differ an effect explains beyond those that are explained.
  private func gain(_ effect: Effect, over explained: [[Bool]]) -> Int {
    disagreements.indices.reduce(0) { sum, index in
      let outside = disagreements[index].difference.outside
      return sum + outside.indices.count { outside[$0] && effect.moved[index][$0] && !explained[index][$0] }
    }
  }

  private func explains(_ moved: [[Bool]]) -> Bool {
    zip(disagreements, moved).allSatisfy { $0.difference.isAgreement(without: $1) }
  }

  private static func either(_ a: [Bool], _ b: [Bool]) -> [Bool] { zip(a, b).map { $0 || $1 } }

  private func text(_ effects: [Effect]) -> String {
    let devices = effects.map(\.device).joined(separator: ", ")
    return "the same pixels hang on \(effects.map(\.words).joined(separator: ", and on ")) (--device \(devices))"
  }
}
