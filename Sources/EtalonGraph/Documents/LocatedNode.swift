package import EtalonDiagnostics
package import EtalonManifest

/// A value of a document with its place, whatever the document is written in: YAML, JSON or the braces of the command line.
///
/// Scalars are texts; the declared type decides what they mean.
///
/// **Concurrency**: an immutable value.
package struct LocatedNode: Sendable, Hashable {
  /// What the value is.
  package indirect enum Content: Sendable, Hashable {
    /// Without quotes.
    case scalar(String)
    case sequence([LocatedNode])
    /// In the order of the text.
    case mapping([Member])
  }

  /// A key of a mapping with its value.
  package struct Member: Sendable, Hashable {
    package let key: String
    package let keyPlace: SourceRange
    package let value: LocatedNode

    package init(key: String, keyPlace: SourceRange, value: LocatedNode) {
      self.key = key
      self.keyPlace = keyPlace
      self.value = value
    }
  }

  package let content: Content
  /// From the first byte to the last, brackets and quotes included.
  package let place: SourceRange

  package init(_ content: Content, at place: SourceRange) {
    self.content = content
    self.place = place
  }

  /// The same value as JSON has it.
  package init(_ json: LocatedJSON) {
    let content: Content =
      switch json.content {
      case .object(let members): .mapping(members.map { Member(key: $0.key, keyPlace: $0.keyPlace, value: LocatedNode($0.value)) })
      case .array(let elements): .sequence(elements.map { LocatedNode($0) })
      case .string(let text), .number(let text): .scalar(text)
      case .bool(let isTrue): .scalar(isTrue ? "true" : "false")
      case .null: .scalar("")
      }
    self.init(content, at: json.place)
  }

  /// The members of a mapping; nil for anything else.
  package var members: [Member]? {
    if case .mapping(let members) = content { members } else { nil }
  }

  /// The text of a scalar; nil for anything else.
  package var scalar: String? {
    if case .scalar(let text) = content { text } else { nil }
  }

  /// The text of a scalar, or of several with commas between them; nil where there is anything else inside.
  package var list: String? {
    guard case .sequence(let elements) = content else { return scalar }
    let texts = elements.compactMap(\.scalar)
    return texts.count == elements.count ? texts.joined(separator: ", ") : nil
  }
}

