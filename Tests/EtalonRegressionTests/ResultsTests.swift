import Etalon
import EtalonDiagnostics
import EtalonRegression
import Foundation
import Testing

/// Results as files: their own, those of build servers, and several put together.
@Suite struct ResultsTests {
  private let device = TestDevice(option: "cpu", backend: "cpu", device: "CPU executor", driver: "etalon", driverVersion: "1")

  private func results(_ verdicts: KeyValuePairs<String, Verdict>, shard: TestResults.Shard? = nil) -> TestResults {
    var results = TestResults(device: device, command: ["test", "Filters"], started: "2026-05-01T12:00:00Z")
    if let shard { results.shards = [shard] }
    results.cases = verdicts.map { name, verdict in
      var result = CaseResult(id: "Filters/a/tests/\(name).yaml", name: name, path: "Filters/a/tests/\(name).yaml", line: 3, subject: "a")
      (result.verdict, result.reproduce) = (verdict, "etalon test Filters/a/tests/\(name).yaml")
      if verdict != .passed { result.reason = "50% <differ>, \"they\" say" }
      return result
    }
    return results
  }

  @Test func exitCodesSayWhatKindOfFailureItWas() {
    #expect(results(["a": .passed, "b": .skipped, "c": .expectedFailure, "d": .warning]).exitCode() == .success)
    #expect(results(["a": .warning]).exitCode(warningsAreErrors: true) == .picturesDiffer)
    #expect(results(["a": .notWorkedOut]).exitCode(warningsAreErrors: true) == .picturesDiffer)
    #expect(results(["a": .passed, "b": .failed, "c": .crashed]).exitCode() == .picturesDiffer)
    #expect(results(["a": .flaky]).exitCode() == .picturesDiffer)
    #expect(results(["a": .unexpectedPass]).exitCode() == .picturesDiffer)
    #expect(results(["a": .invalid, "b": .failed]).exitCode() == .invalidInput)
    #expect(results(["a": .timedOut]).exitCode() == .tryAgain)
    #expect(results(["a": .deviceLost]).exitCode() == .tryAgain)
    #expect(results(["a": .outOfMemory]).exitCode() == .tryAgain)
    #expect(results(["a": .crashed]).exitCode() == .internalError)
  }

