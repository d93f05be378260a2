internal import EtalonDiagnostics
internal import EtalonTypes

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

  /// The progress of a transition runs by itself until somebody sets it.
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
