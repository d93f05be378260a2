package import EtalonDiagnostics
internal import EtalonMedia
internal import EtalonSystem
internal import EtalonTypes
internal import Foundation

/// What Slurm and the scripts of a job say about its tasks.
///
/// `scontrol` knows jobs for some minutes after their end, and an accounting database, where there is one, for longer; the codes that scripts note beside
/// their logs stay.
package struct SlurmState: Sendable, Hashable {
  /// A task of a step.
  package struct Task: Sendable, Hashable {
    package let step: SlurmScripts.Step
    /// The number of the chunk; nil for a step with one task.
    package let chunk: Int?
    /// In Slurm's words, such as `RUNNING`.
    package let state: String
    package let node: String
    package let restarts: Int
    /// Why it waits, in Slurm's words; nil where it does not, or only for its turn.
    package let reason: String?

    package init(
      _ step: SlurmScripts.Step, chunk: Int?, state: String, node: String = "", restarts: Int = 0, reason: String? = nil
    ) {
      (self.step, self.chunk, self.state, self.node, self.restarts) = (step, chunk, state, node, restarts)
      self.reason = state == "PENDING" ? reason.flatMap { Self.usualReasons.contains($0) ? nil : $0 } : nil
    }

    private static let usualReasons: Set = [
      "None", "Priority", "Resources", "Dependency", "BeginTime", "JobArrayTaskLimit", "Prolog", "Cleaning",
    ]

    private static let hopeful: Set = ["PENDING", "RUNNING", "COMPLETING", "COMPLETED", "CONFIGURING", "REQUEUED", "SUSPENDED", "UNKNOWN"]

    package var hasFailed: Bool { !Self.hopeful.contains(state) }
    package var name: String { step.rawValue + (chunk.map { "-\($0)" } ?? "") }
  }

  package let tasks: [Task]

  package init(_ tasks: [Task]) { self.tasks = tasks }

  /// Asks Slurm about the jobs that `submit` noted.
  ///
  /// - Returns: nil where nothing was submitted.
  package init?(of job: FarmJob, in folder: FarmFolder) throws(RenderError) {
    let path = folder.path(of: FarmFolder.submissionName)
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    let bytes = try FileReader.bytes(of: path, limit: 1 << 16)
    guard let numbers = try? JSONDecoder().decode([String: Int].self, from: Data(bytes)) else {
      throw RenderError(.invalidInput, "'\(path)' is damaged", help: ["see what Slurm knows: squeue --me"])
    }
    var tasks: [Task] = []
    for step in SlurmScripts.Step.allCases {
      guard let number = numbers[step.rawValue] else { continue }
      let chunks: [Int?] = step == .render && job.cut.chunks.count > 1 ? (1...job.cut.chunks.count).map { $0 } : [nil]
      let told = try Self.asked(step, number, chunks)
      for chunk in chunks {
        let code = Self.code(step, chunk, in: folder)
        let known = told.first { $0.chunk == chunk }
        // The code of an earlier run counts where Slurm has forgotten the task.
        tasks.append(known ?? Task(step, chunk: chunk, state: code.map { $0 == 0 ? "COMPLETED" : "FAILED" } ?? "UNKNOWN"))
      }
    }
    self.tasks = tasks
  }

  /// One line for each step, one for each task that failed, and what to do then.
  package func text(in folder: FarmFolder) -> String {
    guard tasks.contains(where: \.hasFailed) else { return lines(in: folder) }
    let script = ShellWord.quoted(folder.path(of: "submit"))
    return lines(in: folder) + "when the others have ended and the reason is mended, render what is missing: \(script) --again\n"
  }

  private func lines(in folder: FarmFolder) -> String {
    SlurmScripts.Step.allCases.flatMap { step -> [String] in
      let own = tasks.filter { $0.step == step }
      guard !own.isEmpty else { return [] }
      let counts = Dictionary(grouping: own, by: \.state).sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
      let states = counts.map { own.count == 1 ? $0.key.lowercased() : "\($0.value.count) \($0.key.lowercased())" }.joined(separator: ", ")
      let nodes = Set(own.map(\.node)).subtracting([""]).sorted()
      let restarts = own.map(\.restarts).reduce(0, +)
      let reasons = Set(own.compactMap(\.reason)).sorted().joined(separator: ", ")
      let line =
        [
          "\(step.rawValue): \(states)" + (reasons.isEmpty ? "" : " (\(reasons))"),
          nodes.isEmpty ? nil : "on \(nodes.joined(separator: " "))",
          restarts == 0 ? nil : restarts.of("restart"),
        ]
        .compactMap(\.self).joined(separator: ", ")
      return [line] + own.filter(\.hasFailed).map { "  \($0.name): \($0.state.lowercased())\(Self.ending($0, in: folder))" }
    }.map { $0 + "\n" }.joined()
  }

  /// Of a command that gets SIGTERM.
  private static let codeOfTermination = 143

  private static func ending(_ task: Task, in folder: FarmFolder) -> String {
    let ended = code(task.step, task.chunk, in: folder)
    let reason = ended == Self.codeOfTermination ? " (Slurm ended it: at its time limit, or cancelled)" : ""
    let code = ended.map { ", code \($0)\(reason)" } ?? ""
    let log = folder.path(of: "logs/\(task.name).log")
    return code + (FileManager.default.fileExists(atPath: log) ? ", see \(log)" : "")
  }

  private static func code(_ step: SlurmScripts.Step, _ chunk: Int?, in folder: FarmFolder) -> Int? {
    let path = folder.path(of: "logs/\(step.rawValue)\(chunk.map { "-\($0)" } ?? "").code")
    return (try? String(contentsOfFile: path, encoding: .utf8)).flatMap { Int($0.prefix { $0 != "\n" }) }
  }

  // MARK: asking

  /// What `scontrol` knows of a job, else what the accounting database does.
  private static func asked(_ step: SlurmScripts.Step, _ number: Int, _ chunks: [Int?]) throws(RenderError) -> [Task] {
    let jobs = try ToolAnswer(["scontrol", "--oneliner", "show", "job", "\(number)"])
    if jobs.code == 127 {
      throw RenderError(
        .noDevice, "cannot ask Slurm: there is no 'scontrol' on this machine", help: ["ask on a machine that submits jobs, or set PATH"])
    }
    if jobs.code == 0 { return tasks(of: step, inJobs: jobs.text, chunks) }
    let accounts = try ToolAnswer([
      "sacct", "--noheader", "--parsable2", "--allocations", "--jobs=\(number)", "--format=JobID,State,NodeList",
    ])
    if accounts.code == 0 { return tasks(of: step, inAccounts: accounts.text) }
    // Slurm has forgotten a job that ended some minutes ago.
    if jobs.errors.contains("Invalid job id") { return [] }
    throw RenderError(
      .tryAgain, "Slurm does not say what became of job \(number)", operation: "scontrol",
      underlying: jobs.errors.split(whereSeparator: \.isNewline).joined(separator: " "),
      help: ["see whether its controller runs: scontrol ping"])
  }

  /// Reads lines of `scontrol --oneliner show job`, where waiting chunks may share one: `ArrayTaskId=5-32%8`.
  static func tasks(of step: SlurmScripts.Step, inJobs text: String, _ chunks: [Int?]) -> [Task] {
    text.split(separator: "\n").flatMap { line -> [Task] in
      var fields: [Substring: Substring] = [:]
      for word in line.split(separator: " ") {
        guard let equals = word.firstIndex(of: "="), fields[word[..<equals]] == nil else { continue }
        fields[word[..<equals]] = word[word.index(after: equals)...]
      }
      guard let state = fields["JobState"] else { return [] }
      let node = fields["NodeList"].flatMap { $0 == "(null)" ? nil : String($0) } ?? ""
      let ids: [Int?] = fields["ArrayTaskId"].map { numbers(String($0), among: chunks) } ?? [nil]
      let restarts = fields["Restarts"].flatMap { Int($0) } ?? 0, reason = fields["Reason"].map { String($0) }
      return ids.map { Task(step, chunk: $0, state: String(state), node: node, restarts: restarts, reason: reason) }
    }
  }

  /// Reads lines of `sacct`, such as `12_3|CANCELLED by 0|n1`.
  static func tasks(of step: SlurmScripts.Step, inAccounts text: String) -> [Task] {
    text.split(separator: "\n").compactMap { line in
      let fields = line.split(separator: "|", omittingEmptySubsequences: false)
      guard fields.count == 3, let state = fields[1].split(separator: " ").first else { return nil }
      let chunk = fields[0].split(separator: "_").dropFirst().first
      // Chunks that never began share a line: 12_[5-32].
      if let chunk, Int(chunk) == nil { return nil }
      return Task(step, chunk: chunk.flatMap { Int($0) }, state: String(state), node: fields[2] == "None assigned" ? "" : String(fields[2]))
    }
  }

  private static func numbers(_ text: String, among chunks: [Int?]) -> [Int?] {
    // Slurm cuts long lists short: '1,3,5,...'.
    let list = text.prefix { $0 != "%" }
    guard !list.contains("..."), let range = try? FrameRangeParser.parse(String(list).replacing(":", with: "x")) else { return chunks }
    return range.frames
  }
}

/// What a command of the system said.
package struct ToolAnswer: Sendable {
  /// 127 where there is no such command.
  package let code: Int32
  package let text: String
  package let errors: String

  /// Seconds; a controller with many jobs takes its time.
  private static let patience = 600.0

  /// Runs a command, which is found as a shell finds it, to its end.
  package init(_ words: [String], in folder: String? = nil) throws(RenderError) {
    let place = try TemporaryFiles.makeFolder("etalon-answer")
    defer { TemporaryFiles.remove(place) }
    let process = try ChildProcess("/usr/bin/env", words, folder: folder, output: "\(place)/output", errors: "\(place)/errors")
    guard let ending = process.wait(Self.patience) else {
      process.end()
      throw RenderError(.tryAgain, "'\(words[0])' does not answer", underlying: "nothing came in \(Int(Self.patience)) seconds")
    }
    switch ending {
    case .exit(let code): self.code = code
    case .signal(let number): code = 128 + number
    }
    func read(_ name: String) -> String { (try? String(contentsOfFile: "\(place)/\(name)", encoding: .utf8)) ?? "" }
    (text, errors) = (read("output"), read("errors"))
  }
}
