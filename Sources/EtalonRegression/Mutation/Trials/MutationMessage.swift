internal import Foundation

/// What a process is told that tries mutants, and what it answers.
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

  private func answer(_ answer: WorkerMessage.Answer<MutationMessage.Stage, MutantResult>) {
    guard let data = try? JSONEncoder().encode(answer) else { preconditionFailure("answers always encode") }
    print(String(decoding: data, as: UTF8.self) + "\n")
  }
}
