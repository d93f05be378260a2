import EtalonDiagnostics
import EtalonManifest
import EtalonTypes
import Testing

@testable import EtalonGraph

/// What texts mean, and what is printed for them.
@Suite struct AnimatedValueTests {
  private static let table = "# a path\nframe, x, \"y\"\n0, 0.25, 0.5\n2, 0.75,\n4, 1, 0\n"

  /// Read, printed, and read again.
  @Test(
    arguments: [
      ("radius", "2.5", "2.5"), ("tint", "#ff8000", "1,0.5019607843137255,0,1"), ("edges", "mirror", "2"), ("isOn", "on", "true"),
      ("radius", " ( 4 + 2*sin(time) ) ", "( 4 + 2*sin(time) )"), ("radius", "(1) ", "(1)"),
      ("radius", "{0s: 0, 24f: {value: 1, ease: cubic-in-out}}", "{0s: 0, 24f: {value: 1, ease: cubic-in-out}}"),
      (
        "radius", "{ 24f : 1 , 1:30: 2, 250ms: 3, 1:00:00.5: {ease: hold, value: 4},}",
        "{24f: 1, 90s: 2, 1/4s: 3, 7201/2s: {value: 4, ease: hold}}"
      ),
      (
        "radius", "{1.5s: 1, 2s: {value: 2, ease: cubic-bezier(0.2, 0, 0.8, 1)}}",
        "{3/2s: 1, 2s: {value: 2, ease: \"cubic-bezier(0.2,0,0.8,1)\"}}"
      ),
      ("radius", "{0s: 1, 2s: {value: 2, ease: [0.2, 0, 0.8, 1]}}", "{0s: 1, 2s: {value: 2, ease: \"cubic-bezier(0.2,0,0.8,1)\"}}"),
      ("center", "{0s: [0, 1], -1f: \"0.5, 0.25\", 1s: 0.5}", "{0s: [0, 1], -1f: [0.5, 0.25], 1s: [0.5, 0.5]}"),
      ("center", "{x: {0s: 0, 1s: {value: 1, ease: back-out}}, y: 0.5}", "{x: {0s: 0, 1s: {value: 1, ease: back-out}}, y: {0s: 0.5}}"),
      ("tint", "{0s: '#ff0000', 1s: #00ff00}", "{0s: [1, 0, 0, 1], 1s: [0, 1, 0, 1]}"),
      ("count", "{0f: 1, 10f: {value: 3, ease: hold}}", "{0f: 1, 10f: 3}"), ("edges", "{0s: clamp, 1s: mirror}", "{0s: 0, 1s: 2}"),
      ("isOn", "{0s: off, 3f: true}", "{0s: false, 3f: true}"), ("turn", "{0s: [1, 0, 0, 1], 1s: 0,}", nil),
      ("radius", "@path.csv:x", "{track: \"path.csv\", column: \"x\", between: linear, missing: fail}"),
      ("center", "@path.csv:x,y", "{track: \"path.csv\", column: [\"x\", \"y\"], between: linear, missing: fail}"),
      ("count", "{track: path.csv, column: x, missing: hold}", "{track: \"path.csv\", column: \"x\", between: hold, missing: hold}"),
      ("center", "[0.5, 1]", "0.5,1"),
    ] as [(String, String, String?)]) func printsWhatItRead(_ name: String, _ text: String, _ printed: String?) throws
  {
    var fixture = try AnimationFixture()
    fixture.tables = ["path.csv": Self.table]
    guard let printed else {
      #expect(throws: (any Error).self) { try fixture.parse(name, text) }
      return
    }
    let value = try fixture.parse(name, text)
    #expect(value.description == printed)
    #expect(try fixture.parse(name, value.description) == value)
  }

  @Test func equalValuesAreEqualWhereverTheyWereWritten() throws {
    let fixture = try AnimationFixture()
    let a = try fixture.parse("radius", "{0s: 1, 2s: (3)}".replacing("(3)", with: "3"))
    let b = try fixture.parse("radius", "{  0s: 1.0,   2s:   3.00}")
    #expect(a == b)
    #expect(a.hashValue == b.hashValue)
    #expect(try fixture.parse("radius", "(time)") == fixture.parse("speed", "  (time)"))
  }

  @Test func documentsGiveTheSameValues() throws {
    let fixture = try AnimationFixture()
    let source = SourceText(path: "graph.json", text: #"{"0s": [0, 1], "24f": {"value": [1, 0], "ease": "sine-in"}}"#)
    let json = try #require(JSONReader().read(source).value)
    let value = try AnimatedValue.parse(LocatedNode(json), for: fixture.parameter("center"), tracks: AnimationFixture.Tables(texts: [:]))
    #expect(value == (try fixture.parse("center", "{0s: [0, 1], 24f: {value: [1, 0], ease: sine-in}}")))
  }

  @Test func aTrackIsWhatItHolds() throws {
    var fixture = try AnimationFixture()
    fixture.tables = ["a.csv": Self.table, "b.csv": Self.table, "c.csv": Self.table + "5, 1, 1\n"]
    let values = try ["a", "b", "c"].map { try fixture.parse("radius", "@\($0).csv:x") }
    #expect(values[0] == values[1])
    #expect(values[0] != values[2])
    #expect(values[0].recipeText == values[1].recipeText)
    #expect(values[0].recipeText != values[2].recipeText)
  }

  @Test(arguments: [
    "(1", "(1)+(2)", "{0s: 1", "{0s:1}", "{0: 1}", "{}", "{0s: (time)}", "{0s: {value: 1, ese: hold}}", "{0s: 20}", "@no.csv",
  ])
  func refuses(_ text: String) throws {
    let fixture = try AnimationFixture()
    #expect(throws: (any Error).self) { try fixture.parse("radius", text) }
  }
}
