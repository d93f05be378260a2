import ArgumentParser
import Etalon
import EtalonComparison
import EtalonDiagnostics
import EtalonMedia
import EtalonTypes

/// `etalon compare`: how two pictures, folders or sequences differ, and whether that is within a tolerance.
struct CompareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Tells how pictures differ from references, and where; ends with 1 when they differ more than they may.",
    discussion: """
      etalon compare new.png old.png
      etalon compare new.png old.png --tolerance channel=2 --tolerance outliers=0.1% --tolerance ceiling=16
      etalon compare 'out/shot.####.png' 'references/shot.####.png' --false-color 'where.####.png'
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
    let reader = PictureReader(acceptsFloats: true)
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
