import Etalon
import EtalonDiagnostics

/// A finding as a line of JSON for programs.
struct FindingJSON: Encodable {
  private struct Place: Encodable {
    let path: String
    let line: Int
    let column: Int
  }

  private let version = 1
  private let filter: String
  private let id: String
  private let severity: String
  private let message: String
  private let place: Place?
  private let calls: [Place]
  private let count: Int
  private let pixels: Int?
  private let frame: Int
  private let pixel: [Int]?
  private let operands: [String: String]
  private let rule: String
  private let help: [String]

  init(_ filter: String, _ finding: Finding) {
    self.filter = filter
    id = finding.id
    severity = finding.severity.rawValue
    message = finding.message
    let labels = finding.diagnostic.labels.map { label in
      let (line, column) = label.source.position(at: label.range.lowerBound)
      return Place(path: label.source.path, line: line, column: column)
    }
    place = labels.first
    calls = Array(labels.dropFirst())
    count = finding.count
    pixels = finding.isPixelCountExact ? finding.pixelCount : nil
    frame = finding.frame
    pixel = finding.pixel
    operands = Dictionary(finding.operands.map { ($0.name, $0.value) }) { first, _ in first }
    rule = finding.rule
    help = finding.help
  }
}

/// What a map shows, as a line of JSON for programs.
struct MapJSON: Encodable {
  private struct Entry: Encodable {
    let color: String
    let text: String
    let pixels: Int
  }

  private let version = 1
  private let filter: String
  private let kind: String
  private let map: String
  private let frame: Int
  private let pass: String
  private let legend: [Entry]
  private let notes: [String]

  init(_ filter: String, _ map: PictureMap, _ path: String) {
    self.filter = filter
    kind = map.kind.rawValue
    self.map = path
    (frame, pass, notes) = (map.frame, map.pass, map.notes)
    legend = map.legend.map { Entry(color: $0.colorText, text: $0.text, pixels: $0.pixelCount) }
  }
}
