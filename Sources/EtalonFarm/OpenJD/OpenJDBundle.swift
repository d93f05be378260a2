internal import Etalon
package import EtalonDiagnostics
internal import EtalonMedia
internal import EtalonTypes

/// A job bundle of Open Job Description: a template with its parameters, their values, and the files that the job reads.
///
/// Forms: the template schema `jobtemplate-2023-09` with the extension `TASK_CHUNKING`; `parameter_values.json` and `asset_references.json` as Deadline
/// Cloud's client reads them; `parameters.json` for `openjd run --job-param file://…`.
package struct OpenJDBundle: Sendable {
  /// The most job parameters of a template (section 1.1 of the specification).
  private static let mostParameters = 50
  private static let longestName = 128
  private static let longestDescription = 2048

  private let job: FarmJob
  private let task: FarmTask
  private let settings: JobSettings
  private var parameters: [OpenJDParameter] = []
  /// The names of parameters by the path that each stands for, and what it is in the words.
  private var places: [FarmWord.Part: String] = [:]
  private var values: [(setting: String, name: String)] = []
  /// The parameters of the filter that stay as they are, because a template has room for so many only.
  private var left: [String] = []

  /// Whether tasks are ranges of frames that workers choose; otherwise they are shards.
  private let usesChunks: Bool

  package init(_ job: FarmJob, _ task: FarmTask, _ settings: JobSettings) throws(RenderError) {
    (self.job, self.task, self.settings) = (job, task, settings)
    let range = try? FrameRangeParser.parse(job.frames)
    let isRun = range.map { $0.frames == Array($0.bounds) } ?? false
    usesChunks = job.cut.method == .frames && isRun && !task.makesVideo && task.wordsWithoutFrames != nil
    try refuseReferences()
    try addParameters()
  }

  /// What is to be said about it.
  package var notes: [Diagnostic] {
    guard !left.isEmpty else { return [] }
    let room = "a template has \(Self.mostParameters) parameters: those without room stay as they are"
    return [
      Diagnostic("farm.parameters", "\(room): \(left.joined(separator: ", "))", severity: .note, help: ["set them with '--set NAME=value'"])
    ]
  }

  package var files: [FarmFolder.File] {
    [
      .init("template.json", template.document), .init("parameter_values.json", parameterValues.document),
      .init("parameters.json", OrderedJSON.object(valued.map { ($0.name, .text($0.value)) }).document),
      .init("asset_references.json", assetReferences.document),
    ]
  }

  /// Two braces would begin a reference of the template.
  private func refuseReferences() throws(RenderError) {
    let isControl = { (scalar: Unicode.Scalar) in scalar.properties.generalCategory == .control && scalar != "\n" }
    if let word = task.words.map(\.typed).first(where: { $0.unicodeScalars.contains(where: isControl) }) {
      let shown = String(word.map { $0.unicodeScalars.contains(where: isControl) ? "?" : $0 })
      throw RenderError(
        .usage, "'\(shown)' holds a control character, which templates of Open Job Description cannot hold", help: ["rename the file"])
    }
    guard let word = (task.words.map(\.typed) + [job.name, settings.command]).first(where: { $0.contains("{{") }) else { return }
    throw RenderError(
      .usage, "'\(word)' holds '{{', which begins a reference in templates of Open Job Description",
      help: ["write '{ {', or rename the file"])
  }

  // MARK: parameters

  private mutating func addParameters() throws(RenderError) {
    parameters = [OpenJDParameter(command: settings.command)]
    if usesChunks {
      parameters += [OpenJDParameter(frames: job.frames), OpenJDParameter(chunkSize: job.cut.chunkSize)]
    }
    parameters.append(OpenJDParameter("Records", isFolder: true, .out, label: "Records of workers", relative: "records"))
    if job.cut.method == .checkpoints {
      parameters.append(OpenJDParameter("Checkpoints", isFolder: true, .both, label: "Checkpoints", relative: "checkpoints"))
    }
    // Folders of filters come last.
    let parts = task.words.flatMap(\.parts).filter(\.isPlace), folders = parts.filter(\.isFolder)
    for part in parts.filter({ !$0.isFolder }) + folders where places[part] == nil {
      guard parameters.count < Self.mostParameters else {
        throw RenderError(
          .usage, "'\(part.typed)' is one path too many",
          underlying: "jobs of Open Job Description have at most \(Self.mostParameters) parameters",
          help: ["put pictures into one sequence, or filters into one folder", "a job of 'etalon farm slurm' has no such limit"])
      }
      addPlace(part)
    }
    for parameter in offeredParameters { addValue(parameter.declaration.name) }
  }

  /// Where a document names parameters, those are what its author offers, and stand for those of its nodes.
  private var offeredParameters: [RequestDescription.Parameter] {
    let isNamed = task.parameters.contains { $0.node == nil }
    return task.parameters.filter { !isNamed || $0.node == nil || task.settings[$0.declaration.name] != nil }
  }

  private mutating func addPlace(_ part: FarmWord.Part) {
    let path = FarmFolder.absolute(part.typed.isEmpty ? "." : part.typed, from: job.folder)
    let parameter: OpenJDParameter
    switch part {
    case .file: parameter = OpenJDParameter(freeName("Input"), isFolder: false, .into, label: part.typed, value: path)
    case .folder: parameter = OpenJDParameter(freeName("InputFolder"), isFolder: true, .into, label: part.typed, value: path)
    case .output: parameter = OpenJDParameter(freeName("Output"), isFolder: true, .out, label: "Output", value: path)
    case .text, .value: return
    }
    places[part] = parameter.name
    parameters.append(parameter)
  }

  private mutating func addValue(_ setting: String) {
    guard let parameter = task.parameters.first(where: { $0.declaration.name == setting }),
      // A file that was typed for it has a parameter of its own.
      !task.words.contains(where: { $0.parts.first == .text("\(setting)=") && $0.parts.contains { places[$0] != nil } }),
      let defined = OpenJDParameter(parameter, named: freeName(Self.identifier(setting)), typed: task.settings[setting])
    else { return }
    guard parameters.count < Self.mostParameters else { return left.append(setting) }
    values.append((setting, defined.name))
    parameters.append(defined)
  }

  private static func identifier(_ name: String) -> String {
    let word = String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }.prefix(60))
    return word.first.map { $0.isNumber } ?? true ? "_\(word)" : word
  }

  private func freeName(_ name: String) -> String {
    let taken = Set(parameters.map(\.name))
    return taken.contains(name) ? (2...).lazy.map { "\(name)\($0)" }.first { !taken.contains($0) } ?? name : name
  }

  private var valued: [(name: String, value: String)] {
    parameters.compactMap { parameter in parameter.value.map { (parameter.name, $0) } }
  }

  private var parameterValues: OrderedJSON {
    .object([("parameterValues", .list(valued.map { .members(["name": .text($0.name), "value": .text($0.value)]) }))])
  }

  private var assetReferences: OrderedJSON {
    let folders = Set(job.outputs.map { $0.path.split(separator: "/").dropLast().map { "/\($0)" }.joined() }).sorted()
    let inputs = OrderedJSON.members(["filenames": .list(task.files.map { .text($0) }), "directories": .list([])])
    let outputs = OrderedJSON.members(["directories": .list(folders.map { .text($0) })])
    return .members(["assetReferences": .members(["inputs": inputs, "outputs": outputs, "referencedPaths": .list([])])])
  }

  // MARK: steps

  private var template: OrderedJSON {
    .members([
      "specificationVersion": .text("jobtemplate-2023-09"), "extensions": usesChunks ? .list([.text("TASK_CHUNKING")]) : nil,
      "name": .text(String(job.name.prefix(Self.longestName))),
      "description": .text(
        String(
          "Frames \(job.frames), \(job.size). Cut: \(job.cut.method.rawValue), because \(job.cut.reason).".prefix(Self.longestDescription))),
      "parameterDefinitions": .list(parameters.map(\.definition)), "steps": .list(steps),
    ])
  }

  private var steps: [OrderedJSON] {
    let isCut = job.cut.chunks.count > 1
    var steps: [OrderedJSON] = []
    if !job.cut.checkpoints.isEmpty {
      let wanted = job.cut.checkpoints.map(String.init).joined(separator: ",")
      steps.append(step("Checkpoints", ["render"] + words() + ["--only-checkpoints", wanted] + checkpoints + ["--openjd"]))
    }
    steps.append(
      step(
        "Render", ["render"] + words(forChunk: usesChunks ? "{{Task.Param.Frame}}" : nil) + shard + checkpoints + warmUp + result,
        after: job.cut.checkpoints.isEmpty ? nil : "Checkpoints", space: space))
    if task.makesVideo {
      if isCut { steps.append(step("Video", ["render"] + words() + checkpoints + warmUp + result, after: "Render")) }
    } else {
      let check = ["--records", "{{Param.Records}}", "--sample", "0"]
      steps.append(
        step("Check", ["farm", "verify"] + words(forChunk: usesChunks ? "{{Param.Frames}}" : nil) + warmUp + check, after: "Render"))
    }
    return steps
  }

  private var checkpoints: [String] { job.cut.method == .checkpoints ? ["--checkpoints", "{{Param.Checkpoints}}"] : [] }
  private var warmUp: [String] { job.cut.warmUp.map { ["--warm-up", "\($0)"] } ?? [] }
  private var result: [String] { ["--resume", "--records", "{{Param.Records}}", "--openjd"] }
  private var usesShards: Bool { !usesChunks && job.cut.chunks.count > 1 }
  private var shard: [String] { usesShards ? ["--shard", "{{Task.Param.Shard}}/\(job.cut.chunks.count)"] : [] }

  private var space: OrderedJSON? {
    let definition: OrderedJSON
    if usesChunks {
      definition = .members([
        "name": .text("Frame"), "type": .text("CHUNK[INT]"), "range": .text("{{Param.Frames}}"),
        "chunks": .members(["defaultTaskCount": .text("{{Param.ChunkSize}}"), "rangeConstraint": .text("CONTIGUOUS")]),
      ])
    } else if usesShards {
      definition = .members(["name": .text("Shard"), "type": .text("INT"), "range": .text("1-\(job.cut.chunks.count)")])
    } else {
      return nil
    }
    return .members(["taskParameterDefinitions": .list([definition])])
  }

  /// The words of the render with references in the places of paths and values.
  ///
  /// - Parameter frames: what the task's frames are; nil leaves them as they were typed.
  private func words(forChunk frames: String? = nil) -> [String] {
    let named = Dictionary(values.map { ($0.setting, $0.name) }) { first, _ in first }
    let typed = frames == nil ? task.words : task.wordsWithoutFrames ?? task.words
    let words = typed.map { word in
      word.replacing { part in
        switch part {
        case .file: places[part].map { "{{Param.\($0)}}" }
        case .folder, .output: places[part].map { "{{Param.\($0)}}/" }
        case .value(_, let setting): named[setting].map { "{{Param.\($0)}}" }
        case .text: nil
        }
      }
    }
    let further = values.filter { task.settings[$0.setting] == nil }.flatMap { ["--set", "\($0.setting)={{Param.\($0.name)}}"] }
    return words + further + (frames.map { ["--frames=\($0)"] } ?? [])
  }

  private func step(_ name: String, _ arguments: [String], after: String? = nil, space: OrderedJSON? = nil) -> OrderedJSON {
    let action = OrderedJSON.members([
      "command": .text("{{Param.Etalon}}"), "args": .list(arguments.map { .text($0) }), "timeout": settings.timeLimit.map { .integer($0) },
      "cancelation": .members(["mode": .text("NOTIFY_THEN_TERMINATE"), "notifyPeriodInSeconds": .integer(30)]),
    ])
    return .members([
      "name": .text(name), "dependencies": after.map { .list([.members(["dependsOn": .text($0)])]) }, "parameterSpace": space,
      "hostRequirements": hosts, "script": .members(["actions": .members(["onRun": action])]),
    ])
  }

  private var hosts: OrderedJSON {
    func amount(_ name: String, _ least: Int) -> OrderedJSON { .members(["name": .text("amount.worker.\(name)"), "min": .integer(least)]) }
    let amounts = [amount("vcpu", settings.cpus)] + (settings.memory.map { [amount("memory", $0)] } ?? [])
    return .members([
      "attributes": .list([.members(["name": .text("attr.worker.os.family"), "anyOf": .list([.text("linux")])])]),
      "amounts": .list(amounts + (settings.gpus > 0 ? [amount("gpu", settings.gpus)] : [])),
    ])
  }
}
