internal import Etalon
internal import EtalonGraph
internal import EtalonMedia
internal import EtalonTypes

/// What the picture of a case hangs on beside the values of its parameters, so that approving can say later which of it changed.
struct FrameOrigins: Sendable {
  /// Sequences have more files than anybody wants to read about.
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

  /// What the device is called under.
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
  static func changedFile(_ line: String) -> String? {
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
  /// Without a point where there is nothing behind it.
  fileprivate var short: String { Int(exactly: self).map { "\($0)" } ?? "\(self)" }
}
