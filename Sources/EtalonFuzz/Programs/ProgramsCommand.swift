import ArgumentParser
import EtalonSystem
import Foundation

/// Compares random programs on the devices with the evaluator.
struct ProgramsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "programs", abstract: "Compares random programs on the devices with an evaluator.",
    discussion: """
      Each program has a seed of its own, so that '--seed N --count 1' makes it again. Programs that differ are reduced, printed and, with
      '--output', written to a folder. Ends with 0 where nothing differs and with 1 where something does.
      """)

  /// How many programs a process of its own runs.
  private static let isolatedCount: UInt64 = 200

  @Option(help: "The seed of the first program; the next one has the next number.") var seed: UInt64 = 1
  @Option(help: "How many programs to run.") var count: UInt64 = 1000
  @Option(help: "Where to run them: cpu, vulkan, or both with a comma.") var devices = Devices(usesCPU: true, usesVulkan: false)
  @Option(help: ArgumentHelp("Run only where the name has this in it: 'watched', 'avx2', 'fused', 'tiles'.", valueName: "text"))
  var only: String?
  @Option(help: ArgumentHelp("When to stop, though programs are left.", valueName: "seconds")) var timeLimit: Double?
  @Option(help: ArgumentHelp("Where to write what differs.", valueName: "folder")) var output: String?
  @Flag(inversion: .prefixedNo, help: "Take out of programs that differ what they can do without.") var reduce = true
  @Flag(help: "Run in processes of their own, so that a crash is a difference like any other.") var isolate = false
  @Flag(help: "Print the programs and run nothing.") var list = false
  @Option(help: ArgumentHelp("Keeps the seed that runs, and what came of all.", visibility: .hidden)) var journal: String?

  func validate() throws {
    if count < 1 { throw ValidationError("'--count' is at least 1") }
    if seed.addingReportingOverflow(count).overflow { throw ValidationError("'--seed' and '--count' are too large together") }
    if let timeLimit, !(timeLimit > 0) { throw ValidationError("'--time-limit' is a number of seconds above 0") }
  }

  func run() throws {
    ParentWatch.begin()
    let seeds = seed..<seed + count
    if list {
      for seed in seeds { print("// seed \(seed)\n\(Specimen(seed: seed).text)") }
      return
    }
    let deadline = timeLimit.map { ContinuousClock.now + .seconds($0) }
    let summary = try isolate ? runIsolated(seeds, deadline) : runHere(seeds, deadline)
    if journal == nil {
      print(summary.text)
      if summary.ran < Int(count) { print("stopped by the time limit; the next seed is \(seed + UInt64(summary.ran))") }
    }
    if !summary.differing.isEmpty { throw ExitCode(1) }
  }

  private func runHere(_ seeds: Range<UInt64>, _ deadline: ContinuousClock.Instant?) throws -> Campaign.Summary {
    let trial = try devices.trial(only: only)
    if let name = trial.laboratory.vulkanName, journal == nil { print("Vulkan: \(name)") }
    let journal = try (journal ?? output.map { $0 + "/running" }).map { try Journal(path: $0) }
    let folder = output.map { URL(filePath: $0) }
    var failure: (any Error)?
    let summary = Campaign(trial: trial, reduces: reduce, deadline: deadline).run(seeds) { seed in
      journal?.begin(seed)
      progress(seed, of: seeds)
    } report: { found in
      print(found.report(devices: devices.description))
      do { if let folder { try found.write(to: folder, devices: devices.description) } } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
    try journal?.end(summary, isKept: self.journal != nil)
    return summary
  }

  private func progress(_ seed: UInt64, of seeds: Range<UInt64>) {
    let done = seed - seeds.lowerBound
    guard done > 0, done % 1000 == 0, journal == nil else { return }
    FileHandle.standardError.write(Data("\(done) of \(seeds.count) programs\n".utf8))
  }

  // MARK: Processes

  /// Runs parts of the seeds in processes of their own; where one crashes the next goes on behind the program that it ran.
  private func runIsolated(_ seeds: Range<UInt64>, _ deadline: ContinuousClock.Instant?) throws -> Campaign.Summary {
    let folder = FileManager.default.temporaryDirectory.appending(path: "etalon-fuzz-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let journal = folder.appending(path: "running").path
    var summary = Campaign.Summary()
    var next = seeds.lowerBound
    while next < seeds.upperBound {
      if let deadline, deadline <= .now { break }
      let end = min(next + Self.isolatedCount, seeds.upperBound)
      var arguments = ["programs", "--seed", "\(next)", "--count", "\(end - next)", "--devices", devices.description, "--journal", journal]
      arguments += reduce ? [] : ["--no-reduce"]
      if let output { arguments += ["--output", output] }
      if let only { arguments += ["--only", only] }
      if let deadline {
        let left = ContinuousClock.now.duration(to: deadline).components.seconds
        arguments += ["--time-limit", "\(max(left, 1))"]
      }
      let ended = try ChildProcess.run(arguments)
      if let part = try Journal.summary(path: journal), !ended.isSignal {
        summary.add(part)
        next += UInt64(part.ran)
        if part.ran == 0 { break }
        continue
      }
      guard let crashed = Journal.seed(path: journal), crashed >= next, crashed < end else {
        throw ValidationError("a process ended with \(ended.text) before its first program")
      }
      summary.add(.init(ran: Int(crashed - next) + 1, differing: [crashed]))
      try report(crashOf: crashed, ended, in: folder)
      next = crashed + 1
    }
    return summary
  }

  private func report(crashOf seed: UInt64, _ ended: ChildProcess.Ending, in folder: URL) throws {
    let specimen = Specimen(seed: seed)
    let difference = Difference(kind: .crash, subject: nil, text: "the process ended with \(ended.text)")
    let file = folder.appending(path: "candidate.json")
    // Each candidate is a process: few of them are tried.
    let reduced =
      reduce
      ? Reducer.reduce(specimen, mostTries: 400) { candidate in
        guard (try? JSONEncoder().encode(candidate).write(to: file)) != nil else { return false }
        let end = try? ChildProcess.run(["check", file.path, "--devices", devices.description], isQuiet: true)
        return end?.isSignal ?? false
      } : nil
    let found = Campaign.Found(seed: seed, difference: difference, specimen: specimen, reduced: reduced)
    print(found.report(devices: devices.description))
    if let output { try found.write(to: URL(filePath: output), devices: devices.description) }
  }
}

/// Checks a program that was kept as a file.
struct ProgramCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Compares a program that 'programs --output' wrote once more.")

  @Argument(help: "A file 'seed-N.json'.") var file: String
  @Option(help: "Where to run it: cpu, vulkan, or both with a comma.") var devices = Devices(usesCPU: true, usesVulkan: false)

  func run() throws {
    ParentWatch.begin()
    let specimen = try JSONDecoder().decode(Specimen.self, from: Data(contentsOf: URL(filePath: file)))
    switch try devices.trial().run(specimen) {
    case .alike: print("alike everywhere")
    case .leftOut(let why): print("left out: \(why.rawValue)")
    case .different(let differences):
      print(specimen.text)
      for difference in differences {
        print("\(difference.kind.rawValue) on \(difference.subject?.name ?? "the compiler"): \(difference.text)")
      }
      throw ExitCode(1)
    }
  }
}

