import ArgumentParser
import Etalon
import EtalonDiagnostics
import EtalonMedia
import EtalonTypes
import Foundation

/// `etalon render`: a filter, or a chain of filters, becomes frames.
struct RenderCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "render",
    abstract: "Renders a filter, or a chain of filters, to a picture or a sequence of frames.",
    discussion: """
      etalon render plasma.glsl -o plasma.png
      etalon render plasma.glsl --size 1920x1080 -r 24 --frames 0-119 -o 'out/plasma.####.png'
      etalon render ripple.glsl -i photo.jpg --time 2.5 -o ripple.png
      etalon render plasma.glsl --duration 4s -o - | ffmpeg -i - plasma.mp4
      etalon render graph.yaml --set blocks.scale=32 --frames 1001-1024
      etalon render keyer.glsl -i plate.png -o color.png -o matte=matte.png
      etalon render ripple.glsl -i 'plate.####.png,missing=hold' -r 24 --frames 0-239 -o 'out/####.png'

      A sequence of pictures is a pattern, and behind it what is said about it: rate (pictures a second; default: those of the shot), start (seconds; default: with the shot), first and last (numbers; default: of the pictures that are there), speed (1/2, -1), loop (none, repeat, ping-pong), missing (error, hold, black).
      """)

  @Argument(
    help: ArgumentHelp(
      "A filter: a file, a folder of passes, the name of a filter of a library, a graph document, or - for standard input. Or stages, each of which reads the one before it: a picture, a filter with parameters 'name=value', or an operation (clamp, crop, pad, resize, orient, over).",
      valueName: "stage"))
  var stages: [String]

  @OptionGroup(title: "Libraries") var libraries: LibraryOptions
  @OptionGroup(title: "Pictures") var pictures: PictureOptions
  @OptionGroup(title: "Time") var time: TimeOptions
  @OptionGroup(title: "Values") var values: ValueOptions
  @OptionGroup(title: "Files") var files: FileOptions
  @OptionGroup(title: "Run") var running: RunOptions

  func run() throws {
    let report = FailureReport(format: running.diagnostics)
    do {
      let interruption = Interruption.shared
      let code =
        try running.watch
        ? WatchSession(command: self, report: report, interruption: interruption).run() : render(report, interruption)
      if code != 0 { throw ArgumentParser.ExitCode(code) }
    } catch let code as ArgumentParser.ExitCode {
      throw code
    } catch {
      throw ArgumentParser.ExitCode(report.exitCode(for: error).rawValue)
    }
  }

  private func render(_ report: FailureReport, _ interruption: Interruption) throws -> Int32 {
    let (command, request) = try reading()
    return try RenderSession(command: command, request: request, report: report, interruption: interruption).run()
  }

  /// The path of the graph document that is rendered, where it is one.
  func document() throws -> String? { try DocumentOptions.path(of: stages, libraries) }

  /// The command with what a graph document says, as that is now, and what it asks for.
  func reading() throws -> (RenderCommand, RenderRequest) {
    let document = try document().map { try GraphDocument.draft($0) }
    let parser = try RenderRequestParser(command: self, document: document)
    return (parser.command, try parser.request())
  }
}

/// Size, inputs and how they are read.
struct PictureOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Width and height in pixels. Default: the size of the first picture, else 1280x720.", valueName: "WxH"))
  var size: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Renders a proxy: pictures, and values that measure pixels, so much smaller. 1/2, 0.25; default: 1.", valueName: "factor"))
  var scale: String?

  @Option(
    name: .short, parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "A PNG or JPEG picture, or a sequence such as 'plate.####.png,rate=24', for the first input that the shader reads.",
      valueName: "picture"))
  var i: [String] = []

  @Option(
    parsing: .unconditionalSingleValue, help: ArgumentHelp("A picture or a sequence for an input, by name.", valueName: "iChannel0=picture")
  )
  var input: [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "How an input is read: nearest, linear or mipmap; clamp, repeat, mirror or transparent; vflip or novflip. Default: what the filter says; of ShaderToy files mipmap,repeat,vflip.",
      valueName: "iChannel0=mipmap,repeat"))
  var sampler: [String] = []

  @Option(help: ArgumentHelp("A folder with the pictures that ShaderToy offers, by file name or title.", valueName: "folder"))
  var assets: String?

  @Option(help: ArgumentHelp("What stands in for a picture that is missing: fail or test-card.", valueName: "what"))
  var missingInput: String = "fail"
}

