internal import EtalonComparison
internal import EtalonDiagnostics
internal import EtalonTypes

/// Finds out whom a difference on a device is to be blamed on, with the help of Etalon's own executor.
///
/// First it renders the case itself: when it differs from the reference, too, something changed. Then it makes errors on purpose, as devices may make them:
/// pixels that these move half as far, or whose neighbors they do, have no right value.
struct BlameCheck {
  /// Errors of one kind, and what pixels hang on that they move.
  static let errors: [(words: String, devices: [String])] = [
    ("the last bits of elementary functions", (1...3).map { "cpu:last-place=\($0)" }),
    ("how finely textures are filtered", (1...6).map { "cpu:sampling=\($0)" }),
    ("whether products are rounded before they are added", (1...4).map { "cpu:contraction=\($0)" }),
    ("in which order sums and products are done", (1...4).map { "cpu:association=\($0)" }),
    ("whether numbers near zero become zero", ["cpu:denormals=flush"]),
    ("errors of elementary functions that Vulkan allows", (1...3).map { "cpu:specification=\($0)" }),
    ("what operations give where they are not defined", (1...3).map { "cpu:undefined=\($0)" }),
  ]

  private let run: CaseRun
  private let testCase: TestCase
  private let tolerance: Tolerance
  private let time: JudgingTime

  init(_ run: CaseRun, _ testCase: TestCase, _ time: JudgingTime) {
    (self.run, self.testCase, self.time) = (run, testCase, time)
    tolerance = run.tolerance(testCase.tolerances)
      .inLevels(testCase.bits == 16 ? .bits16 : .bits8, comparesFloats: testCase.comparesFloats)
  }

  /// Whom some frames that differ are to be blamed on, and what there is to say about it.
  struct Judgement {
    /// Nil where that could not be worked out.
    var blame: Blame?
    /// Why, in one line.
    var words: String
    /// For each frame, how its pixels lie beside what the specification allows; empty where the CPU device differs, too.
    var specifications: [SpecificationResult] = []

    /// `the driver: 3 of 12 pixels are outside of what Vulkan allows`.
    var text: String { "\(blame.map { "the \($0.rawValue)" } ?? "not worked out"): \(words)" }

    /// A line for each frame and for what makes most of its pixels undetermined.
    var notes: [String] {
      specifications.flatMap { specification in
        ["specification: \(specification.words)"] + specification.lines.prefix(3).map { "\($0.pixels.of("pixel")): \($0.text)" }
      }
    }
  }

  /// Judges frames that differ from their references, on another device than Etalon's own executor.
  ///
  /// The ranges that the specification allows come first; where they say nothing about a pixel, errors that are made on purpose do.
  func judge(_ differing: [(frame: RenderedFrame, reference: PixelBuffer)]) -> Judgement {
    let own: [RenderedFrame]
    do { own = try frames("cpu") } catch { return Judgement(blame: nil, words: words(of: error)) }
    for (frame, reference) in differing {
      let shown = own.first { $0.number == frame.number }?.levels(bits: reference.bits)
      guard let shown, shown.size == reference.size else {
        return Judgement(blame: nil, words: "the CPU device has a picture of another size")
      }
      if comparePictures(shown, reference, tolerance: tolerance).verdict.isFailure {
        return Judgement(
          blame: .change, words: "the CPU device does not show the reference either, so the shader, a value or an input changed")
      }
    }
    let check = SpecificationCheck(run, testCase, level: level, time)
    let specifications = differing.compactMap { try? check.judge($0.frame, $0.reference) }
    guard specifications.count == differing.count else { return byErrors(differing) }
    if let found = bySpecification(specifications) { return found }
    var judgement = byErrors(differing)
    judgement.specifications = specifications
    return judgement
  }

  /// Why the CPU device has no picture to compare with.
  private func words(of error: any Error) -> String {
    if time.isOver { return "the CPU device takes \(time.words)" }
    return switch error {
    case let error as RenderError: "the CPU device shows nothing: \(error.diagnostic.message)"
    case let error as DiagnosticsError: "the CPU device shows nothing: \(error.diagnostics.first?.message ?? "it cannot be read")"
    default: "the CPU device shows nothing: \(error)"
    }
  }

