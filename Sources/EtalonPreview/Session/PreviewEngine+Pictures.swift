internal import Etalon
internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonMedia
internal import EtalonPlan
internal import EtalonTypes
internal import Foundation

/// How large a page shows pictures, and in which form it wants them.
struct PageView: Equatable {
  /// Pixels of the screen that the picture takes; 0 before the page has said it.
  var width = 0
  var height = 0
  /// How much smaller the page wants pictures to be than it shows them.
  var proxy = 1.0
  var encoding = PictureEncoding.jpeg
  var wantsFloats = false
  /// Whether the page shows what lies behind the picture.
  var showsAlpha = false

  var isKnown: Bool { width > 0 && height > 0 }

  /// The form of pictures that fill the view: as large as the whole at most.
  ///
  /// - Parameter size: as large as a render, whose pictures are this much smaller: `base`.
  /// - Parameter isFixed: whether the size was asked for, and does not follow the view.
  func form(of size: Size, _ base: ProxyScale, isFixed: Bool) -> PreviewForm {
    var factor = proxy
    if !isFixed { factor *= min(1, Double(width) / Double(size.width), Double(height) / Double(size.height)) }
    let wide = max(1, Int((Double(size.width) * factor).rounded(.down)))
    let scale = wide >= size.width ? base.factor : base.factor * (Rational(wide) / Rational(size.width))
    return PreviewForm(proxy: ProxyScale(scale), isFloat: wantsFloats)
  }
}

/// Rendering and sending pictures.
extension PreviewEngine {
  /// Takes over how a page shows pictures.
  func changeView(_ request: PageRequest, of id: Int) throws {
    guard var view = pages[id]?.view else { return }
    if let width = request.width, let height = request.height {
      guard (1...16_384).contains(width), (1...16_384).contains(height) else {
        throw DiagnosticsError(Diagnostic("preview.view", "a view of \(width)×\(height) pixels is not one of 1 to 16384"))
      }
      (view.width, view.height) = (Int(width), Int(height))
    }
    if let proxy = request.proxy {
      guard (1.0 / 64...1).contains(proxy) else {
        throw DiagnosticsError(Diagnostic("preview.view", "a proxy of \(proxy) is not one from 1/64 to 1"))
      }
      view.proxy = proxy
    }
    if let encoding = request.encoding { view.encoding = encoding == "raw" ? .rgba8 : .jpeg }
    view.wantsFloats = request.floats ?? view.wantsFloats
    view.showsAlpha = request.checkers ?? view.showsAlpha
    pages[id]?.view = view
    dropUnusedForms()
  }

  /// Gives the memory back of pictures that no page wants any more.
  private func dropUnusedForms() {
    guard let subject else { return }
    let wanted = Set(pages.values.filter(\.view.isKnown).map { form(of: $0, subject) })
    for (form, prepared) in subject.shots where !wanted.isEmpty && !wanted.contains(form) {
      prepared.shot.finish()
      subject.shots[form] = nil
    }
  }

  /// Whether a page is shown a form.
  func isWanted(_ form: PreviewForm, of subject: PreviewSubject) -> Bool {
    pages.values.contains { $0.view.isKnown && self.form(of: $0, subject) == form }
  }

  private func form(of page: Page, _ subject: PreviewSubject) -> PreviewForm {
    page.view.form(of: subject.size, subject.request.proxy, isFixed: subject.request.size != nil)
  }

  /// What a page would be shown now; nil where there is nothing.
  private func wanted(_ page: Page) -> Shown? {
    guard let subject, page.view.isKnown else { return nil }
    let form = form(of: page, subject)
    let showsAlpha = page.view.showsAlpha && subject.description.hasAlpha
    let encoding: PictureEncoding = form.isFloat ? .rgba32f : showsAlpha ? .rgba8 : page.view.encoding
    return Shown(revision: revision, frame: head.frame, form: form, encoding: encoding, number: page.pictureNumber)
  }

  /// Whether a page waits for a picture that it was not shown.
  func isDue(_ page: Page) -> Bool {
    guard !page.isWaiting, let wanted = wanted(page), wanted != page.shown else { return false }
    return !hasFailed
  }

  /// Whether the frame at the play head could not be rendered as things are.
  var hasFailed: Bool { failed.map { ($0.revision, $0.frame) == (revision, head.frame) } ?? false }

  /// Renders for the pages that wait; those that want the same share a picture.
  ///
  /// The page comes first whose turn is longest ago: where news ends one frame after the other, no page waits for ever behind another.
  func showPictures() {
    for (id, page) in pages.sorted(by: { ($0.value.turn, $0.key) < ($1.value.turn, $1.key) }) where isDue(page) {
      turns += 1
      pages[id]?.turn = turns
      guard let wanted = wanted(page), let subject else { continue }
      do {
        guard let picture = try picture(wanted.form, of: subject) else { return }
        let number = pages[id]?.number ?? 0
        pages[id]?.outlet.send(picture: try encoded(picture, wanted, number: number, subject))
        pages[id]?.isWaiting = true
        pages[id]?.shown = wanted
        if failed != nil {
          failed = nil
          tellAll(diagnosticsMessage)
        }
      } catch {
        fail(error)
        return
      }
    }
    tellClock()
  }

