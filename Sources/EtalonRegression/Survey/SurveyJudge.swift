internal import Etalon
internal import EtalonInspection
internal import EtalonTypes

/// Collects how frames differ between devices, and decides what that means.
struct SurveyJudge {
  /// A frame that two devices show differently.
  fileprivate struct Disagreement {
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

// MARK: stability

/// Tells whether pixels differ because nothing says what the values have to be that decide them.
///
/// Devices compute sines and roots with different errors, filter textures more or less finely, and give roots of negative numbers as they like.
/// The CPU executor does so on purpose: pixels that move with it, and their neighbours, have no right value, and devices may disagree about
/// them.
private struct SurveyStability {
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
    guard device == DeviceList.cpuName, let rounding = effect(of: Self.rounding) else { return nil }
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

// MARK: differences

/// How far two pictures of one size are apart.
///
/// Two pictures agree when at least 98 % of their pixels are within 2 of 255 levels in every channel: the measure of the witness.
struct PictureDifference: Sendable {
  private static let levels = 2
  private static let share = 0.98
  private static let amplification = 8

  /// Marks the pixels beyond the limit, row by row from the top.
  let outside: [Bool]
  /// The largest difference of a channel, in levels.
  let largest: Int
  private let size: Size

  /// Compares two pictures of 8 bits a channel.
  init(_ first: PixelBuffer, _ second: PixelBuffer) {
    precondition(first.format == .rgba8 && second.format == .rgba8 && first.size == second.size, "pictures of different forms")
    size = first.size
    var outside = [Bool](repeating: false, count: size.pixelCount)
    var largest = 0
    for pixel in outside.indices {
      let distance = Self.distance(first, second, pixel)
      outside[pixel] = distance > Self.levels
      largest = max(largest, distance)
    }
    self.outside = outside
    self.largest = largest
  }

  private static func distance(_ first: PixelBuffer, _ second: PixelBuffer, _ pixel: Int) -> Int {
    var largest = 0
    for place in 4 * pixel..<4 * pixel + channels(first, second) {
      largest = max(largest, abs(Int(first.bytes[place]) - Int(second.bytes[place])))
    }
    return largest
  }

  /// The fourth channel of opaque pictures means nothing.
  private static func channels(_ first: PixelBuffer, _ second: PixelBuffer) -> Int {
    first.alpha == .opaque && second.alpha == .opaque ? 3 : 4
  }

  /// The share of pixels that agree.
  var agreement: Double { 1 - Double(outside.count { $0 }) / Double(outside.count) }

  /// Whether the pictures count as the same.
  var isAgreement: Bool { agreement >= Self.share }

  /// Whether the pictures would count as the same if the marked pixels did.
  func isAgreement(without explained: [Bool]) -> Bool {
    let rest = zip(outside, explained).count { $0 && !$1 }
    return Double(rest) <= (1 - Self.share) * Double(outside.count)
  }

  /// The pixels beyond the limit, and their neighbours.
  var outsideWithNeighbors: [Bool] {
    var grown = outside
    for y in 0..<size.height {
      for x in 0..<size.width where outside[y * size.width + x] {
        for row in max(0, y - 1)...min(size.height - 1, y + 1) {
          for column in max(0, x - 1)...min(size.width - 1, x + 1) { grown[row * size.width + column] = true }
        }
      }
    }
    return grown
  }

  /// The difference for the eye: amplified, and red where it is beyond the limit.
  func picture(_ first: PixelBuffer, _ second: PixelBuffer) -> PixelBuffer {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size.pixelCount * 4)
    for pixel in outside.indices {
      for channel in 0..<3 {
        let distance = abs(Int(first.bytes[4 * pixel + channel]) - Int(second.bytes[4 * pixel + channel])) * Self.amplification
        let least = outside[pixel] && channel == 0 ? 160 : 0
        bytes.append(UInt8(min(255, max(distance, least))))
      }
      bytes.append(255)
    }
    return PixelBuffer(size: size, format: .rgba8, alpha: .opaque, bytes: bytes)
  }
}

extension PixelBuffer {
  /// Whether all pixels are the same.
  var isFlat: Bool {
    let step = format.bytesPerPixel
    let channels = alpha == .opaque && format == .rgba8 ? 3 : step
    return (1..<size.pixelCount).allSatisfy { pixel in
      (0..<channels).allSatisfy { bytes[pixel * step + $0] == bytes[$0] }
    }
  }
}
