import ArgumentParser
import Etalon
import EtalonDiagnostics
import EtalonGraph
import EtalonTypes
import Foundation
import Testing

@testable import EtalonFarm
@testable import EtalonTool

/// Job bundles of Open Job Description.
@Suite struct OpenJDTests {
  private let place: TestPlace

  init() throws {
    place = try TestPlace()
    try place.write(
      "glow.glsl",
      """
      /*{ "ETALON": 1, "INPUTS": [
        { "NAME": "level", "TYPE": "float", "DEFAULT": 0.5, "MIN": 0, "MAX": 2, "LABEL": "Level", "GROUP": "Light" },
        { "NAME": "count", "TYPE": "int", "DEFAULT": 3, "MIN": 1, "MAX": 9 },
        { "NAME": "mode", "TYPE": "long", "DEFAULT": 1, "VALUES": [0, 1], "LABELS": ["soft", "hard"] },
        { "NAME": "dark", "TYPE": "bool", "DEFAULT": false },
        { "NAME": "tint", "TYPE": "color", "DEFAULT": [1, 0.5, 0, 1] } ] }*/
      vec4 imageKernel(vec2 position) {
        return tint * level * float(count + mode) * (dark ? 0.1 : 1.0);
      }
      """)
  }

  private func bundle(
    _ words: [String], memory: StateMemory = .none, frames: [Int] = Array(0...11), isVideo: Bool = false, canChunk: Bool = true,
    change: (inout JobSettings) -> Void = { _ in }
  ) throws -> [String: Any] {
    try json(bundleOf(words, memory: memory, frames: frames, isVideo: isVideo, canChunk: canChunk, change: change), "template.json")
  }

  private func bundleOf(
    _ words: [String], memory: StateMemory = .none, frames: [Int] = Array(0...11), isVideo: Bool = false, canChunk: Bool = true,
    request: RenderRequest? = nil, change: (inout JobSettings) -> Void = { _ in }
  ) throws -> OpenJDBundle {
    let command = try RenderCommand.parse(["\(place.path)/glow.glsl"] + words)
    let outline = ShotOutline(
      frames: frames, shot: 0...11, clock: ShotClock(first: 0, start: .zero, rate: 24), size: Size(16, 16), isLive: false, name: "glow",
      files: [], memory: memory, stateShare: 0.1, dependsOnRange: false, outputNames: ["main"])
    let job = FarmJob(
      .openjd, name: "turn", command: command.words, folder: place.path, frames: try #require(FrameRange(frames)).description, shot: "0-11",
      size: "16x16", rate: "24", cut: try JobCut(.auto, of: outline, .init(chunk: 4)),
      outputs: [.init(path: "\(place.path)/out/a", isVideo: isVideo)], records: "\(place.path)/job/records")
    var settings = JobSettings(name: "turn", command: "etalon")
    change(&settings)
    let sets = command.values.set.map { text in text.split(separator: "=", maxSplits: 1).map(String.init) }
    let task = FarmTask(
      words: command.farmWords, wordsWithoutFrames: canChunk ? command.farmWords : nil, files: ["\(place.path)/glow.glsl"],
      parameters: try RequestDescription(request ?? RenderRequest(filter: .file("\(place.path)/glow.glsl"))).parameters,
      settings: Dictionary(sets.map { ($0[0], $0[1]) }) { _, last in last }, makesVideo: isVideo)
    return try OpenJDBundle(job, task, settings)
  }

  private func json(_ bundle: OpenJDBundle, _ name: String) throws -> [String: Any] {
    let file = try #require(bundle.files.first { $0.name == name })
    return try #require(try JSONSerialization.jsonObject(with: Data(file.text.utf8)) as? [String: Any])
  }

  private func parameters(_ template: [String: Any]) throws -> [String: [String: Any]] {
    let all = try #require(template["parameterDefinitions"] as? [[String: Any]])
    return Dictionary(all.compactMap { one in (one["name"] as? String).map { ($0, one) } }) { first, _ in first }
  }

  private func arguments(_ template: [String: Any], _ step: String) throws -> [String] {
    let found = try #require((template["steps"] as? [[String: Any]])?.first { $0["name"] as? String == step })
    let run = ((found["script"] as? [String: Any])?["actions"] as? [String: Any])?["onRun"] as? [String: Any]
    #expect(run?["command"] as? String == "{{Param.Etalon}}")
    return try #require(run?["args"] as? [String])
  }

