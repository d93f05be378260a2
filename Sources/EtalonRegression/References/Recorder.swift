package import EtalonDiagnostics
internal import EtalonMedia
internal import EtalonTypes
internal import Foundation

/// Which references a run writes; writing any fails the run, because new pictures are not tested.
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
    let wanted = result.frames.indices.filter { index in
      let frame = result.frames[index]
      return frame.candidate != nil && frame.target != nil && isWanted(frame)
    }
    guard !wanted.isEmpty else { return [] }
    if let flaw = result.flaw {
      result.notes.append("not recorded: \(flaw)")
      return []
    }
    var written: [String] = []
    for index in wanted {
      let frame = result.frames[index]
      guard let candidate = frame.candidate, let target = frame.target else { continue }
      if let diagnostic = try diagnostic(of: target, to: "\(folder)/\(candidate)", frame.hash, caseFile: result.path) {
        result.notes.append("not recorded: \(diagnostic.message); \(diagnostic.help.joined(separator: "; "))")
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
      // Nothing is left to approve.
      (result.frames[index].candidate, result.frames[index].isRecorded) = (nil, true)
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
  private func diagnostic(of target: String, to candidate: String, _ hash: String?, caseFile: String) throws(RenderError) -> Diagnostic? {
    if let diagnostic = ReferencePlace(path: target, caseFile: caseFile).diagnostic { return diagnostic }
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
    let reader = PictureReader()
    return try reader.read(path: first) == reader.read(path: second)
  }

  /// Copies a picture as it is, with its texts; the place changes at once or not at all.
  static func install(_ source: String, at target: String) throws(RenderError) { try copy(source, for: target).commit() }

  /// Writes the copy beside its place: `commit()` puts it there, and needs no further disk space.
  static func copy(_ source: String, for target: String) throws(RenderError) -> AtomicFile {
    let bytes = try FileReader.bytes(of: source, limit: 1 << 28)
    try TextFile.makeFolder(of: target)
    let file = try AtomicFile(target, replacing: .anything)
    try file.write(bytes)
    try file.finish()
    return file
  }
}

// MARK: - places of references

/// The place of a reference, which recording and approving check before they put a picture there.
struct ReferencePlace {
  let path: String
  /// The file of the case.
  let caseFile: String

  /// Why nothing may be put there; nil where it may.
  var diagnostic: Diagnostic? {
    if let outside = ReferenceTree(ofCase: caseFile).diagnostic(of: path) { return outside }
    // A pointer stands for a picture that was not compared.
    guard StoredPicture.isPointer(at: path) else { return nil }
    return Diagnostic(
      "approve.pointer", "'\(path)' is a Git LFS pointer, not the picture itself", help: ["type 'git lfs pull', and run the case again"])
  }
}

extension CaseResult {
  /// Why its pictures would fail beside references of their own; nil where they would not.
  var flaw: String? { frames.first { $0.check == "renders" && $0.verdict == .failed }?.reason }

  /// Whether approving its pictures makes anything better.
  var isApprovable: Bool { !candidates.isEmpty && flaw == nil }
}

/// The folders that recording and approving may write into: `..` in the name of a reference must not lead out of the project.
struct ReferenceTree {
  /// The Git repository that a case lies in; where there is none, the folder of its filter and the current one.
  private let roots: [String]

  /// - Parameter path: the file of the case.
  init(ofCase path: String) {
    let folder = FolderPath.parent(of: Self.absolute(path))
    roots = Self.repository(around: folder).map { [$0] } ?? [FolderPath.parent(of: folder), Self.absolute(".")]
  }

  /// Why nothing may be written to a place; nil where it may.
  func diagnostic(of target: String) -> Diagnostic? {
    let place = Self.absolute(target)
    guard !roots.contains(where: { place.hasPrefix($0 == "/" ? $0 : $0 + "/") }) else { return nil }
    return Diagnostic(
      "reference.outside", "'\(target)' lies outside of '\(roots[0])', so it is not written",
      help: ["name a reference below '\(roots[0])', for which a link to another folder may stand, or copy the picture by hand"])
  }

  /// The root of the Git repository that a folder lies in; nil where it lies in none.
  static func repository(around folder: String) -> String? {
    var folder = folder
    while true {
      if FileManager.default.fileExists(atPath: FolderPath.join(folder, ".git")) { return folder }
      guard folder != "/" else { return nil }
      folder = FolderPath.parent(of: folder)
    }
  }

  /// The path from the root of the system on.
  ///
  /// Links are not followed: a link inside of the project was made to write what it leads to.
  static func absolute(_ path: String) -> String {
    let whole = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    return NamedFiles.plain(whole)
  }
}
