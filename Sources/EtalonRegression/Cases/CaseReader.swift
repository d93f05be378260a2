internal import Etalon
internal import EtalonComparison
internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonMedia
internal import EtalonTypes
internal import Foundation

/// Reads one case: its own keys and those that it shares with others.
struct CaseReader {
  typealias Word = GraphText.Word

  private let name: String
  private let id: String
  private let node: LocatedNode
  private let source: SourceText
  private let owner: String?
  /// From the working folder to that of the file, with a slash at its end.
  private let folder: String
  private var members: DocumentMembers
  private(set) var diagnostics: [Diagnostic] = []
  private(set) var files = NamedFiles()

  init(name: String, id: String, _ node: LocatedNode, source: SourceText, owner: String?) {
    (self.name, self.id, self.node, self.source, self.owner) = (name, id, node, source, owner)
    folder = source.path.lastIndex(of: "/").map { String(source.path[...$0]) } ?? ""
    members = DocumentMembers(node, of: "the case", example: "values: { sigma: 8 }")
  }

  /// The case; nil where it has an error.
  mutating func read() -> TestCase? {
    let subject = readSubject()
    let moments = readMoments()
    let size = readSize(hasPicture: subject.map(Self.readsPicture) ?? true)
    let clock = readClock()
    let duration = readDuration(clock, moments)
    let options = readOptions()
    let (condition, expectation) = readConditions()
    let reference = readReference(moments: moments)
    let kinds = (reference ?? .none).kinds(bits: options.bits)
    let tolerances = readTolerance(comparing: kinds, size: size, seesNaN: reference?.isDevice ?? false)
    var invariants = InvariantReader(rate: (clock ?? ShotClock()).rate, moments: moments, comparing: kinds, size: size)
    let invariantList = members.value("invariants").map { invariants.read($0) } ?? []
    _ = members.value("description")
    // A whole file may have this key instead; it comes here where it has not.
    if id == source.path { _ = members.value("cases") }
    members.refuseOthers()
    diagnostics += members.diagnostics + invariants.diagnostics
    guard diagnostics.isEmpty, let subject else { return nil }
    var result = TestCase(
      id: id, name: name, path: source.path, place: node.place, subjectName: Self.name(of: subject), subject: subject)
    (result.moments, result.size, result.clock, result.duration) = (moments, size, clock, duration)
    (result.condition, result.expectation, result.tolerances, result.invariants) = (condition, expectation, tolerances, invariantList)
    options.apply(to: &result)
    result.reference = invariantList.isEmpty || reference != nil ? reference ?? defaultReference(moments) : .none
    return result
  }

  // MARK: what is rendered

  private mutating func readSubject() -> TestCase.Subject? {
    let graph = members.word("graph")
    // The name of the filter that the file lies beside means that one, whatever libraries have.
    let filter = members.word("filter").flatMap { word in owner.map { FilterPath.name(of: $0) == word.text } ?? false ? nil : word }
    if let graph, let filter {
      members.report(
        "case.subject", "the case has a filter and a graph", at: graph.place, "and a graph", help: ["keep 'filter: \(filter.text)' or this"]
      )
      return nil
    }
    guard var used = readNode(filter ?? graph) else { return nil }
    if let graph { return document(Word(path(graph.text), at: graph.place), used) }
    guard let owner else {
      guard filter != nil else {
        members.require(
          "filter", help: "write 'filter: name' or 'graph: ../file.yaml', or put the file into the folder 'tests' beside a filter")
        return nil
      }
      return .node(used)
    }
    guard filter == nil else { return .node(used) }
    let word = Word(owner, at: SourceRange(source, node.place.range.lowerBound..<node.place.range.lowerBound))
    if GraphDocument.isGraph(owner) { return document(word, used) }
    used = GraphText.Node(name: used.name, filter: word, inputs: used.inputs, settings: used.settings)
    return .node(used)
  }

  private mutating func document(_ word: Word, _ node: GraphText.Node) -> TestCase.Subject {
    files.add(input: word.text)
    return .document(word, inputs: node.inputs, settings: node.settings)
  }

