package import EtalonManifest

/// A value of a document with its place, whatever the document is written in: YAML, JSON or the braces of the command line.
///
/// Scalars are texts; what they mean is decided by the type that somebody declared for them.
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
