internal import EtalonDiagnostics
internal import EtalonMedia
internal import EtalonTypes
internal import Foundation

/// The texts that a subject is made of, as they are on disk and as pages try them.
struct TextFiles {
  /// One text.
  struct Text {
    let path: String
    /// What pages show: what is tried, else what is on disk.
    var text: String
    /// Identifies the bytes on disk.
    var hash: String

    var name: String { path.split(separator: "/").last.map(String.init) ?? path }
  }

  /// The longest text, in bytes; longer files are not shown.
  private static let mostBytes = 1 << 22

  private(set) var texts: [Text] = []

  var paths: [String] { texts.map(\.path) }

  /// Looks at the texts among some files; others keep their numbers as long as they are there.
  ///
  /// - Parameter trials: what pages try, by path.
  mutating func read(paths: [String], trials: [String: [UInt8]]) {
    let known = texts.map(\.path).filter { paths.contains($0) }
    texts = (known + paths.filter { !known.contains($0) }).compactMap { path in
      guard let bytes = Self.bytes(of: path), let text = Self.text(bytes) else { return nil }
      return Text(path: path, text: trials[path].flatMap(Self.text) ?? text, hash: Self.hash(bytes))
    }
  }

  /// The number and the text of a file; nil where it is none of them.
  func index(of path: String) -> Int? { texts.firstIndex { $0.path == path } }

  /// Takes over what is on disk, or is tried.
  mutating func note(_ text: String, hash: String, at index: Int) { (texts[index].text, texts[index].hash) = (text, hash) }

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
