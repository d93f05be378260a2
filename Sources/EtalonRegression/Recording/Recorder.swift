package import EtalonDiagnostics
internal import EtalonMedia
internal import EtalonTypes
internal import Foundation

/// Which references a run writes; writing any fails the run, so that nobody takes new pictures for tested ones.
package enum RecordMode: String, Sendable, Hashable, CaseIterable {
  case never
  /// Those that are not there.
  case missing
  /// Those, and those of cases that fail.
  case failed
  /// All that differ in a single bit.
  case all
}

/// Puts the pictures of a run into the places of references.
package struct Recorder {
  private let mode: RecordMode
  /// The folder that paths in the results start from.
  private let folder: String

  package init(_ mode: RecordMode, folder: String) { (self.mode, self.folder) = (mode, folder) }

  /// Records what the mode wants, and notes what was written in the results.
  package func record(_ results: inout TestResults) throws(RenderError) {
    guard mode != .never else { return }
    for index in results.cases.indices {
      let written = try record(&results.cases[index], after: results.recorded)
      results.recorded += written
    }
  }

  private func record(_ result: inout CaseResult, after recorded: [String]) throws(RenderError) -> [String] {
    if let note = noteOfUnreadable(result) { result.notes.append(note) }
    let wanted = result.candidates.filter(isWanted)
    guard !wanted.isEmpty else { return [] }
    if let flaw = result.flaw {
      result.notes.append("not recorded: \(flaw)")
      return []
    }
    var written: [String] = []
    for frame in wanted {
      guard let candidate = frame.candidate, let target = frame.target else { continue }
      if let refusal = try refusal(of: target, to: "\(folder)/\(candidate)", frame.hash, caseFile: result.path) {
        result.notes.append("not recorded: \(refusal.message); \(refusal.help.joined(separator: "; "))")
        continue
      }
      let isShared = recorded.contains(target)
      let isSame = isShared ? try Self.showTheSame("\(folder)/\(candidate)", target) : true
      guard isSame else {
        result.notes.append("not recorded: another case of this run wrote other pixels into '\(target)'; give them references of their own")
        continue
      }
      try Self.install("\(folder)/\(candidate)", at: target)
      written.append(target)
      result.notes.append("wrote '\(target)'")
    }
    return written
  }

  private func isWanted(_ frame: FrameResult) -> Bool {
    switch mode {
    case .never: false
    case .missing: frame.verdict == .missingReference
    case .failed: frame.verdict.isFailure && frame.verdict != .invalid
    // What cannot be read may be a pointer to a picture, or another file than the case says.
    case .all: frame.verdict != .invalid
    }
  }

  /// Why a picture may not be put into a place; nil where it may.
  ///
  /// - Parameter hash: that of the picture that belongs there, as the case says: it would not take another.
  private func refusal(of target: String, to candidate: String, _ hash: String?, caseFile: String) throws(RenderError) -> Diagnostic? {
    if let refusal = ReferencePlace(path: target, caseFile: caseFile).refusal { return refusal }
    guard let hash, ContentHash(of: try FileReader.bytes(of: candidate, limit: 1 << 28)).description != hash else { return nil }
    return Diagnostic(
      "record.hash", "the case names the 'sha256' of '\(target)', and this is another picture",
      help: ["get that one, or type 'etalon approve', which says what to write into the case"])
  }

  /// Says why nothing is written where something is that cannot be read; nil where all can.
  private func noteOfUnreadable(_ result: CaseResult) -> String? {
    guard mode == .failed || mode == .all else { return nil }
    let broken = result.frames.first { $0.check == "reference" && $0.verdict == .invalid }
    guard let path = broken?.reference else { return nil }
    if StoredPicture.isPointer(at: path) { return "not recorded: type 'git lfs pull' first, which gets '\(path)'" }
    return "not recorded: nothing is written over what cannot be compared; remove '\(path)', or approve the picture"
  }

  private static func showTheSame(_ first: String, _ second: String) throws(RenderError) -> Bool {
    let reader = PictureReader(acceptsFloats: true)
    return try reader.read(path: first) == reader.read(path: second)
  }

  /// Copies a picture as it is, with its texts; the place changes at once or not at all.
  static func install(_ source: String, at target: String) throws(RenderError) { try copy(source, for: target).commit() }

  /// The same without changing the place: `commit()` does that, and needs no more room.
  static func copy(_ source: String, for target: String) throws(RenderError) -> AtomicFile {
    let bytes = try FileReader.bytes(of: source, limit: 1 << 28)
    try TextFile.makeFolder(of: target)
    let file = try AtomicFile(target, replacing: .anything)
    try file.write(bytes)
    try file.finish()
    return file
  }
}
