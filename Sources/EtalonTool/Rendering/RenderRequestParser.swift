import Etalon
import EtalonDiagnostics
import EtalonGraph
import EtalonMedia
import EtalonTypes
import Foundation

/// Turns the texts of the command line into a request; refuses what makes no sense, all of it in one go.
struct RenderRequestParser {
  /// With what the document says.
  let command: RenderCommand
  /// The graph document that is rendered, where it is one.
  private let document: GraphText?
  /// What stands in the document and not on the command line, by the option.
  private let words: [String: GraphText.Word]

  /// - Parameter command: as it was typed.
  init(command: RenderCommand, document: GraphText? = nil) throws {
    var command = command
    command.stages = StageParser.joined(command.stages)
    if document == nil { command.placePictureFirst() }
    if command.stages.count == 1, StageParser.isMovingOrStill(command.stages[0]) { command.stages.append(ImageOperation.clamp.rawValue) }
    let options = document.map { DocumentOptions(text: $0) }
    self.command = try options?.applied(to: command) ?? command
    self.document = document
    words = options?.words(besides: command) ?? [:]
  }

  private func option(_ option: String, _ text: String) -> OptionText { OptionText(option, text, from: words[option]) }

  func request() throws -> RenderRequest {
    var diagnostics = FoundDiagnostics()
    var unknownFilter: [Diagnostic] = []
    var request = RenderRequest(filter: .file(command.stages[0]))
    do { request = try subject() } catch let error as DiagnosticsError { unknownFilter = error.diagnostics }
    try diagnostics.collect { try parseDialect(into: &request) }
    request.size = try diagnostics.collect { try command.pictures.size.map { try option("--size", $0).size() } } ?? nil
    if request.takesInputs { try diagnostics.collect { try parseMainInput(into: &request) } }
    for text in command.pictures.input {
      try diagnostics.collect {
        let (name, picture) = try OptionText("--input", text).assignment(example: "iChannel0=photo.png")
        try OptionText("--input", text).refuseRepetition(of: name, in: request.inputs.compactMap(\.input))
        request.inputs.append(try InputText.picture(picture, for: name, option: "--input \(name)"))
      }
    }
    for text in command.pictures.sampler {
      try diagnostics.collect {
        let change = try SamplerOption.parse(OptionText("--sampler", text))
        try OptionText("--sampler", text).refuseRepetition(of: change.input, in: request.samplers.map(\.input))
        request.samplers.append(change)
      }
    }
    request.assets = command.pictures.assets
    try diagnostics.collect {
      request.standIns = try OptionText("--missing-input", command.pictures.missingInput).standIn().standIns
    }
    for text in command.values.set {
      try diagnostics.collect {
        let (name, value) = try OptionText("--set", text).assignment(example: "SPEED=2.5")
        try OptionText("--set", text).refuseRepetition(of: name, in: request.settings.map(\.name) + command.values.sweep.prefix(1))
        request.settings.append(.init(name: name, value: value))
      }
    }
    request.outputs = command.files.output.compactMap { OutputOption($0).output }
    if !command.files.output.isEmpty {
      request.neededOutputs = Set(command.files.output.map { OutputOption($0).output } + (command.files.contactSheet == nil ? [] : [nil]))
    }
    // A stream is opened for its rate.
    try diagnostics.collect { try parseStream(into: &request) }
    try diagnostics.collect { try parseTime(into: &request) }
    for parse in [parseScale, parseMouse, parseDate, parseBits, parseFormat, parseSpace, parseAlpha, parseCompression, parseRun] {
      try diagnostics.collect { try parse(&request) }
    }
    let found = try allDiagnostics(unknownFilter, besides: diagnostics.found)
    if diagnostics.found.contains(where: { !isInDocument($0) }) { throw UsageError(diagnostics: found) }
    if !found.isEmpty { throw DiagnosticsError(found) }
    return request
  }

  /// What is wrong with a document shows everything else that is wrong with it, so that nothing waits for the next run.
  private func allDiagnostics(_ unknownFilter: [Diagnostic], besides diagnostics: [Diagnostic]) throws -> [Diagnostic] {
    let found = unknownFilter + diagnostics
    guard let document, !document.diagnostics.isEmpty || diagnostics.contains(where: isInDocument) else { return found }
    return try document.allDiagnostics(command.libraries.open()).joined(with: found)
  }

  private func isInDocument(_ diagnostic: Diagnostic) -> Bool {
    guard let place = diagnostic.labels.first?.source else { return false }
    return words.values.contains { $0.label("").source.path == place.path }
  }

