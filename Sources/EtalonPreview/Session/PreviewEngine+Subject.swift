internal import Etalon
internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonMedia
internal import EtalonTypes
internal import Foundation

/// Making the subject of files and changes, and changing it by values and inputs.
extension PreviewEngine {
  /// So many frames are prepared at once where they do not depend on each other: the values of all of them are worked out.
  private static let window = 600

  /// The length of a shot whose filter reads progress or duration, where nothing says it.
  private static let usualDuration = "10s"

  // MARK: making

  /// The frame that the command line asks for; nil where it asks for none.
  private var startFrame: Int? {
    guard let request = try? source.request(changes), case .single(let time?) = request.frames else { return nil }
    return request.clock.frame(at: time)
  }

  /// Makes the subject anew of the files as they are; what is wrong with them is shown over the last good picture.
  func rebuild() {
    let start = Date.now
    // A file that is saved while it is compiled for the first time has changed.
    if subject == nil { place.watch(watchedFiles, since: start) }
    failed = nil
    do {
      adopt(try trials.isEmpty ? subject(of: changes) : triedSubject())
      problems = []
    } catch {
      problems = diagnostics(of: error)
      if dropsMisfits() { return rebuild() }
    }
    files.read(paths: watchedFiles, trials: trials)
    if trials.isEmpty { known = watchedFiles }
    place.watch(watchedFiles, since: start)
    tellAll(.state(state))
    tellAll(diagnosticsMessage)
  }

  /// Takes back the values of pages that the subject refuses since its files changed; true where there were any.
  private func dropsMisfits() -> Bool {
    guard !changes.values.isEmpty else { return false }
    var bare = changes
    bare.values = [:]
    guard (try? subject(of: bare))?.finish() != nil else { return false }
    var kept = bare
    for (name, value) in changes.values.sorted(by: { $0.key < $1.key }) {
      var more = kept
      more.values[name] = value
      do {
        try subject(of: more).finish()
        kept = more
      } catch { tellAll(.refused(error, number: nil, name: name)) }
    }
    changes = kept
    return true
  }

  /// What changes make of the files, prepared in the form that the first page wants.
  ///
  /// - Parameter old: a subject that differs in values only; nil where anything may be another.
  func subject(of changes: PreviewChanges, changing old: PreviewSubject? = nil) throws -> PreviewSubject {
    streams.beginUse()
    return try UnsavedTexts.reading(trials.mapValues(\.bytes)) {
      var request = try request(changes)
      let description = try old?.description.setting(request.settings) ?? RequestDescription(request)
      request.eventsFile = try recorder.file(for: description, request, in: place) ?? request.eventsFile
      var size = try old?.size ?? renderer.size(of: request)
      var chosenDuration: String?
      var (shot, form, frames) = try prepared(&request, description, size)
      if shot.noteOfLength != nil {
        shot.finish()
        var longer = changes
        chosenDuration = Self.usualDuration
        longer.duration = chosenDuration
        request = try self.request(longer)
        request.eventsFile = try recorder.file(for: description, request, in: place) ?? request.eventsFile
        (shot, form, frames) = try prepared(&request, description, size)
      }
      // Values may change how large the result is.
      if old != nil, shot.size != form.proxy.size(size) {
        size = try renderer.size(of: request)
        shot.finish()
        (shot, form, frames) = try prepared(&request, description, size)
      }
      return PreviewSubject(request, description, shot, form: form, frames: frames, size: size, chosenDuration: chosenDuration)
    }
  }

  /// The request, for which the session says what the source leaves open.
  private func request(_ changes: PreviewChanges) throws -> RenderRequest {
    var request = try source.request(changes)
    request.device = request.device ?? settings.device
    request.timeout = request.timeout ?? settings.timeout
    request.cancellation = inbox.watch.cancellation
    request.streams = streams
    request.checkpoints = settings.keepsCheckpoints && request.checkpoints != nil ? place.checkpoints : nil
    return request
  }

  /// A shot of the frames around the play head, and all frames of the shot; nil where it has no end.
  private func prepared(
    _ request: inout RenderRequest, _ description: RequestDescription, _ size: Size
  ) throws -> (Shot, PreviewForm, ClosedRange<Int>?) {
    var form = PreviewForm()
    if let page = pages.sorted(by: { $0.key < $1.key }).first(where: \.value.view.isKnown)?.value {
      form = page.view.form(of: size, request.proxy, isFixed: request.size != nil)
    }
    let frames = choose(&request, changesByItself: description.parameters.contains(where: \.isAnimated))
    var shot = try renderer.prepare(request.in(form))
    if shot.hasState, let known = shot.frames.min(), known > request.clock.first {
      // Frames that depend on those before are prepared with all of these.
      shot.finish()
      if let all = FrameRange(request.clock.first...(shot.frames.max() ?? known)) { request.frames = .range(all) }
      shot = try renderer.prepare(request.in(form))
    }
    return (shot, form, frames)
  }

