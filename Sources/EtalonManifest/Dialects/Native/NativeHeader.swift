internal import EtalonDiagnostics
internal import EtalonTypes

/// What the JSON at the top of a native filter file says.
struct NativeHeader {
  /// An image input or an imported file.
  struct Image {
    let input: FilterInput
    /// What lies beyond the edge, straight and encoded; nil where the sampler says it.
    let border: Value?
  }

  /// One element of `PASSES`, or the only pass of a header without it.
  struct Pass {
    /// The function that it runs; nil for the one entry point that the text has.
    var kernel: Placed<String>?
    /// The target that it writes; nil for the result.
    var target: Placed<String>?
    var isPersistent = false
    var format = PixelFormat.rgba16f
    var extent = FilterTarget.Extent.output
    var iterations = 1
    /// Invocations of a workgroup along x, y and z.
    var localSize: Placed<[Int]>?
    /// Workgroups along x, y and z.
    var dispatch: Placed<[ExpressionText]>?
    /// What a compute kernel writes; nil when it does not say.
    var writes: [Placed<String>]?
    var reach: KernelReach?
    /// The element of the header; nil without `PASSES`.
    var place: SourceRange?
  }

  /// One element of `OUTPUTS`.
  struct Output {
    let name: Placed<String>
    let format: PixelFormat
    let extent: FilterTarget.Extent
  }

  var about = FilterManifest.About()
  var images: [Image] = []
  var parameters: [FilterParameter] = []
  /// One at least, in the order in which they run.
  var passes: [Pass] = [Pass()]
  /// The first is the main one; empty when the header names none.
  var outputs: [Output] = []
  var buffers: [FilterBuffer] = []
  var constraints: [ExpressionText] = []
  var alpha = AlphaMode.premultiplied
  var extent: ResultExtent?
  /// Where `EXTENT` stands.
  var extentPlace: SourceRange?
  var reach: KernelReach?
  /// From the opening brace to the closing one.
  var place: SourceRange?

  /// What the result is called when the header gives it no name.
  static let usualOutput = "outputImage"

  /// The name under which compute kernels store the result.
  var mainOutput: String { outputs.first?.name.value ?? Self.usualOutput }

  var kind: FilterManifest.Kind {
    FilterManifest.Kind(ofInputs: images.filter { $0.input.origin == .user }.map(\.input.name))
  }
}

// MARK: - reading

/// Reads the header of a native filter file; every key has to be known and every value has to fit.
struct NativeHeaderReader {
  private(set) var header = NativeHeader()
  private(set) var diagnostics: [Diagnostic] = []
  private var names = NativeNames()
  private let options: ReadingOptions

  /// Slips that leave no doubt about what is meant; they are warnings.
  private static let tolerated: Set<JSONSlip> = [.trailingComma, .comment, .byteOrderMark]

  /// Reads everything at once; without errors among the diagnostics the header is complete.
  init(_ source: SourceText, _ place: HeaderComment, options: ReadingOptions) {
    self.options = options
    let reading = JSONReader(tolerating: Self.tolerated).read(source, within: place.json)
    diagnostics = reading.diagnostics
    guard let value = reading.value else { return }
    header.place = value.place
    var members = JSONMembers(value, of: "the header")
    readAbout(&members)
    header.alpha = members.word("ALPHA", AlphaMode.self) ?? .premultiplied
    readInputs(&members)
    readPasses(&members)
    members.reportUnknownKeys(as: .error)
    diagnostics += members.diagnostics + names.diagnostics
  }

  private mutating func readAbout(_ members: inout JSONMembers) {
    for key in ["ISFVSN", "VSN", "KEYWORDS"] { _ = members.value(key) }
    if let version = members.number("ETALON"), version.value != 1 {
      members.report(
        "native.version", "the header is of version \(ValueConversion.plainText(Value(.float, [version.value])))", at: version.place,
        "not 1", help: ["write \"ETALON\": 1"], notes: ["this is the only version so far"])
    }
    header.about = FilterManifest.About(
      description: members.string("DESCRIPTION")?.value, credit: members.string("CREDIT")?.value, license: members.string("LICENSE")?.value,
      categories: members.strings("CATEGORIES")?.map(\.value) ?? [])
  }

  // MARK: inputs

  private mutating func readInputs(_ members: inout JSONMembers) {
    for (index, element) in (members.array("INPUTS")?.value ?? []).enumerated() {
      var reader = NativeInputReader(element, index: index, alpha: header.alpha, options: options)
      let input = reader.read()
      diagnostics += reader.diagnostics
      let isNamed = reader.name.map { names.add($0, as: "input") } ?? false
      guard let input, isNamed else { continue }
      switch input {
      case .image(let image): header.images.append(image)
      case .parameter(let parameter): header.parameters.append(parameter)
      }
    }
    for file in members.object("IMPORTED")?.members ?? [] {
      var reader = NativeInputReader(importOf: file.value, named: file.key, alpha: header.alpha, options: options)
      let name = Placed(file.key, at: file.keyPlace)
      let image = reader.readImport(named: name)
      diagnostics += reader.diagnostics
      if names.add(name, as: "import"), let image { header.images.append(image) }
    }
    followClock()
  }

  /// The progress of a transition follows the clock unless the user gives it a value.
  private mutating func followClock() {
    guard header.kind == .transition, let index = header.parameters.firstIndex(where: { $0.name == "progress" && $0.kind == .float }) else {
      return
    }
    header.parameters[index].followsClock = true
  }

  // MARK: passes and what they share

