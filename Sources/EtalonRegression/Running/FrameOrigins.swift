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

  /// All of it by name, for the texts of a picture: of files the beginnings of their hashes.
  func texts(on device: TestDevice) -> [String: String] {
    var texts = facts
    texts["device"] = device.recipeWords
    var hashes: [String: [String]] = [:]
    for path in Set(files).sorted() {
      let name = FilterPath.fileName(of: path)
      let key = hashes.count < Self.mostFiles || hashes[Self.key(of: name)] != nil ? Self.key(of: name) : "further files"
      let bytes = try? FileReader.bytes(of: path, limit: 1 << 28)
      hashes[key, default: []].append(bytes.map { String(ContentHash(of: $0).description.prefix(Self.hashLength)) } ?? "-")
    }
    for (key, hashes) in hashes { texts[key] = hashes.joined(separator: " ") }
    return texts
  }

  private static let fileWord = "file "
  private static func key(of name: String) -> String { fileWord + name }

  /// What changed between the texts of two pictures, a line each.
  static func changes(from old: [String: String], to new: [String: String]) -> [String] {
    Set(old.keys).union(new.keys).sorted().filter { old[$0] != new[$0] }.map { key in
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