  /// The picture of the frame at the play head; nil where there is news that makes it useless.
  func picture(_ form: PreviewForm, of subject: PreviewSubject) throws -> RenderedPicture? {
    let prepared = try prepared(form, of: subject)
    if let last = prepared.last, last.frame == head.frame, last.revision == revision { return last }
    let (watch, shot) = (inbox.watch, prepared.shot)
    watch.begin(expected: prepared.usualTime)
    defer { watch.end() }
    let start = ContinuousClock.now
    guard let pending = try shot.submit(head.frame, isInterrupted: { watch.isLate }) else { return nil }
    defer { pending.release() }
    do throws(RenderError) { try pending.wait() } catch {
      if error.code == .interrupted {
        shot.forget()
        return nil
      }
      throw error
    }
    let pixels = shot.pixels(of: pending)
    let duration = ContinuousClock.now - start
    prepared.usualTime = duration
    let picture = RenderedPicture(
      pixels: pixels, frame: head.frame, revision: revision, duration: duration, isLive: shot.hasBorrowedState)
    prepared.last = picture
    return picture
  }

  func prepared(_ form: PreviewForm, of subject: PreviewSubject) throws -> PreviewSubject.Prepared {
    if let known = subject.shots[form] { return known }
    let shot = try UnsavedTexts.reading(trials.mapValues(\.bytes)) { try renderer.prepare(subject.request.in(form)) }
    let prepared = PreviewSubject.Prepared(shot)
    subject.shots[form] = prepared
    return prepared
  }

  private func encoded(_ picture: RenderedPicture, _ wanted: Shown, number: Int, _ subject: PreviewSubject) throws -> [UInt8] {
    let pixels = picture.pixels
    let isTooLarge = max(pixels.size.width, pixels.size.height) > JPEGEncoder.largestSide
    let encoding = wanted.encoding == .jpeg && isTooLarge ? .rgba8 : wanted.encoding
    let header = PictureHeader(
      number: number, time: subject.clock.time(ofFrame: picture.frame).double, frame: picture.frame, width: pixels.size.width,
      height: pixels.size.height, encoding: encoding, ms: picture.duration.seconds * 1000, dropped: head.dropped, live: picture.isLive,
      behind: head.isPlaying ? streams.delay.map { $0.seconds * 1000 } : nil)
    let start = header.bytes
    return encoding == .jpeg ? try JPEGEncoder().bytes(of: pixels, behind: start) : start + pixels.bytes
  }

  /// Tells why the frame at the play head could not be rendered, and waits for a change.
  private func fail(_ error: any Error) {
    failed = Failure(revision: revision, frame: head.frame, found: diagnostics(of: error))
    head.pause()
    tellAll(diagnosticsMessage)
    tellClock()
    guard let error = error as? RenderError, error.code.isTemporary else { return }
    // Nothing works any more with a device that was lost, or given up because a frame took too long.
    for prepared in subject?.shots.values.map(\.self) ?? [] { prepared.shot.forget() }
    subject?.shots = [:]
    renderer = ShotRenderer(keeping: .plans)
  }

  // MARK: pixels

  /// Tells what the filter gives for a pixel of the frame at the play head.
  func tellPixel(_ request: PageRequest, of id: Int) throws {
    guard let subject, let page = pages[id], page.view.isKnown, let x = request.x, let y = request.y else { return }
    var form = form(of: page, subject)
    // A filter that has no state is asked for its exact numbers; with state they would be those of frames that have to be rendered again.
    if !head.isPlaying, !subject.hasState { form.isFloat = true }
    guard let picture = try picture(form, of: subject) else {
      // What made the picture useless is done first.
      return inbox.post(.request(id, request))
    }
    let size = picture.pixels.size
    guard x >= 0, x < Double(size.width), y >= 0, y < Double(size.height) else {
      throw DiagnosticsError(Diagnostic("preview.pixel", "pixel \(x), \(y) lies outside of the picture, which is \(size)"))
    }
    tell(id, .pixel(picture.pixels.pixel(Int(x), Int(y))))
  }
}

extension PictureHeader {
  /// The length in four bytes, and the JSON.
  fileprivate var bytes: [UInt8] {
    guard let json = try? JSONEncoder().encode(self) else { preconditionFailure("finite numbers always encode") }
    return (0..<4).map { UInt8(truncatingIfNeeded: json.count >> (8 * $0)) } + json
  }
}

extension PixelBuffer {
  /// The channels of a pixel, counted from the top left.
  fileprivate func pixel(_ x: Int, _ y: Int) -> PageMessage.Pixel {
    let start = (y * size.width + x) * format.bytesPerPixel
    let pixel = bytes[start..<start + format.bytesPerPixel]
    guard format.isFloat else {
      return PageMessage.Pixel(x: x, y: y, values: pixel.map { Double($0) / 255 }, bytes: pixel.map(Int.init))
    }
    let values = (0..<4).map { channel in
      let bits = (0..<4).reduce(UInt32(0)) { $0 | UInt32(pixel[pixel.startIndex + channel * 4 + $1]) << UInt32(8 * $1) }
      return Float(bitPattern: bits)
    }
    // JSON has no words for numbers that are none.
    let bytes = values.map { $0.isNaN ? 0 : Int((min(max($0, 0), 1) * 255).rounded(.toNearestOrEven)) }
    return PageMessage.Pixel(x: x, y: y, values: values.map { $0.isFinite ? Double($0) : nil }, bytes: bytes)
  }
}
