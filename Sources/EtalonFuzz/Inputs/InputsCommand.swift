import ArgumentParser
import EtalonDiagnostics
import EtalonSystem
import Foundation
import Synchronization

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
  @Flag(help: "Print why inputs were refused or stopped.") var refusals = false

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
    if let worker {
      ParentWatch.begin()
      return try InputWorker(order, slot: worker, patience: patience).run(first..<first + count)
    }
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

// MARK: a campaign

/// Runs inputs in processes of their own, because some end them, and keeps what shows a defect.
struct InputCampaign: Sendable {
  struct Settings: Sendable {
    let source: String
    let output: String
    let count: Int
    let timeLimit: Double?
    let jobs: Int
    let patience: Double
    let executable: String
  }

  /// How many inputs a process runs at most, because what libraries keep grows.
  private static let largestChunk = 1000

  private let order: InputOrder
  private let settings: Settings

  init(_ order: InputOrder, _ settings: Settings) { (self.order, self.settings) = (order, settings) }

  private struct State {
    var next = 0
    var tally = InputTally()
    var failure: (any Error)?
  }

  /// Runs them all.
  ///
  /// - Parameter tell: called with a line for each defect.
  func run(_ tell: @escaping @Sendable (String) -> Void) throws -> InputTally {
    let folder = FileManager.default.temporaryDirectory.appending(path: "etalon-fuzz-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let state = Mutex(State())
    let end = settings.timeLimit.map { ContinuousClock.now + .seconds($0) }
    let count = settings.count
    let chunk = max(1, min(Self.largestChunk, (count + settings.jobs - 1) / settings.jobs))
    let tree = "\(folder)/tree", list = "\(folder)/specimens"
    try FileManager.default.createDirectory(atPath: tree, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try SpecimenTree.make(at: tree, from: settings.source)
    try SpecimenTree(at: tree).write(to: list)
    DispatchQueue.concurrentPerform(iterations: settings.jobs) { job in
      do {
        let slot = InputSlot(folder: "\(folder)/\(job)", tree: tree, list: list, order: order, settings: settings)
        try slot.prepare()
        while end.map({ ContinuousClock.now < $0 }) ?? true {
          let chunk = state.withLock { state -> Range<Int> in
            let begin = state.next
            state.next = min(count, begin + chunk)
            return begin..<state.next
          }
          guard !chunk.isEmpty else { return }
          try slot.run(chunk, until: end) { index, outcome, details in
            let (kind, seed) = order[index]
            guard case .defect(let text) = outcome else { return state.withLock { $0.tally.add(kind, outcome) } }
            let signature = "\(text.prefix(300))\(CrashReport(details).place.map { " at \($0)" } ?? "")"
            let place = try slot.keepDefect(kind, seed, text, details)
            state.withLock { state in
              state.tally.add(kind, outcome)
              state.tally.addDefect(signature, at: place)
            }
            tell("defect: \(kind.rawValue) \(seed): \(signature)")
          }
        }
      } catch {
        state.withLock { $0.failure = error }
      }
    }
    return try state.withLock { state in
      if let failure = state.failure { throw failure }
      return state.tally
    }
  }
}

/// What a process wrote about its end.
struct CrashReport {
  /// The first place in our sources; nil where none is told.
  let place: String?

  init(_ text: String) {
    let lines = text.split(separator: "\n")
    place = lines.lazy.compactMap { line -> String? in
      guard let range = line.range(of: "Sources/"), line.contains(" in ") || line.contains(" at ") else { return nil }
      return line[range.upperBound...].split(separator: " ").first.map(String.init)
    }.first { !$0.hasPrefix("EtalonFuzz/") }
  }
}

/// What became of all inputs of a run.
struct InputTally: Sendable {
  struct Counts: Sendable {
    var ran = 0
    var stopped = 0
    var refused = 0
    var defects = 0
    var missing = 0
    /// How often each reason was given for what was refused or stopped.
    var reasons: [String: Int] = [:]

    var total: Int { ran + stopped + refused + defects }
    var acceptedShare: Double { total == 0 ? 0 : Double(total - refused) / Double(total) }
    /// How many of those that were accepted were stopped before they did what they say.
    var stoppedShare: Double { total == refused ? 0 : Double(stopped) / Double(total - refused) }

    /// Why a kind tests nothing; nil where it does.
    var idleReason: String? {
      if missing > 0 { return "there is nothing to damage" }
      guard total >= InputTally.fewest else { return nil }
      if !InputTally.usefulShares.contains(acceptedShare) { return "\(Self.percent(acceptedShare)) are accepted" }
      return stoppedShare > InputTally.mostStopped ? "\(Self.percent(stoppedShare)) of what is accepted is stopped" : nil
    }

    static func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }
  }

  /// The shares of accepted inputs within which a kind is useful: below them most damage is refused by the reader, above them it changes too little.
  static let usefulShares = 0.2...0.9
  /// The largest share of accepted inputs that may be stopped; above it hardly anything is run to its end.
  static let mostStopped = 0.75
  /// The fewest inputs of a kind from which a share is worked out.
  static let fewest = 40

  private(set) var kinds: [InputKind: Counts] = [:]
  /// Defects of equal signatures: their number, and the place of the first.
  private(set) var defects: [String: (count: Int, first: String)] = [:]

  mutating func add(_ kind: InputKind, _ outcome: InputOutcome?) {
    switch outcome {
    case nil: kinds[kind, default: Counts()].missing += 1
    case .ran: kinds[kind, default: Counts()].ran += 1
    case .stopped(let reason):
      kinds[kind, default: Counts()].stopped += 1
      kinds[kind, default: Counts()].reasons[reason, default: 0] += 1
    case .refused(let reason):
      kinds[kind, default: Counts()].refused += 1
      kinds[kind, default: Counts()].reasons[reason, default: 0] += 1
    case .defect: kinds[kind, default: Counts()].defects += 1
    }
  }

  /// - Parameter signature: what defects of one cause have in common.
  fileprivate mutating func addDefect(_ signature: String, at place: String) { defects[signature, default: (0, place)].count += 1 }

  var defectCount: Int { kinds.values.reduce(0) { $0 + $1.defects } }

  /// The kinds of which too few or too many inputs are accepted, or too few are run to their end, to find anything.
  var idleKinds: [InputKind] { InputKind.allCases.filter { kinds[$0]?.idleReason != nil } }

  func text(withRefusals: Bool) -> String {
    func cell(_ text: String, _ width: Int) -> String { String(repeating: " ", count: max(0, width - text.count)) + text }
    var lines = ["kind         refused     ran stopped defects accepted"]
    for kind in InputKind.allCases {
      guard let counts = kinds[kind] else { continue }
      let share = Counts.percent(counts.acceptedShare)
      lines.append(
        kind.rawValue + String(repeating: " ", count: 12 - kind.rawValue.count)
          + [counts.refused, counts.ran, counts.stopped, counts.defects].map { cell("\($0)", 8) }.joined() + cell(share, 9))
      guard withRefusals else { continue }
      for (reason, count) in counts.reasons.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }).prefix(12) {
        lines.append("             \(cell("\(count)", 7))  \(reason.prefix(120))")
      }
    }
    for kind in InputKind.allCases {
      guard let reason = kinds[kind]?.idleReason else { continue }
      lines.append("a mistake of the fuzzer: '\(kind.rawValue)' tests nothing, \(reason)")
    }
    for (signature, defect) in defects.sorted(by: { ($1.value.count, $0.key) < ($0.value.count, $1.key) }) {
      lines.append("defect: \(signature)\n  \(defect.count) times, first kept in \(defect.first)")
    }
    return lines.joined(separator: "\n")
  }
}

