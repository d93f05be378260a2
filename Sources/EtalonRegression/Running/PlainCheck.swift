internal import Etalon
internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonMedia
internal import EtalonTypes

/// What is tried of a filter without cases: that it renders the same picture twice, of finite numbers, and not of one color, and invariants that hold
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
    if !frames.isEmpty { try tryInvariants(testCase, frames, &work.result) }
    if var found = FlatnessCheck(testCase).judge(frames) {
      CasePictureFolder(run, testCase).keep(&found, frames[0], beside: nil)
      work.result.add(found)
    }
    work.result.settle()
    work.result.notes.append(Self.advice(testCase.path))
  }

  /// Tries them; frames that are fine are not kept, there would be too many.
  private func tryInvariants(_ testCase: TestCase, _ frames: [RenderedFrame], _ result: inout CaseResult) throws {
    result.laws = try Self.invariants(testCase.path).map { invariant in
      if let obstacle = invariant.obstacle { return InvariantResult(invariant.kind, .notTried, reason: obstacle) }
      let found = try InvariantCheck(run).judge(Invariant(invariant.kind), testCase, frames)
      guard !found.isEmpty else { return InvariantResult(invariant.kind, .notTried, reason: Self.wordsOfNothing(invariant.kind)) }
      let broken = found.filter { $0.verdict != .passed }
      result.frames += broken
      return InvariantResult(invariant.kind, broken.isEmpty ? .holds : .broken)
    }
  }

  /// The invariants that hold for every filter, each with the reason why it cannot fail for this one; nil where it can.
  private static func invariants(_ path: String) throws -> [(kind: Invariant.Kind, obstacle: String?)] {
    if GraphDocument.isGraph(path) { return [(.optimization, nil), (.fusion, nil), (.defaults, "a graph has none")] }
    let manifest = try FilterFile.read(path).manifest
    return [
      (.optimization, nil), (.fusion, manifest.passes.count > 1 ? nil : "a single pass is not joined with others"),
      (.defaults, manifest.parameters.isEmpty ? "no parameter" : nil),
    ]
  }

  /// Why an invariant had nothing to compare.
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

/// Finds pictures that show one single color, and so would hide most of what can go wrong with a shader.
struct FlatnessCheck {
  private let testCase: TestCase

  init(_ testCase: TestCase) { self.testCase = testCase }

  /// Whether all pixels of all frames have the same color, in the form in which they are compared.
  fileprivate func areFlat(_ frames: [RenderedFrame]) -> Bool {
    guard let first = frames.first, frames.contains(where: { $0.floats.size.pixelCount > 1 }) else { return false }
    let color = picture(first).bytes.prefix(pixelByteCount)
    return frames.allSatisfy { frame in
      let bytes = picture(frame).bytes
      return stride(from: 0, to: bytes.count, by: pixelByteCount).allSatisfy { bytes[$0..<$0 + pixelByteCount].elementsEqual(color) }
    }
  }

  /// What is wrong with frames of one color; nil where they have several, or the case allows it.
  func judge(_ frames: [RenderedFrame]) -> FrameResult? {
    guard !testCase.mayBeFlat, let first = frames.first, areFlat(frames) else { return nil }
    var found = FrameResult(check: "renders", moment: first.moment.text)
    (found.verdict, found.size, found.recipe) = (.failed, first.floats.size.description, first.provenance.recipe)
    let pictures = frames.count == 1 ? "\(first.moment.text): every pixel" : "every pixel of all \(frames.count) frames"
    let color = first.levels(bits: 8).bytes.prefix(4).map { "\($0)" }.joined(separator: " ")
    found.reason = "\(pictures) has the same color, \(color); \(testCase.advice(allowing: "flat"))"
    return found
  }

  private func picture(_ frame: RenderedFrame) -> PixelBuffer { isFloat ? frame.floats : frame.levels(bits: testCase.bits) }

  private var pixelByteCount: Int { isFloat ? 16 : testCase.bits / 2 }

  private var isFloat: Bool {
    guard case .pictures(let pictures) = testCase.reference else { return false }
    return pictures.contains { $0.path(0).lowercased().hasSuffix(".exr") }
  }
}

extension TestCase {
  /// The command that tells what the filter or graph leaves to chance, and where.
  var sanitizing: String {
    let word =
      switch subject {
      case .node(let node): node.filter.text
      case .document(let word, _, _): word.text
      case .plain(let path): path
      }
    return "etalon sanitize \(ShellWord.quoted(word))"
  }

  /// What to write into a case where a picture is right that is refused otherwise.
  func advice(allowing word: String) -> String {
    let place = isPlain ? " into '\(CaseFiles.home(of: path))/basics.yaml'" : ""
    return "write 'allow: \(word)'\(place) if that is right"
  }
}
