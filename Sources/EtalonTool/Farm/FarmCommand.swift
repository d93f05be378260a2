import ArgumentParser
import Etalon
import EtalonDiagnostics
import EtalonFarm
import Foundation

/// `etalon farm`: a render becomes a job for many machines, and what they made is checked.
struct FarmCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "farm",
    abstract: "Makes a job for many machines of a render, tells how far it is, and checks what they made.",
    discussion: """
      etalon farm openjd jobs/turn photo.png 'hue-rotate angle=(30*time)' -r 24 --frames 0-239 -o 'out/turn.####.png'
      etalon farm slurm jobs/turn photo.png 'hue-rotate angle=(30*time)' -r 24 --frames 0-239 -o 'out/turn.####.png' --submit
      etalon farm status jobs/turn
      etalon farm verify --job jobs/turn
      """,
    subcommands: [FarmOpenJDCommand.self, FarmSlurmCommand.self, FarmStatusCommand.self, FarmVerifyCommand.self])
}

/// How a job is cut, and what its tasks ask of machines.
struct JobOptions: ParsableArguments {
  @Argument(help: ArgumentHelp("The folder of the job: a new one, or that of an earlier job.", valueName: "job"))
  var job: String

  @Option(
    help: ArgumentHelp(
      "Where the shot is cut: auto; frames, anywhere; checkpoints, after one task brought forward what frames remember; warm-up=N, where N frames before a chunk are enough; whole, nowhere.",
      valueName: "method"))
  var cut: String = "auto"

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Frames of a chunk. Default: so many that there are four chunks for each of the workers.", valueName: "frames"))
  var chunk: String?

  @Option(parsing: .unconditional, help: ArgumentHelp("How many machines will work. Default: 8.", valueName: "number"))
  var workers: String?

  @Option(help: ArgumentHelp("What the job is called. Default: as its folder.", valueName: "name"))
  var name: String?

  @Option(parsing: .unconditional, help: ArgumentHelp("Processors of a task. Default: 1.", valueName: "number"))
  var cpus: String?

  @Option(help: ArgumentHelp("Memory of a task: 512M, 4G.", valueName: "memory"))
  var memory: String?

  @Option(parsing: .unconditional, help: ArgumentHelp("Graphics units of a task. Default: 0.", valueName: "number"))
  var gpus: String?

  @Option(help: ArgumentHelp("The longest that a task may take: 02:00:00, 1-12:00:00.", valueName: "time"))
  var timeLimit: String?

  @Option(
    name: .customLong("command"),
    help: ArgumentHelp("The command that machines run. Default: of Slurm the path of this one, of OpenJD etalon.", valueName: "path"))
  var executable: String?

  /// - Parameter standard: the command where none was said.
  func settings(command standard: String) throws -> JobSettings {
    let folder = FarmFolder(job).path.split(separator: "/").last.map(String.init) ?? "etalon"
    var settings = JobSettings(name: name ?? folder, command: executable ?? standard)
    settings.cpus = try number("--cpus", cpus, from: 1) ?? 1
    settings.gpus = try number("--gpus", gpus, from: 0) ?? 0
    if let text = memory {
      guard let memory = JobSettings.memory(text) else { throw Self.refusal("--memory", text, "an amount of memory", "4G") }
      settings.memory = memory
    }
    if let text = timeLimit {
      guard let seconds = JobSettings.seconds(text) else {
        throw Self.refusal("--time-limit", text, "hours, minutes and seconds", "02:00:00")
      }
      settings.timeLimit = seconds
    }
    for (option, text) in [("--name", settings.name), ("--command", settings.command)] {
      guard !text.isEmpty, !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
        throw UsageError("usage.farm", "'\(option)' is empty or has characters that move a cursor", help: "type '\(option) etalon'")
      }
    }
    for path in [FarmFolder(job).path, FileManager.default.currentDirectoryPath]
    where path.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
      throw UsageError(
        "usage.farm", "the folder '\(path.onOneLine)' has characters that move a cursor, which scripts of schedulers cannot hold",
        help: "rename it")
    }
    let variables = ProcessInfo.processInfo.environment
    for name in ["ETALON_PATH", "XDG_CACHE_HOME"] { settings.environment[name] = variables[name] }
    return settings
  }

  func wish() throws -> JobCut.Wish {
    guard let wish = JobCut.Wish(cut) else {
      throw Self.refusal("--cut", cut, "auto, frames, checkpoints, warm-up=N or whole", "checkpoints")
    }
    return wish
  }

  func lengths() throws -> JobCut.Lengths {
    JobCut.Lengths(chunk: try number("--chunk", chunk, from: 1), workers: try number("--workers", workers, from: 1) ?? 8)
  }

  /// A whole number of an option, up to a million.
  func number(_ option: String, _ text: String?, from least: Int) throws -> Int? {
    guard let text else { return nil }
    guard let number = Int(text), (least...1_000_000).contains(number) else {
      throw Self.refusal(option, text, "a whole number from \(least) on", "\(max(least, 4))")
    }
    return number
  }

  private static func refusal(_ option: String, _ text: String, _ expected: String, _ example: String) -> UsageError {
    let error = OptionText(option, text).error(
      "usage.farm", "expected \(expected), found '\(text)'", "not understood", help: ["type '\(option) \(example)'"])
    return UsageError(diagnostics: error.diagnostics)
  }
}