  private mutating func readPasses(_ members: inout JSONMembers) {
    var reader = NativePassReader(parameters: header.parameters)
    if let passes = members.array("PASSES") {
      header.passes = passes.value.enumerated().map { reader.pass($1, index: $0) }
      if passes.value.isEmpty {
        members.report("native.no-passes", "'PASSES' is empty", at: passes.place, "no pass", help: ["remove 'PASSES', or add a pass"])
      }
    }
    for (index, element) in (members.array("OUTPUTS")?.value ?? []).enumerated() {
      guard let output = reader.output(element, index: index), names.add(output.name, as: "output") else { continue }
      header.outputs.append(output)
    }
    for (index, element) in (members.array("BUFFERS")?.value ?? []).enumerated() {
      guard let (name, buffer) = reader.buffer(element, index: index), names.add(name, as: "buffer") else { continue }
      header.buffers.append(buffer)
    }
    header.constraints = reader.constraints(&members)
    header.extentPlace = members.value("EXTENT")?.place
    header.extent = reader.resultExtent(&members)
    header.reach = reader.reach(&members)
    diagnostics += reader.allDiagnostics
    addTargetNames()
  }

  /// A target may be written by several passes; its name is taken once.
  private mutating func addTargetNames() {
    var known = Set(header.outputs.map(\.name.value) + [header.mainOutput])
    for pass in header.passes {
      for target in [pass.target].compactMap(\.self) + (pass.writes ?? []) where known.insert(target.value).inserted {
        _ = names.add(target, as: "target")
      }
    }
  }
}

extension JSONMembers {
  /// The value of a key that is one of several words; nil when it is missing or another word, which is reported.
  mutating func word<Word: RawRepresentable<String> & CaseIterable>(_ key: String, _ type: Word.Type) -> Word? {
    guard let written = string(key) else { return nil }
    if let word = Word(rawValue: written.value) { return word }
    reportWord(written, key, Word.allCases.map(\.rawValue))
    return nil
  }

  /// Reports a word that a key cannot have.
  mutating func reportWord(_ written: Placed<String>, _ key: String, _ words: [String]) {
    report(
      "native.word", "'\(key)' cannot be '\(written.value)'", at: written.place, "unknown",
      help: NearestName.find(written.value, in: words).map { ["did you mean '\($0)'?"] } ?? [],
      notes: ["possible: \(words.joined(separator: ", "))"])
  }

  /// A whole number in a range; nil when it is missing or another number, which is reported.
  mutating func whole(_ key: String, in range: ClosedRange<Int>) -> Placed<Int>? {
    guard let number = number(key) else { return nil }
    if number.value == number.value.rounded(), number.value >= Double(range.lowerBound), number.value <= Double(range.upperBound) {
      return Placed(Int(number.value), at: number.place)
    }
    report(
      "native.number", "'\(key)' is no whole number from \(range.lowerBound) to \(range.upperBound)", at: number.place, "out of range")
    return nil
  }
}

// MARK: - names

/// The names that a header gives to inputs, parameters, targets, buffers and outputs; in the text they are variables.
private struct NativeNames {
  private var declared: [String: (place: SourceRange, what: String)] = [:]
  private(set) var diagnostics: [Diagnostic] = []

  /// Notes a name and says whether it can be used; what is wrong with it is reported.
  mutating func add(_ name: Placed<String>, as what: String) -> Bool {
    if let fault = Self.fault(name, what) {
      diagnostics.append(fault)
      return false
    }
    if let first = declared[name.value] {
      diagnostics.append(
        Diagnostic(
          "native.name-taken", "'\(name.value)' is the name of two things",
          labels: [Self.label(name.place, "the \(what)"), Self.label(first.place, "the \(first.what)")], help: ["rename one of them"]))
      return false
    }
    declared[name.value] = (name.place, what)
    return true
  }

  private static func fault(_ name: Placed<String>, _ what: String) -> Diagnostic? {
    func fault(_ id: String, _ message: String, _ help: String, _ notes: [String] = []) -> Diagnostic {
      Diagnostic(
        "native.\(id)", "'\(name.value)' \(message)", labels: [label(name.place, "the name of the \(what)")], help: [help], notes: notes)
    }
    guard isIdentifier(name.value) else {
      return fault(
        "name", "cannot be the name of a variable", "use letters, digits and '_'; the text for people is the LABEL",
        ["names do not start with a digit"])
    }
    if NativeScope.names.contains(name.value) { return fault("name-taken", "is the name of something every kernel has", "rename it") }
    if name.value.hasPrefix("gl_") || name.value.hasPrefix("etalon") || name.value.contains("__") {
      return fault("name", "is a name that no text may declare", "rename it", ["'gl_', 'etalon' and '__' are reserved"])
    }
    if starts.contains(name.value) {
      return fault(
        "name", "is the name of the function where a text starts", "rename it",
        ["such functions: \(starts.sorted().joined(separator: ", "))"])
    }
    return words.contains(name.value) ? fault("name", "is a word of GLSL", "rename it") : nil
  }

  private static func label(_ place: SourceRange, _ message: String) -> Diagnostic.Label { .init(place.source, place.range, message) }

  private static func isIdentifier(_ name: String) -> Bool {
    let bytes = Array(name.utf8)
    guard let first = bytes.first, !(0x30...0x39).contains(first) else { return false }
    return bytes.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) || $0 == UInt8(ascii: "_") }
  }

  private static let starts: Set<String> = Set(["main"] + NativeKernel.entryPoints.keys)

  /// Words that a text needs as they are; other reserved words are renamed inside.
  private static let words = GLSLKeywords.all.union(["double", "shared", "buffer", "barrier"])
}
