import ArgumentParser
import Etalon
import EtalonDiagnostics
import EtalonGraph
import EtalonMedia
import EtalonTypes

/// How filters of a survey are rendered; shared by the survey and the process of each filter.
struct SurveyOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The devices to compare; the first is what the others are measured by.", valueName: "device,…"))
  var device: String = "cpu,vulkan"

  @Option(parsing: .unconditional, help: ArgumentHelp("Width and height in pixels.", valueName: "WxH"))
  var size: String = "320x180"

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The frames. Default: 0; 0 and 10 of filters with state; 0, 5 and 10 of transitions; 60 where these show one color.",
      valueName: "range"))
  var frames: String?

  @Option(parsing: .unconditional, help: ArgumentHelp("A moment instead of frames, in seconds.", valueName: "seconds"))
  var time: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The length of the shot that the frames belong to: 10s or 10 for seconds, 48f for frames. Default: these frames.",
      valueName: "length")
  )
  var duration: String?

  @OptionGroup var pictures: InputPictureOptions

  @Option(help: ArgumentHelp("What stands in for a picture of ShaderToy that is missing: fail or test-card.", valueName: "what"))
  var missingInput: String = "fail"

  @OptionGroup var dialect: DialectOption

  func settings() throws -> SurveySettings {
    var settings = SurveySettings()
    settings.devices = device.split(separator: ",").map(String.init)
    guard !settings.devices.isEmpty else {
      throw OptionText("--device", device).error(
        "usage.device", "expected the names of devices", "no device", help: ["type '--device cpu,vulkan'"])
    }
    settings.size = try OptionText("--size", size).size()
    settings.frames = try frames.map { try FrameRangeParser.parse($0) }
    if let range = settings.frames { try OptionText("--frames", frames ?? "").refuse(range, before: 0, isGiven: false) }
    settings.time = try time.map { try OptionText("--time", $0).seconds(notBefore: .zero) }
    if let conflict = conflict { throw conflict }
    settings.shot = try duration.map { try OptionText("--duration", $0).frames(clock: ShotClock()) }
    var observed = SanitizeSettings()
    (observed.frames, observed.time, observed.shot) = (settings.frames, settings.time, settings.shot)
    try observed.refuseFramesOutsideShot([OptionText("--duration", duration ?? "").label("too short")])
    settings.pictures = pictures.i
    settings.assets = pictures.assets
    settings.standsInWithTestCards = try OptionText("--missing-input", missingInput).choice(of: ["fail": false, "test-card": true])
    settings.dialect = try dialect.name()
    return settings
  }

  private var conflict: DiagnosticsError? {
    guard frames != nil, let time else { return nil }
    return OptionText("--time", time).error(
      "usage.conflict", "'--frames' and '--time' both say which frames are wanted", "the second", help: ["keep one of them"])
  }

  /// The same on the command line of another process.
  var words: [String] {
    var words = ["--device", device, "--size", size, "--missing-input", missingInput]
    for (option, value) in [
      ("--frames", frames), ("--time", time), ("--duration", duration), ("--assets", pictures.assets), ("--dialect", dialect.dialect),
    ] {
      if let value { words += [option, value] }
    }
    return words + pictures.i.flatMap { ["-i", $0] }
  }
}
