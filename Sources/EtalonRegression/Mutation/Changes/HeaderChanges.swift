internal import EtalonDiagnostics
internal import EtalonManifest

/// Changes to what a filter says in JSON: how its pictures are read, what its parameters are by themselves, which passes it has.
struct HeaderChanges {
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
