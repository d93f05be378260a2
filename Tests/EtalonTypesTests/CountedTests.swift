import EtalonTypes
import Testing

/// Numbers with what they count.
@Suite struct CountedTests {
  @Test func oneIsNotSeveral() {
    #expect([0, 1, 2].map { $0.of("pixel") } == ["0 pixels", "1 pixel", "2 pixels"])
    #expect([1, 2].map { $0.of("pixel differs", "pixels differ") } == ["1 pixel differs", "2 pixels differ"])
  }
}
