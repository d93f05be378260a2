internal import Etalon
internal import EtalonManifest
internal import EtalonTypes

/// One way to look at a filter: at a size, with values, over some pictures, at some moments.
struct Look: Sendable {
  /// The filter without a case, or a case whose pictures it is looked at with.
  let template: WorkerMessage.Reference
  /// Nil is the size of the template.
  var size: Size?
  var settings: [String: String] = [:]
  /// How many frames after the first one.
  var frames: [Int]

  /// What it is, for people.
  var words: String {
    let values = settings.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    return (["\(size.map { "\($0)" } ?? "its size")", template.isPlain ? "test cards" : "as '\(template.id)'"] + values).joined(
      separator: ", ")
  }
}

/// The many ways in which a filter is looked at before a mutant of it is called equivalent.
///
/// Every parameter at its smallest, its largest and a random value, twice all of them at random; several sizes and frames; test cards and the pictures of its
/// cases, with their values.
struct WideLook {
  private static let sizes = [Size(64, 64), Size(97, 53), Size(44, 80)]
  private static let shownCases = 8
  /// Frames of what does not remember, and of what does.
  private static let distant = [0, 13, 240], near = [0, 1, 13, 48]

  private(set) var looks: [Look] = []

  /// - Parameters:
  ///   - own: the cases about the filter.
  ///   - description: nil for what has no parameters.
  init(of subject: WorkerMessage.Reference, own: [WorkerMessage.Reference], _ description: FilterDescription?, seed: UInt64) {
    let remembers = description.map { $0.targets.contains(where: \.isPersistent) || $0.buffers.contains(where: \.isPersistent) } ?? true
    let frames = remembers ? Self.near : Self.distant
    var generator = SeededGenerator(seed: seed, subject.path)
    let sets = ParameterSamples(description?.parameters ?? [], &generator).sets
    for size in Self.sizes { looks.append(Look(template: subject, size: size, frames: frames)) }
    for testCase in own.prefix(Self.shownCases) where !testCase.isPlain {
      for size in [nil] + Self.sizes { looks.append(Look(template: testCase, size: size, frames: frames)) }
    }
    for (index, settings) in sets.enumerated() {
      looks.append(Look(template: subject, size: Self.sizes[index % 3], settings: settings, frames: Array(frames.prefix(3))))
      guard let testCase = own.first(where: { !$0.isPlain }) else { continue }
      looks.append(Look(template: testCase, size: Self.sizes[(index + 1) % 3], settings: settings, frames: Array(frames.prefix(3))))
    }
  }
}
