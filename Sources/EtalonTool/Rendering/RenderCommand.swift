import ArgumentParser
import Etalon
import EtalonDiagnostics
import EtalonMedia
import EtalonTypes
import EtalonVideo
import Foundation

/// `etalon render`: a filter, or a chain of filters, becomes frames.
struct RenderCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "render",
    abstract: "Renders a filter, or a chain of filters, to a picture or a sequence of frames.",
    discussion: """
      etalon render plasma.glsl -o plasma.png
      etalon render plasma.glsl -r 24 --frames 0-119 -o 'out/plasma.####.png'
      etalon render ripple.glsl -i photo.jpg --time 2.5 -o ripple.png
      etalon render plasma.glsl -r 30 --duration 4s -o plasma.mp4
      etalon render clip.mp4 hue-rotate angle=90 -o turned.mp4
      etalon render graph.yaml --set blocks.scale=32 --frames 1001-1024
      etalon render keyer.glsl -i plate.png -o color.png -o matte=matte.png
      etalon render photo.png vignette amount=0.9 radius=0.6 -o dark.png
      etalon render ripple.glsl -i 'plate.####.png,missing=hold' -o 'out/####.png'

      Behind the name of a video stands what is said about it: from and to (times of the video: 90s or 1:30), start (seconds of the shot), speed (1/2, -1), loop and missing as for sequences, stream (a number), deinterlace (auto, on, off): 'clip.mp4,from=10s,to=12.5s,loop=repeat'.

      A sequence of pictures is a pattern, and behind it what is said about it: rate (pictures a second; default: those of the shot), start (seconds; default: with the shot), first and last (numbers; default: of the pictures that are there), speed (1/2, -1), loop (none, repeat, ping-pong), missing (error, hold, black).

      Behind the name of an OpenEXR file, or a pattern of such files, stand layer and part, where it has several pictures: 'plate.exr,layer=diffuse'.
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
  @OptionGroup(title: "Videos") var video: VideoOptions
  @OptionGroup(title: "Farms") var farm: FarmOptions
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
      if farm.openJobDescription { OpenJobProgress.tell(error) }
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
      "A picture ('plate.exr,layer=diffuse', 'plate.tif,space=linear'), a video or a stream of one (https://, rtsp://, pipe:0, camera:0), or a sequence such as 'plate.####.png,rate=24', for the first input that the shader reads; a second -i is for the second input.",
      valueName: "picture"))
  var i: [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("A picture, a video or a sequence for an input, by name.", valueName: "iChannel0=picture")
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

  @Option(
    help: ArgumentHelp(
      "What stands in for a picture that is missing: fail, test-card, or lookalike: pictures, videos and songs of Etalon's for those of ShaderToy's site; others fail.",
      valueName: "what"))
  var missingInput: String = "lookalike"
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
    help: ArgumentHelp("Frames a second: 24, 23.976, 24000/1001. Default: that of the first video, else 60.", valueName: "rate"))
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
      "The file: a video (.mp4, .mov, .mkv, .webm, .gif, .apng, .webp), an HLS stream (.m3u8), or PNG, TIFF (.tif) or OpenEXR (.exr: light) with #### or %04d for the frame number; for each further output of the filter or node of the graph 'name=file', of OpenEXR files the same one for layers; behind a file what differs for it, ',bits=16,alpha=opaque'; - for a stream on standard output.",
      valueName: "out/name.####.png"))
  var output: [String] = []

  @Option(
    help: ArgumentHelp(
      "How frames follow each other in the stream of '-o -': y4m, y4m420 with a quarter of the chroma, raw for the pixels alone, or rgb for these without alpha.",
      valueName: "format"))
  var stream: String = "y4m"

  @Option(help: ArgumentHelp("A picture with small copies of the frames and their numbers.", valueName: "sheet.png"))
  var contactSheet: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Bits a channel: 8 or 16, in videos and streams 10, too, of OpenEXR 16 (half) or 32 (float). Default: 8, of OpenEXR 16.",
      valueName: "bits"))
  var bits: String?

  @Option(
    help: ArgumentHelp(
      "What the files say about coverage: opaque, straight or premultiplied. Default: opaque for ShaderToy, else straight, of OpenEXR premultiplied.",
      valueName: "mode"))
  var alpha: String?

  @Option(
    help: ArgumentHelp(
      "How pictures between filters are stored: \(PixelFormat.allCases.map(\.rawValue).joined(separator: ", ")). Default: rgba16f, with --bits 10 or 16 rgba32f.",
      valueName: "format"))
  var format: String?

  @Option(
    help: ArgumentHelp(
      "What filters compute with: encoded, the numbers of the files, or linear, light, for filters that do not say otherwise. Default: encoded.",
      valueName: "space"))
  var workingSpace: String?

  @Option(help: ArgumentHelp("How hard PNG and TIFF are compressed: fast or small.", valueName: "preset"))
  var compression: String = "fast"

  @Flag(
    help:
      "Render only the frames that are missing, incomplete or made by another recipe; of a video, keep parts beside it and go on behind them."
  )
  var resume = false

  @Flag(help: "Replace files that Etalon did not write.")
  var overwrite = false
}

/// How the command works and what it prints.
struct RunOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "What the shader is written in, where its text does not tell: shadertoy, isf, gl-transition, native, fragment or compute.",
      valueName: "dialect"))
  var dialect: String?

  @Option(help: ArgumentHelp("The device: an index or a part of a name that `etalon devices` prints.", valueName: "device"))
  var device: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The longest that compiling, a frame, or the silence of a stream (else 30) may take, in seconds.", valueName: "seconds"))
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

// MARK: destination

extension RenderCommand {
  /// How the shot follows a sequence of pictures: where the frames go into numbered files, a stream or a contact sheet, and nothing says which are wanted.
  func following(_ request: RenderRequest) -> RenderRequest.Following? {
    guard case .single(time: nil) = request.frames, values.sweep.isEmpty else { return nil }
    let paths = files.output.map { OutputOption($0).path }
    let isSequence = paths.contains { path in
      path == "-" || VideoContainer(path: path) != nil || (try? FramePattern(path))?.hasNumber ?? false
    }
    guard isSequence || paths.isEmpty && files.contactSheet != nil else { return nil }
    return RenderRequest.Following(followsRate: time.rate == nil, followsNumbers: time.first == nil)
  }

  /// Where the frames go; refuses names that cannot hold what is asked for.
  func destination(for request: RenderRequest) throws -> SequenceExport.Destination {
    guard !files.output.isEmpty || files.contactSheet != nil else {
      throw UsageError("usage.output", "nothing says where the pictures go", help: "type '-o picture.png' or '-o frames.####.png'")
    }
    let wanted = try files.output.map { text in
      let option = OutputOption(text)
      try checkBits(of: option, request)
      let bits = request.outputForms[option.output]?.bits ?? (files.bits == nil ? 16 : request.bits)
      return SequenceExport.Destination.Files(
        output: option.output, pattern: try Self.pattern(option.path), numbers: option.isLight ? bits == 32 ? .float : .half : nil)
    }
    for file in wanted { try checkName(file.pattern, request) }
    try checkNamesDiffer(wanted)
    if let sheet = files.contactSheet {
      if let light = wanted.first(where: { $0.output == nil && $0.numbers != nil }) {
        throw UsageError(
          "usage.contact-sheet", "a contact sheet shows levels, and '\(light.pattern)' has light",
          help: "make the sheet in another run: type '--contact-sheet \(sheet)' without '-o'")
      }
      try Self.checkExtension(sheet, option: "--contact-sheet")
      if wanted.contains(where: { $0.pattern.writes(sheet) }) {
        throw UsageError(
          "usage.same-name", "'--output' and '--contact-sheet' both write '\(sheet)'", help: "give the contact sheet another name")
      }
    }
    try checkInputsSurvive(wanted.map(\.pattern), request)
    var destination = SequenceExport.Destination(files: wanted, contactSheet: files.contactSheet)
    destination.policy = files.overwrite ? .anything : .ownFrames
    destination.resumes = files.resume
    destination.keepsGoing = running.keepGoing
    destination.portion = try farm.portion()
    destination.recorder = try farm.recorder()
    // Who joins later finds frames of others.
    if farm.share { destination.resumes = true }
    return destination
  }

  /// Refuses bits that a picture cannot have.
  private func checkBits(of option: OutputOption, _ request: RenderRequest) throws {
    guard (request.outputForms[option.output]?.bits ?? request.bits) == 10 else { return }
    throw UsageError(
      "usage.bits", "'\(option.path)' cannot have 10 bits a channel", help: "type '--bits 16', or '-o name.mp4 --codec hevc' for a video")
  }

  /// Refuses two outputs with one name, and an output that is asked for twice without a name.
  private func checkNamesDiffer(_ files: [SequenceExport.Destination.Files]) throws {
    for (index, file) in files.enumerated() {
      guard let other = files[..<index].first(where: { $0.collides(with: file) }) else {
        continue
      }
      if other.output == file.output {
        throw UsageError(
          "usage.repeated",
          "\(file.output.map { "the output '\($0)'" } ?? "the result") has two files, '\(other.pattern)' and '\(file.pattern)'",
          help: "keep one of them; a further output of the filter is written '-o name=\(file.pattern)'")
      }
      throw UsageError(
        "usage.same-name", "two outputs would write the same files, '\(other.pattern)' and '\(file.pattern)'",
        help: "give one of them another name")
    }
  }

  private static func pattern(_ text: String) throws -> FramePattern {
    do throws(DiagnosticsError) { return try FramePattern(text) } catch { throw UsageError(diagnostics: error.diagnostics) }
  }

  /// Refuses to write a video over one that is read.
  func checkInputsSurvive(_ path: String, _ request: RenderRequest) throws {
    let inputs = request.namedPictures.map(\.path) + [video.sound].compactMap(\.self)
    guard let input = inputs.first(where: { samePlace($0, path) }) else { return }
    throw UsageError("usage.same-name", "'--output' would replace '\(input)', which is an input", help: "give the result another name")
  }

  /// Refuses to write over a picture that is read: the second run would not see what the first one saw.
  private func checkInputsSurvive(_ patterns: [FramePattern], _ request: RenderRequest) throws {
    for input in request.namedPictures {
      let isSheet = files.contactSheet.map { samePlace($0, input.path) } ?? false
      let path = try Self.picture(of: input)
      guard isSheet || patterns.contains(where: { $0.writes(path) }) else { continue }
      throw UsageError(
        "usage.same-name", "'\(isSheet ? "--contact-sheet" : "--output")' would replace '\(input.path)', which is an input",
        help: "give the result another name")
    }
  }

  /// The path of an input, or that of a picture of the sequence.
  private static func picture(of input: RenderRequest.InputPicture) throws -> String {
    input.sequence == nil ? input.path : try FramePattern(input.path).path(frame: 1_000_000_000)
  }

  private func checkName(_ pattern: FramePattern, _ request: RenderRequest) throws {
    try refuseOtherSound(pattern.description, request)
    try Self.checkOutput(pattern.description, isOfVideo: request.namedPictures.contains { $0.video != nil })
    if case .range(let range) = request.frames { try Self.checkName(pattern, frameCount: range.count) }
  }

  /// Refuses one name for several frames.
  static func checkName(_ pattern: FramePattern, frameCount: Int) throws {
    guard frameCount > 1, !pattern.hasNumber else { return }
    let stem = pattern.description.split(separator: ".").dropLast().joined(separator: ".")
    throw UsageError(
      "usage.pattern", "\(frameCount) frames cannot all be called '\(pattern)'", help: "type '-o \(stem).####.png'")
  }

  /// Refuses endings of names that stand neither for pictures nor for videos.
  private static func checkOutput(_ path: String, isOfVideo: Bool) throws {
    let ending = URL(filePath: path).pathExtension
    guard FrameFileType(path: path) == nil else { return }
    let stem = ending.first?.isLetter ?? false ? path.dropLast(ending.count + 1) : path[...]
    let isMoving = !stem.contains("#") && (isOfVideo || VideoContainer.endings.contains(ending.lowercased()))
    let videos = VideoContainer.allCases.map { ".\($0.rawValue)" }
    throw UsageError(
      "usage.format",
      "'\(path)' ends neither as a picture does that is written (.png, .tif, .exr) nor as a video (\(videos.joined(separator: ", ")))",
      help: "type '--output \(stem).\(isMoving ? "mp4" : "png")'")
  }

  static func checkExtension(_ path: String, option: String) throws {
    guard path.lowercased().hasSuffix(".png") else {
      let name = path.split(separator: "/").last ?? ""
      let ending = name.lastIndex(of: ".").map { name[$0...] } ?? ""
      let stem = ending.dropFirst().first?.isLetter ?? false ? path.dropLast(ending.count) : path[...]
      throw UsageError(
        "usage.format", "'\(option)' writes PNG files, and '\(path)' does not end in .png", help: "type '\(option) \(stem).png'")
    }
  }

  /// The sweep that was asked for.
  func sweep(of request: RenderRequest) throws -> Sweep? {
    guard let name = values.sweep.first else { return nil }
    let typed = name.split(separator: "=", maxSplits: 1).map { $0.replacing(",", with: " ") }
    let example = "type '--sweep \(typed.count == 2 ? typed.joined(separator: " ") : "\(name) 1 2 4") -o sheet.png'"
    guard values.sweep.count > 1 else {
      throw UsageError("usage.sweep", "'--sweep' names a constant and its values, found only '\(name)'", help: example)
    }
    guard let path = files.output.first, files.output.count == 1, OutputOption(path).output == nil, files.contactSheet == nil else {
      throw UsageError("usage.sweep", "a sweep is one picture, and '-o' says where it goes", help: example)
    }
    try Self.checkExtension(path, option: "--output")
    if try Self.pattern(path).hasNumber {
      throw UsageError("usage.sweep", "a sweep is one picture, and '\(path)' has a frame number", help: example)
    }
    if case .range(let range) = request.frames, range.count > 1 {
      throw UsageError("usage.sweep", "a sweep shows one frame for each value, not \(range.count)", help: "type '--frames \(range.first)'")
    }
    try checkInputsSurvive([try Self.pattern(path)], request)
    return Sweep(name: name, values: Array(values.sweep.dropFirst()), path: path, policy: files.overwrite ? .anything : .ownFrames)
  }
}

extension SequenceExport.Destination.Files {
  /// Whether two outputs are one, or would write the same files without being layers of them.
  fileprivate func collides(with other: Self) -> Bool {
    if output == other.output { return true }
    return pattern.collides(with: other.pattern) && !(numbers != nil && numbers == other.numbers && pattern == other.pattern)
  }
}

extension FramePattern {
  /// Whether two patterns write the same files, or the same side-car.
  fileprivate func collides(with other: FramePattern) -> Bool {
    guard hasNumber, other.hasNumber else { return writes(other.path(frame: 0)) || other.writes(path(frame: 0)) }
    return samePlace(SequenceSidecar.path(for: self), SequenceSidecar.path(for: other))
  }

  /// Whether a path is the name of one of the frames, however it is spelled.
  fileprivate func writes(_ path: String) -> Bool {
    if !hasNumber { return samePlace(self.path(frame: 0), path) }
    let other = URL(filePath: path)
    return frame(ofName: other.lastPathComponent) != nil
      && samePlace(folder.isEmpty ? "." : folder, other.deletingLastPathComponent().path(percentEncoded: false))
  }
}

/// Whether two paths name the same place; symbolic links are followed.
private func samePlace(_ a: String, _ b: String) -> Bool {
  func place(_ path: String) -> [String] { URL(filePath: path).resolvingSymlinksInPath().standardizedFileURL.pathComponents }
  return place(a) == place(b)
}

extension UsageError {
  init(_ id: String, _ message: String, help: String) {
    self.init(diagnostics: [Diagnostic(id, message, help: [help])])
  }

  /// What is read from the command line: what is wrong with it is an error of usage.
  static func reading<Value>(_ read: () throws -> Value) throws -> Value {
    do { return try read() } catch let error as DiagnosticsError { throw UsageError(diagnostics: error.diagnostics) }
  }
}
