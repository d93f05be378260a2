import Etalon
import EtalonDiagnostics
import EtalonPreview

/// What a command line previews: every change of a page becomes an option, and is parsed as on the command line.
struct CommandSource: PreviewSource {
  private let command: RenderCommand

  init(_ command: RenderCommand) { self.command = command }

  var title: String {
    command.stages.map { $0.contains(" ") ? $0 : $0.split(separator: "/").last.map(String.init) ?? $0 }.joined(separator: " | ")
  }

  func request(_ changes: PreviewChanges) throws -> RenderRequest {
    try telling {
      var (command, request) = try applied(changes).reading()
      command.files.output = []
      request.standIns.insert(.testCards)
      if case .single(time: nil) = request.frames {
        request.following = .init(followsRate: command.time.rate == nil, followsNumbers: command.time.first == nil)
      }
      return request
    }
  }

  func words(_ changes: PreviewChanges, _ wish: RenderWish) -> [String] {
    // What cannot be read is copied as it was typed.
    let command = (try? applied(changes)) ?? command
    return ["etalon", "render"] + self.applied(wish, to: command).words
  }

  func export(_ changes: PreviewChanges, _ wish: RenderWish) throws -> PreviewExport {
    try telling {
      let (command, request) = try self.applied(wish, to: applied(changes)).reading()
      if let video = try command.video(for: request) { return PreviewExport(request, to: .video(video)) }
      let destination = try command.destination(for: request)
      return PreviewExport(request, to: .sequence(destination)) { shot in
        for file in destination.files { try telling { try RenderCommand.checkName(file.pattern, frameCount: shot.frames.count) } }
      }
    }
  }

  // MARK: options

  /// The command with what pages changed.
  private func applied(_ changes: PreviewChanges) throws -> RenderCommand {
    var command = command
    if !changes.values.isEmpty {
      command.values.set.removeAll { text in changes.values[Self.name(text)] != nil }
      command.values.set += changes.values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    }
    if !changes.inputs.isEmpty {
      try nameInputs(of: &command)
      command.pictures.input.removeAll { text in changes.inputs[Self.name(text)] != nil }
      command.pictures.input += changes.inputs.sorted { $0.key < $1.key }.compactMap { name, value in value.map { "\(name)=\($0)" } }
    }
    if let events = changes.eventsFile, command.values.mouse == nil { command.values.events = command.values.events ?? events }
    if let duration = changes.duration, command.time.frames == nil { command.time.duration = command.time.duration ?? duration }
    return command
  }

  /// Says which inputs `-i` means, so that one of them can be replaced.
  private func nameInputs(of command: inout RenderCommand) throws {
    guard !command.pictures.i.isEmpty else { return }
    let names = try RequestDescription(try command.reading().1).unnamedInputs
    let named = zip(names, command.pictures.i).map { "\($0)=\($1)" }
    command.pictures.input = named + command.pictures.input
    command.pictures.i.removeFirst(named.count)
  }

  private static func name(_ assignment: String) -> String { String(assignment.prefix { $0 != "=" }) }

  /// The command with what a job is to render.
  private func applied(_ wish: RenderWish, to command: RenderCommand) -> RenderCommand {
    var command = command
    if let output = wish.output { command.files.output = [output] }
    if let time = wish.time {
      (command.time.time, command.time.frames) = ("\(time)", nil)
      if command.files.output.isEmpty { command.files.output = ["picture.png"] }
    }
    if let frames = wish.frames { (command.time.frames, command.time.time) = (frames, nil) }
    if let duration = wish.duration { command.time.duration = duration }
    if let size = wish.size { command.pictures.size = size }
    if wish.standsIn { command.pictures.missingInput = "test-card" }
    return command
  }

  /// Does something, and tells what makes no sense as what is wrong with a value.
  private func telling<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as UsageError { throw DiagnosticsError(error.diagnostics) }
  }
}
