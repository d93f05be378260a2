import EtalonComparison
import EtalonMedia
import Foundation

/// What `etalon compare --json` prints.
struct ComparisonJSON {
  private struct Document: Encodable {
    struct Pair: Encodable {
      let name: String
      let actual: String
      let reference: String
      let comparison: PictureComparison
      let flicker: FlickerMeasurement?
    }

    let version = 1
    let verdict: ComparisonVerdict
    let pairs: [Pair]
    let missing: [String]
    let unexpected: [String]
    let firstDiffering: String?
    let worst: String?
  }

  private let document: Document

  init(_ pairs: PicturePairs, _ result: SequenceComparison) {
    document = Document(
      verdict: result.verdict,
      pairs: zip(pairs.pairs, result.frames).map { pair, frame in
        Document.Pair(
          name: pair.name, actual: pair.actual, reference: pair.reference, comparison: frame.comparison, flicker: frame.flicker)
      }, missing: result.missing, unexpected: result.unexpected, firstDiffering: result.firstDiffering?.name, worst: result.worst?.name)
  }

  var text: String {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      return String(decoding: try encoder.encode(document), as: UTF8.self) + "\n"
    }
  }
}
