internal import EtalonDiagnostics
internal import EtalonGLSL
internal import EtalonManifest
internal import EtalonTypes

/// What the JSON at the top of an ISF file or of a native filter file says.
struct FilterHeader {
  /// An image input or an imported file.
  struct Image {
    var input: FilterInput
    /// What lies beyond the edge, straight and encoded; nil where the sampler says it.
    let border: Value?

    /// The frames at which the text may read it, 0 among them.
    var moments: [Int] { input.frames.map { Array($0.offsets) } ?? [0] }
  }

  /// One element of `PASSES`, the only pass of a header without it, or a buffer of the first version of ISF.
  struct Pass {
    /// The function that it runs; nil for the one entry point that the text has.
    var kernel: Placed<String>?
    /// The target that it writes; nil for the result.
    var target: Placed<String>?
    var isPersistent = false
    var format = PixelFormat.rgba16f
    /// The sides as the author wrote them, from which the extent follows.
    var width: ExpressionText?
    var height: ExpressionText?
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

  let policy: HeaderPolicy
  var about = FilterManifest.About()
  /// The image inputs, then the imported files.
  var images: [Image] = []
  var parameters: [FilterParameter] = []
  /// One at least, in the order in which they run.
  var passes: [Pass] = [Pass()]
  /// Targets of the first version of ISF, where they are declared beside the passes.
  var persistentBuffers: [Pass] = []
  /// The first is the main one; empty when the header names none.
  var outputs: [Output] = []
  var buffers: [FilterBuffer] = []
  var constraints: [ExpressionText] = []
  var alpha: AlphaMode
  var extent: ResultExtent?
  /// Where `EXTENT` stands.
  var extentPlace: SourceRange?
  var reach: KernelReach?
  /// From the opening brace to the closing one.
  var place: SourceRange?

  init(policy: HeaderPolicy) {
    self.policy = policy
    alpha = policy.alpha
  }

  /// What the result is called when the header gives it no name.
  static let usualOutput = "outputImage"

  /// The name under which compute kernels store the result.
  var mainOutput: String { outputs.first?.name.value ?? Self.usualOutput }

  var kind: FilterManifest.Kind { policy.kind(of: self) }

  /// The names that are variables in the text.
  var names: [String] {
    let written = (passes + persistentBuffers).flatMap { [$0.target].compactMap(\.self) + ($0.writes ?? []) }
    return images.map(\.input.name) + parameters.map(\.name) + buffers.map(\.name) + outputs.map(\.name.value) + written.map(\.value)
  }
}

// MARK: - reading

/// Reads the header of a filter file.
struct HeaderReader {
  private(set) var header: FilterHeader
  private(set) var diagnostics: [Diagnostic] = []
  private var names: HeaderNames
  private let policy: HeaderPolicy
  private let options: FilterReader.Options

  /// Reads everything at once; without errors among the diagnostics the header is complete.
  init(_ source: SourceText, _ place: HeaderComment, policy: HeaderPolicy, options: FilterReader.Options) {
    self.policy = policy
    self.options = options
    header = FilterHeader(policy: policy)
    names = HeaderNames(policy: policy)
    let reading = JSONReader(tolerating: policy.toleratedSlips).read(source, within: place.json)
    diagnostics = reading.diagnostics
    guard let written = reading.value else { return }
    var value = written
    if policy.isLenient {
      let keys = HeaderKeyCase(written, policy: policy)
      value = keys.value
      diagnostics += keys.diagnostics
    }
    header.place = value.place
    var members = policy.members(value, .header, of: "the header")
    readAbout(&members)
    header.alpha = members.word("ALPHA", AlphaMode.self) ?? policy.alpha
    readInputs(&members)
    readImports(&members)
    followClock()
    readPasses(&members)
    members.reportUnknownKeys(as: policy.unknownKeys)
    diagnostics += members.diagnostics + names.diagnostics
  }

  private mutating func readAbout(_ members: inout JSONMembers) {
    if let version = members.number("ETALON"), version.value != 1 {
      members.report(
        "native.version", "the header is of version \(ValueConversion.plainText(Value(.float, [version.value])))", at: version.place,
        "not 1", help: ["write \"ETALON\": 1"], notes: ["this is the only version so far"])
    }
    header.about = FilterManifest.About(
      description: members.string("DESCRIPTION")?.value, credit: members.string("CREDIT")?.value, license: members.string("LICENSE")?.value,
      categories: members.strings("CATEGORIES")?.map(\.value) ?? [], aliases: readAliases(&members))
  }

  private func readAliases(_ members: inout JSONMembers) -> [String] {
    guard policy.dialect == .native else { return [] }
    return (members.strings("ALIASES") ?? []).compactMap { alias in
      let isName = alias.value.wholeMatch(of: /[a-z0-9]+(-[a-z0-9]+)*/) != nil
      if !isName {
        members.report(
          "native.alias", "'\(alias.value)' cannot be the name of a filter", at: alias.place, "not a name",
          help: ["use lower-case letters, digits and hyphens, as \"soft-light\""])
      }
      return isName ? alias.value : nil
    }
  }