  /// Chooses the frames that are prepared; returns those of the shot, and nil where it has no end.
  private func choose(_ request: inout RenderRequest, changesByItself: Bool) -> ClosedRange<Int>? {
    var whole = request.shot
    var wanted = head.frame
    switch request.frames {
    case .range(let range):
      whole = whole ?? range.bounds
      // The wanted frames are the shot, where nothing else says how long it is, however few of them are prepared at once.
      request.shot = whole
    case .single(let time?) where subject == nil: wanted = request.clock.frame(at: time)
    case .single: break
    }
    let first = whole?.lowerBound ?? request.clock.first
    wanted = max(first, min(wanted, whole?.upperBound ?? wanted))
    let start = first + (wanted - first) / Self.window * Self.window
    var part = start...(start + Self.window - 1)
    if let whole { part = changesByItself ? whole : part.clamped(to: whole) }
    if let frames = FrameRange(part) { request.frames = .range(frames) }
    return whole
  }

  /// Shows another subject from now on; the play head stays where it is.
  ///
  /// - Parameter isSame: whether it has the same frames up to now, and differs in later ones.
  func adopt(_ new: PreviewSubject, isSame: Bool = false) {
    if let old = subject, head.isPlaying { goOn(with: new, after: old, isSame: isSame) }
    subject?.finish()
    streams.endUse()
    let isFirst = subject == nil
    subject = new
    changes.duration = new.chosenDuration ?? changes.duration
    head.change(new.frames, isEndless: new.isEndless, framesPerSecond: new.clock.rate.framesPerSecond.double)
    if isFirst { head.seek(startFrame ?? head.frame) }
    revision += 1
  }

  /// Lets frames that depend on those before play on while values change, with the next frame, in each form that a page is shown.
  private func goOn(with new: PreviewSubject, after old: PreviewSubject, isSame: Bool) {
    guard new.hasState else { return }
    for (form, prepared) in old.shots where isWanted(form, of: new) {
      let left = prepared.shot
      // A form that cannot be prepared is told where its picture is made.
      guard let prepared = try? self.prepared(form, of: new) else { continue }
      // Where the device cannot hand the state over, the frames begin anew.
      guard (try? prepared.shot.goOn(after: left, isSame: isSame)) == true, let next = prepared.shot.nextFrame else { continue }
      if next == head.frame + 1, (head.loop ?? new.frames).contains(next) || new.isEndless { head.seek(next) }
    }
  }

  /// Prepares other frames where the play head is beyond those that are.
  func extendWindow() throws {
    guard !hasFailed, let subject, !subject.prepared.contains(head.frame), subject.isEndless || subject.frames.contains(head.frame) else {
      return
    }
    adopt(try self.subject(of: changes, changing: subject))
  }

  // MARK: values

  /// Sets values, or takes them back, all of them or none.
  func setValues(_ request: PageRequest, of page: Int) throws {
    var wanted: [String: String?] = request.values ?? [:]
    if request.kind == .set {
      guard let name = request.name else { throw DiagnosticsError(Diagnostic("preview.request", "'set' without a name")) }
      wanted[name] = .some(request.value)
    }
    var new = changes
    for (name, value) in wanted {
      if let track = value.flatMap(TypedFiles.track) { try place.checkReadable(track) }
      new.values[name] = value
    }
    guard new != changes || subject == nil else { return tellValues(Array(wanted.keys)) }
    let isCompiled = subject?.description.parameters.contains { $0.isConstant && wanted.keys.contains($0.declaration.name) } ?? true
    try change(to: new, compilesAnew: isCompiled)
    tellValues(Array(wanted.keys))
  }

  /// Shows what other changes make of the subject; where they are refused, everything stays as it was.
  private func change(to new: PreviewChanges, compilesAnew: Bool) throws {
    guard problems.isEmpty else {
      // Nothing can be said about values while the files themselves are wrong.
      changes = new
      return
    }
    let made = try subject(of: new, changing: compilesAnew ? nil : subject)
    do { try checkFiles(made.files, of: made.request) } catch {
      made.finish()
      throw error
    }
    changes = new
    adopt(made)
  }

  /// Refuses files that a page has opened elsewhere than in the folders, whatever named them; filters of a library may be named.
  func checkFiles(_ paths: [String], of request: RenderRequest) throws {
    let known = Set(known)
    for path in paths where !known.contains(path) {
      if case .graph(_, let library) = request.subject, library.holds(path) { continue }
      try place.checkReadable(path)
    }
  }

