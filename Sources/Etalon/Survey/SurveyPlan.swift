package import EtalonDiagnostics
internal import EtalonManifest
internal import EtalonMedia
internal import EtalonSystem
internal import EtalonTypes
internal import Foundation

/// What is rendered of one filter: the same request for every device.
struct SurveyPlan {
  let request: RenderRequest
  /// Whether the command has to ask for test cards.
  private let needsTestCards: Bool
  private let isLengthGiven: Bool

  /// - Parameter frames: which frames, where the settings say nothing about that.
  init(path: String, _ manifest: FilterManifest, frames: [Int], _ settings: SurveySettings) {
    var request = RenderRequest(filter: .file(path))
    request.bits = 32
    request.dialect = settings.dialect
    request.size = settings.size
    request.assets = settings.assets
    request.inputs = Self.inputs(of: manifest, settings.pictures)
    request.standsInWithTestCards = settings.standsInWithTestCards || !manifest.inputs.contains(where: \.isAsset)
    needsTestCards = request.standsInWithTestCards && manifest.inputs.contains { $0.isRead && ($0.origin == .user || $0.isAsset) }
    if let time = settings.time {
      request.frames = .single(time: time)
    } else if let range = settings.frames ?? FrameRange(Self.chosen(frames, of: manifest, in: settings.shot)) {
      request.frames = .range(range)
    }
    request.shot = settings.shot
    // Frames that were chosen here are a shot of their own.
    if settings.shot == nil, settings.frames == nil, settings.time == nil { request.shot = request.wantedRange }
    isLengthGiven = settings.shot != nil
    self.request = request
  }

  /// The frames to look at, in the shot where one was given: of transitions its ends and its middle.
  private static func chosen(_ frames: [Int], of manifest: FilterManifest, in shot: ClosedRange<Int>?) -> [Int] {
    guard let shot else { return frames }
    if manifest.kind == .transition { return [shot.lowerBound, (shot.lowerBound + shot.upperBound) / 2, shot.upperBound] }
    let inside = frames.filter(shot.contains)
    return inside.isEmpty ? [shot.upperBound] : inside
  }

  /// Sounds for inputs that show sounds, pictures for the others.
  private static func inputs(of manifest: FilterManifest, _ paths: [String]) -> [RenderRequest.InputPicture] {
    let sounds = paths.filter { $0.lowercased().hasSuffix(".wav") }
    let inputs = manifest.inputs.filter { $0.isRead && $0.origin == .user && $0.shape == .flat }
    return assign(paths.filter { !sounds.contains($0) }, to: inputs.filter { $0.sound == nil })
      + assign(sounds, to: inputs.filter { $0.sound != nil })
  }

  /// The last file is for all inputs that follow.
  private static func assign(_ paths: [String], to inputs: [FilterInput]) -> [RenderRequest.InputPicture] {
    guard let last = paths.last else { return [] }
    return inputs.enumerated().map { index, input in .init(input: input.name, path: index < paths.count ? paths[index] : last) }
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
    if needsTestCards { words += ["--missing-input", "test-card"] }
    if let dialect = request.dialect { words += ["--dialect", dialect] }
    let line = words.joined(separator: " ")
    if devices.count == 1 { return "\(line) --device \(ShellWord.quoted(devices[0])) -o 'frame.####.png'" }
    let names = devices.map(ShellWord.quoted).joined(separator: " ")
    return "for device in \(names); do \(line) --device \"$device\" -o \"$device.####.png\"; done"
  }
}

extension FilterInput {
  fileprivate var isAsset: Bool { if case .asset = origin { true } else { false } }
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
      for path in Self.filesOfMany(word) { targets += try Self.lines(of: path) }
    }
    if let pattern { targets = targets.filter { Self.matches($0.name, pattern) } }
  }

  private static func filesOfMany(_ word: String) -> [String] {
    if word.hasSuffix(manyEnding) { return [word] }
    let folder = word.hasSuffix("/") ? word : word + "/"
    return FolderTree(word).files.filter { $0.hasSuffix(manyEnding) }.map { folder + $0 }
  }

  private static func lines(of path: String) throws(RenderError) -> [SurveyTarget] {
    let data = Data(try FileReader.bytes(of: path, limit: ExportLines.largestFile))
    return data.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated().compactMap { index, bytes in
      guard FilterFileType.isProject([UInt8](bytes)) else { return nil }
      return SurveyTarget(SurveyTarget.Line(path: path, number: index + 1, bytes: Data(bytes)))
    }
  }

  private static func matches(_ name: String, _ pattern: String) -> Bool {
    pattern.contains("*") ? unsafe fnmatch("*\(pattern)", name, 0) == 0 : name.contains(pattern)
  }
}

// MARK: commands

/// Words of a command line for a shell.
package enum ShellWord {
  /// The word, in quotes where a shell would see more than a word.
  package static func quoted(_ word: String) -> String {
    let isPlain =
      !word.isEmpty
      && word.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || "-_./,=+:@%".utf8.contains(byte)
      }
    guard !word.unicodeScalars.contains(where: Self.isControl) else { return ansi(word) }
    return isPlain ? word : "'\(word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''"))'"
  }

  /// The word in the quotes that know escapes, so that the command stays on one line.
  private static func ansi(_ word: String) -> String {
    let parts = word.unicodeScalars.map { scalar in
      if isControl(scalar) { return Array(String(scalar).utf8).map { "\\x\(hexadecimal($0))" }.joined() }
      return scalar == "'" || scalar == "\\" ? "\\\(scalar)" : String(scalar)
    }
    return "$'\(parts.joined())'"
  }

  private static func hexadecimal(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) || (0x2028...0x2029).contains(scalar.value)
  }
}
