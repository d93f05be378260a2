import Foundation

/// Runs programs one after the other, and says what differs.
struct Campaign {
  /// A program that differs.
  struct Found {
    let seed: UInt64
    let difference: Difference
    let specimen: Specimen
    /// The same with all taken out that it can do without; nil where it was not reduced.
    let reduced: Specimen?
  }

  /// What came of some programs.
  struct Summary: Codable, Equatable {
    var ran = 0
    /// How many had no result that is defined to the bit, by the reason.
    var leftOut: [String: Int] = [:]
    /// The seeds of those that differ.
    var differing: [UInt64] = []

    mutating func add(_ other: Summary) {
      ran += other.ran
      leftOut.merge(other.leftOut, uniquingKeysWith: +)
      differing += other.differing
    }

    var text: String {
      var parts = ["\(ran) programs", "\(differing.count) differ"]
      parts += leftOut.sorted { $0.key < $1.key }.map { "\($1) left out (\($0))" }
      return parts.joined(separator: ", ")
    }
  }

  let trial: Trial
  var reduces = true
  /// When to stop; nil for never.
  var deadline: ContinuousClock.Instant?

  /// Runs the programs of some seeds.
  ///
  /// - Parameters:
  ///   - begin: called with each seed before its program runs.
  ///   - report: called with each program that differs.
  func run(_ seeds: Range<UInt64>, begin: (UInt64) -> Void = { _ in }, report: (Found) -> Void) -> Summary {
    var summary = Summary()
    for seed in seeds {
      if let deadline, deadline <= .now { break }
      begin(seed)
      summary.ran += 1
      let specimen = Specimen(seed: seed)
      switch trial.run(specimen) {
      case .alike: break
      case .leftOut(let why): summary.leftOut[why.rawValue, default: 0] += 1
      case .different(let differences):
        summary.differing.append(seed)
        // The first difference of each kind: the others of that kind are the same on other instruction sets.
        var kinds: Set<String> = []
        for difference in differences where kinds.insert(difference.signature).inserted {
          let reduced = reduces ? trial.reduced(specimen, difference) : nil
          report(Found(seed: seed, difference: difference, specimen: specimen, reduced: reduced))
        }
      }
    }
    return summary
  }
}

extension Campaign.Found {
  /// What a person needs to see it again.
  func report(devices: String) -> String {
    let small = reduced ?? specimen
    return """
      seed \(seed): \(difference.kind.rawValue) on \(difference.subject?.name ?? "the compiler")
      \(difference.text)
      again: etalon-fuzz programs --seed \(seed) --count 1 --devices \(devices)
      \(reduced == nil ? "the program" : "reduced to \(small.statementCount) statements"):

      \(small.text)
      """
  }

  /// Writes the report, both programs as GLSL, and the smaller one as it can be checked again.
  func write(to folder: URL, devices: String) throws {
    let name = "seed-\(seed)" + (difference.kind == .wrongWord ? "" : "-" + difference.kind.rawValue.replacing(" ", with: "-"))
    let files: [(String, Data)] = [
      ("\(name).txt", Data(report(devices: devices).utf8)),
      ("\(name)-whole.comp", Data(specimen.text.utf8)),
      ("\(name).comp", Data((reduced ?? specimen).text.utf8)),
      ("\(name).json", try JSONEncoder().encode(reduced ?? specimen)),
    ]
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (name, data) in files { try data.write(to: folder.appending(path: name), options: .atomic) }
  }
}