  // MARK: inputs

  private mutating func readInputs(_ members: inout JSONMembers) {
    var distances: [Placed<String>] = []
    var fonts: [Placed<String>] = []
    for (index, element) in (members.array("INPUTS")?.value ?? []).enumerated() {
      var reader = HeaderInputReader(element, index: index, header, options: options)
      let input = reader.read()
      diagnostics += reader.diagnostics
      guard isFree(reader.name, as: "input", isRead: input != nil), let input else { continue }
      switch input {
      case .image(let image): header.images.append(image)
      case .parameter(let parameter): header.parameters.append(parameter)
      }
      if let distance = reader.distance { distances.append(distance) }
      if let font = reader.font { fonts.append(font) }
    }
    for font in fonts where !header.images.contains(where: { $0.input.name == font.value && $0.input.data == .font }) {
      let names = header.images.filter { $0.input.data == .font }.map(\.input.name)
      members.report(
        "native.font", "'\(font.value)' is no input for a font", at: font.place, "not found",
        help: NearestName.find(font.value, in: names).map { ["did you mean '\($0)'?"] }
          ?? ["name an input such as { \"NAME\": \"font\", \"TYPE\": \"font\" }"])
    }
    for distance in distances where !header.parameters.contains(where: { $0.name == distance.value && $0.kind == .int }) {
      let numbers = header.parameters.filter { $0.kind == .int }.map(\.name)
      members.report(
        "native.distance", "'\(distance.value)' is no parameter that is a whole number", at: distance.place, "not found",
        help: NearestName.find(distance.value, in: numbers).map { ["did you mean '\($0)'?"] }
          ?? ["name an input of the type 'int', which says how many frames before and after are read"])
    }
  }

  /// `"IMPORTED": {"noise": {"PATH": "noise.png"}}`, or an array of objects with a `NAME` in the first version of ISF.
  private mutating func readImports(_ members: inout JSONMembers) {
    guard let imported = members.value("IMPORTED") else { return }
    switch imported.content {
    case .object(let files):
      for file in files { readImport(file.value, name: Placed(file.key, at: file.keyPlace)) }
    case .array(let files) where policy.isLenient:
      for file in files { readImport(file, name: nil) }
    default: members.reportType(of: imported, named: "'IMPORTED' of the header", expected: "an object")
    }
  }

  private mutating func readImport(_ value: LocatedJSON, name: Placed<String>?) {
    var reader = HeaderInputReader(importOf: value, named: name, header, options: options)
    let image = reader.readImport()
    diagnostics += reader.diagnostics
    if isFree(reader.name, as: "import", isRead: image != nil), let image { header.images.append(image) }
  }

  /// Whether a name can be used; a lenient dialect says nothing about the names of what it cannot read.
  private mutating func isFree(_ name: Placed<String>?, as what: String, isRead: Bool) -> Bool {
    guard let name, isRead || !policy.isLenient else { return false }
    return names.add(name, as: what)
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
    var reader = HeaderPassReader(header)
    let passes = members.array("PASSES")
    let read = (passes?.value ?? []).enumerated().map { reader.pass($1, index: $0, isLast: $0 + 1 == passes?.value.count) }
    if !read.isEmpty {
      header.passes = read
    } else if let passes, !policy.isLenient {
      header.passes = []
      members.report("native.no-passes", "'PASSES' is empty", at: passes.place, "no pass", help: ["remove 'PASSES', or add a pass"])
    }
    readPersistentBuffers(&members, &reader)
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
    diagnostics += reader.diagnostics
    addTargetNames()
  }

  /// `["trail"]`, or `{"trail": {"WIDTH": "100", "FLOAT": true}}`.
  private mutating func readPersistentBuffers(_ members: inout JSONMembers, _ reader: inout HeaderPassReader) {
    guard let buffers = members.value("PERSISTENT_BUFFERS") else { return }
    switch buffers.content {
    case .object(let named):
      header.persistentBuffers = named.map { reader.persistentBuffer($0.value, name: Placed($0.key, at: $0.keyPlace)) }
    case .array:
      header.persistentBuffers = (members.strings("PERSISTENT_BUFFERS") ?? []).map { FilterHeader.Pass(target: $0) }
    default: members.reportType(of: buffers, named: "'PERSISTENT_BUFFERS' of the header", expected: "an array of names")
    }
  }

  /// A target may be written by several passes; its name is taken once.
  private mutating func addTargetNames() {
    var known = Set(header.outputs.map(\.name.value))
    if policy.dialect == .native { known.insert(header.mainOutput) }
    for pass in header.passes {
      for target in [pass.target].compactMap(\.self) + (pass.writes ?? []) where known.insert(target.value).inserted {
        _ = names.add(target, as: "target")
      }
    }
    for case let target? in header.persistentBuffers.map(\.target) where !known.contains(target.value) {
      _ = names.add(target, as: "target")
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
}
