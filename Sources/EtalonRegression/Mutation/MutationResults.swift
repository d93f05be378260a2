internal import Foundation

/// What became of the mutants of some filters; written as JSON for programs.
package struct MutationResults: Sendable, Codable {
  /// How many mutants there are of something.
  package struct Counts: Sendable, Hashable {
    package var refused = 0
    package var equivalent = 0
    package var noticed = 0
    package var survived = 0

    /// Those that are filters.
    package var mutants: Int { equivalent + noticed + survived }

    /// The share of those that show anything else which are noticed, from 0 to 1; nil when nothing shows.
    package var share: Double? { noticed + survived == 0 ? nil : Double(noticed) / Double(noticed + survived) }

    package init(_ results: [MutantResult]) {
      for result in results {
        switch result.verdict {
        case .refused: refused += 1
        case .equivalent: equivalent += 1
        case .noticed: noticed += 1
        case .survived: survived += 1
        }
      }
    }
  }

  /// The version of this form.
  package private(set) var version = 1
  package let seed: UInt64
  /// How many mutants the files offer.
  package let possible: Int
  /// In the order in which they were tried.
  package let mutants: [MutantResult]

  package init(seed: UInt64, possible: Int, mutants: [MutantResult]) {
    (self.seed, self.possible, self.mutants) = (seed, possible, mutants)
  }

  package var counts: Counts { Counts(mutants) }

  package var survivors: [MutantResult] { mutants.filter { $0.verdict == .survived } }

  /// By kind, in the order in which kinds are declared.
  package var byKind: [(kind: MutationKind, counts: Counts)] {
    MutationKind.allCases.compactMap { kind in
      let results = mutants.filter { $0.mutant.kind == kind }
      return results.isEmpty ? nil : (kind, Counts(results))
    }
  }

  /// By file, in alphabetical order.
  package var byFile: [(path: String, counts: Counts)] {
    Dictionary(grouping: mutants, by: \.mutant.path).sorted { $0.key < $1.key }.map { ($0.key, Counts($0.value)) }
  }

  /// JSON with one key on each line.
  package var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(self) else { preconditionFailure("results always encode") }
    return String(decoding: data, as: UTF8.self) + "\n"
  }
}

/// What became of a mutant.
package enum MutantVerdict: String, Sendable, Hashable, Codable, CaseIterable {
  /// It is no filter: it does not compile, or says things that contradict each other.
  case refused
  /// It shows what the filter shows, in every look.
  case equivalent
  /// A case fails.
  case noticed
  /// It shows something else, and no case fails.
  case survived
}

/// A mutant with its verdict.
package struct MutantResult: Sendable, Hashable, Codable {
  /// What a surviving mutant shows that the filter does not.
  package struct Change: Sendable, Hashable, Codable {
    /// The picture: size, values, inputs.
    package let look: String
    /// `frame 12`.
    package let moment: String
    /// The largest difference in levels of 8 bits; 255 where there is no picture.
    package let levels: Double
    package let pixels: Int
  }

  package let mutant: Mutant
  package let verdict: MutantVerdict
  /// The case that notices, with what it says; why it is refused.
  package let reason: String
  /// Nil unless it survived.
  package let change: Change?
}