  /// One filter, or a graph of stages.
  private func subject() throws -> RenderRequest {
    let library = try command.libraries.open()
    if let document {
      return RenderRequest(graph: try StageOptions(command: command, document: document).graph(), library: library)
    }
    if StageParser.isNeeded(for: command.stages) {
      return RenderRequest(graph: try StageOptions(command: command).graph(), library: library)
    }
    return RenderRequest(filter: command.stages == ["-"] ? .standardInput : .file(try library.path(of: command.stages[0])))
  }

  private func parseDialect(into request: inout RenderRequest) throws {
    guard let text = command.running.dialect else { return }
    request.dialect = try OptionText("--dialect", text).dialect()
  }

  private func parseMainInput(into request: inout RenderRequest) throws {
    request.inputs = try command.pictures.i.map { try InputText.picture($0, for: nil, option: "-i") }
  }

  private func parseTime(into request: inout RenderRequest) throws {
    let time = command.time
    var rate = FrameRate.sixty
    if let text = time.rate {
      rate = try option("--rate", text).frameRate()
    } else if let video = request.rateOfFirstVideo {
      rate = video
    }
    let start = try time.start.map { try option("--start", $0).seconds() } ?? .zero
    let first = try time.first.map { try option("--first", $0).frameNumber() } ?? 0
    request.clock = ShotClock(first: first, start: start, rate: rate)
    if time.frames != nil, time.time != nil {
      throw DiagnosticsError(
        Diagnostic("usage.conflict", "'--frames' and '--time' both say which frames are wanted", help: ["keep one of them"]))
    }
    try parseShot(into: &request)
    var selection: OptionText?
    if let text = time.frames {
      let option = option("--frames", text)
      let range = try option.frameRange()
      try option.refuse(range, before: first, isGiven: time.first != nil)
      request.frames = .range(range)
      selection = option
    } else if let text = time.time {
      let option = OptionText("--time", text)
      request.frames = .single(time: try option.seconds(notBefore: start))
      selection = option
    } else if let shot = request.shot.flatMap({ FrameRange($0) }) {
      request.frames = .range(shot)
    }
    request.following = command.following(request)
    guard let selection else { return }
    try request.refuseFramesOutsideShot([selection.label("outside")]) { "type '--duration \($0)f'" }
  }

  /// How long the shot is: the length that was given, else the frames of the document.
  private func parseShot(into request: inout RenderRequest) throws {
    if let text = command.time.duration {
      request.shot = try option("--duration", text).frames(clock: request.clock)
    } else if let word = document?.clock["frames"] {
      let option = OptionText("--frames", word.text, from: word)
      let range = try option.frameRange()
      try option.refuse(range, before: request.clock.first, isGiven: command.time.first != nil)
      request.shot = range.frames.min().flatMap { first in range.frames.max().map { first...$0 } }
    }
  }

  private func parseScale(into request: inout RenderRequest) throws {
    if let text = command.pictures.scale { request.proxy = try OptionText("--scale", text).proxy() }
  }

  private func parseMouse(into request: inout RenderRequest) throws {
    request.eventsFile = command.values.events
    if command.values.mouse != nil, command.values.events != nil {
      throw DiagnosticsError(
        Diagnostic("usage.conflict", "'--mouse' and '--events' both say what the mouse does", help: ["keep one of them"]))
    }
    if let text = command.values.mouse { request.pointer = try OptionText("--mouse", text).pointer() }
  }

  private func parseDate(into request: inout RenderRequest) throws {
    if let text = command.values.date { request.date = try OptionText("--date", text).date() }
  }

  private func parseBits(into request: inout RenderRequest) throws {
    if let text = command.files.bits {
      request.bits = try OptionText("--bits", text).choice(of: ["8": 8, "10": 10, "16": 16, "32": 32])
    }
    if request.bits == 32, command.files.output.isEmpty {
      throw DiagnosticsError(
        Diagnostic("usage.bits", "32 bits a channel are for OpenEXR files", help: ["type '-o picture.exr', or leave out '--bits'"]))
    }
    if let document { request.outputForms = DocumentOptions(text: document).forms(besides: command) }
    for text in command.files.output {
      let option = OutputOption(text)
      let form = try option.form()
      let given = request.outputForms[option.output]
      request.outputForms[option.output] = .init(
        bits: form.bits ?? given?.bits, alpha: form.alpha ?? given?.alpha, isLight: form.isLight)
      guard command.files.bits != nil || given?.bits != nil, form.bits == nil else { continue }
      let bits = given?.bits ?? request.bits
      guard bits == (form.isLight ? 8 : 32) else { continue }
      throw DiagnosticsError(
        Diagnostic(
          "usage.bits", "'\(option.path)' cannot have \(bits) bits a channel",
          help: [
            form.isLight
              ? "OpenEXR has 16 (half) or 32 (float): type '--bits 16'"
              : "PNG has 8 or 16, and OpenEXR 16 or 32: type '--bits 16', or name an .exr file"
          ]))
    }
  }

