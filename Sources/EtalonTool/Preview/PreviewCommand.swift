import ArgumentParser
import Etalon
import EtalonDiagnostics
import EtalonPreview
import EtalonSystem
import Foundation

/// `etalon preview`: shows a filter, a chain or a graph in a browser while a person works on it.
struct PreviewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "preview",
    abstract: "Shows a filter, a chain or a graph in the browser: values, time and text can be changed while it plays.",
    discussion: """
      etalon preview plasma.glsl
      etalon preview photo.png 'gaussian-blur sigma=6' vignette
      etalon preview shot.yaml --device cpu
      etalon preview clip.mp4 hue-rotate --folder ~/pictures
      etalon preview trail.glsl --no-open --port 8000

      A page is served on the loopback interface and opened; where there is no desktop, its address is printed. A test card stands in for a picture that is missing, until one is dropped onto the page. ^C ends it.
      """)

  @Argument(
    help: ArgumentHelp(
      "What 'etalon render' takes: a filter, a graph document, or stages, each of which reads the one before it.", valueName: "stage"))
  var stages: [String]

  @OptionGroup(title: "Libraries") var libraries: LibraryOptions
  @OptionGroup(title: "Pictures") var pictures: PictureOptions
  @OptionGroup(title: "Time") var time: TimeOptions
  @OptionGroup(title: "Values") var values: ValueOptions
  @OptionGroup(title: "Preview") var preview: PreviewOptions

  func run() throws {
    let report = FailureReport(format: .text)
    do { try serve(Interruption.shared, report) } catch { throw ArgumentParser.ExitCode(report.exitCode(for: error).rawValue) }
    if let number = Interruption.shared.signalNumber { throw ArgumentParser.ExitCode(128 + number) }
  }

  private func serve(_ interruption: Interruption, _ report: FailureReport) throws {
    let source = try CommandSource(command())
    let session = try PreviewSession(source, try preview.settings(stages: stages)) { report.print($0) }
    defer { session.finish() }
    let server = try Promise.awaited { [port = try preview.portNumber()] in try await PreviewServer(session, port: port) }
    defer { try? Promise.awaited { await server.stop() } }
    var address = server.address
    StandardOutput.write(address + "\n")
    open(address)
    StandardError.line("previewing \(source.title); end with ^C")
    interruption.patiently {
      while !interruption.isRequested, !server.hasEnded {
        Thread.sleep(forTimeInterval: FileWatcher.interval)
        guard server.address != address else { continue }
        address = server.address
        StandardError.line("for another browser: \(address)")
      }
    }
  }

  /// What `etalon render` would be told.
  private func command() throws -> RenderCommand {
    guard values.sweep.isEmpty else {
      throw UsageError(
        "usage.conflict", "'etalon preview' shows one picture, and no '--sweep'", help: "move the slider of the value instead")
    }
    guard !stages.contains("-") else {
      throw UsageError("usage.watch", "standard input cannot be watched", help: "name a file instead of '-'")
    }
    var command = try RenderCommand.parse(["-"])
    (command.stages, command.libraries, command.pictures, command.time, command.values) = (stages, libraries, pictures, time, values)
    (command.running.dialect, command.running.device, command.running.timeout) = (preview.dialect, preview.device, preview.timeout)
    (command.running.noCheckpoints, command.files.alpha) = (preview.noCheckpoints, preview.alpha)
    (command.files.format, command.files.workingSpace) = (preview.format, preview.workingSpace)
    return command
  }

  /// Opens a page in the browser of the desktop, where there is one.
  private func open(_ address: String) {
    let variables = ProcessInfo.processInfo.environment
    guard !preview.noOpen, ["DISPLAY", "WAYLAND_DISPLAY"].contains(where: { variables[$0]?.isEmpty == false }) else { return }
    do {
      try ChildProcess.launch(["xdg-open", address]) { ending in
        if ending != .exit(0) { StandardError.line("no browser could be opened; open the address above") }
      }
    } catch { StandardError.write(error.text) }
  }
}

/// How pages are served, and what they may do.
struct PreviewOptions: ParsableArguments {
  @Option(parsing: .unconditional, help: ArgumentHelp("The port of the page. Default: one that is free.", valueName: "port"))
  var port: String?

  @Flag(help: "Do not open a browser; the address is printed.")
  var noOpen = false

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "A folder that pages may write into and open pictures from; may be repeated. Default: the working folder, and those of the files that are previewed.",
      valueName: "folder"))
  var folder: [String] = []

  @Option(help: ArgumentHelp("What the shader is written in, where its text does not tell.", valueName: "dialect"))
  var dialect: String?

  @Option(help: ArgumentHelp("The device: an index or a part of a name that `etalon devices` prints.", valueName: "device"))
  var device: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The longest that compiling, or a frame, may take, in seconds. Default: 30.", valueName: "seconds"))
  var timeout: String?

  @Flag(help: "Neither use nor keep checkpoints of what frames leave to the next.")
  var noCheckpoints = false

  @Option(help: ArgumentHelp("What pictures say about coverage: opaque, straight or premultiplied.", valueName: "mode"))
  var alpha: String?

  @Option(help: ArgumentHelp("How pictures between filters are stored, as 'etalon render' has it.", valueName: "format"))
  var format: String?

  @Option(help: ArgumentHelp("What filters compute with: encoded or linear.", valueName: "space"))
  var workingSpace: String?

  /// The port; 0 is one that is free.
  func portNumber() throws -> UInt16 {
    guard let port else { return 0 }
    guard let number = UInt16(port) else {
      throw UsageError("usage.port", "'\(port)' is no port", help: "type a number from 1 to 65535, such as '--port 8000'")
    }
    return number
  }

  /// What pages may do.
  func settings(stages: [String]) throws -> PreviewSettings {
    var settings = PreviewSettings()
    settings.device = device
    settings.keepsCheckpoints = !noCheckpoints
    settings.editor = EditorCommand.ofUser()
    for path in folder {
      var isFolder: ObjCBool = false
      guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
        throw UsageError("usage.folder", "'\(path)' is no folder", help: "make it first: mkdir -p \(ShellWord.quoted(path))")
      }
    }
    settings.folders = folder.isEmpty ? Self.usualFolders(stages) : folder
    return settings
  }

  /// The working folder, unless it is all there is, and those of the files that are previewed.
  private static func usualFolders(_ stages: [String]) -> [String] {
    let working = FileManager.default.currentDirectoryPath
    let files = stages.filter { $0.contains("/") && FileManager.default.fileExists(atPath: $0) }
    return (working == "/" ? [] : [working]) + files.map { URL(filePath: $0).deletingLastPathComponent().path }
  }
}
