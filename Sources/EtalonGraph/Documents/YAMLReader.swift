package import EtalonDiagnostics
internal import EtalonManifest
internal import Yams

/// Reads a YAML text as located values; every scalar stays the text that it is.
///
/// Documents need neither anchors nor tags nor several documents in one file, so those are refused: aliases are how a short text becomes a
/// large one.
package enum YAMLReader {
  /// Limits on the text that is read, because documents may come from untrusted sources.
  static let mostBytes = 1 << 20
  static let deepestNesting = 32
  static let mostValues = 50_000

  /// The one value of a text.
  package static func read(_ source: SourceText) throws(DiagnosticsError) -> LocatedNode {
    let text = try YAMLTextCheck(source).check()
    let root: Node?
    do {
      root = try Parser(yaml: text, encoding: .utf8).singleRoot()
    } catch {
      throw DiagnosticsError(YAMLErrorWords(source).diagnostic(of: error))
    }
    guard let root else {
      throw DiagnosticsError(Diagnostic("yaml.empty", "the document is empty", labels: [.init(source, 0..<0, "nothing here")]))
    }
    var conversion = YAMLConversion(source)
    let node = conversion.convert(root)
    guard conversion.diagnostics.isEmpty else { throw DiagnosticsError(conversion.diagnostics) }
    return node
  }
}

/// Gives the tree of the YAML library exact places, and takes it over as texts.
private struct YAMLConversion {
  private let source: SourceText
  private var places: YAMLPlaces
  private let ends: YAMLScalarEnd
  private var valueCount = 0
  private(set) var diagnostics: [Diagnostic] = []

  init(_ source: SourceText) {
    self.source = source
    places = YAMLPlaces(source)
    ends = YAMLScalarEnd(source.bytes[...])
  }

  mutating func convert(_ node: Node) -> LocatedNode {
    valueCount += 1
    let start = places.offset(of: node.mark)
    guard valueCount <= YAMLReader.mostValues else {
      if valueCount == YAMLReader.mostValues + 1 {
        report("limit.values", "a document has at most \(YAMLReader.mostValues) values", start..<start, "one too many")
      }
      return LocatedNode(.scalar(""), at: SourceRange(source, start..<start))
    }
    switch node {
    case .scalar(let scalar): return LocatedNode(.scalar(scalar.string), at: SourceRange(source, range(of: scalar, from: start)))
    case .sequence(let sequence):
      let elements = sequence.map { convert($0) }
      return LocatedNode(.sequence(elements), at: range(from: start, to: elements.last))
    case .mapping(let mapping):
      let members = mapping.compactMap { member($0.key, $0.value) }
      return LocatedNode(.mapping(members), at: range(from: start, to: members.last?.value))
    case .alias: preconditionFailure("the library resolves aliases")
    }
  }

  private mutating func member(_ key: Node, _ value: Node) -> LocatedNode.Member? {
    let place = convert(key)
    guard let text = place.scalar else {
      report("yaml.key", "a key is one word", place.place.range, "not a word", help: ["put it in quotes if it is text"])
      return nil
    }
    return .init(key: text, keyPlace: place.place, value: convert(value))
  }

  /// Blocks end with their last value, brackets with their closing one.
  private func range(from start: Int, to last: LocatedNode?) -> SourceRange {
    let inner = max(start, last?.place.range.upperBound ?? start)
    guard start < source.bytes.count, source.bytes[start] == UInt8(ascii: "[") || source.bytes[start] == UInt8(ascii: "{") else {
      return SourceRange(source, start..<inner)
    }
    return SourceRange(source, start..<ends.bracket(max(inner, start + 1)))
  }

  private func range(of scalar: Node.Scalar, from start: Int) -> Range<Int> {
    guard start < source.bytes.count else { return start..<start }
    switch scalar.style {
    case .doubleQuoted, .singleQuoted: return start..<(ends.quoted(start) ?? start)
    case .literal, .folded: return start..<max(start, ends.block(start, scalar.string))
    case .any, .plain: return scalar.string.isEmpty ? nothing(at: start) : start..<ends.plain(start, scalar.string)
    }
  }

