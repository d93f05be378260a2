internal import Etalon
internal import EtalonDiagnostics
internal import EtalonMedia
internal import Foundation

/// What a process is told that runs some cases, and what it answers.
package enum WorkerMessage {
  /// The cases of a batch; a file, because there may be many.
  package struct Task: Sendable, Codable {
    package let settings: CaseRun.Settings
    /// Folders in which filters are looked up by name.
    package let libraries: [String]
    package let cases: [Reference]
  }

  /// A case by its place.
  package struct Reference: Sendable, Hashable, Codable {
    let id: String
    let path: String
    let isPlain: Bool

    init(_ testCase: TestCase) { (id, path, isPlain) = (testCase.id, testCase.path, testCase.isPlain) }

    private init(id: String, path: String, isPlain: Bool) { (self.id, self.path, self.isPlain) = (id, path, isPlain) }

    /// The same case in another folder.
    ///
    /// - Parameter place: gives a path there for one here.
    func moved(_ place: (String) -> String) -> Reference { Reference(id: place(id), path: place(path), isPlain: isPlain) }
  }

  /// A line of what it answers: something begins, has a result that is going to be explained, or its result.
  struct Answer<Stage: Sendable & Codable, Result: Sendable & Codable>: Sendable, Codable {
    var begin: Stage?
    var draft: Result?
    var result: Result?
  }
}

/// Runs the cases of a batch in this process, and prints a line of JSON when one begins and when it ends.
///
/// **Concurrency**: blocks its thread.
package struct TestWorker {
  private let task: WorkerMessage.Task
  private let run: CaseRun
  private let print: (String) -> Void

  /// Reads the file of a batch, and opens the device.
  package init(taskFile path: String, print: @escaping (String) -> Void) throws {
    ParentWatch.begin(taskFile: path)
    task = try JSONDecoder().decode(WorkerMessage.Task.self, from: Data(try FileReader.bytes(of: path, limit: 1 << 28)))
    run = try CaseRun(task.settings, library: FilterLibrary(try LibrarySearch(named: task.libraries)))
    self.print = print
  }

  /// Runs them; after a device was lost or took too long, nothing more can be done with it, and the rest is left to another process.
  package func work() {
    defer { ParentWatch.letEnd() }
    var files: [String: [TestCase]] = [:]
    for reference in task.cases {
      guard let testCase = Self.load(reference, &files) else { continue }
      answer(.init(begin: reference.id))
      var work = run.work(on: testCase)
      work.result = work.result.limited(to: task.settings.timeout)
      // Whatever finding out why does to this process, the verdict is known.
      if work.isOpen, task.settings.explains { answer(.init(draft: work.result)) }
      let result = task.settings.explains ? run.explained(work) : work.result
      answer(.init(result: result))
      if result.verdict == .deviceLost || result.verdict == .timedOut { return }
    }
  }

  /// The case that a reference names; files are read once.
  static func load(_ reference: WorkerMessage.Reference, _ files: inout [String: [TestCase]]) -> TestCase? {
    if reference.isPlain { return TestCase(plain: reference.path) }
    if files[reference.path] == nil, let bytes = try? FileReader.bytes(of: reference.path, limit: 1 << 20) {
      let source = SourceText(path: reference.path, bytes: bytes)
      files[reference.path] = CaseFileReader(source, owner: CaseFiles.owner(of: reference.path)).read().cases
    }
    return files[reference.path]?.first { $0.id == reference.id }
  }

  private func answer(_ answer: WorkerMessage.Answer<String, CaseResult>) {
    guard let data = try? JSONEncoder().encode(answer) else { preconditionFailure("answers always encode") }
    print(String(decoding: data, as: UTF8.self) + "\n")
  }
}
