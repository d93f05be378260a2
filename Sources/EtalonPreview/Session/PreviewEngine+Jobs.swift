internal import Etalon
internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonTypes

/// What leaves a preview: commands, and jobs that render files.
extension PreviewEngine {
  /// What a request wants rendered.
  func wish(_ request: PageRequest) -> RenderWish {
    var wish = RenderWish()
    wish.output = request.output
    if case .range(let frames)? = request.frames { wish.frames = frames }
    (wish.duration, wish.size) = (request.duration, request.size)
    // Without anything else the command renders what is seen.
    if request.kind == .command, wish.frames == nil, wish.duration == nil { wish.time = subject?.clock.time(ofFrame: head.frame) }
    wish.standsIn = subject?.description.inputs.contains { $0.value == nil && $0.standard == nil } ?? false
    return wish
  }

  /// The command that makes the same picture, as a shell takes it.
  func commandLine(_ wish: RenderWish) throws -> String {
    try checkStays(said.inputs.values.compactMap(\.self) + [said.eventsFile].compactMap(\.self))
    return source.words(said, wish).map(ShellWord.quoted).joined(separator: " ")
  }

  /// The changes of pages, with what the mouse and the keys did where that counts.
  var said: PreviewChanges {
    var said = changes
    if !recorder.isEmpty, let file = subject?.request.eventsFile, place.isTemporary(file) { said.eventsFile = recorder.savedFile ?? file }
    return said
  }

  /// Refuses files that are gone with the session, in what is to be of use afterwards.
  func checkStays(_ paths: [String]) throws(RenderError) {
    guard let path = paths.first(where: place.isTemporary) else { return }
    let isEvents = path.hasSuffix(".csv")
    throw RenderError(
      .invalidInput,
      isEvents
        ? "what the mouse and the keys did is not saved"
        : "'\(path.split(separator: "/").last ?? "")' was dropped, and is gone with the preview",
      help: [isEvents ? "save the events first" : "copy the file into a folder, and name it there"])
  }

  /// The same with the events in a file that stays as it is while a job reads it.
  private func settled(_ said: PreviewChanges) throws(RenderError) -> PreviewChanges {
    var said = said
    guard let file = said.eventsFile, place.isTemporary(file) else { return said }
    let path = "\(place.temporary)/job-events.csv"
    try write(Array(recorder.text.utf8), to: path)
    said.eventsFile = path
    return said
  }

  /// Starts to render what a page wants, where it wants it.
  func startJob(_ request: PageRequest, of page: Int) throws {
    guard let output = request.output, !output.isEmpty else {
      throw DiagnosticsError(
        Diagnostic("usage.output", "nothing says where the pictures go", help: ["type 'picture.png', 'frames.####.png' or 'video.mp4'"]))
    }
    guard trials.isEmpty else {
      throw DiagnosticsError(
        Diagnostic("preview.unsaved", "a text was not saved, and a job renders what is saved", help: ["save it, or take it back"]))
    }
    var wish = wish(request)
    let full = output.hasPrefix("/") ? output : (place.folders.first.map { $0 + "/" } ?? "") + output
    wish.output = try place.checkedPath(full)
    try jobs.checkIsFree()
    try jobs.start(try source.export(try settled(said), wish), output: output)
    if let job = jobs.last { tellAll(.job(job)) }
  }
}
