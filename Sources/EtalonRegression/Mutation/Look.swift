internal import Etalon
internal import EtalonComparison
internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonMedia
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

  /// The look in words.
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

/// Values of parameters to look at a filter with: each alone at its ends and between them, and all of them at random.
private struct ParameterSamples {
  private static let randomSets = 2

  private(set) var sets: [[String: String]] = []

  init(_ parameters: [FilterDescription.Parameter], _ generator: inout SeededGenerator) {
    let open = parameters.filter { !$0.followsClock }
    for parameter in open {
      var texts = Self.ends(of: parameter)
      texts.append(Self.random(parameter, &generator))
      var known: Set<String> = []
      for text in texts where known.insert(text).inserted { sets.append([parameter.name: text]) }
    }
    guard open.count > 1 else { return }
    for _ in 0..<Self.randomSets {
      sets.append(Dictionary(uniqueKeysWithValues: open.map { ($0.name, Self.random($0, &generator)) }))
    }
  }

  private static func ends(of parameter: FilterDescription.Parameter) -> [String] {
    if parameter.type == "bool" { return ["false", "true"] }
    if let choices = parameter.choices { return choices.map { "\($0.value)" } }
    return [parameter.minimum, parameter.maximum].compactMap { $0?.exactText }
  }

  private static func random(_ parameter: FilterDescription.Parameter, _ generator: inout SeededGenerator) -> String {
    if parameter.type == "bool" { return Bool.random(using: &generator) ? "true" : "false" }
    if let choice = parameter.choices?.randomElement(using: &generator) { return "\(choice.value)" }
    let usual = numbers(parameter.default)
    let (least, most) = (parameter.minimum.map(numbers), parameter.maximum.map(numbers))
    let isWhole = parameter.type.hasPrefix("i") || parameter.type.hasPrefix("u")
    return usual.indices.map { index in
      // Where nothing is said: around the usual value, or between 0 and 1.
      let low = least.map { $0[min(index, $0.count - 1)] } ?? min(0, usual[index] * 2)
      let high = most.map { $0[min(index, $0.count - 1)] } ?? max(1, usual[index] * 2)
      let number = low + (high - low) * generator.unit()
      return isWhole ? "\(Int(number.rounded()))" : DescribedValue.shortText(number)
    }.joined(separator: ",")
  }

  private static func numbers(_ value: DescribedValue) -> [Double] { value.exactText.split(separator: ",").compactMap { Double($0) } }
}

/// Renders the pictures of looks, from the files of one folder.
struct LookRenderer {
  /// What a look shows.
  enum Outcome {
    case pictures([(moment: String, picture: PixelBuffer)])
    case refused
    case tooSlow

    var isTooSlow: Bool { if case .tooSlow = self { true } else { false } }
  }

  let library: FilterLibrary
  /// Where a file lies in that folder.
  let path: (String) -> String
  private let renderer: CaseRenderer
  private let device: TestDevice

  /// - Parameter place: where a file lies that the task names.
  init(_ libraries: [String], timeout: Double?, place: @escaping (String) -> String) throws(RenderError) {
    path = place
    library = FilterLibrary(try LibrarySearch(named: libraries.map(place)))
    renderer = CaseRenderer(device: "cpu", library: library, timeout: timeout)
    device = try TestDevice(option: "cpu")
  }

  func outcome(of look: Look) -> Outcome {
    do {
      let frames = try frames(look)
      return .pictures(frames.map { ($0.moment.text, $0.levels(bits: 8)) })
    } catch let error as RenderError where error.code.isTemporary {
      return .tooSlow
    } catch {
      return .refused
    }
  }

  private func frames(_ look: Look) throws -> [RenderedFrame] {
    var files: [String: [TestCase]] = [:]
    guard var testCase = TestWorker.load(look.template.moved(path), &files) else {
      throw RenderError(.missingInput, "there is no case '\(look.template.id)'")
    }
    let first = try renderer.request(for: testCase).clock.first
    testCase.moments = look.frames.map { .frame(first + $0) }
    // A shot of their own.
    testCase.momentsOfShot = testCase.moments
    if !testCase.isPlain, !look.settings.isEmpty { testCase = testCase.setting(look.settings) }
    testCase.size = look.size ?? testCase.size
    let settings = testCase.isPlain ? look.settings.map { RenderRequest.Setting(name: $0.key, value: $0.value) } : []
    return try renderer.frames(of: testCase) { $0.settings += settings }
  }

  /// The tolerances of some cases, each once.
  func tolerances(of cases: [WorkerMessage.Reference]) -> [Tolerance] {
    var files: [String: [TestCase]] = [:]
    let found = cases.compactMap { TestWorker.load($0.moved(path), &files) }.map {
      ($0.tolerances.tolerance(on: device) ?? .exact).inLevels(.bits8, comparesFloats: $0.comparesFloats)
    }
    return found.isEmpty ? [.exact] : Array(Set(found))
  }
}