  private func parseFormat(into request: inout RenderRequest) throws {
    guard let text = command.files.format else { return }
    guard let format = PixelFormat.allCases.first(where: { $0.rawValue == text }) else {
      throw option("--format", text).error(
        "usage.choice", "pictures cannot be stored as '\(text)'", "unknown",
        help: ["choose from \(PixelFormat.allCases.map(\.rawValue).joined(separator: ", "))"])
    }
    request.format = format
  }

  private func parseSpace(into request: inout RenderRequest) throws {
    guard let text = command.files.workingSpace else { return }
    request.workingSpace = try option("--working-space", text).choice(of: ["encoded": .encoded, "linear": .linear])
  }

  private func parseAlpha(into request: inout RenderRequest) throws {
    guard let text = command.files.alpha else { return }
    request.alpha = try OptionText("--alpha", text).choice(of: ["opaque": .opaque, "straight": .straight, "premultiplied": .premultiplied])
  }

  private func parseCompression(into request: inout RenderRequest) throws {
    request.compression = try OptionText("--compression", command.files.compression).choice(of: ["fast": .fast, "small": .small])
  }

  private func parseRun(into request: inout RenderRequest) throws {
    request.device = command.running.device
    request.isStrict = command.video.strict
    try command.farm.apply(to: &request, usesCheckpoints: !command.running.noCheckpoints)
  }

  private func parseStream(into request: inout RenderRequest) throws {
    if let text = command.running.timeout { request.timeout = try OptionText("--timeout", text).seconds(above: .zero).double }
    if let text = command.video.late { request.late = try OptionText("--late", text).named() }
    request.followsTimeStamps = command.time.rate == nil
    let streams = request.namedPictures.map(\.path).filter { $0 == "-" || $0 == "pipe:0" }
    if !streams.isEmpty, command.stages.contains("-") {
      throw DiagnosticsError(
        Diagnostic("usage.conflict", "standard input cannot be a filter and a video", help: ["save the filter as a file"]))
    }
  }
}

extension RenderRequest {
  /// Whether it has image inputs that the command line may fill.
  fileprivate var takesInputs: Bool {
    switch subject {
    case .filter: true
    case .images: false
    case .graph(let text, _): !text.openInputs.isEmpty
    }
  }
}

/// Diagnostics of several options, so that one run tells about all of them.
private struct FoundDiagnostics {
  private(set) var found: [Diagnostic] = []

  @discardableResult mutating func collect<Result>(_ parse: () throws -> Result) throws -> Result? {
    do { return try parse() } catch let error as DiagnosticsError {
      found += error.diagnostics
      return nil
    }
  }
}

/// A command line that makes no sense: printed like every diagnostic, but ends with code 64.
struct UsageError: Error {
  let diagnostics: [Diagnostic]
}

// MARK: stages and documents

/// The stages of a command line, and the options that do not go together with them.
private struct StageOptions {
  let command: RenderCommand
  /// The graph document that takes the place of stages.
  var document: GraphText?

  func graph() throws -> GraphText {
    let text = try document ?? StageParser().graph(command.stages)
    let pictures = command.pictures.i.map { ("-i", $0) } + command.pictures.input.map { ("--input", $0) }
    if let (option, value) = pictures.first, text.openInputs.isEmpty {
      let name = text.nodes.first?.name.text ?? "stage"
      throw UsageError(
        "usage.stages", "'\(option)' is for one filter without settings of its own, and there are stages",
        help: option == "-i"
          ? "make the picture the first stage: etalon render \(value) …"
          : "say it in the stage: '\(name) \(value)'")
    }
    for (option, value) in [("--sampler", command.pictures.sampler.first), ("--dialect", command.running.dialect)] where value != nil {
      throw UsageError(
        "usage.stages", "'\(option)' is for one filter without settings of its own, and there are stages",
        help: "say it in the file of the filter")
    }
    return text
  }
}