  /// The filter with its inputs and values, as a graph would have it.
  private mutating func readNode(_ filter: Word?) -> GraphText.Node? {
    let record = ["inputs", "values"].compactMap { key in
      members.value(key).map { value in members.members.first { $0.key == key } ?? .init(key: key, keyPlace: value.place, value: value) }
    }
    let word = filter ?? Word("owner", at: node.place)
    let key = LocatedNode.Member(key: "filter", keyPlace: word.place, value: LocatedNode(.scalar(word.text), at: word.place))
    var reader = GraphNodeReader(Word("result", at: node.place), folder: folder, base: folder)
    let result = reader.read(LocatedNode(.mapping([key] + record), at: node.place))
    diagnostics += reader.diagnostics
    guard case .node(let read) = result else { return nil }
    for input in read.inputs { check(input) }
    for setting in read.settings { add(fileOf: setting) }
    return read
  }

  /// Which values are for files is known only to the filter: one that is the name of a file belongs to the case.
  private mutating func add(fileOf setting: GraphText.Setting) {
    let track = setting.value.members?.first { $0.key == "track" }?.value.scalar
    guard let text = setting.value.scalar else { return track.map { files.add(input: path($0)) } ?? () }
    for isFile in [true, false] {
      if let file = ValueFile(text, isFile: isFile), FileManager.default.fileExists(atPath: path(file.path)) {
        files.add(input: path(file.path))
      }
    }
  }

  private mutating func check(_ input: GraphText.Input) {
    switch input.origin {
    case .file(let path, _): files.add(input: path.text)
    case .node(let word), .before(let word):
      members.report(
        "case.input", "a case has no other pictures than files, and '\(word.text)' is none", at: word.place, "not a file",
        help: ["write './\(word.text)' for a file without extension, or test a graph: 'graph: ../file.yaml'"])
    }
  }

  private func path(_ text: String) -> String { text.hasPrefix("/") ? text : folder + text }

  private static func readsPicture(_ subject: TestCase.Subject) -> Bool {
    switch subject {
    case .node(let node): !node.inputs.isEmpty
    case .document, .plain: true
    }
  }

  private static func name(of subject: TestCase.Subject) -> String {
    let path: String
    switch subject {
    case .node(let node): path = node.filter.text
    case .document(let word, _, _): path = word.text
    case .plain(let plain): path = plain
    }
    guard path.contains("/") || path.contains(".") else { return path }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return name.split(separator: ".").first.map(String.init) ?? name
  }

  // MARK: when and how large

  private mutating func readMoments() -> [TestCase.Moment] {
    let (frames, times) = (members.value("frames"), members.words("times"))
    if let frames, let first = times.first {
      members.report(
        "case.moments", "'frames' and 'times' both say which pictures are wanted", at: first.place, "the second",
        help: ["keep one of them"])
      _ = frames
    }
    if let frames { return CaseValues.frames(frames, &members) }
    return times.isEmpty ? [.first] : times.compactMap { CaseValues.time($0, &members).map { .time($0) } }
  }

  /// The size of the main input, or a small one for what reads no picture.
  private mutating func readSize(hasPicture: Bool) -> Size? {
    guard let word = members.word("size") else { return hasPicture ? nil : Size(64, 64) }
    return CaseValues.size(word, &members)
  }

  private mutating func readClock() -> ShotClock? {
    let words = (members.word("rate"), members.word("first"), members.word("start"))
    guard words.0 != nil || words.1 != nil || words.2 != nil else { return nil }
    let rate = words.0.map { CaseValues.rate($0, &members) } ?? .sixty
    let first = words.1.map { CaseValues.frame($0, &members) } ?? 0
    let start = words.2.flatMap { CaseValues.time($0, &members) } ?? .zero
    return ShotClock(first: first, start: start, rate: rate)
  }

  /// How long the shot is; its frames are looked up where the clock is known, which may be that of a document.
  private mutating func readDuration(_ clock: ShotClock?, _ moments: [TestCase.Moment]) -> Word? {
    guard let word = members.word("duration") else { return nil }
    guard let shot = (clock ?? ShotClock()).frames(lasting: word.text) else {
      members.report(
        "case.duration", "expected a length above 0, found '\(word.text)'", at: word.place, "not a length",
        help: ["write 'duration: 2s' or 'duration: 48f'"])
      return nil
    }
    if let clock, let outside = moments.map({ $0.number(of: clock) }).first(where: { !shot.contains($0) }) {
      members.report(
        "case.outside-shot", "frame \(outside) lies outside of the shot, which is frames \(shot.lowerBound) to \(shot.upperBound)",
        at: word.place, "too short",
        help: ["ask for frames of the shot, or write 'duration: \(max(outside, clock.first) - clock.first + 1)f'"])
    }
    return word
  }

