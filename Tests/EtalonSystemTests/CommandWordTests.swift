import Testing

@testable import EtalonSystem

@Suite struct CommandWordTests {
  @Test func theyAreThoseOfTheCommandLine() {
    #expect(CommandWords.all == CommandLine.arguments)
    #expect(CommandWords.all.count > 1)
    #expect(CommandWords.unreadable.isEmpty)
  }
}
