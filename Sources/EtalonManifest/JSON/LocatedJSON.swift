/// A JSON value with its place in the author's text.
///
/// **Concurrency**: an immutable value.
package struct LocatedJSON: Sendable, Hashable {
  /// What the value is.
  package indirect enum Content: Sendable, Hashable {
    /// In the order of the text; of a key that occurs twice both are there.
    case object([Member])
    case array([LocatedJSON])
    /// Without quotes, with its escapes resolved.
    case string(String)
    /// As the author wrote it.
    case number(String)
    case bool(Bool)
    case null
  }

  /// A key of an object with its value.
  package struct Member: Sendable, Hashable {
    package let key: String
    /// The key with its quotes.
    package let keyPlace: SourceRange
    package let value: LocatedJSON

    package init(key: String, keyPlace: SourceRange, value: LocatedJSON) {
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

  /// The members of an object; nil for anything else.
  package var members: [Member]? {
    if case .object(let members) = content { members } else { nil }
  }

  /// The elements of an array; nil for anything else.
  package var elements: [LocatedJSON]? {
    if case .array(let elements) = content { elements } else { nil }
  }

  /// The value of a number, infinite when it is too large for a double; nil for anything else.
  package var number: Double? {
    if case .number(let text) = content { JSONNumber.value(text) } else { nil }
  }

  /// The value of a key, the last one when the key occurs twice, as JavaScript has it.
  package subscript(key: String) -> LocatedJSON? { members?.last { $0.key == key }?.value }

  /// What the value is, for messages: `a string`.
  package var kind: String {
    switch content {
    case .object: "an object"
    case .array: "an array"
    case .string: "a string"
    case .number: "a number"
    case .bool: "a truth value"
    case .null: "null"
    }
  }
}
