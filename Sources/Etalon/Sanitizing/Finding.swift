internal import EtalonCPU
package import EtalonDiagnostics
package import EtalonManifest

/// Something that a shader did at one place of its text.
///
/// **Concurrency**: an immutable value.
package struct Finding: Sendable {
  /// `sanitize.` and the kind of the fault.
  package let id: String
  package let severity: FindingSeverity
  package let message: String
  /// Where the author wrote it; nil where nothing of the author's text is to blame, as when the result is never written.
  package let place: SourceRange?
  /// The author's calls that lead there, the innermost first.
  package let calls: [SourceRange]
  /// The other place of a race, and what happens there; nil for all other findings.
  package let other: (place: SourceRange, text: String)?
  /// How often it happened in all frames that were watched.
  package let count: Int
  /// In how many pixels of all frames that was, where it happened more often than there are such; a lower bound unless `isPixelCountExact`.
  package let pixelCount: Int?
  package let isPixelCountExact: Bool
  /// Where it happened first: `pixel (3, 5) of frame 0 in pass 'image'`.
  package let first: String
  package let frame: Int
  /// The name of the pass where it happened first.
  package let pass: String
  /// From the lower left corner; nil in compute kernels.
  package let pixel: [Int]?
  /// The operands there, by their names.
  package let operands: [(name: String, value: String)]
  package let rule: String
  package let help: [String]

  /// As it is printed.
  package var diagnostic: Diagnostic {
    var times = count == 1 ? "once" : "\(count) times"
    if let pixelCount { times += " in \(isPixelCountExact ? "" : "at least ")\(pixelCount) pixel\(pixelCount == 1 ? "" : "s")" }
    var labels = place.map { [Diagnostic.Label($0.source, $0.range, times)] } ?? []
    if let other { labels.append(Diagnostic.Label(other.place.source, other.place.range, other.text)) }
    labels += calls.prefix(3).map { Diagnostic.Label($0.source, $0.range, "called here") }
    return Diagnostic(
      id, message, severity: .warning, labels: labels, help: help, notes: ["\(place == nil ? times + "; " : "")first at \(first)", rule])
  }
}

extension Finding {
  /// Faults of one kind on one line.
  struct Evidence {
    private(set) var count = 0
    /// The pixels of the place that has most of them, and whether it is the only one.
    private(set) var pixelCount: Int?
    private(set) var isOnePlace = true
    /// The variables that were not written, each once.
    private(set) var variables: [String] = []
    let first: WatchLog.Fault
    /// The author's places of the first and of the calls around it, the innermost first.
    let places: [SourceRange]
    /// The author's place of the other side of a race.
    let otherPlace: SourceRange?

    init(_ first: WatchLog.Fault, at places: [SourceRange], other: SourceRange? = nil) {
      self.first = first
      self.places = places
      otherPlace = other
    }

    mutating func add(_ fault: WatchLog.Fault) {
      isOnePlace = count == 0
      count += fault.count
      pixelCount = fault.pixelCount.map { max(pixelCount ?? 0, $0) }
      if let variable = fault.site.variable, !variables.contains(variable) { variables.append(variable) }
    }
  }