  /// What the ranges say; nil where too little is known.
  private func bySpecification(_ found: [SpecificationResult]) -> Judgement? {
    func sum(_ part: (SpecificationResult) -> Int) -> Int { found.reduce(0) { $0 + part($1) } }
    let outside = sum(\.outside), judged = sum(\.judged)
    if outside > 0 {
      let worst = found.filter { $0.outside > 0 }.compactMap(\.worstWords).first ?? ""
      return Judgement(
        blame: .driver,
        words: "\(outside) of \(judged.of("pixel")) \(outside == 1 ? "is" : "are") outside of what Vulkan allows, most at \(worst)",
        specifications: found)
    }
    guard sum(\.unknown) == 0, judged > 0 else { return nil }
    let pixels = judged < sum(\.differing) ? "the \(judged) worst pixels are" : "the pixels are"
    let words =
      found.flatMap(\.lines).first.map { "\(pixels) all that Vulkan allows, and where they differ \($0.text)" }
      ?? "\(pixels) all that Vulkan allows: no device has to come nearer"
    return Judgement(blame: .shader, words: words, specifications: found)
  }

  /// What errors that are made on purpose say.
  private func byErrors(_ differing: [(frame: RenderedFrame, reference: PixelBuffer)]) -> Judgement {
    let differences = differing.map { distances($0.frame.levels(bits: $0.reference.bits), $0.reference) }
    var unexplained = differences.map { $0.map { $0 > level } }
    let count = Self.count(unexplained)
    var reasons: [String] = []
    for kind in Self.errors where Self.count(unexplained) > 0 {
      guard let spreads = spreads(kind.devices, differing) else {
        return Judgement(blame: nil, words: "rendering it with errors that devices may make takes \(time.words)")
      }
      let before = Self.count(unexplained)
      for index in differing.indices {
        // What moves a pixel a little does not explain that it is far off.
        unexplained[index] = zip(unexplained[index], zip(differences[index], spreads[index])).map { $0 && $1.0 > 2 * $1.1 }
      }
      if Self.count(unexplained) < before { reasons.append(kind.words) }
    }
    let left = Self.count(unexplained)
    guard left > 0 else { return Judgement(blame: .shader, words: "the same pixels hang on \(reasons.joined(separator: ", and on "))") }
    let some = left == 1 ? "1 of the \(count) pixels does" : "\(left) of the \(count) pixels do"
    let share =
      left < count ? "\(some) not move as far" : count == 1 ? "the pixel does not move as far" : "none of the \(count) pixels moves as far"
    return Judgement(blame: .driver, words: "the CPU device shows the reference, and \(share) with errors that the specification allows")
  }

  private static func count(_ marks: [[Bool]]) -> Int { marks.reduce(0) { $0 + $1.count { $0 } } }

  /// How far errors of a kind move each pixel or one of its neighbors, at most; nil where the time is over.
  private func spreads(_ devices: [String], _ differing: [(frame: RenderedFrame, reference: PixelBuffer)]) -> [[Int]]? {
    var spreads = differing.map { [Int](repeating: 0, count: $0.reference.size.pixelCount) }
    for device in devices {
      let moved = try? frames(device)
      guard !time.isOver else { return nil }
      guard let moved else { continue }
      for (index, (frame, reference)) in differing.enumerated() {
        guard let perturbed = moved.first(where: { $0.number == frame.number }) else { continue }
        spreads[index] = zip(spreads[index], distances(perturbed.levels(bits: reference.bits), reference)).map(max)
      }
    }
    return zip(spreads, differing).map { $0.largestAround(in: $1.reference.size) }
  }

  private func frames(_ device: String) throws -> [RenderedFrame] {
    try CaseRenderer(device: device, library: run.library, timeout: time.left).frames(of: testCase)
  }

  /// How far a pixel may be off, in levels of the pictures.
  private var level: Int { Int(tolerance.color.channel?.fail ?? tolerance.color.outlierLevel) * (testCase.bits == 16 ? 257 : 1) }

  /// The largest difference of a channel, for every pixel.
  private func distances(_ actual: PixelBuffer, _ reference: PixelBuffer) -> [Int] {
    let width = reference.format.bytesPerChannel
    return (0..<reference.size.pixelCount).map { pixel in
      (0..<4).reduce(0) { largest, channel in
        let place = (pixel * 4 + channel) * width
        func value(_ picture: PixelBuffer) -> Int {
          width == 1 ? Int(picture.bytes[place]) : Int(picture.bytes[place]) | Int(picture.bytes[place + 1]) << 8
        }
        return max(largest, abs(value(actual) - value(reference)))
      }
    }
  }
}

extension PixelBuffer {
  /// Bits a channel of a picture from a file.
  var bits: Int { format == .rgba16 ? 16 : 8 }
}

extension [Int] {
  /// The largest of every number of a picture and those around it.
  fileprivate func largestAround(in size: Size) -> [Int] {
    indices.map { index in
      let (x, y) = (index % size.width, index / size.width)
      var largest = 0
      for row in Swift.max(0, y - 1)...Swift.min(size.height - 1, y + 1) {
        for column in Swift.max(0, x - 1)...Swift.min(size.width - 1, x + 1) {
          largest = Swift.max(largest, self[row * size.width + column])
        }
      }
      return largest
    }
  }
}
