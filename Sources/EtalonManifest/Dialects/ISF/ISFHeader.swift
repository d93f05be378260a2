internal import EtalonDiagnostics
internal import EtalonTypes

/// What the JSON at the top of an ISF file says.
struct ISFHeader {
  /// A pass with the names and expressions as the author wrote them.
  struct Pass {
    /// The target it writes; nil for the result of the filter.
    let target: Placed<String>?
    let isPersistent: Bool
    /// Whether the target holds floating-point numbers.
    let isFloat: Bool
    let width: ISFSizeExpression?
    let height: ISFSizeExpression?
  }

  /// A target of the first version of ISF, where targets are declared beside the passes.
  struct PersistentBuffer {
    let name: Placed<String>
    let isFloat: Bool
    let width: ISFSizeExpression?
    let height: ISFSizeExpression?
  }

  var about = FilterManifest.About()
  /// The image inputs, then the imported files.
  var images: [FilterInput] = []
  var parameters: [FilterParameter] = []
  /// One at least, in the order in which they run.
  var passes: [Pass] = []
  var persistentBuffers: [PersistentBuffer] = []

  /// The names of everything that it declares.
  var names: Set<String> {
    Set(images.map(\.name) + parameters.map(\.name) + passes.compactMap(\.target?.value) + persistentBuffers.map(\.name.value))
  }

  /// Filters read `inputImage`, transitions lead from `startImage` to `endImage`; everything else makes pictures.
  var kind: FilterManifest.Kind {
    let names = Set(images.map(\.name))
    if names.contains("inputImage") { return .filter }
    let hasProgress = parameters.contains { $0.name == "progress" && $0.kind == .float }
    return hasProgress && names.isSuperset(of: ["startImage", "endImage"]) ? .transition : .generator
  }
}

// MARK: - reading

/// Finds the header of an ISF file, with what is odd about its place.
struct ISFHeaderSearch {
  let comment: HeaderComment
  let warnings: [Diagnostic]

  init(_ source: SourceText) throws(DiagnosticsError) {
    guard let comment = HeaderComment(in: source, mustComeFirst: false) else { throw DiagnosticsError(Self.missing(source)) }
    let tokens = Lexer.tokens(of: source)
    let header = tokens.filter { $0.origin?.range == comment.comment }
    let faults = UnterminatedComment.diagnostics(in: header)
    guard faults.isEmpty else { throw DiagnosticsError(faults) }
    self.comment = comment
    let first = tokens.first(where: \.isSignificant)?.origin?.range
    warnings = first.flatMap { $0.lowerBound < comment.comment.lowerBound ? [Self.late(source, $0)] : nil } ?? []
  }

  private static func late(_ source: SourceText, _ place: Range<Int>) -> Diagnostic {
    Diagnostic(
      "isf.header-not-first", "the header is not the first thing in the file", severity: .warning,
      labels: [.init(source, place, "stands before it")], help: ["move the header to the top"],
      notes: ["most hosts read a header only at the top of a file"])
  }

  private static func missing(_ source: SourceText) -> Diagnostic {
    let tokens = Lexer.tokens(of: source)
    let start = tokens.first { $0.kind == .comment || $0.isSignificant }?.origin?.range.lowerBound ?? 0
    return Diagnostic(
      "isf.no-header", "the file has no ISF header", labels: [.init(source, start..<start, "expected a comment with JSON")],
      help: ["begin the file with '/*{ \"ISFVSN\": \"2\", \"INPUTS\": [] }*/'"])
  }
}

/// Reads the header of an ISF file; what published files contain and other hosts accept is accepted.
struct ISFHeaderReader {
  private(set) var header = ISFHeader()
  private(set) var diagnostics: [Diagnostic] = []
  /// Where each name of an input, import or target was declared.
  private var names = ISFNames()