  init(_ evidence: Evidence) {
    let fault = evidence.first
    let words = FaultWords(fault.site.kind, at: fault.operands)
    id = fault.site.kind.findingId
    severity = words.severity
    place = evidence.places.first
    calls = Array(evidence.places.dropFirst())
    // What reads a result does so several times.
    count = fault.site.kind == .unwrittenResult ? evidence.pixelCount ?? evidence.count : evidence.count
    pixelCount = evidence.pixelCount.flatMap { [count] in $0 < count ? $0 : nil }
    isPixelCountExact = evidence.isOnePlace
    frame = fault.frame
    pass = fault.pass
    rule = words.rule
    help = words.help
    operands = zip(fault.site.operands, fault.operands).map { ($0.name, $0.scalar.text(of: $1)) }
    var title = fault.site.kind == .uninitialized ? Self.title(ofUnwritten: evidence.variables, words) : words.title
    if fault.site.kind == .missingReturn, let name = fault.site.variable { title = "'\(name)' \(words.title)" }
    if fault.site.kind == .unwrittenResult { title = Self.title(ofUnwrittenParts: evidence.variables, words) }
    if fault.site.kind == .notFinite { title = "\(Float(bitPattern: fault.result).isNaN ? "NaN" : "infinity") out of finite numbers" }
    if fault.site.kind == .sharedRace, let other = fault.other { title = Self.title(ofRace: other, fault) }
    if fault.site.kind == .divergentBarrier, let missing = fault.operands.first { title += ", as invocation \(missing) does not" }
    other = fault.other.flatMap { race in evidence.otherPlace.map { ($0, "\(race.otherAccess.text) by invocation \(race.invocation)") } }
    let values = operands.map { "\($0.name) = \($0.value)" }.joined(separator: ", ")
    message = values.isEmpty ? title : "\(title): \(values)"
    switch fault.place {
    case .pixel(let x, let y, let fromTop):
      pixel = [x, y]
      first = "pixel (\(x), \(y)), row \(fromTop) from the top, of frame \(fault.frame) in pass '\(fault.pass)'"
    case .texel(let x, let y):
      pixel = [x, y]
      first = "pixel (\(x), \(y)) of the target in frame \(fault.frame), pass '\(fault.pass)'"
    case .invocation(let workgroup, let index):
      pixel = nil
      first = "invocation \(index) of workgroup \(workgroup) in frame \(fault.frame), pass '\(fault.pass)'"
    }
  }

  /// `'tile' is written by invocation 3 and read by invocation 4 with no barrier between`.
  private static func title(ofRace other: WatchLog.Encounter, _ fault: WatchLog.Fault) -> String {
    var own = ""
    if case .invocation(_, let index) = fault.place { own = " by invocation \(index)" }
    let name = fault.site.variable.map { "'\($0)'" } ?? "shared memory"
    return "\(name) is \(other.otherAccess.text) by invocation \(other.invocation) and \(other.access.text)\(own) with no barrier between"
  }

  /// `not every pixel writes the result: z and w are missing`.
  private static func title(ofUnwrittenParts variables: [String], _ words: FaultWords) -> String {
    let parts = Set(variables.compactMap { $0.split(separator: ".").last.map(String.init) }).intersection(["x", "y", "z", "w"])
    guard !parts.isEmpty, !parts.isSuperset(of: ["x", "y", "z"]) else { return words.title }
    let names = ["x", "y", "z", "w"].filter(parts.contains)
    return "\(words.title): \(names.joined(separator: " and ")) \(names.count == 1 ? "is" : "are") missing"
  }

  private static let mostNames = 4

  private static func title(ofUnwritten variables: [String], _ words: FaultWords) -> String {
    guard let first = variables.first else { return "a variable \(words.title)" }
    let names = variables.prefix(mostNames).map { "'\($0)'" }.joined(separator: ", ") + (variables.count > mostNames ? " …" : "")
    if first.contains("()") { return "\(names) \(variables.count == 1 ? "is" : "are") returned without having been written" }
    return "\(names) \(variables.count == 1 ? words.title : words.titleOfSeveral)"
  }
}

extension SharedAccess {
  /// For messages.
  var text: String {
    switch self {
    case .reads: "read"
    case .writes: "written"
    case .isAtomic: "changed atomically"
    }
  }
}

extension FaultKind {
  /// The id of findings of the kind.
  var findingId: String { "sanitize.\(rawValue)" }
}

extension WatchSite.Scalar {
  /// The number with some bits, as it would be written.
  func text(of bits: UInt32) -> String {
    switch self {
    case .float: "\(Float(bitPattern: bits))"
    case .signed: "\(Int32(bitPattern: bits))"
    case .unsigned: "\(bits)"
    case .boolean: bits == 0 ? "false" : "true"
    }
  }
}
