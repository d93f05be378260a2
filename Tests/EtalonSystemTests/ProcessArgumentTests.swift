import Testing

@testable import EtalonSystem

@Suite struct ProcessArgumentTests {
  @Test func theyAreThoseOfTheCommandLine() {
    #expect(ProcessArguments.all == CommandLine.arguments)
    #expect(ProcessArguments.all.count > 1)
    #expect(ProcessArguments.unreadable.isEmpty)
  }
}
