internal import EtalonDiagnostics
internal import EtalonManifest
internal import Yams

/// Gives the tree of the YAML library exact places, and takes it over as texts.
struct YAMLConversion {
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

  /// Where nothing is, but perhaps `#ff8800`, which is a comment to YAML.
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
