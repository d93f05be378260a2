import EtalonDiagnostics
import EtalonGraph
import EtalonManifest
import Testing

/// What stages mean before any filter is known.
@Suite struct StageParserTests {
  private let parser = StageParser {
    $0.hasSuffix(".png")
  } isFile: {
    $0 == "my photo.png"
  }

  @Test func valuesJoinTheirStage() {
    #expect(
      StageParser.joined(["photo.png", "vignette", "amount=1", "radius=(1 + 2)", "blur"]) == [
        "photo.png", "vignette amount=1 radius=(1 + 2)", "blur",
      ])
    #expect(StageParser.joined(["title", "text=a b"]) == ["title text=\"a b\""])
    // Nothing before it, a file with an equals sign, and a text from standard input.
    #expect(StageParser.joined(["amount=1"]) == ["amount=1"])
    #expect(StageParser.joined(["vignette", "./a=b.png"]) == ["vignette", "./a=b.png"])
    #expect(StageParser.joined(["-", "amount=1"]) == ["-", "amount=1"])
  }

  /// One line a node: its name, its filter, what it reads, and its settings.
  private func lines(_ arguments: [String]) throws -> [String] {
    let text = try parser.graph(arguments)
    let nodes = text.nodes.map { node in
      let inputs = node.inputs.map { "\($0.isImplied ? "<" : "")\(name($0.origin))" }
      let settings = node.settings.map { "\($0.name.text)=\($0.value.list ?? "?")" }
      return ([node.name.text + ":", node.filter.text] + inputs + settings).joined(separator: " ")
    }
    return nodes + text.outputs.map { "-> \(name($0.origin))" } + text.inputs.keys.sorted().map { "@\($0)" }
  }

  private func name(_ origin: GraphText.Origin) -> String {
    switch origin {
    case .node(let word): "@\(word.text)"
    case .before(let word): "before(\(word.text))"
    case .file(let word, let fields): ([word.text] + fields.map { "\($0.key)=\($0.value.scalar ?? "")" }).joined(separator: ",")
    }
  }

  @Test(arguments: [
    (
      ["photo.png", "blur sigma=6", "hue angle=(30 * time)"],
      ["blur: blur <photo.png sigma=6", "hue: hue <@blur angle=(30 * time)", "-> @hue"]
    ),
    (["photo.png | blur | blur"], ["blur: blur <photo.png", "blur-2: blur <@blur", "-> @blur-2"]),
    (
      ["plate.####.png missing=hold rate=24", "a: mono", "b: ./own.glsl", "over @a"],
      ["a: mono <plate.####.png,missing=hold,rate=24", "b: ./own.glsl <@a", "over: over <@b backgroundImage=@a", "-> @over"]
    ),
    (["photo: photo.png", "path/to/own.glsl x='a b'"], ["own: path/to/own.glsl <photo.png x=a b", "-> @own", "@photo"]),
    (["my photo.png", "k level={0s: 0, 1s: 1}"], ["k: k <my photo.png level={0s: 0, 1s: 1}", "-> @k"]),
    (["k a=(b || c) d=[1, 2]"], ["k: k a=(b || c) d=[1, 2]", "-> @k"]),
    (["photo.png"], ["-> photo.png"]),
    (["-", "mono"], ["stdin: -", "mono: mono <@stdin", "-> @mono"]),
    (
      ["p.png | crop 1,-2,3x4 | pad 5 | pad 1,2,3,4 | resize 3x4 | resize 1/2 filter=area | resize 0.5 | orient rotate90 | clamp"],
      [
        "crop: crop <p.png left=1 bottom=-2 width=3 height=4", "pad: pad <@crop left=5 bottom=5 right=5 top=5",
        "pad-2: pad <@pad left=1 bottom=2 right=3 top=4", "resize: resize <@pad-2 size=3, 4",
        "resize-2: resize <@resize filter=area scale=(1/2)",
        "resize-3: resize <@resize-2 scale=(0.5)", "orient: orient <@resize-3 orientation=rotate90", "clamp: clamp <@orient", "-> @clamp",
      ]
    ),
    (["p.png", "crop rectangle=0,0,1,1"], ["crop: crop <p.png rectangle=0,0,1,1", "-> @crop"]),
  ])
  func reading(_ arguments: [String], _ expected: [String]) throws {
    #expect(try lines(arguments) == expected)
  }

  /// The whole message, because the caret is the point of it.
  @Test(arguments: [
    ["a | | b"], ["blur sigma=(2", "k a='b"], ["a: blur", "a: mono"], ["p.png", "crop 1,2,3"], ["blur 3"], ["p.png @x"], ["clamp 3"],
    ["a.b: blur"], ["mix @photo"], ["p.png", "pad 1 2"],
  ])
  func errors(_ arguments: [String]) throws {
    let expected = [
      "a | | b": "stages:1:1: a stage has no words", "blur sigma=(2": "stage 1:1:12: a bracket that is never closed",
      "a: blur": "stage 2:1:1: two stages are called 'a'", "p.png crop 1,2,3": "stage 2:1:6: 'crop' does not take '1,2,3'",
      "blur 3": "stages:1:6: 'blur' does not take '3'", "p.png @x": "stages:1:7: 'p.png' does not take '@x'",
      "clamp 3": "stages:1:7: 'clamp' does not take '3'", "a.b: blur": "stages:1:1: 'a.b' cannot be the name of a stage",
      "mix @photo": "stages:1:5: 'mix' does not take '@photo'", "p.png pad 1 2": "stage 2:1:7: 'pad' does not take '1 2'",
    ]
    let error = #expect(throws: DiagnosticsError.self) { try parser.graph(arguments) }
    let first = try #require(error?.diagnostics.first)
    let label = try #require(first.labels.first)
    let position = label.source.position(at: label.range.lowerBound)
    let line = "\(label.source.path):\(position.line):\(position.column): \(first.message)"
    #expect(expected[arguments.joined(separator: " ")] == line || expected[arguments[0]] == line, "\(line)")
  }

  @Test func allStagesAreRead() throws {
    let error = #expect(throws: DiagnosticsError.self) { try parser.graph(["blur sigma=(2", "k a='b"]) }
    #expect(error?.diagnostics.map(\.message) == ["a bracket that is never closed", "a quote that is never closed"])
  }

  @Test func oneStageTooManyIsRefused() throws {
    let stages = (1...ImageRecipe.mostDepth).map { "s\($0): blur" }
    #expect(try parser.graph(["photo.png"] + stages).nodes.count == ImageRecipe.mostDepth)
    let error = #expect(throws: DiagnosticsError.self) { try parser.graph(["photo.png"] + stages + ["soft: blur", "blur"]) }
    #expect(error?.diagnostics.map(\.id) == ["limit.depth"])
    #expect(error?.diagnostics.first?.labels.first?.source.text == "soft: blur")
    // All of them in one text, as a chain of a document may be written.
    let joined = (stages + ["blur"]).joined(separator: " | ")
    #expect(throws: DiagnosticsError.self) { try parser.graph([joined]) }
  }
}
