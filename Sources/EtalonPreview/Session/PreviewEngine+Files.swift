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
    for path in paths {
      guard let index = files.index(of: path) else { continue }
      let found = TextFiles.look(at: path)
      guard found == .missing || found.hash != files.texts[index].disk else { continue }
      // Another text, or none, does not take the place of one that is tried.
      if let trial = trials[path] { if found.text.map({ Array($0.utf8) }) == trial.bytes { trials[path] = nil } }
      files.note(trials[path] == nil ? found.text ?? files.texts[index].text : files.texts[index].text, disk: found.hash, at: index)
      tellAll(difference(ofFile: index, found))
    }
    rebuild()
  }

  /// What pages are told of a file that changed on disk.
  private func difference(ofFile index: Int, _ found: TextFiles.OnDisk) -> PageMessage {
    let known = files.texts[index]
    switch found {
    case .missing: return .changed(.init(file: index, path: known.path, hash: "", text: known.text, deleted: true))
    case .other(let hash): return .conflict(.init(file: index, path: known.path, text: nil, hash: hash))
    case .text(let text, let hash):
      if let trial = trials[known.path], trial.base != hash {
        return .conflict(.init(file: index, path: known.path, text: text, hash: hash))
      }
      return .changed(.init(file: index, path: known.path, hash: hash, text: text, deleted: false))
    }
  }

  /// Tells a page that joins which texts are tried whose files changed meanwhile.
  func tellConflicts(_ outlet: PageOutlet) {
    for (index, file) in files.texts.enumerated() where trials[file.path].map({ $0.base != file.disk }) ?? false {
      outlet.send(difference(ofFile: index, TextFiles.look(at: file.path)))
    }
  }

  // MARK: in pages

  /// The number of the file that a request names: by its path, where that is given, because numbers change with the subject.
  private func file(_ request: PageRequest) throws -> Int {
    guard let index = request.path.map(files.index) ?? request.file, files.texts.indices.contains(index) else {
      throw DiagnosticsError(Diagnostic("preview.request", "there is no file \(request.path.map { "'\($0)'" } ?? "\(request.file ?? -1)")"))
    }
    return index
  }

  /// Tries a text, takes it back, or saves it.
  func edit(_ request: PageRequest, of page: Int) throws {
    let index = try file(request)
    let path = files.texts[index].path
    switch request.kind {
    case .text:
      let bytes = Array((request.text ?? "").utf8)
      let isSame = TextFiles.bytes(of: path) == bytes
      let base = request.seen ?? trials[path]?.base ?? files.texts[index].disk
      let old = trials[path]
      trials[path] = isSame ? nil : TextTrial(bytes: bytes, base: base)
      files.note(request.text ?? "", disk: files.texts[index].disk, at: index)
      if old?.bytes != trials[path]?.bytes { retry() }
    case .revert:
      trials[path] = nil
      let found = TextFiles.look(at: path)
      files.note(found.text ?? files.texts[index].text, disk: found.hash, at: index)
      tellAll(difference(ofFile: index, found))
      retry()
    default: try save(request, index, of: page)
    }
  }

  /// Makes the subject anew of texts that are tried; the texts of pages are theirs.
  private func retry() {
    let start = Date.now
    failed = nil
    do {
      adopt(try triedSubject())
      problems = []
    } catch { problems = readable(diagnostics(of: error)) }
    tellAll(diagnosticsMessage)
    place.watch(watchedFiles, since: start)
  }

  /// The subject with the texts that pages try, which name no files that pages may not have opened, apart from those that it was made of already.
  func triedSubject() throws -> PreviewSubject {
    if !trials.isEmpty {
      let named = try UnsavedTexts.reading(trials.mapValues(\.bytes)) { try source.request(changes) }
      try checkFiles((named.namedFiles ?? []) + named.namedPictures.map(\.path), of: named)
    }
    let made = try subject(of: changes)
    do { try checkFiles(made.files, of: made.request) } catch {
      made.finish()
      throw error
    }
    return made
  }

  /// Diagnostics without lines of files that pages may not have opened, as a text that is tried may name them.
  private func readable(_ found: [Diagnostic]) -> [Diagnostic] {
    let known = Set(known)
    return found.map { diagnostic in
      let paths = diagnostic.labels.map { String($0.source.path.prefix { $0 != "#" }) }.filter { !$0.hasPrefix("<") && !known.contains($0) }
      do throws(RenderError) { for path in paths { try place.checkReadable(path) } } catch { return error.diagnostics[0] }
      return diagnostic
    }
  }

  /// Writes a text into its file, unless that changed since the page saw it; a file that is missing is written again.
  private func save(_ request: PageRequest, _ index: Int, of page: Int) throws {
    let path = files.texts[index].path
    let real = try place.checkedPath(path)
    let found = TextFiles.look(at: path)
    if request.force != true, found != .missing, found.text == nil || found.hash != request.seen {
      return tell(page, .conflict(.init(file: index, path: path, text: found.text, hash: found.hash)))
    }
    let text = request.text ?? ""
    let bytes = Array(text.utf8)
    try write(bytes, to: real)
    trials[path] = nil
    files.note(text, disk: TextFiles.hash(bytes), at: index)
    tellAll(.changed(.init(file: index, path: path, hash: TextFiles.hash(bytes), text: text, deleted: false)))
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
    let index = try file(request)
    guard let command = settings.editor.first else {
      throw RenderError(.missingInput, "nothing says which editor to open", help: ["set VISUAL: export VISUAL='code --wait'"])
    }
    guard !EditorCommand.needsTerminal(settings.editor) else {
      throw RenderError(
        .missingInput, "'\(command)' needs a terminal, which a preview has not",
        help: ["set VISUAL to an editor with a window: export VISUAL='code --wait'", "or to a terminal: 'xterm -e vim +{line} {file}'"])
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
      guard let name = request.path, !name.isEmpty else {
        throw DiagnosticsError(Diagnostic("preview.name", "the events have no name", help: ["type 'events.csv'"]))
      }
      let path = try newFile(name, replacing: .ownFiles)
      let bytes = Array(recorder.text.utf8)
      try write(bytes, to: path)
      written[path] = TextFiles.hash(bytes)
      recorder.savedFile = path
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
    if let path = subject?.request.eventsFile, !place.isTemporary(path) {
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

  /// What becomes of a file that is in the place of one that a page saves.
  enum Replacing {
    /// It stays.
    case nothing
    /// It is replaced where the session wrote it and it did not change since.
    case ownFiles
    /// It is replaced, because a person said so.
    case anything
  }

  /// A path for a file that a page saves: in a folder that was given, and not that of another file unless this one may be replaced.
  func newFile(_ path: String, replacing: Replacing) throws -> String {
    let full = try place.checkedPath(path.hasPrefix("/") ? path : (place.folders.first.map { $0 + "/" } ?? "") + path)
    guard FileManager.default.fileExists(atPath: full) else { return full }
    if files.paths.contains(where: { place.writable($0) == full }) {
      throw RenderError(
        .cannotWrite, "cannot write '\(path)'", underlying: "the preview is made of this file", help: ["choose another name"])
    }
    let isChanged = written[full].map { hash in TextFiles.bytes(of: full).map(TextFiles.hash) != hash }
    if replacing == .anything || replacing == .ownFiles && isChanged == false { return full }
    throw DiagnosticsError(
      Diagnostic(
        "preview.taken", "cannot write '\(path)': \(isChanged == true ? "it changed since it was saved" : "it is there already")",
        help: ["choose another name"]))
  }
}