  /// Reads everything at once; without errors among the diagnostics the header is complete.
  init(_ source: SourceText, _ place: HeaderComment) {
    let reading = JSONReader(tolerating: Set(JSONSlip.allCases)).read(source, within: place.json)
    diagnostics = reading.diagnostics
    guard let value = reading.value else { return }
    var members = JSONMembers(value, of: "the header", ignoresNull: true)
    readTexts(&members)
    readInputs(&members)
    readImports(&members)
    readPasses(&members)
    readPersistentBuffers(&members)
    members.reportUnknownKeys(as: .warning)
    diagnostics += members.diagnostics + names.diagnostics
  }

  private mutating func readTexts(_ members: inout JSONMembers) {
    for key in ["ISFVSN", "VSN", "KEYWORDS"] { _ = members.value(key) }
    header.about = FilterManifest.About(
      description: members.string("DESCRIPTION")?.value, credit: members.string("CREDIT")?.value,
      license: members.string("LICENSE")?.value, categories: members.strings("CATEGORIES")?.map(\.value) ?? [])
  }

  // MARK: inputs

  private mutating func readInputs(_ members: inout JSONMembers) {
    for (index, element) in (members.array("INPUTS")?.value ?? []).enumerated() {
      var reader = ISFInputReader(element, index: index)
      let input = reader.read()
      diagnostics += reader.diagnostics
      guard let input, names.add(reader.name, as: "input") else { continue }
      switch input {
      case .image(let image): header.images.append(image)
      case .parameter(let parameter): header.parameters.append(parameter)
      }
    }
  }

  /// `"IMPORTED": {"noise": {"PATH": "noise.png"}}`, or an array of objects with a `NAME` in the first version.
  private mutating func readImports(_ members: inout JSONMembers) {
    guard let imported = members.value("IMPORTED") else { return }
    switch imported.content {
    case .object(let files):
      for file in files { readImport(file.value, name: Placed(file.key, at: file.keyPlace)) }
    case .array(let files):
      for file in files { readImport(file, name: nil) }
    default: members.reportType(of: imported, named: "'IMPORTED' of the header", expected: "an object")
    }
  }

  private mutating func readImport(_ value: LocatedJSON, name: Placed<String>?) {
    var file = JSONMembers(value, of: name.map { "the import '\($0.value)'" } ?? "an import", ignoresNull: true)
    let given = file.string("NAME")
    if isCube(&file) { return diagnostics += file.diagnostics }
    let path = file.string("PATH")
    _ = file.value("DESCRIPTION")
    file.reportMissing("PATH", help: ["write \"PATH\": \"picture.png\""])
    if let path, !Self.isInside(path.value) {
      file.report(
        "isf.import-outside", "cannot import '\(path.value)'", at: path.place, "leads out of the folder",
        help: ["put the file beside the filter and name it alone"])
    }
    if name == nil { file.reportMissing("NAME") }
    file.reportUnknownKeys(as: .warning)
    diagnostics += file.diagnostics
    guard let name = name ?? given, let path, names.add(name, as: "import") else { return }
    header.images.append(
      FilterInput(name: name.value, origin: .file(path: path.value, place: path.place), sampler: ISFUniforms.sampler, place: name.place))
  }

  /// Refuses six pictures that are the sides of a cube.
  private func isCube(_ file: inout JSONMembers) -> Bool {
    let type = file.string("TYPE")
    let isCube = type?.value.lowercased().hasPrefix("cube") ?? false
    guard isCube || file.object["PATH"]?.elements != nil else { return false }
    file.report(
      "isf.unsupported-input", "a cube map cannot be imported yet", at: file.object["PATH"]?.place ?? file.object.place, "names its sides",
      notes: ["imports can be pictures so far"])
    return true
  }

  private static func isInside(_ path: String) -> Bool {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    return !path.isEmpty && !path.hasPrefix("/") && !path.contains("\\") && !path.contains("\0") && !parts.contains("..")
  }

  // MARK: passes

  private mutating func readPasses(_ members: inout JSONMembers) {
    let passes = members.array("PASSES")?.value ?? []
    var reader = ISFPassReader(parameters: header.parameters)
    header.passes = passes.enumerated().map { reader.pass($1, index: $0, isLast: $0 == passes.count - 1) }
    if header.passes.isEmpty {
      header.passes = [ISFHeader.Pass(target: nil, isPersistent: false, isFloat: false, width: nil, height: nil)]
    }
    diagnostics += reader.diagnostics
    for target in reader.targets { _ = names.add(target, as: "target") }
  }

