package import EtalonDiagnostics
internal import EtalonGLSL
package import EtalonManifest
package import EtalonPlan
package import EtalonTypes
internal import Synchronization

/// A filter that recipes can apply: what its file says, and a hash by which equal filters are found equal.
///
/// **Concurrency**: immutable, shared by all recipes that apply it.
package final class GraphFilter: Sendable, Hashable {
  package let manifest: FilterManifest
  /// Covers the text of every pass and everything that the header says.
  package let digest: ContentHash

  /// The inputs of which it reads other frames, with these.
  let moments: [(name: String, window: FrameWindow, offsets: [Int])]
  /// The parameters that the expressions of its sizes mention.
  let declaredSizeParameters: Set<String>

  /// Whether its pictures are read wherever they lie, although it says what it covers.
  let readsWholePictures: Bool
  /// The same filter read more leniently, for when the compiler refuses this one; nil where that reads the same.
  package let alternative: GraphFilter?
  /// The passes as they read regions of pictures, where they can; each is made when it is asked for.
  private let regional = Mutex<[Int: PassSource?]>([:])

  /// - Parameter alternative: the same filter read more leniently.
  package convenience init(_ manifest: FilterManifest, alternative: GraphFilter? = nil) {
    self.init(manifest, readsWholePictures: false, alternative: alternative)
  }

  init(_ manifest: FilterManifest, readsWholePictures: Bool, alternative: GraphFilter? = nil) {
    var readsWholePictures = readsWholePictures
    if case .sized = manifest.extent { readsWholePictures = true }
    self.readsWholePictures = readsWholePictures
    self.manifest = manifest.endingInPixels()
    moments = self.manifest.inputs.compactMap { [manifest = self.manifest] input in
      let offsets = manifest.moments(of: input)
      return input.frames.flatMap { offsets.isEmpty ? nil : (input.name, $0, offsets) }
    }
    declaredSizeParameters = self.manifest.sizeParameters
    // The pixels of an output do not depend on which others are wanted.
    let text = self.manifest.withoutFurtherOutputs
    var hasher = ContentHasher()
    hasher.add("manifest", ManifestPrinter().text(text))
    for pass in text.passes {
      hasher.add("pass", pass.name)
      hasher.add("text", pass.source.text)
    }
    let digest = hasher.finish()
    self.digest = digest
    self.alternative = alternative.flatMap { $0.digest == digest ? nil : $0 }
  }

  /// A pass whose textures are regions of pictures; nil where its text cannot be rewritten so.
  func readingRegions(pass: Int) -> PassSource? {
    regional.withLock { known in
      if let made = known[pass] { return made }
      let made = manifest.passes[pass].readingRegions
      known[pass] = .some(made)
      return made
    }
  }

  /// A pass as it is compiled.
  ///
  /// - Precondition: its text can be rewritten where it reads regions.
  func source(ofPass pass: Int, readsRegions: Bool) -> PassSource {
    guard readsRegions else { return manifest.passes[pass] }
    guard let source = readingRegions(pass: pass) else { preconditionFailure("pass \(pass) of '\(manifest.name)' reads whole pictures") }
    return source
  }

  package static func == (one: GraphFilter, other: GraphFilter) -> Bool { one.digest == other.digest }

  package func hash(into hasher: inout Hasher) { hasher.combine(digest) }

  /// The input that a chain feeds and that gives the result its extent: the first that a user fills.
  package var mainInput: FilterInput? { manifest.mainInput }

  /// Whether it reads an input at positions in pixels of its own result, so that the picture has to have as many.
  ///
  /// The dialects of others say that such positions count the pixels of the picture, however large the result is.
  package func countsPixels(of input: FilterInput) -> Bool {
    manifest.dialect == .native && !readsWholePictures && input.isShown && FrameWindow.input(of: input.name) == mainInput?.name
      && input.isReadInPixels
  }
}

extension FilterManifest {
  /// The input that a chain feeds and that gives the result its extent: the first that a user fills; where the text reads none of them, the first that is
  /// declared.
  package var mainInput: FilterInput? {
    let flat = inputs.filter { $0.shape == .flat && $0.sound == nil }
    return Self.mainInput(among: flat.filter(\.isRead)) ?? Self.mainInput(among: flat)
  }

  private static func mainInput(among flat: [FilterInput]) -> FilterInput? {
    flat.first { $0.name == "inputImage" && $0.origin == .user } ?? flat.first { $0.origin == .user }
      ?? flat.first { if case .asset = $0.origin { true } else { false } }
  }
}

// MARK: checking

