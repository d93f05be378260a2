internal import EtalonDiagnostics
internal import EtalonManifest

/// Reads where a picture comes from: a file, a sequence with its timing, another node, or what a node showed a frame ago.
struct GraphOriginReader {
  typealias Word = GraphText.Word

  /// What stands before relative paths.
  let folder: String
  private(set) var diagnostics: [Diagnostic] = []

  init(folder: String) {
    self.folder = folder
  }

  /// A path, or `{ sequence: plate.####.png, rate: 24 }`.
  mutating func file(_ value: LocatedNode, for owner: String) -> GraphText.Origin? {
    if let text = value.scalar, !text.isEmpty { return .file(Word(path(text), at: value.place), fields: []) }
    var members = DocumentMembers(value, of: owner, expected: "a path", example: "photo.png")
    defer { diagnostics += members.diagnostics }
    guard value.members != nil else { return nil }
    let (file, sequence) = (members.word("file"), members.word("sequence"))
    guard let path = sequence ?? file else {
      guard members.diagnostics.isEmpty else { return nil }
      if let key = ["before", "node"].first(where: { members.value($0) != nil }), let name = value.members?.first(where: { $0.key == key })
      {
        members.report(
          "graph.origin", "\(owner) has no '\(key)'", at: SourceRange(name.keyPlace.source, name.keyPlace.range), "unknown",
          help: [
            key == "node"
              ? "write the name alone: '\(name.value.scalar ?? "node")'"
              : "write '{ previous: \(name.value.scalar ?? "node") }' for what a node showed a frame ago"
          ])
        return nil
      }
      members.require("file", help: "write 'file: photo.png' or 'sequence: plate.####.png'")
      return nil
    }
    if let file, let sequence {
      members.report(
        "graph.origin", "\(owner) is a file or a sequence", at: file.place, "and a file",
        help: ["keep 'file: \(file.text)' or 'sequence: \(sequence.text)'"])
    }
    let fields = members.members.filter { $0.key != "file" && $0.key != "sequence" }
    checkTiming(fields, of: owner)
    return .file(Word(self.path(path.text), at: path.place), fields: fields)
  }

  private mutating func checkTiming(_ fields: [LocatedNode.Member], of owner: String) {
    var timing: [SequenceField] = []
    for field in fields {
      guard let text = field.value.scalar, !text.isEmpty else {
        diagnostics.append(
          field.value.scalar == nil
            ? DocumentMembers.wrongForm(field.value, named: "'\(field.key)' of \(owner)", expected: "one value")
            : DocumentMembers.empty(field.key, of: owner, field.value))
        continue
      }
      let place = field.keyPlace
      timing.append(
        SequenceField(key: field.key, value: text, source: place.source, keyRange: place.range, valueRange: field.value.place.range))
    }
    do throws(DiagnosticsError) { _ = try SequenceTiming(timing) } catch { diagnostics += error.diagnostics }
  }

  /// For an image input of a node: a name, a path, a file with its timing, or `{ previous: node }`.
  mutating func picture(_ value: LocatedNode, for owner: String) -> GraphText.Origin? {
    if let text = value.scalar, !text.isEmpty {
      let word = Word(text, at: value.place)
      return Self.isPath(text) ? .file(Word(path(text), at: value.place), fields: []) : .node(word)
    }
    guard value.members?.contains(where: { $0.key == "previous" }) == true else { return file(value, for: owner) }
    var members = DocumentMembers(value, of: owner, example: "{ previous: node }")
    let word = members.word("previous")
    members.refuseOthers()
    diagnostics += members.diagnostics
    return word.map { .before($0) }
  }

  static func isPath(_ text: String) -> Bool { text.contains("/") || text.contains(".") }

  func path(_ text: String) -> String { text.hasPrefix("/") ? text : folder + text }
}