  private mutating func readOptions() -> CaseOptions {
    var options = CaseOptions()
    options.alpha = members.choice("alpha", of: AlphaMode.allCases.map(\.rawValue)).flatMap { AlphaMode(rawValue: $0.text) }
    options.bits = members.choice("bits", of: ["8", "16"]).flatMap { Int($0.text) } ?? 8
    if let mouse = members.word("mouse") { options.pointer = CaseValues.pointer(mouse, &members) }
    if let events = members.word("events") {
      options.eventsFile = path(events.text)
      files.add(input: path(events.text))
    }
    options.read(allowed: members.words("allow"), &members)
    return options
  }

  private mutating func readConditions() -> (DeviceCondition, Expectation?) {
    var conditions = DeviceConditionReader()
    let condition = members.value("when").map { conditions.read($0) } ?? .always
    var expectations = ExpectationReader()
    let expectation = members.value("expect").flatMap { expectations.read($0) }
    diagnostics += conditions.diagnostics + expectations.diagnostics
    if let own = members.value("when")?.place, conditions.diagnostics.isEmpty, !condition.canHold {
      members.report(
        "case.when", "no device is like this, so the case never runs", at: own, "never holds", help: ["leave a part of it out"])
    } else if let expectation, let place = members.value("expect")?.place,
      !DeviceCondition.all([condition, expectation.condition]).canHold
    {
      members.report(
        "case.expect", "no device on which the case runs is one of which something is expected", at: place, "never counts",
        help: ["remove 'expect', or mend its 'when'"])
    }
    return (condition, expectation)
  }

  private mutating func readTolerance(comparing kinds: Set<ChannelKind>, size: Size?, seesNaN: Bool) -> CaseToleranceRules {
    guard let value = members.value("tolerance") else { return CaseToleranceRules() }
    var reader = CaseToleranceReader(comparing: kinds, size: size, seesNaN: seesNaN)
    let rules = reader.read(value)
    diagnostics += reader.diagnostics
    return rules
  }

  // MARK: what it is compared with

  private mutating func readReference(moments: [TestCase.Moment]) -> ReferenceRule? {
    var reader = ReferenceReader(folder: folder, moments: moments)
    defer {
      diagnostics += reader.diagnostics
      files.add(reader.files)
    }
    return reader.read(members.value("reference"), also: members.value("also"))
  }

  /// `soft.png`, or `soft.####.png` for several frames.
  private mutating func defaultReference(_ moments: [TestCase.Moment]) -> ReferenceRule {
    let pattern = FramePatternName.pattern(folder + name, isSequence: moments.count > 1)
    let picture = ReferenceRule.Picture(pattern: pattern, written: nil)
    for number in moments.numbers { files.add(reference: picture.path(number)) }
    return .pictures([picture])
  }
}

// MARK: - options and values

/// What a case says about how its pictures are made.
private struct CaseOptions {
  var alpha: AlphaMode?
  var bits = 8
  var pointer: PointerState?
  var eventsFile: String?
  private var mayBeFlat = false
  private var mayBeNotFinite = false

  /// The words that `allow` knows.
  private static let words = ["flat", "not-finite"]

  mutating func read(allowed: [GraphText.Word], _ members: inout DocumentMembers) {
    for word in allowed {
      switch word.text {
      case "flat": mayBeFlat = true
      case "not-finite": mayBeNotFinite = true
      default:
        let nearest = NearestName.find(word.text, in: Self.words).map { "did you mean '\($0)'?" }
        members.report(
          "case.allow", "'\(word.text)' cannot be allowed", at: word.place, "unknown",
          help: [nearest ?? "choose from \(Self.words.joined(separator: ", "))"])
      }
    }
  }

  func apply(to result: inout TestCase) {
    (result.alpha, result.bits, result.pointer, result.eventsFile) = (alpha, bits, pointer, eventsFile)
    (result.mayBeFlat, result.mayBeNotFinite) = (mayBeFlat, mayBeNotFinite)
  }
}