/// `etalon farm openjd`: a job bundle of Open Job Description.
struct FarmOpenJDCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "openjd",
    abstract: "Writes a job bundle of Open Job Description, for its workers and for AWS Deadline Cloud.",
    discussion: """
      etalon farm openjd jobs/turn photo.png 'hue-rotate angle=(30*time)' -r 24 --frames 0-239 -o 'out/turn.####.png'
      openjd run jobs/turn/template.json --job-param file://jobs/turn/parameters.json

      Behind the folder stand the words of 'etalon render'. Parameters of the filter become parameters of the job.
      """)

  @OptionGroup(title: "Job") var options: JobOptions
  @OptionGroup var command: RenderCommand

  func run() throws {
    try FarmRun(command: command, options: options, standardCommand: "etalon", namesLibraries: true).run { preparation in
      let (job, settings, folder) = (preparation.job(.openjd), preparation.settings, preparation.folder)
      let bundle = try OpenJDBundle(job, preparation.task(), settings)
      try folder.write(job, bundle.files)
      preparation.report.print(bundle.notes)
      var words = ["openjd", "run", folder.path(of: "template.json"), "--job-param", "file://" + folder.path(of: "parameters.json")]
      // Workers have the command on their path; this machine may not.
      if options.executable == nil, try ToolAnswer([settings.command, "--version"]).code == 127 {
        words += ["--job-param", "Etalon=\(preparation.executable)"]
      }
      StandardOutput.write(job.text + "run here: \(words.map(ShellWord.quoted).joined(separator: " "))\n")
    }
  }
}

/// `etalon farm slurm`: batch scripts for Slurm.
struct FarmSlurmCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "slurm",
    abstract: "Writes batch scripts for Slurm, and submits them with --submit.",
    discussion: """
      etalon farm slurm jobs/turn photo.png 'hue-rotate angle=(30*time)' -r 24 --frames 0-239 -o 'out/turn.####.png'
      jobs/turn/submit

      Behind the folder stand the words of 'etalon render'. Nodes need the working folder, the job's folder, and what is read and written under the same paths.
      """)

  @OptionGroup(title: "Job") var options: JobOptions

  @Flag(help: "Submit the job.")
  var submit = false

  @Option(parsing: .unconditional, help: ArgumentHelp("How many chunks may run at once.", valueName: "number"))
  var throttle: String?

  @Option(help: ArgumentHelp("The partition.", valueName: "name"))
  var partition: String?

  @Option(help: ArgumentHelp("Who is charged.", valueName: "name"))
  var account: String?

  @Option(
    parsing: .unconditionalSingleValue, help: ArgumentHelp("Further words of #SBATCH; may be repeated.", valueName: "'--nice=100'"))
  var sbatch: [String] = []

  @OptionGroup var command: RenderCommand

  func run() throws {
    try FarmRun(command: command, options: options).run { preparation in
      let (job, folder) = (preparation.job(.slurm), preparation.folder)
      var settings = preparation.settings
      settings.slurm.throttle = try options.number("--throttle", throttle, from: 1)
      (settings.slurm.partition, settings.slurm.account, settings.slurm.lines) = (partition, account, sbatch)
      for word in [partition, account].compactMap(\.self) + sbatch where word.contains(where: \.isNewline) {
        throw UsageError("usage.farm", "'\(word.onOneLine)' has several lines", help: "type '--sbatch' once for each")
      }
      try folder.write(job, SlurmScripts(job, settings, in: folder).files)
      StandardOutput.write(job.text)
      let script = folder.path(of: "submit")
      guard submit else { return StandardOutput.write("submit it: \(ShellWord.quoted(script))\n") }
      let answer = try ToolAnswer([script])
      StandardOutput.write(answer.text)
      guard answer.code != 0 else { return }
      let reason = answer.errors.split(separator: "\n").last.map(String.init) ?? "it ended with the code \(answer.code)"
      throw RenderError(
        answer.code == 127 ? .noDevice : .cannotWrite, "cannot submit the job", operation: script, underlying: reason,
        help: answer.code == 127
          ? ["submit it on a machine that has Slurm's commands: \(ShellWord.quoted(script))"]
          : ["the job is written: type this command again, corrected, or correct its scripts and type \(ShellWord.quoted(script))"])
    }
  }
}
