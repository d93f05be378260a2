internal import EtalonMedia

/// What changed between two pictures, as far as they say where they come from.
struct FrameChanges {
  let old: FrameProvenance
  let new: FrameProvenance

  /// A line each; none where they were made of the same.
  var lines: [String] {
    guard old.recipe != new.recipe else { return [] }
    var lines = facts
    // Older pictures and those of 'etalon render' do not say it.
    guard hasOrigins else {
      return lines.isEmpty
        ? ["the text of a shader, an input, the size or the device is another; the old picture does not say which"] : lines
    }
    lines += FrameOrigins.changes(from: old.origins, to: new.origins)
    return lines.isEmpty ? ["something else that its pixels depend on is another"] : lines
  }

  /// The same of what is known for certain, whatever device rendered either.
  var linesBesidesDevice: [String] {
    func others(_ origins: [String: String]) -> [String: String] { origins.filter { $0.key != FrameOrigins.deviceKey } }
    return facts + (hasOrigins ? FrameOrigins.changes(from: others(old.origins), to: others(new.origins)) : [])
  }

  private var hasOrigins: Bool { !old.origins.isEmpty && !new.origins.isEmpty }

  private var facts: [String] {
    var lines: [String] = []
    func compare(_ name: String, _ old: String?, _ new: String?) {
      if old != new { lines.append(Self.line(name, old, new)) }
    }
    // A filter has another path in another working folder.
    if FilterPath.fileName(of: old.filter) != FilterPath.fileName(of: new.filter) { compare("filter", old.filter, new.filter) }
    for name in Set(old.values.keys).union(new.values.keys).sorted() { compare(name, old.values[name], new.values[name]) }
    compare("time", "\(old.time)", "\(new.time)")
    compare("rate", "\(old.rate)", "\(new.rate)")
    compare("etalon", old.version, new.version)
    return lines
  }

  static func line(_ name: String, _ old: String?, _ new: String?) -> String { "\(name): \(old ?? "not set") -> \(new ?? "not set")" }
}