  @Test func everyVerdictButFiveFailsTheRun() {
    let fine: Set<Verdict> = [.passed, .warning, .notWorkedOut, .skipped, .expectedFailure]
    for verdict in Verdict.allCases { #expect(verdict.isFailure == !fine.contains(verdict)) }
  }

  @Test func theFileKeepsEverything() throws {
    let folder = try TestFolder()
    let path = "\(folder.path)/deep/results.json"
    try results(["a": .passed, "b": .failed]).write(to: path)
    let read = try TestResults(contentsOf: path)
    #expect(read.cases.map(\.verdict) == [.passed, .failed])
    #expect(read.device == device)
    try folder.write("other.json", "{ \"version\": 99 }\n")
    #expect(throws: RenderError.self) { try TestResults(contentsOf: "\(folder.path)/other.json") }
    try folder.write("none.json", "[]\n")
    #expect(throws: RenderError.self) { try TestResults(contentsOf: "\(folder.path)/none.json") }
  }

  @Test func shardsAreMergedOnlyWhenAllAreThere() throws {
    let first = results(["a": .passed], shard: .init(index: 1, count: 2))
    let second = results(["b": .failed], shard: .init(index: 2, count: 2))
    #expect(try ResultsMerge.merge([("1", first), ("2", second)]).cases.map(\.name) == ["a", "b"])
    #expect(throws: RenderError.self) { try ResultsMerge.merge([("1", first)]) }
    #expect(throws: RenderError.self) { try ResultsMerge.merge([("1", first), ("1", first)]) }
    var other = second
    other.device.device = "another"
    #expect(throws: RenderError.self) { try ResultsMerge.merge([("1", first), ("2", other)]) }
  }

  /// What tells shards from before a change from those after it hangs on the texts of cases and filters, and not on where they lie.
  @Test func contentHangsOnCasesAndFilters() throws {
    func content(_ expression: String, _ text: String) throws -> String {
      let folder = try TestFolder()
      try folder.writeFilter("ramp", expression)
      try folder.write("ramp/tests/basics.yaml", text)
      let library = FilterLibrary(try LibrarySearch(named: [folder.path], environment: [:]))
      return SelectedCases.content(of: TestSelection([folder.path], in: library).cases, in: library)
    }
    let usual = try content("vec4(uv, level, 1.0)", "size: 16x12\n")
    #expect(try usual == content("vec4(uv, level, 1.0)", "size: 16x12\n"))
    #expect(try usual != content("vec4(uv, level, 0.5)", "size: 16x12\n"))
    #expect(try usual != content("vec4(uv, level, 1.0)", "size: 12x16\n"))
  }

  private func cases(_ names: [String]) -> [TestCase] { names.map { TestCase(plain: $0) } }

  @Test func shardsOfOtherRunsAreRefused() throws {
    let selected = SelectedCases(cases(["a", "b"]), paths: ["Filters"], only: nil)
    var first = results(["a": .passed], shard: .init(index: 1, count: 2)),
      second = results(["b": .passed], shard: .init(index: 2, count: 2))
    first.selected = selected
    func difference(_ other: SelectedCases?, shards: [TestResults.Shard] = [.init(index: 2, count: 2)]) -> String? {
      (second.selected, second.shards) = (other, shards)
      do throws(RenderError) { _ = try ResultsMerge.merge([("1", first), ("2", second)]) } catch {
        return error.underlying ?? error.message
      }
      return nil
    }
    #expect(difference(selected) == nil)
    #expect(difference(SelectedCases(cases(["a", "b"]), paths: ["Other"], only: "blur*")) == "'Filters' and 'Other' with '--only blur*'")
    #expect(difference(SelectedCases(cases(["a", "b", "c"]), paths: ["Filters"], only: nil)) == "2 and 3 cases")
    #expect(difference(SelectedCases(cases(["a", "c"]), paths: ["Filters"], only: nil)) == "2 cases each, but of other names")
    first.selected = SelectedCases(cases(["a", "b"]), paths: ["Filters"], only: nil, content: "1")
    #expect(difference(first.selected) == nil)
    #expect(
      difference(SelectedCases(cases(["a", "b"]), paths: ["Filters"], only: nil, content: "2"))
        == "files of cases or filters were changed between them")
    first.selected = selected
    #expect(difference(selected, shards: []) == "'1' is a shard, and '2' is a whole run")
    #expect(difference(selected, shards: [.init(index: 2, count: 3)]) == "they are parts of different runs")
  }

  @Test func wholeRunsOfSeveralThingsArePutTogether() throws {
    var first = results(["a": .passed]), second = results(["b": .passed])
    first.selected = SelectedCases(cases(["a"]), paths: ["Filters"], only: nil)
    second.selected = SelectedCases(cases(["b"]), paths: ["More"], only: "b")
    let selected = try #require(try ResultsMerge.merge([("1", first), ("2", second)]).selected)
    #expect(selected.paths == ["Filters", "More"] && selected.only == nil && selected.count == 2)
  }

  @Test func buildServersReadTheReport() throws {
    var results = results(["a": .passed, "b": .failed, "c": .skipped, "d": .crashed])
    results.cases[1].frames = [FrameResult(check: "reference", moment: "frame 0")]
    results.cases[1].frames[0].pictures = ["actual": "results.pictures/b/actual.png"]
    let text = JUnitReport(results, folder: "out").text
    #expect(text.contains("<testsuites name=\"etalon\" tests=\"4\" failures=\"1\" errors=\"1\" skipped=\"1\""))
    #expect(text.contains("[[ATTACHMENT|out/results.pictures/b/actual.png]]"))
    #expect(text.contains("message=\"50% &lt;differ&gt;, &quot;they&quot; say\""))
    let parser = XMLCheck()
    #expect(parser.error(in: text) == nil)
  }

