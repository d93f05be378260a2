internal import Etalon
internal import EtalonComparison
internal import EtalonDiagnostics
internal import EtalonMedia
internal import EtalonSystem
internal import EtalonTypes
internal import Foundation

/// Tries mutants of one file, in a process whose working folder is that of a copy.
///
/// **Concurrency**: blocks its thread.
private final class MutantTrial {
  private let task: MutationMessage.Task
  private let originals: LookRenderer
  /// What the filter itself shows, by the place of the look.
  private var shown: [Int: LookRenderer.Outcome] = [:]
  private lazy var looks = target.subjects.flatMap { subject in
    let description = try? FilterFile.read(originals.path(subject), library: originals.library).description
    return WideLook(of: .init(TestCase(plain: subject)), own: target.own, description, seed: task.seed).looks
  }

  /// The largest difference after which no larger one is looked for.
  private static let plainlySeen = 16.0

  /// The tolerances of the cases.
  private lazy var tolerances = originals.tolerances(of: target.own)

  private var target: MutationTarget { task.target }

  init(_ task: MutationMessage.Task) throws {
    self.task = task
    let folder = task.originalFolder
    originals = try LookRenderer(task.libraries, timeout: task.settings.timeout) { $0.hasPrefix("/") ? $0 : "\(folder)/\($0)" }
    guard ShadowTree.holds(task.path, at: task.root) else {
      throw RenderError(.internalError, "'\(task.path)' is not the copy that may be changed")
    }
  }

  /// The result of a mutant, and whether its process can go on.
  ///
  /// - Parameter willLook: called when no case noticed.
  func result(of mutant: Mutant, willLook: () -> Void) throws -> (result: MutantResult, canGoOn: Bool) {
    let original = try FileReader.bytes(of: task.path, limit: 1 << 22)
    try write(mutant.change.applied(to: original))
    defer { try? write(original) }
    if let (verdict, reason, canGoOn) = try suite() {
      return (MutantResult(mutant: mutant, verdict: verdict, reason: reason, change: nil), canGoOn)
    }
    willLook()
    let (change, canGoOn) = try look()
    return (MutantResult(mutant: mutant, verdict: change == nil ? .equivalent : .survived, reason: "", change: change), canGoOn)
  }

  private func copy(of path: String) -> String { ShadowTree.path(path, at: task.root) }

  private func write(_ bytes: [UInt8]) throws { try Data(bytes).write(to: URL(filePath: task.path)) }

  // MARK: the cases

  /// What the first case says that does not pass; nil when all pass.
  private func suite() throws -> (verdict: MutantVerdict, reason: String, canGoOn: Bool)? {
    let run = try CaseRun(task.settings, library: FilterLibrary(LibrarySearch(named: task.libraries.map(copy(of:)))))
    var files: [String: [TestCase]] = [:]
    for reference in target.cases {
      guard let testCase = TestWorker.load(reference.moved(copy(of:)), &files) else { continue }
      let result = run.settled(run.work(on: testCase).result, testCase)
      let canGoOn = result.verdict != .timedOut && result.verdict != .deviceLost
      if result.verdict == .invalid { return (.refused, result.reason, canGoOn) }
      if result.verdict.isFailure { return (.noticed, "\(reference.id): \(result.reason)", canGoOn) }
    }
    return nil
  }

  // MARK: the wide look

  /// The largest difference that is found; nil when there is none.
  private func look() throws -> (change: MutantResult.Change?, canGoOn: Bool) {
    let mutants = try LookRenderer(task.libraries, timeout: task.settings.timeout, place: copy(of:))
    var largest: MutantResult.Change?
    for index in looks.indices {
      let original = original(index)
      guard case .pictures = original else { continue }
      let outcome = mutants.outcome(of: looks[index])
      if let change = change(original, outcome, looks[index]), change.levels > largest?.levels ?? 0 { largest = change }
      if outcome.isTooSlow { return (largest, false) }
      if let largest, largest.levels >= Self.plainlySeen { break }
    }
    return (largest, true)
  }

