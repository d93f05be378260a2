internal import EtalonDiagnostics
internal import EtalonMedia
internal import EtalonTypes
internal import Foundation

/// A text that pages try without saving it.
struct TextTrial: Equatable {
  let bytes: [UInt8]
  /// Identifies the bytes on disk that it was made from.
  let base: String
}

/// The texts that a subject is made of, as they are on disk and as pages try them.
struct TextFiles {
  /// One text.
  struct Text {
    let path: String
    /// What pages show: what is tried, else what is on disk.
    var text: String
    /// Identifies the bytes on disk; empty for a file that is missing.
    var disk: String

    var name: String { path.split(separator: "/").last.map(String.init) ?? path }
  }

  /// The longest text, in bytes; longer files are not shown.
  private static let mostBytes = 1 << 22

  private(set) var texts: [Text] = []

  var paths: [String] { texts.map(\.path) }

  /// Looks at the texts among some files; others keep their numbers, also while they are missing or are no texts.
  ///
  /// - Parameter trials: what pages try, by path.
  mutating func read(paths: [String], trials: [String: TextTrial]) {
    let before = texts
    let known = before.map(\.path).filter { paths.contains($0) || trials[$0] != nil }
    texts = (known + paths.filter { !known.contains($0) }).compactMap { path in
      let trial = trials[path].flatMap { Self.text($0.bytes) }
      // What is on disk of a file that pages know is taken over when its change is told to them.
      if let old = before.first(where: { $0.path == path }) { return Text(path: path, text: trial ?? old.text, disk: old.disk) }
      guard case .text(let text, let hash) = Self.look(at: path) else { return nil }
      return Text(path: path, text: trial ?? text, disk: hash)
    }
  }

  /// The number of a file; nil where it is none of them.
  func index(of path: String) -> Int? { texts.firstIndex { $0.path == path } }

  /// Takes over what is on disk, or is tried.
  mutating func note(_ text: String, disk: String, at index: Int) { (texts[index].text, texts[index].disk) = (text, disk) }

  /// What is in the place of a file.
  enum OnDisk: Equatable {
    case missing
    /// A text, and what identifies its bytes.
    case text(String, hash: String)
    /// A file that is no text, is too long, or cannot be read.
    case other(hash: String)

    /// Identifies what is there; empty for nothing.
    var hash: String {
      switch self {
      case .missing: ""
      case .text(_, let hash), .other(let hash): hash
      }
    }

    /// The text; nil for what is none.
    var text: String? { if case .text(let text, _) = self { text } else { nil } }
  }

  /// Looks at what is in the place of a file.
  static func look(at path: String) -> OnDisk {
    guard FileManager.default.fileExists(atPath: path) else { return .missing }
    guard let bytes = bytes(of: path) else { return .other(hash: "unreadable") }
    return text(bytes).map { .text($0, hash: hash(bytes)) } ?? .other(hash: hash(bytes))
  }

  /// The bytes on disk; nil for what cannot be read, and is no file.
  static func bytes(of path: String) -> [UInt8]? {
    var isFolder: ObjCBool = false
    guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue else { return nil }
    return try? FileReader.bytes(of: path, limit: mostBytes)
  }

  /// Some bytes as text; nil where they are something else.
  static func text(_ bytes: [UInt8]) -> String? {
    guard !bytes.contains(0), PictureReader.kind(of: bytes) == nil else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  static func hash(_ bytes: [UInt8]) -> String { ContentHash(of: bytes).description }
}
