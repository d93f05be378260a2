import EtalonTestSupport
import Testing

/// The page in headless Chromium, where there is one: `Tests/Preview/check` uses it as a person would.
@Suite(.timeLimit(.minutes(10))) struct BrowserTests {
  @Test(.enabled(if: BrowserCheck.isPossible, "there is no Chromium with its driver")) func thePageDoesWhatAPersonExpects() throws {
    try BrowserCheck("Preview/check").run()
  }
}
