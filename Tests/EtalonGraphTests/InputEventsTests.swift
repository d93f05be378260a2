import EtalonDiagnostics
import EtalonTypes
import Testing

@testable import EtalonGraph

@Suite struct InputEventsTests {
  private func events(_ text: String, _ clock: ShotClock = ShotClock(rate: FrameRate("10") ?? .sixty)) throws -> InputEvents {
    try InputEvents(SourceText(path: "events.csv", text: text), clock: clock)
  }

  /// Signs of zero count, because the player shows them.
  private func mouse(_ events: InputEvents, _ frame: Int) -> [String] { events.state(onFrame: frame).mouse.map { "\($0)" } }

  @Test func mouseSignsSayWhatTheButtonDoes() throws {
    let events = try events(
      """
      # a drag
      0.1, mouse, down, 10.7, 20.2
      0.2, mouse, move, 30, 40
      0.35, mouse, up
      0.5, mouse, move, 50, 60
      0.6, mouse, down, 5, 6
      0.6, mouse, up
      """)
    #expect(mouse(events, 0) == ["0.0", "0.0", "-0.0", "-0.0"])
    #expect(mouse(events, 1) == ["10.0", "20.0", "10.0", "20.0"])
    #expect(mouse(events, 2) == ["30.0", "40.0", "10.0", "-20.0"])
    #expect(mouse(events, 3) == ["30.0", "40.0", "10.0", "-20.0"])
    #expect(mouse(events, 4) == ["30.0", "40.0", "-10.0", "-20.0"])
    #expect(mouse(events, 5) == ["30.0", "40.0", "-10.0", "-20.0"])
    #expect(mouse(events, 6) == ["5.0", "6.0", "-5.0", "6.0"])
    #expect(mouse(events, 7) == ["5.0", "6.0", "-5.0", "-6.0"])
  }

  @Test func framesCountFromTheFirst() throws {
    let clock = ShotClock(first: 1001, start: Rational(2), rate: FrameRate("24") ?? .sixty)
    let events = try events("1003f, mouse, down, 1, 2\n2.5s, mouse, up", clock)
    #expect(events.state(onFrame: 1).mouse[0] == 0)
    #expect(events.state(onFrame: 2).mouse[2] == 1)
    #expect(events.state(onFrame: 11).mouse[2] == 1)
    #expect(events.state(onFrame: 12).mouse[2] == -1)
  }

  @Test func everyStateIsTheSameFromWhereverOneLooks() throws {
    let events = try events("1f, key, down, a\n1f, key, down, 255\n3f, key, tap, left\n3f, key, tap, left\n5f, key, up, a")
    let keys = (0...6).map { events.state(onFrame: $0).keys }
    #expect(keys[1][2] == 2 && keys[1][7] == Double(Int32.min))
    #expect(keys[1][8 + 2] == 2 && keys[2][8 + 2] == 0)
    #expect(keys[2][2] == 2 && keys[5][2] == 0)
    #expect(keys[3][1] == 32 && keys[4][1] == 0)
    // Two presses switch a key on and off again.
    #expect(keys[6][16 + 1] == 0 && keys[6][16 + 2] == 2)
  }

  @Test func explainsErrors() throws {
    let text = """
      0.5, mouse, down, 320
      soon, mouse, up
      1, mose, up
      1, mouse, dwon, 1, 2
      1, mouse, down, left, 2
      1, key, down, spcae
      1, key, up, a, b
      -1, mouse, up
      1
      """
    let error = #expect(throws: DiagnosticsError.self) { try events(text) }
    let printed = DiagnosticPrinter().text(error?.diagnostics ?? [])
    let heads = printed.split(separator: "\n").filter { $0.hasPrefix("events.csv") }.map(String.init)
    #expect(
      heads == [
        "events.csv:1:1: error: expected 5 fields, found 4 [events.line]",
        "events.csv:2:1: error: expected a time, found 'soon' [events.time]",
        "events.csv:3:4: error: expected 'mouse' or 'key', found 'mose' [events.word]",
        "events.csv:4:11: error: expected 'down', 'move' or 'up', found 'dwon' [events.word]",
        "events.csv:5:17: error: expected pixels, found 'left' [events.number]",
        "events.csv:6:15: error: there is no key 'spcae' [events.key]",
        "events.csv:7:16: error: expected 4 fields, found 5 [events.line]",
        "events.csv:8:1: error: the shot begins at 0 seconds [events.before-start]",
        "events.csv:9:1: error: expected a time, 'mouse' or 'key', and what it does [events.line]",
      ])
    #expect(printed.contains("did you mean 'space'?"))
    #expect(printed.contains("did you mean 'mouse'?"))
  }

  @Test(arguments: [("a", 65), ("Z", 90), ("digit7", 55), ("f1", 112), ("f12", 123), ("space", 32), ("65", 65), ("up", 38)])
  func knowsKeys(_ name: String, _ code: UInt8) { #expect(KeyNames.code(of: name) == code) }

  @Test(arguments: ["", "f13", "digit", "256", "-1", "é"]) func refusesOtherKeys(_ name: String) { #expect(KeyNames.code(of: name) == nil) }
}
