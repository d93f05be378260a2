import EtalonManifest
import EtalonTypes
import Testing

@testable import EtalonGraph

/// What values are on frames.
@Suite struct AnimationTests {
  @Test func keysMeetTheirFramesExactly() throws {
    let fixture = try AnimationFixture(rate: "23.976", first: 1001)
    let values = try fixture.components(
      of: "radius", "{1001f: 0, 1005f: {value: 4, ease: linear}, 1007f: {value: 8, ease: hold}}", frames: 1001...1009)
    #expect(values.map { $0[0] } == [0, 1, 2, 3, 4, 4, 8, 8, 8])
  }

  @Test func keysMayComeInAnyOrderAndUnit() throws {
    let fixture = try AnimationFixture()
    let values = try fixture.components(of: "radius", "{1s: 4, 0f: 0, 0:00.5: 2}", frames: 0...24)
    let expected: [Double] = (0...24).map { Double(Float($0) / 6) }
    #expect(values.map { $0[0] } == expected)
  }

  @Test func valuesStayBeforeAndBehindTheKeys() throws {
    let fixture = try AnimationFixture()
    #expect(try fixture.components(of: "radius", "{2f: 3, 4f: 5}", frames: 0...6).map { $0[0] } == [3, 3, 3, 4, 5, 5, 5])
    #expect(try fixture.components(of: "radius", "{2f: 3}", frames: 0...3).map { $0[0] } == [3, 3, 3, 3])
  }

  @Test func componentsMoveTogetherOrAlone() throws {
    let fixture = try AnimationFixture()
    #expect(try fixture.components(of: "center", "{0f: [0, 1], 2f: [1, 0]}", frames: 0...2) == [[0, 1], [0.5, 0.5], [1, 0]])
    #expect(try fixture.components(of: "center", "{y: {0f: 0, 1f: 1}, x: 0.25}", frames: 0...2) == [[0.25, 0], [0.25, 1], [0.25, 1]])
  }

  @Test func wholeNumbersAndChoicesHold() throws {
    let fixture = try AnimationFixture()
    #expect(try fixture.components(of: "count", "{0f: 1, 2f: 5}", frames: 0...3) == [[1], [1], [5], [5]])
    #expect(try fixture.components(of: "edges", "{0f: mirror, 1f: clamp}", frames: 0...1) == [[2], [0]])
    #expect(try fixture.components(of: "isOn", "{0f: on, 1f: off}", frames: 0...1) == [[1], [0]])
  }

  @Test func tracksMoveOrHoldBetweenRows() throws {
    var fixture = try AnimationFixture(first: 10)
    fixture.tables = ["f.csv": "frame,x\n10,0\n12,4\n13,1\n", "t.csv": "x,time\n0,0\n6,0.25\n"]
    #expect(try fixture.components(of: "radius", "@f.csv:x", frames: 10...13) == [[0], [2], [4], [1]])
    #expect(try fixture.components(of: "radius", "{track: f.csv, column: x, between: hold}", frames: 10...13) == [[0], [0], [4], [1]])
    #expect(try fixture.components(of: "radius", "{track: f.csv, column: x, missing: hold}", frames: 10...15).suffix(2) == [[1], [1]])
    #expect(try fixture.components(of: "radius", "@t.csv", frames: 10...16).map { $0[0] } == [0, 1, 2, 3, 4, 5, 6])
  }

  @Test func gapsHoldWhereTheyAreTold() throws {
    var fixture = try AnimationFixture()
    fixture.tables = ["g.csv": "frame,x\n1,\n2,3\n3,\n4,5\n"]
    let text = "{track: g.csv, column: x, missing: hold}"
    #expect(try fixture.components(of: "radius", text, frames: 0...5).map { $0[0] } == [3, 3, 3, 3, 5, 5])
  }

  @Test func expressionsSeeWhatOtherParametersAre() throws {
    let fixture = try AnimationFixture()
    let animation = try fixture.animation(["level": "(radius + speed)", "speed": "(radius + 1)", "radius": "{0f: 0, 4f: 4}", "count": "2"])
    let values = try animation.values(at: fixture.readings(0...4))
    #expect(values.map { $0["level"]?.components } == [[1], [3], [5], [7], [9]])
    #expect(values[0]["count"] == Value(.int, [2]))
    #expect(animation.names == ["level", "speed", "radius"])
  }

  /// The clock of a parameter's own name, which the parameter hides from all others.
  @Test func aParameterMayFollowTheClockOfItsName() throws {
    let fixture = try AnimationFixture()
    let values = try fixture.animation(["progress": "(progress / 2)", "level": "(progress + 0)", "speed": "(PROGRESS + 0)"])
      .values(at: fixture.readings(0...4))
    #expect(values.map { $0["progress"]?.components[0] } == [0, 0.125, 0.25, 0.375, 0.5])
    #expect(values.map { $0["level"]?.components[0] } == [0, 0.125, 0.25, 0.375, 0.5])
    #expect(values.map { $0["speed"]?.components[0] } == [0, 0.25, 0.5, 0.75, 1])
  }

  @Test func clocksCountFromTheFirstFrame() throws {
    let fixture = try AnimationFixture(first: 1001)
    #expect(try fixture.components(of: "level", "(frame + 0)", frames: 1001...1003).map { $0[0] } == [0, 1, 2])
    #expect(try fixture.components(of: "level", "(width + height)", frames: 1001...1001) == [[96]])
    #expect(try fixture.components(of: "level", "(time + duration)", frames: 1001...1012).last?[0] == 11.0 / 24 + 0.5)
  }

  /// Ties go away from zero, and a value that is typed is not moved.
  @Test func valuesThatChangeAreMovedToSteps() throws {
    let fixture = try AnimationFixture()
    let timeline = try ParameterTimeline(fixture.animation(["level": "{0f: 0, 8f: 1}"]), at: fixture.readings(0...8))
    let levels = (0...8).map { timeline.values(onFrame: $0)["level"]?.components }
    #expect(levels == [0, 0.25, 0.25, 0.5, 0.5, 0.75, 0.75, 1, 1].map { [$0] })
    #expect(throws: AnimatedValue.ReadingError.self) { try fixture.parse("level", "0.125") }
  }

  @Test func aTimelineHasEveryFrame() throws {
    let fixture = try AnimationFixture()
    let animation = try fixture.animation(["radius": "{0f: 0, 600f: 6}", "center": "{0f: [0, 1], 600f: [1, 0]}"])
    let timeline = try ParameterTimeline(animation, at: fixture.readings(0...600))
    for frame in [0, 255, 256, 511, 600] {
      #expect(timeline.values(onFrame: frame)["radius"] == Value(.float, [Double(Float(frame) / 100)]))
      #expect(timeline.values(onFrame: frame)["speed"] == Value(.float, [2]))
    }
  }
}
