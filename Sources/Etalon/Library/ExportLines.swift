internal import EtalonDiagnostics
internal import EtalonMedia
internal import Foundation
internal import Synchronization

/// A file with an export of a ShaderToy on every line, as data sets are published; one of them is named `exports.jsonl:3`.
struct ExportLines: Sendable {
  private static let ending = ".jsonl"
  static let largestFile = 1 << 30

  /// The files that were read last: many lines of one are asked for in a row.
  private static let memory = Mutex<(path: String, stamp: FileStamp, lines: ExportLines)?>(nil)

  /// The lines with something on them, by their number, counted from 1.
  private let lines: [Int: Data]

  /// The numbers of the lines with something on them.
  var numbers: [Int] { lines.keys.sorted() }

  /// Whether a path names such a file as a whole.
  static func recognizes(_ path: String) -> Bool { path.lowercased().hasSuffix(ending) }

  /// The file and the number in `exports.jsonl:3`; nil for any other path.
  static func line(_ path: String) -> (file: String, number: Int)? {
    guard let colon = path.lastIndex(of: ":"), let number = Int(path[path.index(after: colon)...]), recognizes(String(path[..<colon]))
    else {
      return nil
    }
    return (String(path[..<colon]), number)
  }

  /// Reads a file, unless it was the last one that was read.
  static func of(_ path: String) throws -> ExportLines {
    let stamp = FileStamp(path: path)
    if let known = memory.withLock({ $0 }), known.path == path, known.stamp == stamp { return known.lines }
    let bytes = Data(try FileReader.bytes(of: path, limit: largestFile))
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated().filter { _, line in
      line.contains { $0 > 0x20 }
    }
    let all = ExportLines(lines: Dictionary(uniqueKeysWithValues: lines.map { ($0 + 1, $1) }))
    if let stamp { memory.withLock { $0 = (path, stamp, all) } }
    return all
  }

  /// The bytes of the line that a path names.
  static func bytes(of line: (file: String, number: Int)) throws -> [UInt8] {
    let lines = try of(line.file)
    if let bytes = lines.lines[line.number] { return [UInt8](bytes) }
    throw DiagnosticsError(
      Diagnostic(
        "library.no-line", "'\(line.file)' has nothing on line \(line.number)",
        help: lines.numbers.last.map { ["the last line is '\(line.file):\($0)'"] } ?? []))
  }

  /// What to say about a whole file where one filter is meant.
  static func severalFilters(_ path: String) throws -> DiagnosticsError {
    let numbers = try of(path).numbers
    let what = numbers.count == 1 ? "a ShaderToy" : "\(numbers.count) ShaderToys"
    return DiagnosticsError(
      Diagnostic(
        "library.several-lines", "'\(path)' holds \(what), one on each line",
        help: numbers.first.map { ["name one of them with its line: '\(path):\($0)'"] } ?? ["put a JSON export on its first line"]))
  }
}