  private func original(_ index: Int) -> LookRenderer.Outcome {
    if let known = shown[index] { return known }
    let outcome = originals.outcome(of: looks[index])
    shown[index] = outcome
    return outcome
  }

  private func change(_ original: LookRenderer.Outcome, _ mutant: LookRenderer.Outcome, _ look: Look) -> MutantResult.Change? {
    guard case .pictures(let before) = original else { return nil }
    guard case .pictures(let after) = mutant else {
      return .init(look: look.words, moment: "no picture", levels: 255, pixels: before.first?.picture.size.pixelCount ?? 0)
    }
    let changes = zip(before, after).compactMap { before, after -> MutantResult.Change? in
      guard before.picture.size == after.picture.size else {
        return .init(look: look.words, moment: after.moment, levels: 255, pixels: after.picture.size.pixelCount)
      }
      guard before.picture.bytes != after.picture.bytes else { return nil }
      return differences(after.picture, before.picture).map {
        .init(look: look.words, moment: after.moment, levels: $0.levels, pixels: $0.pixels)
      }
    }
    return changes.max { $0.levels < $1.levels }
  }

  /// How far pictures differ, when that is more than some case bears.
  private func differences(_ actual: PixelBuffer, _ expected: PixelBuffer) -> (levels: Double, pixels: Int)? {
    let comparison = comparePictures(actual, expected, tolerance: .exact)
    guard tolerances.contains(where: { comparePictures(actual, expected, tolerance: $0).verdict == .fail }) else { return nil }
    let parts = [comparison.color, comparison.alpha].compactMap(\.self)
    return (parts.map { Double($0.largest) }.max() ?? 255, parts.map(\.differing).max() ?? 0)
  }
}

// MARK: - the process that tries mutants

/// The messages between a run of mutants and its processes: the task of a process, and its answers.
package enum MutationMessage {
  /// The mutants of one file.
  struct Task: Sendable, Codable {
    let settings: CaseRun.Settings
    /// Folders in which filters are looked up by name.
    let libraries: [String]
    /// The folder that the originals lie in.
    let originalFolder: String
    /// The folder that stands for the root of the file system in the copy.
    let root: String
    let target: MutationTarget
    let mutants: [Mutant]
    let seed: UInt64

    /// Where the process may change the file.
    var path: String { ShadowTree.path(target.path, at: root) }
  }

  /// What a process is busy with: a mutant, and whether no case noticed it.
  struct Stage: Sendable, Hashable, Codable {
    let number: Int
    let isLooking: Bool
  }
}

/// Tries the mutants of a task in this process, and prints a line of JSON when one begins and when it ends.
///
/// **Concurrency**: blocks its thread.
package struct MutationWorker {
  private let task: MutationMessage.Task
  private let print: (String) -> Void

  /// Reads the file of a task.
  package init(taskFile path: String, print: @escaping (String) -> Void) throws {
    ParentWatch.begin(taskFile: path)
    task = try JSONDecoder().decode(MutationMessage.Task.self, from: Data(contentsOf: URL(filePath: path)))
    self.print = print
  }

  /// Tries them; after one that took too long nothing more can be done, and the rest is left to another process.
  package func work() throws {
    defer { ParentWatch.letEnd() }
    let trial = try MutantTrial(task)
    for mutant in task.mutants {
      begin(mutant, isLooking: false)
      let (result, canGoOn) = try trial.result(of: mutant) { begin(mutant, isLooking: true) }
      answer(.init(begin: nil, result: result))
      guard canGoOn else { return }
    }
  }

  private func begin(_ mutant: Mutant, isLooking: Bool) {
    answer(.init(begin: MutationMessage.Stage(number: mutant.number, isLooking: isLooking), result: nil))
  }

  private func answer(_ answer: WorkerMessage.Answer<MutationMessage.Stage, MutantResult>) { print(answer.line) }
}
