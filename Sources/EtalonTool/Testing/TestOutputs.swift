import EtalonDiagnostics
import EtalonRegression
import Foundation
import Synchronization

/// Where `etalon test` writes what it found, as its options name it: files, of which one may be standard output.
struct TestOutputs {
  private static let standardOutput = "-"

  private let command: TestCommand

  init(_ command: TestCommand) { self.command = command }

  /// Where pictures go, and the results that approving reads; the usual place where standard output or another stream takes the results.
  var place: ResultsPlace { ResultsPlace(json: hasStream ? nil : command.json) }

  /// Whether the results go to a stream, which cannot be read again and has no folder for files beside it.
  private var hasStream: Bool { command.json.map { $0 == Self.standardOutput || Self.isStream($0) } ?? false }

  /// Whether a path names something that is neither a file nor a folder, such as `/dev/stdout`.
  private static func isStream(_ path: String) -> Bool {
    var information = stat()
    return unsafe stat(path, &information) == 0 && ![S_IFREG, S_IFDIR].contains(information.st_mode & S_IFMT)
  }

  /// The options that standard output is named for.
  private var streams: [String] {
    let options = [("--json", command.json), ("--json-lines", command.jsonLines), ("--junit", command.junit)]
    return options.filter { $0.1 == Self.standardOutput }.map { "'\($0.0) -'" }
  }

  /// Whether standard output takes the results as text for people.
  var printsText: Bool { streams.isEmpty }

  // MARK: before the work is done

  /// Refuses what cannot be written, or would replace files that Etalon did not write.
  func check() throws {
    try checkStreams()
    try place.refuseForeignFile()
    try ResultLines.refuseForeign(command.jsonLines)
    if let junit = command.junit, junit != Self.standardOutput {
      try TextFile.refuseForeign(junit, startingWith: "<?xml", signs: ["<testsuites name=\"etalon\""])
    }
    if let report = command.report {
      try TextFile.refuseForeign(report, startingWith: "<!doctype html>", signs: ["<title>Etalon report</title>"])
    }
  }

  /// Only one text may go to standard output: no program could read several.
  private func checkStreams() throws(UsageError) {
    if command.report == Self.standardOutput {
      throw UsageError("usage.report", "a report is a page with all pictures, and is not printed", help: "type '--report report.html'")
    }
    let all = streams + (command.github && !streams.isEmpty ? ["'--github'"] : [])
    guard all.count > 1 else { return }
    let help = command.github ? "name a file instead of '-'" : "name a file for all but one of them"
    throw UsageError("usage.conflict", "\(all.joined(separator: " and ")) would both be on standard output", help: help)
  }

  // MARK: after it

  /// Writes the results to all the files that the options name, small and quick ones first.
  func write(_ results: TestResults, _ place: ResultsPlace, _ attempts: inout Attempts) {
    let isWanted = command.json != nil && !hasStream || results.needsFile
    let hasFile = isWanted && attempts.attempt { try results.write(to: place.path) }
    if hasStream, let json = command.json { write(results.json, to: json, &attempts) }
    if printsText { StandardOutput.write(TestText(results, place: place, hasFile: hasFile).text) }
    if command.github { StandardOutput.write(GitHubAnnotations(results).text) }
    if let junit = command.junit { write(JUnitReport(results, folder: place.folder).text, to: junit, &attempts) }
    if let report = command.report { attempts.attempt { try HTMLReport.write(results, picturesIn: place.folder, to: report) } }
    place.tidy()
  }

  private func write(_ text: String, to path: String, _ attempts: inout Attempts) {
    if path == Self.standardOutput { return StandardOutput.write(text) }
    attempts.attempt { try TextFile.write(text, to: path) }
  }
}

/// Writes a line of JSON for every case as soon as nothing about it will change, so that a run that is ended leaves the lines of what was done.
///
/// **Concurrency**: usable from every thread; each line is written at once.
final class ResultLines: Sendable {
  private let path: String
  /// Nil for standard output.
  private let file: FileHandle?
  private let failure = Mutex<String?>(nil)

  /// Nil where no lines are asked for.
  ///
  /// - Parameter path: the file, which is emptied when it held lines; `-` for standard output.
  convenience init?(_ path: String?) throws(RenderError) {
    guard let path else { return nil }
    try self.init(path: path)
  }

  private init(path: String) throws(RenderError) {
    self.path = path
    guard path != "-" else {
      file = nil
      return
    }
    try Self.refuseForeign(path)
    try TextFile.makeFolder(of: path)
    guard FileManager.default.createFile(atPath: path, contents: nil), let file = FileHandle(forWritingAtPath: path) else {
      throw RenderError(.cannotWrite, "cannot write '\(path)'", help: ["name a file in a folder that you may write to, or '-'"])
    }
    self.file = file
  }

  /// Refuses to write over a file that holds no lines.
  static func refuseForeign(_ path: String?) throws(RenderError) {
    if let path, path != "-" { try TextFile.refuseForeign(path, keys: ["id", "verdict"]) }
  }

  func write(_ result: some Encodable) {
    let line = JSONText.text(result)
    guard let file else { return StandardOutput.write(line) }
    failure.withLock { failure in
      guard failure == nil else { return }
      do { try file.write(contentsOf: Data(line.utf8)) } catch { failure = error.localizedDescription }
    }
  }

  /// Throws when a line could not be written.
  func close() throws(RenderError) {
    guard let failure = failure.withLock({ $0 }) else { return }
    throw RenderError(.cannotWrite, "cannot write '\(path)'", underlying: failure)
  }
}

/// Does several things, each of them even where another one fails, and remembers what went wrong.
///
/// The results of a long run must not be lost because one of its files cannot be written.
struct Attempts {
  private(set) var failures: [any Error] = []

  /// Whether it was done.
  @discardableResult mutating func attempt(_ body: () throws -> Void) -> Bool {
    do {
      try body()
      return true
    } catch {
      failures.append(error)
      return false
    }
  }

  /// Prints all that went wrong, and gives the code of the first; nil where nothing did.
  func code(_ report: FailureReport) -> Int32? { failures.map { report.exitCode(for: $0).rawValue }.first }
}
