internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonManifest

/// All small changes that a file of a filter offers, whatever it is written in.
struct FileChanges {
  let source: SourceText
  private(set) var changes: [TextChange] = []

  private static let textExtensions = ["glsl", "fs", "vs", "frag", "vert", "comp", "txt"]
  private static let rules: [any MutationRule] = [ConstantRule(), OperatorRule(), SwizzleRule(), FunctionRule(), BranchRule()]

  /// - Parameter isProject: whether it belongs to a ShaderToy project of several passes.
  init(_ source: SourceText, isProject: Bool) {
    self.source = source
    let name = source.path.lowercased()
    let passes: Set<String> = isProject ? ["mainImage"] : []
    if Self.isShader(name) {
      let header = header
      addShader(source, passes.union(header.map(Self.kernels) ?? []))
      if let header { addHeader(header) }
    } else if name.hasSuffix(".json") {
      addJSON(passes)
    } else if name.hasSuffix(".yaml") || name.hasSuffix(".yml") {
      addGraph()
    }
    var known: Set<TextChange> = []
    changes = changes.filter { known.insert($0).inserted }
  }

  private mutating func addShader(_ shader: SourceText, _ passes: Set<String>) {
    let tokens = ShaderTokens(shader)
    for rule in Self.rules + [PassRule(functions: passes)] { changes += rule.changes(of: tokens) }
  }

  private static func isShader(_ name: String) -> Bool { textExtensions.contains { name.hasSuffix(".\($0)") } }

  // MARK: headers

  /// The JSON in the comment that the file begins with.
  private var header: LocatedJSON? {
    let comment = Lexer.tokens(of: source).first { $0.kind == .comment }
    guard let range = comment?.origin?.range, range.count > 4,
      let open = source.bytes[range].firstIndex(of: UInt8(ascii: "{")),
      let close = source.bytes[range].lastIndex(of: UInt8(ascii: "}")), open < close
    else { return nil }
    return JSONReader(tolerating: Set(JSONSlip.allCases)).read(source, within: open..<close + 1).value
  }

  /// The functions of the passes, where there are several.
  private static func kernels(_ header: LocatedJSON) -> Set<String> {
    let passes = header["PASSES"]?.elements ?? []
    let names = passes.compactMap { pass -> String? in if case .string(let name) = pass["KERNEL"]?.content { name } else { nil } }
    return passes.count > 1 ? Set(names) : []
  }

  private mutating func addHeader(_ json: LocatedJSON) {
    let words = ["texture(", "IMG_PIXEL(", "IMG_NORM_PIXEL(", "warpKernel("]
    let text = source.text
    changes += HeaderChanges(json, in: source, samples: words.contains { text.contains($0) }).changes
  }

  // MARK: documents

  private mutating func addJSON(_ passes: Set<String>) {
    guard let json = JSONReader(tolerating: Set(JSONSlip.allCases)).read(source).value else { return }
    changes += HeaderChanges(json, in: source, samples: true).changes
    addCode(json, passes)
  }

  /// The shaders that strings named `code` hold.
  private mutating func addCode(_ value: LocatedJSON, _ passes: Set<String>) {
    for element in value.elements ?? [] { addCode(element, passes) }
    for member in value.members ?? [] {
      if member.key == "code", let text = EscapedText(member.value.place.range, of: source.bytes) {
        let before = changes.count
        addShader(SourceText(path: source.path, bytes: text.bytes), passes)
        changes[before...] = ArraySlice(changes[before...].compactMap(text.inFile))
      }
      addCode(member.value, passes)
    }
  }

  /// The numbers and expressions that a graph gives its nodes.
  private mutating func addGraph() {
    guard let tree = try? GraphDocumentReader.tree(of: source) else { return }
    for node in tree.members?.first(where: { $0.key == "nodes" })?.value.members ?? [] {
      let values = node.value.members?.first { $0.key == "values" }?.value.members ?? []
      for value in values { addValue(value.value) }
    }
  }

  private mutating func addValue(_ value: LocatedNode) {
    if case .sequence(let parts) = value.content { return parts.forEach { addValue($0) } }
    if let members = value.members { return members.forEach { addValue($0.value) } }
    let range = value.place.range
    guard let text = value.scalar, Array(text.utf8) == Array(source.bytes[range]) else { return }
    guard !text.hasPrefix("(") else { return addExpression(text, at: range.lowerBound) }
    guard let number = Double(text) else { return }
    let others = Int(text).map { ["\($0 + 1)", "\($0 - 1)"] } ?? ["\(Float(number * 1.1))", "\(Float(number * 0.9))"]
    changes += others.map { TextChange(kind: .constant, range: range, replacement: $0) }
  }

  private mutating func addExpression(_ text: String, at start: Int) {
    // Inside of a function, as everything that may be changed is.
    let head = "float f() { return "
    let tokens = ShaderTokens(SourceText(path: source.path, text: head + text + "; }"))
    for change in Self.rules.flatMap({ $0.changes(of: tokens) }) {
      let shift = start - head.utf8.count
      let range = change.range.lowerBound + shift..<change.range.upperBound + shift
      changes.append(TextChange(kind: change.kind, range: range, replacement: change.replacement))
    }
  }
}
