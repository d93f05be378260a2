import ArgumentParser
import Etalon
import EtalonDiagnostics
import EtalonGraph
import EtalonTypes

/// What commands render that look at what shaders do.
struct ObservedOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Width and height in pixels. Default: 320x180; of graphs what they say.", valueName: "WxH"))
  var size: String?

  @Option(parsing: .unconditional, help: ArgumentHelp("A moment instead of frames, in seconds.", valueName: "seconds"))
  var time: String?

  @OptionGroup var pictures: InputPictureOptions

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("A value for a parameter, or for a constant of a shader.", valueName: "NAME=value"))
  var set: [String] = []

  @Option(
    parsing: .unconditional, help: ArgumentHelp("The longest that compiling, or a frame, may take, in seconds.", valueName: "seconds"))
  var timeout: String?

  @OptionGroup var dialect: DialectOption

  /// What is rendered of a filter, or of a graph document.
  func request(of path: String, _ settings: SanitizeSettings, _ libraries: LibraryOptions) throws -> RenderRequest {
    GraphDocument.isGraph(path) ? try graphRequest(path, settings, libraries) : try settings.request(of: path)
  }

  /// What `render` makes of a graph document.
  private func graphRequest(_ path: String, _ settings: SanitizeSettings, _ libraries: LibraryOptions) throws -> RenderRequest {
    let document = try GraphDocument.draft(path)
    var command = try RenderCommand.parse([path])
    command.libraries = libraries
    do {
      let request = try RenderRequestParser(command: command, document: document).request()
      return settings.applied(to: request)
    } catch let error as UsageError {
      throw DiagnosticsError(error.diagnostics)
    }
  }

  /// - Parameter frames: the option that says which frames are wanted, where it was given.
  func settings(frames: String?) throws -> SanitizeSettings {
    var settings = SanitizeSettings()
    settings.size = try size.map { try OptionText("--size", $0).size() }
    settings.time = try time.map { try OptionText("--time", $0).seconds(notBefore: .zero) }
    if let frames, let time {
      throw OptionText("--time", time).error(
        "usage.conflict", "'\(frames)' and '--time' both say which frames are wanted", "the second", help: ["keep one of them"])
    }
    settings.pictures = pictures.i
    settings.assets = pictures.assets
    settings.dialect = try dialect.name()
    settings.timeout = try timeout.map { try OptionText("--timeout", $0).seconds(above: .zero).double }
    for text in set {
      let (name, value) = try OptionText("--set", text).assignment(example: "SPEED=2.5")
      settings.values.append(.init(name: name, value: value))
    }
    return settings
  }
}
