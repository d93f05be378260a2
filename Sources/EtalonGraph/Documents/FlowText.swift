package import EtalonDiagnostics
internal import EtalonManifest

/// Reads `{key: value, key: {…}}` and `[a, b]` as YAML writes them on one line.
///
/// Beyond YAML, commas within round brackets belong to the scalar: `cubic-bezier(0.2, 0, 0.8, 1)`.
package struct FlowText {
  private static let deepestNesting = 8
  private static let mostValues = 100_000

  private let source: SourceText
  private let end: Int
  private var offset: Int
  private var valueCount = 0

  private init(_ place: SourceRange) {
    source = place.source
    offset = place.range.lowerBound
    end = place.range.upperBound
  }

  /// Reads the one value of a part of a text.
  package static func read(_ place: SourceRange) throws(DiagnosticsError) -> LocatedNode {
    var text = FlowText(place)
    text.skipBlanks()
    let node = try text.value(depth: 0)
    text.skipBlanks()
    guard text.offset == text.end else {
      throw text.error("expected nothing behind the value", text.offset..<text.end, "not part of it")
    }
    return node
  }

  private var byte: UInt8? { offset < end ? source.bytes[offset] : nil }

  private mutating func skipBlanks() {
    while let byte, byte <= 0x20 { offset += 1 }
  }

  private mutating func value(depth: Int) throws(DiagnosticsError) -> LocatedNode {
    valueCount += 1
    guard depth <= Self.deepestNesting, valueCount <= Self.mostValues else {
      throw error("the value is too large", offset..<offset, "more than \(Self.deepestNesting) levels, or \(Self.mostValues) values")
    }
    switch byte {
    case UInt8(ascii: "{"): return try mapping(depth: depth)
    case UInt8(ascii: "["): return try sequence(depth: depth)
    default: return try scalar(isKey: false)
    }
  }

  private mutating func mapping(depth: Int) throws(DiagnosticsError) -> LocatedNode {
    var members: [LocatedNode.Member] = []
    let place = try items("}") { text throws(DiagnosticsError) in
      let key = try text.scalar(isKey: true)
      text.skipBlanks()
      guard text.byte == UInt8(ascii: ":") else {
        throw text.error(
          "expected ': ' after '\(key.scalar ?? "")'", key.place.range, "a key without a value",
          help: ["write '\(text.suggestion(for: key))'"])
      }
      text.offset += 1
      text.skipBlanks()
      if let first = members.first(where: { $0.key == key.scalar }) {
        throw text.error(
          "'\(first.key)' is there twice", key.place.range, "again", further: [first.keyPlace.label("first")])
      }
      members.append(.init(key: key.scalar ?? "", keyPlace: key.place, value: try text.value(depth: depth + 1)))
    }
    return LocatedNode(.mapping(members), at: place)
  }

  /// YAML reads `0s:1` as one word; the help suggests a blank behind the colon.
  private func suggestion(for key: LocatedNode) -> String {
    let word = key.scalar ?? ""
    guard let colon = word.lastIndex(of: ":"), colon != word.startIndex else { return "\(word): …" }
    return "\(word[..<colon]): \(word[word.index(after: colon)...])"
  }

  private mutating func sequence(depth: Int) throws(DiagnosticsError) -> LocatedNode {
    var elements: [LocatedNode] = []
    let place = try items("]") { text throws(DiagnosticsError) in elements.append(try text.value(depth: depth + 1)) }
    return LocatedNode(.sequence(elements), at: place)
  }

  /// Reads what stands between brackets, with commas in between.
  private mutating func items(
    _ closing: Unicode.Scalar, _ item: (inout FlowText) throws(DiagnosticsError) -> Void
  ) throws(DiagnosticsError) -> SourceRange {
    let start = offset
    offset += 1
    skipBlanks()
    while byte != UInt8(ascii: closing) {
      try item(&self)
      skipBlanks()
      if byte == UInt8(ascii: ",") {
        offset += 1
        skipBlanks()
      } else if byte != UInt8(ascii: closing) {
        throw byte == nil
          ? error("a bracket that is never closed", start..<start + 1, "opened here", help: ["end with '\(closing)'"])
          : error("expected ',' or '\(closing)'", offset..<offset + 1, "unexpected")
      }
    }
    offset += 1
    return SourceRange(source, start..<offset)
  }

  private mutating func scalar(isKey: Bool) throws(DiagnosticsError) -> LocatedNode {
    if let quote = byte, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") { return try quoted(quote) }
    let start = offset
    var depth = 0
    while let byte, depth > 0 || !endsScalar(byte, isKey: isKey) {
      if byte == UInt8(ascii: "(") { depth += 1 }
      if byte == UInt8(ascii: ")") { depth -= 1 }
      offset += 1
    }
    var last = offset
    while last > start, source.bytes[last - 1] <= 0x20 { last -= 1 }
    guard last > start else { throw error("expected a \(isKey ? "key" : "value")", start..<start, "nothing here") }
    return LocatedNode(.scalar(String(decoding: source.bytes[start..<last], as: UTF8.self)), at: SourceRange(source, start..<last))
  }

  private func endsScalar(_ byte: UInt8, isKey: Bool) -> Bool {
    switch byte {
    case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"): true
    case UInt8(ascii: "{"), UInt8(ascii: "["): true
    case UInt8(ascii: ":"): isKey && (offset + 1 >= end || source.bytes[offset + 1] <= 0x20)
    default: false
    }
  }

  private mutating func quoted(_ quote: UInt8) throws(DiagnosticsError) -> LocatedNode {
    let start = offset
    let isDouble = quote == UInt8(ascii: "\"")
    var bytes: [UInt8] = []
    offset += 1
    while let byte {
      offset += 1
      if byte == quote {
        // A quote that is written twice is one, in single quotes.
        guard !isDouble, self.byte == quote else {
          return LocatedNode(.scalar(String(decoding: bytes, as: UTF8.self)), at: SourceRange(source, start..<offset))
        }
        offset += 1
      } else if isDouble, byte == UInt8(ascii: "\\") {
        bytes.append(try escaped())
        continue
      }
      bytes.append(byte)
    }
    throw error("a string has no end", start..<start + 1, "starts here")
  }

  /// What stands for a byte behind a backslash, as in YAML.
  private mutating func escaped() throws(DiagnosticsError) -> UInt8 {
    let escape = byte
    offset += 1
    switch escape {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return escape ?? 0
    case UInt8(ascii: "n"): return UInt8(ascii: "\n")
    case UInt8(ascii: "t"): return UInt8(ascii: "\t")
    default:
      throw error(
        "expected a quote, a backslash or 'n' behind a backslash", offset - 2..<min(offset, end), "not understood",
        help: ["write two backslashes for one"])
    }
  }

  private func error(
    _ message: String, _ range: Range<Int>, _ label: String, help: [String] = [], further: [Diagnostic.Label] = []
  ) -> DiagnosticsError {
    DiagnosticsError(Diagnostic("value.form", message, labels: [.init(source, range, label)] + further, help: help))
  }
}
