internal import Etalon
package import EtalonDiagnostics
internal import EtalonInspection
internal import EtalonMedia
internal import Foundation

/// A survey as one HTML file that needs nothing else: all pictures are inside.
package struct SurveyPage: Sendable {
  /// Tells the pages of Etalon from files that must not be replaced.
  private static let mark = "<meta name=\"generator\" content=\"Etalon survey\">"

  private let settings: SurveySettings
  private let records: [SurveyRecord]
  private let summary: SurveySummary

  package init(_ records: [SurveyRecord], _ summary: SurveySummary, _ settings: SurveySettings) {
    (self.records, self.summary, self.settings) = (records, summary, settings)
  }

  /// Refuses a file that no survey wrote.
  package static func check(_ path: String) throws(RenderError) {
    guard let file = FileHandle(forReadingAtPath: path) else { return }
    let start = (try? file.read(upToCount: 512)) ?? Data()
    guard !start.isEmpty, !String(decoding: start, as: UTF8.self).contains(mark) else { return }
    throw RenderError(
      .cannotWrite, "cannot write '\(path)'", underlying: "a file that no survey wrote is there", help: ["choose another name"])
  }

  package func write(to path: String) throws(RenderError) {
    try Self.check(path)
    let file = try AtomicFile(path, replacing: .anything)
    try file.write(Array(text.utf8))
    try file.commit()
  }

  /// The whole page.
  private var text: String {
    HTMLPage.filled(
      "survey.html",
      [
        "<!--{mark}-->": Self.mark, "/*{css}*/": HTMLPage.file("survey.css"), "<!--{count}-->": "\(records.count)",
        "<!--{devices}-->": settings.devices.map(\.escapedForMarkup).joined(separator: " against "),
        "<!--{size}-->": "\(settings.inspection.size ?? InspectionSettings.usualSize)", "<!--{version}-->": EtalonVersion.current,
        "<!--{table}-->": table, "<!--{boxes}-->": verdictBoxes + dialectBoxes,
        "<!--{cards}-->": records.map(card).joined(separator: "\n"), "/*{script}*/": HTMLPage.file("survey.js"),
      ])
  }

  private var table: String {
    let rows = summary.rows.enumerated().map { index, cells in
      let tag = index == 0 ? "th" : "td"
      return "<tr>\(cells.map { "<\(tag)>\($0.escapedForMarkup)</\(tag)>" }.joined())</tr>"
    }
    return "<table>\(rows.joined())</table>"
  }

  private var verdictBoxes: String {
    let hidden: Set<SurveyVerdict> = summary.failureCount > 0 ? [.agrees, .renders] : []
    return boxes("verdict", summary.verdicts.map { ($0.rawValue, summary.count(of: $0), !hidden.contains($0)) })
  }

  private var dialectBoxes: String { boxes("dialect", summary.dialects.map { ($0, summary.count(dialect: $0), true) }) }

  private func boxes(_ name: String, _ choices: [(value: String, count: Int, isOn: Bool)]) -> String {
    let labels = choices.map { choice in
      let checked = choice.isOn ? " checked" : ""
      return "<label class=\"\(choice.value)\"><input type=\"checkbox\" name=\"\(name)\" value=\"\(choice.value)\"\(checked)> "
        + "\(choice.value) (\(choice.count))</label>"
    }
    return "<fieldset>\(labels.joined())</fieldset>"
  }

  private func card(_ record: SurveyRecord) -> String {
    let verdict = (record.verdict ?? .failed).rawValue
    var out = "<section data-verdict=\"\(verdict)\" data-dialect=\"\(record.dialect ?? SurveySummary.unknown)\">"
    let title = record.title.map { " <i>\($0.escapedForMarkup)</i>" } ?? ""
    out += "<h2><b class=\"\(verdict)\">\(verdict)</b> \(record.name.escapedForMarkup)\(title)</h2>"
    let facts = [record.dialect, record.kind, record.agreement.map { "\(Percentage($0 / 100)) agree" }, "\(record.seconds) s"]
    out += "<p>\(facts.compactMap(\.self).joined(separator: ", "))</p>"
    if !record.reason.isEmpty { out += "<p class=\"reason\">\(record.reason.escapedForMarkup)</p>" }
    out += pictures(record)
    if !record.diagnostics.isEmpty { out += details("what Etalon said", record.diagnostics) }
    if !record.command.isEmpty { out += details("the command", record.command) }
    if record.verdict == .unstable || record.verdict == .notFinite {
      out += details("what tells the lines that leave it to chance", "etalon sanitize \(ShellWord.quoted(record.name))")
    }
    return out + "</section>"
  }

  private func details(_ title: String, _ text: String) -> String {
    "<details><summary>\(title)</summary><pre>\(text.escapedForMarkup)</pre></details>"
  }

  private func pictures(_ record: SurveyRecord) -> String {
    Set(record.frames.map(\.frame)).sorted().map { number in
      let figures = record.frames.filter { $0.frame == number }.flatMap { frame in
        [
          figure(
            frame.picture,
            "frame \(number), \(frame.device)\(frame.isFlat ? ", flat" : "")\(frame.notFinite.map { ", \($0) pixels not finite" } ?? "")"),
          figure(frame.difference, "difference × 8, at most \(frame.largest ?? 0)"),
        ]
      }
      return "<div>\(figures.joined())</div>"
    }.joined()
  }

  private func figure(_ picture: String?, _ caption: String) -> String {
    guard let picture else { return "" }
    return "<figure><img loading=\"lazy\" alt=\"\" src=\"data:image/png;base64,\(picture)\"><figcaption>"
      + "\(caption.escapedForMarkup)</figcaption></figure>"
  }
}