/// Evaluates the expressions of a filter's header without rendering it: constraints, sizes, what it covers, and how far it reads.
package struct HeaderCheck {
  /// A size that filters are commonly rendered at.
  private static let size = Size(1280, 720)

  private let evaluator: any ExpressionEvaluator

  package init(evaluator: any ExpressionEvaluator) { self.evaluator = evaluator }

  /// What is wrong with the expressions where all parameters have their defaults.
  package func diagnostics(of manifest: FilterManifest) throws -> [Diagnostic] {
    let values = ParameterValues(defaultsOf: manifest)
    let filter = GraphFilter(manifest)
    let use = FilterUse(filter, inputs: [:], values: values, animated: [:])
    var found: [Diagnostic] = []
    try collect(&found) { try ConstraintCheck(evaluator: evaluator).violations(of: manifest, by: values) }
    try collect(&found) {
      _ = try FilterExtents(filter.manifest, output: Self.size, values: values, evaluator: evaluator)
      return []
    }
    for pass in filter.manifest.passes {
      try collect(&found) {
        _ = try FilterReach(filter, values, around: Self.size, evaluator).pixels(of: pass)
        return []
      }
    }
    try collect(&found) {
      _ = try ExtentRule(use, inputs: [:], size: Self.size, isWhole: true).extent(evaluator)
      return []
    }
    var known: Set<Diagnostic> = []
    return found.filter { known.insert($0).inserted }
  }

  private func collect(_ found: inout [Diagnostic], _ check: () throws -> [Diagnostic]) throws {
    do { found += try check() } catch let error as DiagnosticsError { found += error.diagnostics }
  }
}

/// Checks what a filter says must be true of its parameters together.
package struct ConstraintCheck: Sendable {
  private let evaluator: any ExpressionEvaluator

  package init(evaluator: any ExpressionEvaluator) { self.evaluator = evaluator }

  /// The constraints that the values of a filter's parameters violate, each with the values that it is about.
  ///
  /// Throws when a constraint cannot be evaluated, which is an error of the filter.
  package func violations(
    of manifest: FilterManifest, by values: ParameterValues, origin: UseOrigin = UseOrigin()
  ) throws -> [Diagnostic] {
    try violations(of: manifest, by: [(nil, values)], origin)
  }

  /// The constraints that the values violate on some frames, each with the first of these.
  package func violations(
    of manifest: FilterManifest, by timeline: ParameterTimeline, at readings: [ClockReading], origin: UseOrigin
  ) throws -> [Diagnostic] {
    guard !manifest.constraints.isEmpty else { return [] }
    return try violations(of: manifest, by: readings.map { ($0, timeline.values(onFrame: $0.frame)) }, origin)
  }

  private func violations(of manifest: FilterManifest, by frames: [(ClockReading?, ParameterValues)], _ origin: UseOrigin) throws
    -> [Diagnostic]
  {
    guard !manifest.constraints.isEmpty else { return [] }
    let parameters = manifest.parameters.filter(\.isInExpressions)
    let sets = frames.map { frame in
      Dictionary(parameters.map { ($0.name, frame.1[$0.name] ?? $0.defaultValue) }, uniquingKeysWith: { first, _ in first })
    }
    let expressions = manifest.constraints.map { constraint in
      GLSLExpression(constraint.text, as: .bool, place: constraint.place.map { GLSLExpression.Place($0.source, $0.range) })
    }
    let types = Dictionary(parameters.map { ($0.name, $0.kind.valueType) }, uniquingKeysWith: { first, _ in first })
    let results = try evaluator.compile(expressions, names: types).values(sets)
    return manifest.constraints.indices.compactMap { index in
      guard let frame = results.firstIndex(where: { $0[index].components[0] == 0 }) else { return nil }
      return violation(manifest.constraints[index], sets[frame], frames[frame].0, origin)
    }
  }

  private func violation(_ constraint: ExpressionText, _ names: [String: Value], _ reading: ClockReading?, _ origin: UseOrigin)
    -> Diagnostic
  {
    let mentioned = constraint.names(among: Set(names.keys)).sorted()
    let values = mentioned.map { "\($0) is \(ValueConversion.shaderText(names[$0] ?? Value(.int, [0])))" }
    return Diagnostic(
      "value.constraint", "\(reading.map { "\($0.words) " } ?? "")the values\(origin.ofNode) contradict '\(constraint.text)'",
      labels: origin.labels(ofValues: mentioned, "contradicts it")
        + (constraint.place.map { [$0.label("has to be true")] } ?? []),
      help: ["change one of them: \(origin.change(of: mentioned.first ?? "NAME"))"],
      notes: values.isEmpty ? [] : [values.joined(separator: ", ")])
  }
}