  @Test func whatIsNotWorkedOutIsSeenEverywhere() {
    let results = results(["a": .passed, "b": .notWorkedOut])
    #expect(JUnitReport(results, folder: "out").text.contains("failures=\"0\" errors=\"0\" skipped=\"1\""))
    #expect(JUnitReport(results, folder: "out").text.contains("<skipped message=\"50% &lt;differ&gt;"))
    #expect(GitHubAnnotations(results).text.contains("::warning file=Filters/a/tests/b.yaml,line=3,title=not-worked-out%3A a b::"))
  }

  // MARK: errors of shaders

  /// Three cases of a filter that does not compile, one of another that does, and one whose values are wrong.
  private func broken() throws -> (folder: TestFolder, results: TestResults) {
    let folder = try TestFolder()
    try folder.writeFilter("broken", "vec4(uw, level, 1.0)")
    try folder.write("broken/tests/basics.yaml", "size: 16x12\ncases:\n  a: {}\n  b: { values: { level: 1 } }\n  c: {}\n")
    try folder.writeFilter("ramp", "vec4(uv, level, 1.0)")
    try folder.write("ramp/tests/basics.yaml", "size: 16x12\nvalues: { lever: 1 }\n")
    return (folder, try folder.run())
  }

  @Test func anErrorOfAShaderIsToldOnce() throws {
    let (folder, results) = try broken()
    #expect(results.cases.map(\.verdict) == [.invalid, .invalid, .invalid, .invalid])
    let groups = results.sharedDiagnostics
    #expect(groups.map(\.cases.count) == [3, 1] && groups.map(\.isShared) == [true, false])
    let diagnostic = try #require(groups.first?.diagnostics.first)
    #expect(diagnostic.path == "\(folder.path)/broken/broken.glsl" && diagnostic.line == 2 && diagnostic.id == "glsl.undeclared-identifier")
    #expect(groups[0].text == "3 cases could not run because of \(diagnostic.text)")
  }

  @Test func annotationsOfErrorsStandWhereTheyAre() throws {
    let (_, results) = try broken()
    let lines = GitHubAnnotations(results).text.split(separator: "\n").map(String.init)
    #expect(lines.count == 2, "\(lines)")
    #expect(lines.first?.contains("broken/broken.glsl,line=2,col=") ?? false, "\(lines)")
    #expect(lines.first?.contains("title=invalid%3A glsl.undeclared-identifier::") ?? false)
    #expect(lines.first?.contains("%0A3 cases could not run because of it:%0A") ?? false)
    #expect(lines.last?.contains("ramp/tests/basics.yaml,line=2,col=11,") ?? false, "what is wrong with a case stands there: \(lines)")
  }

  @Test func buildServersAreToldOfAnErrorOnce() throws {
    let (_, results) = try broken()
    let text = JUnitReport(results, folder: "out").text
    #expect(text.contains("<testsuites name=\"etalon\" tests=\"5\" failures=\"0\" errors=\"2\" skipped=\"3\""), "\(text)")
    #expect(text.components(separatedBy: "<error ").count == 3)
    #expect(text.components(separatedBy: "<skipped message=\"could not run because of ").count == 4)
    #expect(text.contains("message=\"3 cases could not run because of "))
    #expect(XMLCheck().error(in: text) == nil)
  }

