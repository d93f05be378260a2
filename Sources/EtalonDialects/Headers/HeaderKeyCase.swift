internal import EtalonDiagnostics
internal import EtalonManifest

/// Reads the keys of a header in any case, as some hosts do: `"inputs": [{ "name": "scale" }]`.
///
/// Names that the author chose, those of imported files and of buffers, keep their case.
struct HeaderKeyCase {
  /// The header with its keys in capitals.
  let value: LocatedJSON
  /// One warning for all keys that were written otherwise.
  private(set) var diagnostics: [Diagnostic] = []

  init(_ header: LocatedJSON, policy: HeaderPolicy) {
    var keys = HeaderKeys(policy)
    value = keys.header(header)
    guard let first = keys.changed.first else { return }
    let more = keys.changed.count > 1 ? ", and \(keys.changed.count - 1) more" : ""
    diagnostics.report(
      "isf.key-case", "the keys of ISF are written in capitals: '\(first.key)' is read as '\(first.key.uppercased())'\(more)",
      severity: .warning, at: first.keyPlace, "not in capitals", help: ["write \"\(first.key.uppercased())\": other hosts may ignore it"])
  }
}

private struct HeaderKeys {
  private let policy: HeaderPolicy
  private(set) var changed: [LocatedJSON.Member] = []

  init(_ policy: HeaderPolicy) { self.policy = policy }

  mutating func header(_ json: LocatedJSON) -> LocatedJSON {
    guard let members = capitalized(json, policy.keys[.header] ?? []).members else { return json }
    let inputKeys = HeaderInputType.allCases.flatMap(policy.inputKeys)
    var changed: [LocatedJSON.Member] = []
    for member in members {
      let value =
        switch member.key {
        case "INPUTS": elements(member.value, inputKeys)
        case "PASSES": elements(member.value, policy.keys[.pass] ?? [])
        case "IMPORTED": elements(member.value, policy.keys[.importedFile] ?? [])
        case "PERSISTENT_BUFFERS": elements(member.value, policy.keys[.persistentBuffer] ?? [])
        default: member.value
        }
      changed.append(.init(key: member.key, keyPlace: member.keyPlace, value: value))
    }
    return LocatedJSON(.object(changed), at: json.place)
  }

  /// The elements of an array, or the values of an object, with their keys in capitals.
  private mutating func elements(_ json: LocatedJSON, _ known: [String]) -> LocatedJSON {
    switch json.content {
    case .array(let elements): LocatedJSON(.array(elements.map { capitalized($0, known) }), at: json.place)
    case .object(let members):
      LocatedJSON(
        .object(members.map { .init(key: $0.key, keyPlace: $0.keyPlace, value: capitalized($0.value, known)) }), at: json.place)
    default: json
    }
  }

  /// An object with those of its keys in capitals that are known, unless it has the key in capitals too.
  private mutating func capitalized(_ json: LocatedJSON, _ known: [String]) -> LocatedJSON {
    guard let members = json.members else { return json }
    let written = Set(members.map(\.key))
    var result: [LocatedJSON.Member] = []
    for member in members {
      let key = member.key.uppercased()
      guard key != member.key, known.contains(key), !written.contains(key) else {
        result.append(member)
        continue
      }
      changed.append(member)
      result.append(.init(key: key, keyPlace: member.keyPlace, value: member.value))
    }
    return LocatedJSON(.object(result), at: json.place)
  }
}