/// Takes the members of a mapping one by one as what they should be, and notes what is wrong with them.
///
/// A missing member is nil; so is one of the wrong form, which is reported.
package struct DocumentMembers {
  package typealias Word = GraphText.Word

  package let members: [LocatedNode.Member]
  private let isMapping: Bool
  private let place: SourceRange
  /// What the mapping is, for messages: `the node 'blocks'`.
  private let owner: String
  private var asked: [String] = []
  package private(set) var diagnostics: [Diagnostic] = []

  package init(_ node: LocatedNode, of owner: String, expected: String = "keys with values", example: String) {
    place = node.place
    self.owner = owner
    members = node.members ?? []
    isMapping = node.members != nil
    if node.members == nil { report(Self.wrongForm(node, named: owner, expected: expected, help: "write '\(example)'")) }
  }

  // MARK: taking

  /// The value of a key, whatever it is.
  package mutating func value(_ key: String) -> LocatedNode? {
    if !asked.contains(key) { asked.append(key) }
    return members.first { $0.key == key }?.value
  }

  /// One word that is not empty.
  package mutating func word(_ key: String) -> Word? {
    guard let value = value(key) else { return nil }
    guard let text = value.scalar else {
      report(Self.wrongForm(value, named: "'\(key)' of \(owner)", expected: "one value"))
      return nil
    }
    guard !text.isEmpty else {
      report(Self.empty(key, of: owner, value))
      return nil
    }
    return Word(text, at: value.place)
  }

  /// One of a few words.
  package mutating func choice(_ key: String, of choices: [String]) -> Word? {
    guard let word = word(key) else { return nil }
    guard !choices.contains(word.text) else { return word }
    let nearest = NearestName.find(word.text, in: choices).map { "did you mean '\($0)'?" }
    report(
      "graph.choice", "'\(key)' of \(owner) cannot be '\(word.text)'", at: word.place, "unknown",
      help: [nearest ?? "choose from \(choices.joined(separator: ", "))"])
    return nil
  }

  /// The members of a mapping; an empty one is fine.
  package mutating func mapping(_ key: String, example: String) -> [LocatedNode.Member] {
    guard let value = value(key) else { return [] }
    if let members = value.members { return members }
    report(Self.wrongForm(value, named: "'\(key)' of \(owner)", expected: "keys with values", help: "write '\(example)'"))
    return []
  }

  /// One word, or several in brackets.
  package mutating func words(_ key: String) -> [Word] {
    guard case .sequence(let elements)? = value(key)?.content else { return word(key).map { [$0] } ?? [] }
    return elements.compactMap { element in
      if let text = element.scalar, !text.isEmpty { return Word(text, at: element.place) }
      report(Self.wrongForm(element, named: "an element of '\(key)'", expected: "one value"))
      return nil
    }
  }

  // MARK: reporting

  private static let missingKey = "graph.missing-key"

  /// Reports a key that is not there.
  package mutating func require(_ key: String, help: String) {
    guard isMapping, !members.contains(where: { $0.key == key }) else { return }
    let start = place.range.lowerBound
    report(
      Self.missingKey, "\(owner) has no '\(key)'", at: SourceRange(place.source, start..<min(start + 1, place.source.bytes.count)),
      "in here", help: [help])
  }

  /// Reports unknown keys, each with the nearest known one.
  ///
  /// A required key that is suggested this way is not reported as missing as well.
  package mutating func refuseOthers() {
    let meant = members.filter { !asked.contains($0.key) }.compactMap { NearestName.find($0.key, in: asked) }
    diagnostics.removeAll { found in found.id == Self.missingKey && meant.contains { found.message.hasSuffix("has no '\($0)'") } }
    for member in members where !asked.contains(member.key) {
      let nearest = NearestName.find(member.key, in: asked).map { "did you mean '\($0)'?" }
      report(
        "graph.unknown-key", "\(owner) has no key '\(member.key)'", at: member.keyPlace, "unknown",
        help: [nearest ?? "keys are \(asked.joined(separator: ", "))"])
    }
  }

  package mutating func report(_ id: String, _ message: String, at place: SourceRange, _ label: String, help: [String] = []) {
    report(Diagnostic(id, message, labels: [place.label(label)], help: help))
  }

  package mutating func report(_ diagnostic: Diagnostic) { diagnostics.append(diagnostic) }

  package static func wrongForm(_ node: LocatedNode, named name: String, expected: String, help: String? = nil) -> Diagnostic {
    let found =
      switch node.content {
      case .mapping: "keys with values"
      case .sequence: "a list"
      case .scalar(let text): text.isEmpty ? "nothing" : "'\(text)'"
      }
    return Diagnostic(
      "graph.form", "\(name) should be \(expected), found \(found)", labels: [node.place.label(found)],
      help: help.map { [$0] } ?? [])
  }

  /// A value that is not there, perhaps because YAML read it as a comment.
  package static func empty(_ key: String, of owner: String, _ value: LocatedNode) -> Diagnostic {
    let comment = String(decoding: value.place.source.bytes[value.place.range], as: UTF8.self)
    let isComment = comment.hasPrefix("#")
    if key.count(where: { $0 == ")" }) > key.count(where: { $0 == "(" }) {
      let place = value.place
      return Diagnostic(
        "graph.comma", "a comma ends the value before '\(key)'", labels: [place.label("no value")],
        help: ["put an expression with commas in quotes, or on a line of its own"])
    }
    return Diagnostic(
      "graph.empty", "'\(key)' of \(owner) has no value",
      labels: [value.place.label(isComment ? "a comment" : "nothing here")],
      help: [isComment ? "write it with quotes: \"\(comment)\"" : "write a value; one that begins with '#' needs quotes"])
  }
}
