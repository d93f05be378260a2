import ArgumentParser
import Etalon
import EtalonComparison
import EtalonDiagnostics
import EtalonMedia
import EtalonRegression
import EtalonTypes
import Foundation

/// `etalon compare`: how two pictures, folders or sequences differ, and whether that is within a tolerance.
struct CompareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Tells how pictures differ from references, and where; ends with 1 when they differ more than they may.",
    discussion: """
      etalon compare new.png old.png
      etalon compare new.png old.png --tolerance channel=2 --tolerance outliers=0.1%
      etalon compare 'out/s.####.png' 'old/s.####.png' --false-color 'where.####.png'
      etalon compare out references --metrics ssim,flip --json
      etalon compare on-gpu references --propose > tolerance.yaml

      The keys of --tolerance: \(ToleranceText.keys)
      """)

  @Argument(help: ArgumentHelp("A picture, a folder of pictures, or a sequence such as 'shot.####.png'.", valueName: "actual"))
  var actual: String

  @Argument(help: ArgumentHelp("What it should look like: of the same kind.", valueName: "reference"))
  var reference: String

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("A limit: key=value, key.warn=value. May be repeated. Without any, pictures must be equal.", valueName: "key=value"))
  var tolerance: [String] = []

  @Option(help: ArgumentHelp("A JSON or YAML file with limits, as test cases have them.", valueName: "file"))
  var toleranceFile: String?

  @Option(
    help: ArgumentHelp("More to measure: relative, ulp, emd, ssim, ssimGaussian, oklab, shift, flip, noise, or all.", valueName: "names"))
  var metrics: String?

  @Option(help: ArgumentHelp("The differences of color, 16 times as bright, to be written.", valueName: "file.png"))
  var difference: String?

  @Option(help: ArgumentHelp("The differences of alpha, 16 times as bright, to be written.", valueName: "file.png"))
  var alphaDifference: String?

  @Option(help: ArgumentHelp("The largest difference of each pixel as a color, to be written.", valueName: "file.png"))
  var falseColor: String?

  @Option(help: ArgumentHelp("How visible the difference is at each pixel, by FLIP, to be written.", valueName: "file.png"))
  var flipMap: String?

  @Flag(help: "Let those pictures replace files that Etalon did not write.")
  var overwrite = false

  @Flag(help: "Print everything that was measured, as JSON.")
  var json = false

  @Flag(
    help: "Print the tightest tolerance with which all of these pictures would pass, with room for a quarter more, and what was measured.")
  var propose = false

  @Flag(help: "End with 1 when a limit to warn at is exceeded, too.")
  var warningsAsErrors = false

  func run() throws {
    let report = FailureReport(format: .text)
    let code: EtalonDiagnostics.ExitCode
    do { code = try compare() } catch { code = report.exitCode(for: error) }
    if code != .success { throw ArgumentParser.ExitCode(code.rawValue) }
  }

  private func compare() throws -> EtalonDiagnostics.ExitCode {
    let limits = try ToleranceText(options: tolerance, file: toleranceFile)
    let tolerance = try limits.tolerance()
    let metrics = try MetricNames.read(metrics)
    let pairs = try PicturePairs(actual, reference)
    if propose { return try ToleranceProposals(pairs, isJSON: json).print() }
    let pictures = try ComparisonPictures(self, kind: pairs.kind)
    var comparer = SequenceComparer(tolerance: tolerance, metrics: metrics)
    pairs.missing.forEach { comparer.addMissing($0) }
    pairs.unexpected.forEach { comparer.addUnexpected($0) }
    let reader = PictureReader()
    for pair in pairs.pairs {
      let (actual, reference) = try (reader.read(path: pair.actual), reader.read(path: pair.reference))
      try limits.check(for: actual, reference)
      comparer.add(pair.name, actual, reference)
      try pictures.write(pair, actual, reference, tolerance)
    }
    let result = comparer.result
    StandardOutput.write(json ? try ComparisonJSON(pairs, result).text : ComparisonText(pairs, result).text)
    return result.verdict.isFailure || (warningsAsErrors && result.verdict == .warn) ? .picturesDiffer : .success
  }
}

/// The names of `--metrics`.
enum MetricNames {
  static func read(_ text: String?) throws(UsageError) -> Set<ComparisonMetric> {
    guard let text else { return [] }
    if text == "all" { return Set(ComparisonMetric.allCases) }
    var metrics: Set<ComparisonMetric> = []
    for name in text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
      guard let metric = ComparisonMetric(rawValue: name) else {
        let names = ComparisonMetric.allCases.map(\.rawValue)
        let help =
          NearestName.find(name, in: names).map { "did you mean '\($0)'?" } ?? "the metrics are \(names.joined(separator: ", ")), and all"
        throw UsageError("usage.metric", "there is no metric '\(name)'", help: help)
      }
      metrics.insert(metric)
    }
    return metrics
  }
}

// MARK: tolerances

/// The limits that a command line names, in options and in a file; what is wrong with them is told at its place.
private struct ToleranceText {
  private let settings: ToleranceSettings
  private let isExact: Bool
  private let file: ToleranceLeaves?
  /// The options by their keys.
  private let options: [String: String]

