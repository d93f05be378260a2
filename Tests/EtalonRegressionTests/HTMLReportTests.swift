import EtalonComparison
import EtalonDiagnostics
import EtalonMedia
import EtalonRegression
import EtalonTestSupport
import EtalonTypes
import Foundation
import Testing

/// What a report holds, and what it shows in headless Chromium, where there is one.
@Suite struct HTMLReportTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "report-\(UUID())").path

  /// Noise, which no encoder makes smaller.
  private func picture(_ value: UInt8, side: Int = 8) -> PixelBuffer {
    var bytes = [UInt8](repeating: value, count: side * side * 4)
    var state = UInt64(value)
    for index in bytes.indices where index % 4 != 3 {
      state = state &* 6_364_136_223_846_793_005 &+ 1
      bytes[index] = UInt8(state >> 56)
    }
    return PixelBuffer(size: Size(side, side), format: .rgba8, alpha: .straight, bytes: bytes)
  }

  private func store(_ picture: PixelBuffer, _ name: String) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let file = try AtomicFile("\(folder)/\(name)", replacing: .anything)
    try PNGEncoder().encode(picture, to: file)
    try file.commit()
  }

  private func results(_ cases: [CaseResult]) -> TestResults {
    let device = TestDevice(option: "cpu", backend: "cpu", device: "CPU executor", driver: "etalon", driverVersion: "1")
    var results = TestResults(device: device, command: ["test", "."], started: "2026-05-01T12:00:00Z")
    results.cases = cases
    return results
  }

  private func result(_ name: String, _ verdict: Verdict, pictures: [String: String] = [:]) -> CaseResult {
    var result = CaseResult(id: "tests/\(name).yaml", name: name, path: "tests/\(name).yaml", line: 1, subject: "glow")
    var frame = FrameResult(check: "reference", moment: "frame 0")
    (result.verdict, frame.verdict, frame.pictures) = (verdict, verdict, pictures)
    result.frames = [frame]
    return result
  }

  private func page(_ results: TestResults, pictureLimit: Int = HTMLReport.pictureLimit) throws -> String {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try HTMLReport.write(results, picturesIn: folder, to: "\(folder)/report.html", pictureLimit: pictureLimit)
    return try String(contentsOfFile: "\(folder)/report.html", encoding: .utf8)
  }

  /// The text of the script element with an identity.
  private func element(_ identity: String, in page: String) throws -> Substring {
    let start = try #require(page.range(of: "id=\"\(identity)\""))
    let body = try #require(page[start.upperBound...].range(of: ">"))
    let end = try #require(page[body.upperBound...].range(of: "</script>"))
    return page[body.upperBound..<end.lowerBound]
  }

  @Test func holdsTheResultsAndThePictures() throws {
    try store(picture(255), "actual.png")
    let written = results([result("soft", .failed, pictures: ["actual": "actual.png", "reference": "gone.png"])])
    let page = try page(written)
    let data = Data(try element("report", in: page).utf8)
    #expect(try JSONDecoder().decode(TestResults.self, from: data).cases.map(\.id) == ["tests/soft.yaml"])
    let bytes = try #require(Data(base64Encoded: String(try element("picture actual.png", in: page))))
    #expect(try PictureReader().read(Array(bytes), name: "embedded").bytes == picture(255).bytes)
    #expect(!page.contains("picture gone.png"))
  }

  @Test func aPictureThatCannotBeReadIsLeftOut() throws {
    try store(picture(255), "actual.png")
    try TextFile.write("no picture", to: "\(folder)/broken.png")
    let page = try page(results([result("soft", .failed, pictures: ["actual": "actual.png", "reference": "broken.png"])]))
    #expect(page.contains("picture actual.png") && !page.contains("picture broken.png"))
  }

  @Test func needsNoNetworkAndNoOtherFile() throws {
    let page = try page(results([result("soft", .passed)]))
    for part in ["src=", "href=", "@import", "url(", "fetch(", "<!--{", "/*{"] { #expect(!page.contains(part), "\(part)") }
    let addresses = page.matches(of: /https?:\/\/[^"'\s]+/).map { String($0.output) }
    #expect(addresses == ["http://www.w3.org/2000/svg"], "a name of a vocabulary, which no browser opens")
  }

  @Test func noNameEndsTheScriptThatHoldsIt() throws {
    let name = "</script><script>alert(1)</script>\"&"
    var hostile = result(name, .failed, pictures: ["actual": "a\"&<b>.png"])
    hostile.reason = "<!-- <b>"
    try store(picture(255), "a\"&<b>.png")
    let page = try page(results([hostile]))
    #expect(!page.contains("alert(1)</script>") && !page.contains("<b>"))
    let data = Data(try element("report", in: page).utf8)
    #expect(try JSONDecoder().decode(TestResults.self, from: data).cases[0].name == name)
    #expect(page.contains("id=\"picture a&quot;&amp;&lt;b&gt;.png\""))
  }

  @Test func pictureOfWhatPassesIsMadeSmallFirst() throws {
    try store(picture(255, side: 400), "wrong.png")
    try store(picture(254, side: 400), "fine.png")
    let cases = [result("fine", .passed, pictures: ["actual": "fine.png"]), result("wrong", .failed, pictures: ["actual": "wrong.png"])]
    let whole = try page(results(cases))
    #expect(!whole.contains(" data-scaled>"))
    try store(picture(255, side: 400), "wrong.png")
    try store(picture(254, side: 400), "fine.png")
    let limited = try page(results(cases), pictureLimit: 600_000)
    #expect(limited.contains("id=\"picture wrong.png\">") && limited.contains("id=\"picture fine.png\" data-scaled>"))
    let small = try #require(Data(base64Encoded: String(try element("picture fine.png", in: limited))))
    #expect(try PictureReader().read(Array(small), name: "small").size == Size(120, 120))
  }

  @Test(.enabled(if: BrowserCheck.isPossible, "there is no Chromium with its driver"), .timeLimit(.minutes(10)))
  func aBrowserShowsWhatAPersonLooksFor() throws { try BrowserCheck("Report/check").run() }
}
