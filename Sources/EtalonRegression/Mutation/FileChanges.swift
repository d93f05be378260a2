internal import EtalonDiagnostics
internal import EtalonGLSL
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

/// Changes to what a filter says in JSON: how its pictures are read, what its parameters are by themselves, which passes it has.
private struct HeaderChanges {
  private let source: SourceText
  /// Whether images can be told how they are read, and the shader reads between their pixels or beyond their edges.
  private let samples: Bool
  private(set) var changes: [TextChange] = []

  private static let interpolations = ["nearest", "linear"]
  private static let addresses = ["clamp", "repeat", "mirror"]
  private static let choices: [String: [String]] = [
    "INTERPOLATION": interpolations, "interpolation": interpolations, "filter": interpolations, "ADDRESS": addresses + ["transparent"],
    "address": addresses, "wrap": ["clamp", "repeat"],
  ]

  init(_ json: LocatedJSON, in source: SourceText, samples: Bool) {
    (self.source, self.samples) = (source, samples && json["ETALON"] != nil)
    visit(json)
  }

  private mutating func visit(_ value: LocatedJSON) {
    for element in value.elements ?? [] { visit(element) }
    for member in value.members ?? [] {
      visitChoice(member)
      switch member.key {
      case "INPUTS": for input in member.value.elements ?? [] { visitInput(input) }
      case "PASSES": visitPasses(member.value.elements ?? [])
      case "channels": for channel in member.value.members ?? [] { visitChannel(channel.value) }
      default: break
      }
      visit(member.value)
    }
  }

  private mutating func add(_ kind: MutationKind, _ range: Range<Int>, _ replacement: String) {
    changes.append(TextChange(kind: kind, range: range, replacement: replacement))
  }

  // MARK: sampling

  private mutating func visitChoice(_ member: LocatedJSON.Member) {
    guard let words = Self.choices[member.key], case .string(let word) = member.value.content else { return }
    for other in words where other != word.lowercased() { add(.sampling, member.value.place.range, "\"\(other)\"") }
  }

  /// An image that says nothing about how it is read.
  private mutating func visitImage(_ input: LocatedJSON, type: LocatedJSON) {
    guard samples else { return }
    let end = type.place.range.upperBound..<type.place.range.upperBound
    if input["ADDRESS"] == nil {
      for address in Self.addresses.dropFirst() { add(.sampling, end, ", \"ADDRESS\": \"\(address)\"") }
    }
    if input["INTERPOLATION"] == nil { add(.sampling, end, ", \"INTERPOLATION\": \"nearest\"") }
  }

  /// A channel of a project that names its picture and nothing else.
  private mutating func visitChannel(_ channel: LocatedJSON) {
    guard case .string(let source) = channel.content else { return }
    for setting in ["\"interpolation\": \"linear\"", "\"address\": \"repeat\"", "\"address\": \"clamp\""] {
      add(.sampling, channel.place.range, "{ \"source\": \"\(source)\", \(setting) }")
    }
  }

  // MARK: defaults

  private mutating func visitInput(_ input: LocatedJSON) {
    if let type = input["TYPE"], case .string(let word) = type.content, word == "image" { return visitImage(input, type: type) }
    guard let value = input["DEFAULT"] else { return }
    if let values = input["VALUES"]?.elements {
      guard let other = values.first(where: { $0.content != value.content }) else { return }
      return add(.default, value.place.range, text(of: other))
    }
    for part in value.elements ?? [value] { visitDefault(part, of: input) }
  }

  private mutating func visitDefault(_ value: LocatedJSON, of input: LocatedJSON) {
    if case .bool(let isTrue) = value.content { return add(.default, value.place.range, isTrue ? "false" : "true") }
    guard let number = value.number else { return }
    let isWhole = input["TYPE"]?.content == .string("int")
    let (least, most) = (input["MIN"]?.number ?? -.infinity, input["MAX"]?.number ?? .infinity)
    let near = isWhole ? [number + 1, number - 1] : [number * 1.1, number * 0.9, number + 1, (least + most) / 2]
    guard let other = near.first(where: { $0 != number && $0.isFinite && least <= $0 && $0 <= most }) else { return }
    add(.default, value.place.range, isWhole ? "\(Int(other))" : "\(Float(other))")
  }

  private func text(of value: LocatedJSON) -> String { String(decoding: source.bytes[value.place.range], as: UTF8.self) }

  // MARK: passes

  /// Each pass but the last left out, with the comma behind it.
  private mutating func visitPasses(_ passes: [LocatedJSON]) {
    for (pass, next) in zip(passes, passes.dropFirst()) {
      add(.pass, pass.place.range.lowerBound..<next.place.range.lowerBound, "")
    }
  }
}

/// A text inside of a JSON string, with the places that its bytes have in the file.
private struct EscapedText {
  /// The text itself.
  private(set) var bytes: [UInt8] = []
  /// Where each of its bytes begins in the file; one more for its end.
  private var places: [Int] = []

  private static let escapes: [UInt8: UInt8] = [
    UInt8(ascii: "n"): 0x0A, UInt8(ascii: "t"): 0x09, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C,
    UInt8(ascii: "/"): UInt8(ascii: "/"), UInt8(ascii: "\\"): UInt8(ascii: "\\"), UInt8(ascii: "\""): UInt8(ascii: "\""),
  ]

  /// Nil when the string has an escape with a number, which shaders have no use for.
  ///
  /// - Parameter range: the string with its quotes.
  init?(_ range: Range<Int>, of file: [UInt8]) {
    var place = range.lowerBound + 1
    while place < range.upperBound - 1 {
      places.append(place)
      guard file[place] == UInt8(ascii: "\\") else {
        bytes.append(file[place])
        place += 1
        continue
      }
      guard let byte = Self.escapes[file[place + 1]] else { return nil }
      bytes.append(byte)
      place += 2
    }
    places.append(place)
  }

  /// The change as it is made in the file; nil for one whose words the string would have to escape.
  func inFile(_ change: TextChange) -> TextChange? {
    guard !change.replacement.utf8.contains(where: { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) else {
      return nil
    }
    return TextChange(
      kind: change.kind, range: places[change.range.lowerBound]..<places[change.range.upperBound], replacement: change.replacement)
  }
}