/// The devices that programs are compared on, as a list: `cpu,vulkan`.
struct Devices: ExpressibleByArgument, CustomStringConvertible {
  let usesCPU: Bool
  let usesVulkan: Bool

  init(usesCPU: Bool, usesVulkan: Bool) { (self.usesCPU, self.usesVulkan) = (usesCPU, usesVulkan) }

  init?(argument: String) {
    let names = argument.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard names.allSatisfy({ ["cpu", "vulkan"].contains($0) }) else { return nil }
    self.init(usesCPU: names.contains("cpu"), usesVulkan: names.contains("vulkan"))
  }

  var description: String { [usesCPU ? "cpu" : nil, usesVulkan ? "vulkan" : nil].compactMap(\.self).joined(separator: ",") }

  /// Everything that a program is run on there.
  ///
  /// - Parameter part: what the names of subjects have to hold; nil for all of them.
  func trial(only part: String? = nil) throws -> Trial {
    let all = (usesCPU ? Subject.executor : []) + (usesVulkan ? [.vulkan] : [])
    let subjects = part.map { part in all.filter { $0.name.contains(part) } } ?? all
    guard !subjects.isEmpty else {
      throw ValidationError(
        "nothing to run on has '\(part ?? "")' in its name; there are: \(all.map { "'\($0.name)'" }.joined(separator: ", "))")
    }
    return Trial(laboratory: try Laboratory(usesVulkan: usesVulkan), subjects: subjects)
  }
}

// MARK: a campaign

/// Runs programs one after the other, and says what differs.
struct Campaign {
  /// A program that differs.
  struct Found {
    let seed: UInt64
    let difference: Difference
    let specimen: Specimen
    /// The same with all taken out that it can do without; nil where it was not reduced.
    let reduced: Specimen?
  }

  /// What came of some programs.
  struct Summary: Codable, Equatable {
    var ran = 0
    /// How many had no result that is defined to the bit, by the reason.
    var leftOut: [String: Int] = [:]
    /// The seeds of those that differ.
    var differing: [UInt64] = []

    mutating func add(_ other: Summary) {
      ran += other.ran
      leftOut.merge(other.leftOut, uniquingKeysWith: +)
      differing += other.differing
    }

    var text: String {
      var parts = ["\(ran) programs", "\(differing.count) differ"]
      parts += leftOut.sorted { $0.key < $1.key }.map { "\($1) left out (\($0))" }
      return parts.joined(separator: ", ")
    }
  }

