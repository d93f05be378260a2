import EtalonDiagnostics
import Testing

@testable import EtalonGraph

/// What is printed for values that are refused.
@Suite struct AnimationErrorTests {
  private func check(_ texts: [String: String], frames: ClosedRange<Int> = 0...48, tables: [String: String] = [:]) throws -> String {
    var fixture = try AnimationFixture()
    fixture.tables = tables
    return fixture.message { _ = try ParameterTimeline(fixture.animation(texts), at: fixture.readings(frames)) }
  }

  @Test func theFirstFrameOutOfRangeIsTold() throws {
    #expect(
      try check(["radius": "(frame / 4)"]) == """
        <--set>:1:9: error: at frame 41 (time 1.708 s) the expression gives 10.25, which is out of range for 'radius' [value.range]
         1 | radius=(frame / 4)
           |         ^^^^^^^^^ above the maximum
           = help: give a value from 0 to 10
           = note: on frames 0 to 48 it runs from 0 to 12

        """)
  }

  @Test func theKeyThatSwingsBeyondIsTold() throws {
    #expect(
      try check(["radius": "{0f: 0, 10f: 5, 20f: {value: 10, ease: back-out}}"]) == """
        <--set>:1:24: error: at frame 14 (time 0.583 s) the keyframes give 10.145138, which is out of range for 'radius' [value.range]
         1 | radius={0f: 0, 10f: 5, 20f: {value: 10, ease: back-out}}
           |                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ above the maximum
           = help: give a value from 0 to 10
           = note: on frames 0 to 48 it runs from 0 to 10.496758

        """)
  }

  @Test func whatIsNoNumberIsToldWithItsFrame() throws {
    let printed = try check(["speed": "(1 / level)", "level": "{0f: 1, 1f: 0.5, 37f: {value: 0, ease: hold}}"])
    #expect(
      printed.hasPrefix("<--set>:1:8: error: at frame 37 (time 1.542 s) the expression gives infinity for 'speed' [value.undefined]\n"))
  }

  @Test func choicesAreCheckedOnEveryFrame() throws {
    #expect(
      try check(["edges": "(frame + 0)"]).hasPrefix(
        "<--set>:1:8: error: at frame 1 (time 0.042 s) the expression gives 1, which is none of the choices of 'edges' [value.choice]\n"))
    #expect(
      try check(["count": "@t.csv"], frames: 0...2, tables: ["t.csv": "frame,n\n0,1\n1,2.5\n2,3"]).contains(
        "at frame 1 (time 0.042 s) the track gives 2.5, which is no value for 'count' [value.type]"))
  }

  @Test func severalParametersAreToldTogether() throws {
    let printed = try check(["radius": "(frame + 9)", "count": "(frame + 0)"])
    #expect(printed.contains("at frame 2 (time 0.083 s) the expression gives 11, which"))
    #expect(printed.contains("at frame 0 (time 0 s) the expression gives 0, which"))
  }

  @Test func gapsAndEndsOfTracksAreTold() throws {
    #expect(
      try check(["radius": "@t.csv:x"], frames: 2...9, tables: ["t.csv": "frame,x\n1,1\n4,\n6,2\n"]) == """
        t.csv:3:3: error: at frame 2 (time 0.083 s) the track has no number in the column 'x' [track.gap]
         3 | 4,
           |   ^ empty
           --> <--set>:1:8
         1 | radius=@t.csv:x
           |        ^^^^^^^^ read here
           = help: fill the gap, or write 'missing: hold' to keep the number before it

        """)
    #expect(
      try check(["radius": "@t.csv"], frames: 2...9, tables: ["t.csv": "frame,x\n1,1\n4,2\n"]) == """
        <--set>:1:8: error: at frame 5 (time 0.208 s) the track has no row [track.outside]
         1 | radius=@t.csv
           |        ^^^^^^ used here
           = help: write 'missing: hold' to keep the first and the last row, or render other frames
           = note: the track is from frame 1 to frame 4

        """)
  }

  @Test(arguments: [
    ("radius=(radius + 1)", "the expression of 'radius' needs its own value [value.cycle]"),
    ("radius={0f: 1, 0s: 2}", "'0f' and '0s' are the same time at 24 frames a second [value.keyframes]"),
    ("radius={0f: {value: 1, ease: sine-in}, 1s: 2}", "'sine-in' has no effect on the first key, which nothing leads to [value.keyframes]"),
    (
      "radius={0: 1}",
      "expected a time, found '0' [value.keyframes]\n 1 | radius={0: 1}\n   |         ^ seconds or a frame?\n   = help: write '0s'"
    ),
    (
      "radius={0s:1}",
      "expected ': ' after '0s:1' [value.form]\n 1 | radius={0s:1}\n   |         ^^^^ a key without a value\n   = help: write '0s: 1'"
    ),
    ("radius={0s: 1, 0s: 2}", "'0s' is there twice [value.form]"), ("radius={}", "keyframes without a key [value.keyframes]"),
    ("radius={0s: 1", "a bracket that is never closed [value.form]"),
    ("radius={0s: 1} 2", "expected nothing behind the value [value.form]"),
    ("radius={0s: }", "expected a value [value.form]"), ("radius={0s: 1, 2s: 11}", "'11' is out of range for 'radius' [value.range]"),
    ("center={x: {0s: 0}, y: 2}", "'2' is out of range for 'center.y' [value.range]"),
    ("center={x: {0s: 0}}", "the component 'y' of 'center' is missing [value.keyframes]"),
    ("center={x: 0, y: 0, z: 0}", "'center' has no component 'z' [value.keyframes]"),
    ("radius={0s: {value: 1, ease: cubic-inout}}", "= help: did you mean 'cubic-in-out'?"),
    ("radius={0s: {value: 1, eas: hold}}", "= help: did you mean 'ease'?"), ("radius={0s: {ease: hold}}", "the key '0s' has no value"),
    ("radius={0s: (time)}", "a key has a plain value [value.keyframes]"),
    ("count={0s: 1, 1s: {value: 2, ease: linear}}", "'count' has nothing between two keys: its values hold"),
    ("turn=(1)", "an expression cannot give a matrix [value.expression]"),
    ("radius=(1) + (2)", "the parentheses do not enclose the whole expression [value.expression]"),
    ("radius=(1) + (2)", "= help: write '((1) + (2))'"), ("center=(1 + time), (frame)", "= help: write '(vec2(1 + time, frame))'"),
    ("center=(time), 3", "= help: write '(vec2(time, 3))'"), ("center=max(time, 1), 3", "'(vec2(max(time, 1), 3))'"),
    ("center=(1) + (2), (3) + (4)", "= help: write '(vec2((1) + (2), (3) + (4)))'"),
    ("radius=(1", "a parenthesis is never closed"),
    ("radius=@t.csv:q", "'t.csv' has no column 'q' [value.track]"), ("center=@t.csv:x", "'center' takes 2 columns, found 1 [value.track]"),
    ("radius=@t.csv", "'radius' takes 1 column, found 0 [value.track]"),
    ("radius={track: t.csv, colum: x}", "= help: did you mean 'column'?"),
    ("radius={track: t.csv, column: x, missing: skip}", "expected 'fail' or 'hold', found 'skip' [value.track]"),
    ("count={track: t.csv, column: x, between: linear}", "'count' has nothing between two rows: its values hold [value.track]"),
  ]) func errorsAreToldAtTheirPlaces(_ setting: String, _ expected: String) throws {
    let parts = setting.split(separator: "=", maxSplits: 1).map(String.init)
    let printed = try check([parts[0]: parts[1]], tables: ["t.csv": "frame,x,y\n0,0,0\n"])
    #expect(printed.contains(expected), "\(printed)")
  }

  @Test func expressionsThatNeedEachOtherAreAllShown() throws {
    let printed = try check(["radius": "(speed + 1)", "speed": "(level + 1)", "level": "(radius + 1)"])
    #expect(
      printed.hasPrefix("<--set>:1:8: error: expressions need each other: level needs radius needs speed needs level [value.cycle]\n"))
    #expect(printed.contains("^^^^^^^^^ needs 'speed'"))
  }

  @Test(arguments: [
    ("", "expected a line with the names of the columns, and rows below it"), ("frame,x\n", "expected a line with the names"),
    ("a,b\n1,2\n", "expected a column 'time' or 'frame'"), ("frame,x,x\n1,2,3\n", "two columns are called 'x'"),
    ("frame,\n1,2\n", "a column without a name"), ("frame,x\n1,2,3\n", "expected 2 fields, found 3"),
    ("frame,x\na,2\n", "expected the number of a frame"),
    ("time,x\n1,2\n1,3\n", "the rows are not in the order of their times"), ("time,x\n1,two\n", "expected a number, found 'two'"),
    ("time,x\n1,inf\n", "expected a number, found 'inf'"),
  ]) func tablesAreRefusedAtTheirLines(_ table: String, _ expected: String) throws {
    let printed = try check(["radius": "@t.csv:x"], tables: ["t.csv": table])
    #expect(printed.contains("error: \(expected)"), "\(printed)")
    #expect(printed.hasPrefix("t.csv:"), "\(printed)")
  }
}
