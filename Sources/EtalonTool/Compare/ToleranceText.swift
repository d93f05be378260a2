import EtalonComparison
import EtalonDiagnostics
import EtalonMedia
import Foundation

/// The limits that a command line names, in options and in a file; what is wrong with them is told at its place.
struct ToleranceText {
  private let options: [String]
  private let file: String?

  init(options: [String], file: String?) {
    self.options = options
    self.file = file
  }

  /// The keys as the help of the command lists them.
  static let keys: String =
    ToleranceSettings.keys.filter { key in
      ![".warn", ".fail"].contains { key.hasSuffix($0) } && !key.hasPrefix("alpha.")
    }.joined(separator: ", ") + ", and alpha. before those of channels."

  /// The tolerance; equality when nothing is limited.
  func read() throws -> Tolerance {
    var texts: [String: String] = [:]
    var places: [String: (SourceText, Range<Int>)] = [:]
    if let file {
      let source = try SourceText(path: file, bytes: FileReader.bytes(of: file, limit: 1 << 20))
      for (key, value) in try ToleranceDocument(source).settings() { texts[key] = value }
      for key in texts.keys { places[key] = (source, ToleranceDocument.range(of: key, in: source)) }
    }
    for option in options {
      let text = OptionText("--tolerance", option)
      let (key, value): (String, String)
      do throws(DiagnosticsError) {
        (key, value) = try text.assignment(example: "channel=2")
        try text.refuseRepetition(of: key, in: places.filter { $0.value.0.path == "--tolerance" }.keys)
      } catch { throw UsageError(diagnostics: error.diagnostics) }
      texts[key] = value
      places[key] = (SourceText(path: "--tolerance", text: option), 0..<option.utf8.count)
    }
    let (tolerance, problems) = ToleranceSettings(texts).read()
    guard problems.isEmpty else { throw refusal(problems, places) }
    return texts.isEmpty ? .exact : tolerance
  }

  private func refusal(_ problems: [ToleranceProblem], _ places: [String: (SourceText, Range<Int>)]) -> any Error {
    let diagnostics = problems.map { problem in
      let place =
        places[problem.key] ?? places.sorted { $0.key < $1.key }.first { $0.key.hasPrefix(problem.key + ".") }?.value
        ?? places.sorted { $0.key.count > $1.key.count }.first { problem.key.hasPrefix($0.key + ".") }?.value
      let nearest = NearestName.find(problem.key, in: problem.candidates).map { "did you mean '\($0)'?" }
      return Diagnostic(
        "tolerance.\(problem.candidates.isEmpty ? "value" : "unknown-key")", problem.message,
        labels: place.map { [.init($0.0, $0.1, problem.candidates.isEmpty ? "" : "unknown")] } ?? [],
        help: [nearest ?? problem.help].compactMap { $0 })
    }
    return file == nil ? UsageError(diagnostics: diagnostics) : DiagnosticsError(diagnostics)
  }
}

/// A tolerance as JSON: records within records, whose leaves are settings.
struct ToleranceDocument {
  private enum Node: Decodable {
    case leaf(String)
    case record([String: Node])

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let record = try? container.decode([String: Node].self) {
        self = .record(record)
      } else if let flag = try? container.decode(Bool.self) {
        self = .leaf(flag ? "true" : "false")
      } else if let whole = try? container.decode(Int.self) {
        self = .leaf("\(whole)")
      } else if let number = try? container.decode(Double.self) {
        self = .leaf("\(number)")
      } else {
        self = .leaf(try container.decode(String.self))
      }
    }
  }

  private let source: SourceText

  init(_ source: SourceText) { self.source = source }

  /// The leaves by their dotted keys.
  func settings() throws -> [String: String] {
    let root: Node
    do { root = try JSONDecoder().decode(Node.self, from: Data(source.bytes)) } catch {
      throw DiagnosticsError(
        Diagnostic(
          "tolerance.json", "expected a JSON object of numbers, texts and objects", labels: [.init(source, 0..<min(1, source.bytes.count))],
          help: ["such as { \"channel\": 2, \"flip\": { \"mean\": 0.01 } }"]))
    }
    guard case .record(let record) = root else {
      throw DiagnosticsError(
        Diagnostic("tolerance.json", "expected a JSON object", labels: [.init(source, 0..<min(1, source.bytes.count))]))
    }
    return Self.leaves(record, "")
  }

  /// Where a key stands: each of its names behind the one before.
  static func range(of key: String, in source: SourceText) -> Range<Int> {
    var start = 0
    var found = 0..<0
    for name in key.split(separator: ".") {
      guard let range = source.bytes[start...].firstRange(of: Array("\"\(name)\"".utf8)) else { break }
      (found, start) = (range, range.upperBound)
    }
    return found
  }

  private static func leaves(_ record: [String: Node], _ prefix: String) -> [String: String] {
    var result: [String: String] = [:]
    for (name, node) in record {
      switch node {
      case .leaf(let text): result[prefix + name] = text
      case .record(let inner): result.merge(leaves(inner, prefix + name + ".")) { first, _ in first }
      }
    }
    return result
  }
}
