package import EtalonDiagnostics
internal import EtalonMedia
internal import EtalonTypes
internal import Foundation

/// Writes the results of a run as one HTML file that needs no other file and no network.
///
/// The page holds the results as JSON, as `TestResults.write(to:)` has them, and the actual and reference pictures as PNG in base64, by the
/// paths that the results name. Everything else, such as differences and histograms, is computed by the page from those two.
package enum HTMLReport {
  /// How many bytes the pictures of a report may take; pictures beyond it are made small, those of cases that pass first.
  package static let pictureLimit = 48 << 20

  /// Replaces the file at `path`; pictures are read from `folder`.
  package static func write(
    _ results: TestResults, picturesIn folder: String, to path: String, pictureLimit: Int = pictureLimit
  ) throws(RenderError) {
    var pictures = ReportPictures(folder: folder, limit: pictureLimit)
    for testCase in results.cases.filter(\.verdict.isFailure) + results.cases.filter({ !$0.verdict.isFailure }) {
      for frame in testCase.frames { try pictures.add(frame) }
    }
    try TextFile.write(page(results, pictures.elements), to: path)
  }

  private static func page(_ results: TestResults, _ pictures: [String]) throws(RenderError) -> String {
    let parts = [
      "/*{css}*/": HTMLPage.file("page.css"),
      "<!--{report}-->": try scriptText(results),
      "<!--{pictures}-->": pictures.joined(separator: "\n"),
      "/*{script}*/": script,
    ]
    return HTMLPage.filled("page.html", parts)
  }

  /// The scripts in the order in which they need each other.
  private static var script: String {
    [
      "dom.js", "pictures.js", "layers.js", "loupe.js", "viewer.js", "measures.js", "trend.js", "details.js", "list.js", "main.js",
    ].map(HTMLPage.file).joined(separator: "\n")
  }

  /// JSON in which no tag can begin, so that no name or message ends the script that holds it.
  private static func scriptText(_ results: TestResults) throws(RenderError) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(results) else { preconditionFailure("results always encode") }
    return String(decoding: data, as: UTF8.self).withControlsShown.replacing("<", with: "\\u003c")
  }
}

/// The pictures of a report as elements of its page, each once, as long as there is room for them.
private struct ReportPictures {
  /// What pictures become when there is no more room for whole ones.
  private static let smallSize = Size(160, 120)

  private let folder: String
  private let limit: Int
  private var byteCount = 0
  private var paths: Set<String> = []
  /// One script element a picture; its identity is the path that the results name.
  private(set) var elements: [String] = []

  init(folder: String, limit: Int) {
    self.folder = folder
    self.limit = limit
  }

  /// Adds what was rendered and what it was compared with; a file that is no longer there, or cannot be read, is left out, and the page says so.
  mutating func add(_ frame: FrameResult) throws(RenderError) {
    for kind in ["actual", "reference", "flip", "stability"] {
      guard let path = frame.pictures[kind], paths.insert(path).inserted else { continue }
      let whole = path.hasPrefix("/") ? path : folder + "/" + path
      guard let picture = try? PictureReader().read(path: whole) else { continue }
      try add(picture, path)
    }
  }

  private mutating func add(_ picture: PixelBuffer, _ path: String) throws(RenderError) {
    if picture.format == .rgba32f {
      let bytes = try HTMLPage.png(picture.bytesAsLevels)
      if byteCount + bytes.count <= limit { return append(bytes, path, " data-format=\"rgba32f\"") }
      return append(try HTMLPage.png(Thumbnail.scale(picture.levels(bits: 8), toFit: Self.smallSize)), path, " data-scaled")
    }
    let bytes = try HTMLPage.png(picture)
    if byteCount + bytes.count <= limit { return append(bytes, path, "") }
    append(try HTMLPage.png(Thumbnail.scale(picture, toFit: Self.smallSize)), path, " data-scaled")
  }

  private mutating func append(_ bytes: [UInt8], _ path: String, _ attributes: String) {
    byteCount += bytes.count
    let text = Data(bytes).base64EncodedString()
    elements.append("<script type=\"text/plain\" id=\"picture \(path.escapedForMarkup)\"\(attributes)>\(text)</script>")
  }
}

extension PixelBuffer {
  /// A picture of levels, as wide as its bytes are many, so that PNG packs the numbers of a picture of floats.
  fileprivate var bytesAsLevels: PixelBuffer {
    PixelBuffer(size: Size(size.width * format.bytesPerPixel / 4, size.height), format: .rgba8, alpha: .straight, bytes: bytes)
  }
}