  /// `["trail"]`, or `{"trail": {"WIDTH": "100", "FLOAT": true}}`.
  private mutating func readPersistentBuffers(_ members: inout JSONMembers) {
    guard let buffers = members.value("PERSISTENT_BUFFERS") else { return }
    var reader = ISFPassReader(parameters: header.parameters)
    switch buffers.content {
    case .object(let named):
      header.persistentBuffers = named.map { reader.buffer($0.value, name: Placed($0.key, at: $0.keyPlace)) }
    case .array:
      header.persistentBuffers = (members.strings("PERSISTENT_BUFFERS") ?? []).map {
        ISFHeader.PersistentBuffer(name: $0, isFloat: false, width: nil, height: nil)
      }
    default: members.reportType(of: buffers, named: "'PERSISTENT_BUFFERS' of the header", expected: "an array of names")
    }
    diagnostics += reader.diagnostics
    let targets = header.passes.compactMap(\.target?.value)
    for buffer in header.persistentBuffers where !targets.contains(buffer.name.value) { _ = names.add(buffer.name, as: "target") }
  }
}

/// Reads the passes of a header.
private struct ISFPassReader {
  private let parameters: [String]
  private(set) var diagnostics: [Diagnostic] = []
  /// The names of the targets, each once.
  private(set) var targets: [Placed<String>] = []
  private var known: [String: ISFHeader.Pass] = [:]

  init(parameters: [FilterParameter]) { self.parameters = parameters.map(\.name) }

  mutating func pass(_ value: LocatedJSON, index: Int, isLast: Bool) -> ISFHeader.Pass {
    var members = JSONMembers(value, of: "pass \(index)", ignoresNull: true)
    let name = members.string("TARGET").flatMap { $0.value.isEmpty ? nil : $0 }
    let isPersistent = flag("PERSISTENT", &members)
    let isFloat = flag("FLOAT", &members)
    _ = members.value("DESCRIPTION")
    let pass = ISFHeader.Pass(
      target: name, isPersistent: isPersistent, isFloat: isFloat, width: size("WIDTH", &members), height: size("HEIGHT", &members))
    if name == nil, !isLast, value.members != nil {
      members.report(
        "isf.pass-without-target", "pass \(index) writes no target, so its picture is lost", severity: .warning, at: value.place,
        "no 'TARGET'", help: ["name a target, or remove the pass"])
    }
    if name == nil, isLast, let size = members.object["WIDTH"] ?? members.object["HEIGHT"] {
      members.report(
        "isf.size-without-target", "the last pass gives the result, whose size the user chooses", severity: .warning, at: size.place,
        "has no effect", help: ["remove 'WIDTH' and 'HEIGHT', or name a target"])
    }
    members.reportUnknownKeys(as: .warning)
    diagnostics += members.diagnostics
    if let name { add(name, pass, index) }
    return pass
  }

  mutating func buffer(_ value: LocatedJSON, name: Placed<String>) -> ISFHeader.PersistentBuffer {
    var members = JSONMembers(value, of: "the buffer '\(name.value)'", ignoresNull: true)
    let isFloat = flag("FLOAT", &members)
    let buffer = ISFHeader.PersistentBuffer(
      name: name, isFloat: isFloat, width: size("WIDTH", &members), height: size("HEIGHT", &members))
    members.reportUnknownKeys(as: .warning)
    diagnostics += members.diagnostics
    return buffer
  }

  /// Two passes may write one target, which then has one size and one format.
  private mutating func add(_ name: Placed<String>, _ pass: ISFHeader.Pass, _ index: Int) {
    guard let first = known[name.value] else {
      known[name.value] = pass
      targets.append(name)
      return
    }
    diagnostics.append(
      Diagnostic(
        "isf.target-twice", "two passes write the target '\(name.value)'", severity: .warning,
        labels: [label(name, "again here")] + (first.target.map { [label($0, "first here")] } ?? []),
        notes: ["size and format are those of the first"]))
  }

