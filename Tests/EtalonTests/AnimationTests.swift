import Etalon
import EtalonDiagnostics
import EtalonGraph
import EtalonTypes
import Foundation
import Testing

/// Values that change over time, seen in pictures.
@Suite struct AnimationTests {
  private func shot(_ shader: String, _ settings: [String: String], _ frames: ClosedRange<Int>) throws -> TestShot {
    var shot = TestShot(shader, on: .cpu, size: Size(4, 2))
    shot.request.settings = settings.map { .init(name: $0.key, value: $0.value) }
    shot.request.clock = ShotClock(rate: try #require(FrameRate("24")))
    shot.request.frames = .range(try #require(FrameRange(frames)))
    return shot
  }

  /// The color of the first pixel on every frame.
  private func colors(_ shader: String, _ settings: [String: String], _ frames: ClosedRange<Int>) throws -> [[Int]] {
    try shot(shader, settings, frames).pictures().map { Array($0.pixel(0, 0).prefix(3)) }
  }

  private func message(_ shader: String, _ settings: [String: String], _ frames: ClosedRange<Int>) throws -> String {
    let shot = try shot(shader, settings, frames)
    let error = #expect(throws: DiagnosticsError.self) { try shot.prepared() }
    return DiagnosticPrinter().text(error?.diagnostics ?? [])
  }

  @Test func everyKindReachesTheShader() throws {
    let folder = try TemporaryFolder()
    try "time,n\n0,10\n0.25,70\n1,71\n".write(toFile: folder.file("track.csv"), atomically: true, encoding: .utf8)
    let colors = try colors(
      "animated",
      ["level": "(frame/8)", "place": "{0f: [0, 0], 8f: {value: [1, 0], ease: quad-in}}", "count": "@\(folder.file("track.csv")):n"], 0...8)
    for (frame, color) in colors.enumerated() {
      let part = Double(frame) / 8
      #expect(color == [byte(part), byte(part * part), frame < 6 ? 10 : 70], "frame \(frame)")
    }
  }

  @Test func oneFrameAloneIsTheFrameOfTheSequence() throws {
    let frames = 0...20
    let wide = [
      "level": "(0.5 + 0.5*sin(time*5))", "count": "(frame * 7 % 32)", "place": "{0s: 0, 1s: {value: 1, ease: bounce-out}}",
    ]
    let whole = try colors("animated", wide, frames)
    #expect(Set(whole).count > 15)
    for frame in [0, 7, 20] { #expect(try colors("animated", wide, frame...frame) == [whole[frame]]) }
    #expect(try colors("animated", wide, 0...6) + colors("animated", wide, 7...20) == whole)
  }

  @Test func stateGathersTheValuesOfEarlierFrames() throws {
    let settings = ["amount": "(mod(frame, 3) == 1 ? 1 : 0.5)"]
    let whole = try colors("gathered", settings, 0...11)
    var sum = 0.0
    for frame in 0...11 {
      sum += frame % 3 == 1 ? 1 : 0.5
      #expect(whole[frame][0] == byte(sum / 255))
    }
    #expect(try colors("gathered", settings, 7...7) == [whole[7]])
    #expect(try colors("gathered", settings, 0...4) + colors("gathered", settings, 5...11) == whole)
  }

  @Test func sizesFollowTheirValues() throws {
    let sides = [4, 8, 4, 12, 16, 20, 4, 8]
    let keys = sides.enumerated().map { "\($0)f: {value: \($1), ease: hold}" }.joined(separator: ", ")
    let colors = try colors("resized", ["side": "{\(keys)}"], 0...7)
    #expect(colors.map { $0[0] } == sides)
    #expect(colors.map { $0[1] } == sides.map { $0 / 2 })
    #expect(colors.map { $0[2] } == sides.map { byte(0.5 / Double($0)) })
  }

  @Test func errorsNameTheirFrame() throws {
    #expect(
      try message("animated", ["low": "(time)", "high": "0.5"], 0...30).hasPrefix(
        "\(TestShot.folder.appending(path: "animated.glsl").path):10:20: error: at frame 12 (time 0.5 s) the values contradict 'low < high'"
      ))
    #expect(
      try message("gathered", ["side": "(1 + floor(time * 4))"], 0...30).hasPrefix(
        "<--set>:1:7: error: at frame 6 (time 0.25 s) the size of 'sum' changes from 1x1 to 2x1, which the frame after reads"))
    #expect(
      try message("resized", ["side": "(frame > 3 ? 0.5 : 2)"], 0...11).contains("at frame 4 (time 0.167 s) the expression gives 0.5"))
  }

  /// The divisor is found where the author wrote it.
  @Test(arguments: [
    (
      "level", "(0.01/(abs(time - 0.25)))", "at frame 6 (time 0.25 s) the expression for 'level' divides by zero [value.undefined]",
      "             ^^^^^^^^^^^^^^^^^^ zero"
    ),
    (
      "level", "(clamp(0.1/(frame - 5), 0.0, 1.0))", "at frame 5 (time 0.208 s) the expression for 'level' divides by zero",
      "                  ^^^^^^^^^^^ zero"
    ),
    (
      "level", "(0.5 + 1.0 / high * 0.0)", "at frame 3 (time 0.125 s) the expression for 'level' divides by zero",
      "                    ^^^^ zero"
    ),
    ("count", "(20 / (frame / 4))", "at frame 0 (time 0 s) the expression for 'count' divides by zero", "             ^^^^^^^^^^^ zero"),
    (
      "count", "(3 + 7 % abs(frame - 5))", "at frame 5 (time 0.208 s) the expression for 'count' divides by zero",
      "                ^^^^^^^^^^^^^^ zero"
    ),
    (
      "place", "(vec2(1) / vec2(1, 8 - frame).y)", "at frame 8 (time 0.333 s) the expression for 'place' divides by zero",
      "                  ^^^^^^^^^^^^^^^^^^^^ zero"
    ),
    (
      "level", "(sqrt(0.25 - time))", "at frame 7 (time 0.292 s) the expression gives not a number for 'level' [value.undefined]",
      "        ^^^^^^^^^^^^^^^^^ undefined here"
    ),
  ]) func divisionsByZeroAreTold(_ name: String, _ text: String, _ expected: String, _ caret: String) throws {
    let printed = try message("animated", [name: text, "low": "-1", "high": "{0f: 1, 3f: {value: 0, ease: hold}}"], 0...20)
    #expect(printed.contains(expected), "\(printed)")
    #expect(printed.contains("|" + caret), "\(printed)")
  }

  @Test func recipesKnowTheirValues() throws {
    let folder = try TemporaryFolder()
    func recipe(_ value: String, _ frames: ClosedRange<Int> = 0...3) throws -> String {
      try shot("animated", ["level": value], frames).prepared().recipe
    }
    for name in ["a", "b"] { try "frame,x\n0,0.5\n9,1\n".write(toFile: folder.file("\(name).csv"), atomically: true, encoding: .utf8) }
    try "frame,x\n0,0.5\n9,0\n".write(toFile: folder.file("c.csv"), atomically: true, encoding: .utf8)
    let tracks = try ["a", "b", "c"].map { try recipe("@\(folder.file("\($0).csv"))") }
    #expect(tracks[0] == tracks[1])
    #expect(tracks[0] != tracks[2])
    #expect(try recipe("(time)") != recipe("(time + 0)"))
    #expect(try recipe("(time)") == recipe("(time)", 4...9))
    #expect(try recipe("(progress)") != recipe("(progress)", 4...9))
  }
}
