internal import Etalon
internal import EtalonManifest

/// What is tried of a filter without cases: that it renders the same picture twice, of finite numbers, and not of one color, and laws that hold
/// for every filter.
struct PlainCheck {
  private let run: CaseRun

  init(_ run: CaseRun) { self.run = run }

  func judge(_ testCase: TestCase, _ work: inout CaseWork) throws {
    var testCase = testCase
    testCase.moments = try Self.moments(testCase.path)
    var frames = try run.renderedTwice(testCase, &work.result)
    // Many shaders begin with black.
    if !frames.isEmpty, FlatnessCheck(testCase).areFlat(frames), testCase.moments == [.first] {
      testCase.moments = [.frame(60)]
      frames = try run.renderedTwice(testCase, &work.result)
    }
    for frame in frames { work.result.add(run.finiteness(of: frame, testCase)) }
    if !frames.isEmpty { try tryLaws(testCase, frames, &work.result) }
    if var found = FlatnessCheck(testCase).judge(frames) {
      PictureFolder(run, testCase).keep(&found, frames[0], beside: nil)
      work.result.add(found)
    }
    work.result.settle()
    work.result.notes.append(Self.advice(testCase.path))
  }

  /// Tries them; frames that are fine are not kept, there would be too many.
  private func tryLaws(_ testCase: TestCase, _ frames: [RenderedFrame], _ result: inout CaseResult) throws {
    result.laws = try Self.laws(testCase.path).map { law in
      if let obstacle = law.obstacle { return LawResult(law.kind, .notTried, reason: obstacle) }
      let found = try InvariantCheck(run).judge(Invariant(law.kind), testCase, frames)
      guard !found.isEmpty else { return LawResult(law.kind, .notTried, reason: Self.wordsOfNothing(law.kind)) }
      let broken = found.filter { $0.verdict != .passed }
      result.frames += broken
      return LawResult(law.kind, broken.isEmpty ? .holds : .broken)
    }
  }

  /// What has to be true of a filter, whoever wrote it, and why it cannot fail.
  private static func laws(_ path: String) throws -> [(kind: Invariant.Kind, obstacle: String?)] {
    if GraphDocument.isGraph(path) { return [(.optimization, nil), (.fusion, nil), (.defaults, "a graph has none")] }
    let manifest = try FilterFile.read(path).manifest
    return [
      (.optimization, nil), (.fusion, manifest.passes.count > 1 ? nil : "a single pass is not joined with others"),
      (.defaults, manifest.parameters.isEmpty ? "no parameter" : nil),
    ]
  }

  /// Why a law had nothing to compare.
  private static func wordsOfNothing(_ kind: Invariant.Kind) -> String {
    kind == .fusion ? "every pass is a kernel of its own anyway" : "every parameter follows the clock"
  }

  /// Where a case of a filter belongs, and what records it.
  private static func advice(_ path: String) -> String {
    let folder = CaseFiles.home(of: path)
    if let misnamed = CaseFiles.misnamedFolder(of: path) { return "rename '\(misnamed)' to '\(folder)', where cases are looked for" }
    return "write 'size: 64x64' into '\(folder)/basics.yaml', and type 'etalon test \(ShellWord.quoted(path)) --record missing'"
  }

  /// The first frame; a later one, too, where frames follow from each other; the way of a transition.
  private static func moments(_ path: String) throws -> [TestCase.Moment] {
    guard !GraphDocument.isGraph(path) else { return [.first] }
    let manifest = try FilterFile.read(path).manifest
    if manifest.kind == .transition { return [.frame(0), .frame(5), .frame(10)] }
    let hasState = manifest.targets.contains(where: \.isPersistent) || manifest.buffers.contains(where: \.isPersistent)
    return hasState ? [.frame(0), .frame(10)] : [.first]
  }
}