extension RenderCommand {
  /// Makes the picture of `-i` the first of several stages, where these begin with a filter: it is what they read.
  fileprivate mutating func placePictureFirst() {
    guard StageParser.isNeeded(for: stages), pictures.i.count == 1, let first = stages.first,
      let chain = try? StageParser().graph([first]), !chain.nodes.isEmpty
    else { return }
    // As a stage, '-' is a filter.
    let picture = pictures.i[0].hasPrefix("-") ? "pipe:0" + pictures.i[0].dropFirst() : pictures.i[0]
    let words = picture.split(separator: ",").map { $0.contains(" ") ? "\"\($0)\"" : String($0) }
    stages.insert(words.joined(separator: " "), at: 0)
    pictures.i = []
  }
}

/// What a graph document says about its rendering, where the command line says nothing.
struct DocumentOptions {
  let text: GraphText

  /// The document that is rendered by itself: a file, or a filter of a library that is one.
  static func path(of stages: [String], _ libraries: LibraryOptions) throws -> String? {
    guard stages.count == 1, !StageParser.isNeeded(for: stages) else { return nil }
    if GraphDocument.isGraph(stages[0]) { return stages[0] }
    guard !stages[0].contains("/"), !stages[0].contains("."), stages[0] != "-" else { return nil }
    // An unknown name is reported with everything else that is wrong.
    guard let path = try? libraries.open().path(of: stages[0]), GraphDocument.isGraph(path) else { return nil }
    return path
  }

  /// The command with what the document says.
  func applied(to command: RenderCommand) throws -> RenderCommand {
    var command = command
    let clock = text.clock.mapValues(\.text)
    command.pictures.size = command.pictures.size ?? clock["size"]
    command.time.rate = command.time.rate ?? clock["rate"]
    command.time.first = command.time.first ?? clock["first"]
    command.time.start = command.time.start ?? clock["start"]
    // The frames of the document are its shot; where the command line says nothing, all of them are wanted.
    if command.time.frames == nil, command.time.duration == nil, command.time.time == nil { command.time.frames = clock["frames"] }
    command.time.duration = command.time.duration ?? clock["duration"]
    command.files.format = command.files.format ?? clock["format"]
    command.files.workingSpace = command.files.workingSpace ?? clock["workingSpace"]
    if command.files.output.isEmpty, command.files.contactSheet == nil { command.files.output = outputs }
    return command
  }

  /// What is the document's among what the command then says, by the option that it stands for.
  func words(besides command: RenderCommand) -> [String: GraphText.Word] {
    let given: [String: String?] = [
      "--size": command.pictures.size, "--rate": command.time.rate, "--first": command.time.first, "--start": command.time.start,
      "--duration": command.time.duration, "--format": command.files.format, "--working-space": command.files.workingSpace,
    ]
    var words: [String: GraphText.Word] = [:]
    for (option, value) in given where value == nil { words[option] = text.clock[GraphText.key(ofOption: option)] }
    if command.time.frames == nil, command.time.duration == nil, command.time.time == nil {
      words["--frames"] = text.clock["frames"]
    }
    return words
  }

  /// The outputs with files; the first of the document needs no name.
  private var outputs: [String] {
    text.outputs.enumerated().compactMap { index, output in
      output.file.map { file in
        let path = file.text.hasPrefix("/") ? file.text : text.folder + file.text
        return index == 0 ? path : "\(output.name.text)=\(path)"
      }
    }
  }

  /// How the files of the outputs are written, where the command line says nothing; nil is the name of the first.
  fileprivate func forms(besides command: RenderCommand) -> [String?: RenderRequest.OutputForm] {
    var forms: [String?: RenderRequest.OutputForm] = [:]
    for (index, output) in text.outputs.enumerated() {
      let bits = command.files.bits == nil ? output.bits.flatMap { Int($0.text) } : nil
      let alpha = command.files.alpha == nil ? output.alpha.flatMap { AlphaMode(rawValue: $0.text) } : nil
      forms[index == 0 ? nil : output.name.text] = .init(bits: bits, alpha: alpha)
    }
    return forms
  }
}

extension GraphText {
  /// `workingSpace` for `--working-space`.
  static func key(ofOption option: String) -> String {
    let parts = option.drop { $0 == "-" }.split(separator: "-")
    return parts.prefix(1).joined() + parts.dropFirst().map(\.capitalized).joined()
  }
}
