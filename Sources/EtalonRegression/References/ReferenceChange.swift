internal import Etalon
internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonMedia
internal import EtalonTypes

/// Something that a picture depends on and that changed since its reference was recorded.
package struct ReferenceChange: Sendable, Hashable, Codable {
  /// `'glow.glsl' changed`, or `sigma: 8 -> 12`.
  package let text: String
  /// The lines of a file that are others now, with those around them; nil for values, and where the reference does not say.
  package let source: SourceExcerpt?

  /// What changed since a stored picture was recorded; nil where it does not say what it depends on.
  ///
  /// Another device is no change.
  static func all(since path: String, _ frame: RenderedFrame, on device: TestDevice) -> [ReferenceChange]? {
    guard let old = try? FrameProvenance(ofFile: path) else { return nil }
    var new = frame.provenance
    new.origins = frame.origins.texts(on: device)
    let changes = FrameChanges(old: old, new: new)
    let lines = changes.linesBesidesDevice
    guard !old.origins.isEmpty || !lines.isEmpty else { return nil }
    return lines.map { line in
      let file = frame.origins.file(named: FrameOrigins.changedFile(line))
      return ReferenceChange(text: line, source: file.flatMap { SourceExcerpt(ofChanges: $0, old.origins, new.origins) })
    }
  }
}

/// Some lines of a file, with a mark on those that a message is about.
package struct SourceExcerpt: Sendable, Hashable, Codable {
  package struct Line: Sendable, Hashable, Codable {
    /// From 1 on.
    package let number: Int
    package let text: String
    package let isMarked: Bool
  }

  /// The most lines that are marked, and how many are shown around each.
  private static let mostMarked = 6, around = 1
  private static let longestLine = 200

  package let path: String
  package let lines: [Line]

  /// Nil where the file has none of the lines.
  init?(_ path: String, marking numbers: [Int], text: String? = nil) {
    guard let text = text ?? Self.text(of: path) else { return nil }
    let all = text.split(separator: "\n", omittingEmptySubsequences: false)
    let marked = Set(numbers.filter { all.indices.contains($0 - 1) }.prefix(Self.mostMarked))
    guard !marked.isEmpty else { return nil }
    let shown = Set(marked.flatMap { ($0 - Self.around)...($0 + Self.around) }).filter { all.indices.contains($0 - 1) }
    self.path = path
    lines = shown.sorted().map {
      Line(
        number: $0, text: String(all[$0 - 1].prefix { $0 != "\r" && $0 != "\r\n" }.prefix(Self.longestLine)), isMarked: marked.contains($0))
    }
  }

  /// The lines of a file that its recorded hashes do not have.
  fileprivate init?(ofChanges path: String, _ old: [String: String], _ new: [String: String]) {
    let key = LineHashes.key(of: path)
    guard let before = old[key], let after = new[key] else { return nil }
    self.init(path, marking: LineHashes.changedLines(from: before, to: after))
  }

  private static func text(of path: String) -> String? {
    (try? FileReader.bytes(of: path, limit: 1 << 22)).map { String(decoding: $0, as: UTF8.self) }
  }
}

/// Two letters for each line of a text, so that the lines that changed are found without the old text.
enum LineHashes {
  private static let prefix = "lines "
  /// Of texts with more lines only the hash of the whole is kept.
  private static let mostLines = 1000
  private static let width = 2
  private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")

  static func key(of path: String) -> String { prefix + FilterPath.fileName(of: path) }
  fileprivate static func isKey(_ key: String) -> Bool { key.hasPrefix(prefix) }

  /// Nil for what is no text.
  static func text(of bytes: [UInt8]) -> String? {
    guard !bytes.contains(0), String(validating: bytes, as: UTF8.self) != nil else { return nil }
    let lines = bytes.split(separator: 10, omittingEmptySubsequences: false)
    guard lines.count <= mostLines else { return nil }
    return lines.map { line -> String in
      var hash: UInt32 = 2_166_136_261
      for byte in line where byte != 13 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
      hash ^= hash >> 15
      return String([letters[Int(hash & 63)], letters[Int(hash >> 6 & 63)]])
    }.joined()
  }

