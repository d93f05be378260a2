internal import EtalonDiagnostics

/// Where a reference belongs, as recording and approving look at it before they put a picture there.
struct ReferencePlace {
  let path: String
  /// The file of the case.
  let caseFile: String

  /// Why nothing may be put there; nil where it may.
  var refusal: Diagnostic? {
    if let outside = ReferenceTree(ofCase: caseFile).refusal(of: path) { return outside }
    // It stands for a picture that nobody has looked at.
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
