internal import EtalonComparison
internal import EtalonDiagnostics
package import EtalonGraph
internal import EtalonManifest
package import EtalonTypes

/// Something that is true of the pictures of a filter whatever they show, so that no stored picture is needed to test it.
package struct Invariant: Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    /// With these values the filter changes nothing: the result is its main input.
    case identity
    /// A frame does not depend on which others were rendered before it.
    case purity
    /// At twice the size it shows the same.
    case resolution
    /// After a period everything is as it was.
    case periodicity
    /// A part that is rendered alone is equal to the part of the whole.
    case crop
    /// Filters that are joined into one kernel give what they give one after the other.
    case fusion
    /// A transition begins with its first picture and ends with its second.
    case ends
    /// Setting every parameter to what it is by itself changes nothing.
    case defaults
    /// It does not matter how passes are cut into pieces, nor in which order these are done.
    case tiles
    /// Kernels that are optimized give what they give as they were written.
    case optimization
    /// The device shows what Etalon's own executor shows.
    case cpu

    /// Whether both pictures are rendered alike, so that their numbers can be compared as they are.
    var comparesNumbers: Bool { [.purity, .crop, .fusion, .defaults].contains(self) }

    /// Whether pictures of the size of the case are compared.
    var hasWholePictures: Bool { self != .crop && self != .resolution }
  }

  package let kind: Kind
  /// Nil for one that is tried without being written in a case.
  package let written: GraphText.Word?
  /// Seconds until everything is as it was; of `periodicity` only.
  package var period: Rational?
  /// Nil is what suits the kind.
  package var tolerances: CaseToleranceRules?

  package init(_ kind: Kind, written: GraphText.Word? = nil) { (self.kind, self.written) = (kind, written) }
}

// MARK: - reading 'invariants'

/// Reads `invariants`: words, or mappings with a tolerance of their own.
struct InvariantReader {
  private let rate: FrameRate
  private let moments: [TestCase.Moment]
  /// What the pictures of the case are compared as, and their size where it is known.
  private let kinds: Set<ChannelKind>
  private let size: Size?
  private(set) var diagnostics: [Diagnostic] = []

  init(rate: FrameRate, moments: [TestCase.Moment], comparing kinds: Set<ChannelKind>, size: Size?) {
    (self.rate, self.moments, self.kinds, self.size) = (rate, moments, kinds, size)
  }

  mutating func read(_ node: LocatedNode) -> [Invariant] {
    guard case .sequence(let elements) = node.content else { return [invariant(node)].compactMap(\.self) }
    if elements.isEmpty {
      diagnostics.append(
        Diagnostic(
          "case.invariant", "'invariants' names no law", labels: [node.place.label("empty")],
          help: ["write 'invariants: identity', or leave it out"]))
    }
    let invariants = elements.compactMap { invariant($0) }
    var known: Set<Invariant.Kind> = []
    for invariant in invariants where !known.insert(invariant.kind).inserted {
      guard let written = invariant.written else { continue }
      report("case.invariant", "'\(invariant.kind.rawValue)' is there twice", written, "again", "keep one of them")
    }
    return invariants
  }

  private mutating func invariant(_ node: LocatedNode) -> Invariant? {
    if let text = node.scalar, !text.isEmpty {
      return checked(Invariant.Kind(rawValue: text), GraphText.Word(text, at: node.place), nil, nil)
    }
    var members = DocumentMembers(node, of: "the invariant", expected: "a name", example: "{ name: periodicity, period: 2s }")
    members.require("name", help: "write 'name: identity'")
    let name = members.word("name")
    let period = members.word("period")
    var rules: CaseToleranceRules?
    if let value = members.value("tolerance") {
      let kind = name.flatMap { Invariant.Kind(rawValue: $0.text) }
      var reader = CaseToleranceReader(
        comparing: kind?.comparesNumbers ?? false ? kinds : ChannelKind.levels, size: kind?.hasWholePictures ?? false ? size : nil,
        ownDeviceInvariant: kind != .cpu ? kind?.rawValue : nil)
      rules = reader.read(value)
      diagnostics += reader.diagnostics
    }
    members.refuseOthers()
    diagnostics += members.diagnostics
    guard let name else { return nil }
    return checked(Invariant.Kind(rawValue: name.text), name, period, rules)
  }

  private mutating func checked(
    _ kind: Invariant.Kind?, _ name: GraphText.Word, _ period: GraphText.Word?, _ rules: CaseToleranceRules?
  ) -> Invariant? {
    let names = Invariant.Kind.allCases.map(\.rawValue)
    guard let kind else {
      let nearest = NearestName.find(name.text, in: names).map { "did you mean '\($0)'?" }
      report(
        "case.invariant", "no invariant is called '\(name.text)'", name, "unknown",
        nearest ?? "choose from \(names.joined(separator: ", "))")
      return nil
    }
    var invariant = Invariant(kind, written: name)
    invariant.tolerances = rules
    switch (kind, period) {
    case (.periodicity, nil):
      report(
        "case.period", "'periodicity' needs a period", name, "of how long", "write '{ name: periodicity, period: 2s }', or 'period: 48f'")
      return nil
    case (.periodicity, let period?):
      invariant.period = seconds(period)
      if invariant.period == nil { return nil }
    case (.purity, nil) where moments.count == 1:
      report(
        "case.invariant", "'purity' compares nothing: a single frame comes after no other", name, "of one frame",
        "write 'frames: [0, 10]', or leave it out")
      return nil
    case (_, let period?): report("case.period", "'\(kind.rawValue)' has no period", period, "means nothing", "leave it out")
    default: break
    }
    return invariant
  }

  /// `2s`, `1.5`, `1:30`, `48f`.
  private mutating func seconds(_ word: GraphText.Word) -> Rational? {
    let isFrames = word.text.hasSuffix("f")
    guard let value = isFrames ? Rational(word.text.dropLast()) : Rational(seconds: word.text), value > .zero else {
      report("case.period", "expected a time above 0, found '\(word.text)'", word, "not a time", "write 'period: 2s', or 'period: 48f'")
      return nil
    }
    return isFrames ? value / rate.framesPerSecond : value
  }

  private mutating func report(_ id: String, _ message: String, _ word: GraphText.Word, _ label: String, _ help: String) {
    diagnostics.append(Diagnostic(id, message, labels: [word.label(label)], help: [help]))
  }
}