/// What became of a damaged input.
enum InputOutcome: Hashable, Sendable {
  /// It was read and did what it says.
  case ran
  /// It was read and took longer, or more memory, than it may.
  case stopped(String)
  /// It was refused with an error for a person.
  case refused(String)
  /// Etalon did something that it must not do.
  case defect(String)

  /// What an error means.
  init(_ error: any Error) {
    switch error {
    case let error as DiagnosticsError: self = Self.judge(error.diagnostics)
    case let error as RenderError: self = Self.judge(error)
    default: self = .defect("an error that the command cannot tell: \(error)")
    }
  }

  private static func judge(_ diagnostics: [Diagnostic]) -> InputOutcome {
    guard let first = diagnostics.first(where: { $0.severity == .error }) else { return .defect("an error without an error diagnostic") }
    if let own = diagnostics.first(where: { $0.id.hasPrefix("internal.") }) {
      return .defect("a mistake of Etalon's own: \(own.id) \(own.message)")
    }
    if let empty = diagnostics.first(where: { $0.message.isEmpty }) { return .defect("a diagnostic without a message: \(empty.id)") }
    // Printing looks at places, which damage moves.
    guard !DiagnosticPrinter().text(diagnostics).isEmpty, !DiagnosticJSON().text(diagnostics).isEmpty else {
      return .defect("diagnostics that print nothing")
    }
    return .refused(first.id)
  }

  private static func judge(_ error: RenderError) -> InputOutcome {
    guard !error.message.isEmpty, !error.text.isEmpty else { return .defect("an error without a message: \(error.code)") }
    switch error.code {
    case .internalError: return .defect("a mistake of Etalon's own: \(error.message) \(error.underlying ?? "")")
    case .timedOut, .endlessLoop, .outOfMemory: return .stopped(error.code.rawValue)
    default: return .refused(error.code.rawValue)
    }
  }
}

extension InputOutcome {
  /// The word and the text with which a worker tells it.
  var line: String {
    let (word, text) =
      switch self {
      case .ran: ("ran", "")
      case .stopped(let text): ("stopped", text)
      case .refused(let text): ("refused", text)
      case .defect(let text): ("defect", text)
      }
    return "\(word) \(String(decoding: text.utf8.prefix(2000).map { $0 < 0x20 ? 0x20 : $0 }, as: UTF8.self))"
  }

  init?(line: Substring) {
    let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false).map { String($0) }
    let text = parts.count > 1 ? parts[1] : ""
    switch parts[0] {
    case "ran": self = .ran
    case "stopped": self = .stopped(text)
    case "refused": self = .refused(text)
    case "defect": self = .defect(text)
    default: return nil
    }
  }
}
