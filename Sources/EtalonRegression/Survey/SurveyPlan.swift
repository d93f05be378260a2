package import Etalon
package import EtalonDiagnostics
internal import EtalonInspection
internal import EtalonManifest
internal import EtalonMedia
internal import EtalonSystem
internal import EtalonTypes
internal import Foundation

/// What is rendered of one filter: the same request for every device.
struct SurveyPlan {
  let request: RenderRequest
  /// What the command has to ask for, where pictures may be missing; nil where it needs no word.
  private let standIn: String?
  private let isLengthGiven: Bool

  /// - Parameter frames: which frames, where the settings say nothing about that.
  init(path: String, _ manifest: FilterManifest, frames: [Int], _ settings: InspectionSettings) {
    var request = settings.request(of: path, manifest, frames: frames)
    request.bits = 32
    let mayMiss = manifest.inputs.contains { $0.isRead && ($0.origin == .user || $0.isAsset) }
    // Look-alikes are what a render takes by itself.
    let isUsual = request.standIns.contains(.lookalikes)
    standIn = !mayMiss || isUsual ? nil : request.standIns.contains(.testCards) ? "test-card" : "fail"
    isLengthGiven = settings.shot != nil
    self.request = request
  }

  /// The same on a device.
  func request(on device: String) -> RenderRequest {
    var request = request
    request.device = device
    return request
  }

  /// The command that writes the same pictures, once for each device.
  func command(_ path: String, devices: [String]) -> String {
    var words = ["etalon", "render", ShellWord.quoted(path)]
    if let size = request.size { words += ["--size", "\(size)"] }
    switch request.frames {
    case .single(let time): words += time.map { ["--time", "\($0)"] } ?? []
    case .range(let range): words += ["--frames", range.description]
    }
    if isLengthGiven { words += ["--duration", "\(request.shotRange.count)f"] }
    for input in request.inputs { words += ["--input", ShellWord.quoted("\(input.input ?? "")=\(input.path)")] }
    if let assets = request.assets { words += ["--assets", ShellWord.quoted(assets)] }
    if let standIn { words += ["--missing-input", standIn] }
    if let dialect = request.dialect { words += ["--dialect", dialect] }
    let line = words.joined(separator: " ")
    if devices.count == 1 { return "\(line) --device \(ShellWord.quoted(devices[0])) -o 'frame.####.png'" }
    let names = devices.map(ShellWord.quoted).joined(separator: " ")
    return "for device in \(names); do \(line) --device \"$device\" -o \"$device.####.png\"; done"
  }
}

// MARK: targets

/// A filter to be surveyed: a file or folder, or one line of a file with an export on every line.
package struct SurveyTarget: Sendable, Hashable {
  /// One of many exports in a file.
  struct Line: Sendable, Hashable {
    let path: String
    let number: Int
    let bytes: Data

    /// The name of the file without its ending.
    var stem: String { URL(filePath: path).deletingPathExtension().lastPathComponent }
  }

  /// As people would name it.
  package let name: String
  let line: Line?

  init(path: String) {
    name = path
    line = nil
  }

  init(_ line: Line) {
    name = "\(line.path):\(line.number)"
    self.line = line
  }
}

/// Everything that a survey renders.
package struct SurveyTargets: Sendable {
  /// Each once, in the order of the words, by name within a folder.
  package private(set) var targets: [SurveyTarget] = []
  /// What is wrong with the folders, or with a word; none of it ends a survey.
  package let diagnostics: [Diagnostic]

  /// Files with an export on every line; no other kind of file holds several filters.
  private static let manyEnding = ".jsonl"

  /// Finds the filters of files, folders and names; those whose names contain the pattern, or match it where it has a `*`.
  package init(_ words: [String], in library: FilterLibrary, only pattern: String?) throws(RenderError) {
    let single = CheckTargets(words.filter { !$0.hasSuffix(Self.manyEnding) }, in: library)
    targets = single.paths.filter { !GraphDocument.isGraph($0) }.map { SurveyTarget(path: $0) }
    let graphs = single.paths.filter { path in GraphDocument.isGraph(path) && pattern.map { Self.matches(path, $0) } ?? true }
    diagnostics =
      single.diagnostics
      + graphs.map {
        Diagnostic(
          "survey.graph", "'\($0)' is a graph document, which is not surveyed", severity: .note,
          help: ["'etalon check' checks it, and 'etalon render --device' renders it on any device"])
      }
    for word in words {
      for path in Self.filesOfMany(word) {
        let lines = try ExportLines.all(in: path)
        // A folder may hold lines of other programs; a file that is named is meant.
        guard path == word || lines.contains(where: { ExportLines.isProject($0.bytes) }) else { continue }
        targets += lines.map { SurveyTarget(.init(path: path, number: $0.number, bytes: $0.bytes)) }
      }
    }
    if let pattern { targets = targets.filter { Self.matches($0.name, pattern) } }
  }

  private static func filesOfMany(_ word: String) -> [String] {
    if word.hasSuffix(manyEnding) { return [word] }
    let folder = word.hasSuffix("/") ? word : word + "/"
    return FolderTree(word).files.filter { $0.hasSuffix(manyEnding) }.map { folder + $0 }
  }

  private static func matches(_ name: String, _ pattern: String) -> Bool {
    pattern.contains("*") ? unsafe fnmatch("*\(pattern)", name, 0) == 0 : name.contains(pattern)
  }
}