  /// The place of an empty value; a text such as `#ff8800`, which YAML reads as a comment, may stand there.
  private func nothing(at start: Int) -> Range<Int> {
    let bytes = source.bytes
    guard let first = bytes[start...].firstIndex(where: { $0 != 0x20 && $0 != 0x09 }), bytes[first] == UInt8(ascii: "#"),
      first + 1 < bytes.count, bytes[first + 1] > 0x20
    else { return start..<start }
    return first..<(bytes[first...].firstIndex { $0 <= 0x20 } ?? bytes.count)
  }

  private mutating func report(_ id: String, _ message: String, _ range: Range<Int>, _ label: String, help: [String] = []) {
    diagnostics.append(Diagnostic(id, message, labels: [.init(source, range, label)], help: help))
  }
}

// MARK: places

/// Turns the lines and columns of the YAML library into byte offsets.
///
/// Its columns count Unicode scalars, as ours do; its lines also end at U+0085, U+2028 and U+2029.
struct YAMLPlaces {
  private let bytes: [UInt8]
  private var lineStarts = [0]
  private var last = (line: 1, column: 1, offset: 0)

  init(_ source: SourceText) {
    bytes = source.bytes
    for index in bytes.indices where endsLine(index) { lineStarts.append(index + 1) }
  }

  private func endsLine(_ index: Int) -> Bool {
    switch bytes[index] {
    case 0x0A: true
    case 0x0D: index + 1 == bytes.count || bytes[index + 1] != 0x0A
    case 0x85: index > 0 && bytes[index - 1] == 0xC2
    case 0xA8, 0xA9: index > 1 && bytes[index - 1] == 0x80 && bytes[index - 2] == 0xE2
    default: false
    }
  }

  /// The offset of a mark, at most the end of the text.
  ///
  /// Goes on from the mark before where it can: a long line is walked once, not once for each of its values.
  mutating func offset(of mark: Mark?) -> Int {
    guard let mark, mark.line >= 1, mark.line <= lineStarts.count else { return bytes.count }
    if last.line != mark.line || last.column > mark.column { last = (mark.line, 1, lineStarts[mark.line - 1]) }
    while last.column < mark.column, last.offset < bytes.count {
      last.offset += 1
      while last.offset < bytes.count, bytes[last.offset] & 0xC0 == 0x80 { last.offset += 1 }
      last.column += 1
    }
    return last.offset
  }
}

/// Finds where a scalar ends of which the parser tells only the beginning and the text.
struct YAMLScalarEnd {
  private let bytes: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
  }

  /// Behind the closing quote; nil when there is none.
  func quoted(_ start: Int) -> Int? {
    let quote = bytes[start]
    var offset = start + 1
    while offset < bytes.endIndex {
      if bytes[offset] == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
        offset += 2
      } else if bytes[offset] != quote {
        offset += 1
      } else if quote == UInt8(ascii: "'"), offset + 1 < bytes.endIndex, bytes[offset + 1] == quote {
        offset += 2
      } else {
        return offset + 1
      }
    }
    return nil
  }

  /// Behind the last letter of a text that may be folded over several lines.
  func plain(_ start: Int, _ text: String) -> Int {
    var offset = start
    var end = start
    for byte in text.utf8 where !Self.isBlank(byte) {
      while offset < bytes.endIndex, Self.isBlank(bytes[offset]) { offset += 1 }
      guard offset < bytes.endIndex, bytes[offset] == byte else { return end }
      offset += 1
      end = offset
    }
    return end
  }

  /// Behind the last letter of the lines below `|` or `>`.
  func block(_ start: Int, _ text: String) -> Int {
    let header = bytes[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.endIndex
    return text.utf8.allSatisfy(Self.isBlank) ? header : plain(header, text)
  }

  /// Behind a `]` or `}`, with commas and comments before it.
  func bracket(_ start: Int) -> Int {
    var offset = start
    while offset < bytes.endIndex {
      switch bytes[offset] {
      case UInt8(ascii: "]"), UInt8(ascii: "}"): return offset + 1
      case UInt8(ascii: "#"): offset = bytes[offset...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.endIndex
      default: offset += 1
      }
    }
    return offset
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }
}