  private func tellValues(_ names: [String]) {
    var texts = changes.values.filter { names.contains($0.key) }
    for parameter in subject?.description.parameters ?? [] where names.contains(parameter.declaration.name) {
      let name = parameter.declaration.name
      texts[name] = texts[name] ?? parameter.value ?? parameter.defaultText
    }
    for (id, page) in pages { tell(id, .values(.init(values: texts, number: page.number))) }
  }

  // MARK: inputs

  /// Gives an input another picture, or none.
  func setInput(_ request: PageRequest, of page: Int) throws {
    guard let name = request.name else { throw DiagnosticsError(Diagnostic("preview.request", "'input' without a name")) }
    if let value = request.value {
      guard !value.contains("://") else {
        throw RenderError(.invalidInput, "'\(value)' is an address, and pages may name files only", help: ["download it first"])
      }
      if let path = try TypedFiles.path(ofInput: value) { try place.checkReadable(path) }
    }
    let start = Date.now
    var new = changes
    new.inputs[name] = .some(request.value)
    let subject = try subject(of: new)
    changes = new
    failed = nil
    adopt(subject)
    files.read(paths: watchedFiles, trials: trials)
    place.watch(watchedFiles, since: start)
    tellAll(.state(state))
    tellAll(diagnosticsMessage)
  }

  // MARK: telling

  /// The files that the subject is made of, and those that are wrong, without those of the session.
  var watchedFiles: [String] {
    let wrong = problems.flatMap(\.labels).map { String($0.source.path.prefix { $0 != "#" }) }
    let named = (try? source.request(changes))?.namedFiles ?? []
    var paths: [String] = []
    for path in named + (subject?.files ?? []) + wrong where !paths.contains(path) && !path.hasPrefix("<") {
      // What the session itself writes is no change from outside.
      if !path.hasPrefix(place.temporary) { paths.append(path) }
    }
    return paths
  }

  /// All that pages need to know.
  var state: PageMessage.State {
    let subject = subject
    let clock = subject?.clock ?? ShotClock()
    let count = subject.flatMap { $0.isEndless ? nil : $0.frames.count }
    return PageMessage.State(
      title: subject?.description.title ?? source.title, subject: source.title, dialect: subject?.description.dialect ?? "",
      device: subject?.deviceName ?? "", rate: clock.rate.framesPerSecond.double,
      duration: count.map { (Rational($0) / clock.rate.framesPerSecond).double }, frames: count, first: subject?.frames.lowerBound ?? 0,
      feedback: subject?.hasState ?? false, size: subject.map { [$0.size.width, $0.size.height] },
      alpha: subject?.description.hasAlpha ?? false, mouse: subject?.description.readsMouse ?? false,
      keyboard: subject?.description.readsKeys ?? false, sound: sound, parameters: subject?.description.parameters.map { .init($0) } ?? [],
      inputs: subject?.description.inputs.map {
        .init(
          name: $0.name, label: $0.label, kind: $0.kind.rawValue, value: $0.value, default: $0.standard, canChange: $0.canChange)
      } ?? [],
      files: files.texts.map {
        let trial = trials[$0.path]
        return .init(
          name: $0.name, path: $0.path, text: $0.text, hash: trial?.base ?? $0.disk, tried: trial != nil,
          writable: place.writable($0.path) != nil)
      },
      folders: place.folders, presets: presets, editor: settings.editor.first, start: clock.start.double)
  }

  /// The sound of the first sound or video that is read, and when it is heard.
  private var sound: PageMessage.State.Sound? {
    guard let subject else { return nil }
    let pictures = subject.request.namedPictures.filter { HeardSound.isHeard($0.path) }
    // A text may bring its sound.
    let path = pictures.first?.path ?? subject.files.first(where: HeardSound.isHeard)
    guard let sound = place.hear(path) else { return nil }
    let duration = Rational(sound.sampleCount) / Rational(sound.sampleRate)
    var told = PageMessage.State.Sound(rate: sound.sampleRate, duration: duration.double)
    guard let schedule = pictures.first?.video?.schedule(in: subject.clock, duration: duration) else { return told }
    (told.from, told.to, told.start) = (schedule.from.double, schedule.to.double, schedule.start.double)
    (told.speed, told.loop) = (schedule.speed.double, schedule.loop.rawValue)
    return told
  }
}

extension RenderRequest {
  /// The same for pictures of a form.
  func `in`(_ form: PreviewForm) -> RenderRequest {
    var request = self
    request.proxy = form.proxy
    if form.isFloat { request.bits = 32 }
    return request
  }
}