  private func steps(_ template: [String: Any]) -> [String] {
    ((template["steps"] as? [[String: Any]]) ?? []).map { "\($0["name"] ?? "")\($0["dependencies"] == nil ? "" : "*")" }
  }

  @Test func workersChooseFramesOfPictures() throws {
    let template = try bundle(["-o", "out/a.####.png"])
    #expect(template["extensions"] as? [String] == ["TASK_CHUNKING"])
    #expect(steps(template) == ["Render", "Check*"])
    let render = try #require((template["steps"] as? [[String: Any]])?.first)
    let space = (render["parameterSpace"] as? [String: Any])?["taskParameterDefinitions"] as? [[String: Any]]
    #expect(space?.first?["type"] as? String == "CHUNK[INT]")
    #expect(space?.first?["range"] as? String == "{{Param.Frames}}")
    let arguments = try arguments(template, "Render")
    #expect(Array(arguments.prefix(4)) == ["render", "{{Param.Input}}", "-o", "{{Param.Output}}/a.####.png"])
    #expect(arguments.suffix(5) == ["--frames={{Task.Param.Frame}}", "--resume", "--records", "{{Param.Records}}", "--openjd"])
    let check = try self.arguments(template, "Check")
    #expect(check.prefix(2) == ["farm", "verify"])
    #expect(check.suffix(5) == ["--frames={{Param.Frames}}", "--records", "{{Param.Records}}", "--sample", "0"])
    #expect(try parameters(template)["Frames"]?["default"] as? String == "0-11")
    #expect(try parameters(template)["ChunkSize"]?["default"] as? Int == 4)
  }

