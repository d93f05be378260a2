internal import EtalonDiagnostics

/// Reads the header of an ISF file, forgiving what files in the wild do and hosts let pass.
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
