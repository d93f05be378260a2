package import EtalonDiagnostics
internal import EtalonMedia
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
      "/*{css}*/": text(PackageResources.page_css),
      "<!--{report}-->": try scriptText(results),
      "<!--{pictures}-->": pictures.joined(separator: "\n"),
      "/*{script}*/": script,
    ]
    var page = "", rest = Substring(text(PackageResources.page_html))
    while let (place, part) = parts.compactMap({ key, part in rest.range(of: key).map { ($0, part) } }).min(by: {
      $0.0.lowerBound < $1.0.lowerBound
    }) {
      page += rest[..<place.lowerBound] + part
      rest = rest[place.upperBound...]
    }
    return page + rest
  }

  /// The scripts in the order in which they need each other.
  private static var script: String {
    [
      PackageResources.dom_js, PackageResources.pictures_js, PackageResources.layers_js, PackageResources.loupe_js,
      PackageResources.viewer_js,
      PackageResources.measures_js, PackageResources.trend_js, PackageResources.details_js, PackageResources.list_js,
      PackageResources.main_js,
    ].map(text).joined(separator: "\n")
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  /// JSON in which no tag can begin, so that no name or message ends the script that holds it.
  private static func scriptText(_ results: TestResults) throws(RenderError) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(results) else { preconditionFailure("results always encode") }
    return String(decoding: data, as: UTF8.self).withControlsShown.replacing("<", with: "\\u003c")
  }
}
