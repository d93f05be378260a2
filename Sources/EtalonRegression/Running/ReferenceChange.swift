internal import Etalon
internal import EtalonDiagnostics
internal import EtalonMedia

/// Something that a picture depends on and that is another than when its reference was recorded.
package struct ReferenceChange: Sendable, Hashable, Codable {
  /// `'glow.glsl' changed`, or `sigma: 8 -> 12`.
  package let text: String
  /// The lines of a file that are others now, with those around them; nil for values, and where the reference does not say.
  package let source: SourceExcerpt?

  /// What changed since a stored picture was recorded; nil where it does not say what it depends on.
  ///
  /// Which device shows it now is no change.
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

/// Some lines of a file, of which those are marked that something is said about.
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

/// Two letters for each line of a text, so that the lines that changed can be told without the old text.
enum LineHashes {
  private static let prefix = "lines "
  /// Texts of more lines are told as a whole.
  private static let mostLines = 1000
  private static let width = 2
  private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")

  static func key(of path: String) -> String { prefix + FilterPath.fileName(of: path) }
  static func isKey(_ key: String) -> Bool { key.hasPrefix(prefix) }

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
