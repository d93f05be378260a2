import EtalonSystem
import Foundation

/// A folder with a tree of specimens, and the processes that use it one after the other.
struct InputSlot {
  /// The most that the memory of a process may grow for one input, in KiB: 1.5 GiB.
  private static let mostMemory = 3 << 19
  /// The memory at which a process is ended, so that the machine does not run out of it.
  private static let deadlyMemory = 4 << 20

  let folder: String
  /// The tree of specimens that every slot begins with, and their list.
  let tree: String
  let list: String
  let order: InputOrder
  let settings: InputCampaign.Settings

  /// Called with the number of an input, what became of it (nil where there is nothing of its kind), and what its process wrote.
  typealias Report = (_ index: Int, _ outcome: InputOutcome?, _ details: String) throws -> Void

  private var errorFile: String { "\(folder)/errors" }

  /// Makes the tree, in the place of one that a process left.
  func prepare() throws {
    try? FileManager.default.removeItem(atPath: folder)
    for name in ["scratch", "cache"] {
      try FileManager.default.createDirectory(
        atPath: "\(folder)/\(name)", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
    try SpecimenTree.link(tree, to: "\(folder)/tree")
    try FileManager.default.copyItem(atPath: list, toPath: "\(folder)/specimens")
  }

  /// Runs inputs in as many processes as it takes.
  func run(_ indexes: Range<Int>, until end: ContinuousClock.Instant?, _ report: Report) throws {
    var begin = indexes.lowerBound
    while begin < indexes.upperBound, end.map({ ContinuousClock.now < $0 }) ?? true {
      var process = try InputProcess(arguments(begin..<indexes.upperBound), settings.executable, folder: folder, errorFile: errorFile)
      let (next, open) = try follow(&process, from: begin, until: end, report)
      begin = next
      guard let open else { continue }
      try report(next - 1, open, errors)
      // It may have left damaged files in the tree.
      try prepare()
    }
  }

  private func arguments(_ indexes: Range<Int>) -> [String] {
    [
      "inputs", "--worker", folder, "--seed", "\(order.seed)", "--first", "\(indexes.lowerBound)", "--count", "\(indexes.count)", "--kinds",
      order.kinds.map(\.rawValue).joined(separator: ","),
      "--patience", "\(settings.patience)",
    ] + (order.isWhole ? ["--whole"] : [])
  }

  private var errors: String {
    String(decoding: (FileManager.default.contents(atPath: errorFile) ?? Data()).prefix(1 << 16), as: UTF8.self)
  }

  /// Follows a process to its end; returns the number of the input behind the last one, and what became of that where it ended the process.
  private func follow(
    _ process: inout InputProcess, from first: Int, until end: ContinuousClock.Instant?, _ report: Report
  ) throws -> (next: Int, open: InputOutcome?) {
    var next = first, running: Int?, since = ContinuousClock.now, cpu = 0.0
    while true {
      let (lines, hasEnded) = process.lines(within: 0.1)
      for line in lines {
        let words = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
        guard words.count > 1, let index = Int(words[1]) else { continue }
        if words[0] == "b" {
          (running, since, cpu) = (index, .now, process.cpuSeconds)
          next = index + 1
        } else if words.count == 4 {
          running = nil
          let outcome = InputOutcome(line: words[3])
          let growth = Int(words[2]) ?? 0
          let tooMuch = InputOutcome.defect("an input took more than 1.5 GiB of memory")
          try report(index, growth > Self.mostMemory && outcome != nil ? tooMuch : outcome, "\(growth >> 10) MiB")
        }
      }
      if hasEnded {
        let ending = process.failure
        guard running != nil else {
          guard ending == nil else {
            throw CocoaError(.executableLoad, userInfo: [NSLocalizedDescriptionKey: "a worker failed: \(ending ?? "") \(errors)"])
          }
          return (next, nil)
        }
        return (next, .defect("the process ended: \(ending ?? "it stopped by itself")"))
      }
      guard let running else { continue }
      let limit = Self.seconds(order[running].kind) * settings.patience
      // The limit on wall-clock time is longer: a process that waits uses no processor time, and one on a busy machine little.
      let isLate = process.cpuSeconds - cpu > limit || ContinuousClock.now - since > .seconds(limit * 8)
      if isLate { return (next, .defect("no end within \(limit) s: \(process.end(told: true))")) }
      if process.memory > Self.deadlyMemory {
        return (next, .defect("an input took more than 4 GiB of memory: \(process.end(told: true))"))
      }
      if let end, ContinuousClock.now > end + .seconds(30) {
        _ = process.end(told: false)
        return (Int.max, nil)
      }
    }
  }

  /// How long an input may take: what it may by itself, compiling and a frame at a time, and two seconds.
  private static func seconds(_ kind: InputKind) -> Double {
    let renders = kind == .testCase ? 12 : [.cache, .checkpoint, .sidecar].contains(kind) ? 3 : 1
    return InputTrial.usualTimeout * Double(renders * (InputTrial.mostFrames + 1)) + 2
  }

  /// Keeps the files of the current input, and says where.
  func keepDefect(_ kind: InputKind, _ seed: UInt64, _ text: String, _ details: String) throws -> String {
    let place = "\(settings.output)/\(kind.rawValue)-\(seed)"
    try? FileManager.default.removeItem(atPath: place)
    try FileManager.default.createDirectory(atPath: settings.output, withIntermediateDirectories: true)
    if FileManager.default.fileExists(atPath: "\(folder)/kept") {
      try FileManager.default.copyItem(atPath: "\(folder)/kept", toPath: place)
    } else {
      try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    }
    let note = """
      \(text)

      The damaged files lie here as in the source tree. Again:

        etalon-fuzz inputs --kinds \(kind.rawValue) --seed \(seed) --count 1

      \(details)
      """
    try Data(note.utf8).write(to: URL(filePath: "\(place)/defect.txt"))
    return place
  }
}

/// A process that runs inputs.
struct InputProcess {
  private let process: ChildProcess
  private var output: GrowingLines
  private var ending: ChildProcess.Ending?

  init(_ arguments: [String], _ executable: String, folder: String, errorFile: String) throws {
    // A crash says where it happened; caches and libraries of the user stay out of it.
    let additions = [
      "XDG_CACHE_HOME": "\(folder)/cache", "XDG_DATA_HOME": "\(folder)/cache", "ETALON_PATH": nil,
      "SWIFT_BACKTRACE": "enable=yes,interactive=no,color=no,threads=crashed,registers=none,images=none,limit=24,sanitize=no,timeout=60s",
    ]
    let outputFile = "\(folder)/lines"
    process = try ChildProcess(executable, arguments, environment: additions, output: outputFile, errors: errorFile)
    output = GrowingLines(path: outputFile)
  }

  /// The whole lines that it printed since it was asked last, and whether there will be no more.
  mutating func lines(within seconds: Double) -> (lines: [String], hasEnded: Bool) {
    ending = process.wait(seconds)
    return (output.next().map { String(decoding: $0, as: UTF8.self) }, ending != nil)
  }

  /// How it ended; nil for well, and for a process that runs.
  var failure: String? { ending.flatMap { $0 == .exit(0) ? nil : $0.text } }

  /// Ends it, and says how it did.
  ///
  /// - Parameter told: whether it shall say first where it is.
  mutating func end(told: Bool) -> String {
    if told {
      process.abort()
      _ = process.wait(60)
    }
    process.end()
    ending = process.wait(0)
    return failure ?? "it ended"
  }

  /// Seconds of the processor that it took so far.
  var cpuSeconds: Double {
    // The name of the program, in parentheses, may hold anything.
    guard let words = numbers("stat", after: ")"), words.count > 12, let user = Double(words[11]), let system = Double(words[12]) else {
      return 0
    }
    return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  /// Memory in use, in KiB.
  var memory: Int {
    numbers("statm", after: "").flatMap { $0.count > 1 ? Int($0[1]) : nil }.map { $0 * sysconf(Int32(_SC_PAGESIZE)) >> 10 } ?? 0
  }

  private func numbers(_ name: String, after mark: String) -> [Substring]? {
    guard let data = FileManager.default.contents(atPath: "/proc/\(process.number)/\(name)") else { return nil }
    let text = String(decoding: data, as: UTF8.self)
    let start = mark.isEmpty ? text.startIndex : text.range(of: mark, options: .backwards)?.upperBound ?? text.startIndex
    return text[start...].split(separator: " ")
  }
}

// MARK: the process

/// Runs inputs one after the other in this process, and tells when one begins and what became of it.
///
/// The lines are `b INDEX` and `e INDEX KIBIBYTES OUTCOME`; the second is missing where an input ended the process.
struct InputWorker {
  private let order: InputOrder
  private let slot: String
  private let patience: Double
  private let tree: SpecimenTree
  private let lines: FileHandle

  /// - Parameters:
  ///   - slot: a folder with the tree of specimens in `tree` and their list in `specimens`; the files of the current input go to `kept`.
  ///   - patience: how many times as long as usual inputs may take.
  init(_ order: InputOrder, slot: String, patience: Double) throws {
    (self.order, self.slot, self.patience) = (order, slot, patience)
    tree = try SpecimenTree(at: "\(slot)/tree", list: "\(slot)/specimens")
    // What libraries print must not stand between the lines.
    lines = FileHandle(fileDescriptor: dup(STDOUT_FILENO), closeOnDealloc: true)
    dup2(STDERR_FILENO, STDOUT_FILENO)
    guard FileManager.default.changeCurrentDirectoryPath(tree.root) else { throw CocoaError(.fileNoSuchFile) }
  }

  func run(_ indexes: Range<Int>) throws {
    for index in indexes {
      let (kind, seed) = order[index]
      let kept = "\(slot)/kept"
      try? FileManager.default.removeItem(atPath: kept)
      write("b \(index)\n")
      ProcessMemory.resetPeak()
      let before = ProcessMemory.now
      let outcome = outcome(kind, seed, kept)
      write("e \(index) \(max(0, ProcessMemory.peak - before)) \(outcome?.line ?? "missing ")\n")
    }
  }

  private func outcome(_ kind: InputKind, _ seed: UInt64, _ kept: String) -> InputOutcome? {
    do {
      guard let (input, dice) = try tree.input(kind, seed: seed, isWhole: order.isWhole) else { return nil }
      let timeout = InputTrial.usualTimeout * patience
      var trial = InputTrial(input: input, dice: dice, scratch: "\(slot)/scratch", timeout: timeout) { path, bytes in
        let place = URL(filePath: "\(kept)/\(path.hasPrefix("/") ? String(path.split(separator: "/").last ?? "file") : path)")
        try? FileManager.default.createDirectory(at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
        try? Data(bytes).write(to: place)
      }
      return trial.run()
    } catch {
      return .defect("the fuzzer cannot make the input: \(error)")
    }
  }

  private func write(_ line: String) { try? lines.write(contentsOf: Data(line.utf8)) }
}

/// The memory of this process, in KiB.
enum ProcessMemory {
  static func resetPeak() { try? Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs")) }

  static var now: Int { field("VmRSS:") }
  static var peak: Int { field("VmHWM:") }

  private static func field(_ name: String) -> Int {
    guard let file = FileHandle(forReadingAtPath: "/proc/self/status"), let data = try? file.readToEnd() else { return 0 }
    let line = String(decoding: data, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix(name) }
    return line.flatMap { $0.split(whereSeparator: { !$0.isNumber }).first }.flatMap { Int($0) } ?? 0
  }
}
