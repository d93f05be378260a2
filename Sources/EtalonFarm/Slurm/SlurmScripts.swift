internal import EtalonDiagnostics

/// Batch scripts for Slurm: an array of chunks, what comes before and behind it, and the script that submits them.
///
/// Each script is complete by itself, because Slurm copies it when it is submitted. Words of the render stand in it as they were typed, and the working folder
/// is that of the person who typed them.
package struct SlurmScripts: Sendable {
  /// The steps of a job, in the order in which they run.
  package enum Step: String, Sendable, Hashable, Codable, CaseIterable {
    case checkpoints, render, video, check
  }

  /// How often a task is begun again that ended with the code 75.
  private static let mostRestarts = 3
  /// How many seconds before its time limit a task is asked to end.
  private static let notice = 10

  private let job: FarmJob
  private let settings: JobSettings
  private let folder: FarmFolder

  package init(_ job: FarmJob, _ settings: JobSettings, in folder: FarmFolder) {
    (self.job, self.settings, self.folder) = (job, settings, folder)
  }

  package var files: [FarmFolder.File] {
    steps.map { .init("\($0.rawValue).sbatch", script($0)) } + [
      .init("submit", submission, isExecutable: true), .init("logs/readme.txt", Self.logs),
    ]
  }

  private static let logs = """
    STEP.log, of chunks render-CHUNK.log: what the command printed. STEP.code: the code that it ended with, which 'etalon farm status' reads.

    """

  /// The steps that the job has.
  private var steps: [Step] {
    let makesVideo = job.outputs.contains(where: \.isVideo)
    return Step.allCases.filter { step in
      switch step {
      case .checkpoints: !job.cut.checkpoints.isEmpty
      case .render, .check: true
      case .video: makesVideo && isCut
      }
    }
  }

  private var isCut: Bool { job.cut.chunks.count > 1 }

  // MARK: a step

  private func script(_ step: Step) -> String {
    let isArray = step == .render && isCut
    let name = "\(step.rawValue)\(isArray ? "-$SLURM_ARRAY_TASK_ID" : "")"
    return ([["#!/bin/bash"], directives(step, isArray: isArray), environment, body(command(step), name: name)].joined()).map { $0 + "\n" }
      .joined()
  }

  private func directives(_ step: Step, isArray: Bool) -> [String] {
    let throttle = settings.slurm.throttle.map { "%\($0)" } ?? ""
    // A percent sign in a path stands for itself where it is doubled.
    let log = folder.path(of: "logs").replacing("%", with: "%%") + "/\(step.rawValue)\(isArray ? "-%a" : "").log"
    let words: [(String, String?)] = [
      ("job-name", "\(job.name)-\(step.rawValue)"), ("array", isArray ? "1-\(job.cut.chunks.count)\(throttle)" : nil),
      ("output", log), ("open-mode", "append"), ("chdir", job.folder), ("ntasks", "1"), ("cpus-per-task", "\(settings.cpus)"),
      ("mem", settings.memory.map { "\($0)M" }), ("gres", settings.gpus > 0 ? "gpu:\(settings.gpus)" : nil),
      ("time", settings.timeLimitText), ("partition", settings.slurm.partition), ("account", settings.slurm.account),
      ("signal", "B:TERM@\(Self.notice)"),
    ]
    let further = ["--requeue"] + settings.slurm.lines
    return words.compactMap { key, value in value.map { "#SBATCH --\(key)=\(Self.directive($0))" } } + further.map { "#SBATCH \($0)" }
  }

  /// A value in a line of `#SBATCH`, which knows quotes and backslashes, but not those of a shell.
  private static func directive(_ value: String) -> String {
    let isPlain = !value.contains { " \t'\"\\#".contains($0) }
    return isPlain ? value : "\"\(value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
  }

  /// What the person who made the job had told Etalon, for clusters that do not hand variables on.
  private var environment: [String] {
    settings.environment.sorted { $0.key < $1.key }.map { "export \($0.key)=\(ShellWord.quoted($0.value))" }
  }

  private func command(_ step: Step) -> String {
    let render = ([settings.command, "render"] + job.command).map(ShellWord.quoted).joined(separator: " ")
    let records = "--resume --records \(ShellWord.quoted(job.records))"
    let checkpoints = job.cut.method == .checkpoints ? " --checkpoints \(ShellWord.quoted(folder.path(of: "checkpoints")))" : ""
    let state = checkpoints + (job.cut.warmUp.map { " --warm-up \($0)" } ?? "")
    switch step {
    case .checkpoints: return "\(render) --only-checkpoints \(job.cut.checkpoints.map(String.init).joined(separator: ","))\(checkpoints)"
    case .render: return "\(render)\(isCut ? " --shard \"$SLURM_ARRAY_TASK_ID/\(job.cut.chunks.count)\"" : "")\(state) \(records)"
    case .video: return "\(render)\(state) \(records)"
    case .check: return "\(ShellWord.quoted(settings.command)) farm verify --job \(ShellWord.quoted(folder.path))"
    }
  }

  /// Runs the command, hands a request to end on to it, notes how it ended, and begins again where that may help.
  private func body(_ command: String, name: String) -> [String] {
    """
    code_file=\(ShellWord.quoted(folder.path(of: "logs")))/"\(name).code"
    rm -f "$code_file"

    \(command) &
    worker=$!
    trap 'kill -TERM "$worker" 2>/dev/null' TERM
    # A signal ends the wait, not the command.
    wait "$worker"
    while kill -0 "$worker" 2>/dev/null; do wait "$worker"; done
    wait "$worker"
    code=$?

    # A device was lost, or memory was short: the same command may work later, and keeps the frames that are there. Slurm ends this script, too.
    if [ "$code" -eq \(ExitCode.tryAgain.rawValue) ] && [ "${SLURM_RESTART_COUNT:-0}" -lt \(Self.mostRestarts) ]; then
      scontrol requeue "${SLURM_ARRAY_JOB_ID:+${SLURM_ARRAY_JOB_ID}_}${SLURM_ARRAY_TASK_ID:-$SLURM_JOB_ID}" && { sleep 60; exit "$code"; }
    fi
    echo "$code" > "$code_file.new" && mv "$code_file.new" "$code_file"
    exit "$code"
    """.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  // MARK: the submission

  private var submission: String {
    var lines = """
      #!/bin/bash
      # Gives the steps of this job to Slurm, each behind the one before it, and notes their numbers in \(FarmFolder.submissionName).
      set -euo pipefail
      cd \(ShellWord.quoted(folder.path))
      if [ -e \(FarmFolder.submissionName) ] && [ "${1:-}" != --again ]; then
        echo "submitted before: $(tr -d '\\n' < \(FarmFolder.submissionName)); to submit once more: $0 --again" >&2
        exit \(ExitCode.usage.rawValue)
      fi
      submitted=()
      trap '[ ${#submitted[@]} -eq 0 ] || scancel "${submitted[@]}"; exit 1' ERR HUP INT TERM

      """
    var before: Step?
    for step in steps {
      let dependency = before.map { " --dependency=afterok:$\($0.rawValue) --kill-on-invalid-dep=yes" } ?? ""
      lines += """
        \(step.rawValue)=$(sbatch --parsable\(dependency) \(step.rawValue).sbatch)
        \(step.rawValue)=${\(step.rawValue)%%;*}
        submitted+=("$\(step.rawValue)")

        """
      before = step
    }
    let members = steps.map { "\"\($0.rawValue)\": %s" }.joined(separator: ", ")
    let numbers = steps.map { "\"$\($0.rawValue)\"" }.joined(separator: " ")
    lines += """
      trap - ERR HUP INT TERM
      printf '{\(members)}\\n' \(numbers) > \(FarmFolder.submissionName).new
      mv \(FarmFolder.submissionName).new \(FarmFolder.submissionName)

      """
    return lines + steps.map { "echo \"\($0.rawValue): $\($0.rawValue)\"\n" }.joined()
  }
}
