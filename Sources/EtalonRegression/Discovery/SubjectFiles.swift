internal import Etalon
internal import EtalonGraph
internal import Foundation

/// The files that a filter or graph consists of, without those of filters that it uses.
enum SubjectFiles {
  /// With the file or folder itself.
  static func own(of subject: String) -> Set<String> {
    if GraphDocument.isGraph(subject) { return [subject] }
    return Set([subject] + ((try? FilterFile.read(subject).files) ?? []).map(file))
  }

  /// The file that a text lies in: `export.json` of `export.json#image`.
  static func file(_ path: String) -> String {
    let plain = NamedFiles.plain(path)
    guard let mark = plain.lastIndex(of: "#"), !FileManager.default.fileExists(atPath: plain) else { return plain }
    return String(plain[..<mark])
  }
}

extension TestCase {
  /// The path of the filter or graph that the case is about.
  func subjectPath(in library: FilterLibrary) throws -> String {
    switch subject {
    case .node(let node): NamedFiles.plain(try library.path(of: node.filter.text))
    case .document(let word, _, _): NamedFiles.plain(word.text)
    case .plain(let path): NamedFiles.plain(path)
    }
  }
}
