internal import Etalon
internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonMedia
internal import EtalonSystem
internal import EtalonTypes
internal import Foundation

/// Texts: those that change on disk, those that pages try and save; events and presets.
extension PreviewEngine {
  // MARK: on disk

  /// Shows what changed on disk; where a page tries a text of its own, both are kept until a person chooses.
  func filesChanged(_ paths: [String]) {
    var messages: [PageMessage] = []
    for path in paths {
      guard let index = files.index(of: path) else { continue }
      guard let bytes = TextFiles.bytes(of: path), let text = TextFiles.text(bytes) else {
        messages.append(.changed(.init(file: index, hash: "", text: files.texts[index].text, deleted: true)))
        continue
      }
      let hash = TextFiles.hash(bytes)
      guard hash != files.texts[index].hash else { continue }
      if let trial = trials[path], trial != bytes {
        files.note(files.texts[index].text, hash: hash, at: index)
        messages.append(.conflict(.init(file: index, text: text, hash: hash)))
      } else {
        trials[path] = nil
        files.note(text, hash: hash, at: index)
        messages.append(.changed(.init(file: index, hash: hash, text: text, deleted: false)))
      }
    }
    for message in messages { tellAll(message) }
    rebuild()
  }

  // MARK: in pages

  /// Tries a text, takes it back, or saves it.
  func edit(_ request: PageRequest, of page: Int) throws {
    guard let index = request.file, files.texts.indices.contains(index) else {
      throw DiagnosticsError(Diagnostic("preview.request", "there is no file \(request.file ?? -1)"))
    }
    let path = files.texts[index].path
    switch request.kind {
    case .text:
      let bytes = Array((request.text ?? "").utf8)
      let isSame = TextFiles.bytes(of: path) == bytes
      guard trials[path] != (isSame ? nil : bytes) else { return }
      trials[path] = isSame ? nil : bytes
      files.note(request.text ?? "", hash: files.texts[index].hash, at: index)
      retry()
    case .revert:
      trials[path] = nil
      if let bytes = TextFiles.bytes(of: path), let text = TextFiles.text(bytes) {
        files.note(text, hash: TextFiles.hash(bytes), at: index)
        tellAll(.changed(.init(file: index, hash: TextFiles.hash(bytes), text: text, deleted: false)))
      }
      retry()
    default: try save(request, index, of: page)
    }
  }

  /// Makes the subject anew of texts that are tried; the texts of pages are theirs.
  private func retry() {
    do {
      adopt(try subject(of: changes))
      problems = []
    } catch { problems = diagnostics(of: error) }
    tellAll(diagnosticsMessage)
    place.watch(watchedFiles)
  }

  /// Writes a text into its file, unless that changed since the page saw it.
  private func save(_ request: PageRequest, _ index: Int, of page: Int) throws {
    let path = files.texts[index].path
    try place.checkWritable(path)
    let onDisk = TextFiles.bytes(of: path)
    if request.force != true, let onDisk, TextFiles.hash(onDisk) != request.seen {
      let (text, hash) = (TextFiles.text(onDisk) ?? "", TextFiles.hash(onDisk))
      return tell(page, .conflict(.init(file: index, text: text, hash: hash)))
    }
    let text = request.text ?? ""
    let bytes = Array(text.utf8)
    try write(bytes, to: path)
    trials[path] = nil
    files.note(text, hash: TextFiles.hash(bytes), at: index)
    tellAll(.changed(.init(file: index, hash: TextFiles.hash(bytes), text: text, deleted: false)))
    tell(page, .done(request.number, "saved \(path)"))
    rebuild()
  }

  /// Writes a file that appears whole; one that is there keeps its permissions.
  func write(_ bytes: [UInt8], to path: String) throws(RenderError) {
    let permissions = (try? FileManager.default.attributesOfItem(atPath: path))?[.posixPermissions]
    let file = try AtomicFile(path, replacing: .anything)
    try file.write(bytes)
    try file.commit()
    // The text is saved; that its permissions could not be set again is no failure of that.
    if let permissions { try? FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path) }
  }

  /// Opens a text in the editor of the user, which is started without a shell.
  func openEditor(_ request: PageRequest) throws {
    guard let index = request.file, files.texts.indices.contains(index) else {
      throw DiagnosticsError(Diagnostic("preview.request", "there is no file \(request.file ?? -1)"))
    }
    guard let command = settings.editor.first else {
      throw RenderError(.missingInput, "nothing says which editor to open", help: ["set VISUAL: export VISUAL='code --wait'"])
    }
    let path = URL(filePath: files.texts[index].path).standardizedFileURL.path
    let (line, column) = (max(1, request.line ?? 1), max(1, request.column ?? 1))
    let words = EditorCommand.words(settings.editor, file: path, line: line, column: column)
    try ChildProcess.launch(words) { [inbox] ending in
      if ending == .exit(127) { inbox.post(.failed("'\(command)' is not there, which VISUAL or EDITOR names")) }
    }
  }

  // MARK: events

  /// Notes what the mouse and the keys do; starts a recording; saves it.
  func record(_ request: PageRequest, of page: Int) throws {
    switch request.kind {
    case .record: if request.on == true { recorder.clear() }
    case .saveEvents:
      let path = try newFile(request.path)
      try write(Array(recorder.text.utf8), to: path)
      tell(page, .done(request.number, "saved events \(path)"))
      return
    default: guard try noteInput(request, of: page) else { return }
    }
    guard let subject, subject.description.readsMouse || subject.description.readsKeys else { return }
    // What was done happens on the next frame while the shot plays, so that those that were rendered are the same.
    adopt(try self.subject(of: changes, changing: subject), isSame: true)
  }

  /// Whether something changed.
  private func noteInput(_ request: PageRequest, of page: Int) throws -> Bool {
    if let path = subject?.request.eventsFile, path != place.temporary + "/events.csv" {
      throw DiagnosticsError(
        Diagnostic("preview.events", "'\(path)' says what the mouse and the keys do", help: ["start the preview without '--events'"]))
    }
    try recorder.checkRoom()
    let frame = head.frame + (head.isPlaying ? 1 : 0)
    if request.kind == .key {
      guard let code = request.code, (0...255).contains(code) else {
        throw DiagnosticsError(Diagnostic("preview.key", "a key has a number from 0 to 255"))
      }
      return recorder.key(code, isDown: request.down ?? false, onFrame: frame)
    }
    guard let subject, let x = request.x, let y = request.y, x.isFinite, y.isFinite, let view = pages[page]?.view, view.isKnown else {
      return false
    }
    let form = view.form(of: subject.size, subject.request.proxy, isFixed: subject.request.size != nil)
    let scale = form.proxy.factor.double
    return recorder.mouse(x / scale, y / scale, isDown: request.down ?? false, onFrame: frame)
  }

  /// A path for a file that a page saves: in a folder that was given, and not there unless the session wrote it and nobody changed it since.
  func newFile(_ path: String?) throws -> String {
    guard let path, !path.isEmpty else { throw DiagnosticsError(Diagnostic("preview.request", "a file without a name")) }
    let full = path.hasPrefix("/") ? path : (place.folders.first.map { $0 + "/" } ?? "") + path
    try place.checkWritable(full)
    if FileManager.default.fileExists(atPath: full),
      written[full].map({ hash in TextFiles.bytes(of: full).map(TextFiles.hash) != hash }) ?? true
    {
      throw RenderError(
        .cannotWrite, "cannot write '\(path)'", underlying: written[full] == nil ? "it is there already" : "it changed since it was saved",
        help: ["choose another name"])
    }
    return full
  }
}
