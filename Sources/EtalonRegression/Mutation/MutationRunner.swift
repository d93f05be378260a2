internal import Etalon
internal import EtalonDiagnostics
internal import EtalonSystem
internal import Foundation
internal import Synchronization

/// Changes filters in many small ways, and finds out which of the changes their cases notice.
///
/// ```swift
/// let runner = try MutationRunner(program, arguments: ["mutate-file"], cases: selection.cases, folders: ["Plugins"], libraries: ["Plugins"])
/// let results = try runner.run(count: 200, seed: 1, observe: { _ in }, isInterrupted: { false })
/// ```
/// Each file is changed in a copy, and rendered in processes of its own, so that a mutant that crashes or never ends is the business of that mutant.
///
/// **Concurrency**: `run` blocks its thread.
package struct MutationRunner: Sendable {
  private let program: String
  private let arguments: [String]
  private let folders: [String]
  private let libraries: [String]
  private let targets: [MutationTarget]
  private let jobs: Int
  private let timeout: Double
  private let today: String

  /// How often a frame may take its time before the process is ended.
  private static let patience = 20.0

  /// Finds the files that the cases are about.
  ///
  /// - Parameters:
  ///   - program: the program that tries the mutants of a file and prints a line of JSON for each.
  ///   - arguments: what it is told before the file of its task.
  ///   - cases: those that are to notice; all of them pass as long as nothing is changed.
  ///   - folders: the folders whose files are changed, in a copy.
  ///   - libraries: folders in which filters are looked up by name.
  ///   - timeout: how many seconds a frame may take.
  ///   - today: as `2026-05-01`.
  package init(
    program: String, arguments: [String], cases: [TestCase], folders: [String], libraries: [String], jobs: Int, timeout: Double,
    today: String
  ) throws {
    (self.program, self.arguments, self.folders, self.libraries) = (program, arguments, folders, libraries)
    (self.jobs, self.timeout, self.today) = (jobs, timeout, today)
    let library = FilterLibrary(try LibrarySearch(named: libraries))
    targets = try MutationTargets(cases, library: library, roots: folders).all
  }

  /// Tries mutants until there are as many as wanted that are filters at all, or no more are left.
  ///
  /// - Parameter only: files whose paths contain this, or end like this where it has a `*`; nil for all.
  package func run(
    count: Int, seed: UInt64, only: String?, observe: @escaping @Sendable (MutantResult) -> Void,
    isInterrupted: @escaping @Sendable () -> Bool
  ) throws -> MutationResults {
    let chosen = targets.filter { target in only.map { NamePattern($0).matchesPart(target.path) } ?? true }
    let mutants = MutantOrder(try chosen.map(MutationTargets.changes), seed: seed).mutants
    let scratch = try TemporaryFiles.makeFolder("etalon-mutate")
    defer { TemporaryFiles.remove(scratch) }
    let shadows = try (0..<jobs).map { job throws(RenderError) in try ShadowTree(of: folders, at: "\(scratch)/\(job)") }
    var results: [MutantResult] = []
    var next = 0
    while next < mutants.count, !isInterrupted() {
      let missing = count - results.count { $0.verdict != .refused }
      guard missing > 0 else { break }
      let batch = mutants[next..<min(next + missing, mutants.count)]
      next = batch.endIndex
      results += try run(Array(batch), seed, shadows, scratch, observe, isInterrupted)
    }
    return MutationResults(seed: seed, possible: mutants.count, mutants: results.sorted { $0.mutant.number < $1.mutant.number })
  }

  /// Tries some mutants, file by file, several files at once.
  private func run(
    _ mutants: [Mutant], _ seed: UInt64, _ shadows: [ShadowTree], _ scratch: String,
    _ observe: @escaping @Sendable (MutantResult) -> Void, _ isInterrupted: @escaping @Sendable () -> Bool
  ) throws -> [MutantResult] {
    let groups = Dictionary(grouping: mutants, by: \.path).sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
    let state = Mutex((next: 0, results: [MutantResult](), failure: RenderError?.none))
    SharedWork.perform(shadows.count, mostlyWaits: true) { job in
      while !isInterrupted() {
        let index = state.withLock { state in
          defer { state.next += 1 }
          return state.failure == nil ? state.next : groups.count
        }
        guard index < groups.count, let target = targets.first(where: { $0.path == groups[index].key }) else { return }
        do throws(RenderError) {
          let found = try work(groups[index].value, target, seed, shadows[job], "\(scratch)/task-\(job)", observe, isInterrupted)
          state.withLock { $0.results += found }
        } catch {
          state.withLock { $0.failure = error }
        }
      }
    }
    if let failure = state.withLock({ $0.failure }) { throw failure }
    return state.withLock { $0.results }
  }

  /// Runs the mutants of a file to their end, with a new process after each that ended early.
  private func work(
    _ mutants: [Mutant], _ target: MutationTarget, _ seed: UInt64, _ shadow: ShadowTree, _ file: String,
    _ observe: @escaping @Sendable (MutantResult) -> Void, _ isInterrupted: () -> Bool
  ) throws(RenderError) -> [MutantResult] {
    var results: [MutantResult] = []
    var rest = mutants
    while !rest.isEmpty, !isInterrupted() {
      let answer = process(rest, target, seed, shadow, file).run(isInterrupted: isInterrupted, observe: observe)
      shadow.restore(target.path)
      results += answer.results
      let done = Set(answer.results.map(\.mutant.number))
      rest.removeAll { done.contains($0.number) }
      guard answer.ending != .interrupted else { break }
      guard let stage = answer.open, let culprit = rest.first(where: { $0.number == stage.number }) else {
        // Whoever ends without a word before anything began ends so again.
        guard !answer.results.isEmpty else { throw Self.broken(target, answer.errors) }
        continue
      }
      let ended = Self.ended(culprit, isLooking: stage.isLooking)
      observe(ended)
      results.append(ended)
      rest.removeAll { $0.number == stage.number }
    }
    return results
  }

  private func process(
    _ mutants: [Mutant], _ target: MutationTarget, _ seed: UInt64, _ shadow: ShadowTree, _ file: String
  ) -> WorkerProcess<MutationMessage.Stage, MutantResult> {
    var settings = CaseRun.Settings(device: "cpu", folder: shadow.root, pictures: "etalon-mutate-pictures", today: today)
    settings.timeout = timeout
    let task = MutationMessage.Task(
      settings: settings, libraries: libraries, originalFolder: FileManager.default.currentDirectoryPath, root: shadow.root,
      target: target, mutants: mutants, seed: seed)
    guard let data = try? JSONEncoder().encode(task) else { preconditionFailure("tasks always encode") }
    _ = FileManager.default.createFile(atPath: file, contents: data)
    return WorkerProcess(
      program: program, arguments: arguments, taskFile: file, timeout: timeout * Self.patience, folder: shadow.folder)
  }

  /// A mutant that its process did not survive: the cases noticed unless they were through with it.
  private static func ended(_ mutant: Mutant, isLooking: Bool) -> MutantResult {
    guard isLooking else {
      return MutantResult(mutant: mutant, verdict: .noticed, reason: "its process crashed or took too long", change: nil)
    }
    let change = MutantResult.Change(look: "what no case renders", moment: "crashed or took too long", levels: 255, pixels: 0)
    return MutantResult(mutant: mutant, verdict: .survived, reason: "", change: change)
  }

  private static func broken(_ target: MutationTarget, _ errors: String) -> RenderError {
    let first = errors.split(separator: "\n").first.map(String.init)
    return RenderError(.internalError, "the process that changes '\(target.path)' ended before it began", underlying: first)
  }
}