  private func label(_ name: Placed<String>, _ message: String) -> Diagnostic.Label {
    .init(name.place.source, name.place.range, message)
  }

  private mutating func size(_ key: String, _ members: inout JSONMembers) -> ISFSizeExpression? {
    guard let value = members.value(key), value.content != .null else { return nil }
    switch ISFSizeExpression.read(value, key: key, parameters: parameters) {
    case .success(let size): return size
    case .failure(let error):
      diagnostics += error.diagnostics
      return nil
    }
  }

  /// A truth value; hosts take numbers and words too.
  private mutating func flag(_ key: String, _ members: inout JSONMembers) -> Bool {
    guard let value = members.value(key) else { return false }
    switch value.content {
    case .bool(let isTrue): return isTrue
    case .number: return value.number != 0
    case .string(let text) where ["true", "false", "yes", "no", "1", "0"].contains(text.lowercased()):
      members.report(
        "isf.flag", "'\(key)' is a string, expected true or false", severity: .warning, at: value.place, "a string",
        help: ["remove the quotes"])
      return ["true", "yes", "1"].contains(text.lowercased())
    case .null: return false
    default:
      members.reportType(of: value, named: "'\(key)'", expected: "true or false")
      return false
    }
  }
}

// MARK: - names

/// The names that a header gives to inputs, imports and targets; in the text they are variables.
private struct ISFNames {
  private var declared: [String: (place: SourceRange, what: String)] = [:]
  private(set) var diagnostics: [Diagnostic] = []

  /// Notes a name and says whether it can be used; what is wrong with it is reported.
  mutating func add(_ name: Placed<String>, as what: String) -> Bool {
    if let fault = fault(name, what) {
      diagnostics.append(fault)
      return false
    }
    if let first = declared[name.value] {
      diagnostics.append(
        Diagnostic(
          "isf.name-taken", "'\(name.value)' is the name of two things",
          labels: [label(name.place, "the \(what)"), label(first.place, "the \(first.what)")], help: ["rename one of them"]))
      return false
    }
    declared[name.value] = (name.place, what)
    return true
  }

  private func fault(_ name: Placed<String>, _ what: String) -> Diagnostic? {
    guard Self.isIdentifier(name.value) else {
      return Diagnostic(
        "isf.name", "'\(name.value)' cannot be the name of a variable", labels: [label(name.place, "the name of the \(what)")],
        help: ["write '\(Self.identifier(like: name.value))'; the text for people is its LABEL"],
        notes: ["names consist of letters, digits and '_' and do not start with a digit"])
    }
    if ISFUniforms.names.contains(name.value) {
      return Diagnostic(
        "isf.name-taken", "'\(name.value)' is set by the host", labels: [label(name.place, "the name of the \(what)")],
        help: ["rename it, here and in the text"])
    }
    if GLSLKeywords.all.contains(name.value) || name.value.hasPrefix("gl_") {
      return Diagnostic(
        "isf.name", "'\(name.value)' has a meaning in every GLSL", labels: [label(name.place, "the name of the \(what)")],
        help: ["rename it, here and in the text"])
    }
    return nil
  }

  private func label(_ place: SourceRange, _ message: String) -> Diagnostic.Label { .init(place.source, place.range, message) }

  static func isIdentifier(_ name: String) -> Bool {
    let bytes = Array(name.utf8)
    guard let first = bytes.first, !(0x30...0x39).contains(first) else { return false }
    return bytes.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) || $0 == UInt8(ascii: "_") }
  }

  /// `"blur amount (px)"` as `blurAmountPx`.
  private static func identifier(like name: String) -> String {
    let words = name.split { !($0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_")) }
    let joined = words.enumerated().map { $0 == 0 ? String($1) : $1.prefix(1).uppercased() + $1.dropFirst() }.joined()
    let start = joined.first.map { $0.isNumber ? "_" : "" } ?? "input"
    return start + joined
  }
}
