import EtalonComparison
import EtalonDiagnostics
import EtalonMedia
import EtalonRegression
import EtalonTypes

/// The limits that a command line names, in options and in a file; what is wrong with them is told at its place.
struct ToleranceText {
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
    let (tolerance, problems) = settings.read()
    guard problems.isEmpty else { throw refusal(problems) }
    return isExact ? .exact : tolerance
  }

  /// Throws what the tolerance cannot say of two pictures.
  func check(for actual: PixelBuffer, _ reference: PixelBuffer) throws {
    let size = actual.size == reference.size ? reference.size : nil
    let problems = settings.read(comparing: [ChannelKind(actual, reference)], size: size).problems
    if !problems.isEmpty { throw refusal(problems) }
  }

  private func refusal(_ problems: [ToleranceProblem]) -> any Error {
    let diagnostics = problems.map { problem in option(problem) ?? file?.diagnostic(problem) ?? problem.diagnostic(label: nil) }
    return file == nil ? UsageError(diagnostics: diagnostics) : DiagnosticsError(diagnostics)
  }

  /// The problem in the option that has the key, its record, or a part of it.
  private func option(_ problem: ToleranceProblem) -> Diagnostic? {
    let keys = options.keys.sorted { ($0.count, $1) > ($1.count, $0) }
    let key =
      keys.first { $0 == problem.key } ?? keys.last { $0.hasPrefix(problem.key + ".") } ?? keys.first { problem.key.hasPrefix($0 + ".") }
    guard let key, let option = options[key] else { return nil }
    let value = key.utf8.count + 1..<option.utf8.count
    return problem.diagnostic(
      label: .init(SourceText(path: "--tolerance", text: option), problem.part == .key ? 0..<key.utf8.count : value, problem.label))
  }
}
