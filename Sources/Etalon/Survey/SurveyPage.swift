package import EtalonDiagnostics
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
    let bytes = Array(text.utf8)
    let result = unsafe bytes.withUnsafeBytes { bytes in
      Result { () throws(RenderError) in unsafe try file.write(bytes) }
    }
    try result.get()
    try file.commit()
  }

  /// The whole page.
  package var text: String {
    """
    <!DOCTYPE html>
    <html lang="en"><head><meta charset="utf-8">\(Self.mark)
    <title>Etalon survey</title><style>\(SurveyPageAssets.style)</style></head><body>
    <h1>Survey of \(records.count) filters</h1>
    <p>\(settings.devices.map(HTMLText.escaped).joined(separator: " against ")), \(settings.size), Etalon \(EtalonVersion.current). \
    Pictures agree when 98 % of their pixels are within 2 of 255 levels.</p>
    \(table)
    <form>\(verdictBoxes)\(dialectBoxes)<input type="search" placeholder="name or reason"> <output></output></form>
    <main>
    \(records.map(card).joined(separator: "\n"))
    </main><script>\(SurveyPageAssets.script)</script></body></html>

    """
  }

  private var table: String {
    let rows = summary.rows.enumerated().map { index, cells in
      let tag = index == 0 ? "th" : "td"
      return "<tr>\(cells.map { "<\(tag)>\(HTMLText.escaped($0))</\(tag)>" }.joined())</tr>"
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
    out += "<h2><b class=\"\(verdict)\">\(verdict)</b> \(HTMLText.escaped(record.name))</h2>"
    let facts = [record.dialect, record.kind, record.agreement.map { "\(Percentage($0 / 100)) agree" }, "\(record.seconds) s"]
    out += "<p>\(facts.compactMap(\.self).joined(separator: ", "))</p>"
    if !record.reason.isEmpty { out += "<p class=\"reason\">\(HTMLText.escaped(record.reason))</p>" }
    out += pictures(record)
    if !record.diagnostics.isEmpty { out += details("what Etalon said", record.diagnostics) }
    if !record.command.isEmpty { out += details("the command", record.command) }
    return out + "</section>"
  }

  private func details(_ title: String, _ text: String) -> String {
    "<details><summary>\(title)</summary><pre>\(HTMLText.escaped(text))</pre></details>"
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
      + "\(HTMLText.escaped(caption))</figcaption></figure>"
  }
}

/// Text from files, escaped for HTML.
enum HTMLText {
  static func escaped(_ text: String) -> String {
    text.printable.reduce(into: "") { out, character in
      switch character {
      case "&": out += "&amp;"
      case "<": out += "&lt;"
      case ">": out += "&gt;"
      case "\"": out += "&quot;"
      default: out.append(character)
      }
    }
  }
}

// MARK: looks

/// What the page of a survey looks like, and how it hides rows that are not wanted.
private enum SurveyPageAssets {
  static let style = """

    :root { color-scheme: light dark; font: 14px/1.4 system-ui, sans-serif; }
    body { margin: 1.5rem; } h1 { font-size: 1.4rem; margin: 0; } h2 { font: 600 1rem ui-monospace, monospace; margin: 0; overflow-wrap: anywhere; }
    table { border-collapse: collapse; margin: 1rem 0; } td, th { border: 1px solid #8886; padding: .2rem .6rem; text-align: right; }
    td:first-child, th:first-child { text-align: left; }
    form { position: sticky; top: 0; background: Canvas; padding: .5rem 0; } fieldset { display: inline; border: 0; padding: 0; margin: 0 1rem 0 0; }
    label { margin-right: .7rem; white-space: nowrap; }
    section { border-top: 1px solid #8886; padding: .8rem 0; } section[hidden] { display: none; } p { margin: .1rem 0; color: GrayText; }
    p.reason { color: CanvasText; overflow-wrap: anywhere; }
    figure { display: inline-block; margin: .5rem .5rem 0 0; } figcaption { font-size: .8rem; color: GrayText; }
    img { display: block; image-rendering: pixelated; min-width: 160px;
      background: repeating-conic-gradient(#999 0 25%, #bbb 0 50%) 0 0 / 16px 16px; }
    pre { white-space: pre-wrap; overflow-wrap: anywhere; background: #8882; padding: .5rem; }
    b { border-radius: .3rem; padding: 0 .4rem; color: #fff; background: #777; }
    b.agrees, b.renders { background: #2a7d3f; } b.differs, b.failed, b.slow { background: #b3261e; } b.defect { background: #8a5a00; }
    b.unstable, b.flat, b.not-finite { background: #5b5bb0; }

    """

  static let script = """

    const form = document.forms[0], cards = [...document.querySelectorAll('section')];
    function show() {
      const on = name => new Set([...form.querySelectorAll(`input[name=${name}]:checked`)].map(box => box.value));
      const verdicts = on('verdict'), dialects = on('dialect'), text = form.querySelector('[type=search]').value.toLowerCase();
      for (const card of cards)
        card.hidden = !(verdicts.has(card.dataset.verdict) && dialects.has(card.dataset.dialect)
          && card.textContent.toLowerCase().includes(text));
      form.querySelector('output').value = cards.filter(card => !card.hidden).length + ' shown';
    }
    form.addEventListener('input', show); form.addEventListener('submit', event => event.preventDefault()); show();

    """
}