  let trial: Trial
  var reduces = true
  /// When to stop; nil for never.
  var deadline: ContinuousClock.Instant?

  /// Runs the programs of some seeds.
  ///
  /// - Parameters:
  ///   - begin: called with each seed before its program runs.
  ///   - report: called with each program that differs.
  func run(_ seeds: Range<UInt64>, begin: (UInt64) -> Void = { _ in }, report: (Found) -> Void) -> Summary {
    var summary = Summary()
    for seed in seeds {
      if let deadline, deadline <= .now { break }
      begin(seed)
      summary.ran += 1
      let specimen = Specimen(seed: seed)
      switch trial.run(specimen) {
      case .alike: break
      case .leftOut(let why): summary.leftOut[why.rawValue, default: 0] += 1
      case .different(let differences):
        summary.differing.append(seed)
        // The first difference of each kind: the others of that kind are the same on other instruction sets.
        var kinds: Set<String> = []
        for difference in differences where kinds.insert(difference.signature).inserted {
          let reduced = reduces ? trial.reduced(specimen, difference) : nil
          report(Found(seed: seed, difference: difference, specimen: specimen, reduced: reduced))
        }
      }
    }
    return summary
  }
}

extension Campaign.Found {
  /// What a person needs to see it again.
  func report(devices: String) -> String {
    let small = reduced ?? specimen
    return """
      seed \(seed): \(difference.kind.rawValue) on \(difference.subject?.name ?? "the compiler")
      \(difference.text)
      again: etalon-fuzz programs --seed \(seed) --count 1 --devices \(devices)
      \(reduced == nil ? "the program" : "reduced to \(small.statementCount) statements"):

      \(small.text)
      """
  }

  /// Writes the report, both programs as GLSL, and the smaller one as it can be checked again.
  func write(to folder: URL, devices: String) throws {
    let name = "seed-\(seed)" + (difference.kind == .wrongWord ? "" : "-" + difference.kind.rawValue.replacing(" ", with: "-"))
    let files: [(String, Data)] = [
      ("\(name).txt", Data(report(devices: devices).utf8)),
      ("\(name)-whole.comp", Data(specimen.text.utf8)),
      ("\(name).comp", Data((reduced ?? specimen).text.utf8)),
      ("\(name).json", try JSONEncoder().encode(reduced ?? specimen)),
    ]
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (name, data) in files { try data.write(to: folder.appending(path: name), options: .atomic) }
  }
}

/// The seed of the program that runs, in a file that outlives a crash.
private final class Journal {
  private let path: String
  private let file: FileHandle

  init(path: String) throws {
    self.path = path
    let folder = URL(filePath: path).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try? FileManager.default.removeItem(atPath: path + ".summary")
    try Data().write(to: URL(filePath: path))
    file = try FileHandle(forWritingTo: URL(filePath: path))
  }

  /// Notes the seed whose program is going to run.
  func begin(_ seed: UInt64) {
    // All digits, so that a shorter number covers a longer one.
    let digits = String(seed)
    try? file.seek(toOffset: 0)
    try? file.write(contentsOf: Data((String(repeating: "0", count: 20 - digits.count) + digits + "\n").utf8))
  }

  /// Notes what came of all programs.
  ///
  /// - Parameter isKept: whether another process reads it; the journal is removed otherwise.
  func end(_ summary: Campaign.Summary, isKept: Bool) throws {
    try file.close()
    if isKept {
      try JSONEncoder().encode(summary).write(to: URL(filePath: path + ".summary"))
    } else {
      try FileManager.default.removeItem(atPath: path)
    }
  }

  /// The seed in the journal of a process that ended; nil where it began none.
  static func seed(path: String) -> UInt64? {
    (try? String(contentsOfFile: path, encoding: .utf8)).flatMap { UInt64($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
  }

  /// What came of the programs of a process; nil where it did not come to its end.
  static func summary(path: String) throws -> Campaign.Summary? {
    guard let data = FileManager.default.contents(atPath: path + ".summary") else { return nil }
    return try JSONDecoder().decode(Campaign.Summary.self, from: data)
  }
}

extension ChildProcess {
  /// Runs this command once more, as another process, to its end.
  fileprivate static func run(_ arguments: [String], isQuiet: Bool = false) throws -> Ending {
    let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().path, nowhere = isQuiet ? "/dev/null" : nil
    // A backtrace takes seconds for each crash.
    let process = try ChildProcess(program, arguments, environment: ["SWIFT_BACKTRACE": "enable=no"], output: nowhere, errors: nowhere)
    while true { if let ending = process.wait(60) { return ending } }
  }
}

extension ChildProcess.Ending {
  /// `signal 11`, `exit 1`.
  var text: String {
    switch self {
    case .exit(let code): "exit \(code)"
    case .signal(let number): "signal \(number)"
    }
  }

  /// Whether a signal killed the process.
  fileprivate var isSignal: Bool { if case .signal = self { true } else { false } }
}