/// Which frames, and when they happen.
struct TimeOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The frames, both ends included: 0-119, 1-100x2, 7,9,20-30. Without --duration they are the shot.", valueName: "range"))
  var frames: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The length of the shot: 10s or 10 for seconds, 48f for frames. Its frames are rendered, or those of them that --frames or --time selects.",
      valueName: "length"))
  var duration: String?

  @Option(parsing: .unconditional, help: ArgumentHelp("The number of the shot's first frame. Default: 0.", valueName: "number"))
  var first: String?

  @Option(
    name: [.customShort("r"), .long, .customLong("fps")], parsing: .unconditional,
    help: ArgumentHelp("Frames a second: 24, 23.976, 24000/1001. Default: 60.", valueName: "rate"))
  var rate: String?

  @Option(parsing: .unconditional, help: ArgumentHelp("The time of the first frame, in seconds. Default: 0.", valueName: "seconds"))
  var start: String?

  @Option(parsing: .unconditional, help: ArgumentHelp("The time of a single picture, in seconds.", valueName: "seconds"))
  var time: String?
}

/// What the shader gets to see beside pictures and time.
struct ValueOptions: ParsableArguments {
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("A value for a parameter, or for a #define or const at the top of a shader.", valueName: "NAME=value"))
  var set: [String] = []

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "A parameter or constant and its values: one picture each, on a labelled contact sheet.", valueName: "NAME v1 v2 ..."))
  var sweep: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("A mouse click in pixels from the bottom left, and whether it is held.", valueName: "x,y[,down]"))
  var mouse: String?

  @Option(help: ArgumentHelp("What the mouse and the keys do: lines such as '0.5, mouse, down, 320, 180'.", valueName: "events.csv"))
  var events: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The date that the shader sees on the first frame, or now. Default: 2024-01-01.", valueName: "date"))
  var date: String?
}

/// Where the pictures go, and what they are.
struct FileOptions: ParsableArguments {
  @Option(
    name: [.short, .long], parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "The file, with #### or %04d for the frame number; for each further output of the filter or node of the graph 'name=file'; behind a file what differs for it, ',bits=16,alpha=opaque'; - for a stream on standard output.",
      valueName: "out/name.####.png"))
  var output: [String] = []

  @Option(
    help: ArgumentHelp("How frames follow each other in the stream of '-o -': y4m, or raw for the pixels alone.", valueName: "format"))
  var stream: String = "y4m"

  @Option(help: ArgumentHelp("A picture with small copies of the frames and their numbers.", valueName: "sheet.png"))
  var contactSheet: String?

  @Option(parsing: .unconditional, help: ArgumentHelp("Bits a channel: 8 or 16. Default: 8.", valueName: "bits"))
  var bits: String?

  @Option(
    help: ArgumentHelp(
      "What the files say about coverage: opaque, straight or premultiplied. Default: opaque for ShaderToy, else straight.",
      valueName: "mode"))
  var alpha: String?

  @Option(
    help: ArgumentHelp(
      "How pictures between filters are stored: \(PixelFormat.allCases.map(\.rawValue).joined(separator: ", ")). Default: rgba16f, with --bits 16 rgba32f.",
      valueName: "format"))
  var format: String?

  @Option(
    help: ArgumentHelp(
      "What filters compute with: encoded, the numbers of the files, or linear, light, for filters that do not say otherwise. Default: encoded.",
      valueName: "space"))
  var workingSpace: String?

  @Option(help: ArgumentHelp("How hard PNG is compressed: fast or small.", valueName: "preset"))
  var compression: String = "fast"

  @Flag(help: "Render only the frames that are missing, incomplete or made by another recipe.")
  var resume = false

  @Flag(help: "Replace files that Etalon did not write.")
  var overwrite = false
}

/// How the command works and what it prints.
struct RunOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "What the shader is written in, where its text does not tell: shadertoy, isf, gl-transition, native or compute.", valueName: "dialect"
    ))
  var dialect: String?

  @Option(help: ArgumentHelp("The device: an index or a part of a name that `etalon devices` prints.", valueName: "device"))
  var device: String?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("The longest that compiling, or a frame, may take, in seconds.", valueName: "seconds"))
  var timeout: String?

  @Flag(help: "Neither use nor keep checkpoints of what frames leave to the next.")
  var noCheckpoints = false

  @Flag(help: "Go on when a frame fails; the command then ends with code 74.")
  var keepGoing = false

  @Flag(help: "Render again whenever the filter, an include or a picture changes, until ^C.")
  var watch = false

  @Flag(help: "Print a line of JSON for every step on standard output.")
  var json = false

  @Option(help: ArgumentHelp("How mistakes are printed: text or json.", valueName: "form"))
  var diagnostics: DiagnosticsFormat = .text

  @Flag(help: "Let warnings fail the command with code 65.")
  var warningsAsErrors = false
}