  @Test func buildServersSeeEveryRun() {
    var results = results(["a": .flaky, "b": .expectedFailure, "c": .failed])
    func attempt(_ kind: CaseResult.Attempt.Kind, _ verdict: Verdict) -> CaseResult.Attempt {
      .init(kind: kind, verdict: verdict, reason: verdict == .passed ? nil : "dark & <cold>")
    }
    results.cases[0].attempts = [attempt(.first, .failed), attempt(.alone, .passed), attempt(.alone, .crashed)]
    results.cases[1].attempts = [attempt(.first, .failed), attempt(.alone, .passed)]
    results.cases[2].attempts = [attempt(.first, .failed), attempt(.alone, .failed)]
    let text = JUnitReport(results, folder: "out").text
    #expect(text.contains("<testsuites name=\"etalon\" tests=\"3\" failures=\"2\" errors=\"0\" skipped=\"0\""))
    #expect(text.contains("<property name=\"runs\" value=\"first: failed, alone: passed, alone: crashed\"/>"))
    #expect(text.contains("<rerunError type=\"crashed\" message=\"dark &amp; &lt;cold&gt;\"><stackTrace>alone: "))
    #expect(text.matches(of: /<rerunFailure\b/).count == 1)
    #expect(text.matches(of: /<flakyFailure\b/).count == 1)
    #expect(XMLCheck().error(in: text) == nil)
    let annotations = GitHubAnnotations(results).text.split(separator: "\n")
    #expect(annotations.map { $0.prefix(8) } == ["::error ", "::notice", "::error "])
    #expect(annotations[0].contains("%0Aruns: first: failed, alone: passed, alone: crashed%0A"))
  }

