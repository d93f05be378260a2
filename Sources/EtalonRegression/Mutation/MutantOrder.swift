internal import EtalonDiagnostics

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
    // What is taken first stands last: the first change of each place, then the second of each.
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
