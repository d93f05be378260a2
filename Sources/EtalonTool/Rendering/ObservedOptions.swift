import ArgumentParser
import Etalon
import EtalonDiagnostics
import EtalonGraph
import EtalonInspection
import EtalonTypes

/// What commands render that look at what shaders do.
struct ObservedOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Width and height in pixels. Default: 320x180; of graphs what they say.", valueName: "WxH"))
  var size: String?

  @Option(parsing: .unconditional, help: ArgumentHelp("A moment instead of frames, in seconds.", valueName: "seconds"))
  var time: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The length of the shot that the frames belong to: 10s or 10 for seconds, 48f for frames. Default: these frames.",
      valueName: "length")
  )
  var duration: String?

  @Option(
    name: [.customShort("r"), .long], parsing: .unconditional,
    help: ArgumentHelp("Frames a second: 24, 23.976, 24000/1001. Default: 60.", valueName: "rate"))
  var rate: String?

  @Option(parsing: .unconditional, help: ArgumentHelp("The number of the shot's first frame. Default: 0.", valueName: "number"))
  var first: String?

  @Option(parsing: .unconditional, help: ArgumentHelp("The time of the first frame, in seconds. Default: 0.", valueName: "seconds"))
  var start: String?

  @OptionGroup var pictures: InputPictureOptions

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("A picture or a sequence for an input, by name.", valueName: "iChannel0=picture"))
  var input: [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("A value for a parameter, or for a constant of a shader.", valueName: "NAME=value"))
  var set: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("A mouse click in pixels from the bottom left, and whether it is held.", valueName: "x,y[,down]"))
  var mouse: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The date that the shader sees on the first frame, or now. Default: 2024-01-01.", valueName: "date"))
  var date: String?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("The longest that compiling, or a frame, may take, in seconds.", valueName: "seconds"))
  var timeout: String?

  @OptionGroup var dialect: DialectOption

  @Option(
    help: ArgumentHelp(
      "What stands in for a picture of ShaderToy's site that is missing: test-card, or lookalike: pictures, videos and songs of Etalon's.",
      valueName: "what"))
  var missingInput: String = "test-card"

  /// What is rendered of a filter, or of a graph document.
  func request(of path: String, _ settings: InspectionSettings, _ libraries: LibraryOptions) throws -> RenderRequest {
    let isGraph = GraphDocument.isGraph(path) || StageParser.isNeeded(for: [path])
    return isGraph ? try graphRequest(path, settings, libraries) : try settings.request(of: path)
  }

  /// What `render` makes of a graph document, or of stages.
  private func graphRequest(_ path: String, _ settings: InspectionSettings, _ libraries: LibraryOptions) throws -> RenderRequest {
    let document = try StageParser.isNeeded(for: [path]) ? nil : GraphDocument.draft(path)
    var command = try RenderCommand.parse([path])
    command.libraries = libraries
    (command.time.rate, command.time.first, command.time.start, command.time.duration) = (rate, first, start, duration)
    (command.pictures.input, command.pictures.assets) = (input, pictures.assets)
    command.pictures.missingInput = missingInput == StandIn.lookalike.rawValue ? missingInput : StandIn.fail.rawValue
    (command.values.mouse, command.values.date) = (mouse, date)
    do {
      let request = try RenderRequestParser(command: command, document: document).request()
      return try settings.applied(to: request)
    } catch let error as UsageError {
      throw DiagnosticsError(error.diagnostics)
    }
  }

  /// - Parameter frames: the option that says which frames are wanted, where it was given.
  func settings(frames: String?) throws -> InspectionSettings {
    var settings = InspectionSettings()
    settings.size = try size.map { try OptionText("--size", $0).size() }
    settings.time = try time.map {
      try OptionText("--time", $0).seconds(notBefore: start.map { try OptionText("--start", $0).seconds() } ?? .zero)
    }
    if let frames, let time {
      throw OptionText("--time", time).error(
        "usage.conflict", "'\(frames)' and '--time' both say which frames are wanted", "the second", help: ["keep one of them"])
    }
    settings.pictures = pictures.i
    settings.inputs = try input.map { text in
      let (name, picture) = try OptionText("--input", text).assignment(example: "iChannel0=photo.png")
      return try InputText.picture(picture, for: name, option: "--input \(name)")
    }
    settings.clock = ShotClock(
      first: try first.map { try OptionText("--first", $0).frameNumber() } ?? 0,
      start: try start.map { try OptionText("--start", $0).seconds() } ?? .zero,
      rate: try rate.map { try OptionText("--rate", $0).frameRate() } ?? .sixty)
    settings.shot = try duration.map { try OptionText("--duration", $0).frames(clock: settings.clock) }
    if let time { try settings.refuseFramesOutsideShot([OptionText("--time", time).label("outside")]) }
    settings.pointer = try mouse.map { try OptionText("--mouse", $0).pointer() }
    if let date { settings.date = try OptionText("--date", date).date() }
    settings.assets = pictures.assets
    let usesLookalikes = try OptionText("--missing-input", missingInput).choice(of: ["test-card": false, "lookalike": true])
    settings.standIns = usesLookalikes ? [.testCards, .lookalikes] : .testCards
    settings.dialect = try dialect.name()
    settings.timeout = try timeout.map { try OptionText("--timeout", $0).seconds(above: .zero).double }
    for text in set {
      let (name, value) = try OptionText("--set", text).assignment(example: "SPEED=2.5")
      settings.values.append(.init(name: name, value: value))
    }
    return settings
  }
}

/// The pictures that commands give to filters of all kinds, one after the other, where the inputs are not named.
struct InputPictureOptions: ParsableArguments {
  @Option(
    name: .short, parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "A picture for image inputs, or a WAV file for those that show sounds, in their order; the last is for all that follow. Default: test cards, and silence.",
      valueName: "picture"))
  var i: [String] = []

  @Option(help: ArgumentHelp("A folder with the pictures that ShaderToy offers, by file name or title.", valueName: "folder"))
  var assets: String?
}