/// Reads words of a case as what they should be; what is wrong is reported at its place.
enum CaseValues {
  static func size(_ word: GraphText.Word, _ members: inout DocumentMembers) -> Size? {
    size(word.text) ?? refuse(word, "case.size", "a width and a height", "not a size", "size: 64x64", &members)
  }

  /// `64x64`; nil for what is no size.
  static func size(_ text: String) -> Size? {
    let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    guard sides.count == 2, sides.allSatisfy({ (1...32768).contains($0) }) else { return nil }
    return Size(sides[0], sides[1])
  }

  /// `0-10x5`, `7`, `[0, 5, 10]`.
  static func frames(_ node: LocatedNode, _ members: inout DocumentMembers) -> [TestCase.Moment] {
    let words = members.words("frames")
    var frames: [Int] = []
    for word in words {
      do throws(DiagnosticsError) { frames += try FrameRangeParser.parse(word.text, option: "frames").frames } catch {
        for found in error.diagnostics {
          members.report(Diagnostic(found.id, found.message, labels: [word.label("not frames")], help: found.help, notes: found.notes))
        }
      }
    }
    if words.isEmpty, case .sequence = node.content {
      members.report("case.moments", "'frames' names no frame", at: node.place, "empty", help: ["write 'frames: 0-10x5'"])
    }
    var known: Set<Int> = []
    return frames.filter { known.insert($0).inserted }.map { .frame($0) }
  }

  /// `1.5`, `1.5s`, `1:30`, `1001/24`.
  static func time(_ word: GraphText.Word, _ members: inout DocumentMembers) -> Rational? {
    seconds(word.text) ?? refuse(word, "case.time", "seconds up to \(ShotClock.longestTime)", "not a time", "times: [0.5, 1]", &members)
  }

  /// `1.5`, `1.5s`, `1:30`, `1001/24`; nil for what is no time, or none that shots may have.
  static func seconds(_ text: String) -> Rational? {
    Rational(seconds: text).flatMap { ShotClock.holds($0) ? $0 : nil }
  }

  static func rate(_ word: GraphText.Word, _ members: inout DocumentMembers) -> FrameRate {
    FrameRate(word.text) ?? refuse(word, "case.rate", "frames a second above 0 and up to 1000", "not a rate", "rate: 24", &members)
      ?? .sixty
  }

  static func frame(_ word: GraphText.Word, _ members: inout DocumentMembers) -> Int {
    if let number = Int(word.text), number.magnitude <= FrameRange.largestFrame.magnitude { return number }
    return refuse(word, "case.first", "the number of a frame", "not a number", "first: 1001", &members) ?? 0
  }

  /// `320,180` or `320,180,down`.
  static func pointer(_ word: GraphText.Word, _ members: inout DocumentMembers) -> PointerState? {
    let parts = word.text.split(separator: ",", omittingEmptySubsequences: false).map { $0.filter { $0 != " " } }
    let numbers = parts.prefix(2).compactMap { Rational($0)?.double }
    guard numbers.count == 2, parts.count == 2 || (parts.count == 3 && parts[2] == "down") else {
      return refuse(word, "case.mouse", "a position in pixels", "not a position", "mouse: 320,180", &members)
    }
    return PointerState(x: numbers[0], y: numbers[1], isDown: parts.count == 3)
  }

  private static func refuse<Result>(
    _ word: GraphText.Word, _ id: String, _ expected: String, _ label: String, _ example: String, _ members: inout DocumentMembers
  ) -> Result? {
    members.report(id, "expected \(expected), found '\(word.text)'", at: word.place, label, help: ["write '\(example)'"])
    return nil
  }
}

extension [TestCase.Moment] {
  /// What stands for each of them in the names of files: the numbers of frames, the places of times.
  var numbers: [Int] {
    enumerated().map { index, moment in
      switch moment {
      case .frame(let frame): frame
      case .first: 0
      case .time: index
      }
    }
  }
}

/// Makes patterns of paths whose characters all stand for themselves.
private enum FramePatternName {
  static func pattern(_ stem: String, isSequence: Bool) -> FramePattern {
    let slash = stem.lastIndex(of: "/").map { stem.index(after: $0) } ?? stem.startIndex
    return FramePattern(
      folder: String(stem[..<slash]), prefix: stem[slash...] + (isSequence ? "." : ""), padding: isSequence ? 4 : nil, suffix: ".png")
  }
}
