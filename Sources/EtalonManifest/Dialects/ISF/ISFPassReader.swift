internal import EtalonDiagnostics

/// Reads the passes of a header.
struct ISFPassReader {
  private let parameters: [String]
  private(set) var diagnostics: [Diagnostic] = []
  /// The names of the targets, each once.
  private(set) var targets: [Placed<String>] = []
  private var known: [String: ISFHeader.Pass] = [:]

  init(parameters: [FilterParameter]) { self.parameters = parameters.map(\.name) }

  mutating func pass(_ value: LocatedJSON, index: Int, isLast: Bool) -> ISFHeader.Pass {
    var members = JSONMembers(value, of: "pass \(index)", ignoresNull: true)
    let name = members.string("TARGET").flatMap { $0.value.isEmpty ? nil : $0 }
    let isPersistent = flag("PERSISTENT", &members)
    let isFloat = flag("FLOAT", &members)
    _ = members.value("DESCRIPTION")
    let pass = ISFHeader.Pass(
      target: name, isPersistent: isPersistent, isFloat: isFloat, width: size("WIDTH", &members), height: size("HEIGHT", &members))
    if name == nil, !isLast, value.members != nil {
      members.report(
        "isf.pass-without-target", "pass \(index) writes no target, so its picture is lost", severity: .warning, at: value.place,
        "no 'TARGET'", help: ["name a target, or remove the pass"])
    }
    if name == nil, isLast, let size = members.object["WIDTH"] ?? members.object["HEIGHT"] {
      members.report(
        "isf.size-without-target", "the last pass gives the result, whose size the user chooses", severity: .warning, at: size.place,
        "has no effect", help: ["remove 'WIDTH' and 'HEIGHT', or name a target"])
    }
    members.reportUnknownKeys(as: .warning)
    diagnostics += members.diagnostics
    if let name { add(name, pass, index) }
    return pass
  }

  mutating func buffer(_ value: LocatedJSON, name: Placed<String>) -> ISFHeader.PersistentBuffer {
    var members = JSONMembers(value, of: "the buffer '\(name.value)'", ignoresNull: true)
    let isFloat = flag("FLOAT", &members)
    let buffer = ISFHeader.PersistentBuffer(
      name: name, isFloat: isFloat, width: size("WIDTH", &members), height: size("HEIGHT", &members))
    members.reportUnknownKeys(as: .warning)
    diagnostics += members.diagnostics
    return buffer
  }

  /// Two passes may write one target, which then has one size and one format.
  private mutating func add(_ name: Placed<String>, _ pass: ISFHeader.Pass, _ index: Int) {
    guard let first = known[name.value] else {
      known[name.value] = pass
      targets.append(name)
      return
    }
    diagnostics.append(
      Diagnostic(
        "isf.target-twice", "two passes write the target '\(name.value)'", severity: .warning,
        labels: [label(name, "again here")] + (first.target.map { [label($0, "first here")] } ?? []),
        notes: ["size and format are those of the first"]))
  }

  private func label(_ name: Placed<String>, _ message: String) -> Diagnostic.Label {
    .init(name.place.source, name.place.range, message)
  }

  private mutating func size(_ key: String, _ members: inout JSONMembers) -> ISFSizeExpression? {
    guard let value = members.value(key), value.content != .null else { return nil }
    switch ISFSizeExpression.read(value, key: key, parameters: parameters) {
    case .success(let size): return size
    case .failure(let error):
      diagnostics += error.diagnostics
      return nil
    }
  }

  /// A truth value; hosts take numbers and words too.
  private mutating func flag(_ key: String, _ members: inout JSONMembers) -> Bool {
    guard let value = members.value(key) else { return false }
    switch value.content {
    case .bool(let isTrue): return isTrue
    case .number: return value.number != 0
    case .string(let text) where ["true", "false", "yes", "no", "1", "0"].contains(text.lowercased()):
      members.report(
        "isf.flag", "'\(key)' is a string, expected true or false", severity: .warning, at: value.place, "a string",
        help: ["remove the quotes"])
      return ["true", "yes", "1"].contains(text.lowercased())
    case .null: return false
    default:
      members.reportType(of: value, named: "'\(key)'", expected: "true or false")
      return false
    }
  }
}
