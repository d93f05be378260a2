import EtalonComparison
import EtalonDiagnostics
import EtalonMedia
import EtalonTypes
import Foundation

/// What `etalon compare --propose` prints: a tolerance for `--tolerance-file`, with what was measured.
struct ToleranceProposals {
  private let pairs: PicturePairs
  private let isJSON: Bool
  private let reader = PictureReader(acceptsFloats: true)

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
      return proposal.refusal == nil ? .success : .picturesDiffer
    }
    StandardOutput.write(proposal.yaml().map { $0 + "\n" }.joined())
    guard let refusal = proposal.refusal else { return .success }
    let noise = refusal.isNoise ? ["they look like draws of the same noise: 'noise: 0.01' bears that"] : []
    StandardError.write(
      DiagnosticPrinter().text([
        Diagnostic(
          "compare.no-tolerance", "no tolerance makes sense: \(refusal.reason) (\(refusal.source))",
          help: noise + ["'etalon sanitize FILTER' says what makes pixels of a shader unstable"])
      ]))
    return .picturesDiffer
  }
}
