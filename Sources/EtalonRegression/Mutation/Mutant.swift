package import EtalonDiagnostics
internal import EtalonTypes

/// A filter with one small defect in it.
package struct Mutant: Sendable, Hashable, Codable {
  /// Its place in the order in which mutants are tried.
  package let number: Int
  package let kind: MutationKind
  /// The file that is changed, as it was found.
  package let path: String
  package let line: Int
  package let column: Int
  /// The line as it is, and with the change.
  package let before: String
  package let after: String
  /// The bytes of the file that are replaced, and by what.
  let start: Int
  let end: Int
  let replacement: String

  init(_ change: TextChange, in source: SourceText, number: Int) {
    (self.number, kind, path) = (number, change.kind, source.path)
    (line, column) = source.position(at: change.range.lowerBound)
    (start, end, replacement) = (change.range.lowerBound, change.range.upperBound, change.replacement)
    let first = source.byteRange(ofLine: line)
    let last = source.byteRange(ofLine: source.position(at: change.range.upperBound).line)
    let around = (first.lowerBound..<change.range.lowerBound, change.range.upperBound..<max(last.upperBound, change.range.upperBound))
    // Files of one long line are shown in part.
    let head = String(decoding: source.bytes[around.0.suffix(Self.width)], as: UTF8.self)
    let tail = String(decoding: source.bytes[around.1.prefix(Self.width)], as: UTF8.self)
    before = Self.oneLine(head + String(decoding: source.bytes[change.range], as: UTF8.self) + tail)
    after = Self.oneLine(head + change.replacement + tail)
  }

  /// All mutants of a file, kind by kind as they are found.
  ///
  /// - Parameter isProject: whether it belongs to a ShaderToy project of several passes.
  package static func all(of source: SourceText, isProject: Bool = false) -> [Mutant] {
    FileChanges(source, isProject: isProject).changes.enumerated().map { Mutant($0.element, in: source, number: $0.offset) }
  }

  /// The file with the defect.
  package func text(of source: SourceText) -> String { String(decoding: change.applied(to: source.bytes), as: UTF8.self) }

  private static let width = 80

  private static func oneLine(_ text: String) -> String { text.split(whereSeparator: \.isWhitespace).joined(separator: " ") }

  /// Where it is, for people.
  package var place: String { "\(path):\(line):\(column)" }

  var change: TextChange { TextChange(kind: kind, range: start..<end, replacement: replacement) }
}

// MARK: - order

/// The order in which the mutants of some files are tried: spread evenly over files, and over kinds and places as far as the files have them.
struct MutantOrder {
  private struct Stock {
    let changes: FileChanges
    var byKind: [MutationKind: [TextChange]]
  }

  private(set) var mutants: [Mutant] = []

  init(_ files: [FileChanges], seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var stocks = files.sorted { $0.source.path < $1.source.path }.map { Self.stock($0, seed) }.shuffled(using: &generator)
    var used: [MutationKind: Int] = [:]
    while !stocks.isEmpty {
      for index in stocks.indices {
        let kinds = MutationKind.allCases.filter { !(stocks[index].byKind[$0] ?? []).isEmpty }
        guard let kind = kinds.min(by: { used[$0, default: 0] < used[$1, default: 0] }),
          let change = stocks[index].byKind[kind]?.popLast()
        else { continue }
        used[kind, default: 0] += 1
        mutants.append(Mutant(change, in: stocks[index].changes.source, number: mutants.count))
      }
      stocks.removeAll { $0.byKind.values.allSatisfy(\.isEmpty) }
    }
  }

  private static func stock(_ file: FileChanges, _ seed: UInt64) -> Stock {
    // Not by the path: the same seed chooses the same changes wherever a checkout lies.
    var generator = SeededGenerator(seed: seed, String(decoding: file.source.bytes, as: UTF8.self))
    // Changes are taken from the end: the first change of each place, then the second of each.
    var times: [Int: Int] = [:]
    let ranked = file.changes.shuffled(using: &generator).map { change in
      times[change.range.lowerBound, default: 0] += 1
      return (rank: times[change.range.lowerBound, default: 0], change: change)
    }
    var byKind: [MutationKind: [TextChange]] = [:]
    for rank in Set(ranked.map(\.rank)).sorted(by: >) {
      for (_, change) in ranked.filter({ $0.rank == rank }) { byKind[change.kind, default: []].append(change) }
    }
    return Stock(changes: file, byKind: byKind)
  }
}