  @Test(arguments: [true, false]) func steppedFramesAndVideosAreShards(isVideo: Bool) throws {
    let template = try bundle(
      ["-o", isVideo ? "a.mp4" : "a.####.png"], frames: isVideo ? Array(0...11) : [0, 2, 4, 6, 8], isVideo: isVideo)
    #expect(template["extensions"] == nil)
    #expect(steps(template) == ["Render", isVideo ? "Video*" : "Check*"])
    #expect(try arguments(template, "Render").contains("{{Task.Param.Shard}}/\(isVideo ? 3 : 2)"))
    #expect(try parameters(template)["Frames"] == nil)
    if isVideo { #expect(try !arguments(template, "Video").contains("--shard")) }
  }

  @Test func framesOfPartsThatDifferFromTheWholeAreShards() throws {
    #expect(try arguments(try bundle(["-o", "a.####.png"], canChunk: false), "Render").contains("--shard"))
  }

  @Test func whatFramesRememberIsBroughtForwardFirst() throws {
    let template = try bundle(["-o", "a.####.png"], memory: .endless)
    #expect(steps(template) == ["Checkpoints", "Render*", "Check*"])
    let arguments = try arguments(template, "Checkpoints")
    #expect(arguments.suffix(5) == ["--only-checkpoints", "4,8", "--checkpoints", "{{Param.Checkpoints}}", "--openjd"])
    #expect(try self.arguments(template, "Render").contains("{{Task.Param.Shard}}/3"))
  }

  @Test func parametersOfTheFilterAreThoseOfTheJob() throws {
    let template = try bundle(["--set", "level=0.75", "-o", "a.####.png"])
    let parameters = try parameters(template)
    let level = try #require(parameters["level"])
    #expect(level["type"] as? String == "FLOAT")
    #expect(level["default"] as? Double == 0.75)
    #expect(level["maxValue"] as? Double == 2)
    #expect((level["userInterface"] as? [String: String]) == ["control": "SPIN_BOX", "label": "Level", "groupLabel": "Light"])
    #expect(parameters["count"]?["type"] as? String == "INT")
    #expect(parameters["count"]?["default"] as? Int == 3)
    #expect(parameters["mode"]?["allowedValues"] as? [String] == ["soft", "hard"])
    #expect(parameters["mode"]?["default"] as? String == "hard")
    #expect(parameters["dark"]?["allowedValues"] as? [String] == ["1", "0"])
    #expect(parameters["tint"]?["type"] as? String == "STRING")
    let arguments = try arguments(template, "Render")
    #expect(arguments.contains("level={{Param.level}}"))
    #expect(arguments.contains("mode={{Param.mode}}"))
    #expect(!arguments.contains("level=0.75"))
  }

  /// What a document names stands for the parameters of its nodes, of which only those are offered that were typed.
  @Test func aDocumentOffersTheParametersThatItNames() throws {
    let path = "\(place.path)/glow.yaml"
    try place.write(
      "glow.yaml",
      """
      etalon: 1
      size: 16x16
      nodes:
        glow: { filter: ./glow.glsl }
      outputs: glow
      parameters:
        light: { sets: glow.level }
      """)
    let library = FilterLibrary(try LibrarySearch(named: []))
    let request = RenderRequest(graph: try GraphDocument.read(path, library: library), library: library)
    let bundle = try bundleOf(["--set", "glow.count=5", "-o", "a.####.png"], request: request)
    let names = Set(try parameters(try json(bundle, "template.json")).keys)
    #expect(names == ["Etalon", "Frames", "ChunkSize", "Records", "Input", "Output", "light", "glow_count"])
  }

  @Test func expressionsAreTexts() throws {
    let level = try #require(try parameters(try bundle(["--set", "level=(progress*2)", "-o", "a.png"]))["level"])
    #expect(level["type"] as? String == "STRING")
    #expect(level["default"] as? String == "(progress*2)")
    #expect(level["minValue"] == nil)
  }

  /// A path that is a default would be relative to the template, so that values name paths.
  @Test func pathsHaveValuesAndNoDefaults() throws {
    let bundle = try bundleOf(["-o", "out/a.####.png"])
    let values = try json(bundle, "parameters.json")
    #expect(values["Input"] as? String == "\(place.path)/glow.glsl")
    #expect(values["Output"] as? String == "\(place.path)/out")
    let listed = try #require(try json(bundle, "parameter_values.json")["parameterValues"] as? [[String: String]])
    #expect(listed.compactMap { $0["name"] } == ["Input", "Output"])
    let parameters = try parameters(try json(bundle, "template.json"))
    #expect(parameters["Input"]?["default"] == nil)
    #expect(parameters["Input"]?["dataFlow"] as? String == "IN")
    #expect(parameters["Output"]?["objectType"] as? String == "DIRECTORY")
    let assets = try #require(try json(bundle, "asset_references.json")["assetReferences"] as? [String: Any])
    #expect((assets["inputs"] as? [String: [String]])?["filenames"] == ["\(place.path)/glow.glsl"])
    #expect((assets["outputs"] as? [String: [String]])?["directories"] == ["\(place.path)/out"])
  }

  @Test func hostsAreAskedForWhatTasksNeed() throws {
    let template = try bundle(["-o", "a.png"]) { settings in
      (settings.cpus, settings.memory, settings.gpus, settings.timeLimit) = (4, 4096, 1, 60)
    }
    let step = try #require((template["steps"] as? [[String: Any]])?.first)
    let amounts = (step["hostRequirements"] as? [String: Any])?["amounts"] as? [[String: Any]]
    #expect(amounts?.compactMap { $0["name"] as? String } == ["amount.worker.vcpu", "amount.worker.memory", "amount.worker.gpu"])
    #expect(amounts?.compactMap { $0["min"] as? Int } == [4, 4096, 1])
    let run = ((step["script"] as? [String: Any])?["actions"] as? [String: Any])?["onRun"] as? [String: Any]
    #expect(run?["timeout"] as? Int == 60)
    #expect((run?["cancelation"] as? [String: Any])?["mode"] as? String == "NOTIFY_THEN_TERMINATE")
  }

  @Test func referencesThatWereTypedAreRefused() {
    let error = #expect(throws: RenderError.self) { try bundle(["--set", "level={{Param.x}}", "-o", "a.png"]) }
    #expect(error?.code == .usage)
  }

  @Test func parametersBeyondFiftyStayAsTheyAre() throws {
    let inputs = (0..<60).map { #"{ "NAME": "p\#($0)", "TYPE": "float", "DEFAULT": 0 }"# }.joined(separator: ",")
    try place.write("glow.glsl", "/*{ \"ETALON\": 1, \"INPUTS\": [\(inputs)] }*/\nvec4 imageKernel(vec2 position) { return vec4(p0); }\n")
    let bundle = try bundleOf(["-o", "a.####.png"])
    #expect(try parameters(try json(bundle, "template.json")).count == 50)
    #expect(bundle.notes.count == 1)
    #expect(bundle.notes[0].message.hasSuffix("p58, p59"))
  }

  @Test func textsKeepTheirCharacters() {
    let json = OrderedJSON.object([
      ("b", .text("a \"quote\"\n/é")), ("a", .list([.number(0.5), .number(2), .integer(-1)])), ("c", .object([])),
    ])
    #expect(json.document == "{\n  \"b\": \"a \\\"quote\\\"\\n/é\",\n  \"a\": [\n    0.5,\n    2,\n    -1\n  ],\n  \"c\": {}\n}\n")
  }
}
