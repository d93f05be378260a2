import ArgumentParser
import Foundation

/// `etalon-fuzz inputs`: damaged files of every kind, read and run.
struct InputsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inputs", abstract: "Reads damaged files as etalon does, and runs those that are accepted.",
    discussion: """
      etalon-fuzz inputs --seed 1 --count 5000 --kinds png,exr,document --time-limit 600 --output defects

      Every input is made from its kind and its seed alone. A defect is a crash, a mistake of Etalon's own, an error that says nothing, a hang, or memory \
      beyond all bounds; its files are kept, and the command ends with 1.
      """)

  @Option(help: "The seed of the first input; the next has the next number.") var seed: UInt64 = 1
  @Option(help: "How many inputs to run.") var count = 1000
  @Option(
    help: ArgumentHelp(
      "What to damage, separated by commas; all of \(InputKind.allCases.map(\.rawValue).joined(separator: ", ")).", valueName: "kinds"))
  var kinds: String?
  @Option(help: "Seconds after which no more inputs are begun.") var timeLimit: Double?
  @Option(help: "The folder where damaged files are kept that show a defect.") var output = "fuzz-defects"
  @Option(help: "The source tree whose filters, documents and pictures are damaged; else the one that the working folder lies in.")
  var seeds: String?
  @Option(help: "How many processes work at once.") var jobs = 1
  @Option(help: "How many times as long as usual inputs may take, for builds with sanitizers.") var patience = 1.0
  @Flag(help: "Print why inputs were refused.") var refusals = false

  @Flag(help: "Damage no files, to see which specimens are whole.") var whole = false

  @Option(help: .hidden) var worker: String?
  @Option(help: .hidden) var first = 0

  func validate() throws {
    guard count >= 0, jobs >= 1, patience > 0 else { throw ValidationError("'--count', '--jobs' and '--patience' are above zero") }
    _ = try chosenKinds
  }

  private var chosenKinds: [InputKind] {
    get throws {
      guard let kinds else { return InputKind.allCases }
      return try kinds.split(separator: ",").map { word in
        guard let kind = InputKind(rawValue: String(word)) else {
          throw ValidationError("there is no kind '\(word)'; the kinds are \(InputKind.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return kind
      }
    }
  }

  func run() throws {
    let order = InputOrder(kinds: try chosenKinds, seed: seed, isWhole: whole)
    if let worker { return try InputWorker(order, slot: worker).run(first..<first + count) }
    guard let source = seeds ?? SpecimenTree.source(around: FileManager.default.currentDirectoryPath) else {
      throw ValidationError("the working folder lies in no source tree with 'samples' and 'Plugins'; name one with '--seeds'")
    }
    let settings = InputCampaign.Settings(
      source: source, output: output, count: count, timeLimit: timeLimit, jobs: jobs, patience: patience, executable: Self.executable)
    let tally = try InputCampaign(order, settings).run { Self.tell($0) }
    Self.tell(tally.text(withRefusals: refusals))
    if tally.defectCount > 0 { throw ExitCode(1) }
    if !tally.idleKinds.isEmpty { throw ExitCode(70) }
  }

  /// Prints a line at once, because campaigns are watched.
  private static func tell(_ line: String) { try? FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8)) }

  private static var executable: String {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
  }
}

/// Which kind and which seed an input of a run has.
struct InputOrder: Sendable {
  let kinds: [InputKind]
  let seed: UInt64
  /// Whether texts and pictures stay whole, to see what the specimens do.
  var isWhole = false

  subscript(_ index: Int) -> (kind: InputKind, seed: UInt64) { (kinds[index % kinds.count], seed &+ UInt64(index)) }
}
