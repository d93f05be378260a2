import Etalon
import EtalonDiagnostics
import EtalonTypes
import Testing

/// What a filter says must be true of its parameters together.
@Suite struct ConstraintTests {
  private func shot(_ settings: [(String, String)]) -> TestShot {
    var shot = TestShot("constrained", on: .cpu, size: Size(1, 1))
    shot.request.settings = settings.map { .init(name: $0.0, value: $0.1) }
    return shot
  }

  @Test func valuesThatAgreeAreRendered() throws {
    #expect(try shot([("low", "0.4")]).picture().pixel(0, 0) == [102, 191, 0, 255])
  }

  @Test func valuesThatContradictAreRefusedAllTogether() throws {
    let error = #expect(throws: DiagnosticsError.self) { try shot([("low", "0.9"), ("high", "0.5")]).picture() }
    #expect(error?.diagnostics.map(\.message) == ["the values contradict 'low < high'"])
    #expect(error?.diagnostics.first?.notes == ["high is 0.5, low is 0.9"])
    let wide = #expect(throws: DiagnosticsError.self) { try shot([("low", "0"), ("high", "1")]).picture() }
    #expect(wide?.diagnostics.map(\.message) == ["the values contradict 'high - low <= 0.8'"])
  }
}
