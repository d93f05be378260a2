import Etalon
import EtalonInspection
import EtalonManifest
import EtalonTypes
import Foundation
import Testing

/// A defect to be made in a shader that has none: an entry of `Tests/Corpus/defects/defects.json`.
struct PlantedDefect: Decodable, CustomTestStringConvertible {
  /// What the sanitizer calls it, without `sanitize.`.
  let kind: String
  /// A file, or the folder of a project, from the top of the repository.
  let shader: String
  /// The file of the project; nil for a shader that is one file.
  let file: String?
  let replace: String
  let with: String
  /// A part of the line where it shows; nil where that is the line of the defect.
  let at: String?

  var testDescription: String { "\(kind) in \(file.map { "\(shader)/\($0)" } ?? shader)" }

  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static let all: [PlantedDefect] = {
    do {
      let data = try Data(contentsOf: root.appending(path: "Tests/Corpus/defects/defects.json"))
      return try JSONDecoder().decode([PlantedDefect].self, from: data)
    } catch {
      preconditionFailure("the list of defects: \(error)")
    }
  }()

  static let kinds: [String] = all.map(\.kind).reduce(into: []) { kinds, kind in if kinds.last != kind { kinds.append(kind) } }

  /// What the sanitizer finds that it does not find without the defect, and what it should: `image.glsl:12 sanitize.log-domain`.
  func findings() throws -> (found: Set<String>, expected: String) {
    let folder = FileManager.default.temporaryDirectory.appending(path: "etalon-defects-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let original = Self.root.appending(path: shader)
    let copy = folder.appending(path: original.lastPathComponent)
    try FileManager.default.copyItem(at: original, to: copy)
    let before = try Self.findings(in: copy)
    let edited = file.map { copy.appending(path: $0) } ?? copy
    let text = try String(contentsOf: edited, encoding: .utf8)
    guard text.ranges(of: replace).count == 1 else { throw DefectError(description: "'\(replace)' is not there once") }
    let planted = text.replacing(replace, with: with)
    try Data(planted.utf8).write(to: edited)
    let line = try Self.line(of: at ?? with, in: planted)
    return (try Self.findings(in: copy).subtracting(before), "\(edited.lastPathComponent):\(line) sanitize.\(kind)")
  }

  private static func line(of part: String, in text: String) throws -> Int {
    let ranges = text.ranges(of: part)
    guard ranges.count == 1 else { throw DefectError(description: "'\(part)' is not there once") }
    return text[..<ranges[0].lowerBound].count { $0 == "\n" } + 1
  }

  private static func findings(in shader: URL) throws -> Set<String> {
    var settings = InspectionSettings()
    settings.size = Size(64, 36)
    let result = try Sanitizer().run(settings.request(of: shader.path))
    return Set(
      result.findings.map { finding in
        guard let place = finding.place else { return finding.id }
        let name = URL(filePath: place.source.path).lastPathComponent
        return "\(name):\(place.source.position(at: place.range.lowerBound).line) \(finding.id)"
      })
  }
}

/// An entry that does not fit its shader.
struct DefectError: Error, CustomStringConvertible {
  let description: String
}
