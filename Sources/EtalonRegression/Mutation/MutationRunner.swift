internal import Etalon
internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonMedia
internal import EtalonSystem
internal import Foundation
internal import Synchronization

/// Changes filters in many small ways, and finds out which of the changes their cases notice.
///
/// ```swift
/// let runner = try MutationRunner(program, arguments: ["mutate-file"], cases: selection.cases, folders: ["Plugins"], libraries: ["Plugins"])
/// let results = try runner.run(count: 200, seed: 1, observe: { _ in }, isInterrupted: { false })
/// ```
/// Each file is changed in a copy, and rendered in processes of its own, so that a mutant that crashes or never ends stops no other.
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

  /// How many times the limit of a frame may pass before a process is ended.
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
        // A process that ended before it began a mutant would do so again.
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

  /// The result of a mutant that ended its process: the cases noticed it unless all of them had passed.
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

// MARK: - files that are changed

/// A file that is changed, with the cases that could notice.
struct MutationTarget: Sendable, Hashable, Codable {
  let path: String
  /// Everything that reads the file, what is about its filter first.
  let cases: [WorkerMessage.Reference]
  /// Those about its filter, which is looked at from all sides when no case notices.
  let own: [WorkerMessage.Reference]
  /// The filters and graphs that the file is a part of.
  let subjects: [String]

  /// Whether it is a part of a ShaderToy project.
  var isProject: Bool { subjects.contains { CaseFiles.isFolder($0) || $0.hasSuffix(".json") } }
}

/// Finds the files that make up what some cases are about.
private struct MutationTargets {
  private struct Entry {
    var own: [WorkerMessage.Reference] = []
    var others: [WorkerMessage.Reference] = []
    var subjects: [String] = []
  }

  private let renderer: CaseRenderer
  private let library: FilterLibrary
  private let roots: [String]
  private var entries: [String: Entry] = [:]

  private static let largestFile = 1 << 22

  /// - Parameter roots: the folders whose files may be changed.
  init(_ cases: [TestCase], library: FilterLibrary, roots: [String]) throws {
    renderer = CaseRenderer(device: "cpu", library: library)
    self.library = library
    self.roots = roots.map(NamedFiles.plain)
    for testCase in cases { try add(testCase) }
  }

  /// In the order of their paths.
  var all: [MutationTarget] {
    entries.sorted { $0.key < $1.key }.map { path, entry in
      MutationTarget(path: path, cases: entry.own + entry.others, own: entry.own, subjects: entry.subjects)
    }
  }

  /// The changes that a file offers.
  static func changes(_ target: MutationTarget) throws(RenderError) -> FileChanges {
    FileChanges(
      SourceText(path: target.path, bytes: try FileReader.bytes(of: target.path, limit: largestFile)), isProject: target.isProject)
  }

  private mutating func add(_ testCase: TestCase) throws {
    let subject = try testCase.subjectPath(in: library)
    let own = SubjectFiles.own(of: subject)
    let reference = WorkerMessage.Reference(testCase)
    for path in Set(
      try renderer.files(of: testCase)
        .map(SubjectFiles.file)
    ).sorted() where isWithin(path) {
      if own.contains(path) || path.hasPrefix(subject + "/") {
        entries[path, default: Entry()].own.append(reference)
        if !entries[path, default: Entry()].subjects.contains(subject) { entries[path, default: Entry()].subjects.append(subject) }
      } else {
        entries[path, default: Entry()].others.append(reference)
      }
    }
  }

  private func isWithin(_ path: String) -> Bool {
    roots.contains { $0.isEmpty ? !path.hasPrefix("/") && !path.hasPrefix("..") : path.hasPrefix($0 + "/") }
  }
}

/// A copy of some folders in which files can be changed while the originals stay as they are.
///
/// It begins with the root of the file system, so that every path means in it what it means outside: folders that are not copied are links to the real ones.
struct ShadowTree: Sendable {
  /// The folder that stands for the root of the file system.
  let root: String
  private let workingFolder: String

  /// Copies folders.
  ///
  /// - Parameter root: a folder that is made.
  init(of folders: [String], at root: String) throws(RenderError) {
    self.root = root
    workingFolder = FileManager.default.currentDirectoryPath
    let working = workingFolder
    let real = folders.map { NamedFiles.plain($0.hasPrefix("/") ? $0 : "\(working)/\($0)") }
    do { try Self.make("", copying: Set(real), holding: real + [working], at: root) } catch {
      throw RenderError(.cannotWrite, "cannot copy the folders into '\(root)'", underlying: error.localizedDescription)
    }
  }

  /// The working folder in the copy.
  var folder: String { root + workingFolder }

  /// The copy of a file or folder, for a process whose working folder is `folder`.
  func path(_ path: String) -> String { Self.path(path, at: root) }

  /// The same where only the root of the copy is known.
  static func path(_ path: String, at root: String) -> String { path.hasPrefix("/") ? root + path : path }

  /// Whether a file lies in the copy after all links are followed; others must not be changed.
  static func holds(_ path: String, at root: String) -> Bool {
    let real = URL(filePath: path).resolvingSymlinksInPath().path
    return real.hasPrefix(URL(filePath: root).resolvingSymlinksInPath().path + "/")
  }

  /// Writes the bytes of the original into the copy of a file again.
  fileprivate func restore(_ path: String) {
    let copy = path.hasPrefix("/") ? root + path : "\(folder)/\(path)"
    guard Self.holds(copy, at: root), let bytes = FileManager.default.contents(atPath: path) else { return }
    try? bytes.write(to: URL(filePath: copy))
  }

  /// Makes a folder in which some folders are copies, and everything beside the way to some places is a link.
  private static func make(_ folder: String, copying copied: Set<String>, holding places: [String], at root: String) throws {
    let manager = FileManager.default
    if copied.contains(folder) { return try copy(folder, to: root + folder) }
    guard places.contains(where: { $0 == folder || $0.hasPrefix(folder + "/") }) else {
      return try manager.createSymbolicLink(atPath: root + folder, withDestinationPath: folder)
    }
    try manager.createDirectory(atPath: root + folder, withIntermediateDirectories: true)
    for name in try manager.contentsOfDirectory(atPath: folder.isEmpty ? "/" : folder) {
      try make("\(folder)/\(name)", copying: copied, holding: places, at: root)
    }
  }

  /// Copies what is visible in a folder; links stay links.
  private static func copy(_ folder: String, to target: String) throws {
    let manager = FileManager.default
    try manager.createDirectory(atPath: target, withIntermediateDirectories: true)
    for name in try manager.contentsOfDirectory(atPath: folder) where !name.hasPrefix(".") {
      let (path, copied) = ("\(folder)/\(name)", "\(target)/\(name)")
      let isLink = (try? manager.destinationOfSymbolicLink(atPath: path)) != nil
      if CaseFiles.isFolder(path), !isLink { try copy(path, to: copied) } else { try manager.copyItem(atPath: path, toPath: copied) }
    }
  }
}