  /// The numbers of the lines that are new, from 1 on; where lines were only removed, the one that follows.
  static func changedLines(from old: String, to new: String) -> [Int] {
    func lines(_ text: String) -> [Substring] {
      let characters = Array(text)
      return stride(from: 0, to: characters.count - 1, by: width).map { Substring(String(characters[$0..<$0 + width])) }
    }
    let after = lines(new), changes = after.difference(from: lines(old))
    let inserted = changes.insertions.map { change in
      switch change {
      case .insert(let offset, _, _), .remove(let offset, _, _): offset + 1
      }
    }
    guard inserted.isEmpty, case .remove(let offset, _, _)? = changes.removals.first else { return inserted }
    return [min(offset + 1, after.count)]
  }
}

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
  fileprivate var linesBesidesDevice: [String] {
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

// MARK: - what a picture depends on

/// What the picture of a case depends on besides the values of its parameters, so that approving can say later which of it changed.
struct FrameOrigins: Sendable {
  /// The most files that are named one by one; sequences have many more.
  private static let mostFiles = 16
  private static let hashLength = 16

  /// What is said about the rendering, by the key of a case.
  private var facts: [String: String] = [:]
  private var files: [String] = []

  init() {}

  init(_ request: RenderRequest, _ shot: Shot) {
    files = shot.files
    facts["size"] = shot.size.description
    if request.clock.first != 0 { facts["first"] = "\(request.clock.first)" }
    if request.clock.start != .zero { facts["start"] = "\(request.clock.start) s" }
    facts["mouse"] = request.pointer.map { "\($0.x.short),\($0.y.short)" + ($0.isDown ? ",down" : "") }
    facts["alpha"] = request.alpha?.rawValue
    facts["format"] = request.format?.rawValue
  }

  /// The key of the device.
  static let deviceKey = "device"

  /// Whether a device that a picture names is Etalon's own executor, without errors on purpose.
  static func isCPU(_ device: String) -> Bool { device == DeviceFacts.cpuName }

  /// The file of a name; nil where there is none, or several have it.
  func file(named name: String?) -> String? {
    let found = Set(files.filter { FilterPath.fileName(of: $0) == name })
    return found.count == 1 ? found.first : nil
  }

  /// All of it by name, for the texts of a picture: of files the beginnings of their hashes, and a few bits for each line of a text.
  func texts(on device: TestDevice) -> [String: String] {
    var texts = facts
    texts[Self.deviceKey] = device.recipeWords
    var hashes: [String: [String]] = [:]
    for path in Set(files).sorted() {
      let name = FilterPath.fileName(of: path)
      let key = hashes.count < Self.mostFiles || hashes[Self.key(of: name)] != nil ? Self.key(of: name) : "further files"
      let bytes = try? FileReader.bytes(of: path, limit: 1 << 28)
      hashes[key, default: []].append(bytes.map { String(ContentHash(of: $0).description.prefix(Self.hashLength)) } ?? "-")
      if key != "further files", let bytes { texts[LineHashes.key(of: name)] = LineHashes.text(of: bytes) }
    }
    for (key, hashes) in hashes { texts[key] = hashes.joined(separator: " ") }
    return texts
  }

  private static let fileWord = "file "
  private static func key(of name: String) -> String { fileWord + name }

  /// The name of the file that a line of `changes` says has changed; nil for other lines.
  fileprivate static func changedFile(_ line: String) -> String? {
    line.hasPrefix("'") && line.hasSuffix("' changed") ? String(line.dropFirst().dropLast("' changed".count)) : nil
  }

  /// What changed between the texts of two pictures, a line each.
  static func changes(from old: [String: String], to new: [String: String]) -> [String] {
    Set(old.keys).union(new.keys).sorted().filter { old[$0] != new[$0] && !LineHashes.isKey($0) }.map { key in
      guard key.hasPrefix(fileWord) else {
        return key == "further files" ? "further files changed" : FrameChanges.line(key, old[key], new[key])
      }
      let name = key.dropFirst(fileWord.count)
      if old[key] == nil { return "'\(name)' is read now" }
      return new[key] == nil ? "'\(name)' is no longer read" : "'\(name)' changed"
    }
  }
}

extension TestDevice {
  /// What pixels depend on of the device; Etalon's own executor is as old as Etalon, which is told anyway.
  fileprivate var recipeWords: String {
    backend == "cpu"
      ? [device, isReference ? nil : option].compactMap(\.self).joined(separator: ", ") : "\(device), \(driver) \(driverVersion)"
  }
}

extension Double {
  /// A whole number without a decimal point.
  fileprivate var short: String { Int(exactly: self).map { "\($0)" } ?? "\(self)" }
}