  /// Reads the texts; what they mean is checked by `tolerance()`.
  init(options: [String], file path: String?) throws {
    file = try path.map { path in try ToleranceLeaves(SourceText(path: path, bytes: FileReader.bytes(of: path, limit: 1 << 20))) }
    var texts = file?.texts ?? [:]
    var named: [String: String] = [:]
    for option in options {
      let text = OptionText("--tolerance", option)
      let (key, value): (String, String)
      do throws(DiagnosticsError) {
        (key, value) = try text.assignment(example: "channel=2")
        try text.refuseRepetition(of: key, in: named.keys)
      } catch { throw UsageError(diagnostics: error.diagnostics) }
      (texts[key], named[key]) = (value, option)
    }
    self.options = named
    settings = ToleranceSettings(texts)
    isExact = texts.isEmpty
  }

  /// The keys as the help of the command lists them.
  static let keys: String =
    ToleranceSettings.keys.filter { key in
      ![".warn", ".fail"].contains { key.hasSuffix($0) } && !key.hasPrefix("alpha.")
    }.joined(separator: ", ") + ", and alpha. before those of channels."

  /// The tolerance; equality when nothing is limited.
  ///
  /// What it cannot say of any pictures is thrown.
  func tolerance() throws -> Tolerance {
    let (tolerance, diagnostics) = settings.read()
    guard diagnostics.isEmpty else { throw error(diagnostics) }
    return isExact ? .exact : tolerance
  }

  /// Throws what the tolerance cannot say of two pictures.
  func check(for actual: PixelBuffer, _ reference: PixelBuffer) throws {
    let size = actual.size == reference.size ? reference.size : nil
    let diagnostics = settings.read(comparing: [ChannelKind(actual, reference)], size: size).diagnostics
    if !diagnostics.isEmpty { throw error(diagnostics) }
  }

  private func error(_ diagnostics: [ToleranceDiagnostic]) -> any Error {
    let diagnostics = diagnostics.map { found in option(found) ?? file?.diagnostic(found) ?? found.diagnostic(label: nil) }
    return file == nil ? UsageError(diagnostics: diagnostics) : DiagnosticsError(diagnostics)
  }

  /// The diagnostic in the option that has the key, its record, or a part of it.
  private func option(_ found: ToleranceDiagnostic) -> Diagnostic? {
    let keys = options.keys.sorted { ($0.count, $1) > ($1.count, $0) }
    let key =
      keys.first { $0 == found.key } ?? keys.last { $0.hasPrefix(found.key + ".") } ?? keys.first { found.key.hasPrefix($0 + ".") }
    guard let key, let option = options[key] else { return nil }
    let value = key.utf8.count + 1..<option.utf8.count
    return found.diagnostic(
      label: .init(SourceText(path: "--tolerance", text: option), found.part == .key ? 0..<key.utf8.count : value, found.label))
  }
}

/// What `etalon compare --propose` prints: a tolerance for `--tolerance-file`, with what was measured.
private struct ToleranceProposals {
  private let pairs: PicturePairs
  private let isJSON: Bool
  private let reader = PictureReader()

  init(_ pairs: PicturePairs, isJSON: Bool) { (self.pairs, self.isJSON) = (pairs, isJSON) }

  /// Measures all pairs; frames that one side lacks, and sizes that differ, cannot be tolerated.
  func print() throws -> EtalonDiagnostics.ExitCode {
    if let name = pairs.missing.first ?? pairs.unexpected.first {
      throw RenderError(
        .invalidInput, "only one side has '\(name)', which no tolerance allows", help: ["name sides with the same pictures"])
    }
    var proposer = ToleranceProposer()
    var isFloat: Bool?
    for pair in pairs.pairs {
      let (actual, reference) = try (reader.read(path: pair.actual), reader.read(path: pair.reference))
      guard actual.size == reference.size else {
        throw RenderError(
          .invalidInput, "'\(pair.actual)' is \(actual.size), and '\(pair.reference)' is \(reference.size), which no tolerance allows",
          help: ["render it again in the size of the reference"])
      }
      let unit = actual.format.isFloat || reference.format.isFloat
      guard isFloat ?? unit == unit else {
        throw RenderError(.invalidInput, "'\(pair.actual)' has float channels, and others do not", help: ["propose for each kind apart"])
      }
      isFloat = unit
      proposer.add(actual, reference, from: pair.name)
    }
    let proposal = proposer.proposal
    if isJSON {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      StandardOutput.write(String(decoding: try encoder.encode(proposal), as: UTF8.self) + "\n")
      return proposal.obstacle == nil ? .success : .picturesDiffer
    }
    StandardOutput.write(proposal.yaml().map { $0 + "\n" }.joined())
    guard let obstacle = proposal.obstacle else { return .success }
    let noise = obstacle.isNoise ? ["they look like draws of the same noise: 'noise: 0.01' bears that"] : []
    StandardError.write(
      DiagnosticPrinter().text([
        Diagnostic(
          "compare.no-tolerance", "no tolerance makes sense: \(obstacle.reason) (\(obstacle.source))",
          help: noise + ["'etalon sanitize FILTER' says what makes pixels of a shader unstable"])
      ]))
    return .picturesDiffer
  }
}