  @Test func annotationsPointAtTheCase() {
    let project = ProjectPath(workspace: FileManager.default.currentDirectoryPath)
    let text = GitHubAnnotations(results(["a": .passed, "b": .failed]), project: project).text
    #expect(
      text
        == "::error file=Filters/a/tests/b.yaml,line=3,title=failed%3A a b::50%25 <differ>, \"they\" say%0Aetalon test Filters/a/tests/b.yaml\n"
    )
  }

  @Test func anOrphanHasItsPathInEveryForm() throws {
    let folder = try TestFolder()
    try folder.writeFilter("ramp", "vec4(uv, level, 1.0)")
    try folder.write("ramp/tests/basics.yaml", "size: 8x8\nreference: cpu\n")
    try folder.writePicture("ramp/tests/old.png")
    var results = results([:])
    results.cases = try folder.selection("").diagnosticResults
    let path = "\(folder.path)/ramp/tests/old.png"
    #expect(results.cases.map(\.id) == [path])
    #expect(JUnitReport(results, folder: "out").text.contains("classname=\"\(path)\" name=\"\(path)\" file=\"\(path)\""))
    #expect(GitHubAnnotations(results).text.hasPrefix("::error file=\(path),title=invalid%3A \(path) test.orphan::no case reads"))
    results.cases = [CaseResult(Diagnostic("a.b", "nothing is there"))]
    #expect(GitHubAnnotations(results).text == "::error title=invalid%3A a.b::nothing is there [a.b]\n")
  }

  @Test func picturesThatStayedBehindAreTold() throws {
    let folder = try TestFolder()
    try folder.writeFilter("ramp", "vec4(uv, level, 1.0)")
    try folder.write("ramp/tests/basics.yaml", "size: 8x8\n")
    let results = try folder.run()
    #expect(folder.place.missingPictures(of: results) == nil)
    let (here, there) = ("\(folder.path)/out/results.pictures", "\(folder.path)/kept")
    try FileManager.default.moveItem(atPath: here, toPath: there)
    let told = try #require(folder.place.missingPictures(of: results))
    #expect(told.message == "2 pictures of '\(folder.place.path)' are not there: the folder '\(here)' is missing")
    #expect(told.severity == .warning)
  }

  @Test func annotationsNameFilesAsTheProjectDoes() throws {
    let folder = try TestFolder()
    try folder.write(".git/HEAD", "")
    let file = "\(folder.path)/shaders/Filters/a.yaml"
    #expect(ProjectPath(workspace: nil).text(file) == "shaders/Filters/a.yaml")
    #expect(ProjectPath(workspace: "").text(file) == "shaders/Filters/a.yaml")
    #expect(ProjectPath(workspace: "\(folder.path)/shaders/").text(file) == "Filters/a.yaml")
    #expect(ProjectPath(workspace: "\(folder.path)/shad").text(file) == "shaders/Filters/a.yaml")
    let here = FileManager.default.currentDirectoryPath
    #expect(ProjectPath(workspace: here).text("./Filters/../Filters/a.yaml") == "Filters/a.yaml")
    #expect(ProjectPath(workspace: URL(filePath: here).deletingLastPathComponent().path).text("./a").hasSuffix("/a"))
    try FileManager.default.removeItem(atPath: "\(folder.path)/.git")
    #expect(ProjectPath(workspace: nil).text(file) == file)
  }

  @Test func whatHasNoFileIsAnnotatedWithoutOne() {
    var results = results(["a": .failed])
    results.cases = [CaseResult(id: "x", name: "x", path: "", line: nil, subject: "")]
    results.cases[0].verdict = .invalid
    #expect(GitHubAnnotations(results).text.hasPrefix("::error title=invalid%3A x::"))
  }

  @Test func onlyFilesOfTheSameKindAreReplaced() throws {
    let folder = try TestFolder()
    let file = "\(folder.path)/file"
    func isRefused(_ text: String, _ start: String, _ signs: [String]) throws -> Bool {
      try folder.write("file", text)
      do throws(RenderError) { try TextFile.refuseForeign(file, startingWith: start, signs: signs) } catch { return true }
      return false
    }
    let report = JUnitReport(results(["a": .failed]), folder: "out").text
    #expect(try !isRefused(report, "<?xml", ["<testsuites name=\"etalon\""]))
    #expect(try isRefused("<?xml version=\"1.0\"?>\n<project/>\n", "<?xml", ["<testsuites name=\"etalon\""]))
    let filler = String(repeating: " ", count: 10_000)
    #expect(try !isRefused("{ \"first\" \(filler) \"last\" }", "{", ["\"first\"", "\"last\""]))
    #expect(try isRefused("{ \"first\" \(filler) }", "{", ["\"first\"", "\"last\""]))
    #expect(try !isRefused("", "{", ["\"first\""]))
  }

  /// Who looks into a pipe takes what another one waits for, or waits for ever.
  @Test func whatIsNoFileIsNotLookedAt() throws {
    let folder = try TestFolder()
    let pipe = "\(folder.path)/pipe"
    try #require(unsafe mkfifo(pipe, 0o600) == 0)
    for path in [pipe, "/dev/full", "/dev/stdout"] {
      try TextFile.refuseForeign(path, startingWith: "{", signs: ["x"])
      #expect(ResultsPlace(json: path).earlierResults == nil)
    }
  }

  @Test func aRunRemembersThoseBeforeIt() throws {
    let first = results(["a": .passed, "b": .failed, "c": .failed])
    var second = results(["a": .crashed, "b": .passed, "c": .failed])
    second.follow(first)
    #expect(second.changes == "since the last run: 1 fails that did not, 1 no longer fails")
    var third = results(["a": .crashed, "b": .passed, "c": .failed])
    third.follow(second)
    #expect(third.changes == nil)
    #expect(
      third.earlier?.map { $0.failures.keys.sorted().map { String($0.suffix(6)) } } == [["b.yaml", "c.yaml"], ["a.yaml", "c.yaml"]])
    var later = third
    for _ in 0..<100 {
      var next = results(["a": .passed])
      next.follow(later)
      later = next
    }
    #expect(later.earlier?.count == 30)
    var shard = first
    shard.shards = [.init(index: 1, count: 2)]
    #expect(first.isComparable(to: second) && !first.isComparable(to: shard))
  }
}

/// Whether tags of XML are closed in the order in which they were opened.
private struct XMLCheck {
  func error(in text: String) -> String? {
    var open: [Substring] = []
    for tag in text.matches(of: /<(\/?)([A-Za-z-]+)([^>]*?)(\/?)>/) {
      if tag.4 == "/" { continue }
      if tag.1.isEmpty { open.append(tag.2) } else if open.popLast() != tag.2 { return String(tag.0) }
    }
    return open.first.map(String.init)
  }
}
